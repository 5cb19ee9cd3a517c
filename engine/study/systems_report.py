"""Systems compared over a treebank: measures with intervals, every pair tested, by length and error class;
as tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from operator import attrgetter
from typing import Any

import numpy as np

from engine.common.errors import Cancelled
from engine.common.numbers import number, size
from engine.common.tables import Block, Column, Table, Value
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

    @property
    def left_out(self) -> int:
        """How many sentences were left out since a file's tree could not be scored; several files may share one."""
        return len({problem.number for problem in self.problems})

    def pair(self, first: int, second: int) -> Pair:
        """Return the pair of two systems, the earlier one first."""
        return next(pair for pair in self.pairs if (pair.first, pair.second) == (first, second))

    def largest(self, pair: Pair, wins: bool, most: int = 10) -> list[SentenceRow]:
        """Return the sentences in which the first of two systems gains (or loses) most
        brackets' worth against the second.

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
        """Return a measure of one system."""
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


# A report on systems as tables, whose rows terminal, window and files share, and the answer in words.

BY_SYSTEM, BY_PAIR, BY_LENGTH, BY_ERROR, BY_SENTENCE = "system", "pair", "length", "error", "sentence"
LEFT_OUT = "left out"
MOST_CHARACTERS = 70
"""How much of a sentence a line shows."""
WINS, LOSSES, TIES = "wins", "losses", "ties"
_DIGITS = {"crossing": 2}
_SMALLEST_P = 0.00005


def chance_text(chance: float) -> str:
    """Return a p with four decimals, and never 0."""
    return "<0.0001" if chance < _SMALLEST_P else f"{chance:.4f}"


def interval_text(interval: Interval, digits: int = 1) -> str:
    """Return a figure with its interval: ``82.4 [81.9, 82.9]``."""
    low, high = number(interval.low, digits), number(interval.high, digits)
    return f"{number(interval.estimate, digits)} [{low}, {high}]"


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1].rstrip() + "…"


def _interval(key: str, title: str, digits: int = 1, most: float = 0.0) -> Column:
    ends = (("", attrgetter("estimate")), ("_low", attrgetter("low")), ("_high", attrgetter("high")))
    return Column(key, title, partial(interval_text, digits=digits), parts=ends, most=most)


_WORDS = Column("text", "words", _short)
_COUNT, _FIGURE, _DIFFERENCE = "{:,}", "{:.1f}", partial(number, digits=1)
_TESTS = (
    Column("bootstrap_p", "p (bootstrap)", chance_text),
    Column("sign_flip_p", "p (sign flips)", chance_text),
    Column("wins", "wins", _COUNT),
    Column("ties", "ties", _COUNT),
    Column("losses", "losses", _COUNT),
    Column("sign_p", "p (sign test)", chance_text),
)
_TEST_COLUMNS = (_interval("difference", "difference", 2), *_TESTS)


def _tested(test: PairedTest) -> tuple[Value, ...]:
    return (test.difference, *(getattr(test, column.key) for column in _TESTS))


def systems_tables(
    report: SystemsReport, by: Sequence[str], test: str, pairs: Sequence[Pair] | None = None
) -> list[Table]:
    """Return the tables that are asked for.

    Parameters
    ----------
    report
        The comparison.
    by
        What has a row: ``system``, ``pair``, ``length``, ``error`` or ``sentence``, one or more of them, or what was
        left out.
    test
        What a title calls the treebank.
    pairs
        The pairs that tables of pairs tell of, where these are not all; a table of sentences tells of one alone.
    """
    makers = {
        BY_SYSTEM: _by_system,
        BY_PAIR: _by_pair,
        BY_LENGTH: _by_length,
        BY_ERROR: _by_error,
        BY_SENTENCE: _by_sentence,
        LEFT_OUT: _left_out,
    }
    return [makers[name](report, test, pairs) for name in by]


def largest_table(report: SystemsReport, pair: Pair, wins: bool, most: int) -> Table:
    """Return the sentences that decide most for, or against, the first of two systems."""
    first, second = (report.names[at] for at in (pair.first, pair.second))
    what = f"Where {first if wins else second} is most ahead of {second if wins else first}"
    rows = [
        (row.number, row.length, scores[0], scores[1], scores[0] - scores[1], row.text)
        for row in report.largest(pair, wins, most)
        for scores in ((row.f1[pair.first], row.f1[pair.second]),)
    ]
    columns = (
        Column("sentence", "sentence"),
        Column("length", "tokens"),
        Column("first", f"F1 {first}", _FIGURE),
        Column("second", f"F1 {second}", _FIGURE),
        Column("difference", "difference", _DIFFERENCE),
        _WORDS,
    )
    # The words come last and are no number: all other columns of the table name its row.
    return Table(what, columns, (Block("the greatest difference in wrong brackets first", rows),), len(columns))


def _told(report: SystemsReport) -> str:
    return f"{len(report.rows):,} sentences, intervals of {report.confidence:g} % from {report.resamples:,} resamples"


def _by_system(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    columns = (
        Column("system", "system"),
        Column("description", "what it is"),
        *(_interval(name, MEASURE_TITLES[name][0], _DIGITS.get(name, 1)) for name in report.measures[0]),
        Column("failed", "no parse", _COUNT),
    )
    rows = [
        (result.name, result.system.description, *measures.values(), result.failed)
        for result, measures in zip(report.results, report.measures, strict=True)
    ]
    return Table(f"Systems compared: {test}", columns, (Block(_told(report), rows),), names=2)


def _pairs_table(
    title: str,
    report: SystemsReport,
    pairs: Sequence[Pair] | None,
    columns: tuple[Column, ...],
    rows: Callable[[Pair], list[tuple[Value, ...]]],
    note: Callable[[Pair], str] = lambda pair: "",
) -> Table:
    """Return a table with a block for every pair."""
    blocks = [
        Block(f"{report.names[pair.first]} − {report.names[pair.second]}", rows(pair), note=note(pair))
        for pair in (report.pairs if pairs is None else pairs)
    ]
    return Table(title, (*columns, *_TEST_COLUMNS), tuple(blocks), kind="pair")


def _by_pair(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    def rows(pair: Pair) -> list[tuple[Value, ...]]:
        return [(MEASURE_TITLES[name][0], *_tested(one)) for name, one in pair.tests.items()]

    def note(pair: Pair) -> str:
        count = len(report.pairs)
        p = chance_text(pair.adjusted_p)
        return f" (F1, {count} pairs tested: p {p} after Holm)" if count > 1 else ""

    title = "Every pair: the first less the second"
    return _pairs_table(title, report, pairs, (Column("measure", "measure"),), rows, note)


def _sides(report: SystemsReport, pairs: Sequence[Pair] | None) -> tuple[list[str], Callable[[Pair], Sequence[int]]]:
    """Return what columns of systems are called, and which systems they are: the two of any pair,
    or all for pairs chosen.
    """
    if pairs is None:
        return ["first", "second"], lambda pair: (pair.first, pair.second)
    return list(report.names), lambda pair: range(len(report.names))


def _by_length(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    names, sides = _sides(report, pairs)
    columns = (
        Column("length", "tokens"),
        Column("sentences", "sentences", _COUNT),
        *(_interval(name, f"F1 {name}", most=100.0) for name in names),
    )

    def rows(pair: Pair) -> list[tuple[Value, ...]]:
        return [
            (row.title, row.sentences, *(row.f1[at] for at in sides(pair)), *_tested(one))
            for row, one in zip(report.lengths, pair.lengths, strict=True)
        ]

    return _pairs_table("By length of the sentence: F1", report, pairs, columns, rows)


def _by_error(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    names, sides = _sides(report, pairs)
    most = max((count for row in report.errors for count in row.counts), default=1)
    columns = (Column("error", "error"), *(Column(name, name, _COUNT, most=most) for name in names))

    def rows(pair: Pair) -> list[tuple[Value, ...]]:
        return [
            (row.kind.value, *(row.counts[at] for at in sides(pair)), *_tested(one))
            for row, one in zip(report.errors, pair.errors, strict=True)
        ]

    title = "By error class: errors of both, and the difference in a hundred sentences (fewer win)"
    return _pairs_table(title, report, pairs, columns, rows)


def _by_sentence(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    columns = [
        Column("sentence", "sentence"),
        Column("length", "tokens"),
        *(Column(f"f1 {name}", f"F1 {name}", _FIGURE) for name in report.names),
    ]
    found: list[list[Value]] = [[row.number, row.length, *row.f1] for row in report.rows]
    if pairs is not None:
        (pair,) = pairs
        sides = pair.first, pair.second
        columns.append(Column("difference", "difference", _DIFFERENCE))
        columns += [Column(f"errors {report.names[at]}", f"errors of {report.names[at]}") for at in sides]
        for cells, row in zip(found, report.rows, strict=True):
            first, second = (row.results[at] for at in sides)
            cells += [first.f1 - second.f1, first.errors_text, second.errors_text]
    rows = [(*cells, row.text) for cells, row in zip(found, report.rows, strict=True)]
    return Table("By sentence", (*columns, _WORDS), (Block(_told(report), rows),), len(columns) + 1)


def _left_out(report: SystemsReport, test: str, pairs: Sequence[Pair] | None) -> Table:
    """Return what was left out, token by token."""
    keys = ("no", "system", "token", "gold has", "the system has", "why", "where")
    rows: list[tuple[Value, ...]] = []
    for problem in report.problems:
        head = (problem.number, problem.system)
        if not problem.differences:
            rows.append((*head, "", "", "", problem.what, problem.where))
        for one in problem.differences:
            tokens = " ".join(one.gold) or "nothing", " ".join(one.theirs) or "nothing"
            rows.append((*head, one.token, *tokens, problem.what, problem.where))
    columns = tuple(Column(key, "no." if key == "no" else key, _COUNT) for key in keys)
    return Table("Left out", columns, (Block("what differs", rows),), len(columns))


def outcome(row: SentenceRow, pair: Pair) -> str:
    """Return whether the first of two systems wins, loses or neither in a sentence."""
    difference = row.f1[pair.first] - row.f1[pair.second]
    return TIES if abs(difference) < 1e-9 else WINS if difference > 0 else LOSSES


def answer(report: SystemsReport, pair: Pair) -> str:
    """Return the answer in a sentence or two: who is better, by how much, and whether that may be chance."""
    test = pair.f1
    names = report.names[pair.first], report.names[pair.second]
    difference = test.difference
    if not difference.estimate and not test.wins and not test.losses:
        return f"{names[0]} and {names[1]} have the same F1 in every sentence."
    better, worse = names if difference.estimate >= 0 else (names[1], names[0])
    ends = sorted((abs(difference.low), abs(difference.high))) if not difference.holds(0.0) else None
    points = f"{number(abs(difference.estimate), 1)} points of F1"
    sure = f"{report.confidence:g} % interval"
    chance = f"chance alone would give such a difference {_one_in(test.sign_flip_p)}"
    if ends is not None:
        between = f"{number(ends[0], 1)} to {number(ends[1], 1)}"
        return f"{better} is better than {worse} by {points} ({sure} {between}); {chance}."
    low, high = (difference.low, difference.high) if difference.estimate >= 0 else (-difference.high, -difference.low)
    return (
        f"The test cannot tell which of the two is better: {better} is ahead of {worse} by {points}, but "
        f"the {sure} reaches from {number(low, 1)} to {number(high, 1)}; {chance}."
    )


def _one_in(p: float) -> str:
    """Return how often chance alone would do it: ``in fewer than 1 of 10,000 cases``, ``in 3 of 100 cases``."""
    for cases in (10_000, 1_000, 100):
        if p < 1.05 / cases:
            return f"in about 1 of {cases:,} cases" if p > 0.95 / cases else f"in fewer than 1 of {cases:,} cases"
    return f"in about {round(100 * p)} of 100 cases"


def counts_line(report: SystemsReport, pair: Pair) -> str:
    """Wins and losses by sentence, and what was left out."""
    test, names = pair.f1, report.names
    parts = [
        f"{size(len(report.rows), 'sentence')}: {names[pair.first]} is better in {test.wins:,}, "
        f"{names[pair.second]} in {test.losses:,}, and {test.ties:,} are equal."
    ]
    if report.left_out:
        parts.append(f"{size(report.left_out, 'sentence')} left out, see the last tab.")
    if report.too_long:
        parts.append(f"{size(report.too_long, 'sentence')} too long.")
    return "  ".join(parts)


def whole_text(report: SystemsReport, test: str) -> str:
    """Return the answers, and every table but that of sentences, as text."""
    answers = "\n".join(answer(report, pair) for pair in report.pairs)
    by = [BY_SYSTEM, BY_PAIR, BY_LENGTH, BY_ERROR, *([LEFT_OUT] if report.problems else [])]
    return "\n\n".join((answers, *(table.text() for table in systems_tables(report, by, test))))
