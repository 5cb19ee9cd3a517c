"""The model browser's panel: a question on top, the tables that answer it, sorted by any column."""

from __future__ import annotations

import html
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QFrame,
    QListWidget,
    QMenu,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.files import write_whole
from engine.common.numbers import size
from engine.common.tables import CSV_DELIMITER, TSV_DELIMITER
from engine.explain.explanation import CountLink
from engine.study.browser import Findings, FoundTable, UnknownNameError, completions, either, found_table
from engine.study.counted import count_in
from explorer.kit.controls import NONE, Field, in_column, in_row, named, split, squeezed, text_button, told
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import CSV, TSV, FileKind
from explorer.kit.messages import Messages, error_text
from explorer.kit.store import Store
from explorer.kit.tables import RowsView
from explorer.kit.tasks import Job, Worker
from explorer.session.parse_service import ParseService

if TYPE_CHECKING:
    from engine.study.browser import Browser


# The model browser's panel: a question on top, the tables that answer it, one of them shown.

_EMPTY = found_table("", (), ())
EXAMPLES = "a word (saw, saw/VBD), a tag (VBD), a pair (with saw, IN VBD) or a relation (<PP,VP,VBD>, <PP,*,*>)"
WORD_COLUMNS = frozenset({"head", "modifier", "word", "tag", "head tag", "modifier tag", "tag before", "tag after"})
"""Columns whose cells can be looked up themselves; so can those of relations."""
_EXPORTS = (CSV, TSV, FileKind("JSON, all tables", (".json",)), FileKind("Text, all tables", (".txt",)))


class BrowserPanel(QWidget):
    """Asks the model in use, and shows what it knows.

    Parameters
    ----------
    parses, store, messages
        The model in use, where the folder of files is remembered, and where messages are shown.

    Signals
    -------
    count_opened
        The sentences of a count are wanted: its :class:`CountLink`.
    answered
        The question was answered, or could not be.
    """

    count_opened = Signal(object)
    answered = Signal()

    def __init__(self, parses: ParseService, store: Store, messages: Messages) -> None:
        super().__init__()
        self._parses = parses
        self._store = store
        self._messages = messages
        self._worker = Worker("browse", newest_only=True, parent=self)
        self._browser: Browser | None = None
        self._past: list[str] = []
        self.findings: Findings | None = None
        self.edit = named(Field(placeholderText=f"Ask for {EXAMPLES}", clearButtonEnabled=True), "Ask the model")
        self._suggestions = QStringListModel(self)
        self.completer = QCompleter(self._suggestions, self)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.setMaxVisibleItems(12)
        self.edit.setCompleter(self.completer)
        self.back = text_button("‹", "Back to the question before", self.go_back)
        self.remarks = told("", "quiet")
        self.remarks.setTextFormat(Qt.TextFormat.RichText)
        self.remarks.setContentsMargins(12, 0, 12, 6)
        self.remarks.linkActivated.connect(self.ask)
        self.tables = QListWidget()
        self.tables.setObjectName("sentence-list")
        self.tables.setAccessibleName("Tables")
        self.tables.setFrameShape(QFrame.Shape.NoFrame)
        self.table = _EMPTY
        self.view = RowsView(name="What the model knows", sortable=True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.splitter = split(self.tables, self.view, sizes=(220, 740), stretch=(0, 1), upright=False)
        self.note = squeezed(told("", "quiet"))
        self.evidence = text_button("Sentences", "Show the training sentences of the chosen row", self.open_row)
        self.copy = text_button("Copy table", "Put the table on the clipboard, for a spreadsheet", self.copy_table)
        self.export = text_button(
            "Export …", "Write the table as CSV or TSV, all tables as JSON or text", self.ask_file
        )
        top = in_row(self.back, (self.edit, 1), margins=(8, 8, 12, 4), spacing=4)
        foot = in_row((self.note, 1), self.evidence, self.copy, self.export, margins=(12, 4, 8, 4))
        self.setLayout(in_column(top, self.remarks, (self.splitter, 1), foot, margins=NONE, spacing=0))
        self.edit.returnPressed.connect(lambda: self.ask(self.edit.text()))
        self.edit.textEdited.connect(self._complete)
        self.completer.activated.connect(lambda text: self.ask(text))
        self.tables.currentRowChanged.connect(self._show_table)
        self.view.doubleClicked.connect(lambda index: self.open_row())
        self.view.opened.connect(lambda row: self.open_row())
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
            self.tables.addItem(table.title)
            item = self.tables.item(number)
            item.setData(Qt.ItemDataRole.UserRole, number)
            item.setToolTip(size(table.total, "row"))
        self.back.setEnabled(len(self._past) > 1)
        if findings is not None and findings.tables:
            self.tables.setCurrentRow(min(before or 0, len(findings.tables) - 1))
        else:
            self._show_table(-1)

    def _show_table(self, row: int) -> None:
        self.table = table = self.findings.tables[row] if self.findings is not None and row >= 0 else _EMPTY
        self.view.show_table(table)
        notes = []
        if table is not _EMPTY:
            shown = len(table.rows)
            notes = [size(shown, "row") if table.total <= shown else f"the first {shown:,} of {table.total:,} rows"]
            notes += [table.note] if table.note else []
        self.note.setText("   ·   ".join(notes))
        self.note.setToolTip(no_markup(self.note.text()))
        self._enable()

    def _enable(self) -> None:
        some = bool(self.table.rows)
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
        counted = self.table.source(self.view.order[index.row()])
        if counted is not None:
            self.count_opened.emit(CountLink(f"{counted.level} of {self.table.title}", (counted,)))

    def menu(self, index: QModelIndex) -> QMenu:
        """What can be done with a row and a cell."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        table = self.table
        row = self.view.order[index.row()]
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

    def shown(self) -> FoundTable:
        """The table in the order in which it is shown."""
        return self.table.with_rows([self.table.rows[row] for row in self.view.order])

    def copy_table(self) -> None:
        """Put the table on the clipboard, in the order in which it is shown."""
        QGuiApplication.clipboard().setText(self.shown().csv(TSV_DELIMITER) + "\n")
        self._messages.show("Table copied")

    def ask_file(self) -> None:
        """Choose a file to write the table to."""
        if path := ask_save(self, self._store, "Export", "table.csv", *_EXPORTS):
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the table that is shown as CSV or TSV, or all tables as JSON or text, by the file's ending."""
        if self.findings is None:
            return
        if path.suffix == ".json":
            text = json.dumps(self.findings.as_object(), ensure_ascii=False, indent=1) + "\n"
        elif path.suffix == ".txt":
            text = self.findings.text() + "\n"
        else:
            text = self.shown().csv(TSV_DELIMITER if path.suffix == ".tsv" else CSV_DELIMITER) + "\n"
        self._messages.write(path, lambda: write_whole(path, text.encode()))


def _with_links(error: Exception) -> str:
    """An error as one sentence, in which what may have been meant can be clicked."""
    suggestions = error.suggestions if isinstance(error, UnknownNameError) else ()
    problem = error.problem if isinstance(error, UnknownNameError) else error_text(error)
    shown = html.escape(problem[:1].upper() + problem[1:], quote=False)
    if not suggestions:
        return shown + ("" if shown.endswith(".") else ".")
    links = [f'<a href="{html.escape(name)}">{html.escape(name)}</a>' for name in suggestions]
    return f"{shown}; did you mean {either(links)}?"
