"""Constituents explained: what they are and do, how sure they are, and every factor of their score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.chart.parse import Cause, ConstituentRules, Parse
from engine.chart.trace import Trace
from engine.common.numbers import amount, beam_text, log_text, probability, share_text, size
from engine.estimates.ledger import Ledger, UnarySubject, second_model_sum
from engine.estimates.second_model import BASE_NAME
from engine.explain.chart import behind_best, words_and_cell
from engine.explain.context import Choice, ParseContext
from engine.explain.estimates import unary_blocks, unary_of
from engine.explain.explanation import Explanation, ExplanationBlock, Heading, Paragraph, Section, TableBlock
from engine.explain.factors import factor_text, ledger_table, subject_of, sum_text
from engine.explain.glosses import label_gloss
from engine.explain.paper_readings import PaperReading, of_inside, of_labels
from engine.explain.subjects import NodeId
from engine.explain.topics import Topic, Topics
from engine.explain.wording import Closeness, DecidedBy, Headline, all_best, capital, quoted, span_text
from engine.explain.words import of_word, word_headline, word_page
from engine.settings import Settings
from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.constraints import Bracket
from engine.study.vote_shares import vote_on

# Headlines of constituents: baseNPs and phrases, what they do in the sentence and how sure they are.

_SURE, _UNSURE = 0.95, 0.6
"""Shares of the vote from which on a constituent is clear, and up to which it is nearly a tie."""
_COSTLY = 0.5
"""Nats from which on the dearest factor of a constituent is worth naming."""


def constituent_headline(context: ParseContext, node: Constituent) -> Headline:
    """What a constituent of the parse is and does, and how sure it is."""
    label, start, end = node.label, node.start, node.end
    choice = context.choice(lambda one: _has(one, node), True, _forced(context, node))
    what = f"{capital(_what(context, node))} {_role(context, node)}."
    share = vote_on(context.parse.votes, label, start, end).share if context.parse.votes is not None else None
    marked = label.endswith(JOINED) or _is_core(context.parse, node)
    how_close, told = _sure(context, node, None if marked else share, choice)
    reasons = []
    if choice.rival is not None:
        reasons.append(choice.rival.text("without it"))
    if node.is_base:
        reasons += _weakest_gap(context, node)
    dearest = min(_paid(context, node), key=lambda factor: factor.log, default=None)
    if dearest is not None and dearest.log < -_COSTLY and math.isfinite(dearest.log):
        reasons.append(f"What costs most in it is {factor_text(dearest)}: {amount(dearest.log)} in log P.")
    return Headline(f"{what} {told}", tuple(reasons[:3]), how_close, choice.decided_by)


def _what(context: ParseContext, node: Constituent) -> str:
    words = span_text(context.words, node.start, node.end)
    if node.is_word:
        return f"the word {words}"
    return f"the baseNP {words}" if node.is_base else f"the {node.label.rstrip(JOINED)} {words}"


def _role(context: ParseContext, node: Constituent) -> str:
    """What the constituent does: heads, modifies, or is the whole."""
    words = context.words
    headed = f"is headed by {quoted(words[node.head])}"
    parent, place = _parent(context.parse, node)
    if parent is None:
        if context.parse.fallback:
            return f"{headed} and is a fragment: no tree spans the sentence"
        return f"is the whole sentence and {headed}"
    label = parent.label.rstrip(JOINED)
    if len(parent.children) == 1:
        return f"{headed} and stands alone under {label}"
    if place == parent.head_child:
        return f"{headed} and is the head of the {label} around it"
    if parent.label.endswith(JOINED):
        return f"{headed} and is joined to {quoted(words[parent.head])}"
    return f"{headed} and modifies {quoted(words[parent.head])}"


def _parent(parse: Parse, node: Constituent) -> tuple[Constituent | None, int]:
    for root in parse.roots:
        for above in root.walk():
            for place, child in enumerate(above.children):
                if child is node:
                    return above, place
    return None, 0


def _is_core(parse: Parse, node: Constituent) -> bool:
    parent, place = _parent(parse, node)
    return parent is not None and parent.head_label == CORE and place == parent.head_child


def _has(parse: Parse, node: Constituent) -> bool:
    wanted = (node.label, node.start, node.end)
    return any((one.label, one.start, one.end) == wanted for root in parse.roots for one in root.walk())


def _forced(context: ParseContext, node: Constituent) -> bool:
    return any(
        isinstance(one, Bracket)
        and not one.forbid
        and (one.start, one.end) == (node.start, node.end)
        and one.label in (None, node.label)
        for one in context.constraints
    )


def _sure(
    context: ParseContext, node: Constituent, share: float | None, choice: Choice
) -> tuple[Closeness | None, str]:
    """How sure the constituent is: by its share of the vote, or by how many of the list have it."""
    if choice.decided_by is DecidedBy.WHAT_IF:
        return None, "A what-if forces it."
    ending = "." if choice.decided_by is DecidedBy.ESTIMATE else f"; {choice.text}."
    if share is not None:
        if share >= 1 - 1e-9:
            elsewhere = _attached_elsewhere(context, node)
            if not elsewhere:
                return Closeness.ONLY, "Every parse of the list has this phrase."
            return None, f"Every parse of the list has this phrase, {_not_here(context, elsewhere)}."
        told = f"{share_text(share)} of the list's probability is for it"
        if share >= _SURE:
            return Closeness.CLEAR, f"Clear: {told}{ending}"
        if share > _UNSURE:
            return Closeness.LIKELIER, f"{capital(told)}{ending}"
        if share >= 1 - _UNSURE:
            return Closeness.TIE, f"Nearly a tie: {told}{ending}"
        return Closeness.UNLIKELIER, f"Only {told}{ending}"
    listed = context.listed
    if len(listed) < 2:
        return None, f"It spans {_words(node)}."
    having = sum(_has(one, node) for one in listed)
    if having == len(listed):
        elsewhere = _attached_elsewhere(context, node)
        if not elsewhere:
            return Closeness.CLEAR, f"Clear: {all_best(len(listed))} have it."
        return None, f"{capital(all_best(len(listed)))} have this phrase, {_not_here(context, elsewhere)}."
    verb = "has" if having == 1 else "have"
    told = f"{having} of the {len(listed)} best parses {verb} it"
    rival = choice.rival
    if rival is not None and abs(rival.score) < 0.25:
        return Closeness.TIE, f"Nearly a tie: {told}{ending}"
    return Closeness.LIKELIER, f"{told}{ending}"


def _attached_elsewhere(context: ParseContext, node: Constituent) -> list[Parse]:
    """The parses of the list in which what a phrase modifies is another word; none for the head of what is around it.

    A head goes where the phrase around it goes, and of that is told there.
    """
    parent, place = _parent(context.parse, node)
    if parent is None or place == parent.head_child:
        return []
    own = context.parse.heads().get(node.head)
    return [one for one in context.listed if one.heads().get(node.head) != own]


def _not_here(context: ParseContext, elsewhere: Sequence[Parse]) -> str:
    """In how many of the best parses a phrase is attached elsewhere."""
    verb = "attaches" if len(elsewhere) == 1 else "attach"
    return f"but {len(elsewhere)} of the {len(context.listed)} best {verb} it elsewhere"


def _words(node: Constituent) -> str:
    count = node.end - node.start
    return "one word" if count == 1 else f"{count} words"


def _paid(context: ParseContext, node: Constituent) -> Ledger:
    """The factors of a constituent: that nothing stands over it is none where something does, nor of a core."""
    factors = context.explainer.own_factors((node,), True)
    parent, _ = _parent(context.parse, node)
    if (parent is not None and len(parent.children) == 1) or _is_core(context.parse, node):
        # Its own unary decision comes before those below.
        own = next(at for at, factor in enumerate(factors) if isinstance(factor.subject, UnarySubject))
        del factors[own]
    return Ledger(tuple(factors))


def _weakest_gap(context: ParseContext, node: Constituent) -> list[str]:
    """The gap at or in a baseNP whose tag is least sure, if one is not quite sure."""
    tags, words = context.parse.gap_tags, context.words
    gaps = [position for position in range(node.start, node.end + 1) if 0 < position < len(words)]
    chances = {position: context.explainer.gap_distribution(position)[tags[position - 1]] for position in gaps}
    weakest = min(gaps, key=lambda position: chances[position], default=0)
    if not gaps or chances[weakest] >= _SURE:
        return []
    left, right = quoted(words[weakest - 1]), quoted(words[weakest])
    told = probability(chances[weakest])
    return [f"Its least sure gap tag is {tags[weakest - 1]} between {left} and {right}: {told}."]


def restored_headline(context: ParseContext, start: int, end: int, label: str) -> Headline:
    """A bracket that is no part of the search: one inside a baseNP, or the label over a cover of fragments."""
    words = span_text(context.words, start, end)
    if context.parse.fallback and end - start == len(context.words):
        return Headline(f"{label} stands over fragments: no tree spans the sentence. It is no part of the score.")
    return Headline(f"The {label} {words} is put in after parsing, inside its baseNP. It is no part of the score.")


# Pages of constituents.


def find_constituent(parse: Parse, start: int, end: int, label: str) -> Constituent | None:
    """The constituent of the search that a node of the printed tree stands for."""
    for root in parse.roots:
        for node in root.walk():
            if (node.start, node.end) == (start, end) and node.label.rstrip("+*'") == label.rstrip("+*'"):
                return node
    return None


def _node_page(context: ParseContext, subject: NodeId) -> Explanation:
    """Explain a constituent of the tree: head, children, every factor of its score, its distance to the beam."""
    start, end, label = subject.start, subject.end, subject.label
    parse, words, tags = context.parse, context.words, context.tags
    inside = " ".join(words[start:end])
    subtitle = inside if len(inside) <= 60 else inside[:59] + "…"
    node = find_constituent(parse, start, end, label)
    if node is None:
        if _is_word(context, subject):
            return word_page(context, start)
        note = "This bracket is restored after parsing; it is no part of the score."
        return Explanation(label, subtitle, (Paragraph(note),))
    blocks: list[ExplanationBlock] = [
        Paragraph(f"Head-word `{words[node.head]}`/{tags[node.head]}, words {start + 1} to {end}.")
    ]
    if node.is_base:
        blocks.append(Paragraph("A baseNP: the gap tags make it (section 2.5); its inside is restored afterwards."))
    elif node.children:
        rows = tuple(
            (child.label, " ".join(words[child.start : child.end])[:40], "head" if at == node.head_child else "")
            for at, child in enumerate(node.children)
        )
        blocks += [
            Heading("Children", Section.CHILDREN),
            TableBlock(("label", "words", ""), rows, marked=node.head_child),
        ]
    blocks += _vote(parse, node.label, start, end)
    blocks += [Heading("Factors of its score", Section.FACTORS), ledger_table(_paid(context, node))]
    blocks += _second_model(context, node)
    blocks += unary_blocks(parse, node)
    blocks += _in_the_chart(context.trace, node, parse.settings)
    return Explanation(label, subtitle, tuple(blocks))


def _in_the_chart(trace: Trace | None, node: Constituent, settings: Settings) -> list[ExplanationBlock]:
    """How far a constituent is from the best over its words, and from the edge of the beam."""
    if trace is None:
        return [Paragraph("The chart is being recorded …", True)]
    cell = trace.cell(node.start, node.end)
    if not cell.items:
        return []
    behind = behind_best(trace, node)
    if behind is None:
        return [Paragraph("No such item is in the chart of the best parse: this tree was found otherwise.", True)]
    note = "the best over these words" if behind < 1e-9 else f"{log_text(behind)} behind the best over these words"
    return [Heading("In the chart", Section.CHART), Paragraph(f"It is {note}{_room(trace, node, behind, settings)}.")]


def _room(trace: Trace, node: Constituent, behind: float, settings: Settings) -> str:
    """How much further behind the beam would let a constituent be; nothing where there is no beam."""
    if math.isinf(trace.beam):
        return ""
    if node.end - node.start == 1 and not settings.literal_beam:
        return "; the beam spares single words"
    unary = len(node.children) == 1 and not settings.literal_beam
    slack = math.log(trace.beam) - behind + (settings.unary_slack if unary else 0.0)
    named = f"β = {beam_text(trace.beam)}" + (", with what it gives unary results," if unary else "")
    if slack < 0:
        return f", further than {named} allows, by {log_text(-slack)}"
    return f"; {named} leaves {log_text(slack)} more"


def _vote(parse: Parse, label: str, start: int, end: int) -> list[ExplanationBlock]:
    """What one constituent got of the vote; nothing where there was none, or of what is not in the printed tree."""
    if parse.votes is None or label.endswith(JOINED):
        return []
    text = vote_on(parse.votes, label, start, end).text(parse.sentence.proper_words)
    return [Heading("Vote", Section.VOTE), Paragraph(text)]


def _second_model(context: ParseContext, node: Constituent) -> list[ExplanationBlock]:
    """What the second model says of a constituent, in a line; nothing where it has no say."""
    decisions = [
        factor
        for factor in context.ledger.second_model
        if (subject := subject_of(factor)).head == node.head
        and (subject.start, subject.end) == (node.start, node.end)
        and subject.label == (BASE_NAME if node.is_base else node.label)
    ]
    if not decisions:
        return []
    summed = second_model_sum(decisions)
    text = f"{size(len(decisions), 'decision')}, {sum_text(summed)} of the score; the ledger lists them."
    return [Heading("Second model", Section.SECOND_MODEL), Paragraph(text)]


# What is said of constituents.

_BROKEN = {Cause.COMMA_RULE: PaperReading.COMMA_RULE, Cause.UNARY: PaperReading.UNARY_CHAINS}


def _is_word(context: ParseContext, subject: NodeId) -> bool:
    """Whether a node of the printed tree is a word with its tag."""
    return subject.end - subject.start == 1 and context.tags[subject.start] == subject.label


def _of_node(context: ParseContext, node: Constituent) -> Iterator[PaperReading]:
    parse = context.parse
    yield from of_inside(inside for inside, _, _ in node.inside or ())
    yield from of_labels([node.head_label] if node.head_label == CORE else [])
    yield from of_labels(child.label for child in node.children)
    rules = ConstituentRules(parse.model, parse.settings, parse.sentence)
    yield from (_BROKEN[broken.cause] for broken in rules.broken_by(node) if broken.cause in _BROKEN)
    factor = None if parse.settings.unary_contexts else unary_of(parse, node)
    if factor is not None and isinstance(factor.subject, UnarySubject) and factor.subject.parent:
        yield PaperReading.UNARY_TERM
    if _spared(context.trace, node):
        yield PaperReading.BEAM


def _spared(trace: Trace | None, node: Constituent) -> bool:
    """Whether a constituent is in the chart though the beam as printed would have pruned it."""
    behind = behind_best(trace, node) if trace is not None else None
    return trace is not None and behind is not None and behind > math.log(trace.beam)


def _node_headline(context: ParseContext, it: NodeId) -> Headline:
    """That of a constituent of the search, of a word, or of a bracket that was put in afterwards."""
    node = find_constituent(context.parse, it.start, it.end, it.label)
    if node is not None:
        return constituent_headline(context, node)
    if _is_word(context, it):
        return word_headline(context, it.start)
    return restored_headline(context, it.start, it.end, it.label)


def _readings(context: ParseContext, it: NodeId) -> Iterator[PaperReading]:
    """Those of labels and insides, of rules that a constituent breaks, of its unary, and of the beam."""
    node = find_constituent(context.parse, it.start, it.end, it.label)
    if node is not None:
        yield from _of_node(context, node)
        return
    if _is_word(context, it):
        yield from of_word(context, it.start)
    bracket = (it.label, it.start, it.end)
    yield from of_inside(bracket[0] for base in context.parse.basenps if bracket in base.inside)


TOPICS: Topics = {
    NodeId: Topic[NodeId](
        headline=_node_headline,
        page=_node_page,
        readings=_readings,
        related=lambda parse, it: words_and_cell(it.start, it.end),
        words=lambda parse, it: ((it.start, it.end),) if it.start < it.end else (),
        signs=lambda parse, it: [label_gloss(it.label)],
        forms=("node {label:label} {start:span} at depth {depth:depth}", "node {label:label} {start:span}"),
    )
}
