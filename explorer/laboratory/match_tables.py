"""Matches as a concordance, and counts of them as a table with bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.common.markup import no_markup
from engine.common.numbers import size
from explorer.kit.controls import quiet_label
from explorer.kit.messages import Messages
from explorer.kit.tables import HintTable, Row, RowsView
from explorer.kit.tasks import Job, Worker
from explorer.laboratory.search import WAYS_TO_COUNT, WHOLE_MATCH, ListMatch, counted, values
from explorer.pictures.theme import LIGHT, Theme

# The table of matches as a concordance: the match in the middle, its context on either side.

Index = QModelIndex | QPersistentModelIndex
NUMBER, BEFORE, MATCH, AFTER, NAMED = range(5)
_TITLES = ("sentence", "before", "match", "after", "named in the pattern")
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_ALIGNMENT = {
    NUMBER: int(Qt.AlignmentFlag.AlignRight | _MIDDLE),
    BEFORE: int(Qt.AlignmentFlag.AlignRight | _MIDDLE),
}
_LEFT = int(Qt.AlignmentFlag.AlignLeft | _MIDDLE)
_SHARES = {BEFORE: 0.28, MATCH: 0.24, AFTER: 0.24, NAMED: 0.24}
"""What each column has of the width beside the numbers."""
_NUMBER_PADDING = 28


class MatchModel(QAbstractTableModel):
    """The matches; more of them can be added while a search goes on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matches: list[ListMatch] = []
        self._bold = QFont()
        self._bold.setBold(True)

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        # Another list: whoever counts or writes the old one goes on with that.
        self.matches = []
        self.endResetModel()

    def add(self, matches: Sequence[ListMatch]) -> None:
        """Show more matches below those that are there."""
        if matches:
            before = len(self.matches)
            self.beginInsertRows(QModelIndex(), before, before + len(matches) - 1)
            self.matches += matches
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many matches there are."""
        return 0 if parent.isValid() else len(self.matches)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(_TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if not index.isValid():
            return None
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENT.get(column, _LEFT)
        if role == Qt.ItemDataRole.FontRole:
            return self._bold if column == MATCH else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        match = self.matches[index.row()]
        if role != Qt.ItemDataRole.DisplayRole:
            return no_markup(spoken(match)) if role == Qt.ItemDataRole.ToolTipRole else spoken(match)
        if column == NUMBER:
            return f"{match.sentence.number + 1:,}"
        return (match.before, match.inside, match.after, match.named)[column - 1]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header of a column."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENT.get(section, _LEFT)
        return None


def spoken(match: ListMatch) -> str:
    """A match as a sentence, for tips and screen readers."""
    first = match.nodes[0]
    named = f"; {match.named}" if match.named else ""
    return f"Sentence {match.sentence.number + 1:,}, {match.sentence.place}: {first.label} ‘{match.inside}’{named}"


class _Context(QStyledItemDelegate):
    """Cuts what is before a match off at its left."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.column() == BEFORE:
            option.textElideMode = Qt.TextElideMode.ElideLeft


class MatchTable(HintTable):
    """Shows the matches.

    Signals
    -------
    chosen
        The row of a match to go to.
    """

    chosen = Signal(int)

    def __init__(self, hint: str = "") -> None:
        super().__init__(hint)
        self.matches = MatchModel(self)
        self.setModel(self.matches)
        self.setItemDelegate(_Context(self))
        self.setAccessibleName("Matches")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._quiet = False
        self.selectionModel().currentRowChanged.connect(self._changed)
        self.activated.connect(lambda index: self.chosen.emit(index.row()))
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self._fit_rows()

    def show_row(self, row: int) -> None:
        """Mark a match and bring it into sight, without going to it."""
        self._quiet = True
        self.setCurrentIndex(self.matches.index(row, MATCH))
        self._quiet = False

    def fit_columns(self) -> None:
        """Share the width among the columns; names have none where the pattern has none."""
        last = max((match.sentence.number + 1 for match in self.matches.matches[-1:]), default=0)
        metrics = QFontMetrics(self.font())
        widest = max(metrics.horizontalAdvance(f"{last:,}"), metrics.horizontalAdvance(_TITLES[NUMBER]))
        self.setColumnWidth(NUMBER, widest + _NUMBER_PADDING)
        named = any(len(match.nodes) > 1 for match in self.matches.matches[:1])
        self.setColumnHidden(NAMED, not named)
        rest = self.viewport().width() - self.columnWidth(NUMBER)
        shares = {column: share for column, share in _SHARES.items() if named or column != NAMED}
        for column, share in shares.items():
            self.setColumnWidth(column, int(rest * share / sum(shares.values())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the other width."""
        super().resizeEvent(event)
        self.fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        """Make rows as high as the type needs."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "matches"):
            self._fit_rows()
            self.fit_columns()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)

    def _changed(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(index.row())


# The table of counts: what was counted, how often, and a bar.

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
