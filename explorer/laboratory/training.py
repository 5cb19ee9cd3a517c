"""The training window: choose treebanks, look at what is in them, train a model, open it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.errors import TreeError
from engine.common.numbers import size
from engine.training.survey import SourceSurvey, TreebankSurvey
from engine.training.train import TrainingOptions
from engine.trees.treebank import corpus_name
from explorer.kit import file_kinds
from explorer.kit.controls import (
    NONE,
    ElidedLabel,
    bold,
    holder,
    in_column,
    in_row,
    push_button,
    quiet_label,
    scrolled,
    split,
    told,
)
from explorer.kit.file_dialogs import (
    ask_folder,
    ask_several,
    folder,
    remember_folder,
)
from explorer.kit.forms import File, Form, Line, Number, Switch
from explorer.kit.messages import Messages, as_sentence, error_text
from explorer.kit.processes import run_in_child
from explorer.kit.store import Store
from explorer.kit.tables import Row, RowsView
from explorer.kit.task_window import ShareBar, TaskWindow
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.laboratory.survey import NOTHING, SurveyTabs
from explorer.laboratory.training_work import (
    MOST_TOLD,
    LeftOut,
    StageShare,
    TrainingResult,
    TrainingStages,
    look_at,
    train_model,
)
from explorer.session.preferences import Preferences

# The options of training, each with what it means.

_MOST_JOBS = 64
_NEW_MODEL = f"own{file_kinds.MODEL.new_suffix}"


def _credits(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (line.strip() for line in text.split(";"))))


FIELDS = (
    File(
        "output",
        "Model",
        spoken="The model's file",
        kinds=(file_kinds.MODEL,),
        button="&Model …",
        button_tip="Choose the file that the model is written to",
        placeholder="the file to write",
        offered=_NEW_MODEL,
    ),
    File(
        "head_rules",
        "Head rules",
        button="&Head rules …",
        button_tip="Choose a table of head rules to use in place of the built-in one",
        placeholder="built-in",
    ),
    Line(
        "credits",
        "Credit",
        "Many treebanks ask to be credited; separate several lines by semicolons",
        placeholder="a line to keep in the model",
        parse=_credits,
    ),
    Number("jobs", "Processes", "How many processes work at once; the model is the same for any number", 1, _MOST_JOBS),
    Switch("tagger", "Tagger", "The model can then read plain text. Without it every word must come with its tag."),
    Switch(
        "skip_bad",
        "Leave out broken trees",
        "They are counted and listed. Without this the first broken tree ends the training.",
    ),
    Switch(
        "rerank",
        "Re-ranker",
        "Puts the best parses of preset (5) into a better order. "
        "Takes minutes: ten models, each of nine tenths of the trees, parse the rest.",
    ),
    Switch(
        "compact",
        "Compact counts",
        "Leaves out contexts that hardly change an estimate. Presets (1) to (4) are then not exactly the paper's.",
    ),
    Switch(
        "packed",
        "Small file",
        "Keeps all counts in about a twentieth of the space. Unpacked when it is first used.",
    ),
)


class TrainingForm(QWidget):
    """Fields for all options of training.

    Parameters
    ----------
    store
        Which folder is remembered.

    Signals
    -------
    head_rules_changed
        Another table of head rules was named.
    file_changed
        Another file for the model was named.
    """

    head_rules_changed = Signal()
    file_changed = Signal()

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self.fields = Form(FIELDS, store, self)
        self.fields.show(jobs=max(1, min(2, (os.cpu_count() or 1) - 1)), tagger=True)
        self.file, self.rules = self.fields["output"], self.fields["head_rules"]
        rows = self.fields.rows("output", "head_rules", "credits", "jobs")
        boxes = self.fields.explained(*(one.name for one in FIELDS if isinstance(one, Switch)))
        self.setLayout(in_column(rows, boxes, None, margins=(0, 0, 8, 0)))
        self.file.textChanged.connect(lambda _: self.file_changed.emit())
        self.rules.editingFinished.connect(self._rules_edited)
        self._rules = ""

    @property
    def output(self) -> Path | None:
        """The file to write; ``None`` if none is named."""
        name = self.fields.value("output")
        if not name:
            return None
        path = folder(self._store) / Path(name).expanduser()
        return path.with_name(path.name + ("" if path.suffix else file_kinds.MODEL.new_suffix))

    @property
    def head_rules(self) -> str | None:
        """The file of head rules; ``None`` for the built-in ones."""
        return self.fields.value("head_rules") or None

    def options(self, treebanks: tuple[str, ...], weights: tuple[int, ...]) -> TrainingOptions:
        """What is chosen."""
        chosen = {**self.fields.values(), "output": str(self.output), "head_rules": self.head_rules}
        return TrainingOptions(treebanks=treebanks, weights=weights, **chosen)

    def suggest(self, treebank: str) -> None:
        """Name the model after a treebank, if it has no name yet."""
        if not self.file.text():
            path = Path(treebank)
            name = path.name.removesuffix(".gz")
            stem = (Path(name).stem if path.is_file() else name) or "own"
            ends = chain([""], (f"-{number}" for number in count(2)))
            free = (path.parent / f"{stem}{end}{file_kinds.MODEL.new_suffix}" for end in ends)
            self.file.setText(str(next(file for file in free if not file.exists())))

    def _rules_edited(self) -> None:
        if self.rules.text() != self._rules:
            self._rules = self.rules.text()
            self.head_rules_changed.emit()


# The treebanks that a model is to be trained on: files and folders, their trees, and how much each counts.

NAME, TREES, BROKEN, WEIGHT = range(4)
_HEADER = ("treebank", "trees", "broken", "weight")
_MOST_WEIGHT = 999
_WEIGHT_TIP = "How many times its trees count in preset (5); double-click or press F2 to change it"
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _SourceTable(QTableWidget):
    """The table; the key Delete takes treebanks out."""

    removal_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the chosen treebanks out with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)


class TreebankList(QWidget):
    """Lists treebanks; adds and removes them.

    Parameters
    ----------
    preferences
        Which folder is remembered.

    Signals
    -------
    changed
        There are other treebanks in it.
    """

    changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._paths: list[str] = []
        self._weights: list[int] = []
        self._filling = False
        self.table = _SourceTable(0, len(_HEADER))
        for column, title in enumerate(_HEADER):
            item = QTableWidgetItem(title)
            item.setTextAlignment(_LEFT if column == NAME else _RIGHT)
            item.setToolTip(_WEIGHT_TIP if column == WEIGHT else "")
            self.table.setHorizontalHeaderItem(column, item)
        self.table.setAccessibleName("Treebanks to train on")
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().setVisible(False)
        self.table.setMinimumHeight(112)
        head = self.table.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.hint = told("Drop files or folders of trees in Penn brackets here, or add them below.", "quiet")
        self.add_files = push_button("Add &files …", "", self.ask_files)
        self.add_folder = push_button("Add f&older …", "", self.ask_folder)
        tip = "Remove the selected treebanks from the list; their files stay"
        self.remove = push_button("&Remove", tip, self.remove_chosen)
        buttons = in_row(self.add_files, self.add_folder, self.remove, None)
        self.setLayout(in_column(self.hint, (self.table, 1), buttons, margins=NONE))
        self.table.removal_wanted.connect(self.remove_chosen)
        self.table.itemChanged.connect(self._edited)
        self._show()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders."""
        return tuple(self._paths)

    @property
    def weights(self) -> tuple[int, ...]:
        """How many times the trees of each count in preset (5); empty if all count once."""
        return tuple(self._weights) if any(weight > 1 for weight in self._weights) else ()

    def add(self, paths: Sequence[str | Path]) -> None:
        """Add files and folders; what is there already is not there twice."""
        known = set(self._paths)
        new = [path for path in dict.fromkeys(str(Path(path).absolute()) for path in paths) if path not in known]
        if not new:
            return
        self._paths += new
        self._weights += [1] * len(new)
        remember_folder(self._preferences, Path(new[-1]))
        self._show()
        self.changed.emit()

    def remove_chosen(self) -> None:
        """Take the chosen ones out."""
        chosen = {index.row() for index in self.table.selectedIndexes()}
        if not chosen:
            return
        self._paths = [path for row, path in enumerate(self._paths) if row not in chosen]
        self._weights = [weight for row, weight in enumerate(self._weights) if row not in chosen]
        self._show()
        self.changed.emit()

    def ask_files(self) -> None:
        """Ask for files."""
        self.add(ask_several(self, self._preferences, "Treebanks", file_kinds.TREES))

    def ask_folder(self) -> None:
        """Ask for a folder."""
        path = ask_folder(self, self._preferences, "A folder of trees")
        self.add([path] if path else [])

    def show_counts(self, sources: Sequence[SourceSurvey]) -> None:
        """Show how many trees each has; without any, that this is not known yet."""
        self._show(sources)

    def _show(self, sources: Sequence[SourceSurvey] = ()) -> None:
        self._filling = True
        self.table.setRowCount(len(self._paths))
        for row, (path, weight) in enumerate(zip(self._paths, self._weights, strict=True)):
            known = sources[row] if row < len(sources) else None
            trees, broken = (f"{known.trees:,}", f"{known.broken:,}") if known else ("…", "…")
            for column, text in enumerate((corpus_name(path), trees, broken, str(weight))):
                item = QTableWidgetItem(text)
                item.setToolTip(_WEIGHT_TIP if column == WEIGHT else no_markup(path))
                flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
                item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if column == WEIGHT else flags)
                if column != NAME:
                    item.setTextAlignment(_RIGHT)
                self.table.setItem(row, column, item)
        self._filling = False
        self.remove.setEnabled(bool(self._paths))
        self.hint.setVisible(not self._paths)

    def _edited(self, item: QTableWidgetItem) -> None:
        """Keep whole numbers from 1 on, whatever was typed."""
        if self._filling or item.column() != WEIGHT:
            return
        text = item.text().strip().lstrip("0")
        self._weights[item.row()] = min(int(text), _MOST_WEIGHT) if text.isascii() and text.isdigit() else 1
        self._filling = True
        item.setText(str(self._weights[item.row()]))
        self._filling = False


# One training as the window shows it: stages with the time left, what was left out, and at the end the summary.

_STAGES_HEIGHT = 150
_LOG_HEIGHT = 96


class TrainingView(QWidget):
    """Shows stages, what was left out, the summary, and what stopped a training.

    Attributes
    ----------
    go_on
        The button that leaves broken trees out and trains again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = told("Nothing has been trained yet.")
        self.bar = ShareBar("Progress of the stage")
        self.stages = RowsView(("stage", "done", "time"), (2,), 1, "Stages of training", key=0)
        self.stages.setMaximumHeight(_STAGES_HEIGHT)
        self.stages.setSelectionMode(RowsView.SelectionMode.NoSelection)
        self.problem = told("", "banner-text")
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.go_on = QPushButton("&Leave out broken trees and go on")
        self.banner = QFrame()
        self.banner.setObjectName("banner")
        self.banner.setLayout(in_row((self.problem, 1), self.go_on))
        self.log_title = quiet_label("Left out")
        self.log = QPlainTextEdit(readOnly=True)
        self.log.setAccessibleName("Trees that were left out")
        self.log.setMaximumHeight(_LOG_HEIGHT)
        self.log.setFrameShape(QFrame.Shape.NoFrame)
        self.log.setTabChangesFocus(True)
        self.summary = RowsView(("summary", ""), (), 1, "Summary of the training", key=0)
        parts = (self.title, self.bar, self.banner, self.stages, self.log_title, self.log)
        layout = in_column(*parts, (self.summary, 1), margins=(8, 8, 8, 0))
        layout.addStretch(0)
        self.setLayout(layout)
        self._told = 0
        for hidden in (self.bar, self.banner, self.stages, self.log_title, self.log, self.summary):
            hidden.hide()

    def begin(self, title: str) -> None:
        """A training begins."""
        self.title.setText(title)
        self.log.clear()
        self._told = 0
        self.stages.show()
        self.bar.show()
        for hidden in (self.banner, self.log_title, self.log, self.summary):
            hidden.hide()

    def show_stages(self, stages: TrainingStages) -> None:
        """Show how far the stages are."""
        self.bar.set_share(stages.share)
        self.stages.set_rows([Row(row, row[0]) for row in stages.rows()])

    def show_left_out(self, text: str) -> None:
        """Tell of a tree that was left out."""
        self._told += 1
        self.log_title.show()
        self.log.show()
        self.log.appendPlainText(text)
        if self._told == MOST_TOLD:
            self.log.appendPlainText("… further ones are counted in the summary")

    def show_result(self, title: str, result: TrainingResult) -> None:
        """Show what came of it."""
        self.title.setText(title)
        self.bar.hide()
        rows = [Row(pair) for pair in result.lines]
        rows += [
            Row(("count tables" if not at else "", f"{name}: {contexts:,} contexts, {counted:,} with an outcome"))
            for at, (name, contexts, counted) in enumerate(result.tables)
        ]
        self.summary.set_rows(rows)
        self.summary.show()

    def show_end(self, title: str, problem: str = "", broken: bool = False) -> None:
        """The training ended without a model: it was cancelled, or there is a problem."""
        self.title.setText(title)
        self.bar.hide()
        self.stages.setVisible(False)
        self.problem.setText(problem)
        self.banner.setVisible(bool(problem))
        self.go_on.setVisible(broken)
        if broken:
            self.go_on.setFocus()


# The training window: choose treebanks, look at what is in them, train a model, open it.

_CANCELLED = "Training was cancelled; nothing was written."
_LEFT_WIDTH = 400
OpenModel = Callable[[Path, tuple[str, ...]], None]
"""Opens a model's file, and links it to its treebanks."""


class TrainingWindow(TaskWindow):
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
        super().__init__("training", "Train a model", preferences, parent, ElidedLabel())
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
        tip = "Train a model on these treebanks, and write it to its file (Ctrl+Return or F5)"
        self.train = push_button("&Train", tip, self.begin)
        self.stop = push_button("&Cancel", "Stop training; no file is left behind", self.cancel)
        tip = "Use the model in the main window; its counts then open the sentences of these treebanks"
        self.open = push_button("O&pen the model", tip, self.open_trained)
        self._arrange()
        self._connect()
        self._show_state()

    def _arrange(self) -> None:
        options = (scrolled(self.form), 3)
        parts = (bold(QLabel("Treebanks")), (self.sources, 2), bold(QLabel("Options")), options)
        left = holder(in_column(*parts, margins=(0, 0, 8, 0)))
        both = split(left, self.tabs, sizes=(_LEFT_WIDTH, 720), stretch=(0, 1), upright=False)
        foot = in_row((self.status, 1), self.stop, self.open, self.train)
        self.setLayout(in_column((both, 1), foot, margins=(12, 8, 12, 8)))

    def _connect(self) -> None:
        self.sources.changed.connect(self._sources_changed)
        self.form.head_rules_changed.connect(self.look)
        self.form.file_changed.connect(self._show_state)
        self.view.go_on.clicked.connect(lambda: self.go_on())

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

    @property
    def takes_files(self) -> bool:
        """Treebanks can be added at any time."""
        return True

    def take_files(self, paths: list[str]) -> None:
        """Add what is dropped to the treebanks."""
        self.sources.add(paths)

    # Training

    def begin(self) -> None:
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
        self.say("Starting …")
        self.stop.setFocus()

    def go_on(self) -> None:
        """Leave broken trees out, and train again."""
        self.form.fields.show(skip_bad=True)
        self.begin()

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
            self.say(self._stages.current + (f", {left}" if left else ""))

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
            self.say(f"{self._trained[0].name} is open in the main window.")

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
            self.say(self._what_next())

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
