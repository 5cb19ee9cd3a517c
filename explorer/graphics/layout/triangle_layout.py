"""Where the cells of the chart stand: a triangle over the ruler, one cell for each span."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.graphics.drawing import Rect


def cell_rect(borders: Sequence[float], start: int, end: int, base: float, height: float) -> Rect:
    """The cell over words ``start .. end``: in the row of its length, over the middle of its words.

    Its edges lie midway between those of its first and its last word, so that the cells of a row stand edge to edge.

    Parameters
    ----------
    borders
        Where each word, or folded constituent, begins on the ruler, and where the last one ends.
    start, end
        The span, words and folded constituents counted without punctuation.
    base
        y of the lower edge of the lowest row.
    height
        Height of a row.
    """
    left = (borders[start] + borders[end - 1]) / 2
    right = (borders[start + 1] + borders[end]) / 2
    return Rect(left, base - (end - start) * height, right - left, height)
