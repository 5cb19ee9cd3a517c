"""Labels do not overlap, arcs nest without crossing, words keep their place."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.pictures.drawing import Rect
from explorer.pictures.layout import (
    BESIDE_PILL,
    GRID,
    PORT,
    Arc,
    PlacedArc,
    PlacedNode,
    WordColumns,
    branch_line,
    height_of,
    lay_arcs,
    lay_columns,
    lay_tree,
    nesting_levels,
    ports_needed,
)
from explorer.pictures.sheet import PILL_HEIGHT, pill_width
from explorer.pictures.triangle import cell_rect
from tests.explorer.random_trees import arcs_of, random_tree
from tests.explorer.table_metrics import TableMetrics

METRICS = TableMetrics()
TREES = 500
MANY = 1000
"""A test over random trees has compared at least so many pairs of things, or it has shown nothing."""


def columns_for(root: PlacedNode, words: list[str], arcs: list[Arc], pills: list[str]) -> WordColumns:
    """The ruler as the pictures make it."""
    needs = [METRICS.width(word, "word-bold") for word in words]
    spans = [(node.start, node.end, METRICS.width(node.label, "label-bold") + 12) for node in root.walk()]
    count = ports_needed(arcs)
    spans += [(word, word + 1, ports * PORT + 8) for word, ports in count.items()]
    links = [
        (
            arc.modifier,
            arc.head,
            pill_width(pill, METRICS) + 2 * BESIDE_PILL + sum((count[w] - 1) / 2 * PORT for w in arc.ends),
        )
        for arc, pill in zip(arcs, pills, strict=True)
        if arc.head >= 0
    ]
    return lay_columns(needs, range(len(words)), spans, links)


def polyline(placed: PlacedArc) -> list[tuple[float, float, float, float]]:
    """The three straight pieces of an arc."""
    y = height_of(placed.level)
    return [
        (placed.start, 0, placed.start, y),
        (placed.start, y, placed.end, y),
        (placed.end, y, placed.end, 0),
    ]


def cross(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Whether a horizontal and a vertical piece meet."""
    if (one[1] == one[3]) == (other[1] == other[3]):
        if one[1] == one[3]:  # both level: they meet if they overlap at one height
            low, high = (
                max(min(one[0], one[2]), min(other[0], other[2])),
                min(max(one[0], one[2]), max(other[0], other[2])),
            )
            return one[1] == other[1] and low < high
        return one[0] == other[0]
    level, upright = (one, other) if one[1] == one[3] else (other, one)
    left, right = sorted((level[0], level[2]))
    low, high = sorted((upright[1], upright[3]))
    return left <= upright[0] <= right and low <= level[1] <= high


@pytest.mark.parametrize("compact", [False, True])
def test_no_two_labels_of_a_tree_overlap(compact: bool) -> None:
    compared = 0
    for seed in range(TREES):
        root, words = random_tree(seed)
        columns = columns_for(root, words, [], [])
        for node in root.walk():
            node.width = METRICS.width(node.label, "label-bold")
        layout = lay_tree(root, columns, compact)
        by_level: dict[int, list[Rect]] = {}
        for node in layout.root.walk():
            rect = Rect(node.x - node.width / 2, 0, node.width, 1)
            assert columns.edges[node.start] <= rect.x and rect.right <= columns.edges[node.end]
            by_level.setdefault(node.level, []).append(rect)
        for rects in by_level.values():
            rects.sort()
            for left, right in itertools.pairwise(rects):
                assert left.right + 4 <= right.x, f"tree {seed}"
                compared += 1
    assert compared > MANY


@pytest.mark.parametrize("compact", [False, True])
def test_branches_cross_no_label_and_lead_down(compact: bool) -> None:
    compared = 0
    for seed in range(0, TREES, 5):
        root, words = random_tree(seed)
        columns = columns_for(root, words, [], [])
        for node in root.walk():
            node.width = METRICS.width(node.label, "label-bold")
        layout = lay_tree(root, columns, compact)
        levels = {node.level for node in root.walk()}
        y_of = {level: -40.0 * level for level in range(min(levels) - 1, layout.levels)}
        labels = [(node, Rect(node.x - node.width / 2, y_of[node.level] - 11, node.width, 13)) for node in root.walk()]
        for branch in layout.branches():
            assert branch.child.level < branch.parent.level
            start, segments = branch_line(branch, y_of, 13, 5)
            points = [start, *((segment[-2], segment[-1]) for segment in segments)]
            for (x1, y1), (x2, y2) in itertools.pairwise(points):
                piece = Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))
                for node, label in labels:
                    assert not piece.overlaps(label), f"tree {seed}: {branch.child.label} runs through {node.label}"
                    compared += 1
    assert compared > MANY


def test_parents_stand_over_their_children() -> None:
    root, words = random_tree(7)
    columns = columns_for(root, words, [], [])
    lay_tree(root, columns)
    parents = [node for node in root.walk() if node.children]
    assert len(parents) > 5
    for node in parents:
        # Widths are nought here, so nothing pushes a label aside.
        assert math.isclose(node.x, (node.children[0].x + node.children[-1].x) / 2)


def test_arcs_nest_without_crossing_and_pills_do_not_collide() -> None:
    compared = 0
    for seed in range(TREES):
        root, words = random_tree(seed)
        arcs = arcs_of(root)
        pills = ["SBAR,VP,VBD"] * len(arcs)
        columns = columns_for(root, words, arcs, pills)
        xs = [columns.x(position) for position in range(len(words))]
        rooms = [columns.right(position) - columns.left(position) for position in range(len(words))]
        placed = [one for one in lay_arcs(arcs, xs, rooms) if one.arc.head >= 0]
        for one, other in itertools.combinations(placed, 2):
            for piece in polyline(one):
                for against in polyline(other):
                    assert not cross(piece, against), f"tree {seed}: {one.arc} and {other.arc}"
        rects = []
        for one in placed:
            width = pill_width("SBAR,VP,VBD", METRICS)
            rect = Rect(one.middle - width / 2, height_of(one.level) - PILL_HEIGHT / 2, width, PILL_HEIGHT)
            assert min(one.start, one.end) <= rect.x and rect.right <= max(one.start, one.end), f"tree {seed}"
            rects.append(rect)
        for first, second in itertools.combinations(rects, 2):
            assert not first.overlaps(second), f"tree {seed}"
            compared += 1
    assert compared > MANY


def test_the_root_arrow_is_under_no_arc() -> None:
    compared = 0
    for seed in range(0, TREES, 10):
        arcs = arcs_of(random_tree(seed)[0])
        [top] = [arc.modifier for arc in arcs if arc.head < 0]
        others = [arc for arc in arcs if arc.head >= 0]
        assert all(not arc.ends[0] < top < arc.ends[1] for arc in others)
        compared += len(others)
    assert compared > MANY


def test_short_arcs_keep_a_height_and_long_ones_are_no_higher_than_their_nesting() -> None:
    arcs = [Arc(0, 1), Arc(9, 1), Arc(5, 9), Arc(1, -1)]
    assert nesting_levels(arcs) == [1, 2, 1, 0]
    assert height_of(1) >= 20


@given(st.lists(st.floats(0, 300), min_size=1, max_size=40), st.data())
def test_columns_are_wide_enough_for_all_that_is_asked(needs: list[float], data: st.DataObject) -> None:
    size = len(needs)
    words = sorted(data.draw(st.sets(st.integers(0, size - 1))))
    spans = [
        (start, data.draw(st.integers(start + 1, size)), data.draw(st.floats(0, 500)))
        for start in data.draw(st.lists(st.integers(0, size - 1), max_size=5))
    ]
    links = [
        (first, second, data.draw(st.floats(0, 500)))
        for first, second in data.draw(
            st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=5)
        )
        if first != second
    ]
    columns = lay_columns(needs, words, spans, links)
    for token, need in enumerate(needs):
        assert columns.edges[token + 1] - columns.edges[token] >= need
    for start, end, width in spans:
        assert columns.edges[end] - columns.edges[start] >= width - 1e-6
    for first, second, distance in links:
        assert abs(columns.token_x(first) - columns.token_x(second)) >= distance - 1e-6
    assert all(math.isclose(edge % GRID, 0, abs_tol=1e-6) for edge in columns.edges)
    # And no column is wider than it must be: a step narrower, something would want for room.
    bare = lay_columns(needs, words)
    for token in range(size):
        width, least = (ruler.edges[token + 1] - ruler.edges[token] for ruler in (columns, bare))
        tight = width <= least
        for start, end, wanted in spans:
            if start <= token < end:
                tight |= columns.edges[end] - columns.edges[start] - GRID < wanted
        for first, second, distance in links:
            low, high = sorted((first, second))
            if low <= token <= high:
                step = GRID if low < token < high else GRID / 2
                tight |= columns.token_x(high) - columns.token_x(low) - step < distance
        assert tight, token


def test_cells_of_a_row_stand_edge_to_edge_over_their_words() -> None:
    columns = lay_columns([30, 5, 60, 10, 44], [0, 2, 3, 4])
    for length in range(1, 5):
        cells = [cell_rect(columns.borders, start, start + length, 0, 20) for start in range(4 - length + 1)]
        assert len(cells) == 5 - length
        for left, right in itertools.pairwise(cells):
            assert math.isclose(left.right, right.x)
        assert all(math.isclose(cell.bottom, -20 * (length - 1)) for cell in cells)
    whole = cell_rect(columns.borders, 0, 4, 0, 20)
    assert columns.left(0) < whole.x and whole.right < columns.right(3)
