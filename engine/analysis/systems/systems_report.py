"""Systems compared over a treebank: measures with intervals, every pair tested, by length and by error class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from engine.analysis.comparison.error_classes import ErrorClass
from engine.analysis.systems.counted_measures import ERROR_RATES, F1, MEASURES, counts_of, errors_of
from engine.analysis.systems.foreign_trees import Problem, token_words
from engine.analysis.systems.system import System, check_systems
from engine.analysis.systems.system_results import (
    Cancel,
    Progress,
    Results,
    SentenceResult,
    SystemResult,
    rows_of,
    run_systems,
)
from engine.common.errors import Cancelled
from engine.evaluation.significance import (
    DEFAULT_CONFIDENCE,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Check,
    Interval,
    PairedTest,
    Ratio,
    check_resampling,
    holm,
    paired_test,
    percentile_interval,
    resampled_sums,
)
from engine.trees.tree import Tree

LENGTH_BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, None))
"""Shortest and longest sentence of each row of the table by length, in tokens."""


@dataclass(frozen=True, slots=True)
class LengthBin:
    """Sentences of some lengths: how many there are, and F1 of each system."""

    shortest: int
    longest: int | None
    sentences: int
    f1: tuple[Interval, ...]

    @property
    def title(self) -> str:
        """``11–20``, ``41+``."""
        return f"{self.shortest}+" if self.longest is None else f"{self.shortest}–{self.longest}"


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Errors of one class: how many each system made."""

    kind: ErrorClass
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems held against each other; a win is the first one's.

    Attributes
    ----------
    first, second
        Their places among the systems.
    tests
        A test for every measure of :data:`MEASURES`.
    lengths, errors
        A test of F1 for every row of the table by length; and of errors in a hundred sentences for every row of that by
        error class, where fewer are better.
    adjusted_p
        The sign-flip p of F1, raised for the number of pairs (Holm).
    """

    first: int
    second: int
    tests: dict[str, PairedTest]
    lengths: tuple[PairedTest, ...]
    errors: tuple[PairedTest, ...]
    adjusted_p: float

    @property
    def f1(self) -> PairedTest:
        """The test of F1."""
        return self.tests[F1]


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One sentence under all systems.

    Attributes
    ----------
    number, text, length
        Its number in the treebank (from 1), its words, and how many tokens it has.
    gold
        The gold tree as it was read.
    results
        What each system made of it.
    """

    number: int
    text: str
    length: int
    gold: Tree
    results: tuple[SentenceResult, ...]

    @property
    def f1(self) -> tuple[float, ...]:
        """F1 of each system in per cent."""
        return tuple(result.f1 for result in self.results)


@dataclass(frozen=True, slots=True)
class SystemsReport:
    """Systems compared over a treebank.

    Attributes
    ----------
    results
        What each system made of each sentence.
    measures
        For each system the measures of :data:`MEASURES` with their intervals.
    pairs
        Every two systems, the earlier one first.
    lengths, errors
        Tables by length, and by error class: the classes that any system has errors of, the most frequent first.
    rows
        Every sentence.
    problems
        What was left out of all systems since a file's tree could not be scored.
    too_long
        How many gold trees were left out because they are too long or have no words.
    resamples, confidence, seed
        How the intervals and tests were made.
    """

    results: tuple[SystemResult, ...]
    measures: tuple[dict[str, Interval], ...]
    pairs: tuple[Pair, ...]
    lengths: tuple[LengthBin, ...]
    errors: tuple[ErrorRow, ...]
    rows: tuple[SentenceRow, ...]
    problems: tuple[Problem, ...]
    too_long: int
    resamples: int
    confidence: float
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(result.name for result in self.results)

    def pair(self, first: int, second: int) -> Pair:
        """The pair of two systems, the earlier one first."""
        return next(pair for pair in self.pairs if (pair.first, pair.second) == (first, second))

    def largest(self, pair: Pair, wins: bool, most: int = 10) -> list[SentenceRow]:
        """The sentences in which the first of two systems gains (or loses) most brackets' worth against the second.

        By what they add to the difference of F1 over the treebank: a long sentence a little worse may weigh more than a
        short one all wrong.
        """
        weighed = [(self._weight(row, pair), row) for row in self.rows]
        sign = 1 if wins else -1
        chosen = [(sign * weight, row) for weight, row in weighed if sign * weight > 0]
        return [row for _, row in sorted(chosen, key=lambda one: (-one[0], one[1].number))[:most]]

    @staticmethod
    def _weight(row: SentenceRow, pair: Pair) -> float:
        """Wrong brackets, missing or extra, that the second system has more than the first."""
        first, second = (row.results[at].score for at in (pair.first, pair.second))
        return (second.gold + second.proposed - 2 * second.matched) - (first.gold + first.proposed - 2 * first.matched)

    def as_dict(self, sentences: bool = True) -> dict[str, Any]:
        """Everything, ready to be written as JSON; without `sentences` the tables alone."""
        found: dict[str, Any] = {
            "sentences": len(self.rows),
            "resamples": self.resamples,
            "confidence": self.confidence,
            "seed": self.seed,
            "systems": [
                {
                    **result.system.as_dict(),
                    "description": result.system.description,
                    "failed": result.failed,
                    "respelled": result.respelled,
                    "surplus": result.surplus,
                    "measures": {name: asdict(interval) for name, interval in measures.items()},
                }
                for result, measures in zip(self.results, self.measures, strict=True)
            ],
            "pairs": [self._pair(pair) for pair in self.pairs],
            "lengths": [
                {"shortest": row.shortest, "longest": row.longest, "sentences": row.sentences}
                | {"f1": dict(zip(self.names, map(asdict, row.f1), strict=True))}
                for row in self.lengths
            ],
            "errors": [
                {"error": row.kind.value, "counts": dict(zip(self.names, row.counts, strict=True))}
                for row in self.errors
            ],
            "left_out": [problem.as_dict() for problem in self.problems],
            "too_long": self.too_long,
        }
        if sentences:
            found["rows"] = [self._row(row) for row in self.rows]
        return found

    def _pair(self, pair: Pair) -> dict[str, Any]:
        return {
            "first": self.names[pair.first],
            "second": self.names[pair.second],
            "tests": {name: asdict(test) for name, test in pair.tests.items()},
            "lengths": {row.title: asdict(test) for row, test in zip(self.lengths, pair.lengths, strict=True)},
            "errors": {row.kind.value: asdict(test) for row, test in zip(self.errors, pair.errors, strict=True)},
            "adjusted_p": pair.adjusted_p,
        }

    def _row(self, row: SentenceRow) -> dict[str, Any]:
        results = {
            name: {
                "f1": result.f1,
                "matched": result.score.matched,
                "proposed": result.score.proposed,
                "crossing": result.score.crossing,
                "failed": result.score.failed,
                "errors": {kind.value: count for kind, count in result.errors},
                "tree": result.tree,
            }
            for name, result in zip(self.names, row.results, strict=True)
        }
        return {
            "sentence": row.number,
            "text": row.text,
            "length": row.length,
            "brackets": row.results[0].score.gold,
            "systems": results,
        }


def compare_systems(
    golds: Sequence[Tree],
    systems: Sequence[System],
    *,
    longest: int | None = None,
    skip_bad: bool = False,
    jobs: int = 1,
    resamples: int = DEFAULT_RESAMPLES,
    confidence: float = DEFAULT_CONFIDENCE,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> SystemsReport:
    """Run systems over gold trees, score them and hold every two against each other.

    Parameters
    ----------
    golds, systems, longest, skip_bad, jobs, progress, cancelled
        See :func:`engine.analysis.systems.run_systems`.
    resamples, confidence, seed
        How often sentences are drawn anew; per cent of the intervals; where the draws start.  The same seed gives the
        same numbers.
    """
    check_systems(systems)
    check_resampling(resamples, confidence)
    results = run_systems(
        golds, systems, longest=longest, skip_bad=skip_bad, jobs=jobs, progress=progress, cancelled=cancelled
    )
    return report_of(results, resamples=resamples, confidence=confidence, seed=seed, cancelled=cancelled)


def report_of(
    results: Results,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    confidence: float = DEFAULT_CONFIDENCE,
    seed: int = DEFAULT_SEED,
    cancelled: Cancel | None = None,
) -> SystemsReport:
    """Work out intervals and tests, which takes some tenths of a second for each pair of systems."""

    def check() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled("the comparison was cancelled")

    rows = tuple(
        SentenceRow(number, " ".join(words), len(words), gold, made)
        for number, gold, made in rows_of(results)
        for words in (token_words(gold),)
    )
    whole = _Sample(results, np.ones(len(rows), dtype=bool), resamples, confidence, seed, check)
    lengths = np.asarray([row.length for row in rows])
    bins, samples = [], []
    for shortest, longest in LENGTH_BINS:
        inside = (lengths >= shortest) & (lengths <= (longest or lengths.max()))
        if inside.any():
            samples.append(_Sample(results, inside, resamples, confidence, seed, check))
            intervals = tuple(samples[-1].interval(at, MEASURES[F1]) for at in range(len(results.systems)))
            bins.append(LengthBin(shortest, longest, int(inside.sum()), intervals))
    errors = _error_rows(results)
    pairs: list[tuple[int, int, dict[str, PairedTest], tuple[PairedTest, ...], tuple[PairedTest, ...]]] = []
    for first, second in combinations(range(len(results.systems)), 2):
        tests = {name: whole.test(first, second, ratio) for name, ratio in MEASURES.items()}
        by_length = tuple(sample.test(first, second, MEASURES[F1]) for sample in samples)
        by_error = tuple(whole.test(first, second, ERROR_RATES[row.kind]) for row in errors)
        pairs.append((first, second, tests, by_length, by_error))
    adjusted = holm([tests[F1].sign_flip_p for _, _, tests, _, _ in pairs])
    return SystemsReport(
        tuple(results.systems),
        tuple(
            {name: whole.interval(at, ratio) for name, ratio in MEASURES.items()} for at in range(len(results.systems))
        ),
        tuple(Pair(*pair, raised) for pair, raised in zip(pairs, adjusted, strict=True)),
        tuple(bins),
        errors,
        rows,
        tuple(results.problems),
        results.too_long,
        resamples,
        confidence,
        seed,
    )


class _Sample:
    """Some of the sentences, with the sums of their resamples, the same draws for all systems."""

    def __init__(
        self,
        results: Results,
        inside: np.ndarray[Any, Any],
        resamples: int,
        confidence: float,
        seed: int,
        check: Check,
    ) -> None:
        self._counts = [counts_of(one.sentences)[inside] for one in results.systems]
        sums = resampled_sums(np.hstack(self._counts), resamples, seed, check)
        self._sums = np.split(sums, len(self._counts), axis=1)
        self._confidence, self._seed, self._check = confidence, seed, check

    def interval(self, system: int, ratio: Ratio) -> Interval:
        """A measure of one system."""
        estimate = float(ratio.of(self._counts[system].sum(0)))
        return percentile_interval(estimate, ratio.of(self._sums[system]), self._confidence)

    def test(self, first: int, second: int, ratio: Ratio) -> PairedTest:
        """Two systems by one measure."""
        return paired_test(
            self._counts[first],
            self._counts[second],
            ratio,
            (self._sums[first], self._sums[second]),
            confidence=self._confidence,
            seed=self._seed,
            check=self._check,
        )


def _error_rows(results: Results) -> tuple[ErrorRow, ...]:
    counted = [errors_of(one.sentences) for one in results.systems]
    rows = [ErrorRow(kind, tuple(one[kind] for one in counted)) for kind in ErrorClass]
    return tuple(sorted((row for row in rows if any(row.counts)), key=lambda row: (-max(row.counts), row.kind)))
