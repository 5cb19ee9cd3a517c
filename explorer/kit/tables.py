"""Tables of text: rows that stand for something, numbers to the right, copied with Ctrl+C."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from engine.common.tables import clipboard_line
from explorer.kit.fonts import font_for, has_many_scripts
from explorer.kit.glosses import Gloss, cell_gloss, column_gloss, wrapped

# What all tables have in common: rows without a grid, chosen as a whole.


def set_up_rows(table: QTableView) -> None:
    """Show a table as rows without a grid, and leave the tab key to the window."""
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().setVisible(False)
    table.horizontalHeader().setHighlightSections(False)


# A table that says why it is empty, or what to do about it.

_MARGIN = 12


class HintTable(QTableView):
    """A table with a sentence in its middle while it has no rows.

    Attributes
    ----------
    hint
        The sentence; empty for none.
    """

    def __init__(self, hint: str = "") -> None:
        super().__init__()
        self.hint = hint

    def set_hint(self, hint: str) -> None:
        """Say something else while there are no rows."""
        self.hint = hint
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, or the sentence."""
        super().paintEvent(event)
        if self.hint and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            area = self.viewport().rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.hint)


# Tables of text beside the pictures: rows that stand for something, numbers to the right, copied with Ctrl+C.

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEAST_WIDTH = 120
"""A column of text is not made narrower than this, however little room there is."""
_PADDING = 24
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes
    ----------
    cells
        Its texts.
    id
        What it stands for: something of the pictures (:mod:`engine.explain.subjects`), a what-if, a rank.
    chosen
        Whether it is what the parse has.
    tip
        What the tool tip says; empty for the text of the cell.
    made_of
        What it was made of, for whoever made it.
    """

    cells: tuple[str, ...]
    id: Hashable = None
    chosen: bool = False
    tip: str = ""
    made_of: object = None


class RowsModel(QAbstractTableModel):
    """Rows under a header; every cell is a string beforehand, for a view asks for thousands."""

    def __init__(self, header: Sequence[str], right: Sequence[int] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = tuple(header)
        # By what a column is known in the table of glosses, whatever it is called later.
        self._glossed = self._header
        self.right = frozenset(right)
        self.rows: Sequence[Row] = ()
        self._bold = QFont()
        self._bold.setBold(True)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def set_header(self, header: Sequence[str]) -> None:
        """Call the columns something else."""
        assert len(header) == len(self._header)
        if tuple(header) != self._header:
            self._header = tuple(header)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(header) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self._header)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows; roles that are not used are answered first, for a repaint asks for all."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.rows[index.row()].cells[index.column()] if index.isValid() else None
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in self.right else _LEFT
        if role == Qt.ItemDataRole.FontRole:
            row = self.rows[index.row()]
            if has_many_scripts(row.cells[index.column()]):
                return font_for(row.cells[index.column()], self._bold if row.chosen else QFont())
            return self._bold if row.chosen else None
        if role == Qt.ItemDataRole.ToolTipRole:
            # What is cut off for want of room can be read in full.
            gloss = self.gloss(index)
            tip = self.rows[index.row()].tip or self.rows[index.row()].cells[index.column()]
            return "\n".join(filter(None, (tip, wrapped(str(gloss)) if gloss is not None else ""))) or None
        return None

    def gloss(self, index: Index) -> Gloss | None:
        """What the sign in a cell means, if it is one."""
        row, column = index.row(), index.column()
        return cell_gloss(self._glossed[column], self.rows[row].cells[column])

    def column_gloss(self, section: int) -> Gloss | None:
        """What the head of a column means."""
        return column_gloss(self._glossed[section])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header of a column."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._header):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self.right else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            gloss = self.column_gloss(section)
            return gloss.tip if gloss is not None else None
        return None

    def text(self) -> str:
        """The table as text that a spreadsheet takes."""
        return "\n".join(map(clipboard_line, (self._header, *(row.cells for row in self.rows))))


class RowsView(QTableView):
    """Shows a :class:`RowsModel`; tells which row was chosen and which one is pointed at.

    Parameters
    ----------
    header, right
        Of the columns, and which of them are numbers.
    stretch
        The column that takes the room which is left.
    name
        What a screen reader calls the table.
    key
        The column by which a row is known: it is cut off last.
    spare
        Columns that are left out where there is little room; what they say is in the rows' tips.
    """

    chosen = Signal(object)
    activated_row = Signal(object)
    opened = Signal(int)
    pointed = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(
        self,
        header: Sequence[str],
        right: Sequence[int] = (),
        stretch: int = -1,
        name: str = "",
        key: int = -1,
        spare: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self._key = key
        self._spare = tuple(spare)
        self.rows_model = RowsModel(header, right, self)
        self.setModel(self.rows_model)
        self.setAccessibleName(name)
        set_up_rows(self)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._stretch = self._stretching = stretch
        if stretch >= 0:
            head.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        else:
            head.setStretchLastSection(False)
        self._quiet = False
        self.selectionModel().currentRowChanged.connect(self._changed)
        self.activated.connect(lambda index: self.activated_row.emit(self.rows_model.rows[index.row()].id))
        self.entered.connect(lambda index: self.pointed.emit(self.rows_model.rows[index.row()].id))
        self._fit_heights()

    def _fit_heights(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)

    def changeEvent(self, event: Any) -> None:
        """Make rows as high as the type needs."""
        super().changeEvent(event)
        if hasattr(self, "rows_model") and event.type() == QEvent.Type.FontChange:
            self._fit_heights()
            self._fit_widths()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows, keeping the choice where the same thing is still there."""
        if not rows and not self.rows_model.rows:
            return
        current = self.current_id
        self._quiet = True
        self.rows_model.set_rows(rows)
        self._quiet = False
        self._fit_widths()
        self.mark(current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """All columns stay in sight, the long ones cut off."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_widths()

    def _fit_widths(self) -> None:
        widths = self._widths(self.rows_model.rows)
        if self._stretch >= 0 and self._stretch != self._key:
            widths[self._stretch] = min(widths[self._stretch], LEAST_WIDTH)
        room, numbers = self.viewport().width(), self.rows_model.right
        self._leave_out(widths, room)
        wanted = widths[self._key]
        _squeeze(widths, room, numbers | {self._key})
        _squeeze(widths, room, numbers)
        if self._key >= 0 and sum(widths) > room:
            # It scrolls in any case: then what the rows are known by need not be cut off.
            widths[self._key] = wanted
        stretched = self._stretching
        if stretched >= 0:
            # Where even the narrowest columns have no room the table scrolls; a stretched one would vanish.
            modes = QHeaderView.ResizeMode
            mode = modes.Interactive if sum(widths) > room else modes.Stretch
            self.horizontalHeader().setSectionResizeMode(stretched, mode)
            stretched = stretched if mode == modes.Stretch else -1
        for column, width in enumerate(widths):
            if column != stretched and not self.isColumnHidden(column):
                self.setColumnWidth(column, width)

    def _leave_out(self, widths: list[int], room: int) -> None:
        """Hide the columns that can be spared if the others would have to be cut off for them."""
        if not self._spare:
            return
        others = sum(width for column, width in enumerate(widths) if column not in self._spare)
        hidden = others + sum(min(widths[column], LEAST_WIDTH) for column in self._spare) > room
        for column in self._spare:
            self.setColumnHidden(column, hidden)
            widths[column] = 0 if hidden else widths[column]
        if self._stretch in self._spare:
            # Then the last column of text takes the room that is left.
            texts = set(range(len(widths))) - self.rows_model.right - set(self._spare)
            self._stretching = max(texts) if hidden else self._stretch
            for column in (max(texts), self._stretch):
                modes = QHeaderView.ResizeMode
                mode = modes.Stretch if column == self._stretching else modes.Interactive
                self.horizontalHeader().setSectionResizeMode(column, mode)

    def _widths(self, rows: Sequence[Row]) -> list[int]:
        """Widths from the longest strings of the first rows: Qt's own way asks for every cell."""
        bold = QFont(self.font())
        bold.setBold(True)
        widths = []
        for column in range(self.rows_model.columnCount()):
            texts = {row.cells[column] for row in rows[:200]}
            texts.add(str(self.rows_model.headerData(column, Qt.Orientation.Horizontal)))
            longest = sorted(texts, key=len)[-4:]
            needed = max(QFontMetrics(font_for(text, bold)).horizontalAdvance(text) for text in longest)
            widths.append(min(needed + _PADDING, 360))
        return widths

    @property
    def current_id(self) -> Hashable:
        """What the chosen row stands for."""
        index = self.currentIndex()
        return self.rows_model.rows[index.row()].id if index.isValid() else None

    def mark(self, id: Hashable) -> None:
        """Choose the row that stands for something, without emitting a signal."""
        place = next((at for at, row in enumerate(self.rows_model.rows) if id is not None and row.id == id), -1)
        self._quiet = True
        if place < 0:
            self.selectionModel().clear()
        elif self.currentIndex().row() != place:
            index = self.rows_model.index(place, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            self.scrollTo(index)
        self._quiet = False

    def _changed(self, current: QModelIndex) -> None:
        if not self._quiet and current.isValid():
            self.chosen.emit(self.rows_model.rows[current.row()].id)

    def leaveEvent(self, event: Any) -> None:
        """The mouse is gone: nothing is pointed at."""
        self.pointed.emit(None)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Tell of which row's thing the menu is wanted."""
        index = self.indexAt(event.pos())
        if index.isValid() and self.rows_model.rows[index.row()].id is not None:
            self.menu_wanted.emit(self.rows_model.rows[index.row()].id, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the chosen row, or the table if none is chosen."""
        if event.matches(QKeySequence.StandardKey.Copy):
            index = self.currentIndex()
            row = clipboard_line(self.rows_model.rows[index.row()].cells) if index.isValid() else ""
            QGuiApplication.clipboard().setText(row or self.rows_model.text())
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        super().keyPressEvent(event)


def _squeeze(widths: list[int], room: int, whole: frozenset[int]) -> None:
    """Make the widest columns of text narrower until all columns have room, some keeping theirs."""
    texts = [column for column in range(len(widths)) if column not in whole]
    while texts and sum(widths) > room:
        texts.sort(key=lambda column: widths[column])
        widest = texts[-1]
        second = widths[texts[-2]] if len(texts) > 1 else 0
        width = max(LEAST_WIDTH, min(second, widths[widest] - 1), widths[widest] - (sum(widths) - room))
        if width >= widths[widest]:
            return
        widths[widest] = width
