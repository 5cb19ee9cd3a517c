"""How the paper was read, where that matters for what is selected: each reading's own sentence, and no other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.analysis.paper_readings import PaperReading
from engine.chart.impossibility import Cause, ConstituentRules
from engine.chart.parse import Parse
from engine.counts.context_features import CLOSING, OPENING
from engine.estimates.explainer import Explainer
from engine.estimates.factor_subjects import UnarySubject
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED, Constituent
from engine.structure.dependencies import Relation
from engine.structure.distance import MODAL
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.constituent_explanations import behind_best, find_constituent
from explorer.explanations.dependency_explanations import relation_between
from explorer.explanations.explanation_blocks import ExplanationBlock, Heading, Paragraph, Section
from explorer.explanations.unary_explanations import unary_of
from explorer.explanations.word_explanations import tags_shown
from explorer.graphics.selection import (
    ArrowId,
    CandidateId,
    EdgeId,
    GapId,
    GapTagId,
    Id,
    ItemId,
    MatrixCellId,
    NodeId,
    RootId,
    TagId,
    WordId,
)

HEADING = "How it follows the paper"
"""The name of the manual's page that has all of them."""
WORTH_TELLING = 0.01
"""P(t|S) from which on it is told of a tag that it was not in the chart."""
_WITHOUT_A_LEVEL = (("E1", "E4"), ("E1",), ("E23",))
"""What section 2.4 mixes where the next level, or any below, has no counts."""
_BROKEN = {Cause.COMMA_RULE: PaperReading.COMMA_RULE, Cause.UNARY: PaperReading.UNARY_CHAINS}


def reading_blocks(readings: Iterable[PaperReading]) -> list[ExplanationBlock]:
    """Readings as the inspector shows them: quietly, each with its section."""
    told = [Paragraph(f"Section {one.section}: {one.fact}", True) for one in dict.fromkeys(readings)]
    return [Heading(HEADING, Section.PAPER), *told] if told else []


def readings_of(result: ParseResult, parse: Parse, id: Id | None) -> Iterator[PaperReading]:
    """Find the readings that matter for what is selected, in the order in which they are to be told."""
    words = len(parse.sentence.positions)
    match id:
        case WordId(position) if position < words:
            yield from _of_word(result, parse, position)
        case TagId(position, tag):
            if _cut(result, parse, position, tag):
                yield PaperReading.TAGS_CUT
        case GapId(position) if 0 < position < words:
            yield from _of_gap(parse, position, parse.gap_tags[position - 1])
        case GapTagId(position, letter):
            yield from _of_gap(parse, position, letter)
        case ArrowId(modifier):
            yield from _of_arrow(parse, modifier)
        case RootId() if parse.roots:
            yield from _of_arrow(parse, parse.roots[0].head)
        case MatrixCellId(modifier, head):
            yield from _of_pair(parse, modifier, head)
        case CandidateId(modifier, head, relation):
            yield from _of_pair(parse, modifier, head, relation)
        case NodeId(start, end, label):
            yield from _of_node(result, parse, start, end, label)
        case EdgeId(number):
            yield from _of_edge(result, number)
        case ItemId(number):
            yield from _of_item(result, number)
        case None:
            yield from _of_parse(result, parse)


def _of_word(result: ParseResult, parse: Parse, position: int) -> Iterator[PaperReading]:
    if parse.sentence.proper_tags[position] in (OPENING, CLOSING):
        yield PaperReading.BRACKETS
    yield from _absorbed(parse, position)
    choices = tags_shown(result, parse.sentence.positions[position])
    if any(chance >= WORTH_TELLING and _cut(result, parse, position, tag) for tag, chance in choices):
        yield PaperReading.TAGS_CUT


def _absorbed(parse: Parse, position: int) -> Iterator[PaperReading]:
    """Tell why no dependency touches a word of a phrase that its baseNP absorbed."""
    for base in parse.basenps:
        if base.start <= position < base.end and position != base.head:
            yield from _kinds(label for label, start, end in base.inside if start <= position < end)


def _kinds(labels: Iterable[str]) -> Iterator[PaperReading]:
    """Tell of what sort the brackets inside a baseNP are: an NP is the possessive that it begins with."""
    for label in labels:
        yield PaperReading.POSSESSIVE if label == BASE_LABEL else PaperReading.ABSORBED


def _cut(result: ParseResult, parse: Parse, position: int, tag: str) -> bool:
    """Whether a tag was not among those that the parser could choose for a word (model 4)."""
    distribution = parse.distribution
    if distribution is None or result.given(parse.sentence.positions[position]):
        return False
    return tag not in dict(distribution.readings(parse.settings.tag_factor)[position])


def _of_gap(parse: Parse, position: int, letter: str) -> Iterator[PaperReading]:
    if parse.explainer().gap(position, letter).used == ("comma",):
        yield PaperReading.GAP_COMMA


def _of_arrow(parse: Parse, modifier: int) -> Iterator[PaperReading]:
    heads = parse.heads()
    if modifier not in heads:
        yield from _absorbed(parse, modifier)
    elif heads[modifier] >= 0:
        yield from _of_pair(parse, modifier, heads[modifier])
    elif not parse.fallback:
        yield from (PaperReading.ROOT, PaperReading.EQUATION_8)


def _of_pair(parse: Parse, modifier: int, head: int, relation: Relation | None = None) -> Iterator[PaperReading]:
    if modifier not in parse.reduced or head not in parse.reduced:
        return
    explainer = parse.explainer()
    tags = parse.sentence.proper_tags
    relation = relation or relation_between(parse, explainer.candidates(modifier, parse.basenps), modifier, head)
    if relation is not None:
        yield from _of_labels(relation)
    if OPENING in (tags[modifier], tags[head]) or CLOSING in (tags[modifier], tags[head]):
        yield PaperReading.BRACKETS
    if not explainer.switches.order_only:
        yield from _of_distance(parse, explainer, modifier, head)
    if relation is not None:
        distance = explainer.ruler(parse.basenps).distance(modifier, head)
        factor = explainer.dependency(modifier, head, relation, distance)
        if factor.used in _WITHOUT_A_LEVEL and parse.settings.ignore_tags:
            yield PaperReading.MISSING_LEVEL


def _of_labels(labels: Iterable[str]) -> Iterator[PaperReading]:
    """Explain the labels that no treebank has: NP&, NPX, NP+."""
    for label in labels:
        if label.endswith(JOINED):
            yield PaperReading.COORDINATION
        elif label == CORE:
            yield PaperReading.CORE
        elif label.endswith(STACKED):
            yield PaperReading.STACKING


def _of_distance(parse: Parse, explainer: Explainer, modifier: int, head: int) -> Iterator[PaperReading]:
    ruler = explainer.ruler(parse.basenps)
    distance = ruler.distance(modifier, head)
    between = (parse.sentence.proper_tags[position] for position in ruler.between(modifier, head))
    if not distance.verb_between and MODAL in between:
        yield PaperReading.VERBS
    if (distance.comma_after_first, distance.comma_before_second) != ruler.commas_beside_words(modifier, head):
        yield PaperReading.COMMAS_BESIDE


def _of_node(result: ParseResult, parse: Parse, start: int, end: int, label: str) -> Iterator[PaperReading]:
    node = find_constituent(parse, start, end, label)
    if node is None:
        if end - start == 1 and parse.sentence.proper_tags[start] == label:
            yield from _of_word(result, parse, start)
        yield from _kinds(label for base in parse.basenps if (label, start, end) in base.inside)
        return
    yield from _kinds(inside for inside, _, _ in node.inside or ())
    yield from _of_labels([node.head_label] if node.head_label == CORE else [])
    yield from _of_labels(child.label for child in node.children)
    rules = ConstituentRules(parse.model, parse.settings, parse.sentence)
    yield from (_BROKEN[broken.cause] for broken in rules.broken_by(node) if broken.cause in _BROKEN)
    factor = None if parse.settings.unary_contexts else unary_of(parse, node)
    if factor is not None and isinstance(factor.subject, UnarySubject) and factor.subject.parent:
        yield PaperReading.UNARY_TERM
    if _spared(result, node):
        yield PaperReading.BEAM


def _spared(result: ParseResult, node: Constituent) -> bool:
    """Whether a constituent is in the chart though the beam as printed would have pruned it."""
    trace = result.parse.chart
    behind = behind_best(trace, node) if trace is not None else None
    return trace is not None and behind is not None and behind > math.log(trace.beam)


def _of_edge(result: ParseResult, number: int) -> Iterator[PaperReading]:
    trace = result.parse.chart
    if trace is None or not 0 <= number < len(trace):
        return
    edge = trace.edge(number)
    if edge.pruning_reason == "comma rule":
        yield PaperReading.COMMA_RULE
    yield from _of_labels([edge.label, *(edge.relation or ())])


def _of_item(result: ParseResult, number: int) -> Iterator[PaperReading]:
    trace = result.parse.chart
    if trace is not None:
        item = trace.item(number)
        yield from _of_labels([item.label, item.head_label])


def _of_parse(result: ParseResult, parse: Parse) -> Iterator[PaperReading]:
    widened = parse.widened
    if widened and not parse.fallback:
        yield PaperReading.BEAM_WIDENED
    if not widened and parse.beam > parse.settings.beam:
        yield PaperReading.LIST_BEAM
    if parse.passes > 1 + widened and not parse.fallback and not parse.further_backoff:
        yield PaperReading.THRESHOLD
    if not parse.settings.lexical:
        yield PaperReading.NO_LEXICAL
