"""The ruler of a sentence: where its words stand in every picture, and how high the tallest of them is.

A sentence that fits into its room in one line has one ruler for all pictures.  Of a longer one each picture has columns
of its own, as narrow as that picture allows, and is wrapped or folded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from explorer.pictures.drawing import Metrics
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.layout import (
    BESIDE_PILL,
    PADDING,
    PICTURE_MARGIN,
    PORT,
    ROOMY,
    Arc,
    PlacedNode,
    Room,
    Spacing,
    WordColumns,
    chart_height,
    fitting_columns,
    gaps_height,
    lay_arcs,
    lay_close_columns,
    lay_columns,
    matrix_height,
    nesting_levels,
    parse_height,
    ports_needed,
    reach,
)
from explorer.pictures.sheet import pill_width, triple

ROW_NAMES = 8.0
"""From the names of a matrix's rows to the rows."""
ROWS_ARE = "modifier ↓"
"""What the rows are, over their names."""
WIDEST_NAME = 88.0
"""A longer name of a row is cut off: it stands in the row's own column as well."""
BRACKET = 8.0
"""Room for a square bracket beside a word."""


def columns_of(parse: Parse, metrics: Metrics, *others: Parse) -> WordColumns:
    """Return the ruler of a sentence: wide enough for every picture of this parse, and of
    other parses of the sentence.
    """
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


def columns_within(
    parse: Parse,
    metrics: Metrics,
    columns: WordColumns | None,
    room: Room,
    needs: Callable[[], Mapping[int, float]] = dict,
) -> tuple[WordColumns, bool]:
    """Return the sentence's columns where the room holds them, else narrow ones; and whether these are the narrow ones.

    Parameters
    ----------
    columns
        The sentence's, if they are at hand.
    needs
        Tells what some tokens need in narrow columns, beside words and tags.
    """
    columns = columns or columns_of(parse, metrics)
    if room.holds(columns):
        return columns, False
    return narrow_columns(facts_of(parse), metrics, needs()), True


def arrow_columns(metrics: Metrics, *several: Facts) -> WordColumns:
    """Columns that are wide enough for words, tags and the arrows of one or several parses of a sentence."""
    return _own_columns(metrics, several, ROOMY, tree=False, arrows=True)


def line_columns(
    metrics: Metrics, width: float, *several: Facts, tree: bool = False, arrows: bool = False
) -> WordColumns | None:
    """Columns for trees, arrows or both over one row of words, no wider than this; ``None`` where that cannot be."""
    return fitting_columns(lambda spacing: _own_columns(metrics, several, spacing, tree, arrows), width)


def _own_columns(metrics: Metrics, several: Sequence[Facts], spacing: Spacing, tree: bool, arrows: bool) -> WordColumns:
    """Columns for the trees or arrows of parses of a sentence, and for nothing else."""
    first = several[0]
    sides = _sides(first, metrics, spacing)
    spans: list[tuple[int, int, float]] = []
    links: list[tuple[int, int, float]] = []
    for facts in several:
        if tree:
            _demand_labels(facts.tree_nodes(), metrics, spans, spacing.word)
        if not arrows:
            continue
        arcs = [Arc(modifier, head) for modifier, head, _ in facts.attachments]
        count = ports_needed(arcs)
        # How far to the right of the middles of their words the arcs end.
        placed = lay_arcs(arcs, [0.0] * len(facts.words), [math.inf] * len(facts.words))
        for arc, (modifier, head, relation) in zip(placed, facts.attachments, strict=True):
            token, width = facts.positions[modifier], pill_width(triple(relation), metrics)
            if head >= 0:
                inset = (arc.start - arc.end) * (1 if modifier < head else -1)
                links.append((token, facts.positions[head], width + 2 * spacing.beside_pill + inset))
                continue
            # It leads straight to the word "root".
            half = (max(width, metrics.width("root", "tag")) + spacing.mark) / 2
            left, right = sides[token]
            sides[token] = max(left, half - arc.start), max(right, half + arc.start)
        for position, ports in count.items():
            left, right = sides[facts.positions[position]]
            half = (ports - 1) / 2 * PORT + 4.0
            sides[facts.positions[position]] = max(left, half), max(right, half)
    return lay_close_columns(sides, first.positions, spans, links)


def _needs(facts: Facts, metrics: Metrics) -> list[float]:
    """Return how wide each token with its tag is, and the brackets beside it."""
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


def _sides(facts: Facts, metrics: Metrics, spacing: Spacing) -> list[tuple[float, float]]:
    """Return how much room each token needs to the left and to the right of its middle."""
    sides = []
    for token, (word, tag) in enumerate(zip(facts.tokens, facts.token_tags, strict=True)):
        position = facts.position_of.get(token)
        if position is None:
            half = (metrics.width(word, "word") + spacing.mark) / 2
            sides.append((half, half))
            continue
        base = facts.base_of.get(position)
        brackets = (base.start == position, base.end == position + 1) if base is not None else (False, False)
        bold = base is not None and base.head == position
        half, least = metrics.width(word, "word-bold" if bold else "word") / 2, metrics.width(tag, "tag") / 2
        left, right = (max(half + BRACKET * bracket, least) + spacing.word / 2 for bracket in brackets)
        sides.append((left, right))
    return sides


def _demand_labels(
    root: PlacedNode, metrics: Metrics, spans: list[tuple[int, int, float]], space: float = PADDING
) -> None:
    """What the labels of the tree ask of the columns."""
    for node in root.walk():
        spans.append((node.start, node.end, metrics.width(node.label, "label-bold") + space))


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
    """Return how many levels a tree has, that of the words included."""
    depth: dict[int, int] = {}
    for node in reversed(list(root.walk())):
        depth[id(node)] = 1 + max((depth[id(child)] for child in node.children), default=0)
    return depth[id(root)]
