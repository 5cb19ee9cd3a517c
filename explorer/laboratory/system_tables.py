"""The tables of systems compared, cell by cell, and the answer in words; no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.analysis.systems import Interval, Pair, SentenceRow, SystemsReport
from explorer.graphics.number_text import MINUS, size
from explorer.laboratory.system_scatter import ScatterSentence
from explorer.laboratory.system_whiskers import Whisker, WhiskerRow

SHOWN_MEASURES = ("labeled_recall", "labeled_precision", "f1", "crossing")
SHORT_NAMES = {
    "labeled_recall": "LR",
    "labeled_precision": "LP",
    "f1": "F1",
    "crossing": "CBs",
    "complete_match": "complete",
}
_POINTS = {"crossing": 2}
WINS, LOSSES, TIES, ALL = "wins", "losses", "ties", "all"
"""Which sentences are listed."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A table: its header, its rows, which columns are numbers, and the shares that bars show, by row and column."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    bars: tuple[dict[int, float], ...] = ()


def figure(value: float, digits: int = 1) -> str:
    """A figure with a true minus sign, and none before 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def signed_figure(value: float, digits: int = 1) -> str:
    """A difference, with its sign."""
    rounded = round(value, digits) + 0.0
    return f"{rounded:+.{digits}f}".replace("-", MINUS) if rounded else figure(0.0, digits)


def interval_text(interval: Interval, digits: int = 1) -> str:
    """The ends of an interval: ``3.6 to 4.9``."""
    return f"{figure(interval.low, digits)} to {figure(interval.high, digits)}"


def chance_text(p: float) -> str:
    """A p in figures: ``0.031``, ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def one_in(p: float) -> str:
    """How often chance alone would do it: ``in fewer than 1 of 10,000 cases``, ``in 3 of 100 cases``."""
    for cases in (10_000, 1_000, 100):
        if p < 1.05 / cases:
            return f"in about 1 of {cases:,} cases" if p > 0.95 / cases else f"in fewer than 1 of {cases:,} cases"
    return f"in about {round(100 * p)} of 100 cases"


def headline(report: SystemsReport, pair: Pair) -> str:
    """The answer in a sentence or two: who is better, by how much, and whether that may be chance."""
    test = pair.f1
    names = report.names[pair.first], report.names[pair.second]
    difference = test.difference
    if not difference.estimate and not test.wins and not test.losses:
        return f"{names[0]} and {names[1]} have the same F1 in every sentence."
    better, worse = names if difference.estimate >= 0 else (names[1], names[0])
    ends = sorted((abs(difference.low), abs(difference.high))) if not difference.holds(0.0) else None
    points = f"{figure(abs(difference.estimate))} points of F1"
    sure = f"{report.confidence:g} % interval"
    chance = f"chance alone would give such a difference {one_in(test.sign_flip_p)}"
    if ends is not None:
        between = f"{figure(ends[0])} to {figure(ends[1])}"
        return f"{better} is better than {worse} by {points} ({sure} {between}); {chance}."
    low, high = (difference.low, difference.high) if difference.estimate >= 0 else (-difference.high, -difference.low)
    return (
        f"The test cannot tell which of the two is better: {better} is ahead of {worse} by {points}, but "
        f"the {sure} reaches from {figure(low)} to {figure(high)}; {chance}."
    )


def counts_line(report: SystemsReport, pair: Pair) -> str:
    """Wins and losses by sentence, and what was left out."""
    test, names = pair.f1, report.names
    parts = [
        f"{size(len(report.rows), 'sentence')}: {names[pair.first]} is better in {test.wins:,}, "
        f"{names[pair.second]} in {test.losses:,}, and {test.ties:,} are equal."
    ]
    if report.problems:
        # Several systems may have a problem with the same sentence.
        left_out = len({problem.number for problem in report.problems})
        parts.append(f"{size(left_out, 'sentence')} left out, see the last tab.")
    if report.too_long:
        parts.append(f"{size(report.too_long, 'sentence')} too long.")
    return "  ".join(parts)


def digits_of(measure: str) -> int:
    """Digits behind the point."""
    return _POINTS.get(measure, 1)


def measures_cells(report: SystemsReport) -> Cells:
    """Each system with its measures and their intervals."""
    names = tuple(SHORT_NAMES)
    header = ("system", *(column for name in names for column in (SHORT_NAMES[name], "interval")), "no parse", "what")
    rows = []
    for result, measures in zip(report.results, report.measures, strict=True):
        cells = [result.name]
        for name in names:
            interval, digits = measures[name], digits_of(name)
            cells += [figure(interval.estimate, digits), interval_text(interval, digits)]
        rows.append((*cells, f"{result.failed:,}", result.system.description))
    return Cells(header, tuple(rows), tuple(range(1, len(header) - 1)))


def whisker_rows(report: SystemsReport) -> list[WhiskerRow]:
    """The same as values with whiskers."""
    return [
        WhiskerRow(
            result.name,
            tuple(
                Whisker(one.estimate, one.low, one.high, figure(one.estimate, digits_of(name)))
                for name in SHOWN_MEASURES
                for one in (measures[name],)
            ),
        )
        for result, measures in zip(report.results, report.measures, strict=True)
    ]


def pairs_cells(report: SystemsReport) -> Cells:
    """Every two systems by every measure."""
    header = (
        "first", "second", "measure", "difference", "interval", "p bootstrap", "p sign flip", "wins", "losses", "ties",
        "p sign test",
    )  # fmt: skip
    rows = []
    for pair in report.pairs:
        for name, title in SHORT_NAMES.items():
            test, digits = pair.tests[name], digits_of(name)
            rows.append(
                (
                    report.names[pair.first],
                    report.names[pair.second],
                    title,
                    signed_figure(test.difference.estimate, digits),
                    interval_text(test.difference, digits),
                    chance_text(test.bootstrap_p),
                    chance_text(test.sign_flip_p) + (" exact" if test.exact else ""),
                    f"{test.wins:,}",
                    f"{test.losses:,}",
                    f"{test.ties:,}",
                    chance_text(test.sign_p),
                )
            )
    return Cells(header, tuple(rows), tuple(range(3, len(header))))


def lengths_cells(report: SystemsReport, pair: Pair) -> Cells:
    """F1 by length: each system, and how two differ."""
    header = ("words", "sentences", *report.names, "difference", "interval", "wins", "losses", "p")
    first = 2
    rows, bars = [], []
    for row, test in zip(report.lengths, pair.lengths, strict=True):
        cells = [row.title, f"{row.sentences:,}", *(figure(one.estimate) for one in row.f1)]
        cells += [signed_figure(test.difference.estimate), interval_text(test.difference)]
        rows.append((*cells, f"{test.wins:,}", f"{test.losses:,}", chance_text(test.sign_flip_p)))
        bars.append({first + at: one.estimate / 100 for at, one in enumerate(row.f1)})
    return Cells(header, tuple(rows), tuple(range(1, len(header))), tuple(bars))


def errors_cells(report: SystemsReport, pair: Pair) -> Cells:
    """Errors by class: how many each system has, and how two differ in a hundred sentences."""
    header = ("error", *report.names, "difference per 100", "interval", "wins", "losses", "p")
    most = max((count for row in report.errors for count in row.counts), default=1)
    rows, bars = [], []
    for row, test in zip(report.errors, pair.errors, strict=True):
        cells = [str(row.kind), *(f"{count:,}" for count in row.counts)]
        cells += [signed_figure(test.difference.estimate), interval_text(test.difference)]
        rows.append((*cells, f"{test.wins:,}", f"{test.losses:,}", chance_text(test.sign_flip_p)))
        bars.append({1 + at: count / most for at, count in enumerate(row.counts)})
    return Cells(header, tuple(rows), tuple(range(1, len(header))), tuple(bars))


def outcome(row: SentenceRow, pair: Pair) -> str:
    """Whether the first system wins, loses or neither in a sentence."""
    difference = row.results[pair.first].f1 - row.results[pair.second].f1
    return TIES if abs(difference) < 1e-9 else WINS if difference > 0 else LOSSES


def errors_text(row: SentenceRow, system: int) -> str:
    """The errors of a sentence by class: ``PP attachment, coordination 2``."""
    result = row.results[system]
    if result.score.failed:
        return "no parse"
    return ", ".join(f"{kind} {count}" if count > 1 else str(kind) for kind, count in result.errors)


def sentences_cells(report: SystemsReport, pair: Pair, rows: Sequence[SentenceRow]) -> Cells:
    """Sentences: F1 of each system, how the two differ, and what each got wrong."""
    names = report.names
    two = names[pair.first], names[pair.second]
    header = ("no.", *names, "difference", "words", f"errors of {two[0]}", f"errors of {two[1]}", "sentence")
    found = []
    for row in rows:
        f1 = row.f1
        found.append(
            (
                f"{row.number:,}",
                *(figure(one) for one in f1),
                signed_figure(f1[pair.first] - f1[pair.second]),
                f"{row.length:,}",
                errors_text(row, pair.first),
                errors_text(row, pair.second),
                row.text,
            )
        )
    return Cells(header, tuple(found), tuple(range(len(names) + 3)))


def scatter_sentences(report: SystemsReport, pair: Pair) -> list[ScatterSentence]:
    """The sentences of the plot."""
    return [
        ScatterSentence(row.number, row.text, row.results[pair.first].f1, row.results[pair.second].f1)
        for row in report.rows
    ]


def problems_cells(report: SystemsReport) -> Cells:
    """What was left out, token by token."""
    header = ("no.", "system", "token", "gold has", "the system has", "why", "where")
    rows: list[tuple[str, ...]] = []
    for problem in report.problems:
        head = (f"{problem.number:,}", problem.system)
        if not problem.differences:
            rows.append((*head, "", "", "", problem.what, problem.where))
        for one in problem.differences:
            tokens = " ".join(one.gold) or "nothing", " ".join(one.theirs) or "nothing"
            rows.append((*head, f"{one.token:,}", *tokens, problem.what, problem.where))
    return Cells(header, tuple(rows), (0, 2))
