"""A table of the model browser: sorted by any column, counts as numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from engine.analysis.browser import FoundTable
from engine.common.csv_text import clipboard_line
from explorer.explanations.glosses import cell_gloss, column_gloss, wrapped
from explorer.widgets.table_setup import set_up_rows

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_EMPTY = FoundTable("", (), ())
_MEASURED_ROWS = 200


class FoundModel(QAbstractTableModel):
    """The rows of one table that was found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = _EMPTY
        self._right: frozenset[int] = frozenset()

    def show(self, table: FoundTable | None) -> None:
        """Show another table."""
        self.beginResetModel()
        self.table = table or _EMPTY
        self._right = frozenset(self.table.right)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.table.header)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows, and what it is sorted by."""
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, SORT_ROLE):
            cell = self.table.rows[index.row()][index.column()]
            if role == SORT_ROLE:
                return cell
            return f"{cell:,}" if isinstance(cell, int) else cell
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in self._right else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            column = self.table.header[index.column()]
            gloss = cell_gloss(column, str(self.table.rows[index.row()][index.column()]))
            return wrapped(str(gloss)) if gloss is not None else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header of a column."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.header):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.table.header[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._right else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            gloss = column_gloss(self.table.header[section])
            return gloss.tip if gloss is not None else None
        return None


class FoundView(QTableView):
    """Shows one table; a click on a header sorts by its column, Enter chooses a row, Ctrl+C copies the chosen ones."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.found = FoundModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self.found)
        self.sorted.setSortRole(SORT_ROLE)
        self.setModel(self.sorted)
        self.setAccessibleName("What the model knows")
        set_up_rows(self)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        head = self.horizontalHeader()
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)

    def show_table(self, table: FoundTable | None) -> None:
        """Show another table, in its own order."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.sorted.sort(-1)
        self.found.show(table)
        metrics = QFontMetrics(self.font())
        for column in range(self.found.columnCount()):
            measured = range(min(_MEASURED_ROWS, self.found.rowCount()))
            cells = [self.found.data(self.found.index(row, column)) for row in measured]
            texts = sorted({*cells, self.found.table.header[column]}, key=len)[-4:]
            self.setColumnWidth(column, min(max(map(metrics.horizontalAdvance, texts)) + 26, 320))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)

    def row(self, index: QModelIndex) -> int:
        """The row of the table, whatever the order in which it is shown."""
        return self.sorted.mapToSource(index).row()

    def shown(self) -> FoundTable:
        """The table in the order in which it is shown."""
        table = self.found.table
        order = [self.row(self.sorted.index(place, 0)) for place in range(self.sorted.rowCount())]
        return replace(table, rows=tuple(table.rows[row] for row in order), source=lambda row: table.source(order[row]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the chosen rows, for a spreadsheet; Enter chooses one."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selectionModel().hasSelection():
            rows = sorted(index.row() for index in self.selectionModel().selectedRows())
            table = self.shown()
            lines = [clipboard_line(table.rows[row]) for row in rows]
            QGuiApplication.clipboard().setText("\n".join(lines))
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit()
            return
        super().keyPressEvent(event)
