"""Systems to be compared, what each makes of each gold tree, and what is counted of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine.chart.parser import Parser
from engine.common.errors import Cancelled, EngineError, SentenceError
from engine.common.numbers import size
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.model.model import Model, WorkerFactory
from engine.settings import DEFAULT_PRESET, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import f1_of
from engine.study.errors import ErrorClass, classify_errors
from engine.study.foreign_trees import ForeignTrees, Problem, read_foreign_trees, token_words
from engine.study.parseval import SentenceScore, score_pair
from engine.study.provenance import GOLD, Provenance
from engine.study.significance import Floats, Ratio
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean

# A system to be compared: a model with settings, or a file of another parser's trees.


@dataclass(frozen=True, slots=True)
class ModelSystem:
    """A model of ours with settings.

    Attributes
    ----------
    name
        What tables call it; no two systems of a comparison have the same.
    model
        The model's file.
    settings, preset
        How to parse, and the preset that the settings started from.
    tags
        Where tags come from: ``gold``, ``best`` or ``distribution``, see :mod:`engine.study.provenance`.  The
        settings go with it (:func:`engine.study.provenance.tag_source`).
    """

    name: str
    model: Path
    settings: Settings
    preset: int = DEFAULT_PRESET
    tags: str = GOLD

    @property
    def description(self) -> str:
        """What it is: ``english · preset 5 · β 1000 · gold tags``."""
        return str(Provenance(self.model.stem, self.settings, self.tags, self.preset))

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        provenance = Provenance(self.model.stem, self.settings, self.tags, self.preset)
        return {"name": self.name, "kind": "model", **provenance.as_dict()}


@dataclass(frozen=True, slots=True)
class TreesSystem:
    """A file of another parser's trees.

    Attributes
    ----------
    name
        What tables call it.
    trees
        The file: one tree a line in the order of the gold trees, a line that is empty or has ``()`` or ``(())`` for a
        sentence without a parse; also gzipped.
    """

    name: str
    trees: Path

    @property
    def description(self) -> str:
        """What it is: ``trees of berkeley.txt``."""
        return f"trees of {self.trees.name}"

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        return {"name": self.name, "kind": "trees", "file": self.trees.name}


System = ModelSystem | TreesSystem
"""What can be compared."""


def check_systems(systems: Sequence[System]) -> None:
    """Raise :class:`EngineError` where there are too few systems, or two of one name."""
    if len(systems) < 2:
        raise EngineError(f"a comparison needs two systems or more, not {len(systems)}")
    names = [system.name for system in systems]
    for name in names:
        if not name.strip():
            raise EngineError("a system has no name; give each one")
        if names.count(name) > 1:
            raise EngineError(f"two systems are called `{name}`; give each a name of its own")


# What each system makes of each gold tree: PARSEVAL's counts, what went wrong by class, and the tree.

Progress = Callable[[float, str], None]
"""Told how much is done, from 0 to 1, and in words."""
Cancel = Callable[[], bool]
"""Asked now and then whether to stop."""


@dataclass(frozen=True, slots=True)
class SentenceResult:
    """One sentence of one system.

    Attributes
    ----------
    score
        PARSEVAL's counts: matched, gold, proposed, crossing, length; `failed` where there is no parse.
    errors
        How many errors of each class the tree has; none where there is no parse.
    tree
        The tree in brackets, in the gold tree's spelling; empty where there is no parse.
    """

    score: SentenceScore
    errors: tuple[tuple[ErrorClass, int], ...] = ()
    tree: str = ""

    @property
    def f1(self) -> float:
        """F1 of the sentence in per cent."""
        return f1_of(self.score.matched, self.score.gold, self.score.proposed)

    @property
    def errors_text(self) -> str:
        """The errors by class: ``PP attachment, coordination 2``."""
        if self.score.failed:
            return "no parse"
        return ", ".join(f"{kind} {count}" if count > 1 else str(kind) for kind, count in self.errors)


@dataclass(frozen=True, slots=True)
class SystemResult:
    """All sentences of one system, in the order of the gold trees that are compared.

    Of a file of trees also how many tokens were `respelled` as gold has them, and how many trees are `surplus`: no gold
    tree goes with them.
    """

    system: System
    sentences: tuple[SentenceResult, ...]
    respelled: int = 0
    surplus: int = 0

    @property
    def name(self) -> str:
        """The system's name."""
        return self.system.name

    @property
    def failed(self) -> int:
        """How many sentences have no parse."""
        return sum(one.score.failed for one in self.sentences)


@dataclass(slots=True)
class Results:
    """What all systems made of a treebank.

    Attributes
    ----------
    numbers, golds
        Number in the treebank (from 1) and gold tree of every sentence that is compared.
    systems
        The results, one for each system in their order.
    problems
        What was left out of all systems because one's tree could not be scored.
    too_long
        How many gold trees were left out because they are too long, or have no words.
    """

    numbers: list[int]
    golds: list[Tree]
    systems: list[SystemResult] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    too_long: int = 0


def sentence_result(gold: Tree, tree: Tree | None) -> SentenceResult:
    """Score a tree and tell its errors by class; ``None`` is no parse."""
    score = score_pair(gold, tree)
    if tree is None or score.failed:
        return SentenceResult(score)
    errors = () if score.complete else tuple(sorted(Counter(e.kind for e in classify_errors(tree, gold)).items()))
    return SentenceResult(score, errors, tree.brackets())


def run_systems(
    golds: Sequence[Tree],
    systems: Sequence[System],
    *,
    longest: int | None = None,
    skip_bad: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Results:
    """Parse with, or read, every system and score it.

    Parameters
    ----------
    golds
        The gold trees as they were read.
    systems
        Two or more.
    longest
        Sentences of more tokens are left out of all systems.
    skip_bad
        Whether sentences that a file's tree cannot be scored for are left out of all systems; else the first of them
        raises :class:`EngineError`.
    jobs
        Number of processes.
    progress, cancelled
        Told how far it is; asked whether to stop, which raises :class:`Cancelled`.
    """
    numbers = list(range(1, len(golds) + 1))
    foreign = {
        system.name: read_foreign_trees(system.trees, golds, numbers, system.name)
        for system in systems
        if isinstance(system, TreesSystem)
    }
    kept = [at for at, gold in enumerate(golds) if 0 < len(token_words(gold)) <= (longest or len(token_words(gold)))]
    problems = [found.problems[at] for at in kept for found in foreign.values() if at in found.problems]
    if not skip_bad:
        _refuse(problems, foreign, len(golds))
    bad = {problem.number for problem in problems}
    compared = [at for at in kept if numbers[at] not in bad]
    if not compared:
        raise EngineError("there are no sentences to compare the systems on; name a treebank that has some")
    results = Results(
        [numbers[at] for at in compared],
        [golds[at] for at in compared],
        problems=problems,
        too_long=len(golds) - len(kept),
    )
    found = _all_results(results.golds, compared, systems, foreign, jobs, progress, cancelled)
    for system in systems:
        trees = foreign.get(system.name, ForeignTrees([], {}))
        results.systems.append(SystemResult(system, tuple(found[system.name]), trees.respelled, trees.surplus))
    return results


def _refuse(problems: Sequence[Problem], foreign: dict[str, ForeignTrees], golds: int) -> None:
    """Raise :class:`EngineError` for the first tree that cannot be scored, or that goes with no gold tree."""
    if problems:
        more = f"; and {size(len(problems) - 1, 'more such sentence')}" if len(problems) > 1 else ""
        raise EngineError(f"{problems[0]}{more}; --skip-bad leaves them out of all systems")
    for name, trees in foreign.items():
        if trees.surplus:
            raise EngineError(
                f"{name}: the file has {size(trees.surplus, 'tree')} to which no gold tree belongs "
                f"({size(trees.lines, 'line')} for {size(golds, 'gold tree')}); --skip-bad leaves them out"
            )


def _all_results(
    golds: Sequence[Tree],
    places: Sequence[int],
    systems: Sequence[System],
    foreign: dict[str, ForeignTrees],
    jobs: int,
    progress: Progress | None,
    cancelled: Cancel | None,
) -> dict[str, list[SentenceResult]]:
    """Return the results of every system by its name; systems of one model share the processes that have it open."""
    found: dict[str, list[SentenceResult]] = {system.name: [] for system in systems}
    total, done = len(systems) * len(golds), 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        if cancelled is not None and cancelled():
            raise Cancelled("the comparison was cancelled")
        if progress is not None:
            progress(done / total, f"{done:,} of {total:,} parses")

    texts = [gold.brackets() for gold in golds]
    for path, group in _by_model(systems).items():
        factory = WorkerFactory(path.resolve(), partial(systems_parser, systems=tuple(group)))
        with closing(ordered(factory, texts, jobs, SENTENCES_AT_ONCE, cancelled)) as parsed:
            for results in parsed:
                for system, result in zip(group, results, strict=True):
                    found[system.name].append(result)
                step(len(group))
    for name, trees in foreign.items():
        given = [trees.trees[at] for at in places]
        pairs = [(text, tree.brackets() if tree is not None else "") for text, tree in zip(texts, given, strict=True)]
        with closing(ordered(pair_scorer, pairs, jobs, SENTENCES_AT_ONCE, cancelled)) as scored:
            for result in scored:
                found[name].append(result)
                step(1)
    return found


def _by_model(systems: Sequence[System]) -> dict[Path, list[ModelSystem]]:
    groups: dict[Path, list[ModelSystem]] = {}
    for system in systems:
        if isinstance(system, ModelSystem):
            groups.setdefault(Path(os.path.abspath(system.model)), []).append(system)
    return groups


def systems_parser(model: Model, systems: Sequence[ModelSystem]) -> Callable[[str], tuple[SentenceResult, ...]]:
    """Return what parses the words of a gold tree, given in brackets, with every system of one model."""
    parsers = [(Parser(model, system.settings), system.tags == GOLD) for system in systems]

    def parse(text: str) -> tuple[SentenceResult, ...]:
        gold = read_tree(text)
        return tuple(_parsed(gold, parser, gold_tags) for parser, gold_tags in parsers)

    return parse


def _parsed(gold: Tree, parser: Parser, gold_tags: bool) -> SentenceResult:
    cleaned = clean(gold)
    assert cleaned is not None, "trees without words are left out before"
    sentence = TaggedSentence.from_tree(cleaned)
    try:
        tree = parser.parse(sentence if gold_tags else parser.model.tag(sentence.words)).tree
    except SentenceError:
        # Too long for the parser: the system has no parse of it, as another parser may have none.
        return sentence_result(gold, None)
    return sentence_result(gold, tree)


def pair_scorer() -> Callable[[tuple[str, str]], SentenceResult]:
    """Return what scores a tree against a gold tree, both in brackets; an empty one is no parse."""
    return lambda pair: sentence_result(read_tree(pair[0]), read_tree(pair[1]) if pair[1] else None)


def rows_of(results: Results) -> Iterator[tuple[int, Tree, tuple[SentenceResult, ...]]]:
    """Yield every sentence: its number, its gold tree, and what each system made of it."""
    yield from zip(
        results.numbers, results.golds, zip(*(one.sentences for one in results.systems), strict=True), strict=True
    )


# What is counted of a sentence, and the measures that are ratios of its sums.

_COUNTS = ("matched", "gold", "proposed", "crossing", "complete", "scored")
_CLASSES = tuple(ErrorClass)
_COLUMNS = (*_COUNTS, *_CLASSES, "one")
"""What is counted of a sentence, a column each; the last is 1, so that a mean is a ratio of sums, too."""


def _ratio(above: Mapping[str, float], below: Mapping[str, float], **how: Any) -> Ratio:
    numerator, denominator = (tuple(side.get(name, 0.0) for name in _COLUMNS) for side in (above, below))
    return Ratio(numerator, denominator, **how)


MEASURES: dict[str, Ratio] = {
    "labeled_recall": _ratio({"matched": 1}, {"gold": 1}, of_nothing=100.0),
    "labeled_precision": _ratio({"matched": 1}, {"proposed": 1}),
    "f1": _ratio({"matched": 2}, {"gold": 1, "proposed": 1}, of_nothing=100.0),
    "crossing": _ratio({"crossing": 1}, {"scored": 1}, scale=1.0, higher_is_better=False, of_nothing=float("nan")),
    "complete_match": _ratio({"complete": 1}, {"scored": 1}),
}
"""The measures with an interval, called what :data:`engine.study.parseval.MEASURES` calls them."""
F1 = "f1"
ERROR_RATES: dict[ErrorClass, Ratio] = {
    kind: _ratio({kind: 1}, {"one": 1}, scale=100.0, higher_is_better=False) for kind in _CLASSES
}
"""Errors of each class in a hundred sentences."""


def counts_of(sentences: Sequence[SentenceResult]) -> Floats:
    """Return the counts of a system: a row for each sentence, a column for each of what is counted."""
    return np.asarray([tuple(_counted(one)) for one in sentences], dtype=np.float64).reshape(-1, len(_COLUMNS))


def _counted(one: SentenceResult) -> Iterator[int]:
    score = one.score
    errors = dict(one.errors)
    # A sentence without a parse, or of punctuation alone, takes no part in crossing brackets and complete match.
    scored = not score.failed and score.tokens > 0
    yield from (score.matched, score.gold, score.proposed, score.crossing, score.complete and scored, scored)
    yield from (errors.get(kind, 0) for kind in _CLASSES)
    yield 1


def errors_of(sentences: Sequence[SentenceResult]) -> Counter[ErrorClass]:
    """Return how many errors of each class a system made."""
    return sum((Counter(dict(one.errors)) for one in sentences), Counter[ErrorClass]())
