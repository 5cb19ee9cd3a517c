"""The training window: choose treebanks, look at what is in them, train a model, open it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from engine.common.errors import TreeError
from engine.common.text_tables import size
from engine.training.survey_results import TreebankSurvey
from engine.training.training_run import TrainingOptions
from explorer.document.messages import Messages, as_sentence, error_text
from explorer.document.preferences import Preferences
from explorer.laboratory.survey_tabs import NOTHING, SurveyTabs
from explorer.laboratory.training_form import TrainingForm
from explorer.laboratory.training_sources import TreebankList
from explorer.laboratory.training_stages import TrainingStages
from explorer.laboratory.training_view import TrainingView
from explorer.laboratory.training_work import LeftOut, StageShare, TrainingResult, look_at, train_model
from explorer.tasks.child_process import run_in_child
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker
from explorer.widgets.labels import ElidedLabel

_GEOMETRY = "training/geometry"
_CANCELLED = "Training was cancelled; nothing was written."
_LEFT_WIDTH = 400
OpenModel = Callable[[Path, tuple[str, ...]], None]
"""Opens a model's file, and links it to its treebanks."""


class TrainingWindow(QWidget):
    """Trains models; the work is done in a process of its own.

    Parameters
    ----------
    preferences, tasks, messages
        What is remembered, where training can be followed and cancelled, and where messages are shown.
    open_model
        Opens the model when it is there.
    parent
        The window over which this one opens.
    """

    def __init__(
        self,
        preferences: Preferences,
        tasks: TaskMonitor,
        messages: Messages,
        open_model: OpenModel,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Train a model – Parse Explorer")
        self.setAcceptDrops(True)
        self._preferences = preferences
        self._messages = messages
        self._open_model = open_model
        self._stages: TrainingStages | None = None
        self._trained: tuple[Path, tuple[str, ...]] | None = None
        self._looking = Worker("look at treebanks", newest_only=True, parent=self)
        self._training = tasks.watch(Worker("train a model", parent=self), _CANCELLED, self.cancel)
        self.sources = TreebankList(preferences)
        self.form = TrainingForm(preferences)
        self.tabs = SurveyTabs()
        self.view = TrainingView()
        self._training_tab = self.tabs.addTab(self.view, "Training")
        self.status = ElidedLabel()
        self.status.setAccessibleName("Status")
        self.train = QPushButton("&Train")
        self.train.setToolTip("Train a model on these treebanks, and write it to its file")
        self.stop = QPushButton("&Cancel")
        self.stop.setToolTip("Stop training; no file is left behind")
        self.open = QPushButton("O&pen the model")
        self.open.setToolTip("Use the model in the main window; its counts then open the sentences of these treebanks")
        self._arrange()
        self._connect()
        if not self.restoreGeometry(preferences.bytes(_GEOMETRY)):
            self.resize(1120, 700)
        self._show_state()

    def _arrange(self) -> None:
        options = QScrollArea(widgetResizable=True)
        options.setFrameShape(QScrollArea.Shape.NoFrame)
        options.setWidget(self.form)
        options.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 8, 0)
        column.addWidget(_heading("Treebanks"))
        column.addWidget(self.sources, 2)
        column.addWidget(_heading("Options"))
        column.addWidget(options, 3)
        both = QSplitter()
        both.addWidget(left)
        both.addWidget(self.tabs)
        both.setStretchFactor(1, 1)
        both.setChildrenCollapsible(False)
        both.setSizes([_LEFT_WIDTH, 720])
        row = QHBoxLayout()
        row.addWidget(self.status, 1)
        for button in (self.stop, self.open, self.train):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(both, 1)
        layout.addLayout(row)

    def _connect(self) -> None:
        self.sources.changed.connect(self._sources_changed)
        self.form.head_rules_changed.connect(self.look)
        self.form.file_changed.connect(self._show_state)
        self.train.clicked.connect(lambda: self.start())
        self.stop.clicked.connect(lambda: self.cancel())
        self.open.clicked.connect(lambda: self.open_trained())
        self.view.go_on.clicked.connect(lambda: self.go_on())
        for keys in ("Escape", "Ctrl+W"):
            QShortcut(QKeySequence(keys), self, self.close)

    @property
    def busy(self) -> bool:
        """Whether something is looked at or trained, or is being stopped."""
        return not (self._looking.idle and self._training.idle)

    # Treebanks

    def _sources_changed(self) -> None:
        if self.sources.paths:
            self.form.suggest(self.sources.paths[0])
        self.look()

    def look(self) -> None:
        """Look at the treebanks, in another process."""
        paths, rules = self.sources.paths, self.form.head_rules
        self.sources.show_counts(())
        if not paths:
            self._looking.cancel()
            self.tabs.show_survey(None)
            self.tabs.show_note(NOTHING)
            self._show_state()
            return
        self.tabs.show_note("Looking at the treebanks …")

        def work(job: Job) -> TreebankSurvey:
            def on_message(told: StageShare) -> None:
                job.deliver(told)

            found: TreebankSurvey = run_in_child(look_at, (paths, rules), on_message, lambda: job.report(job.share))
            return found

        def on_progress(told: StageShare) -> None:
            self.tabs.show_note(f"Looking at the treebanks … {told.share:.0%}")

        self._looking.request(work, self._show_survey, self._look_failed, on_progress, self._show_state)
        self._show_state()

    def _show_survey(self, found: TreebankSurvey) -> None:
        self.tabs.show_survey(found)
        self.tabs.show_note("")
        self.sources.show_counts(found.sources)

    def _look_failed(self, error: Exception) -> None:
        self.tabs.show_survey(None)
        self.tabs.show_note(as_sentence(error_text(error)))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what is dropped to the treebanks."""
        self.sources.add([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()

    # Training

    def start(self) -> None:
        """Train as is chosen."""
        if not self.train.isEnabled():
            return
        options = self.form.options(self.sources.paths, self.sources.weights)
        name = Path(options.output).name
        self._stages = stages = TrainingStages(options)
        self._trained = None
        self.view.begin(f"Training {name} on {size(len(options.treebanks), 'treebank')} …")
        self.view.show_stages(stages)
        self.tabs.setCurrentIndex(self._training_tab)

        def work(job: Job) -> TrainingResult:
            activity = f"Training {name}"

            def on_message(told: object) -> None:
                if isinstance(told, StageShare):
                    job.report(told.share, f"{activity}: {told.stage}")
                job.deliver(told)

            job.report(None, activity)
            result: TrainingResult = run_in_child(
                train_model, (options,), on_message, lambda: job.report(job.share), (Path(options.output),)
            )
            return result

        self._training.request(
            work,
            lambda result: self._show_result(options, result),
            lambda error: self._show_failure(error, name),
            self._show_progress,
            self._finished,
        )
        self._show_state()
        self.status.setText("Starting …")
        self.stop.setFocus()

    def go_on(self) -> None:
        """Leave broken trees out, and train again."""
        self.form.boxes["skip_bad"].setChecked(True)
        self.start()

    def cancel(self) -> None:
        """Stop training."""
        if self._training.busy:
            self._training.cancel()
            self.view.show_end("Stopping …")
            self._show_state()

    def _show_progress(self, told: object) -> None:
        if isinstance(told, LeftOut):
            self.view.show_left_out(told.text)
        elif isinstance(told, StageShare) and self._stages is not None:
            self._stages.follow(told.stage, told.share)
            self.view.show_stages(self._stages)
            left = self._stages.time_left()
            self.status.setText(self._stages.current + (f", {left}" if left else ""))

    def _show_result(self, options: TrainingOptions, result: TrainingResult) -> None:
        path = Path(result.output)
        self._trained = path, options.treebanks
        if self._stages is not None:
            self._stages.finish()
            self.view.show_stages(self._stages)
        without = f"; {size(result.left_out, 'broken tree')} left out" if result.left_out else ""
        self.view.show_result(f"{path.name} is trained{without}.", result)
        self._messages.show(f"{path.name} is trained.")

    def _show_failure(self, error: Exception, name: str) -> None:
        broken = isinstance(error, TreeError)
        self.view.show_end(f"{name} was not trained; nothing was written.", as_sentence(error_text(error)), broken)

    def _finished(self) -> None:
        if self._training.idle and self.view.title.text() == "Stopping …":
            self.view.show_end(_CANCELLED)
        self._show_state()

    def open_trained(self) -> None:
        """Use the model that was trained."""
        if self._trained is not None:
            self._open_model(*self._trained)
            self.status.setText(f"{self._trained[0].name} is open in the main window.")

    # Showing

    def _show_state(self) -> None:
        running = not self._training.idle
        ready = bool(self.sources.paths) and self.form.output is not None
        self.train.setEnabled(ready and not running)
        self.open.setVisible(self._trained is not None and not running)
        if self.stop.hasFocus() and not running:
            # A button that vanishes gives the keys to whatever comes next.
            (self.open if self._trained is not None else self.train).setFocus()
        self.stop.setVisible(running)
        self.stop.setEnabled(self._training.busy)
        self.train.setDefault(self.train.isEnabled() and not self.open.isVisible())
        if not running:
            self.status.setText(self._what_next())

    def _what_next(self) -> str:
        if not self.sources.paths:
            return "Choose treebanks first."
        if self.form.output is None:
            return "Name a file for the model."
        if self._looking.busy:
            return "Looking at the treebanks …"
        if self._trained is not None and self._trained[0] == self.form.output:
            return f"Written: {self.form.output}"
        return f"{'Replaces' if self.form.output.exists() else 'Writes'} {self.form.output}"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember where it was; a training goes on, and the main window shows how far it is."""
        self._preferences.keep(_GEOMETRY, self.saveGeometry())
        super().closeEvent(event)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label
