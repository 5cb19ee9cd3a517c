"""Tables of text: rows that stand for something, numbers to the right, copied with Ctrl+C."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, overload

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
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
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.tables import DIFFERENCE, PAPERS, TABLE_FORMATS, Cell, Column, Table, clipboard_line
from engine.explain.glosses import Gloss, cell_gloss, column_gloss, wrapped
from explorer.kit.appearance import appearance
from explorer.kit.fonts import font_for, has_many_scripts
from explorer.pictures.theme import Theme

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
    # Else rows are at least as high as a header in its own type, which becomes smaller only after the table's.
    table.verticalHeader().setMinimumSectionSize(0)
    table.horizontalHeader().setHighlightSections(False)


# A table that says why it is empty, or what to do about it.

_MARGIN = 12
_BAR, _LEAST_BAR = 3.0, 1.5
"""Height of a bar under a number, and the width of the shortest, in pixels."""


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


# Tables of text beside the pictures, and tables of the engine: rows that stand for something, copied with Ctrl+C.

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEAST_WIDTH = 120
"""A column of text is not made narrower than this, however little room there is."""
_PADDING = 24
_SORT_ARROW = 12
LAST = -2
"""The last column, however many there are."""
_MEASURED_ROWS = 200
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ROLES = {PAPERS: "extra", DIFFERENCE: "faint"}
"""The colours of rows that are not ours."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes
    ----------
    cells
        Its texts.
    id
        What it stands for: something of the pictures (:mod:`engine.explain.subjects`), a what-if, a rank; in a table
        of the engine its number there.
    chosen
        Whether it is what the parse has.
    tip
        What the tool tip says; empty for the text of the cell.
    made_of
        What it was made of, for whoever made it; in a table of the engine its values.
    kind
        Whose it is where ours stand beside the paper's (:data:`engine.common.tables.OURS`).
    """

    cells: tuple[str, ...]
    id: Hashable = None
    chosen: bool = False
    tip: str = ""
    made_of: object = None
    kind: str = ""


class LazyRows(Sequence[Row]):
    """Rows each of which is made when it comes into sight: there may be hundreds of thousands.

    Parameters
    ----------
    made_of
        What they are made of; more of it may come.
    make
        Makes a row of one of them, which has a number.
    """

    def __init__(self, made_of: Sequence[Any], make: Callable[[Any, int], Row]) -> None:
        self._made_of = made_of
        self._make = make
        self._made: dict[int, Row] = {}
        self.order: Sequence[int] = range(len(made_of))

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[at] for at in range(len(self))[place]]
        number = self.order[place]
        if number not in self._made:
            self._made[number] = self._make(self._made_of[number], number)
        return self._made[number]

    @property
    def grown(self) -> int:
        """How many rows there could be by now."""
        return len(self._made_of)

    def grow(self) -> None:
        """Take in what was added to what they are made of."""
        self.order = range(len(self._made_of))


class TableRows(LazyRows):
    """The rows of a table of the engine."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.rows, lambda row, at: Row(tuple(map(fine, table.shown(row))), at, made_of=row))
        self.table = table

    def sort(self, column: int, descending: bool) -> None:
        """Order the rows by the values of a column; column −1 is the table's own order."""
        rows = self.table.rows
        self.order = range(len(rows))
        if column >= 0:
            number = self.table.columns[column].number

            def key(row: int) -> tuple[bool, Any]:
                value = number(rows[row][column])
                text = isinstance(value, str)
                return text, value.casefold() if text else (value if value is not None else -math.inf)

            self.order = sorted(self.order, key=key, reverse=descending)


def fine(text: str) -> str:
    """A text of the terminal, which is ASCII where that will do, as a window writes it."""
    return text.replace("<=", "≤ ")


def table_text(table: Table, suffix: str) -> str:
    """A table as a file of this ending has it."""
    _, write = TABLE_FORMATS.get(suffix.lower(), TABLE_FORMATS[".txt"])
    return f"{write(table)}\n"


class RowsModel(QAbstractTableModel):
    """Rows under a header; a cell is made of a string that is there beforehand, for a view asks for thousands."""

    def __init__(self, header: Sequence[str] = (), right: Sequence[int] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[Column] = tuple(Column(title, title) for title in header)
        # By what a column is known in the table of glosses, whatever it is called later.
        self._glossed = tuple(header)
        self.right = frozenset(right)
        self.rows: Sequence[Row] = ()
        self._bold = QFont()
        self._bold.setBold(True)
        self._italic = QFont()
        self._italic.setItalic(True)

    @property
    def theme(self) -> Theme:
        """Its colours."""
        return appearance().theme

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def set_columns(
        self, columns: Sequence[Column], right: frozenset[int], rows: Sequence[Row], only_figures: bool = False
    ) -> None:
        """Show other columns and rows; where only figures are new the rows stay, and so does the choice among them."""
        kept = only_figures and [one.key for one in columns] == [one.key for one in self.columns]
        kept = kept and [row.kind for row in rows] == [row.kind for row in self.rows]
        if not kept:
            self.beginResetModel()
        self.columns, self.right, self.rows = columns, right, rows
        self._glossed = tuple(column.title for column in columns)
        if not kept:
            self.endResetModel()
        else:
            self.repaint()

    def set_table(self, table: Table) -> None:
        """Show a table of the engine; rows of several blocks say in which they are."""
        shown = table.with_blocks() if len(table.blocks) > 1 else table
        some = islice(shown.rows, _MEASURED_ROWS)
        numbers = {at for row in some for at, value in enumerate(row) if isinstance(value, int | float)}
        self.set_columns(shown.columns, shown.right | numbers, TableRows(shown))

    def repaint(self) -> None:
        """Have all cells asked for again."""
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))
        if self.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def grow(self) -> None:
        """Show the rows that have come since."""
        rows = self.rows
        assert isinstance(rows, LazyRows)
        if rows.grown > len(rows):
            self.beginInsertRows(QModelIndex(), len(rows), rows.grown - 1)
            rows.grow()
            self.endInsertRows()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort a table of the engine by a column; −1 for its own order."""
        rows = self.rows
        if not isinstance(rows, TableRows):
            return
        self.layoutAboutToBeChanged.emit()
        before, kept = rows.order, self.persistentIndexList()
        rows.sort(column, order == Qt.SortOrder.DescendingOrder)
        if kept:
            place = {number: at for at, number in enumerate(rows.order)}
            moved = [self.index(place[before[index.row()]], index.column()) for index in kept]
            self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def set_header(self, header: Sequence[str]) -> None:
        """Call the columns something else."""
        assert len(header) == len(self.columns)
        if tuple(header) != tuple(column.title for column in self.columns):
            self.columns = tuple(replace(one, title=title) for one, title in zip(self.columns, header, strict=True))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(header) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.columns)

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
            bold = row.chosen and self.columns[index.column()].key != PAPERS
            if has_many_scripts(row.cells[index.column()]):
                return font_for(row.cells[index.column()], self._bold if bold else QFont())
            return self._bold if bold else self._italic if row.kind == DIFFERENCE else None
        if role == Qt.ItemDataRole.ForegroundRole:
            kind = self.rows[index.row()].kind
            if kind and self.columns[index.column()].key == PAPERS:
                kind = PAPERS
            return QColor(self.theme.colour(_ROLES[kind])) if kind in _ROLES else None
        if role == Qt.ItemDataRole.ToolTipRole:
            # What is cut off for want of room can be read in full.
            gloss = self.gloss(index)
            row = self.rows[index.row()]
            cell = row.cells[index.column()]
            tip = row.tip or (no_markup(cell) if isinstance(self.rows, TableRows) else cell)
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
        """The header of a column; columns of a group, as those of one length of sentences, say of which."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            group = f"{fine(column.group.partition(' ')[0])}\n" if column.group else ""
            return f"{group}{fine(column.title)}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self.right else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            gloss = self.column_gloss(section)
            tip = column.tip or (gloss.tip if gloss is not None else "")
            return "\n".join(filter(None, (tip, fine(column.group)))) or None
        return None

    def text(self, rows: Sequence[int] = ()) -> str:
        """Rows as text that a spreadsheet takes; without any the whole table with its header."""
        header = [str(self.headerData(at, Qt.Orientation.Horizontal)) for at in range(len(self.columns))]
        chosen = (_copied(self.rows[row]) for row in rows or range(len(self.rows)))
        return "\n".join(map(clipboard_line, chosen if rows else (header, *chosen)))


def _copied(row: Row) -> Sequence[Cell]:
    """The cells of a row for a spreadsheet: counts without commas, all else as it is shown."""
    if not isinstance(row.made_of, tuple):
        return row.cells
    return [value if isinstance(value, int) else cell for value, cell in zip(row.made_of, row.cells, strict=True)]


class _Bars(QStyledItemDelegate):
    """Paints a cell of a column with bars, and under its text a bar as long as its share."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        view = self.parent()
        assert isinstance(view, RowsView)
        model = view.rows_model
        column, row = model.columns[index.column()], model.rows[index.row()]
        if column.most and isinstance(row.made_of, tuple):
            value = column.number(row.made_of[index.column()])
            room = QRectF(option.rect).adjusted(8, 4, -8, -1)
            width = max(room.width() * value / column.most, _LEAST_BAR if value else 0.0)
            high = _BAR if row.cells[index.column()] else room.height() - 3
            left = room.right() - width if index.column() in model.right else room.left()
            top = room.bottom() - high
            painter.fillRect(QRectF(left, top, width, high), QColor(model.theme.colour("many")))


class RowsView(HintTable):
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
    hint
        What it says while it has no rows.
    model
        A model of its own, in place of the usual one.
    sortable
        Whether a click on the head of a column sorts by it; only for tables of the engine.
    """

    chosen = Signal(object)
    activated_row = Signal(object)
    opened = Signal(int)
    pointed = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(
        self,
        header: Sequence[str] = (),
        right: Sequence[int] = (),
        stretch: int = -1,
        name: str = "",
        key: int = -1,
        spare: Sequence[int] = (),
        hint: str = "",
        sortable: bool = False,
        model: RowsModel | None = None,
    ) -> None:
        super().__init__(hint)
        self._key = key
        self._spare = tuple(spare)
        self.rows_model = model or RowsModel(header, right)
        self.rows_model.setParent(self)
        self.setModel(self.rows_model)
        self.setAccessibleName(name)
        set_up_rows(self)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._stretch = self._stretching = stretch
        self._stretches_last = stretch == LAST
        if 0 <= stretch < len(header):
            head.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        else:
            head.setStretchLastSection(False)
        if sortable:
            head.setSortIndicatorClearable(True)
            head.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
            self.setSortingEnabled(True)
        self._quiet = False
        self.selectionModel().currentRowChanged.connect(self._changed)
        self.activated.connect(lambda index: self.activated_row.emit(self.rows_model.rows[index.row()].id))
        self.entered.connect(lambda index: self.pointed.emit(self.rows_model.rows[index.row()].id))
        self._fit_heights()

    def show_table(self, table: Table) -> None:
        """Show a table of the engine, in its own order."""
        if self.isSortingEnabled():
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        if any(column.most for column in table.columns) and not isinstance(self.itemDelegate(), _Bars):
            self.setItemDelegate(_Bars(self))
        self.rows_model.set_table(table)
        self._columns_changed()

    def show_columns(self, columns: Sequence[Column], right: frozenset[int], rows: Sequence[Row]) -> None:
        """Show other columns and rows; where only figures are new the choice among them stays."""
        self.rows_model.set_columns(columns, right, rows, only_figures=True)
        self._columns_changed()

    def _columns_changed(self) -> None:
        if self._stretches_last:
            self._stretch = self._stretching = len(self.rows_model.columns) - 1
            self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._fit_heights()
        self._fit_widths()

    def values(self, row: int) -> tuple[Any, ...]:
        """The values of a row of a table of the engine."""
        values = self.rows_model.rows[row].made_of
        assert isinstance(values, tuple)
        return values

    @property
    def order(self) -> Sequence[int]:
        """The numbers of the rows of a table of the engine, as they are shown."""
        rows = self.rows_model.rows
        return rows.order if isinstance(rows, LazyRows) else range(len(rows))

    def _fit_heights(self) -> None:
        room = 12 if any(column.most for column in self.rows_model.columns) else 6
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + room)

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
        if not self.rows_model.columns:
            return
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
        arrow = _SORT_ARROW if self.isSortingEnabled() else 0
        widths = []
        for column in range(self.rows_model.columnCount()):
            texts = {row.cells[column] for row in islice(rows, _MEASURED_ROWS)}
            texts.update(str(self.rows_model.headerData(column, Qt.Orientation.Horizontal)).split("\n"))
            longest = sorted(texts, key=len)[-4:]
            needed = max(QFontMetrics(font_for(text, bold)).horizontalAdvance(text) for text in longest)
            widths.append(min(needed + _PADDING + arrow, 360))
        return widths

    @property
    def current_id(self) -> Hashable:
        """What the chosen row stands for."""
        index = self.currentIndex()
        return self.rows_model.rows[index.row()].id if index.isValid() else None

    def mark(self, id: Hashable) -> None:
        """Choose the row that stands for something, without emitting a signal."""
        rows = self.rows_model.rows
        if isinstance(rows, LazyRows):
            place = rows.order.index(id) if isinstance(id, int) and id in rows.order else -1
        else:
            place = next((at for at, row in enumerate(rows) if id is not None and row.id == id), -1)
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
        """Ctrl+C copies the chosen rows, or the table if none is chosen."""
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted(index.row() for index in self.selectionModel().selectedRows())
            QGuiApplication.clipboard().setText(self.rows_model.text(rows))
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
