"""What is to be measured: the experiment, treebank, models, and what is varied."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QListWidget,
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
from explorer.kit.controls import in_column, named, text_button, told
from explorer.kit.file_kinds import MODEL, TREES, FileKind
from explorer.kit.forms import Choice, File, Form, Line, Number, Several, Switch
from explorer.kit.store import Store

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
