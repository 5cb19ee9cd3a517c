"""What experiments there are: what each asks, what can be chosen for it, its trials, table and picture.

Terminal and window have one definition of each.  :class:`ExperimentOptions` is what a person asks for, as data that can
be written to a journal and given to another process.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.common.tables import Table
from engine.settings import PRESETS, Settings
from engine.study import paper_tables, plots
from engine.study import paper_tables as trials
from engine.study.journal import nothing_measured
from engine.study.paper_tables import Distances, Trial, TrialResults
from engine.study.provenance import AUTOMATIC, GOLD

MODELS, PRESETS_OPTION, BEAMS, TAGS, LENGTHS = "models", "presets", "beams", "tags", "lengths"
"""Options of which an experiment may take several values."""
DISTANCES = "distances"
"""What the result of counting distances is kept under."""


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """What is asked for.

    Attributes
    ----------
    experiment
        The name of the experiment.
    test
        Treebanks to measure on: files and folders.
    train, models
        Treebanks to train on, or models that are there: one of the two.
    presets, beams, tags, lengths
        What is varied; an experiment that varies one of them not takes the first.
    halvings
        How often the training trees are halved.
    literal_beam
        Whether the beam as printed is measured, too.
    head_rules
        A table of head rules for training and counting; the built-in one without it.
    skip_bad
        Whether broken trees are left out.
    jobs
        How many processes parse.
    axis
        What a grid is drawn along; empty for the first option with several values.
    """

    experiment: str
    test: tuple[str, ...]
    train: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    presets: tuple[int, ...] = PRESETS
    beams: tuple[float, ...] = (1000.0,)
    tags: tuple[str, ...] = (AUTOMATIC,)
    lengths: tuple[int, ...] = trials.PAPER_LENGTHS
    halvings: int = 4
    literal_beam: bool = False
    head_rules: str | None = None
    skip_bad: bool = False
    jobs: int = 1
    axis: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready to be written as JSON: ``None`` for a β without end."""
        return {**asdict(self), "beams": [None if beam == math.inf else beam for beam in self.beams]}

    @classmethod
    def of_dict(cls, stored: Mapping[str, Any]) -> ExperimentOptions:
        """Return what :meth:`as_dict` has written; what a later version adds is left out."""
        known = {field.name for field in fields(cls)}
        found: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
        }
        if "beams" in found:
            found["beams"] = tuple(math.inf if beam is None else beam for beam in found["beams"])
        return cls(**{name: value for name, value in found.items() if name in known})

    def absolute(self) -> ExperimentOptions:
        """Return the options with whole paths, which mean the same wherever they are read; a bundled model has none."""

        def whole(names: Sequence[str]) -> tuple[str, ...]:
            return tuple(str(Path(name).absolute()) if Path(name).exists() else name for name in names)

        rules = str(Path(self.head_rules).absolute()) if self.head_rules else None
        return replace(
            self, test=whole(self.test), train=whole(self.train), models=whole(self.models), head_rules=rules
        )

    @property
    def tags_wanted(self) -> str | None:
        """The one source of tags; ``None`` for automatic ones."""
        return None if self.tags[0] == AUTOMATIC else self.tags[0]

    @property
    def definition(self) -> Experiment:
        """The experiment."""
        if self.experiment not in EXPERIMENTS:
            raise EngineError(f"there is no experiment called {self.experiment}; there are {', '.join(EXPERIMENTS)}")
        return EXPERIMENTS[self.experiment]

    def checked(self) -> ExperimentOptions:
        """Return these options if they measure something; raise :class:`EngineError` in one sentence if they do not."""
        chosen = self.definition
        if not self.test:
            raise EngineError("no treebank is chosen to measure on; name a file or folder of trees")
        if chosen.counts_only:
            return self
        if bool(self.train) == bool(self.models):
            raise EngineError("choose either a model or treebanks to train on")
        if chosen.needs_training and not self.train:
            raise EngineError("this experiment trains its models; name the treebanks to train on")
        if self.models and self.head_rules:
            raise EngineError("head rules are for training: name treebanks to train on, or leave the rules out")
        for name in (PRESETS_OPTION, BEAMS, TAGS, LENGTHS):
            if not getattr(self, name):
                raise EngineError(f"no {_WORDS[name]} is chosen; choose at least one")
        chosen.plan(self)
        return self


_WORDS = {PRESETS_OPTION: "preset", BEAMS: "β", TAGS: "source of tags", LENGTHS: "longest sentence"}


@dataclass(frozen=True, slots=True)
class Experiment:
    """One of the experiments.

    Attributes
    ----------
    name, title, summary
        What it is called at the terminal and in a window, and what it shows.
    plan
        The trials for what is asked.
    table, figure
        Show results: of trials, the title of the treebank, and the options.
    several
        The options of which it takes several values; of the others the first.
    fixed
        Options that it sets itself, so that there is nothing to choose.
    needs_training, counts_only
        Whether it needs treebanks to train on; whether it looks at trees alone, without any model.
    """

    name: str
    title: str
    summary: str
    plan: Callable[[ExperimentOptions], list[Trial]]
    table: Callable[[Sequence[Trial], TrialResults, str, ExperimentOptions], Table]
    figure: Callable[[Sequence[Trial], TrialResults, str, ExperimentOptions], Any]
    several: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    needs_training: bool = False
    counts_only: bool = False

    def live_table(self, options: ExperimentOptions, results: Mapping[int, Mapping[str, Any]], title: str) -> Table:
        """Return the table as far as trials are measured, by their numbers; the rows of the others are empty."""
        plan = self.plan(options)
        if self.counts_only:
            nothing: dict[str, Any] = {DISTANCES: Distances().state()}
        else:
            nothing = nothing_measured(options.lengths)
        return self.table(plan, [results.get(number, nothing) for number in range(len(plan))], title, options)

    def live_figure(self, options: ExperimentOptions, results: Mapping[int, Mapping[str, Any]], title: str) -> Any:
        """Return the picture of the trials that have some measures; ``None`` while there is not one."""
        plan = self.plan(options)
        known = [number for number in range(len(plan)) if _has_measures(results.get(number), options)]
        if not known:
            return None
        return self.figure([plan[number] for number in known], [results[number] for number in known], title, options)


def _has_measures(result: Mapping[str, Any] | None, options: ExperimentOptions) -> bool:
    """Return whether there is something to draw of a trial: a sentence of every length."""
    if result is None:
        return False
    if DISTANCES in result:
        return bool(result[DISTANCES]["sentences"])
    return all(result["measures"][str(length)]["sentences"] for length in options.lengths)


def _distances_of(results: TrialResults) -> Distances:
    return Distances.of_state(results[0][DISTANCES])


def model_names(options: ExperimentOptions) -> list[str]:
    """Return what rows call the models: their files without folders and endings."""
    return [Path(name).stem for name in options.models] or ["trained"]


EXPERIMENTS: Mapping[str, Experiment] = {
    one.name: one
    for one in (
        Experiment(
            "distances",
            "Tables 1 and 2: distances",
            "Tables 1 and 2 and the share of commas that obey the comma rule",
            lambda options: [Trial((), Settings.preset(trials.PAPER_MODEL), GOLD)],
            lambda plan, results, test, options: paper_tables.distances_table(_distances_of(results), test),
            lambda plan, results, test, options: plots.distances_figure(_distances_of(results), test),
            fixed=frozenset({PRESETS_OPTION, BEAMS, TAGS, LENGTHS}),
            counts_only=True,
        ),
        Experiment(
            "models",
            "Table 3: the models",
            "Table 3: recall, precision and crossing brackets of every model",
            lambda options: trials.models(options.presets, options.beams[0], options.tags_wanted),
            lambda plan, results, test, options: paper_tables.models_table(plan, results, test, options.lengths),
            lambda plan, results, test, options: plots.models_figure(plan, results, test, options.lengths),
            several=frozenset({PRESETS_OPTION, LENGTHS}),
        ),
        Experiment(
            "ablation",
            "Table 4: distance and words",
            "Table 4: what the distance measure and lexical information contribute",
            lambda options: trials.ablation(options.presets[0], options.beams[0], options.tags_wanted),
            lambda plan, results, test, options: paper_tables.ablation_table(plan, results, test, options.lengths[0]),
            lambda plan, results, test, options: plots.ablation_figure(plan, results, test, options.lengths[0]),
        ),
        Experiment(
            "beam",
            "Table 5: the beam",
            "Table 5: speed and accuracy as the beam is narrowed",
            lambda options: trials.beams(options.presets[0], options.beams, options.literal_beam, options.tags_wanted),
            lambda plan, results, test, options: paper_tables.beam_table(plan, results, test, options.lengths[0]),
            lambda plan, results, test, options: plots.beam_figure(plan, results, test, options.lengths[0]),
            several=frozenset({BEAMS}),
        ),
        Experiment(
            "learning-curve",
            "Learning curve",
            "Accuracy, size of the model and time against the number of training trees",
            lambda options: trials.learning_curve(
                options.presets[0], options.beams[0], options.halvings, options.tags_wanted
            ),
            lambda plan, results, test, options: paper_tables.learning_table(plan, results, test, options.lengths[0]),
            lambda plan, results, test, options: plots.learning_figure(plan, results, test, options.lengths[0]),
            needs_training=True,
        ),
        Experiment(
            "grid",
            "A grid of your own",
            "Every combination of models, presets, β, sources of tags and lengths",
            lambda options: trials.grid(model_names(options), options.presets, options.beams, options.tags),
            lambda plan, results, test, options: paper_tables.grid_table(plan, results, test, options.lengths),
            lambda plan, results, test, options: plots.grid_figure(plan, results, test, options.lengths, options.axis),
            several=frozenset({MODELS, PRESETS_OPTION, BEAMS, TAGS, LENGTHS}),
        ),
    )
}
"""By their names, in the order of the paper's tables."""
