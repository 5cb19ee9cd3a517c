"""From the id of a thing to its explanation: its headline, what it is, and how the paper was read for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from engine.chart.parse import Cause, ConstituentRules, Parse
from engine.counts.contexts import CLOSING, OPENING
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import FeatureSubject, GenerativeSubject, UnarySubject
from engine.explain.attachments import arrow_headline, pair_headline
from engine.explain.constituents import (
    cell_headline,
    constituent_headline,
    edge_headline,
    item_headline,
    restored_headline,
)
from engine.explain.context import ExplainedParse, ParseList
from engine.explain.factors import (
    decision_headline,
    decisions_headline,
    feature_headline,
    features_headline,
    second_model_headline,
    unary_headline,
)
from engine.explain.paper_readings import PaperReading
from engine.explain.parses import one_what_if_headline, parse_headline, what_if_headline
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    ErrorCellId,
    ErrorId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
)
from engine.explain.wording import Headline
from engine.explain.words import gap_headline, punctuation_headline, tag_headline, word_headline
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED, Constituent
from engine.structure.dependencies import Relation
from engine.structure.distance import MODAL
from explorer.explanations.blocks import END_OF_SECTION, Explanation, ExplanationBlock, Heading, Paragraph, Section
from explorer.explanations.estimates import (
    explain_arrow,
    explain_gap,
    explain_pair,
    explain_tag,
    explain_token,
    explain_word,
    relation_between,
    tags_shown,
    unary_of,
)
from explorer.explanations.parses import (
    behind_best,
    explain_cell,
    explain_constituent_decisions,
    explain_decision,
    explain_edge,
    explain_factor,
    explain_features,
    explain_item,
    explain_node,
    explain_parse,
    explain_second_model,
    explain_what_ifs,
    find_constituent,
)
from explorer.pictures.facts import facts_of
from explorer.session.parsing import ParseResult

# From the id of a thing to its headline: the engine's sentences about it (:mod:`engine.explain`).

TRACING = Headline("The chart is being traced; in a moment this can be explained.")


def explained_parse(result: ParseResult, parse: Parse) -> ExplainedParse:
    """A parse of a result, with the list that it was chosen from and what is forced."""
    # Ledgers that are not at hand yet would be made here, on the GUI thread; log P's own factors are made sooner.
    ledgers = result.ledger if result.has_all_ledgers else None
    return ExplainedParse(
        parse,
        ParseList(result.parse.alternatives, ledgers),
        tagging=result.tagging,
        constraints=result.request.line.what_ifs,
    )


def headline_of(result: ParseResult, parse: Parse, id: Subject | None) -> Headline:
    """What is to be said first about a thing; of nothing, or of what this parse has not, about the parse."""
    return headline_in(result, explained_parse(result, parse), id)


def headline_in(result: ParseResult, explained: ExplainedParse, id: Subject | None) -> Headline:
    """The same where the parse has been made ready for its headlines."""
    return _headline(result, explained, id) or whole_headline(result, explained)


def whole_headline(result: ParseResult, explained: ExplainedParse) -> Headline:
    """The headline of a parse; of the best one under what-ifs that of these."""
    if result.request.line.what_ifs and explained.parse is result.parse:
        return what_if_headline(result.request.line.what_ifs, result.parse, result.free)
    return parse_headline(explained)


def _headline(result: ParseResult, explained: ExplainedParse, id: Subject | None) -> Headline | None:
    parse = explained.parse
    words = len(parse.sentence.positions)
    match id:
        case WordId(position) if position < words:
            return word_headline(explained, position)
        case PunctuationId(token) if token < len(parse.sentence):
            return punctuation_headline(parse, token)
        case TagId(position, tag):
            return tag_headline(explained, position, tag)
        case GapId(position) if 0 < position < words:
            return gap_headline(explained, position)
        case GapTagId(position, letter):
            return gap_headline(explained, position, letter)
        case ArrowId(modifier):
            return arrow_headline(explained, modifier)
        case RootId() if parse.roots:
            return arrow_headline(explained, parse.roots[0].head)
        case MatrixCellId(modifier, head):
            return pair_headline(explained, modifier, head)
        case CandidateId(modifier, head, relation):
            return pair_headline(explained, modifier, head, relation)
        case NodeId(start, end, label):
            return _node(explained, start, end, label)
        case ChartCellId() | EdgeId() | ItemId():
            return _in_chart(result, parse, id)
        case SecondModelId() | DecisionsId() | DecisionId() | FeaturesId() | FactorId():
            return _factor(explained, id)
        case WhatIfId(number):
            return _what_if(result, number) if number < len(result.request.line.what_ifs) else None
        case (
            None | WordId() | PunctuationId() | GapId() | RootId() | VerdictId() | ErrorId() | ErrorCellId() | PointId()
        ):
            # What is compared has pages of its own (`verdict_explanations`).
            return None
        case other:
            assert_never(other)


def _node(explained: ExplainedParse, start: int, end: int, label: str) -> Headline:
    parse = explained.parse
    node = find_constituent(parse, start, end, label)
    if node is not None:
        return constituent_headline(explained, node)
    if end - start == 1 and parse.sentence.proper_tags[start] == label:
        return word_headline(explained, start)
    return restored_headline(explained, start, end, label)


def _in_chart(result: ParseResult, parse: Parse, id: ChartCellId | EdgeId | ItemId) -> Headline:
    trace = result.parse.chart
    if trace is None:
        return TRACING
    match id:
        case ChartCellId(start, end):
            own = facts_of(parse).in_chart
            return cell_headline(parse, trace, start, end, own.item_numbers if own is not None else frozenset())
        case EdgeId(number):
            return edge_headline(parse, trace, number) if 0 <= number < len(trace) else TRACING
        case ItemId(number):
            return item_headline(parse, trace, number)


def _factor(
    explained: ExplainedParse, id: SecondModelId | DecisionsId | DecisionId | FeaturesId | FactorId
) -> Headline | None:
    """What the second model, the features or a unary step say; ``None`` if the parse has no such thing."""
    ledger = explained.ledger
    match id:
        case SecondModelId() if ledger.second_model:
            return second_model_headline(explained)
        case DecisionsId(node):
            decisions = [
                factor
                for factor in ledger.second_model
                if isinstance(factor.subject, GenerativeSubject) and factor.subject.node == node
            ]
            return decisions_headline(explained, decisions) if decisions else None
        case DecisionId(number) if 0 <= number < len(ledger.second_model):
            return decision_headline(explained, ledger.second_model[number])
        case FeaturesId() if ledger.features:
            return features_headline(explained)
        case FactorId(number) if 0 <= number < len(ledger):
            factor = ledger.factors[number]
            match factor.subject:
                case UnarySubject():
                    return unary_headline(explained, factor)
                case FeatureSubject():
                    return feature_headline(explained, factor)
    return None


def _what_if(result: ParseResult, number: int) -> Headline:
    """A what-if; where there are several, what it alone costs while the others stay."""
    what_ifs = result.request.line.what_ifs
    if len(what_ifs) == 1:
        return what_if_headline(what_ifs, result.parse, result.free)
    price = result.prices[number] if number < len(result.prices) else None
    return one_what_if_headline(what_ifs, number, price, result.parse, result.free)


# How the paper was read, where that matters for what is selected: each reading's own sentence, and no other.

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


def readings_of(result: ParseResult, parse: Parse, id: Subject | None) -> Iterator[PaperReading]:
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


# From the id of a thing (:mod:`engine.explain.subjects`) to its explanation.


def explain(result: ParseResult, parse: Parse, id: Subject | None) -> Explanation:
    """Explain what is selected; with nothing selected, or nothing that this parse has, the parse as a whole.

    First comes the headline, which terminal and JSON begin with, too.

    Last comes how the paper was read, where that matters for this very thing; and where counts are shown that are not
    those of the paper, a sentence says so.
    """
    explanation = _explain(result, parse, id)
    blocks = [*explanation.blocks, *reading_blocks(readings_of(result, parse, id))]
    remark = parse.counts_remark
    own = (WordId, PunctuationId, TagId, SecondModelId, DecisionsId, DecisionId, FeaturesId, WhatIfId)
    if remark and not isinstance(id, own):
        blocks += [END_OF_SECTION, Paragraph(remark, quiet=True)]
    return replace(explanation, blocks=tuple(blocks), headline=headline_of(result, parse, id))


def _explain(result: ParseResult, parse: Parse, id: Subject | None) -> Explanation:
    words = len(parse.sentence.positions)
    match id:
        case WordId(position) if position < words:
            return explain_word(result, parse, position)
        case PunctuationId(token) if token < len(parse.sentence):
            return explain_token(parse, token)
        case TagId(position, tag):
            return explain_tag(result, parse, position, tag)
        case GapId(position) if 0 < position < words:
            return explain_gap(result, parse, position)
        case GapTagId(position, letter):
            return explain_gap(result, parse, position, letter)
        case ArrowId(modifier):
            return explain_arrow(result, parse, modifier)
        case RootId() if parse.roots:
            return explain_arrow(result, parse, parse.roots[0].head)
        case MatrixCellId(modifier, head):
            return explain_pair(result, parse, modifier, head)
        case CandidateId(modifier, head, relation):
            return explain_pair(result, parse, modifier, head, relation)
        case NodeId(start, end, label):
            return explain_node(result, parse, start, end, label)
        case ChartCellId(start, end):
            return explain_cell(result, parse, start, end)
        case EdgeId(number):
            return explain_edge(result, parse, number)
        case ItemId(number):
            return explain_item(result, parse, number)
        case SecondModelId():
            return explain_second_model(result, parse) or explain_parse(result, parse)
        case DecisionsId(number):
            return explain_constituent_decisions(result, parse, number) or explain_parse(result, parse)
        case DecisionId(number):
            return explain_decision(result, parse, number) or explain_parse(result, parse)
        case FeaturesId():
            return explain_features(result, parse) or explain_parse(result, parse)
        case FactorId(number):
            return explain_factor(result, parse, number) or explain_parse(result, parse)
        case WhatIfId():
            return explain_what_ifs(result) or explain_parse(result, parse)
        case (
            None | WordId() | PunctuationId() | GapId() | RootId() | VerdictId() | ErrorId() | ErrorCellId() | PointId()
        ):
            return explain_parse(result, parse)
        case other:
            assert_never(other)
