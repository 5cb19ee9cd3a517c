"""An experiment with its trees and models; what it measures is kept, and taken up again if the same is asked for."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import EngineError
from engine.common.files import remove_abandoned_parts
from engine.common.parallel import Workers
from engine.common.private_files import cache_folder
from engine.evaluation.experiments.distance_shares import Distances, distances
from engine.evaluation.experiments.experiment import DISTANCES, Experiment, ExperimentOptions
from engine.evaluation.experiments.journal import Journal, key_of
from engine.evaluation.experiments.journal_records import REQUEST
from engine.evaluation.experiments.result_table import ResultTable
from engine.evaluation.experiments.supervision import Supervision
from engine.evaluation.experiments.trial_bench import (
    TELL_SECONDS,
    Bench,
    Ready,
    Trained,
    TreeSample,
    program_fingerprint,
)
from engine.evaluation.experiments.trials import Trial
from engine.trees.head_rules import load_head_rules
from engine.trees.tree_reading import read_tree
from engine.trees.treebank import BadTrees

SUFFIX = ".jsonl"
STANDARD_INPUT = "-"
"""What is read from there cannot be read again."""
_ABOUT: dict[str, Any] = {}
_UNUSED_SECONDS = 90 * 24 * 3600.0


def journal_folder() -> Path:
    """Where experiments are kept whose results go to no file of one's own."""
    return cache_folder() / "experiments"


@dataclass(slots=True)
class ExperimentRun:
    """What is measured, and on what.

    Attributes
    ----------
    options, plan
        What was asked for, and its trials.
    bench
        Where they are measured.
    bad
        The trees that were left out.
    configurations
        What each result depends on.
    """

    options: ExperimentOptions
    plan: list[Trial]
    bench: Bench
    bad: BadTrees
    configurations: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def open(cls, options: ExperimentOptions, workers: int | Workers | None = None) -> ExperimentRun:
        """Read the treebanks, and open the models; raise :class:`EngineError` in one sentence if that fails.

        The work is done by `workers`, or by as many processes as the options name.
        """
        jobs = options.jobs if workers is None else workers
        experiment = options.checked().definition
        bad = BadTrees()
        on_bad = bad if options.skip_bad else None
        sources: list[Trained | Ready] = []
        if options.train and not experiment.counts_only:
            sources = [Trained(TreeSample.read(options.train, on_bad), options.head_rules, jobs)]
        elif not experiment.counts_only:
            sources = [Ready(model) for model in options.models]
        bench = Bench(sources, TreeSample.read(options.test, on_bad), options.lengths, jobs)
        plan = experiment.plan(options)
        run = cls(options, plan, bench, bad)
        run.configurations = [run._counting()] if experiment.counts_only else bench.configurations(plan)
        return run

    @property
    def experiment(self) -> Experiment:
        """The experiment."""
        return self.options.definition

    @property
    def test_title(self) -> str:
        """The names of the treebanks."""
        return self.bench.test.title

    @property
    def title(self) -> str:
        """On what, and with which model: the title of our rows."""
        experiment, options = self.experiment, self.options
        if experiment.counts_only:
            return self.test_title
        one_preset = "presets" not in experiment.several
        preset = f", preset ({options.presets[0]})" if one_preset else ""
        return f"{self.test_title}, {self.bench.title}{preset}"

    def journal(self, folder: Path | None = None) -> Journal:
        """The journal of this experiment alone, with what was asked for, so that it can be found and taken up again."""
        name = f"{self.experiment.name}-{key_of({'all': self.configurations})}{SUFFIX}"
        folder = folder or journal_folder()
        _forget_old(folder, name)
        journal = Journal(folder / name, optional=True)
        about = {
            "options": self.options.absolute().as_dict(),
            "title": self.title,
            "test_title": self.test_title,
            "program": program_fingerprint(),
            "trials": len(self.plan),
        }
        if journal.noted(REQUEST, _ABOUT) != about:
            journal.note(REQUEST, _ABOUT, about)
        return journal

    def known(self, journal: Journal) -> int:
        """How many results a journal has already."""
        return sum(journal.find(configuration) is not None for configuration in self.configurations)

    def measure(self, journal: Journal, supervision: Supervision) -> list[dict[str, Any]]:
        """The result of every trial: from the journal, or measured now and written into it at once."""
        if self.experiment.counts_only:
            return [self._count(journal, supervision)]
        return self.bench.run(self.plan, self.configurations, journal, supervision=supervision)

    def table(self, results: Sequence[dict[str, Any]]) -> ResultTable:
        """The results beside the paper's."""
        return self.experiment.table(self.plan, results, self.title, self.options)

    def figure(self, results: Sequence[dict[str, Any]]) -> Any:
        """The results as a picture."""
        return self.experiment.figure(self.plan, results, self.test_title, self.options)

    def _counting(self) -> dict[str, Any]:
        rules = load_head_rules(self.options.head_rules).text
        return {
            "program": program_fingerprint(),
            "test": self.bench.test.fingerprint(),
            "experiment": DISTANCES,
            "head_rules": key_of({"rules": rules}),
        }

    def _count(self, journal: Journal, supervision: Supervision) -> dict[str, Any]:
        """Tables 1 and 2, which need no parser."""
        [configuration] = self.configurations
        result = journal.find(configuration)
        if result is None:
            texts = self.bench.test.trees
            told_at = time.monotonic()

            def watch(count: int, found: Distances) -> None:
                nonlocal told_at
                supervision.check()
                if time.monotonic() - told_at >= TELL_SECONDS:
                    told_at = time.monotonic()
                    supervision.watch(count / len(texts), "counting")
                    supervision.on_measured(0, {DISTANCES: found.state()}, False)

            found = distances(map(read_tree, texts), load_head_rules(self.options.head_rules), watch)
            if not found.sentences:
                raise EngineError("there are no trees to count in; name a treebank that has some")
            result = {DISTANCES: found.state()}
            journal.keep(configuration, result)
        supervision.on_measured(0, result, True)
        return result


def _forget_old(folder: Path, wanted: str) -> None:
    """Remove journals that nobody has added to for three months, most of them of other versions of the program.

    The one that is wanted now stays: it may have been written when the clock was wrong.
    """
    for old in folder.glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):
            if old.name != wanted and time.time() - old.stat().st_mtime > _UNUSED_SECONDS:
                old.unlink()
    remove_abandoned_parts(folder)


class KeptExperiment(NamedTuple):
    """An experiment that was begun.

    Attributes
    ----------
    path
        Its journal.
    options
        What was asked for.
    title, test_title
        What rows and pictures call it.
    done, trials
        How many trials are measured, and how many there are.
    changed
        When something was measured last, in seconds as the system counts them.
    """

    path: Path
    options: ExperimentOptions
    title: str
    test_title: str
    done: int
    trials: int
    changed: float

    @property
    def finished(self) -> bool:
        """Whether all of it is measured."""
        return self.done >= self.trials

    def forget(self) -> None:
        """Take its journal away."""
        Journal(self.path, optional=True).remove()


def kept_experiments(folder: Path | None = None) -> list[KeptExperiment]:
    """The experiments that were begun with this very program and can be taken up again, the latest first."""
    found = []
    for path in sorted((folder or journal_folder()).glob(f"*{SUFFIX}")):
        journal = Journal(path, optional=True)
        about = journal.noted(REQUEST, _ABOUT)
        if about is None or about.get("program") != program_fingerprint():
            continue
        # A file that was taken away meanwhile is none of them, and one of another version may lack something.
        with contextlib.suppress(OSError, KeyError, TypeError, ValueError, AttributeError, EngineError):
            options = ExperimentOptions.of_dict(about["options"])
            _ = options.definition
            if STANDARD_INPUT in (*options.test, *options.train):
                continue
            found.append(
                KeptExperiment(
                    path,
                    options,
                    about["title"],
                    about["test_title"],
                    len(journal),
                    about["trials"],
                    path.stat().st_mtime,
                )
            )
    return sorted(found, key=lambda kept: -kept.changed)
