"""The window of experiments: what to measure on the left, the table and the plot as they fill on the right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.evaluation.experiments.experiment_run import KeptExperiment, journal_folder, kept_experiments
from engine.text.input_recognition import is_tree
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import as_sentence, error_text
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import no_markup, size
from explorer.graphics.theme import Theme
from explorer.laboratory.experiment_files import EXPORTS, TABLES, forget_list, write_list, write_table
from explorer.laboratory.experiment_form import ExperimentForm
from explorer.laboratory.experiment_plot import PlotView
from explorer.laboratory.experiment_runner import ExperimentRunner
from explorer.laboratory.experiment_table import ResultsView
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Worker
from explorer.widgets.buttons import text_button
from explorer.widgets.labels import ElidedLabel

_GEOMETRY, _SPLIT = "experiments/geometry", "experiments/split"
_FORM_WIDTH = 310


class ExperimentWindow(QWidget):
    """Measures the paper's tables and grids of one's own.

    Parameters
    ----------
    editor
        The document, whose model and gold trees can be measured.
    tasks
        Where the experiment can be cancelled, too.
    preferences
        What is remembered from start to start.
    theme, parent
        The colours, and the window over which it stands.
    """

    def __init__(
        self, editor: DocumentEditor, tasks: TaskMonitor, preferences: Preferences, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("experiments")
        self.setWindowTitle("Experiments – Parse Explorer")
        self.setAcceptDrops(True)
        self._editor = editor
        self._preferences = preferences
        self.kept: list[KeptExperiment] = []
        self._shut = False
        self.runner = ExperimentRunner(tasks, self)
        self._keeping = Worker("kept experiments", newest_only=True, parent=self)
        self._make_widgets()
        self.runner.results_changed.connect(self._show_results)
        self.runner.state_changed.connect(self._show_state)
        self.form.changed.connect(self._show_plan)
        for keys, call in (("Ctrl+W", self.close), ("Esc", self.close), ("Ctrl+Return", self.run), ("F5", self.run)):
            QShortcut(QKeySequence(keys), self, call)
        self.set_theme(theme)
        self.form.choose("models")
        self.form.models.setText(editor.document.model)
        self.resize(1180, 740)
        self.restoreGeometry(preferences.bytes(_GEOMETRY))
        self.split.restoreState(preferences.bytes(_SPLIT))
        parent.installEventFilter(self)

    def _make_widgets(self) -> None:
        self.form = ExperimentForm(self._ask_treebanks, self._ask_models, self.list_file)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.form)
        column.addWidget(scroll, 1)
        column.addWidget(self._begun_part())
        left.setFixedWidth(_FORM_WIDTH)
        self._left = left
        self.heading = ElidedLabel()
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.table = ResultsView()
        self.plot = PlotView()
        self.plot.problem.connect(self._say)
        self.plot.saved.connect(lambda name: self._say(f"Written: {name}."))
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.plot)
        self.split.setStretchFactor(0, 1)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([320, 360])
        right = QVBoxLayout()
        right.setContentsMargins(12, 10, 12, 10)
        right.addWidget(self.heading)
        right.addWidget(self.split, 1)
        right.addLayout(self._foot())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        line = QFrame()
        line.setObjectName("hairline")
        layout.addWidget(left)
        layout.addWidget(line)
        layout.addLayout(right, 1)

    def _begun_part(self) -> QWidget:
        self.begun = QWidget()
        column = QVBoxLayout(self.begun)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(2)
        column.addWidget(QLabel("Earlier experiments"))
        self.begun_list = QListWidget()
        self.begun_list.setAccessibleName("Earlier experiments")
        self.begun_list.setMaximumHeight(76)
        self.begun_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.begun_list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.begun_list.itemActivated.connect(lambda _: self.take_up())
        column.addWidget(self.begun_list)
        row = QHBoxLayout()
        self.again = text_button(
            "Resume", "Resume the selected experiment, or show its results if it is finished", self.take_up
        )
        self.forget = text_button("Forget", "Remove the selected experiment and its results", self._forget)
        row.addWidget(self.again)
        row.addWidget(self.forget)
        row.addStretch(1)
        column.addLayout(row)
        self.begun.hide()
        return self.begun

    def _foot(self) -> QVBoxLayout:
        self.progress = QProgressBar(textVisible=False, minimum=0, maximum=1000)
        self.progress.setAccessibleName("Progress")
        self.status = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.status.setAccessibleName("State of the experiment")
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.start = QPushButton("Run")
        self.start.setToolTip("Measure (Ctrl+Return or F5); what was measured before is not measured again")
        self.start.clicked.connect(lambda: self.run())
        self.pause = QPushButton("Pause")
        self.pause.setToolTip("Pause after the sentences that are being parsed, or resume")
        self.pause.clicked.connect(lambda: self.runner.pause(not self.runner.paused))
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("End the experiment; what was measured is kept")
        self.stop.clicked.connect(lambda: self.runner.stop())
        self.export = QToolButton()
        self.export.setText("Export ▾")
        self.export.setToolTip("Write the table or the plot to a file")
        self.export.setAccessibleName("Export the table or the plot")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export)
        for kind, title, ending in EXPORTS:
            menu.addAction(title, partial(self.ask_file, kind, ending))
        self.export.setMenu(menu)
        row = QHBoxLayout()
        row.addWidget(self.status, 1)
        for button in (self.export, self.stop, self.pause, self.start):
            row.addWidget(button)
        column = QVBoxLayout()
        column.addWidget(self.progress)
        column.addLayout(row)
        return column

    # Running

    def run(self) -> None:
        """Measure what is chosen, or go on with it."""
        if self.runner.running:
            self.runner.pause(False)
            return
        try:
            options = self.form.options()
        except EngineError as error:
            self._say(as_sentence(error_text(error)))
            return
        self.runner.start(options, journal_folder())

    def take_up(self) -> None:
        """Go on with the experiment that is selected among those begun before; a finished one is shown."""
        number = self.begun_list.currentRow()
        if not 0 <= number < len(self.kept) or self.runner.running:
            return
        kept = self.kept[number]
        self.form.set_options(kept.options)
        self.runner.show(kept.options, kept.title, kept.test_title)
        self.runner.start(kept.options, journal_folder())

    def _forget(self) -> None:
        number = self.begun_list.currentRow()
        if 0 <= number < len(self.kept) and not self.runner.running:
            kept = self.kept[number]
            kept.forget()
            # Experiments on the same trees share a file of them.
            used = {name for other in self.kept if other is not kept for name in other.options.test}
            for name in kept.options.test:
                if name not in used:
                    forget_list(name, journal_folder())
            self.refresh_kept()

    def refresh_kept(self) -> None:
        """Look for experiments that were begun before."""
        if self._shut:
            return
        self._keeping.request(
            lambda job: kept_experiments(journal_folder()), self._show_kept, lambda error: self._say(str(error))
        )

    def _show_kept(self, kept: Sequence[KeptExperiment]) -> None:
        self.kept = list(kept)
        chosen = max(self.begun_list.currentRow(), 0)
        self.begun_list.clear()
        for one in kept:
            state = "finished" if one.finished else f"{one.done} of {one.trials} measured"
            self.begun_list.addItem(f"{one.options.definition.title}, {one.test_title}: {state}")
            self.begun_list.item(self.begun_list.count() - 1).setToolTip(no_markup(one.title))
        self.begun_list.setCurrentRow(min(chosen, len(kept) - 1))
        self.begun.setVisible(bool(kept))

    # Showing

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.table.results.set_theme(theme)
        self.plot.set_theme(theme)

    def _show_plan(self) -> None:
        """Say how much there is to measure, and show its empty table, unless something is being measured."""
        if self.runner.running:
            return
        try:
            options = self.form.options()
        except EngineError as error:
            self._say(as_sentence(error_text(error)))
            self._show_state(keep_status=True)
            return
        if options != self.runner.options:
            self.runner.show(options, "", "")
        trials = len(options.definition.plan(options))
        what = (
            "Counts in the gold trees; nothing is parsed."
            if options.definition.counts_only
            else f"{size(trials, 'trial')}."
        )
        self._show_state(keep_status=True)
        self._say(what)

    def _show_results(self) -> None:
        runner = self.runner
        table = runner.table()
        self.table.results.set_table(table)
        self.heading.setText(table.title.replace("<=", "≤ ") if table is not None else "")
        self.plot.set_results(runner.options, runner.results, runner.test_title or "this treebank")

    def _show_state(self, keep_status: bool = False) -> None:
        runner = self.runner
        self.start.setVisible(not runner.running)
        self.start.setText("Resume" if runner.results and not runner.finished else "Run")
        self.pause.setVisible(runner.running)
        self.pause.setText("Resume" if runner.paused else "Pause")
        self.stop.setVisible(runner.running)
        self.form.setEnabled(not runner.running)
        self.begun.setEnabled(not runner.running)
        self.export.setEnabled(bool(runner.results))
        self.progress.setValue(round(1000 * runner.share) if runner.running else 0)
        if keep_status:
            return
        left = f", {runner.time_left} left" if runner.time_left else ""
        done = f"{len(runner.done)} done" if runner.running and runner.done else ""
        paused = "Paused: " if runner.paused else ""
        self._say("; ".join(filter(None, (f"{paused}{runner.message}{left}", done))))
        if not runner.running:
            self.refresh_kept()

    def _say(self, text: str) -> None:
        self.status.setText(text)

    # Files

    def _folder(self) -> str:
        return self._preferences.text("folder")

    def _ask_treebanks(self, title: str) -> Sequence[str]:
        names, _ = QFileDialog.getOpenFileNames(self, title, self._folder())
        return names

    def _ask_models(self) -> Sequence[str]:
        names, _ = QFileDialog.getOpenFileNames(self, "Models", self._folder(), "Models (*.model);;All files (*)")
        return names

    def list_file(self) -> str:
        """Write the gold trees of the list to a file that stays until the experiment is forgotten; its path."""
        trees = [line for line in self._editor.document.lines if is_tree(line.text)]
        if not trees:
            self._say("No sentence of the list has a gold tree; open a treebank first.")
            return ""
        try:
            return str(write_list(trees, journal_folder()))
        except EngineError as error:
            self._say(as_sentence(error_text(error)))
            return ""

    def ask_file(self, kind: str, ending: str) -> None:
        """Ask for a file, and write the table or the plot to it."""
        options = self.runner.options
        start = str(Path(self._folder()) / f"{options.experiment if options else 'experiment'}{ending}")
        name, _ = QFileDialog.getSaveFileName(self, "Export", start, f"*{ending}")
        if name:
            self.write(kind, Path(name).with_suffix(Path(name).suffix or ending))

    def write(self, kind: str, path: Path) -> None:
        """Write the table or the plot to a file."""
        table = self.runner.table()
        if table is None:
            return
        if kind in TABLES:
            self._say(write_table(table, kind, path))
        else:
            self._say("Drawing …")
            self.plot.save(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls() and not self.runner.running:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Measure on the treebanks, or the models, that are dropped."""
        self.form.take_files([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()

    # Closing

    def shut_down(self) -> None:
        """End what runs beside the window; what was measured is kept."""
        self._shut = True
        self.runner.close()
        self._keeping.stop()
        self.plot.plotter.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End with the window over which it stands."""
        if watched is self.parent() and event.type() == QEvent.Type.Close:
            self.close()
            self.shut_down()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Give the left half room for another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "form"):
            QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Make the left half as wide as what stands in it, and the scroll bar beside that."""
        self.form.fit()
        bar = self._left.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self._left.setFixedWidth(max(_FORM_WIDTH, self.form.minimumSizeHint().width() + bar))

    def showEvent(self, event: QShowEvent) -> None:
        """Come back, also after the main window was to close and stayed."""
        self._shut = False
        super().showEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember where it was; an experiment goes on, and the window comes back with it."""
        self._preferences.keep(_GEOMETRY, self.saveGeometry())
        self._preferences.keep(_SPLIT, self.split.saveState())
        super().closeEvent(event)
