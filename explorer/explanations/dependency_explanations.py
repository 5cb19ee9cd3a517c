"""Dependencies explained: F̂ with its counts, Δ's six answers, and equation (8) (sections 2.2 to 2.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.analysis.evidence import Counted, Sources
from engine.chart.parse import Parse
from engine.estimates.dependency_probabilities import Candidate
from engine.estimates.factor_subjects import DependencySubject
from engine.estimates.ledger import Factor
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.estimate_explanations import counts_table, mixture, zero_reason
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_text,
)
from explorer.graphics.number_text import log_text, signed, significant

SHOWN_CANDIDATES = 8
LEVEL = 0.005
"""Logarithms that differ by less are shown as equal."""
DISTANCE_QUESTIONS = (
    "1  Order",
    "2  Adjacent",
    "3  Verb",
    "4  Commas",
    "5  Comma",
    "6  Comma",
)


def explain_arrow(result: ParseResult, parse: Parse, modifier: int) -> Explanation:
    """AF(j) of a word of the parse: its dependency, or its being the root."""
    reduced = parse.reduced
    if modifier not in reduced:
        word = parse.sentence.proper_words[modifier]
        return Explanation(word, "no arrow", (Paragraph("The word lies inside a baseNP; no dependency touches it."),))
    arrow = parse.dependencies[reduced.index(modifier)]
    if not arrow.head:
        return explain_root(result, parse, modifier, arrow.relation.modifier)
    return explain_pair(result, parse, modifier, reduced[arrow.head - 1], arrow.relation)


def explain_pair(
    result: ParseResult, parse: Parse, modifier: int, head: int, relation: Relation | None = None
) -> Explanation:
    """One modifier and one head: in full for the relation, or for the most probable one between them."""
    explainer = parse.explainer()
    basenps = parse.basenps
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    inside = [words[position] for position in (modifier, head) if position not in parse.reduced]
    if inside:
        named = " and ".join(f"`{word}`" for word in inside)
        lie = "lies inside a baseNP and is not its head" if len(inside) == 1 else "lie inside baseNPs as no heads"
        text = f"{named} {lie}: in this parse no dependency touches {'it' if len(inside) == 1 else 'them'}."
        return Explanation(f"{words[modifier]} → {words[head]}", "no dependency", (Paragraph(text),))
    candidates = explainer.candidates(modifier, basenps)
    chosen = parse.heads().get(modifier) == head
    title = f"{words[modifier]} → {words[head]}"
    relation = relation or relation_between(parse, candidates, modifier, head)
    if relation is None:
        distance = explainer.ruler(basenps).distance(modifier, head)
        blocks: list[ExplanationBlock] = [
            Paragraph(
                f"No relation was seen in training between {tags[modifier]} and {tags[head]} "
                f"{'in this order' if parse.further_backoff else 'at this distance'}: F̂ is 0 for every R."
            ),
            Heading("Distance Δ", Section.DISTANCE),
            distance_block(distance),
        ]
        return Explanation(title, "a pair that cannot be", tuple(blocks))
    distance = explainer.ruler(basenps).distance(modifier, head)
    factor = explainer.dependency(modifier, head, relation, distance)
    blocks = [Paragraph(_place(relation))]
    sources = Sources(explainer).dependency(modifier, head, relation, distance)
    based_on = explainer.dependencies.based_on(modifier, head, distance.code)
    if parse.further_backoff:
        blocks.append(Paragraph(f"{parse.note[:1].upper()}{parse.note[1:]}.", True))
    blocks += _dependency_blocks(factor, based_on, sources)
    blocks += _equation_eight(candidates, words, head, relation)
    if chosen:
        blocks += _other_heads(result, parse, modifier)
    subtitle = f"{relation},  log F̂ {log_text(factor.log, 4)}" + ("" if chosen else "  ·  not in this parse")
    return Explanation(title, subtitle, tuple(blocks))


def relation_between(parse: Parse, candidates: Sequence[Candidate], modifier: int, head: int) -> Relation | None:
    """The relation of a modifier and a head: that of the parse, else the most probable; ``None`` if there is none."""
    if parse.heads().get(modifier) == head:
        return parse.dependencies[parse.reduced.index(modifier)].relation
    return next((one.relation for one in candidates if one.head == head), None)


def _place(relation: Relation) -> str:
    """The triple in words."""
    return f"A modifier {relation.modifier} under {relation.parent}, whose head-child is {relation.head}."


def _dependency_blocks(factor: Factor, based_on: Sequence[str], sources: Sequence[Counted]) -> list[ExplanationBlock]:
    """Δ, the counts, each level with what it is based on, and the estimate of one dependency."""
    assert isinstance(factor.subject, DependencySubject)
    modifier, head, relation = factor.subject.modifier_word, factor.subject.head_word, factor.subject.relation
    blocks: list[ExplanationBlock] = [
        Heading("Distance Δ (section 2.3)", Section.DISTANCE),
        distance_block(factor.subject.distance),
    ]
    if factor.levels:
        blocks += [Heading("Counts (section 2.4)", Section.COUNTS), counts_table(factor, based_on, sources)]
    left = (
        f"F̂({relation} | {modifier}, {head}, Δ)",
        rf"\hat{{F}}(\text{{{latex_text(str(relation))}}} \mid \text{{{latex_text(modifier)}}}, "
        rf"\text{{{latex_text(head)}}}, \Delta)",
    )
    blocks.append(Heading("Estimate", Section.ESTIMATE))
    blocks += mixture(factor, left)
    blocks += zero_reason(factor)
    return blocks


def distance_block(distance: Distance) -> TableBlock:
    """The six answers in words."""
    return TableBlock(("question", "result"), tuple(zip(DISTANCE_QUESTIONS, distance.words(), strict=True)))


def _equation_eight(
    candidates: Sequence[Candidate], words: list[str], head: int, relation: Relation
) -> list[ExplanationBlock]:
    if not candidates:
        return []
    place = next((at for at, one in enumerate(candidates) if (one.head, one.relation) == (head, relation)), -1)
    shown = candidates[:SHOWN_CANDIDATES]
    marked = place
    if place >= SHOWN_CANDIDATES:
        shown = [*shown[:-1], candidates[place]]
        marked = len(shown) - 1
    rows = tuple(
        (words[one.head], str(one.relation).strip("<>"), significant(one.estimate), significant(one.probability))
        for one in shown
    )
    blocks: list[ExplanationBlock] = [
        Heading("Among all heads: equation (8)", Section.CANDIDATES),
        TableBlock(("head", "R", "F̂", "P of (8)"), rows, (2, 3), marked),
    ]
    more = len(candidates) - len(shown)
    if more > 0:
        blocks.append(Paragraph(f"and {more:,} more of smaller probability", True))
    if place == 0 and len(candidates) > 1:
        best, second = candidates[:2]
        margin = _log_ratio(best.probability, second.probability)
        blocks.append(Paragraph(f"It leads the next by {signed(margin)} in the logarithm of P."))
    elif place > 0:
        margin = _log_ratio(candidates[place].probability, candidates[0].probability)
        level = abs(margin) < LEVEL
        behind = (
            "it is level with the first" if level else f"the first is ahead by {log_text(-margin, 2)} in the logarithm"
        )
        blocks.append(Paragraph(f"By P alone {behind}; the rest of the tree decides."))
    return blocks


def _other_heads(result: ParseResult, parse: Parse, modifier: int) -> list[ExplanationBlock]:
    """What the whole tree says: the best of the n best for each other head of the word, against this parse."""
    others = result.parse.alternatives
    if len(others) < 2:
        return []
    words, own = parse.sentence.proper_words, parse.heads().get(modifier)
    reranked = any(abs(one.score - one.log_probability) > 1e-12 for one in others)
    found: dict[int, tuple[str, ...]] = {}
    for rank, other in enumerate(others, 1):
        head = other.heads().get(modifier)
        if head is None or head == own or head in found:
            continue
        log = other.log_probability - parse.log_probability
        score = other.score - parse.score
        numbers = (signed(log), signed(score - log), signed(score)) if reranked else (signed(log),)
        found[head] = (words[head] if head >= 0 else "root", str(rank), *numbers)
    heading = Heading("With another head, among the n best", Section.LIST)
    if not found:
        return [heading, Paragraph(f"All {len(others)} have this one, or the word inside a baseNP.", True)]
    columns = ("head", "rank", "log P", "re-ranker", "score") if reranked else ("head", "rank", "log P")
    table = TableBlock(columns, tuple(found.values()), tuple(range(1, len(columns))))
    note = "Each number is that tree’s minus this parse’s."
    if result.parse.votes is not None:
        note += " The rank is that by expected F1, which need not follow the score."
    return [heading, table, Paragraph(note, True)]


def _log_ratio(first: float, second: float) -> float:
    return math.log(first / second) if second else math.inf


def explain_root(result: ParseResult, parse: Parse, head: int, label: str) -> Explanation:
    """AF of the head of the sentence: F̂(<root label> | its word and tag), a probability as it stands."""
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    explainer = parse.explainer()
    factor = explainer.root(head, label)
    blocks: list[ExplanationBlock] = [
        Paragraph(f"`{words[head]}` heads the sentence: it modifies nothing, and its relation is <{label}>.")
    ]
    if parse.fallback:
        blocks.append(Paragraph("No tree spans the sentence: a piece of the cover pays no root.", True))
    if factor.levels:
        contexts = (f"{words[head]}/{tags[head]}", tags[head], "any head")
        blocks += [
            Heading("Counts", Section.COUNTS),
            counts_table(factor, contexts, Sources(explainer).root(head, label)),
        ]
    left = (
        f"F̂(<{label}> | {words[head]})",
        rf"\hat{{F}}(\langle\text{{{latex_text(label)}}}\rangle \mid \text{{{latex_text(words[head])}}})",
    )
    blocks += [Heading("Estimate", Section.ESTIMATE), *mixture(factor, left), *zero_reason(factor)]
    return Explanation(f"{words[head]} → root", f"<{label}>,  log F̂ {log_text(factor.log, 4)}", tuple(blocks))
