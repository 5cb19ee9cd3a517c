"""Where the cells of the chart stand: a triangle over the ruler, one cell for each span."""

from __future__ import annotations

from explorer.graphics.drawing import Rect
from explorer.graphics.layout.word_columns import WordColumns


def cell_rect(columns: WordColumns, start: int, end: int, base: float, height: float) -> Rect:
    """The cell over words ``start .. end``: in the row of its length, over the middle of its words.

    Its edges lie midway between those of its first and its last word, so that the cells of a row stand edge to edge.

    Parameters
    ----------
    columns
        The ruler.
    start, end
        The span, words counted without punctuation.
    base
        y of the lower edge of the lowest row.
    height
        Height of a row.
    """
    borders = columns.borders
    left = (borders[start] + borders[end - 1]) / 2
    right = (borders[start + 1] + borders[end]) / 2
    return Rect(left, base - (end - start) * height, right - left, height)
