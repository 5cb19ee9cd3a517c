"""The sentences that systems were compared on: a table that is sorted by its columns and filtered by who is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from engine.analysis.systems import Pair, SentenceRow, SystemsReport
from engine.common.csv_text import clipboard_line
from explorer.graphics.number_text import no_markup
from explorer.laboratory.system_tables import ALL, outcome, sentences_cells
from explorer.widgets.hint_table import HintTable
from explorer.widgets.table_setup import set_up_rows

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_WIDEST = 170
"""How wide a column before the sentence is made."""
_NO_SENTENCES = "No sentence is of this kind."


class SentencesModel(QAbstractTableModel):
    """The sentences of a report; cells are put into words when they come into sight, for there may be thousands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: SystemsReport | None = None
        self._pair: Pair | None = None
        self._shown = ALL
        self._numbers: frozenset[int] | None = None
        self._rows: list[SentenceRow] = []
        self._header: tuple[str, ...] = ()
        self._right: frozenset[int] = frozenset()
        self._keys: list[Callable[[SentenceRow], Any]] = []
        self._sorted = (0, Qt.SortOrder.AscendingOrder)

    @property
    def rows(self) -> Sequence[SentenceRow]:
        """The sentences that are listed, in their order."""
        return self._rows

    def set_report(self, report: SystemsReport | None, pair: Pair | None) -> None:
        """Show the sentences of a report, two of its systems held against each other."""
        self.beginResetModel()
        self._report, self._pair, self._numbers = report, pair, None
        if report is not None and pair is not None:
            head = sentences_cells(report, pair, ())
            self._header, self._right = head.header, frozenset(head.right)
            self._keys = _keys(report, pair)
        self._choose()
        self.endResetModel()

    def show_only(self, shown: str, numbers: frozenset[int] | None = None) -> None:
        """List all sentences, or those that the first system wins, loses, or neither; or those of some numbers."""
        self.beginResetModel()
        self._shown, self._numbers = shown, numbers
        self._choose()
        self.endResetModel()

    def _choose(self) -> None:
        report, pair = self._report, self._pair
        if report is None or pair is None:
            self._rows = []
            return
        self._rows = [
            row
            for row in report.rows
            if (self._numbers is None or row.number in self._numbers)
            and (self._shown == ALL or outcome(row, pair) == self._shown)
        ]
        self._sort()

    def _sort(self) -> None:
        column, order = self._sorted
        if column < len(self._keys):
            self._rows.sort(key=self._keys[column], reverse=order == Qt.SortOrder.DescendingOrder)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self.layoutAboutToBeChanged.emit()
        self._sorted = (max(column, 0), order)
        self._sort()
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many sentences are listed."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self._header)

    def cells(self, row: int) -> tuple[str, ...]:
        """The texts of a row."""
        assert self._report is not None and self._pair is not None
        return sentences_cells(self._report, self._pair, (self._rows[row],)).rows[0]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(index.row())[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return no_markup(str(self.cells(index.row())[index.column()]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in self._right else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header of a column."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._header):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._header[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._right else _LEFT
        return None


def _keys(report: SystemsReport, pair: Pair) -> list[Callable[[SentenceRow], Any]]:
    """By what each column is sorted."""

    def f1(system: int) -> Callable[[SentenceRow], Any]:
        return lambda row: row.results[system].f1

    def errors(system: int) -> Callable[[SentenceRow], Any]:
        return lambda row: [(str(kind), count) for kind, count in row.results[system].errors]

    return [
        lambda row: row.number,
        *(f1(system) for system in range(len(report.names))),
        lambda row: row.results[pair.first].f1 - row.results[pair.second].f1,
        lambda row: row.length,
        errors(pair.first),
        errors(pair.second),
        lambda row: row.text.casefold(),
    ]


class SentencesTable(HintTable):
    """Shows the sentences; Enter or a double click opens one.

    Signals
    -------
    opened
        The number of a sentence that is to be opened.
    """

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__(_NO_SENTENCES)
        self.sentences = SentencesModel(self)
        self.setModel(self.sentences)
        self.setAccessibleName("Sentences")
        set_up_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.doubleClicked.connect(lambda index: self.opened.emit(self.sentences.rows[index.row()].number))

    def set_report(self, report: SystemsReport | None, pair: Pair | None) -> None:
        """Show the sentences of a report."""
        self.sentences.set_report(report, pair)
        self._fit()

    def _fit(self) -> None:
        """Make columns as wide as their first rows need; the sentence has the rest."""
        metrics, count = self.fontMetrics(), self.sentences.columnCount()
        shown = [self.sentences.cells(row) for row in range(min(self.sentences.rowCount(), 50))]
        for column in range(count - 1):
            head = metrics.horizontalAdvance(str(self.sentences.headerData(column, Qt.Orientation.Horizontal))) + 36
            widest = max((metrics.horizontalAdvance(cells[column]) for cells in shown), default=0) + 24
            self.setColumnWidth(column, min(max(min(head, 130), widest), _WIDEST))

    def choose(self, number: int) -> None:
        """Choose the row of a sentence, if it is listed."""
        place = next((at for at, row in enumerate(self.sentences.rows) if row.number == number), -1)
        if place >= 0:
            index = self.sentences.index(place, 0)
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the chosen sentence; Ctrl+C copies its row."""
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.sentences.rows[index.row()].number)
        elif index.isValid() and event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(clipboard_line(self.sentences.cells(index.row())))
        else:
            super().keyPressEvent(event)
