"""Where a long sentence is broken into lines, so that they are about equally full and few things are torn apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

LINE_COST = 1.0
"""What one more line costs, against how unevenly lines are filled."""
LAST_LINE = 0.25
"""How much the emptiness of the last line counts."""

Line = tuple[int, int]
"""First token of a line, and the one after its last."""


def break_lines(edges: Sequence[float], limit: float, costs: Sequence[float]) -> list[Line]:
    """Break columns into lines.

    Parameters
    ----------
    edges
        The n + 1 edges of n columns.
    limit
        How wide a line may be; a column that is wider stands in a line alone.
    costs
        What a break before each column costs; of the first it is not asked.
    """
    count = len(edges) - 1
    best = [0.0] + [math.inf] * count
    begins = [0] * (count + 1)
    for end in range(1, count + 1):
        for start in range(end - 1, -1, -1):
            width = edges[end] - edges[start]
            if width > limit and start < end - 1:
                break
            empty = max(0.0, 1.0 - width / limit) ** 2 * (LAST_LINE if end == count else 1.0)
            cost = best[start] + LINE_COST + empty + (costs[start] if start else 0.0)
            if cost < best[end]:
                best[end], begins[end] = cost, start
    lines: list[Line] = []
    end = count
    while end > 0:
        lines.append((begins[end], end))
        end = begins[end]
    return lines[::-1]
