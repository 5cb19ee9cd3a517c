"""Estimates explained with their counts: of words, gaps, dependencies and unaries (sections 2.2 to 2.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from engine.common.numbers import log_text, signed, significant, table_probability
from engine.counts.contexts import level_title
from engine.counts.specifications_layout import CountedFactor
from engine.estimates.ledger import Candidate, DependencySubject, Factor, Level, Ratio, UnarySubject
from engine.explain.paper_readings import PaperReading
from engine.structure.constituents import CORE, Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance
from engine.study.counted import Counted, Sources
from engine.trees.tree import COMMA_TAGS
from explorer.explanations.blocks import (
    POOLED,
    SUBSCRIPT,
    CountLink,
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_number,
    latex_symbol,
    latex_text,
    level_name,
    nested,
    pooled,
    symbol,
    weight_text,
)
from explorer.session.parsing import ParseResult

# An estimate of preset (5): all levels mixed in one recursion, times what each context says, divided by the sum.
#
# The numbers are the engine's (:mod:`engine.estimates.factors`): P̂ = m × r₁ × r₂ … / w.

DIGITS = 5


def is_product(factor: Factor) -> bool:
    """Whether a factor was estimated as preset (5) does: contexts multiply in, or a λ is not δ / (δ + 1)."""
    if factor.ratios:
        return True
    levels = [pooled(factor.levels, name) for name in factor.used]
    return any(
        level is not None and not math.isclose(weight, level.delta / (level.delta + 1))
        for level, weight in zip(levels, factor.lambdas, strict=False)
    )


def product(factor: Factor, left: tuple[str, str]) -> list[ExplanationBlock]:
    """The recursion, the contexts and the product with the numbers in; `left` is the left-hand side of the formula."""
    levels = [level for name in factor.used if (level := pooled(factor.levels, name)) is not None]
    steps = mixed_steps(levels, factor.lambdas)
    blocks: list[ExplanationBlock] = []
    if steps:
        blocks += [recursion_table(levels, factor.lambdas, steps), *_weights(levels, factor.lambdas)]
    for ratio in factor.ratios:
        blocks += _context(factor, ratio)
    blocks.append(Heading("Product", Section.ESTIMATE))
    blocks.append(_product(factor, left, steps[0] if steps else 0.0))
    if factor.ratios:
        note = "w is the sum of the same product over all outcomes, so that they remain probabilities."
        blocks.append(Paragraph(note, True))
    return blocks


def mixed_steps(levels: Sequence[Level], lambdas: Sequence[float]) -> list[float]:
    """What comes out at each level, finest first: m = λ E + (1 − λ) m′, m′ that of the level below it."""
    if not levels:
        return []
    steps = [levels[-1].estimate]
    for level, weight in reversed(list(zip(levels, lambdas, strict=False))):
        steps.insert(0, weight * level.estimate + (1 - weight) * steps[0])
    return steps


def recursion_table(levels: Sequence[Level], lambdas: Sequence[float], steps: Sequence[float]) -> TableBlock:
    """Every level with λ, E and what comes out there (:func:`mixed_steps`), the finest first."""
    rows = []
    for place, (level, step) in enumerate(zip(levels, steps, strict=True)):
        weight = weight_text(lambdas[place]) if place < len(lambdas) else ""
        rows.append((level_name(level.name), weight, significant(level.estimate, 4), significant(step, 4)))
    return TableBlock(("level", "λ", "E", "m"), tuple(rows), (1, 2, 3), marked=0)


def _weights(levels: Sequence[Level], lambdas: Sequence[float]) -> list[ExplanationBlock]:
    """How m and λ come about, with c of every level."""
    if not lambdas:
        return []
    constants = ", ".join(
        f"{level.delta * (1 - weight) / weight:.3g} for {symbol(level.name)}"
        for level, weight in zip(levels, lambdas, strict=False)
    )
    formula = Formula(
        (
            ("m = λ × E + (1 − λ) × m′,  m′ that of the row below", r"m &= \lambda \times E + (1-\lambda) \times m'"),
            ("λ = δ / (δ + c)", r"\lambda &= \frac{\delta}{\delta + c}"),
        )
    )
    return [formula, Paragraph(f"c is {constants}.", True)]


def _context(factor: Factor, ratio: Ratio) -> list[ExplanationBlock]:
    """What one context multiplies in: how much likelier it makes the outcome than it is expected to be without it."""
    estimate, expected = significant(ratio.estimate, DIGITS), significant(ratio.expected, DIGITS)
    value = significant(ratio.value, DIGITS)
    shown, numbers = "P′ / P", f"{estimate} / {expected}"
    latex, latex_numbers = r"\frac{P'}{P}", rf"\frac{{{latex_number(estimate)}}}{{{latex_number(expected)}}}"
    if ratio.power != 1:
        assert ratio.power == 0.5
        shown, numbers = f"√({shown})", f"√({numbers})"
        latex, latex_numbers = rf"\sqrt{{{latex}}}", rf"\sqrt{{{latex_numbers}}}"
    lines = [
        (
            f"r({ratio.name}) = {shown} = {numbers} = {value}",
            rf"r_{{\text{{{latex_text(ratio.name)}}}}} &= {latex} = {latex_numbers} = {latex_number(value)}",
        )
    ]
    levels = [level for one in ratio.used if (level := pooled(factor.levels, one)) is not None]
    if levels:
        weights = [weight_text(weight) for weight in ratio.lambdas]
        values = [*(significant(level.estimate, 4) for level in levels), expected]
        numbers = nested(values, weights)
        latex_numbers = nested([*map(latex_number, values)], [*map(latex_number, weights)], latex=True)
        symbols = [*(symbol(level.name) for level in levels), "P"]
        latex_symbols = [*(latex_symbol(level.name) for level in levels), "P"]
        lambdas = ["λ" if len(levels) == 1 else f"λ{'₁₂₃'[place]}" for place in range(len(levels))]
        latex_lambdas = [r"\lambda" if len(levels) == 1 else rf"\lambda_{place + 1}" for place in range(len(levels))]
        lines += [
            (f"P′ = {nested(symbols, lambdas)}", f"P' &= {nested(latex_symbols, latex_lambdas, latex=True)}"),
            (f"= {numbers}", f"&= {latex_numbers}"),
        ]
    return [Heading(_context_title(ratio.name), Section.ESTIMATE), Formula(tuple(lines))]


def _context_title(name: str) -> str:
    return {
        "neighbours": "Context: the tags before and after",
        "inside": "Context: the head-child and the first tag",
        "beside modifier": "Context: the tags beside the modifier",
        "beside head": "Context: the tags beside the head",
        "between": "Context: what lies between",
    }.get(name, f"Context: {name}")


def _product(factor: Factor, left: tuple[str, str], mixture: float) -> Formula:
    names = ["m", *(f"r({ratio.name})" for ratio in factor.ratios)]
    latex_names = ["m", *(rf"r_{{\text{{{latex_text(ratio.name)}}}}}" for ratio in factor.ratios)]
    values = [significant(mixture, DIGITS), *(significant(ratio.value, DIGITS) for ratio in factor.ratios)]
    latex_values = [*map(latex_number, values)]
    times = r" \times "
    shown, latex = " × ".join(names), times.join(latex_names)
    numbers, latex_numbers = " × ".join(values), times.join(latex_values)
    if factor.ratios:
        whole = significant(factor.whole, DIGITS)
        shown, latex = f"{shown} / w", f"{latex} / w"
        numbers, latex_numbers = f"{numbers} / {whole}", f"{latex_numbers} / {latex_number(whole)}"
    result = significant(factor.probability, DIGITS + 1)
    log = rf", \quad \log = {factor.log:.4f}" if math.isfinite(factor.log) else ""
    return Formula(
        (
            (f"{left[0]} = {shown}", f"{left[1]} &= {latex}"),
            (f"= {numbers}", f"&= {latex_numbers}"),
            (f"= {result},  log {factor.kind.symbol} {log_text(factor.log, 4)}", f"&= {latex_number(result)}{log}"),
        )
    )


# An estimate with its counts, λ, and the formula with the numbers in: the paper's (section 2.4), or preset (5)'s.


def counts_table(factor: Factor, contexts: Sequence[str], sources: Sequence[Counted] = ()) -> TableBlock:
    """η, δ and E of every level, with what each is based on; those that are mixed are named.

    `sources` tell where the counts come from, so that each opens the training sentences which it counted.
    """
    rows: list[tuple[str, str, str, str, str]] = []
    links: list[tuple[int, int, CountLink]] = []

    def add(level: Level, context: str, counted: Sequence[Counted]) -> None:
        counted = tuple(one for one in counted if one.keys)
        if counted:
            links.append((len(rows), 2, CountLink(f"η of {symbol(level.name)}", counted)))
            links.append(
                (len(rows), 3, CountLink(f"δ of {symbol(level.name)}", tuple(one.of(None) for one in counted)))
            )
        rows.append(_row(level, context))

    by_name = {one.level: one for one in sources}
    for level, context in zip(factor.levels, contexts, strict=True):
        add(level, context, [by_name[level.name]] if level.name in by_name else [])
        if level.name == "E3" and POOLED in factor.used:
            both = pooled(factor.levels, POOLED)
            assert both is not None
            add(both, "E₂ and E₃ together", [by_name[name] for name in ("E2", "E3") if name in by_name])
    return TableBlock(("", "based on", "η", "δ", "E = η/δ"), tuple(rows), right=(2, 3, 4), links=tuple(links), aside=1)


def _row(level: Level, context: str) -> tuple[str, str, str, str, str]:
    estimate = significant(level.estimate) if level.delta else "–"
    return level_name(level.name), context, f"{level.eta:,}", f"{level.delta:,}", estimate


def mixture(factor: Factor, left: tuple[str, str]) -> list[ExplanationBlock]:
    """The formula of an estimate, then the same with this sentence's numbers.

    Parameters
    ----------
    factor
        The estimate.
    left
        Its left-hand side, in Unicode and in LaTeX.
    """
    if is_product(factor):
        return product(factor, left)
    used = [(name, pooled(factor.levels, name)) for name in factor.used]
    if not used or any(level is None for _, level in used) or len(factor.lambdas) != len(used) - 1:
        value = significant(factor.probability, 6)
        return [Formula(((f"{left[0]} = {value}", f"{left[1]} &= {latex_number(value)}"),))]
    levels = [level for _, level in used if level is not None]
    names = [symbol(name) for name, _ in used]
    latex_names = [latex_symbol(name) for name, _ in used]
    values = [significant(level.estimate, 4) for level in levels]
    weights = [weight_text(weight) for weight in factor.lambdas]
    lambdas = [_lambda(name, place) for place, (name, _) in enumerate(used[:-1])]
    latex_lambdas = [rf"\lambda_{{{_lambda_number(name, place)}}}" for place, (name, _) in enumerate(used[:-1])]
    latex_values, latex_weights = [*map(latex_number, values)], [*map(latex_number, weights)]
    result = significant(factor.probability, 6)
    lines = [
        (f"{left[0]} = {nested(names, lambdas)}", f"{left[1]} &= {nested(latex_names, latex_lambdas, True)}"),
        (f"= {nested(values, weights)}", f"&= {nested(latex_values, latex_weights, True)}"),
    ]
    log = rf", \quad \log = {factor.log:.4f}" if math.isfinite(factor.log) else ""
    lines.append(
        (f"= {result},  log {factor.kind.symbol} {log_text(factor.log, 4)}", f"&= {latex_number(result)}{log}")
    )
    blocks: list[ExplanationBlock] = [Formula(tuple(lines))]
    for weight, level, name, latex_name in zip(factor.lambdas, levels, lambdas, latex_lambdas, strict=False):
        if math.isclose(weight, level.delta / (level.delta + 1)):
            blocks.append(_weight(level, name, latex_name, weight_text(weight)))
    return blocks


def _weight(level: Level, name: str, latex_name: str, value: str) -> Formula:
    """λ = δ / (δ + 1), with the numbers in (section 2.4)."""
    index = level.name[1:] if level.name[:1] == "E" else f"({level.name})"
    delta = "(δ₂ + δ₃)" if level.name == POOLED else f"δ{index.translate(SUBSCRIPT)}"
    latex_delta = r"(\delta_2+\delta_3)" if level.name == POOLED else rf"\delta_{{\text{{{index}}}}}"
    text = f"{name} = {delta} / ({delta} + 1) = {level.delta:,} / {level.delta + 1:,} = {value}"
    latex = (
        rf"{latex_name} &= \frac{{{latex_delta}}}{{{latex_delta}+1}} = "
        rf"\frac{{{level.delta}}}{{{level.delta + 1}}} = {latex_number(value)}"
    )
    return Formula(((text, latex),))


def _lambda_number(name: str, place: int) -> int:
    """λ1 of E1, λ2 of E23 (equation 21), λ4 of E4 (further back-off); others by their place."""
    return {"E1": 1, POOLED: 2, "E4": 4}.get(name, place + 1)


def _lambda(name: str, place: int) -> str:
    return f"λ{str(_lambda_number(name, place)).translate(SUBSCRIPT)}"


def zero_reason(factor: Factor) -> list[ExplanationBlock]:
    """Why an estimate is zero, if it is."""
    return (
        [Heading("Why it is zero", Section.COSTS), Paragraph(factor.reason[:1].upper() + factor.reason[1:] + ".")]
        if factor.reason
        else []
    )


# Unary productions explained: what stands over a constituent, or that nothing does (footnote to section 2.6).


def unary_of(parse: Parse, node: Constituent) -> Factor | None:
    """The factor of what stands over a constituent of the parse; ``None`` where none is paid: the core of a phrase."""
    parent = next(
        (above for root in parse.roots for above in root.walk() if any(child is node for child in above.children)),
        None,
    )
    if parent is None or len(parent.children) > 1:
        if parent is not None and parent.head_label == CORE and parent.children[parent.head_child] is node:
            return None
        return parse.explainer().unary(node, None)
    return parse.explainer().unary(node, parent.label)


def unary_blocks(parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """The estimate behind what stands over a constituent, in full."""
    factor = unary_of(parse, node)
    heading = Heading("Unary (footnote to section 2.6)", Section.UNARY)
    if factor is None:
        return [heading, Paragraph("It is the core of a phrase, which settles what stands over it.", True)]
    word, tag = parse.sentence.proper_words[node.head], parse.sentence.proper_tags[node.head]
    parent = factor.subject.parent if isinstance(factor.subject, UnarySubject) else None
    note = f"Over it stands {parent}, by a unary production." if parent else "No unary production stands over it."
    blocks: list[ExplanationBlock] = [heading, Paragraph(note)]
    based_on = {
        "label": node.label,
        "label+tag": f"{node.label}, {tag}",
        "word+tag": f"{node.label}, {word}/{tag}",
        "before": f"{node.label}, {tag}, the tag before it",
        "after": f"{node.label}, {tag}, the tag after it",
        "before+after": f"{node.label}, {tag}, both tags beside it",
        "inside": f"{node.label}, {tag}, head-child, first tag",
    }
    if factor.levels:
        contexts = [based_on.get(level.name) or level_title(CountedFactor.UNARY, level.name) for level in factor.levels]
        sources = Sources(parse.explainer()).unary(node, parent)
        blocks.append(counts_table(factor, contexts, sources))
    outcome = parent or "none"
    left = (
        f"P̂({outcome} | {node.label}, {word}/{tag})",
        rf"\hat{{P}}(\text{{{latex_text(outcome)}}} \mid \text{{{latex_text(node.label)}}}, "
        rf"\text{{{latex_text(f'{word}/{tag}')}}})",
    )
    estimate = [
        replace(block, section=Section.UNARY) if isinstance(block, Heading) else block
        for block in mixture(factor, left)
    ]
    return [*blocks, *estimate]


# Dependencies explained: F̂ with its counts, Δ's six answers, and equation (8) (sections 2.2 to 2.4).

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


# Words, punctuation, tags and gaps explained (sections 2.5 and 2.7).

SHOWN_TAGS = 8
GAP_NAMES = {"S": "Start", "C": "Continue", "E": "End", "B": "Between", "N": "Null"}


def explain_word(result: ParseResult, parse: Parse, position: int) -> Explanation:
    """What became of a word, and where its tag comes from."""
    sentence = parse.sentence
    word, tag = sentence.proper_words[position], sentence.proper_tags[position]
    known = result.request.model.known_words(sentence)[position] >= 0
    blocks: list[ExplanationBlock] = []
    base = next((base for base in parse.basenps if base.start <= position < base.end), None)
    words = sentence.proper_words
    if base is None:
        blocks.append(Paragraph("It stands outside all baseNPs and is a word of the reduced sentence S̄."))
    elif base.head == position:
        inside = " ".join(words[base.start : base.end])
        blocks.append(Paragraph(f"It heads the baseNP [{inside}] and stands for it in the reduced sentence S̄."))
    else:
        inside = " ".join(words[base.start : base.end])
        blocks.append(
            Paragraph(
                f"It lies inside the baseNP [{inside}], which the reduced sentence S̄ keeps as its head-word "
                f"`{words[base.head]}` alone; no dependency touches it."
            )
        )
    if not known:
        blocks.append(
            Paragraph("The model has never seen this word: estimates fall back to those based on tags.", quiet=True)
        )
    blocks += _tags(result, parse, position)
    return Explanation(f"{word}/{tag}", f"word {position + 1} of {len(words)}", tuple(blocks))


def tags_shown(result: ParseResult, token: int) -> tuple[tuple[str, float], ...]:
    """The most probable of the tags that the tagger holds possible for a token, with P(t|S)."""
    return result.choices(token)[:SHOWN_TAGS]


def _tags(result: ParseResult, parse: Parse, position: int) -> list[ExplanationBlock]:
    token = parse.sentence.positions[position]
    given = result.given(token)
    shown = tags_shown(result, token)
    if not shown:
        return [Paragraph("Its tag was given; the model has no tagger to ask.", quiet=True)]
    tag = parse.sentence.proper_tags[position]
    marked = next((at for at, choice in enumerate(shown) if choice[0] == tag), -1)
    rows = tuple((name, significant(chance)) for name, chance in shown)
    if given:
        note = "Its tag was given: the tagger is not asked, and this is what it would have said."
    elif parse.distribution is not None:
        note = "The parser chose among them, paying P(t|S) (section 2.7)."
    else:
        note = "The tagger's best sequence of tags stands; under presets (4) and (5) the parser chooses."
    return [
        Heading("The tagger's distribution P(t|S)", Section.TAGS),
        TableBlock(("tag", "P"), rows, (1,), marked),
        Paragraph(note, True),
    ]


def explain_token(parse: Parse, token: int) -> Explanation:
    """What the model makes of punctuation."""
    word, tag = parse.sentence.words[token], parse.sentence.tags[token]
    if tag in COMMA_TAGS:
        note = (
            "A ‘comma’ (any token tagged , or :) is no word of the model, but is asked about: by questions 4 to 6 of "
            "the distance Δ, by the gap model (cᵢ = 1), and by the punctuation rule of section 2.7."
        )
    else:
        note = PaperReading.PUNCTUATION.fact
    return Explanation(f"{word}/{tag}", "punctuation", (Paragraph(note),))


def explain_tag(result: ParseResult, parse: Parse, position: int, tag: str) -> Explanation:
    """One of the tags that a word could have."""
    factor = parse.explainer().tag(position)
    blocks = list(_tags(result, parse, position))
    word = parse.sentence.proper_words[position]
    if factor is not None and parse.sentence.proper_tags[position] == tag:
        value = significant(factor.probability, 6)
        formula = (
            f"P({tag}|S) = {value},  log {log_text(factor.log, 4)}",
            rf"P(\text{{{tag}}}|S) &= {latex_number(value)}",
        )
        blocks.insert(0, Formula((formula,)))
    return Explanation(f"{word}/{tag}", "a tag that the tagger holds possible", tuple(blocks))


def explain_gap(result: ParseResult, parse: Parse, position: int, letter: str = "") -> Explanation:
    """P̂(G) of the gap before a word: all five, and the one that is chosen (or asked about) in full."""
    chosen = parse.gap_tags[position - 1]
    asked = letter or chosen
    explainer = parse.explainer()
    factor = explainer.gap(position, asked)
    chances = explainer.gap_distribution(position)
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    left, right = position - 1, position
    comma = parse.sentence.commas[position] > 0
    rows = tuple(
        (one, GAP_NAMES[one], table_probability(chances[one]), "chosen" if one == chosen else "") for one in GAP_LETTERS
    )
    blocks: list[ExplanationBlock] = [
        TableBlock(("tag", "", "P̂", ""), rows, (2,), GAP_LETTERS.index(asked)),
        Heading("Counts", Section.COUNTS),
    ]
    both = f"{tags[left]}, {tags[right]}"
    based_on = {
        "E1": f"{words[left]}/{tags[left]}, {words[right]}/{tags[right]}",
        "E2": f"{words[left]}/{tags[left]}, {tags[right]}",
        "E3": f"{tags[left]}, {words[right]}/{tags[right]}",
        "E4": both,
        "comma": "the comma alone",
        "even": "nothing: all five alike",
        "before": f"{both}, the tag before them",
        "after": f"{both}, the tag after them",
        "before+after": f"{both}, both tags beside them",
    }
    if factor.levels:
        contexts = [based_on.get(level.name) or level_title(CountedFactor.GAP, level.name) for level in factor.levels]
        blocks.append(counts_table(factor, contexts, Sources(explainer).gap(position, asked)))
    blocks.append(Heading("Estimate", Section.ESTIMATE))
    side = (
        f"P̂({asked} | wᵢ₋₁,tᵢ₋₁,wᵢ,tᵢ,cᵢ={int(comma)})",
        rf"\hat{{P}}({asked} \mid w_{{i-1}},t_{{i-1}},w_i,t_i,c_i={int(comma)})",
    )
    blocks += mixture(factor, side)
    blocks += zero_reason(factor)
    blocks.append(
        Paragraph(
            f"{'A comma' if comma else 'No comma'} stands between the two words (cᵢ = {int(comma)}); section 2.5.", True
        )
    )
    return Explanation(f"{words[left]} {asked} {words[right]}", f"gap G{position + 1} between two words", tuple(blocks))
