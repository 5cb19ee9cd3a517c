"""A report on systems as tables: aligned text, CSV and LaTeX of the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.analysis.systems.systems_report import Pair, SentenceRow, SystemsReport
from engine.common.text_tables import number
from engine.evaluation.experiments.result_table import Block, Column, ResultTable, ResultValue
from engine.evaluation.parseval import MEASURES as MEASURE_TITLES
from engine.evaluation.significance import Interval, PairedTest

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
