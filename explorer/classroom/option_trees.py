"""The trees that a question offers: all in one scale, side by side or one below the other, as is larger."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from engine.chart.parse import Parse
from explorer.appearance.fonts import QtMetrics
from explorer.canvas.painting import Brush
from explorer.graphics.layout.room import Room
from explorer.graphics.pictures.picture_options import TreeOptions
from explorer.graphics.pictures.tree_picture import tree_picture
from explorer.graphics.theme import Theme

TREE_LINES = 11
"""Least height of trees side by side, in lines of type."""
STACKED_LINES = 5
"""The same of trees one below the other: together they need no more."""
MARGIN = 8
_WORTH_IT = 1.05
"""How much larger trees must be one below the other before they are."""
_ROOM = Room(640)
_TYPE = 13
"""Pixels of the type that a picture is laid out in."""


class OptionTree:
    """The small tree of one option.

    Parameters
    ----------
    parse, focus
        What it shows. A long tree is folded but for the words in focus, or it would be too small to be read.
    """

    def __init__(self, parse: Parse, focus: tuple[tuple[int, int], ...]) -> None:
        self._metrics = QtMetrics()
        self._drawing = tree_picture(parse, self._metrics, TreeOptions(focus=focus), room=_ROOM)

    def largest_scale(self, width: float, height: float, text_size: int) -> float:
        """The largest scale in which it fits, and in which its type is not larger than that around it."""
        bounds = self._drawing.view_bounds
        return max(0.0, min(width / bounds.width, height / bounds.height, text_size / _TYPE))

    def paint(self, painter: QPainter, room: QRectF, scale: float, theme: Theme) -> None:
        """Paint it in the middle of its room."""
        bounds = self._drawing.view_bounds
        painter.save()
        painter.translate(room.center().x() - bounds.width * scale / 2, room.center().y() - bounds.height * scale / 2)
        painter.scale(scale, scale)
        painter.translate(-bounds.x, -bounds.y)
        brush = Brush(theme, self._metrics)
        for group in self._drawing.view_groups:
            brush.shapes(painter, group.shapes)
        painter.restore()


def larger_when_stacked(
    trees: Sequence[OptionTree], size: QSize, heads: tuple[int, int], text_size: int, spacing: int
) -> bool:
    """Whether trees are larger one below the other than side by side.

    Where it makes little difference they stand side by side, where they are easier to compare.

    Parameters
    ----------
    size
        The room of all trees.
    heads
        Height of the text above each tree, where they stand side by side and one below the other.
    text_size, spacing
        Height of the type around them, and what is between them, in pixels.
    """
    width, height, count = size.width(), size.height(), len(trees)
    gaps = spacing * (count - 1)
    rooms = (
        ((width - gaps) / count - 2 * MARGIN, height - heads[0] - MARGIN),
        (width - 2 * MARGIN, (height - gaps) / count - heads[1] - MARGIN),
    )
    beside, below = (min(tree.largest_scale(wide, high, text_size) for tree in trees) for wide, high in rooms)
    return below > beside * _WORTH_IT
