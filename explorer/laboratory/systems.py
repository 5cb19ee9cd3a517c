"""The window "Systems compared": what is compared on top, what came of it below, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QMenu,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.common.tables import TABLE_FORMATS, Table
from engine.study.systems_report import whole_text
from explorer.kit.appearance import appearance
from explorer.kit.controls import in_column, in_row, menu_button, push_button, told
from explorer.kit.file_kinds import kinds_of
from explorer.kit.fonts import QtMetrics
from explorer.kit.messages import outcome_of_writing, written
from explorer.kit.tables import table_text
from explorer.kit.task_window import TaskWindow, WorkBar
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.laboratory.system_results import SCATTER, SENTENCES, SystemTabs
from explorer.laboratory.system_setup import SystemSetup
from explorer.laboratory.system_task import ComparedSystems, SystemsRequest, compare_in_worker
from explorer.output.files import usual_scale, write_drawing
from explorer.pictures.drawing import Drawing
from explorer.pictures.theme import Theme
from explorer.session.editor import DocumentEditor
from explorer.session.preferences import Preferences

# Tables and the plot of systems compared as files: CSV, LaTeX and text; SVG, PDF and PNG; JSON of all of it.

PICTURE_SUFFIXES = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG"}
ALL_SUFFIXES = {".json": "JSON", ".txt": "text"}


def write_all(compared: ComparedSystems, path: Path) -> None:
    """Write everything: as JSON with all sentences, or as text."""
    if path.suffix.lower() == ".json":
        content = json.dumps(compared.report.as_dict(), ensure_ascii=False, indent=1)
    else:
        content = whole_text(compared.report, compared.title)
    write_whole(path, f"{content}\n".encode())


def write_plot(drawing: Drawing, path: Path, theme: Theme) -> None:
    """Write the plot, its format by the file's ending."""
    write_drawing(drawing, path, theme, usual_scale(path.suffix), QtMetrics())


# The window "Systems compared": what is compared on top, what came of it below.

_ABOUT = (
    "Compare two or more parsers over the same gold trees: models with their settings, or files of other parsers’ "
    "trees. Press ‘Compare’ to see who is better, by how much, and whether that may be chance."
)
_CANCELLED = "The comparison of systems was cancelled"
_HIGH = 900
"""Height from which on there is room for fields and results at once."""


class SystemWindow(TaskWindow):
    """Compares parsers.

    Parameters
    ----------
    editor, preferences, tasks
        Whose list and settings are used, what is remembered, and where the work can be watched and cancelled.
    models
        Files of models to choose from.
    parent
        The main window.

    Signals
    -------
    opened
        A sentence is to be opened in Compare: what was compared, its number, what is to be held against what, the pair.
    """

    opened = Signal(object, int, str, object)
    size_at_first = (1180, 760)

    def __init__(
        self,
        editor: DocumentEditor,
        preferences: Preferences,
        tasks: TaskMonitor,
        models: list[str],
        parent: QWidget,
    ) -> None:
        super().__init__("systems", "Systems compared", preferences, parent)
        self._editor = editor
        self._worker = Worker("systems", newest_only=True, parent=self)
        tasks.watch(self._worker, _CANCELLED, self.cancel)
        # What was asked for is written, also if the window closes meanwhile.
        self._writer = Worker("write systems", parent=self)
        self._job: Job | None = None
        self.setup = SystemSetup(lambda: editor.document, models, preferences)
        tip = "Parse the gold trees’ words with every system, and compare (Ctrl+Enter)"
        self.run = push_button("Compare", tip, self.begin)
        self.run.setDefault(True)
        self.progress = WorkBar(self._worker, told=lambda job: self.say(job.activity))
        self.export = menu_button("Export ▾", "Write tables and the plot to files, or copy them", self._export_menu())
        self.export.setEnabled(False)
        self.results = SystemTabs()
        self.results.opened.connect(self._open)
        self.hint = told(_ABOUT, "quiet")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.hint)
        self.pages.addWidget(self.results)
        self.fold = QToolButton()
        self.fold.setToolTip("Show or hide what is compared, to make room for the results (Ctrl+M)")
        self.fold.clicked.connect(lambda: self.show_setup(self.setup.isHidden()))
        line = in_row(self.run, self.fold, (self.progress, 1), (self.status, 2), self.export)
        self.setLayout(in_column(self.setup, line, (self.pages, 1), margins=(12, 10, 12, 8)))
        self.show_setup(True)
        QShortcut(QKeySequence("Ctrl+M"), self, lambda: self.show_setup(self.setup.isHidden()))
        editor.document_changed.connect(self._document_changed)

    # Its place

    def showEvent(self, event: QShowEvent) -> None:
        """Show what the list has now."""
        super().showEvent(event)
        self.setup.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop what is under way; what was found is there when it is shown again."""
        self.cancel()
        super().closeEvent(event)

    def leave(self) -> None:
        """Stop what is under way; close where nothing is."""
        if self._job is not None:
            self.cancel()
        else:
            self.close()

    def _document_changed(self) -> None:
        if self.isVisible():
            self.setup.refresh()

    def show_setup(self, shown: bool) -> None:
        """Show what is compared, or hide it."""
        self.setup.setVisible(shown)
        self.fold.setText("▾ What is compared" if shown else "▸ What is compared")

    # Comparing

    @property
    def busy(self) -> bool:
        """Whether systems are being compared."""
        return self._job is not None

    def begin(self) -> None:
        """Compare, or stop comparing."""
        if self._job is not None:
            self.cancel()
        else:
            self.compare()

    def compare(self) -> None:
        """Compare the systems as the fields say."""
        try:
            systems = tuple(self.setup.systems())
        except EngineError as error:
            self.say(error)
            return
        request = SystemsRequest(self._editor.document.lines, self.setup.treebank_file, systems, self.setup.options())
        self.run.setText("Cancel")
        self.say("Reading the gold trees")
        self._job = self._worker.request(
            lambda job: compare_in_worker(job, request), self._done, self.say, on_finished=self._ended
        )

    def cancel(self) -> None:
        """Stop comparing; what was compared before stays."""
        if self._job is not None:
            self._worker.cancel()
            self.say("Stopping …")

    def _done(self, compared: ComparedSystems) -> None:
        self.results.show_report(compared)
        self.pages.setCurrentWidget(self.results)
        self.export.setEnabled(True)
        if self.height() < _HIGH:
            self.show_setup(False)
        refused = f"{compared.refused:,} broken trees of the treebank were left out." if compared.refused else ""
        self.say(refused)
        self.results.tabs.tabBar().setFocus()

    def _ended(self) -> None:
        cancelled = self._job is not None and self._job.cancelled
        self._job = None
        self.run.setText("Compare")
        if cancelled:
            self.say(f"{_CANCELLED}.")

    def _open(self, number: int, opens: str, pair: object) -> None:
        if self.results.compared is not None:
            self.opened.emit(self.results.compared, number, opens, pair)

    # Exporting

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        tables = {suffix: title for suffix, (title, _) in TABLE_FORMATS.items()}
        for suffix, title in tables.items():
            menu.addAction(f"This table as {title} …", partial(self._ask, suffix, tables, self.export_table))
        menu.addAction("Copy this table as text", lambda: self.copy_table(".txt"))
        menu.addAction("Copy this table as LaTeX", lambda: self.copy_table(".tex"))
        menu.addSeparator()
        for suffix, title in ALL_SUFFIXES.items():
            menu.addAction(f"Everything as {title} …", partial(self._ask, suffix, ALL_SUFFIXES, self.export_all))
        menu.addSeparator()
        for suffix, title in PICTURE_SUFFIXES.items():
            menu.addAction(
                f"F1 against F1 as {title} …", partial(self._ask, suffix, PICTURE_SUFFIXES, self.export_plot)
            )
        return menu

    def _ask(self, suffix: str, suffixes: dict[str, str], write: Callable[[Path], None]) -> None:
        self.ask_to_write(f"systems{suffix}", kinds_of(suffixes), write)

    def _write(self, path: Path, write: Callable[[ComparedSystems], None]) -> None:
        """Write to a file off the window's thread: of a large treebank it takes seconds."""
        compared = self.results.compared
        if compared is not None:
            self._writer.request(lambda job: write(compared), lambda _: self.say(f"{written(path)}."), self.say)

    def export_table(self, path: Path) -> None:
        """Write the table that is shown to a file."""
        if self.results.tables:
            table = self._table
            self._write(path, lambda compared: write_whole(path, table_text(table, path.suffix).encode()))

    @property
    def _table(self) -> Table:
        """The table of the tab that is shown; that of sentences for the plot."""
        tab = self.results.tabs.currentIndex()
        return self.results.tables[SENTENCES if tab == SCATTER else tab]

    def export_all(self, path: Path) -> None:
        """Write all tables to a file."""
        self._write(path, lambda compared: write_all(compared, path))

    def export_plot(self, path: Path) -> None:
        """Write the plot to a file."""
        if self.results.compared is not None:
            drawing = self.results.plot.drawing()
            self.say(outcome_of_writing(path, lambda: write_plot(drawing, path, appearance().theme)))

    def copy_table(self, suffix: str) -> None:
        """Put the table that is shown on the clipboard."""
        if self.results.compared is not None:
            QGuiApplication.clipboard().setText(table_text(self._table, suffix))
            self.say("Copied.")
