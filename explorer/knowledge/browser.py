"""The model browser's panel: a question on top, the tables that answer it, sorted by any column."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCompleter,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QMenu,
    QSizePolicy,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import replaced
from engine.common.markup import no_markup
from engine.common.numbers import size
from engine.common.tables import CSV_DELIMITER, TSV_DELIMITER, clipboard_line
from engine.study.browser_query import Findings, FoundTable, UnknownNameError, completions, either
from engine.study.counted import count_in
from explorer.explanations.blocks import CountLink
from explorer.kit.controls import Field, text_button
from explorer.kit.glosses import cell_gloss, column_gloss, wrapped
from explorer.kit.messages import Messages, error_text
from explorer.kit.tables import set_up_rows
from explorer.kit.tasks import Job, Worker
from explorer.session.parse_service import ParseService

if TYPE_CHECKING:
    from engine.study.browser import Browser


# A table of the model browser: sorted by any column, counts as numbers.

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


# The model browser's panel: a question on top, the tables that answer it, one of them shown.

EXAMPLES = "a word (saw, saw/VBD), a tag (VBD), a pair (with saw, IN VBD) or a relation (<PP,VP,VBD>, <PP,*,*>)"
WORD_COLUMNS = frozenset({"head", "modifier", "word", "tag", "head tag", "modifier tag", "tag before", "tag after"})
"""Columns whose cells can be looked up themselves; so can those of relations."""
_FILTERS = {
    "Comma-separated values (*.csv)": ".csv",
    "Tab-separated values (*.tsv)": ".tsv",
    "JSON, all tables (*.json)": ".json",
    "Text, all tables (*.txt)": ".txt",
}


class BrowserPanel(QWidget):
    """Asks the model in use, and shows what it knows.

    Signals
    -------
    count_opened
        The sentences of a count are wanted: its :class:`CountLink`.
    answered
        The question was answered, or could not be.
    """

    count_opened = Signal(object)
    answered = Signal()

    def __init__(self, parses: ParseService, messages: Messages) -> None:
        super().__init__()
        self._parses = parses
        self._messages = messages
        self._worker = Worker("browse", newest_only=True, parent=self)
        self._browser: Browser | None = None
        self._past: list[str] = []
        self.findings: Findings | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.edit = Field(placeholderText=f"Ask for {EXAMPLES}", clearButtonEnabled=True)
        self.edit.setAccessibleName("Ask the model")
        self._suggestions = QStringListModel(self)
        self.completer = QCompleter(self._suggestions, self)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.setMaxVisibleItems(12)
        self.edit.setCompleter(self.completer)
        self.back = text_button("‹", "Back to the question before", self.go_back)
        top = QHBoxLayout()
        top.setContentsMargins(8, 8, 12, 4)
        top.setSpacing(4)
        top.addWidget(self.back)
        top.addWidget(self.edit, 1)
        layout.addLayout(top)
        self.remarks = QLabel()
        self.remarks.setObjectName("quiet")
        self.remarks.setWordWrap(True)
        self.remarks.setTextFormat(Qt.TextFormat.RichText)
        self.remarks.setContentsMargins(12, 0, 12, 6)
        self.remarks.linkActivated.connect(self.ask)
        layout.addWidget(self.remarks)
        self.tables = QListWidget()
        self.tables.setObjectName("sentence-list")
        self.tables.setAccessibleName("Tables")
        self.tables.setFrameShape(QFrame.Shape.NoFrame)
        self.view = FoundView()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.tables)
        self.splitter.addWidget(self.view)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([220, 740])
        layout.addWidget(self.splitter, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 8, 4)
        self.note = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.note.setObjectName("quiet")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        foot.addWidget(self.note, 1)
        self.evidence = text_button("Sentences", "Show the training sentences of the chosen row", self.open_row)
        self.copy = text_button("Copy table", "Put the table on the clipboard, for a spreadsheet", self.copy_table)
        self.export = text_button(
            "Export …", "Write the table as CSV or TSV, all tables as JSON or text", self.ask_file
        )
        for button in (self.evidence, self.copy, self.export):
            foot.addWidget(button)
        layout.addLayout(foot)
        self.edit.returnPressed.connect(lambda: self.ask(self.edit.text()))
        self.edit.textEdited.connect(self._complete)
        self.completer.activated.connect(lambda text: self.ask(text))
        self.tables.currentRowChanged.connect(self._show_table)
        self.view.doubleClicked.connect(lambda index: self.open_row())
        self.view.chosen.connect(self.open_row)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._enable())
        self._parses.model_changed.connect(self._model_changed)
        self._show(None)

    # Asking

    def ask(self, text: str) -> None:
        """Ask the model."""
        text = text.strip()
        model = self._parses.model
        if not text:
            return
        if self.edit.text() != text:
            self.edit.setText(text)
        if model is None:
            self.remarks.setText("There is no model to ask; open one with Ctrl+M.")
            return
        if not self._past or self._past[-1] != text:
            self._past.append(text)

        def on_result(findings: Findings) -> None:
            self._show(findings)
            self.answered.emit()

        def on_error(error: Exception) -> None:
            self._show(None)
            self.remarks.setText(_with_links(error))
            self.answered.emit()

        def work(job: Job) -> Findings:
            from engine.study.browser import Browser

            if self._browser is None or self._browser.model is not model:
                self._browser = Browser(model)
            return self._browser.find(text)

        self._worker.request(work, on_result, on_error)

    def go_back(self) -> None:
        """Ask the question before."""
        if len(self._past) > 1:
            self._past.pop()
            self.ask(self._past[-1])

    def _complete(self, text: str) -> None:
        model = self._parses.model
        self._suggestions.setStringList(completions(model, text) if model is not None else [])

    def _model_changed(self) -> None:
        if self.findings is not None or self.edit.text():
            self.ask(self.edit.text())
        else:
            self._show(None)

    # Showing

    def _show(self, findings: Findings | None) -> None:
        before = self.tables.currentItem().data(Qt.ItemDataRole.UserRole) if self.tables.currentItem() else 0
        self.findings = findings
        self.tables.clear()
        remarks = "  ".join(findings.remarks) if findings is not None else f"Ask for {EXAMPLES}."
        self.remarks.setText(html.escape(remarks, quote=False))
        for number, table in enumerate(findings.tables if findings is not None else ()):
            self.tables.addItem(table.name)
            item = self.tables.item(number)
            item.setData(Qt.ItemDataRole.UserRole, number)
            item.setToolTip(size(table.total, "row"))
        self.back.setEnabled(len(self._past) > 1)
        if findings is not None and findings.tables:
            self.tables.setCurrentRow(min(before or 0, len(findings.tables) - 1))
        else:
            self._show_table(-1)

    def _show_table(self, row: int) -> None:
        table = self.findings.tables[row] if self.findings is not None and row >= 0 else None
        self.view.show_table(table)
        notes = []
        if table is not None:
            shown = len(table.rows)
            notes = [size(shown, "row") if table.total <= shown else f"the first {shown:,} of {table.total:,} rows"]
            notes += [table.note] if table.note else []
        self.note.setText("   ·   ".join(notes))
        self.note.setToolTip(no_markup(self.note.text()))
        self._enable()

    def _enable(self) -> None:
        some = bool(self.view.found.table.rows)
        self.copy.setEnabled(some)
        self.export.setEnabled(some)
        self.evidence.setEnabled(self.view.currentIndex().isValid())

    # Doing

    def open_row(self) -> None:
        """Show the training sentences of the chosen row."""
        index = self.view.currentIndex()
        model = self._parses.model
        if not index.isValid() or model is None:
            return
        counted = self.view.found.table.source(self.view.row(index))
        if counted is not None:
            self.count_opened.emit(CountLink(f"{counted.level} of {self.view.found.table.name}", (counted,)))

    def menu(self, index: QModelIndex) -> QMenu:
        """What can be done with a row and a cell."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        table = self.view.found.table
        row = self.view.row(index)
        model = self._parses.model
        counted = table.source(row)
        if counted is not None and model is not None:
            menu.addAction(f"Show the training sentences ({count_in(model.counts, counted):,})", self.open_row)
        for column, name in enumerate(table.header):
            cell = table.rows[row][column]
            if (name in WORD_COLUMNS or (name == "relation" and cell != "none")) and isinstance(cell, str):
                menu.addAction(f"What does the model know of ‘{cell}’?", partial(self.ask, cell))
        return menu

    def _open_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.menu(index).popup(self.view.viewport().mapToGlobal(place))

    def copy_table(self) -> None:
        """Put the table on the clipboard, in the order in which it is shown."""
        QGuiApplication.clipboard().setText(self.view.shown().separated(TSV_DELIMITER))
        self._messages.show("Table copied")

    def ask_file(self) -> None:
        """Choose a file to write the table to."""
        chosen, kind = QFileDialog.getSaveFileName(self, "Export", "", ";;".join(_FILTERS))
        if chosen:
            path = Path(chosen)
            self.write(path if path.suffix else path.with_suffix(_FILTERS[kind]))

    def write(self, path: Path) -> None:
        """Write the table that is shown as CSV or TSV, or all tables as JSON or text, by the file's ending."""
        if self.findings is None:
            return
        if path.suffix == ".json":
            text = json.dumps(self.findings.as_object(), ensure_ascii=False, indent=1) + "\n"
        elif path.suffix == ".txt":
            text = self.findings.text() + "\n"
        else:
            text = self.view.shown().separated(TSV_DELIMITER if path.suffix == ".tsv" else CSV_DELIMITER)
        try:
            with replaced(path) as beside:
                beside.write_text(text, encoding="utf-8")
        except EngineError as error:
            self._messages.show_error(error)
            return
        self._messages.show(f"Written to {path.name}")


def _with_links(error: Exception) -> str:
    """An error as one sentence, in which what may have been meant can be clicked."""
    suggestions = error.suggestions if isinstance(error, UnknownNameError) else ()
    problem = error.problem if isinstance(error, UnknownNameError) else error_text(error)
    shown = html.escape(problem[:1].upper() + problem[1:], quote=False)
    if not suggestions:
        return shown + ("" if shown.endswith(".") else ".")
    links = [f'<a href="{html.escape(name)}">{html.escape(name)}</a>' for name in suggestions]
    return f"{shown}; did you mean {either(links)}?"
