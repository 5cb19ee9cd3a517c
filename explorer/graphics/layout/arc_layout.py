"""Where dependency arrows run (the paper's Figure 1(c)).

An arc rises from its modifier, runs level and falls on its head.  Its height is its nesting level, one more than that
of any arc beneath it, whatever its length.  At a word, arcs to the left leave from the left and arcs to the right
from the right, the longest nearest to the middle: then arcs that do not cross as pairs of words do not cross as lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.graphics.drawing import Curve, Point, Segment
from explorer.graphics.selection import Id

ARC_LEVEL = 26.0
"""Height of a level."""
LOWEST_ARC = 24.0
"""Height of the lowest arc over the words."""
ARC_RADIUS = 8.0
BESIDE_PILL = 5.0
"""So much of an arc stays in sight on either side of its pill: the round of its corners."""
PORT = 8.0
"""Distance of two arcs on one word."""
ROUND = 0.5523
"""How far the handles of a quarter of a circle stand out, as a Bézier curve."""


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc to be placed: from word `modifier` to word `head`, −1 being the root above the sentence."""

    modifier: int
    head: int

    @property
    def ends(self) -> tuple[int, int]:
        """The two words from left to right."""
        return (self.modifier, self.head) if self.modifier < self.head else (self.head, self.modifier)


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """Where an arc runs.

    Attributes
    ----------
    arc
        The arc.
    level
        1 for the lowest.
    start, end
        x of the modifier's and the head's end.
    """

    arc: Arc
    level: int
    start: float
    end: float

    @property
    def middle(self) -> float:
        """X of its label."""
        return (self.start + self.end) / 2


def nesting_levels(arcs: Sequence[Arc]) -> list[int]:
    """Level of every arc: one above all arcs that it covers, 1 if it covers none; 0 for arcs to the root."""
    levels = [0] * len(arcs)
    order = sorted((index for index, arc in enumerate(arcs) if arc.head >= 0), key=lambda index: _length(arcs[index]))
    for place, index in enumerate(order):
        low, high = arcs[index].ends
        covered = (
            levels[other] for other in order[:place] if low <= arcs[other].ends[0] and arcs[other].ends[1] <= high
        )
        levels[index] = 1 + max(covered, default=0)
    return levels


def _length(arc: Arc) -> int:
    return abs(arc.modifier - arc.head)


def ports_needed(arcs: Sequence[Arc]) -> dict[int, int]:
    """How many arcs end at each word."""
    count: dict[int, int] = {}
    for arc in arcs:
        for word in (arc.modifier, arc.head):
            if word >= 0:
                count[word] = count.get(word, 0) + 1
    return count


def lay_arcs(arcs: Sequence[Arc], xs: Sequence[float], rooms: Sequence[float]) -> list[PlacedArc]:
    """Place arcs over words.

    Parameters
    ----------
    arcs
        The arcs; an arc to the root rises straight from its word.
    xs
        x of every word's middle.
    rooms
        How wide every word's column is: its ports stay within.
    """
    levels = nesting_levels(arcs)
    at: dict[int, list[tuple[tuple[int, int], int]]] = {}
    for index, arc in enumerate(arcs):
        if arc.head < 0:
            at.setdefault(arc.modifier, []).append(((1, 0), index))
            continue
        low, high = arc.ends
        # From left to right: short arcs leftwards, long ones leftwards, the root, long ones rightwards, short ones.
        at.setdefault(high, []).append(((0, high - low), index))
        at.setdefault(low, []).append(((2, low - high), index))
    ports: dict[tuple[int, int], float] = {}
    for word, ends in at.items():
        ends.sort()
        step = min(PORT, (rooms[word] - 8.0) / max(len(ends) - 1, 1))
        for place, (_, index) in enumerate(ends):
            ports[word, index] = xs[word] + (place - (len(ends) - 1) / 2) * step
    placed = []
    for index, (arc, level) in enumerate(zip(arcs, levels, strict=True)):
        start = ports[arc.modifier, index]
        end = ports[arc.head, index] if arc.head >= 0 else start
        placed.append(PlacedArc(arc, level, start, end))
    return placed


def height_of(level: int) -> float:
    """How high over the words a level runs."""
    return LOWEST_ARC + ARC_LEVEL * (level - 1)


def reach(arcs: Sequence[Arc], levels: Sequence[int]) -> float:
    """How far the highest arc, or the root's arrow with its word, is from the words."""
    highest = max(levels, default=0)
    # The head of the sentence is under no arc: its arrow need only pass those that end at it.
    beside = [
        max((level for other, level in zip(arcs, levels, strict=True) if arc.modifier in other.ends), default=0)
        for arc in arcs
        if arc.head < 0
    ]
    return max([height_of(highest), *(root_height(level) + ARC_LEVEL for level in beside)])


def root_height(level: int) -> float:
    """How far the root's arrow reaches past arcs of this level."""
    return height_of(level + 1) + 12.0


def arc_line(placed: PlacedArc, base: float, sense: float) -> tuple[Point, tuple[Segment, ...]]:
    """Start and segments of an arc from its words at `base`; `sense` −1 upwards, 1 downwards."""
    x1, x2 = placed.start, placed.end
    y = base + sense * height_of(placed.level)
    way = 1.0 if x2 > x1 else -1.0
    r = min(ARC_RADIUS, abs(x2 - x1) / 2)
    handle = r * (1 - ROUND)
    return (x1, base), (
        (x1, y - sense * r),
        (x1, y - sense * handle, x1 + way * handle, y, x1 + way * r, y),
        (x2 - way * r, y),
        (x2 - way * handle, y, x2, y - sense * handle, x2, y - sense * r),
        (x2, base),
    )


def arc_points(placed: PlacedArc, base: float, sense: float) -> tuple[Point, ...]:
    """The corners of an arc, for the mouse."""
    y = base + sense * height_of(placed.level)
    return (placed.start, base), (placed.start, y), (placed.end, y), (placed.end, base)


def arrow_head(x: float, y: float, sense: float, role: str, id: Id | None = None, size: float = 3.5) -> Curve:
    """A small filled triangle whose tip is at (x, y), pointing down if `sense` is 1, up if −1."""
    back = y - sense * size * 1.9
    return Curve((x, y), ((x - size, back), (x + size, back)), "", fill=role, id=id)
