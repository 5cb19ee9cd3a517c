"""The table of matches as a concordance: the match in the middle, its context on either side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.graphics.number_text import no_markup
from explorer.laboratory.list_matches import ListMatch
from explorer.widgets.hint_table import HintTable

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
