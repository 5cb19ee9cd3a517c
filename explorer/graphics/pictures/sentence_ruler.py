"""The ruler of a sentence: where its words stand in every picture, and how high the tallest of them is.

A sentence that fits into its room in one line has one ruler for all pictures.  Of a longer one each picture has columns
of its own, as narrow as that picture allows, and is wrapped or folded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.chart.parse import Parse
from explorer.graphics.drawing import Metrics
from explorer.graphics.layout.arc_layout import BESIDE_PILL, PORT, Arc, nesting_levels, ports_needed, reach
from explorer.graphics.layout.picture_heights import (
    chart_height,
    gaps_height,
    matrix_height,
    parse_height,
)
from explorer.graphics.layout.tree_layout import PlacedNode
from explorer.graphics.layout.word_columns import PICTURE_MARGIN, WordColumns, lay_columns
from explorer.graphics.pictures.parse_facts import Facts, facts_of
from explorer.graphics.pictures.sheet import pill_width, triple

ROW_NAMES = 8.0
"""From the names of a matrix's rows to the rows."""
ROWS_ARE = "modifier ↓"
"""What the rows are, over their names."""
WIDEST_NAME = 88.0
"""A longer name of a row is cut off: it stands in the row's own column as well."""
BRACKET = 8.0
"""Room for a square bracket beside a word."""


def columns_of(parse: Parse, metrics: Metrics, *others: Parse) -> WordColumns:
    """The ruler of a sentence: wide enough for every picture of this parse, and of other parses of the sentence."""
    facts = facts_of(parse)
    spans: list[tuple[int, int, float]] = []
    links: list[tuple[int, int, float]] = []
    highest = gaps_height()
    for one in (parse, *others):
        known = facts_of(one)
        root = known.tree_nodes()
        arcs = [Arc(modifier, head) for modifier, head, _ in known.attachments]
        _demand_labels(root, metrics, spans)
        _demand_pills(known, arcs, metrics, spans, links)
        tree_and_arrows = parse_height(_levels(root), reach(arcs, nesting_levels(arcs)))
        highest = max(highest, tree_and_arrows, matrix_height(len(known.reduced)))
    # Beside the ruler there is room for the names of the matrix's rows.
    names = max((metrics.width(facts.words[position], "label-bold") for position in facts.reduced), default=0.0)
    names = max(min(names, WIDEST_NAME), metrics.width(ROWS_ARE, "small"))
    columns = lay_columns(_needs(facts, metrics), facts.positions, spans, links)
    margins = (ROW_NAMES + names + PICTURE_MARGIN, PICTURE_MARGIN)
    tallest = max(highest, chart_height(len(facts.words))) + 2 * PICTURE_MARGIN
    return replace(columns, margins=margins, tallest=tallest)


def narrow_columns(facts: Facts, metrics: Metrics, needs: Mapping[int, float] | None = None) -> WordColumns:
    """Columns that are wide enough for words and tags, and for what else some tokens need."""
    widths = _needs(facts, metrics)
    for token, width in (needs or {}).items():
        widths[token] = max(widths[token], width)
    return lay_columns(widths, facts.positions)


def arrow_columns(metrics: Metrics, *several: Facts) -> WordColumns:
    """Columns that are wide enough for words, tags and the arrows of one or several parses of a sentence."""
    spans: list[tuple[int, int, float]] = []
    links: list[tuple[int, int, float]] = []
    for facts in several:
        arcs = [Arc(modifier, head) for modifier, head, _ in facts.attachments]
        _demand_pills(facts, arcs, metrics, spans, links)
    return lay_columns(_needs(several[0], metrics), several[0].positions, spans, links)


def _needs(facts: Facts, metrics: Metrics) -> list[float]:
    """How wide each token with its tag is, and the brackets beside it."""
    needs = []
    for token, (word, tag) in enumerate(zip(facts.tokens, facts.token_tags, strict=True)):
        if token in facts.position_of:
            base = facts.base_of.get(facts.position_of[token])
            at = facts.position_of[token]
            ends = (base.start == at) + (base.end == at + 1) if base is not None else 0
            needs.append(max(metrics.width(word, "word-bold") + BRACKET * ends, metrics.width(tag, "tag")))
        else:
            needs.append(metrics.width(word, "word"))
    return needs


def _demand_labels(root: PlacedNode, metrics: Metrics, spans: list[tuple[int, int, float]]) -> None:
    """What the labels of the tree ask of the columns."""
    for node in root.walk():
        spans.append((node.start, node.end, metrics.width(node.label, "label-bold") + 12.0))


def _demand_pills(
    facts: Facts,
    arcs: list[Arc],
    metrics: Metrics,
    spans: list[tuple[int, int, float]],
    links: list[tuple[int, int, float]],
) -> None:
    """What the ends and the pills of the arrows ask of the columns."""
    count = ports_needed(arcs)
    tokens = facts.positions
    for position, ports in count.items():
        spans.append((tokens[position], tokens[position] + 1, ports * PORT + 8.0))
    for arc, (_, _, relation) in zip(arcs, facts.attachments, strict=True):
        width = pill_width(triple(relation), metrics)
        if arc.head < 0:
            # It leads straight to the word "root".
            width = max(width, metrics.width("root", "tag")) + (count[arc.modifier] - 1) * PORT
            spans.append((tokens[arc.modifier], tokens[arc.modifier] + 1, width))
            continue
        inset = sum((count[word] - 1) / 2 * PORT for word in (arc.modifier, arc.head))
        links.append((tokens[arc.modifier], tokens[arc.head], width + 2 * BESIDE_PILL + inset))


def _levels(root: PlacedNode) -> int:
    """How many levels a tree has, that of the words included."""
    depth: dict[int, int] = {}
    for node in reversed(list(root.walk())):
        depth[id(node)] = 1 + max((depth[id(child)] for child in node.children), default=0)
    return depth[id(root)]
