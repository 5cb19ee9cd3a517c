"""From the id of a thing to its headline: the engine's sentences about it (:mod:`engine.analysis.headlines`)."""

from __future__ import annotations

from typing import assert_never

from engine.analysis.headlines import (
    ExplainedParse,
    Headline,
    ParseList,
    arrow_headline,
    cell_headline,
    constituent_headline,
    decision_headline,
    decisions_headline,
    edge_headline,
    feature_headline,
    features_headline,
    gap_headline,
    item_headline,
    one_what_if_headline,
    pair_headline,
    parse_headline,
    punctuation_headline,
    restored_headline,
    second_model_headline,
    tag_headline,
    unary_headline,
    what_if_headline,
    word_headline,
)
from engine.chart.parse import Parse
from engine.estimates.factor_subjects import FeatureSubject, GenerativeSubject, UnarySubject
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.constituent_explanations import find_constituent
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import (
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
    Id,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
)

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


def headline_of(result: ParseResult, parse: Parse, id: Id | None) -> Headline:
    """What is to be said first about a thing; of nothing, or of what this parse has not, about the parse."""
    return headline_in(result, explained_parse(result, parse), id)


def headline_in(result: ParseResult, explained: ExplainedParse, id: Id | None) -> Headline:
    """The same where the parse has been made ready for its headlines."""
    return _headline(result, explained, id) or whole_headline(result, explained)


def whole_headline(result: ParseResult, explained: ExplainedParse) -> Headline:
    """The headline of a parse; of the best one under what-ifs that of these."""
    if result.request.line.what_ifs and explained.parse is result.parse:
        return what_if_headline(result.request.line.what_ifs, result.parse, result.free)
    return parse_headline(explained)


def _headline(result: ParseResult, explained: ExplainedParse, id: Id | None) -> Headline | None:
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
