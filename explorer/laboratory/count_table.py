"""The table of counts: what was counted, how often, and a bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from explorer.document.messages import Messages
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme
from explorer.laboratory.list_matches import WAYS_TO_COUNT, WHOLE_MATCH, ListMatch, counted, values
from explorer.laboratory.match_table import Index
from explorer.tasks.worker import Job, Worker
from explorer.widgets.labels import quiet_label
from explorer.widgets.rows_table import Row, RowsView

VALUE, COUNT, BAR = range(3)
_HEADER = ("value", "count", "")
MOST_ROWS = 2_000
"""Values that are listed; files have all of them."""
_LEAST = 1.5
"""Pixels of the shortest bar."""
_AGAIN_MS = 400
"""How often it is counted anew while a search goes on."""


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


class CountPage(QWidget):
    """Counts matches by what a node of theirs is, in the background.

    Parameters
    ----------
    messages
        Where messages are shown.
    """

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self._messages = messages
        self._matches: Sequence[ListMatch] = ()
        self._worker = Worker("count matches", newest_only=True, parent=self)
        self._later = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._later.timeout.connect(self._count)
        self.table = CountTable()
        self.counted, self.way = QComboBox(), QComboBox()
        self.counted.addItem(WHOLE_MATCH)
        self.way.addItems(WAYS_TO_COUNT)
        self.counted.setAccessibleName("What is counted")
        self.way.setAccessibleName("By what it is counted")
        self.note = quiet_label()
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 12, 2)
        row.setSpacing(8)
        for widget in (QLabel("Count"), self.counted, QLabel("by"), self.way):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)
        for box in (self.counted, self.way):
            box.activated.connect(lambda _: self._count())

    @property
    def busy(self) -> bool:
        """Whether something is being counted."""
        return self._worker.busy or self._later.isActive()

    @property
    def choice(self) -> tuple[str, str]:
        """What is counted, and by what."""
        return self.counted.currentText(), self.way.currentText()

    @property
    def title(self) -> str:
        """What the values are."""
        name, way = self.choice
        return f"{way} of {name}"

    def set_names(self, names: Sequence[str]) -> None:
        """Offer the nodes that the pattern names; the first of them is what one wants to know."""
        offered = [WHOLE_MATCH, *names]
        if offered != [self.counted.itemText(at) for at in range(self.counted.count())]:
            self.counted.clear()
            self.counted.addItems(offered)
            self.counted.setCurrentIndex(min(1, len(names)))

    def count(self, matches: Sequence[ListMatch], at_once: bool = True) -> None:
        """Count some matches; of a list that still grows now and then."""
        self._matches = matches
        if at_once:
            self._count()
        elif not self._later.isActive():
            self._later.start()

    def _count(self) -> None:
        if not self.isVisible():
            return
        matches, until = self._matches, len(self._matches)
        name, way = self.choice

        def work(job: Job) -> list[tuple[str, int]]:
            some = (matches[at] for at in job.in_turns(range(until)))
            return counted(values(some, name, way))

        self._worker.request(work, self._show, self._messages.show_error)

    def _show(self, found: list[tuple[str, int]]) -> None:
        self.table.show_counts(found, self.title)
        more = f", the first {MOST_ROWS:,} listed" if len(found) > MOST_ROWS else ""
        counted_in_all = f"{sum(count for _, count in found):,} counted"
        self.note.setText(f"{counted_in_all}, {size(len(found), 'different value')}{more}" if found else "")
