"""The window "Systems compared": what is compared on top, what came of it below, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.common.markup import curly_quotes
from engine.common.tables import TABLE_FORMATS, Table
from engine.study.systems_report import whole_text
from explorer.kit.appearance import BASE_POINTS
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import kinds_of
from explorer.kit.fonts import QtMetrics
from explorer.kit.messages import as_sentence, error_text
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.laboratory.system_results import SCATTER, SENTENCES, SystemTabs
from explorer.laboratory.system_setup import SystemSetup
from explorer.laboratory.system_task import ComparedSystems, SystemsRequest, compare_in_worker
from explorer.output.files import usual_scale, write_drawing
from explorer.pictures.drawing import Drawing
from explorer.pictures.theme import LIGHT, Theme
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


def table_text(table: Table, suffix: str) -> str:
    """A table as a file of this ending has it."""
    _, write = TABLE_FORMATS.get(suffix.lower(), TABLE_FORMATS[".txt"])
    return f"{write(table)}\n"


def write_plot(drawing: Drawing, path: Path, theme: Theme) -> None:
    """Write the plot, its format by the file's ending."""
    write_drawing(drawing, path, theme, usual_scale(path.suffix), QtMetrics())


# The window "Systems compared": what is compared on top, what came of it below.

_GEOMETRY = "systems-geometry"
_ABOUT = (
    "Compare two or more parsers over the same gold trees: models with their settings, or files of other parsers’ "
    "trees. Press ‘Compare’ to see who is better, by how much, and whether that may be chance."
)
_CANCELLED = "The comparison of systems was cancelled"
_PROGRESS_MS = 100
_HIGH = 900
"""Height from which on there is room for fields and results at once."""


class SystemWindow(QWidget):
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

    def __init__(
        self,
        editor: DocumentEditor,
        preferences: Preferences,
        tasks: TaskMonitor,
        models: list[str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("systems")
        self.setWindowTitle("Systems compared")
        self._editor = editor
        self._preferences = preferences
        self._theme = LIGHT
        self._worker = Worker("systems", newest_only=True, parent=self)
        tasks.watch(self._worker, _CANCELLED, self.cancel)
        # What was asked for is written, also if the window closes meanwhile.
        self._writer = Worker("write systems", parent=self)
        self._job: Job | None = None
        self._pace = QTimer(self, interval=_PROGRESS_MS)
        self._pace.timeout.connect(self._show_progress)
        self.setup = SystemSetup(lambda: editor.document, models, preferences)
        self.run = QPushButton("Compare")
        self.run.setDefault(True)
        self.run.setToolTip("Parse the gold trees’ words with every system, and compare (Ctrl+Enter)")
        self.run.clicked.connect(lambda: self.toggle())
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.status = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.status.setWordWrap(True)
        self.status.setAccessibleName("Status")
        self.export = QToolButton()
        self.export.setText("Export ▾")
        self.export.setToolTip("Write tables and the plot to files, or copy them")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu())
        self.export.setEnabled(False)
        self.results = SystemTabs()
        self.results.opened.connect(self._open)
        self.hint = QLabel(_ABOUT, wordWrap=True)
        self.hint.setObjectName("quiet")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.hint)
        self.pages.addWidget(self.results)
        self.fold = QToolButton()
        self.fold.setToolTip("Show or hide what is compared, to make room for the results (Ctrl+M)")
        self.fold.clicked.connect(lambda: self.show_setup(self.setup.isHidden()))
        line = QHBoxLayout()
        line.addWidget(self.run)
        line.addWidget(self.fold)
        line.addWidget(self.progress, 1)
        line.addWidget(self.status, 2)
        line.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 8)
        layout.addWidget(self.setup)
        layout.addLayout(line)
        layout.addWidget(self.pages, 1)
        self.progress.hide()
        self.show_setup(True)
        for keys, call in (
            ("Ctrl+Return", self.toggle),
            ("Ctrl+Enter", self.toggle),
            ("Ctrl+W", self.close),
            ("Ctrl+M", lambda: self.show_setup(self.setup.isHidden())),
            ("Escape", self._escape),
        ):
            QShortcut(QKeySequence(keys), self, call, context=Qt.ShortcutContext.WindowShortcut)
        editor.document_changed.connect(self._document_changed)
        self._fit_pictures()
        self._restore()

    # Its place

    def _restore(self) -> None:
        geometry = self._preferences.bytes(_GEOMETRY)
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            room = self.screen().availableGeometry()
            self.resize(min(1180, room.width() - 40), min(760, room.height() - 60))

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember where it was."""
        self._preferences.keep(_GEOMETRY, self.saveGeometry())
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Show what the list has now."""
        super().showEvent(event)
        self.setup.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop what is under way; what was found is there when it is shown again."""
        self.cancel()
        super().closeEvent(event)

    def _escape(self) -> None:
        if self._job is not None:
            self.cancel()
        else:
            self.close()

    def changeEvent(self, event: QEvent) -> None:
        """Show pictures in the size of the type around them."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "results"):
            self._fit_pictures()

    def _fit_pictures(self) -> None:
        self.results.set_text_scale(self.font().pointSizeF() / BASE_POINTS)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = theme
        self.results.set_theme(theme)

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

    def toggle(self) -> None:
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
            self._say(error)
            return
        request = SystemsRequest(self._editor.document.lines, self.setup.treebank_file, systems, self.setup.options())
        self.run.setText("Cancel")
        self.status.setText("Reading the gold trees")
        self.progress.setValue(0)
        self.progress.show()
        self._pace.start()
        self._job = self._worker.request(
            lambda job: compare_in_worker(job, request), self._done, self._say, on_finished=self._ended
        )

    def cancel(self) -> None:
        """Stop comparing; what was compared before stays."""
        if self._job is not None:
            self._worker.cancel()
            self.status.setText("Stopping …")

    def _show_progress(self) -> None:
        if self._job is not None and not self._job.cancelled:
            self.progress.setValue(round(1000 * (self._job.share or 0.0)))
            self.status.setText(self._job.activity)

    def _done(self, compared: ComparedSystems) -> None:
        self.results.show_report(compared)
        self.pages.setCurrentWidget(self.results)
        self.export.setEnabled(True)
        if self.height() < _HIGH:
            self.show_setup(False)
        refused = f"{compared.refused:,} broken trees of the treebank were left out." if compared.refused else ""
        self.status.setText(refused)
        self.results.tabs.tabBar().setFocus()

    def _say(self, error: Exception) -> None:
        self.status.setText(as_sentence(curly_quotes(error_text(error))))

    def _ended(self) -> None:
        cancelled = self._job is not None and self._job.cancelled
        self._job = None
        self._pace.stop()
        self.progress.hide()
        self.run.setText("Compare")
        if cancelled:
            self.status.setText(f"{_CANCELLED}.")

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
        if path := ask_save(self, self._preferences, "Export", f"systems{suffix}", *kinds_of(suffixes)):
            write(path)

    def _write(self, path: Path, write: Callable[[ComparedSystems], None]) -> None:
        """Write to a file off the window's thread: of a large treebank it takes seconds."""
        compared = self.results.compared
        if compared is not None:
            self._writer.request(lambda job: write(compared), lambda _: self._written(path), self._say)

    def _written(self, path: Path) -> None:
        self.status.setText(f"Written: {path.name}.")

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
        if self.results.compared is None:
            return
        try:
            write_plot(self.results.plot.drawing(), path, self._theme)
        except (OSError, EngineError) as error:
            self._say(error)
        else:
            self._written(path)

    def copy_table(self, suffix: str) -> None:
        """Put the table that is shown on the clipboard."""
        if self.results.compared is not None:
            QGuiApplication.clipboard().setText(table_text(self._table, suffix))
            self.status.setText("Copied.")
