"""Systems compared over a treebank: measures with intervals, every pair tested, by length and error class;
as tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from engine.common.errors import Cancelled
from engine.common.numbers import number
from engine.common.tables import Block, Column, ResultTable, ResultValue
from engine.study.errors import ErrorClass
from engine.study.foreign_trees import Problem, token_words
from engine.study.parseval import MEASURES as MEASURE_TITLES
from engine.study.significance import (
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
from engine.study.systems import (
    ERROR_RATES,
    F1,
    MEASURES,
    Cancel,
    Progress,
    Results,
    SentenceResult,
    System,
    SystemResult,
    check_systems,
    counts_of,
    errors_of,
    rows_of,
    run_systems,
)
from engine.trees.tree import Tree

# Systems compared over a treebank: measures with intervals, every pair tested, by length and by error class.

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
        See :func:`engine.study.run_systems`.
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


# A report on systems as tables: aligned text, CSV and LaTeX of the same rows.

BY_SYSTEM, BY_PAIR, BY_LENGTH, BY_ERROR, BY_SENTENCE = "system", "pair", "length", "error", "sentence"
MOST_CHARACTERS = 70
"""How much of a sentence a line shows."""
_DIGITS = {"crossing": 2}
_SMALLEST_P = 0.00005


def chance_text(chance: float) -> str:
    """A p with four decimals, and never 0."""
    return "<0.0001" if chance < _SMALLEST_P else f"{chance:.4f}"


def interval_text(interval: Interval, digits: int = 1) -> str:
    """A figure with its interval: ``82.4 [81.9, 82.9]``."""
    low, high = number(interval.low, digits), number(interval.high, digits)
    return f"{number(interval.estimate, digits)} [{low}, {high}]"


def systems_tables(report: SystemsReport, by: Sequence[str], test: str, exact: bool = False) -> list[ResultTable]:
    """The tables that are asked for.

    Parameters
    ----------
    report
        The comparison.
    by
        What has a row: ``system``, ``pair``, ``length``, ``error`` or ``sentence``, one or more of them.
    test
        What a title calls the treebank.
    exact
        Whether every number has a column of its own and all its digits, as CSV wants them.
    """
    makers = {
        BY_SYSTEM: _by_system,
        BY_PAIR: _by_pair,
        BY_LENGTH: _by_length,
        BY_ERROR: _by_error,
        BY_SENTENCE: _by_sentence,
    }
    return [makers[name](report, test, exact) for name in by]


def largest_table(report: SystemsReport, pair: Pair, wins: bool, most: int) -> ResultTable:
    """The sentences that decide most for, or against, the first of two systems."""
    first, second = (report.names[at] for at in (pair.first, pair.second))
    what = f"Where {first if wins else second} is most ahead of {second if wins else first}"
    rows = []
    for row in report.largest(pair, wins, most):
        scores = (row.f1[pair.first], row.f1[pair.second])
        rows.append((row.number, row.length, *scores, number(scores[0] - scores[1], 1), _short(row)))
    columns = (
        Column("sentence", "sentence"),
        Column("length", "tokens"),
        Column("first", f"F1 {first}", "{:.1f}"),
        Column("second", f"F1 {second}", "{:.1f}"),
        Column("difference", "difference"),
        Column("text", "words"),
    )
    # The words come last and are no number: all other columns of the table name its row.
    return ResultTable(
        what, columns, (Block("the greatest difference in wrong brackets first", tuple(rows)),), len(columns)
    )


def _short(row: SentenceRow) -> str:
    text = row.text
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1].rstrip() + "…"


def _told(report: SystemsReport) -> str:
    return f"{len(report.rows):,} sentences, intervals of {report.confidence:g} % from {report.resamples:,} resamples"


def _interval_columns(key: str, title: str, exact: bool) -> list[Column]:
    if not exact:
        return [Column(key, title)]
    return [Column(f"{key}{end}", f"{title}{end}") for end in ("", "_low", "_high")]


def _interval_cells(interval: Interval, exact: bool, digits: int = 1) -> list[ResultValue]:
    return [interval.estimate, interval.low, interval.high] if exact else [interval_text(interval, digits)]


_TESTS = (
    ("bootstrap_p", "p (bootstrap)"),
    ("sign_flip_p", "p (sign flips)"),
    ("wins", "wins"),
    ("ties", "ties"),
    ("losses", "losses"),
    ("sign_p", "p (sign test)"),
)


def _test_columns(exact: bool) -> list[Column]:
    return [*_interval_columns("difference", "difference", exact), *(Column(key, title) for key, title in _TESTS)]


def _test_cells(test: PairedTest, exact: bool) -> Iterator[ResultValue]:
    yield from _interval_cells(test.difference, exact, 2)
    for key, _ in _TESTS:
        value: float = getattr(test, key)
        yield value if exact else chance_text(value) if key.endswith("_p") else f"{value:,}"


def _by_system(report: SystemsReport, test: str, exact: bool) -> ResultTable:
    columns = [Column("system", "system"), Column("description", "what it is")]
    for name in report.measures[0]:
        columns += _interval_columns(name, MEASURE_TITLES[name][0], exact)
    columns.append(Column("failed", "no parse", "{:,}"))
    rows = [
        (
            result.name,
            result.system.description,
            *chain.from_iterable(_interval_cells(one, exact, _DIGITS.get(name, 1)) for name, one in measures.items()),
            result.failed,
        )
        for result, measures in zip(report.results, report.measures, strict=True)
    ]
    return ResultTable(f"Systems compared: {test}", tuple(columns), (Block(_told(report), tuple(rows)),), names=2)


def _pair_name(report: SystemsReport, pair: Pair) -> str:
    return f"{report.names[pair.first]} − {report.names[pair.second]}"


def _by_pair(report: SystemsReport, test: str, exact: bool) -> ResultTable:
    columns = (Column("measure", "measure"), *_test_columns(exact))
    blocks = []
    for pair in report.pairs:
        rows = [(MEASURE_TITLES[name][0], *_test_cells(one, exact)) for name, one in pair.tests.items()]
        title = _pair_name(report, pair)
        if len(report.pairs) > 1 and not exact:
            title += f" (F1, {len(report.pairs)} pairs tested: p {chance_text(pair.adjusted_p)} after Holm)"
        blocks.append(Block(title, tuple(rows)))
    return ResultTable("Every pair: the first less the second", columns, tuple(blocks))


def _by_length(report: SystemsReport, test: str, exact: bool) -> ResultTable:
    columns = (
        Column("length", "tokens"),
        Column("sentences", "sentences"),
        *_interval_columns("first", "F1 first", exact),
        *_interval_columns("second", "F1 second", exact),
        *_test_columns(exact),
    )
    blocks = [
        Block(
            _pair_name(report, pair),
            tuple(
                (
                    row.title,
                    row.sentences,
                    *_interval_cells(row.f1[pair.first], exact),
                    *_interval_cells(row.f1[pair.second], exact),
                    *_test_cells(one, exact),
                )
                for row, one in zip(report.lengths, pair.lengths, strict=True)
            ),
        )
        for pair in report.pairs
    ]
    return ResultTable("By length of the sentence: F1", columns, tuple(blocks))


def _by_error(report: SystemsReport, test: str, exact: bool) -> ResultTable:
    columns = (
        Column("error", "error"),
        Column("first", "first", "{:,}"),
        Column("second", "second", "{:,}"),
        *_test_columns(exact),
    )
    blocks = [
        Block(
            _pair_name(report, pair),
            tuple(
                (row.kind.value, row.counts[pair.first], row.counts[pair.second], *_test_cells(one, exact))
                for row, one in zip(report.errors, pair.errors, strict=True)
            ),
        )
        for pair in report.pairs
    ]
    title = "By error class: errors of both, and the difference in a hundred sentences (fewer win)"
    return ResultTable(title, columns, tuple(blocks))


def _by_sentence(report: SystemsReport, test: str, exact: bool) -> ResultTable:
    columns = (
        Column("sentence", "sentence"),
        Column("length", "tokens"),
        *(Column(f"f1 {name}", f"F1 {name}", "{:.1f}") for name in report.names),
        Column("text", "words"),
    )
    rows: list[tuple[ResultValue, ...]] = [
        (row.number, row.length, *row.f1, row.text if exact else _short(row)) for row in report.rows
    ]
    return ResultTable("By sentence", columns, (Block(_told(report), tuple(rows)),), len(columns))
