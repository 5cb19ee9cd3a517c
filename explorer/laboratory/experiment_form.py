"""What is to be measured: the experiment, treebank, models, and what is varied."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.settings import PRESETS
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
from explorer.kit.controls import Field, padded, text_button

_TAG_TITLES = {
    AUTOMATIC: ("automatic", "The tagger’s best tags, with presets (4) and (5) its distributions, as in the paper"),
    GOLD: ("gold", "The treebank’s own tags"),
    BEST: ("best", "The tagger’s best sequence"),
    DISTRIBUTION: ("distribution", "The parser chooses among the tagger’s tags"),
}
_AXES = {"": "automatic", "model": "models", "preset": "presets", "beam": "β", "tags": "tags", "length": "lengths"}
_SEPARATOR = "; "


class Choices(QWidget):
    """Boxes to tick, of which one or several may be chosen.

    Signals
    -------
    changed
        Others are chosen.
    """

    changed = Signal()

    def __init__(self, titles: Iterable[tuple[str, str]], name: str, columns: int = 5) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self.boxes: list[QCheckBox] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        row = QHBoxLayout()
        for number, (title, tip) in enumerate(titles):
            if number % columns == 0:
                row = QHBoxLayout()
                row.setSpacing(10)
                column.addLayout(row)
            box = QCheckBox(title)
            box.setToolTip(tip)
            box.setAccessibleName(f"{name}: {title}")
            box.toggled.connect(lambda _: self.changed.emit())
            self._group.addButton(box)
            self.boxes.append(box)
            row.addWidget(box)
            if number % columns == columns - 1:
                row.addStretch(1)
        row.addStretch(1)
        self._group.setExclusive(False)

    @property
    def chosen(self) -> list[int]:
        """The numbers of those that are chosen."""
        return [number for number, box in enumerate(self.boxes) if box.isChecked()]

    def choose(self, numbers: Iterable[int], several: bool) -> None:
        """Choose these, and say whether there may be several."""
        wanted = set(numbers)
        self._group.setExclusive(False)
        for number, box in enumerate(self.boxes):
            box.setChecked(number in wanted)
        self._group.setExclusive(not several)


class ExperimentForm(QWidget):
    """The left half of the window of experiments.

    Parameters
    ----------
    ask_treebanks, ask_models
        Ask the person for files.
    use_list
        Writes the gold trees of the list to a file; its path, or nothing if there are none.

    Signals
    -------
    changed
        Something else is to be measured.
    """

    changed = Signal()

    def __init__(
        self,
        ask_treebanks: Callable[[str], Sequence[str]],
        ask_models: Callable[[], Sequence[str]],
        use_list: Callable[[], str],
    ) -> None:
        super().__init__()
        self._ask_treebanks = ask_treebanks
        self._ask_models = ask_models
        self._use_list = use_list
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        self.experiments = QListWidget()
        self.experiments.setAccessibleName("Experiments")
        self.experiments.addItems([one.title for one in EXPERIMENTS.values()])
        for number, one in enumerate(EXPERIMENTS.values()):
            self.experiments.item(number).setToolTip(one.summary)
        self.experiments.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.summary = QLabel(wordWrap=True)
        self.summary.setObjectName("quiet")
        layout.addWidget(self.experiments)
        layout.addWidget(self.summary)
        self._make_fields(layout)
        layout.addStretch(1)
        self.experiments.currentRowChanged.connect(lambda _: self._chosen())
        self.fit()

    def _make_fields(self, layout: QVBoxLayout) -> None:
        self.form = form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(3)
        self.test = self._path_row("Measure on", "Treebanks to measure on: files or folders", self._browse_test, True)
        self.models = self._path_row("Models", "Model files", self._browse_models)
        self.train = self._path_row("Train on", "Treebanks to train on: files or folders", self._browse_train)
        presets = [(f"({number})", f"Preset ({number})") for number in PRESETS]
        self.presets = Choices(presets, "Presets")
        self.beams = self._field("β, narrowest last", "Widths of the beam, separated by spaces")
        self.literal = QCheckBox("Also the beam as printed")
        self.literal.setToolTip("Measure the beam exactly as the paper prints it, too")
        self.tags = Choices(_TAG_TITLES.values(), "Tags", 2)
        self.lengths = self._field("Longest sentences", "Longest sentences in tokens, separated by spaces")
        self.halvings = padded(QSpinBox(minimum=0, maximum=20, value=4))
        self.halvings.setToolTip("How often the trees are halved: after N halvings the smallest sample is 1/2ᴺ of them")
        self.halvings.setAccessibleName("How often the training trees are halved")
        self.axis = QComboBox()
        self.axis.addItems([_AXES[axis] for axis in ("", *GRID_AXES)])
        self.axis.setAccessibleName("Horizontal axis of the plot")
        self.jobs = padded(QSpinBox(minimum=1, maximum=max(os.cpu_count() or 1, 1)))
        self.jobs.setToolTip("Several processes are faster, but slow one another down: measure speed with one")
        self.jobs.setAccessibleName("Processes")
        for title, field in (
            ("Presets", self.presets),
            ("β", self.beams),
            ("", self.literal),
            ("Tags", self.tags),
            ("Longest sentences, in tokens", self.lengths),
            ("Halvings of the training trees", self.halvings),
            ("Horizontal axis of the plot", self.axis),
            ("Processes", self.jobs),
        ):
            form.addRow(title, field) if title else form.addRow(field)
        layout.addLayout(form)
        for choices in (self.presets, self.tags):
            choices.changed.connect(self.changed)
        self.literal.toggled.connect(lambda _: self.changed.emit())
        for box in (self.halvings, self.jobs):
            box.valueChanged.connect(lambda _: self.changed.emit())
        self.axis.currentIndexChanged.connect(lambda _: self.changed.emit())

    def _field(self, name: str, tip: str) -> Field:
        field = Field()
        field.setAccessibleName(name)
        field.setToolTip(tip)
        field.textChanged.connect(lambda _: self.changed.emit())
        return field

    def _path_row(self, title: str, tip: str, browse: Callable[[], None], has_list: bool = False) -> Field:
        field = self._field(title, f"{tip}, separated by semicolons; or drop them on the window")
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(field, 1)
        row.addWidget(text_button("…", f"Choose: {tip}", browse))
        if has_list:
            self.use_list = text_button("List", "Measure on the gold trees of the list of sentences", self._take_list)
            row.addWidget(self.use_list)
        self.form.addRow(title, holder)
        return field

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
        self.presets.choose(
            range(len(PRESETS)) if PRESETS_OPTION in several and one.name == "models" else [PAPER_MODEL - 1],
            PRESETS_OPTION in several,
        )
        self.tags.choose([0], TAGS in several)
        beams = PAPER_BEAMS if one.name == "beam" else PAPER_BEAMS[:1]
        self.beams.setText(" ".join(f"{beta:g}" for beta in beams))
        lengths = PAPER_LENGTHS if LENGTHS in several else PAPER_LENGTHS[-1:]
        self.lengths.setText(" ".join(map(str, lengths)))
        shown = {
            self.models: not one.counts_only and not one.needs_training,
            self.train: one.needs_training,
            self.presets: PRESETS_OPTION not in one.fixed,
            self.beams: BEAMS not in one.fixed,
            self.literal: one.name == "beam",
            self.tags: TAGS not in one.fixed,
            self.lengths: LENGTHS not in one.fixed,
            self.halvings: one.needs_training,
            self.axis: one.name == "grid",
            self.jobs: not one.counts_only,
        }
        for field, is_shown in shown.items():
            holder = field.parentWidget() if field in (self.models, self.train) else field
            assert holder is not None
            self.form.setRowVisible(holder, is_shown)
        self.changed.emit()

    def set_options(self, options: ExperimentOptions) -> None:
        """Show what was asked for before."""
        self.choose(options.experiment)
        several = options.definition.several
        for field, names in ((self.test, options.test), (self.models, options.models), (self.train, options.train)):
            field.setText(_SEPARATOR.join(names))
        self.presets.choose([PRESETS.index(preset) for preset in options.presets], PRESETS_OPTION in several)
        self.tags.choose([list(_TAG_TITLES).index(source) for source in options.tags], TAGS in several)
        self.beams.setText(" ".join(f"{beta:g}" for beta in options.beams))
        self.lengths.setText(" ".join(map(str, options.lengths)))
        self.literal.setChecked(options.literal_beam)
        self.halvings.setValue(options.halvings)
        self.jobs.setValue(options.jobs)
        self.axis.setCurrentIndex(("", *GRID_AXES).index(options.axis))

    def options(self) -> ExperimentOptions:
        """What is asked for; raises :class:`EngineError` in one sentence if something is wrong or missing."""
        one = self.experiment
        models = _names(self.models) if not one.needs_training and not one.counts_only else ()
        if len(models) > 1 and MODELS not in one.several:
            raise EngineError("this experiment measures one model; for several choose the grid")
        beams, lengths = _numbers(self.beams, "β"), _numbers(self.lengths, "the longest sentence")
        if (len(beams) > 1 and BEAMS not in one.several) or (len(lengths) > 1 and LENGTHS not in one.several):
            raise EngineError("this experiment takes one β and one length; for several choose the grid")
        if not all(length >= 1 and length.is_integer() for length in lengths):
            raise EngineError(f"the longest sentence is a whole number of tokens, not ‘{self.lengths.text()}’")
        return ExperimentOptions(
            one.name,
            _names(self.test),
            train=_names(self.train) if one.needs_training else (),
            models=models,
            presets=tuple(PRESETS[number] for number in self.presets.chosen),
            beams=beams,
            tags=tuple(list(_TAG_TITLES)[number] for number in self.tags.chosen),
            lengths=tuple(map(int, lengths)),
            halvings=self.halvings.value(),
            literal_beam=self.literal.isChecked() and one.name == "beam",
            skip_bad=True,
            jobs=self.jobs.value(),
            axis=("", *GRID_AXES)[self.axis.currentIndex()] if one.name == "grid" else "",
        ).checked()

    def take_files(self, paths: Sequence[str]) -> None:
        """Take files that were dropped: models for models, everything else for treebanks."""
        models = [path for path in paths if path.endswith(".model")]
        trees = [path for path in paths if path not in models]
        if models:
            self.models.setText(_SEPARATOR.join(models))
        if trees:
            self.test.setText(_SEPARATOR.join(trees))

    def fit(self) -> None:
        """Make the list of experiments as high as its rows."""
        rows = self.experiments
        rows.setFixedHeight(max(rows.sizeHintForRow(0), 1) * rows.count() + 4)

    def _browse_test(self) -> None:
        self._set(self.test, self._ask_treebanks("Measure on"))

    def _browse_train(self) -> None:
        self._set(self.train, self._ask_treebanks("Train on"))

    def _browse_models(self) -> None:
        self._set(self.models, self._ask_models())

    def _take_list(self) -> None:
        path = self._use_list()
        self._set(self.test, [path] if path else [])

    def _set(self, field: Field, names: Sequence[str]) -> None:
        if names:
            field.setText(_SEPARATOR.join(names))


def _names(field: Field) -> tuple[str, ...]:
    names = (name.strip() for name in field.text().split(_SEPARATOR.strip()))
    # What is typed or pasted need not be a path at all.
    return tuple(str(Path(name).absolute()) if os.path.exists(name) else name for name in names if name)


def _numbers(field: Field, what: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in field.text().replace(",", " ").replace(";", " ").split())
    except ValueError:
        raise EngineError(f"{what} must be numbers separated by spaces, not ‘{field.text()}’") from None


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
