"""Pictures of a row of words, broken into lines like music."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from explorer.graphics.drawing import Rect, Region, Shape, union
from explorer.graphics.layout.line_breaks import Line, break_lines
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.pictures.parse_facts import Facts
from explorer.graphics.pictures.sheet import Sheet, shape_rect, shifted

LINE_GAP = 28.0
"""Space between two lines."""
_TORN_BASE = 8.0
_MARK_FIRST = 4.0
_TORN_ARROW = 0.05
"""What it costs to break a line inside a baseNP, before a mark, and under an arrow."""


def lines_of(facts: Facts, columns: WordColumns, limit: float) -> list[Line]:
    """The lines of a sentence: no wider than the limit, no baseNP torn, no mark first, few arrows cut."""
    costs = [0.0] * len(facts.tokens)
    for base in facts.basenps:
        for position in range(base.start + 1, base.end):
            costs[facts.positions[position]] += _TORN_BASE
    for token in range(len(facts.tokens)):
        if token not in facts.position_of:
            costs[token] += _MARK_FIRST
    for modifier, head, _ in facts.attachments:
        if head >= 0:
            low, high = sorted((facts.positions[modifier], facts.positions[head]))
            for token in range(low + 1, high + 1):
                costs[token] += _TORN_ARROW
    return break_lines(columns.edges, limit, costs)


def wrap(sheet: Sheet, facts: Facts, columns: WordColumns, room: Room, beyond: float = 0.0) -> float:
    """Break a sheet that was drawn in one line into several; the y where the last one ends.

    What is drawn in a gap may reach `beyond` the end of its line.

    Every shape belongs to the line of the column in whose middle it stands; what stands between two lines, as a gap
    does, belongs to the first of them.
    """
    lines = lines_of(facts, columns, room.inner_width - beyond)
    ends = [columns.edges[end] for _, end in lines]

    def line_at(rect: Rect) -> int:
        return min(bisect_left(ends, rect.centre[0] - 0.01), len(lines) - 1)

    shapes: list[list[Shape]] = [[] for _ in lines]
    regions: list[list[Region]] = [[] for _ in lines]
    for shape in sheet.shapes:
        shapes[line_at(shape_rect(shape, sheet.metrics))].append(shape)
    for region in sheet.regions:
        regions[line_at(region.bounds)].append(region)
    rects = [union(shape_rect(shape, sheet.metrics) for shape in line) for line in shapes]
    drops = _drops(rects)
    sheet.shapes[:] = [
        shifted(shape, -columns.edges[start], drop)
        for (start, _), drop, line in zip(lines, drops, shapes, strict=True)
        for shape in line
    ]
    sheet.regions[:] = [
        moved_region(region, -columns.edges[start], drop)
        for (start, _), drop, line in zip(lines, drops, regions, strict=True)
        for region in line
    ]
    return rects[-1].bottom + drops[-1]


def _drops(rects: Sequence[Rect]) -> list[float]:
    """How far each line is moved down to stand below the one before."""
    drops = [0.0]
    for above, below in pairwise(rects):
        drops.append(drops[-1] + round(above.bottom + LINE_GAP - below.y))
    return drops


def moved_region(region: Region, dx: float, dy: float) -> Region:
    """Put a region somewhere else."""
    tint = region.tint.moved(dx, dy) if region.tint is not None else None
    line = tuple((x + dx, y + dy) for x, y in region.line)
    return region.moved_to(region.bounds.moved(dx, dy), line, tint)


def narrowed(columns: WordColumns, line: Line) -> WordColumns:
    """The columns of one line, which begins at 0; those of other lines have no width."""
    start, end = line
    first = columns.edges[start]
    edges = tuple(min(max(edge, first), columns.edges[end]) - first for edge in columns.edges)
    return replace(columns, edges=edges, middles=tuple(middle - first for middle in columns.middles))
