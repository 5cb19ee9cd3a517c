"""The table of counts: what was counted, how often, and a bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem

from explorer.graphics.theme import LIGHT, Theme
from explorer.laboratory.match_table import Index
from explorer.widgets.rows_table import Row, RowsView

VALUE, COUNT, BAR = range(3)
_HEADER = ("value", "count", "")
MOST_ROWS = 2_000
"""Values that are listed; files have all of them."""
_LEAST = 1.5
"""Pixels of the shortest bar."""


class _Bar(QStyledItemDelegate):
    """Paints a count as a bar, the longest as long as there is room."""

    def __init__(self, table: CountTable) -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        counts = self._table.counts
        if index.row() < len(counts):
            room = QRectF(option.rect).adjusted(8, 4, -8, -4)
            share = counts[index.row()][1] / counts[0][1]
            room.setWidth(max(_LEAST, room.width() * share))
            painter.fillRect(room, QColor(self._table.theme.colour("many")))


class CountTable(RowsView):
    """Shows counts, the most frequent first.

    Attributes
    ----------
    counts
        All of them, also those that are not listed.
    """

    def __init__(self) -> None:
        super().__init__(_HEADER, (COUNT,), BAR, "Counts", VALUE)
        self.theme = LIGHT
        self.counts: Sequence[tuple[str, int]] = ()
        self.setItemDelegateForColumn(BAR, _Bar(self))
        self.horizontalHeader().setSectionResizeMode(BAR, QHeaderView.ResizeMode.Stretch)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_counts(self, counts: Sequence[tuple[str, int]], title: str) -> None:
        """Show other counts, under the title of what was counted."""
        self.counts = counts
        self.rows_model.set_header((title, *_HEADER[1:]))
        total = sum(count for _, count in counts)
        self.set_rows(
            [
                Row((value, f"{count:,}", ""), value, tip=f"{value}: {count:,} of {total:,}")
                for value, count in counts[:MOST_ROWS]
            ]
        )

    def set_theme(self, theme: Theme) -> None:
        """Paint the bars in other colours."""
        self.theme = theme
        self.viewport().update()
