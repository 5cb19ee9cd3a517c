"""From the id of a thing (:mod:`explorer.graphics.selection`) to its explanation."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.chart.parse import Parse
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.constituent_explanations import (
    explain_cell,
    explain_edge,
    explain_item,
    explain_node,
)
from explorer.explanations.dependency_explanations import explain_arrow, explain_pair
from explorer.explanations.explanation_blocks import END_OF_SECTION, Explanation, Paragraph
from explorer.explanations.factor_explanations import explain_factor, explain_features, explain_what_ifs
from explorer.explanations.headlines import headline_of
from explorer.explanations.parse_explanations import explain_parse
from explorer.explanations.reading_remarks import reading_blocks, readings_of
from explorer.explanations.second_model_explanations import (
    explain_constituent_decisions,
    explain_decision,
    explain_second_model,
)
from explorer.explanations.word_explanations import explain_gap, explain_tag, explain_token, explain_word
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


def explain(result: ParseResult, parse: Parse, id: Id | None) -> Explanation:
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


def _explain(result: ParseResult, parse: Parse, id: Id | None) -> Explanation:
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
