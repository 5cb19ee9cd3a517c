"""Glosses of what a picture shows: of one thing in it, and of all signs in it as a list for its text twin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from engine.chart.parse import Parse
from engine.chart.trace import Trace
from explorer.explanations.glosses import Gloss, gap_gloss, label_gloss, relation_gloss, symbol_gloss, tag_gloss
from explorer.graphics.drawing import Drawing
from explorer.graphics.pictures.parse_facts import Facts, facts_of
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

_GLOSSARY = "What the signs mean"


def glosses_of(parse: Parse, id: Id) -> list[Gloss]:
    """What the signs at a thing of a picture mean, the most telling one first."""
    facts = facts_of(parse)
    found: Gloss | None = None
    match id:
        case WordId(position) if position < len(facts.tags):
            found = tag_gloss(facts.tags[position])
        case PunctuationId(token) if token < len(facts.token_tags):
            found = tag_gloss(facts.token_tags[token])
        case TagId(_, tag):
            found = tag_gloss(tag)
        case GapId(position) if 0 < position < len(facts.words):
            found = gap_gloss(facts.gap_tags[position - 1])
        case GapTagId(_, letter):
            found = gap_gloss(letter)
        case ArrowId(modifier):
            found = next((relation_gloss(one[2]) for one in facts.attachments if one[0] == modifier), None)
        case CandidateId(_, _, relation):
            found = relation_gloss(relation)
        case MatrixCellId():
            found = symbol_gloss("F̂")
        case RootId():
            found = symbol_gloss("root")
        case NodeId(_, _, label):
            found = label_gloss(label)
        case ChartCellId() | EdgeId() | ItemId():
            return _in_chart(facts.trace, id)
        case WordId() | PunctuationId() | GapId():
            # What is gone with the sentence before.
            pass
        case SecondModelId() | DecisionsId() | DecisionId() | FeaturesId() | FactorId() | WhatIfId():
            pass
        case VerdictId() | ErrorId() | ErrorCellId() | PointId():
            # Tables show them, whose cells have glosses of their own.
            pass
        case other:
            assert_never(other)
    return [found] if found is not None else []


def _in_chart(trace: Trace | None, id: ChartCellId | EdgeId | ItemId) -> list[Gloss]:
    """The label of a chart item, of an edge together with its relation, or of the best item of a cell."""
    found: list[Gloss | None] = []
    match id:
        case ChartCellId(start, end) if trace is not None:
            found = [label_gloss(item.label) for item in trace.cell(start, end).items[:1]]
        case EdgeId(number) if trace is not None and 0 <= number < len(trace):
            edge = trace.edge(number)
            found = [label_gloss(edge.label), relation_gloss(edge.relation) if edge.relation is not None else None]
        case ItemId(number) if trace is not None:
            found = [label_gloss(trace.item(number).label)]
    return [gloss for gloss in found if gloss is not None]


def glossary(parse: Parse) -> list[Gloss]:
    """The signs that the pictures of a parse show, in the order of the sentence, then of the tree."""
    facts = facts_of(parse)
    tags = (tag_gloss(tag) for tag in facts.token_tags)
    labels = (label_gloss(label) for label in _labels(facts))
    gaps = (gap_gloss(letter) for letter in facts.gap_tags)
    return list(dict.fromkeys(gloss for gloss in (*tags, *labels, *gaps) if gloss is not None))


def _labels(facts: Facts) -> Iterable[str]:
    nodes = [facts.tree]
    for node in nodes:
        if node.children:
            yield node.label
            nodes.extend(node.children)


def with_glossary(drawing: Drawing, parse: Parse) -> Drawing:
    """The same picture; its text twin ends with what the signs in it mean."""

    def twin() -> str:
        lines = [str(gloss) for gloss in glossary(parse)]
        return "\n".join([drawing.text_twin, "", _GLOSSARY, *(f"  {line}" for line in lines)])

    return replace(drawing, twin=twin)
