"""Rectangles, and how far a point is from a line: what drawings are measured with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

Point = tuple[float, float]


class Rect(NamedTuple):
    """A rectangle: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.x <= x <= self.right and self.y <= y <= self.bottom

    def overlaps(self, other: Rect, margin: float = 0.0) -> bool:
        """Whether two rectangles share more than an edge, or come nearer than `margin`."""
        return (
            self.x < other.right + margin
            and other.x < self.right + margin
            and self.y < other.bottom + margin
            and other.y < self.bottom + margin
        )

    def grown(self, by: float) -> Rect:
        """The rectangle with a margin on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        """The rectangle somewhere else."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of these; an empty one if there is none."""
    found = list(rects)
    if not found:
        return Rect(0, 0, 0, 0)
    left, top = min(rect.x for rect in found), min(rect.y for rect in found)
    return Rect(left, top, max(rect.right for rect in found) - left, max(rect.bottom for rect in found) - top)


def distance(x: float, y: float, start: Point, end: Point) -> float:
    """How far a point is from a straight piece of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else max(0.0, min(1.0, ((x - start[0]) * dx + (y - start[1]) * dy) / length))
    return math.hypot(x - start[0] - share * dx, y - start[1] - share * dy)
