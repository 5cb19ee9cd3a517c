"""An experiment with its trees and models: trial by trial on the bench, kept at once, watched, and taken up again."""

from __future__ import annotations

import contextlib
import hashlib
import math
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import engine
from engine.common.errors import Cancelled, EngineError
from engine.common.files import remove_abandoned_parts, temporary_folder
from engine.common.parallel import SENTENCES_AT_ONCE, Workers, ordered
from engine.common.resources import named_model
from engine.common.tables import Table
from engine.counts.counting import table_sizes
from engine.gate.private_files import cache_folder
from engine.model.model import Model, WorkerFactory
from engine.study.evaluation import sentence_evaluator
from engine.study.experiments import DISTANCES, Experiment, ExperimentOptions
from engine.study.journal import BEGUN, REQUEST, Journal, Measurement, key_of
from engine.study.paper_tables import Distances, Trial, distances
from engine.study.provenance import GOLD, TAG_SOURCES
from engine.training.train import READING_STAGE, Progress, train
from engine.trees.head_rules import load_head_rules
from engine.trees.reading import read_tree
from engine.trees.treebank import BadTrees, OnBad, corpus_name, read_treebank

# How an experiment is watched, paused and cancelled from another thread while it runs.

Watch = Callable[[float, str], None]
"""Told the share of all work that is done, and what is being done."""
PAUSE, GO_ON = "pause", "go on"
"""What another process is told."""
_ASK_SECONDS = 0.05


class Supervision:
    """Asked by a run between two sentences; the other methods are for whoever supervises.

    Parameters
    ----------
    watch
        Told how far the work is.
    on_measured
        Told the number of a trial and its measures: now and then while it is under way, and when it is done.
    """

    def __init__(
        self,
        watch: Watch = lambda share, what: None,
        on_measured: Callable[[int, Mapping[str, Any], bool], None] = lambda trial, result, done: None,
    ) -> None:
        self.watch = watch
        self.on_measured = on_measured
        self._cancelled = threading.Event()
        self._going = threading.Event()
        self._going.set()

    def pause(self) -> None:
        """Have the run wait after the sentence in hand; processes finish the batches that they have."""
        self._going.clear()

    def go_on(self) -> None:
        """Let the run go on."""
        self._going.set()

    def cancel(self) -> None:
        """Have the run end; what was measured is kept."""
        self._cancelled.set()

    @property
    def paused(self) -> bool:
        """Whether the run waits, or will."""
        return not self._going.is_set()

    def cancelled(self) -> bool:
        """Return whether the run is to end."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Wait while the run is paused; raise :class:`Cancelled` if it is to end."""
        while not self.cancelled() and not self._going.wait(_ASK_SECONDS):
            pass
        if self.cancelled():
            raise Cancelled("the experiment was cancelled")


# Test bench: trains where need be, parses the test sentences of every trial, and keeps each result at once.

_SHORT_TREE = "(S (NP (DT The) (NN end)) (VP (VBZ is) (ADVP (RB near))) (. .))"
_TRAINING_WEIGHT = 0.4
"""Time to train on a tree, against that to parse a sentence; only the time left is estimated by it."""
KEEP_SECONDS = 2.0
"""How often it is written down how far a trial is."""
TELL_SECONDS = 0.25
"""How often its measures so far are told."""


@dataclass(frozen=True, slots=True)
class TreeSample:
    """Trees to train or test on.

    Attributes
    ----------
    names
        Of the files, without their folders.
    trees
        In brackets, as they were read.
    """

    names: tuple[str, ...]
    trees: tuple[str, ...]

    @classmethod
    def read(cls, sources: Sequence[str | Path], on_bad: OnBad | None = None) -> TreeSample:
        """Read treebanks; without any tree there is nothing to do."""
        trees = tuple(tree.brackets() for tree in read_treebank(sources, on_bad))
        names = tuple(corpus_name(source) for source in sources)
        if not trees:
            raise EngineError(f"{', '.join(names)}: there are no trees in it; name another treebank")
        return cls(names, trees)

    @property
    def title(self) -> str:
        """The names in a row."""
        return ", ".join(self.names)

    def fingerprint(self) -> str:
        """Return a digest of the trees, whatever files they stand in."""
        digest = hashlib.sha256()
        for tree in self.trees:
            digest.update(tree.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()[:32]

    def sample(self, share: Fraction) -> list[str]:
        """Return a share of the trees, spread over the whole; every smaller sample is part of every larger one."""
        wanted = math.ceil(len(self.trees) * share)
        # Digests of the numbers are an order that looks random and is the same everywhere, for ever.
        ranked = sorted(range(len(self.trees)), key=lambda number: hashlib.sha256(b"%d" % number).digest())
        return [self.trees[number] for number in sorted(ranked[:wanted])]


@cache
def program_fingerprint() -> str:
    """Return a digest of everything in the program that a measurement could depend on."""
    folder = Path(engine.__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.txt")]):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()[:32]


class Trained:
    """Models trained on shares of a corpus, one at a time, in a folder that is taken away afterwards."""

    def __init__(self, corpus: TreeSample, head_rules: str | Path | None = None, jobs: int | Workers = 1) -> None:
        self._corpus = corpus
        self._head_rules = head_rules
        self._jobs = jobs
        self._folder: Path | None = None
        self._share: Fraction | None = None
        self._facts: dict[str, Any] = {}
        # A model that is made here is nobody else's to change.
        self.digest = ""

    @property
    def title(self) -> str:
        """What the models are trained on."""
        return f"trained on {self._corpus.title}"

    def identity(self, share: Fraction) -> dict[str, Any]:
        """Return what decides what the model is."""
        rules = hashlib.sha256(load_head_rules(self._head_rules).text.encode()).hexdigest()[:32]
        return {"train": self._corpus.fingerprint(), "share": str(share), "head_rules": rules}

    def cost(self, share: Fraction) -> int:
        """Return how many trees must be read to have the model."""
        return math.ceil(len(self._corpus.trees) * share)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Have a folder for as long as the block runs."""
        with temporary_folder() as folder:
            self._folder, self._share = folder, None
            # So that loading the compiled kernels does not count as training.
            train([read_tree(_SHORT_TREE)])
            yield

    def path(self, share: Fraction, watch: Callable[[float], None]) -> tuple[Path, dict[str, Any]]:
        """Return the model's file, trained now unless it was the last asked for, and facts of its training."""
        assert self._folder is not None
        path = self._folder / "trained.model"
        if share != self._share:
            trees = self._folder / "sample.ptb"
            sample = self._corpus.sample(share)
            trees.write_text("\n".join(sample) + "\n", encoding="utf-8")
            started = time.perf_counter()
            model = train([trees], head_rules=self._head_rules, jobs=self._jobs, progress=_one_way(watch))
            model.save(path)
            seconds = time.perf_counter() - started
            self._facts = {"seconds": seconds, **model_facts(model, path)}
            self._share = share
        return path, self._facts


class Ready:
    """A model that is there already, in a file or bundled: shares of its training cannot be had."""

    def __init__(self, path: str | Path) -> None:
        path = named_model(path)
        self._path = path.resolve()
        model = Model.load(path)
        self.digest = model.digest
        self._exact = model.exact
        self._facts = model_facts(model, self._path)

    @property
    def title(self) -> str:
        """Which model it is; of a compact one also that presets (1) to (4) have other counts than the paper's."""
        return f"model {self._path.name}{'' if self._exact else ' (compact: in presets 1 to 4 not the paper’s counts)'}"

    def identity(self, share: Fraction) -> dict[str, Any]:
        """Return what decides what the model is: the file's contents."""
        with self._path.open("rb") as file:
            return {"model": hashlib.file_digest(file, "sha256").hexdigest()[:32], "share": str(share)}

    def cost(self, share: Fraction) -> int:
        """Nothing has to be read."""
        return 0

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Nothing to prepare."""
        yield

    def path(self, share: Fraction, watch: Callable[[float], None]) -> tuple[Path, dict[str, Any]]:
        """Return the model's file, and facts of it."""
        if share != 1:
            raise EngineError("a ready model cannot be trained on fewer trees; name the treebanks with --train")
        return self._path, self._facts


def model_facts(model: Model, path: Path) -> dict[str, Any]:
    """Return how large a model is, and whether it can tag."""
    return {
        "sentences": model.metadata["sentences"],
        "words": model.metadata["words"],
        "contexts": sum(size for _, size, _ in table_sizes(model.counts)),
        "bytes": path.stat().st_size,
        "tagger": model.tagger is not None,
    }


@dataclass(slots=True)
class Bench:
    """Measures trials.

    Attributes
    ----------
    models
        Where models come from: one source, or several among which trials choose by number.
    test
        The trees to measure on.
    lengths
        Cut-offs: for each the measures over sentences of at most so many tokens.
    jobs
        Processes that parse, or other workers.
    """

    models: Trained | Ready | Sequence[Trained | Ready]
    test: TreeSample
    lengths: Sequence[int]
    jobs: int | Workers = 1

    @property
    def sources(self) -> Sequence[Trained | Ready]:
        """Where models come from."""
        return (self.models,) if isinstance(self.models, Trained | Ready) else self.models

    @property
    def title(self) -> str:
        """Which models are measured."""
        return ", ".join(source.title for source in self.sources)

    def configurations(self, trials: Iterable[Trial]) -> list[dict[str, Any]]:
        """Everything that a result depends on, for every trial."""
        test = self.test.fingerprint()
        identities: dict[tuple[int, Fraction], dict[str, Any]] = {}
        found = []
        for trial in trials:
            which = trial.model, trial.share
            if which not in identities:
                identities[which] = self.sources[trial.model].identity(trial.share)
            found.append(
                {
                    "program": program_fingerprint(),
                    "model": identities[which],
                    "test": test,
                    "lengths": list(self.lengths),
                    "settings": trial.settings.as_dict(),
                    "tags": trial.tags,
                }
            )
        return found

    def run(
        self,
        trials: Sequence[Trial],
        configurations: Sequence[Mapping[str, Any]],
        journal: Journal,
        watch: Watch | None = None,
        supervision: Supervision | None = None,
    ) -> list[dict[str, Any]]:
        """Return the result of every trial: from the journal, or measured now and written into it.

        Parameters
        ----------
        trials, configurations
            What to measure, and what :meth:`configurations` says of it.
        journal
            Where results are found and kept, and how far a trial is: an interruption costs some seconds of work.
        watch
            Told how far the work is.
        supervision
            The same, and more: it is told of measures as they come, and may pause or cancel the work.
        """
        supervision = supervision or Supervision(watch or (lambda share, what: None))
        results = [journal.find(configuration) for configuration in configurations]
        waiting = [index for index, result in enumerate(results) if result is None]
        for index, result in enumerate(results):
            if result is not None:
                supervision.on_measured(index, result, True)
        costs = [self._cost(trials, waiting, place) for place in range(len(waiting))]
        total, before = sum(costs) or 1.0, 0.0
        with ExitStack() as opened:
            if waiting:
                for source in self.sources:
                    opened.enter_context(source.opened())
            for place, index in enumerate(waiting):
                trial, what = trials[index], f"{place + 1} of {len(waiting)}"
                parse = len(self.test.trees) / total
                learn = costs[place] / total - parse
                training = _part(supervision.watch, before / total, learn, f"{what}: training")
                parsing = _part(supervision.watch, before / total + learn, parse, f"{what}: parsing")
                supervision.check()
                # Two trials may be the same under two names: preset 4 from best tags is preset 3.
                same = journal.find(configurations[index])
                if same is not None:
                    results[index] = same
                    supervision.on_measured(index, same, True)
                    before += costs[place]
                    continue
                path, facts = self.sources[trial.model].path(trial.share, training)
                if trial.tags != GOLD and not facts["tagger"]:
                    raise EngineError(
                        f"the model has no tagger, which {TAG_SOURCES[trial.tags]} come from; "
                        "measure on the treebank's own tags with --tags gold"
                    )
                measuring = Measurement.taken_up(self.lengths, journal.noted(BEGUN, configurations[index]))
                with closing(self._measure(path, trial, measuring, supervision)) as steps:
                    for kept, told in steps:
                        parsing(measuring.done / len(self.test.trees))
                        if told:
                            partial_result = {"training": facts, "measures": measuring.measures()}
                            supervision.on_measured(index, partial_result, False)
                        if kept:
                            journal.note(BEGUN, configurations[index], measuring.state())
                result = {"training": facts, "measures": measuring.measures()}
                journal.keep(configurations[index], result)
                results[index] = result
                supervision.on_measured(index, result, True)
                before += costs[place]
        return [result for result in results if result is not None]

    def _cost(self, trials: Sequence[Trial], waiting: Sequence[int], place: int) -> float:
        """Work that a trial takes, in sentences parsed; a model is trained once for trials that follow one another."""
        trial = trials[waiting[place]]
        trained = place > 0 and trials[waiting[place - 1]].share == trial.share
        learning = 0.0 if trained else _TRAINING_WEIGHT * self.sources[trial.model].cost(trial.share)
        return len(self.test.trees) + learning

    def _measure(
        self, path: Path, trial: Trial, measuring: Measurement, supervision: Supervision
    ) -> Generator[tuple[bool, bool], None, None]:
        """Parse the sentences that are left; after each, whether it is time to keep the sums, and to tell of them."""
        make = partial(
            sentence_evaluator, settings=trial.settings, longest=max(self.lengths), gold_tags=trial.tags == GOLD
        )
        trees = self.test.trees[measuring.done :]
        if not trees:
            return
        factory = WorkerFactory(path, make, self.sources[trial.model].digest)
        results = ordered(factory, trees, self.jobs, SENTENCES_AT_ONCE, supervision.cancelled)
        kept_at = told_at = time.monotonic()
        with closing(results):
            for found in results:
                measuring.add(found)
                now = time.monotonic()
                kept, told = now - kept_at >= KEEP_SECONDS, now - told_at >= TELL_SECONDS
                kept_at, told_at = now if kept else kept_at, now if told else told_at
                yield kept, told
                supervision.check()


def _one_way(watch: Callable[[float], None]) -> Progress:
    """Progress of training, reported stage by stage, as one share that only grows; reading is about half of it."""
    furthest = 0.0

    def progress(stage: str, share: float) -> None:
        nonlocal furthest
        furthest = max(furthest, share / 2 if stage == READING_STAGE else (1 + share) / 2)
        watch(furthest)

    return progress


def _part(watch: Watch, start: float, width: float, what: str) -> Callable[[float], None]:
    """Tells of a part of the work as of its place in the whole."""
    return lambda share: watch(start + width * share, what)


# An experiment with its trees and models; what it measures is kept, and taken up again if the same is asked for.

SUFFIX = ".jsonl"
STANDARD_INPUT = "-"
"""What is read from there cannot be read again."""
_ABOUT: dict[str, Any] = {}
_UNUSED_SECONDS = 90 * 24 * 3600.0


def journal_folder() -> Path:
    """Return where experiments are kept for which nobody has named a file."""
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
        """Return the journal of this experiment alone, with what was asked for,
        so that it can be found and taken up again.
        """
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
        """Return how many results a journal has already."""
        return sum(journal.find(configuration) is not None for configuration in self.configurations)

    def measure(self, journal: Journal, supervision: Supervision) -> list[dict[str, Any]]:
        """Return the result of every trial: from the journal, or measured now and written into it at once."""
        if self.experiment.counts_only:
            return [self._count(journal, supervision)]
        return self.bench.run(self.plan, self.configurations, journal, supervision=supervision)

    def table(self, results: Sequence[dict[str, Any]]) -> Table:
        """Return the results beside the paper's."""
        return self.experiment.table(self.plan, results, self.title, self.options)

    def figure(self, results: Sequence[dict[str, Any]]) -> Any:
        """Return the results as a picture."""
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
    """Return the experiments that were begun with this very program and can be taken up again, the latest first."""
    found = []
    for path in sorted((folder or journal_folder()).glob(f"*{SUFFIX}")):
        journal = Journal(path, optional=True)
        about = journal.noted(REQUEST, _ABOUT)
        if about is None or about.get("program") != program_fingerprint():
            continue
        # A file may have been taken away meanwhile, and one of another version may lack something.
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
