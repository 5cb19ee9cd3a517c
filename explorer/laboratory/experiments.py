"""The window of experiments: what to measure on the left, the table and the plot as they fill on the right."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QListWidget,
    QMenu,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.common.files import replaced, write_whole
from engine.common.numbers import size
from engine.common.tables import (
    DIFFERENCE,
    OURS,
    PAPERS,
    TABLE_FORMATS,
    Column,
    Table,
)
from engine.common.terminal import clock
from engine.settings import PRESETS
from engine.study.experiment_run import GO_ON, PAUSE, KeptExperiment, journal_folder, kept_experiments
from engine.study.experiments import (
    BEAMS,
    EXPERIMENTS,
    LENGTHS,
    MODELS,
    PRESETS_OPTION,
    TAGS,
    Experiment,
    ExperimentOptions,
)
from engine.study.paper_tables import PAPER_BEAMS, PAPER_LENGTHS, PAPER_MODEL
from engine.study.plots import GRID_AXES
from engine.study.provenance import AUTOMATIC, BEST, DISTRIBUTION, GOLD
from engine.text.input import is_tree
from explorer.kit.controls import (
    NONE,
    ElidedLabel,
    bold,
    holder,
    in_column,
    in_row,
    menu_button,
    named,
    push_button,
    scrolled,
    split,
    text_button,
    told,
)
from explorer.kit.file_kinds import MODEL, TREES, FileKind, kinds_of
from explorer.kit.forms import Choice, File, Form, Line, Number, Several, Switch
from explorer.kit.messages import as_sentence, error_text, outcome_of_writing, written
from explorer.kit.processes import EngineProcess
from explorer.kit.store import Store
from explorer.kit.tables import Row, RowsView, fine, table_text
from explorer.kit.task_window import ShareBar, TaskWindow
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.laboratory.experiment_plot import PlotView
from explorer.session.document import TextLine
from explorer.session.editor import DocumentEditor
from explorer.session.preferences import Preferences

# What is to be measured: the experiment, treebank, models, and what is varied.

_TAG_TITLES = {
    AUTOMATIC: ("automatic", "The tagger’s best tags, with presets (4) and (5) its distributions, as in the paper"),
    GOLD: ("gold", "The treebank’s own tags"),
    BEST: ("best", "The tagger’s best sequence"),
    DISTRIBUTION: ("distribution", "The parser chooses among the tagger’s tags"),
}
_AXES = {"": "automatic", "model": "models", "preset": "presets", "beam": "β", "tags": "tags", "length": "lengths"}


def _numbers(text: str, what: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.replace(",", " ").replace(";", " ").split())
    except ValueError:
        raise EngineError(f"{what} must be numbers separated by spaces, not ‘{text}’") from None


def _lengths(text: str) -> tuple[int, ...]:
    numbers = _numbers(text, "the longest sentence")
    if not all(length >= 1 and length.is_integer() for length in numbers):
        raise EngineError(f"the longest sentence is a whole number of tokens, not ‘{text}’")
    return tuple(map(int, numbers))


def _spaced(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:g}" for number in numbers)


def _files(name: str, title: str, tip: str, kind: FileKind) -> File:
    many = f"{tip}, separated by semicolons; or drop them on the window"
    return File(name, title, many, kinds=(kind,), button_tip=f"Choose: {tip}", several=True)


FIELDS = (
    _files("test", "Measure on", "Treebanks to measure on: files or folders", TREES),
    _files("models", "Models", "Model files", MODEL),
    _files("train", "Train on", "Treebanks to train on: files or folders", TREES),
    Several("presets", "Presets", choices={number: (f"({number})", f"Preset ({number})") for number in PRESETS}),
    Line(
        "beams",
        "β",
        "Widths of the beam, separated by spaces",
        spoken="β, narrowest last",
        parse=lambda text: _numbers(text, "β"),
        write=_spaced,
    ),
    Switch("literal_beam", "Also the beam as printed", "Measure the beam exactly as the paper prints it, too"),
    Several("tags", "Tags", choices=_TAG_TITLES, columns=2),
    Line(
        "lengths",
        "Longest sentences, in tokens",
        "Longest sentences in tokens, separated by spaces",
        spoken="Longest sentences",
        parse=_lengths,
        write=_spaced,
    ),
    Number(
        "halvings",
        "Halvings of the training trees",
        "How often the trees are halved: after N halvings the smallest sample is 1/2ᴺ of them",
        0,
        20,
        spoken="How often the training trees are halved",
    ),
    Choice("axis", "Horizontal axis of the plot", choices={axis: _AXES[axis] for axis in ("", *GRID_AXES)}),
    Number(
        "jobs",
        "Processes",
        "Several processes are faster, but slow one another down: measure speed with one",
        1,
        max(os.cpu_count() or 1, 1),
    ),
)


class ExperimentForm(QWidget):
    """The left half of the window of experiments.

    Parameters
    ----------
    store
        Where the folder of files is remembered.
    use_list
        Writes the gold trees of the list to a file; its path, or nothing if there are none.

    Signals
    -------
    changed
        Something else is to be measured.
    """

    changed = Signal()

    def __init__(self, store: Store, use_list: Callable[[], str]) -> None:
        super().__init__()
        self._use_list = use_list
        self.experiments = named(QListWidget(), "Experiments")
        self.experiments.addItems([one.title for one in EXPERIMENTS.values()])
        for number, one in enumerate(EXPERIMENTS.values()):
            self.experiments.item(number).setToolTip(one.summary)
        self.experiments.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.summary = told("", "quiet")
        self.fields = Form(FIELDS, store, self)
        self.fields.show(halvings=4)
        self.fields.changed.connect(self.changed)
        self.use_list = text_button("List", "Measure on the gold trees of the list of sentences", self._take_list)
        self.fields.put_beside("test", self.use_list)
        rows = self.fields.rows()
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        rows.setVerticalSpacing(3)
        self.setLayout(in_column(self.experiments, self.summary, rows, None, margins=(12, 10, 12, 10), spacing=6))
        self.experiments.currentRowChanged.connect(lambda _: self._chosen())
        self.fit()

    # Choosing

    @property
    def experiment(self) -> Experiment:
        """The experiment that is chosen."""
        return list(EXPERIMENTS.values())[max(self.experiments.currentRow(), 0)]

    def choose(self, name: str) -> None:
        """Choose an experiment by its name, with the paper's own values for what it varies."""
        self.experiments.setCurrentRow(list(EXPERIMENTS).index(name))

    def _chosen(self) -> None:
        one = self.experiment
        tables = "" if one.name in ("grid", "learning-curve") else " The paper’s rows stand beside ours."
        self.summary.setText(f"{_sentence(one.summary)}{tables}")
        several = one.several
        self.fields["presets"].allow_several(PRESETS_OPTION in several)
        self.fields["tags"].allow_several(TAGS in several)
        all_presets = PRESETS_OPTION in several and one.name == "models"
        self.fields.show(
            presets=PRESETS if all_presets else (PAPER_MODEL,),
            tags=(AUTOMATIC,),
            beams=PAPER_BEAMS if one.name == "beam" else PAPER_BEAMS[:1],
            lengths=PAPER_LENGTHS if LENGTHS in several else PAPER_LENGTHS[-1:],
        )
        shown = {
            "models": not one.counts_only and not one.needs_training,
            "train": one.needs_training,
            "presets": PRESETS_OPTION not in one.fixed,
            "beams": BEAMS not in one.fixed,
            "literal_beam": one.name == "beam",
            "tags": TAGS not in one.fixed,
            "lengths": LENGTHS not in one.fixed,
            "halvings": one.needs_training,
            "axis": one.name == "grid",
            "jobs": not one.counts_only,
        }
        for name, is_shown in shown.items():
            self.fields.set_shown(name, is_shown)
        self.changed.emit()

    def set_options(self, options: ExperimentOptions) -> None:
        """Show what was asked for before."""
        self.choose(options.experiment)
        self.fields.show(**asdict(options))

    def options(self) -> ExperimentOptions:
        """What is asked for; raises :class:`EngineError` in one sentence if something is wrong or missing."""
        one, chosen = self.experiment, self.fields.values()
        if one.needs_training or one.counts_only:
            chosen["models"] = ()
        if not one.needs_training:
            chosen["train"] = ()
        if one.name != "beam":
            chosen["literal_beam"] = False
        if one.name != "grid":
            chosen["axis"] = ""
        if len(chosen["models"]) > 1 and MODELS not in one.several:
            raise EngineError("this experiment measures one model; for several choose the grid")
        several_beams, several_lengths = len(chosen["beams"]) > 1, len(chosen["lengths"]) > 1
        if (several_beams and BEAMS not in one.several) or (several_lengths and LENGTHS not in one.several):
            raise EngineError("this experiment takes one β and one length; for several choose the grid")
        for name in ("test", "models", "train"):
            chosen[name] = _absolute(chosen[name])
        return ExperimentOptions(one.name, **chosen, skip_bad=True).checked()

    def take_files(self, paths: Sequence[str]) -> None:
        """Take files that were dropped: models for models, everything else for treebanks."""
        models = [path for path in paths if path.endswith(MODEL.suffixes)]
        trees = [path for path in paths if path not in models]
        self.fields.show(**{name: found for name, found in (("models", models), ("test", trees)) if found})

    def fit(self) -> None:
        """Make the list of experiments as high as its rows."""
        rows = self.experiments
        rows.setFixedHeight(max(rows.sizeHintForRow(0), 1) * rows.count() + 4)

    def _take_list(self) -> None:
        if path := self._use_list():
            self.fields.show(test=(path,))


def _absolute(names: Iterable[str]) -> tuple[str, ...]:
    # What is typed or pasted need not be a path at all.
    return tuple(str(Path(name).absolute()) if os.path.exists(name) else name for name in names)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


# Files of experiments: the gold trees of the list as a treebank, and the table in its formats.

EXPORTS = {
    **{ending: f"Table as {title}" for ending, (title, _) in TABLE_FORMATS.items()},
    ".svg": "Plot as SVG",
    ".pdf": "Plot as PDF",
    ".png": "Plot as PNG",
}
"""What can be written: by the ending of its file its title."""


def write_list(lines: Sequence[TextLine], folder: Path) -> Path:
    """Write gold trees to a file of their own, which the same trees find again; raise :class:`EngineError`."""
    text = "".join(f"{line.text}\n" for line in lines)
    path = folder / hashlib.sha256(text.encode()).hexdigest()[:16] / "list.ptb"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(f"{path.parent}: cannot be made ({error.strerror or error})") from error
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
    return path


def forget_list(name: str, folder: Path) -> None:
    """Remove the file of a list of gold trees; any other file stays, and so does one that cannot be removed."""
    path = Path(name)
    if path.parent.parent == folder and path.name == "list.ptb":
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
            path.parent.rmdir()


# The table of an experiment: our rows as they fill, the paper's under them in another colour, and the differences.

_WHOSE = {OURS: "measured", PAPERS: "the paper", DIFFERENCE: "difference"}


class ResultsView(RowsView):
    """Shows a table beside the paper's."""

    def __init__(self) -> None:
        hint = "Choose an experiment, a treebank and a model, and press Run."
        super().__init__(name="Results, the paper’s under ours", hint=hint)

    def show_results(self, table: Table | None) -> None:
        """Show another table; where only figures are new the rows stay, and so does the choice among them."""
        if table is None:
            self.show_columns((), frozenset(), ())
            return
        several = sum(not block.papers for block in table.blocks) > 1
        rows = []
        for number, row in enumerate(table.beside_paper()):
            # Where ours are in several blocks, in which.
            whose = row.source.rpartition(", ")[2] if row.kind == OURS and several else _WHOSE[row.kind]
            cells = (whose, *map(fine, row.cells))
            rows.append(Row(cells, number, chosen=row.kind == OURS, kind=row.kind))
        columns = (Column("row", "row"), *table.columns)
        self.show_columns(columns, frozenset(at + 1 for at in table.right), rows)


# Running an experiment beside the window: begin, pause, stop, go on; what comes of it as it comes.

_MODULE = "engine.cli.experiment_process"
_HEAR_SECONDS = 0.05
_STOPPED = "The experiment was stopped; what was measured is kept."


class ExperimentRunner(QObject):
    """One experiment at a time, in a process of its own.

    Attributes
    ----------
    options
        What was asked for last.
    results, done
        What is measured, by the numbers of trials, and the trials that are complete.
    title, test_title
        What rows and pictures are called.
    share, message
        How far it is, and what is said about it.

    Signals
    -------
    results_changed
        There are other results.
    state_changed
        It began, paused, went on, came further or ended.
    """

    results_changed = Signal()
    state_changed = Signal()

    def __init__(self, tasks: TaskMonitor, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = Worker("experiment", parent=self)
        tasks.watch(self._worker, _STOPPED, self.stop)
        self._child: EngineProcess | None = None
        self._job: Job | None = None
        self._begun = self._waited = 0.0
        self._first_share: float | None = None
        self._not_kept = ""
        self.options: ExperimentOptions | None = None
        self.results: dict[int, Mapping[str, Any]] = {}
        self.done: set[int] = set()
        self.title = self.test_title = ""
        self.share = 0.0
        self.message = ""
        self.paused = False

    @property
    def running(self) -> bool:
        """Whether something is being measured, or paused."""
        return self._job is not None

    @property
    def finished(self) -> bool:
        """Whether everything that was asked for is measured."""
        return self.options is not None and len(self.done) == len(self.options.definition.plan(self.options)) > 0

    @property
    def process_id(self) -> int | None:
        """The number of the process that measures, while there is one."""
        child = self._child
        return child.id if child is not None else None

    def start(self, options: ExperimentOptions, folder: Path) -> None:
        """Begin, or go on with what was begun: what the journals in a folder have is not measured again."""
        if self.running:
            return
        try:
            options.checked()
        except EngineError as error:
            self._say(as_sentence(error_text(error)))
            return
        if options != self.options:
            self.show(options, "", "")
        self.share, self._first_share, self.paused = 0.0, None, False
        self._begun, self._waited = time.monotonic(), 0.0
        self.message = "Reading the trees …"
        self._job = self._worker.request(
            lambda job: self._work(job, options, folder), self._finished, self._failed, self._heard, self._ended
        )
        self.state_changed.emit()

    def show(self, options: ExperimentOptions, title: str, test_title: str) -> None:
        """Show an experiment of which nothing is known yet."""
        self.options, self.title, self.test_title = options, title, test_title
        self.results, self.done = {}, set()
        self.message, self.share = "", 0.0
        self.results_changed.emit()

    def pause(self, paused: bool) -> None:
        """Have it wait after the sentences in hand, or go on."""
        # The thread forgets the process when that has ended.
        child = self._child
        if child is None or paused == self.paused:
            return
        self.paused = paused
        child.tell(PAUSE if paused else GO_ON)
        now = time.monotonic()
        self._waited += -now if paused else now
        self.state_changed.emit()

    def stop(self) -> None:
        """End it; what was measured is kept."""
        if self._job is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End it, and the thread."""
        self._worker.stop()

    @property
    def time_left(self) -> str:
        """How long it will take at this pace; empty while that cannot be said."""
        first = self._first_share
        if not self.running or self.paused or first is None or self.share - first < 0.02:
            return ""
        seconds = time.monotonic() - self._begun - self._waited
        return clock(seconds * (1 - self.share) / (self.share - first))

    def table(self) -> Table | None:
        """The results as far as they are known, beside the paper's."""
        options = self.options
        if options is None:
            return None
        return options.definition.live_table(options, self.results, self.title or "this treebank")

    # In the thread

    def _work(self, job: Job, options: ExperimentOptions, folder: Path) -> None:
        child = self._child = EngineProcess(_MODULE)
        try:
            child.ask({**options.as_dict(), "folder": str(folder)})
            while True:
                job.report(self.share, f"Experiment: {self.message}")
                said = child.hear(_HEAR_SECONDS)
                if said is None:
                    continue
                event = said.facts["event"]
                if event == "failed":
                    raise EngineError(said.facts["message"])
                job.deliver(said.facts)
                if event == "finished":
                    return
        finally:
            self._child = None
            child.stop()

    # In the window

    def _heard(self, facts: Mapping[str, Any]) -> None:
        event = facts["event"]
        if event == "opened":
            self.title, self.test_title = facts["title"], facts["test_title"]
            self.message = "Measuring"
            self._begun = time.monotonic()
            self.results_changed.emit()
        elif event == "measured":
            self.results[facts["trial"]] = facts["result"]
            if facts["done"]:
                self.done.add(facts["trial"])
            self.results_changed.emit()
        elif event == "progress":
            self.share = facts["share"]
            self._first_share = self.share if self._first_share is None else self._first_share
            self.message = as_sentence(facts["what"]).rstrip(".")
        elif event == "finished":
            self._not_kept = facts["problem"]
        self.state_changed.emit()

    def _finished(self, nothing: None) -> None:
        self.share, self.message = 1.0, "Everything is measured."
        if self._not_kept:
            self.message += f" {as_sentence(f'But it could not be kept: {self._not_kept}')}"

    def _failed(self, error: Exception) -> None:
        self.message = as_sentence(error_text(error))

    def _ended(self) -> None:
        if self._job is not None and self._job.cancelled:
            self.message = _STOPPED
        self._job, self.paused = None, False
        self.state_changed.emit()

    def _say(self, text: str) -> None:
        self.message = text
        self.state_changed.emit()


# The window of experiments: what to measure on the left, the table and the plot as they fill on the right.

_SPLIT = "experiments/split"
_FORM_WIDTH = 310


class ExperimentWindow(TaskWindow):
    """Measures the paper's tables and grids of one's own.

    Parameters
    ----------
    editor
        The document, whose model and gold trees can be measured.
    tasks
        Where the experiment can be cancelled, too.
    preferences
        What is remembered from start to start.
    parent
        The window over which it stands.
    """

    size_at_first = (1180, 740)

    def __init__(self, editor: DocumentEditor, tasks: TaskMonitor, preferences: Preferences, parent: QWidget) -> None:
        super().__init__("experiments", "Experiments", preferences, parent)
        self._editor = editor
        self.kept: list[KeptExperiment] = []
        self._shut = False
        self.runner = ExperimentRunner(tasks, self)
        self._keeping = Worker("kept experiments", newest_only=True, parent=self)
        self._make_widgets()
        self.runner.results_changed.connect(self._show_results)
        self.runner.state_changed.connect(self._show_state)
        self.form.changed.connect(self._show_plan)
        self.form.choose("models")
        self.form.fields.show(models=(editor.document.model,))
        self.split.restoreState(preferences.bytes(_SPLIT))
        parent.installEventFilter(self)

    def _make_widgets(self) -> None:
        self.form = ExperimentForm(self._store, self.list_file)
        self._left = holder(in_column((scrolled(self.form), 1), self._begun_part(), margins=NONE, spacing=0))
        self._left.setFixedWidth(_FORM_WIDTH)
        self.heading = bold(ElidedLabel())
        self.table = ResultsView()
        self.plot = PlotView()
        self.plot.problem.connect(self.say)
        self.plot.saved.connect(lambda name: self.say(f"{written(Path(name))}."))
        self.split = split(self.table, self.plot, sizes=(320, 360), stretch=(1, 1))
        right = in_column(self.heading, (self.split, 1), self._foot(), margins=(12, 10, 12, 10))
        line = QFrame()
        line.setObjectName("hairline")
        self.setLayout(in_row(self._left, line, (right, 1), margins=NONE, spacing=0))

    def _begun_part(self) -> QWidget:
        self.begun_list = named(QListWidget(), "Earlier experiments")
        self.begun_list.setMaximumHeight(76)
        self.begun_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.begun_list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.begun_list.itemActivated.connect(lambda _: self.take_up())
        self.again = text_button(
            "Resume", "Resume the selected experiment, or show its results if it is finished", self.take_up
        )
        self.forget = text_button("Forget", "Remove the selected experiment and its results", self._forget)
        buttons = in_row(self.again, self.forget, None)
        parts = (QLabel("Earlier experiments"), self.begun_list, buttons)
        self.begun = holder(in_column(*parts, margins=(12, 4, 12, 10), spacing=2))
        self.begun.hide()
        return self.begun

    def _foot(self) -> QVBoxLayout:
        self.progress = ShareBar()
        tip = "Measure (Ctrl+Return or F5); what was measured before is not measured again"
        self.start = push_button("Run", tip, self.begin)
        tip = "Pause after the sentences that are being parsed, or resume"
        self.pause = push_button("Pause", tip, lambda: self.runner.pause(not self.runner.paused))
        tip = "End the experiment; what was measured is kept"
        self.stop = push_button("Stop", tip, lambda: self.runner.stop())
        menu = QMenu(self)
        for ending, title in EXPORTS.items():
            menu.addAction(f"{title} …", partial(self.ask_file, ending))
        self.export = menu_button("Export ▾", "Write the table or the plot to a file", menu)
        row = in_row((self.status, 1), self.export, self.stop, self.pause, self.start)
        return in_column(self.progress, row)

    # Running

    def begin(self) -> None:
        """Measure what is chosen, or go on with it."""
        if self.runner.running:
            self.runner.pause(False)
            return
        try:
            options = self.form.options()
        except EngineError as error:
            self.say(error)
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
        self._keeping.request(lambda job: kept_experiments(journal_folder()), self._show_kept, self.say)

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

    def _show_plan(self) -> None:
        """Say how much there is to measure, and show its empty table, unless something is being measured."""
        if self.runner.running:
            return
        try:
            options = self.form.options()
        except EngineError as error:
            self.say(error)
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
        self.say(what)

    def _show_results(self) -> None:
        runner = self.runner
        table = runner.table()
        self.table.show_results(table)
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
        self.progress.set_share(runner.share if runner.running else 0.0)
        if keep_status:
            return
        left = f", {runner.time_left} left" if runner.time_left else ""
        done = f"{len(runner.done)} done" if runner.running and runner.done else ""
        paused = "Paused: " if runner.paused else ""
        self.say("; ".join(filter(None, (f"{paused}{runner.message}{left}", done))))
        if not runner.running:
            self.refresh_kept()

    # Files

    def list_file(self) -> str:
        """Write the gold trees of the list to a file that stays until the experiment is forgotten; its path."""
        trees = [line for line in self._editor.document.lines if is_tree(line.text)]
        if not trees:
            self.say("No sentence of the list has a gold tree; open a treebank first.")
            return ""
        try:
            return str(write_list(trees, journal_folder()))
        except EngineError as error:
            self.say(error)
            return ""

    def ask_file(self, ending: str) -> None:
        """Ask for a file, and write the table or the plot to it."""
        options = self.runner.options
        name = f"{options.experiment if options else 'experiment'}{ending}"
        self.ask_to_write(name, kinds_of({ending: EXPORTS[ending]}), partial(self.write, ending))

    def write(self, ending: str, path: Path) -> None:
        """Write the table or the plot to a file."""
        table = self.runner.table()
        if table is None:
            return
        if ending in TABLE_FORMATS:
            self.say(outcome_of_writing(path, lambda: write_whole(path, table_text(table, ending).encode())))
        else:
            self.say("Drawing …")
            self.plot.save(path)

    @property
    def takes_files(self) -> bool:
        """What is measured cannot be changed meanwhile."""
        return not self.runner.running

    def take_files(self, paths: list[str]) -> None:
        """Measure on the treebanks, or the models, that are dropped."""
        self.form.take_files(paths)

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

    def fit(self) -> None:
        """Make the left half as wide as what stands in it, and the scroll bar beside that."""
        self.form.fit()
        bar = self._left.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self._left.setFixedWidth(max(_FORM_WIDTH, self.form.minimumSizeHint().width() + bar))

    def showEvent(self, event: QShowEvent) -> None:
        """Come back, also after the main window was to close and stayed."""
        self._shut = False
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember how it was; an experiment goes on, and the window comes back with it."""
        self._store.keep(_SPLIT, self.split.saveState())
        super().hideEvent(event)
