"""The tables and pictures of systems compared, and the answer in words; no Qt widgets."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.common.numbers import MINUS, size
from engine.explain.subjects import PointId
from engine.study.significance import Interval
from engine.study.systems_report import Pair, SentenceRow, SystemsReport
from explorer.pictures.drawing import BACK, FILL, Box, Drawing, Metrics, Rect, Stroke, Text
from explorer.pictures.layout import Room
from explorer.pictures.sheet import Sheet, elided, middle

# The picture of two parsers' F1, sentence by sentence: one across, the other upwards; no Qt widgets.

_LEFT, _BOTTOM, _TOP, _RIGHT, _LEGEND = 64.0, 62.0, 24.0, 36.0, 170.0
"""Room around the plot for figures and names, and for what is said beside it."""
_LEAST, _MOST = 240.0, 720.0
"""Sides of the plot, which is square: equal figures lie on its diagonal."""
_SMALLEST, _LARGEST = 4.0, 22.0
"""Radius of a point of one sentence, and of the largest."""
_NUMBERED = 9.0
"""Radius from which on a point has its number of sentences written on it."""
_TICK = 20
MOST_NAMED = 12
"""Sentences of one point that its label names."""
MOST_POINTS = 2000
"""Points up to which figures are told apart to a tenth."""
TITLE = "F1 against F1, sentence by sentence"


@dataclass(frozen=True, slots=True)
class ScatterSentence:
    """A sentence in the plot: its number from 1, its words, and its F1 in per cent by the two parsers."""

    number: int
    words: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """The sentences that have the same two figures."""

    first: float
    second: float
    sentences: tuple[ScatterSentence, ...]

    @property
    def label(self) -> str:
        """What it stands for: the figures, then number and words of each sentence."""
        figures = f"{self.first:.1f} and {self.second:.1f}"
        if len(self.sentences) == 1:
            only = self.sentences[0]
            return f"Sentence {only.number:,}: {figures}\n{only.words}"
        lines = [f"{one.number:,}  {one.words}" for one in self.sentences[:MOST_NAMED]]
        more = len(self.sentences) - len(lines)
        lines += [f"… and {more:,} more"] if more else []
        return "\n".join((f"{size(len(self.sentences), 'sentence')}: {figures}", *lines))


def scatter_points(sentences: Sequence[ScatterSentence]) -> tuple[ScatterPoint, ...]:
    """The points of a plot, from left to right and from the bottom to the top; to whole figures where they are many."""
    for digits in (1, 0):
        found: dict[tuple[float, float], list[ScatterSentence]] = defaultdict(list)
        for sentence in sentences:
            place = round(sentence.first, digits), round(sentence.second, digits)
            if place[0] == place[1] and sentence.first != sentence.second:
                # Whoever is better stays so: only equal figures lie on the line.
                place = round(sentence.first, 1), round(sentence.second, 1)
            found[place].append(sentence)
        if len(found) <= MOST_POINTS:
            break
    return tuple(ScatterPoint(*place, tuple(found[place])) for place in sorted(found))


def scatter_picture(
    points: Sequence[ScatterPoint], names: tuple[str, str], metrics: Metrics, room: Room | None = None
) -> Drawing:
    """The plot.

    Parameters
    ----------
    points
        From :func:`scatter_points`; the number of each is that of its id.
    names
        What the two parsers are called: the first is across, the second upwards.
    metrics
        Widths of text.
    room
        Where it is looked at.
    """
    sheet = Sheet(metrics)
    side = _side(room)
    plot = Rect(0, 0, side, side)
    lowest = min((min(point.first, point.second) for point in points), default=0.0)
    # From the lowest figure on: much of the paper would be empty otherwise.
    low = min(int(lowest // _TICK) * _TICK, 60)
    _axes(sheet, plot, low, names)
    # Large points lie under small ones, which they would hide.
    for number, point in sorted(enumerate(points), key=lambda one: -len(one[1].sentences)):
        _point(sheet, plot, low, number, point)
    counts = _counts(points)
    _sides(sheet, plot, names, counts)
    return sheet.draw(
        f"{TITLE}: {names[0]} and {names[1]}", lambda: _scatter_twin(points, names, counts), None, margin=12
    )


def _side(room: Room | None) -> float:
    if room is None or math.isinf(room.width):
        return 520.0
    return max(_LEAST, min(room.width - _LEFT - _RIGHT - _LEGEND - 24, room.height - _TOP - _BOTTOM - 24, _MOST))


def _at(plot: Rect, low: float, first: float, second: float) -> tuple[float, float]:
    scale = plot.width / (100 - low)
    return plot.x + (first - low) * scale, plot.bottom - (second - low) * scale


def _axes(sheet: Sheet, plot: Rect, low: int, names: tuple[str, str]) -> None:
    step = _TICK if low == 0 else _TICK // 2
    for value in range(low, 101, step):
        x, y = _at(plot, low, value, value)
        sheet.add(
            Stroke(x, plot.y, x, plot.bottom, "hairline", layer=BACK),
            Stroke(plot.x, y, plot.right, y, "hairline", layer=BACK),
        )
        sheet.text(x, plot.bottom + 18, f"{value}", "number", "muted")
        sheet.text(plot.x - 8, y + middle(sheet.metrics, "number"), f"{value}", "number", "muted", "end")
    sheet.add(
        Stroke(plot.x, plot.bottom, plot.right, plot.bottom, "line"),
        Stroke(plot.x, plot.y, plot.x, plot.bottom, "line"),
        Stroke(plot.x, plot.bottom, plot.right, plot.y, "line", dash="dash"),
    )
    across, upwards = (elided(f"F1 of {name}", sheet.metrics, "label", plot.width) for name in names)
    sheet.text((plot.x + plot.right) / 2, plot.bottom + 42, across, "label", "ink")
    sheet.add(Text(plot.x - 44, (plot.y + plot.bottom) / 2, upwards, "label", "ink", "middle", turned=True))


def _role(point: ScatterPoint) -> str:
    """Who is better: the first one, the second one, or neither; the diagonal says it, too."""
    if point.first == point.second:
        return "line"
    return "missing" if point.first > point.second else "extra"


def radius(count: int) -> float:
    """The radius of a point: its surface grows with the number of its sentences, up to the largest."""
    return min(_SMALLEST * math.sqrt(count), _LARGEST)


def _point(sheet: Sheet, plot: Rect, low: float, number: int, point: ScatterPoint) -> None:
    x, y = _at(plot, low, point.first, point.second)
    count, id = len(point.sentences), PointId(number)
    r, role = radius(count), _role(point)
    sheet.add(Box(x - r, y - r, 2 * r, 2 * r, fill=f"tint:{role}", role=role, weight=1.4, radius=r, id=id, layer=FILL))
    if r >= _NUMBERED:
        sheet.text(x, y + middle(sheet.metrics, "small"), f"{count:,}", "small", "ink", id=id)
    sheet.region(id, Rect(x - r, y - r, 2 * r, 2 * r), lambda: point.label)


def _counts(points: Sequence[ScatterPoint]) -> tuple[int, int, int]:
    """Sentences in which the first is better, in which the second is, and in which neither is."""
    first = sum(len(point.sentences) for point in points if point.first > point.second)
    second = sum(len(point.sentences) for point in points if point.first < point.second)
    return first, second, sum(len(point.sentences) for point in points) - first - second


def _sides(sheet: Sheet, plot: Rect, names: tuple[str, str], counts: tuple[int, int, int]) -> None:
    """Say beside the plot who is better where."""
    x, y = plot.right + _RIGHT, plot.y + 40
    first, second = (elided(name, sheet.metrics, "label-bold", _LEGEND) for name in names)
    for place, name, count, role in (
        ("above the line", f"{second}", f"is better in {counts[1]:,}", "extra"),
        ("below the line", f"{first}", f"is better in {counts[0]:,}", "missing"),
        ("on the line", "equal", f"in {counts[2]:,}", "muted"),
    ):
        sheet.text(x, y, place, "small", "muted", "start")
        sheet.text(x, y + 18, name, "label-bold", role, "start")
        sheet.text(x, y + 36, count, "label", "ink", "start")
        y += 66


def _scatter_twin(points: Sequence[ScatterPoint], names: tuple[str, str], counts: tuple[int, int, int]) -> str:
    first, second, equal = counts
    lines = [
        f"{TITLE}.",
        f"{names[0]} is better in {size(first, 'sentence')}, {names[1]} in {size(second, 'sentence')}; "
        f"{size(equal, 'sentence')} have the same F1.",
        f"{names[0]}\t{names[1]}\tsentences",
    ]
    for point in points:
        numbers = ", ".join(str(one.number) for one in point.sentences)
        lines.append(f"{point.first:.1f}\t{point.second:.1f}\t{numbers}")
    return "\n".join(lines)


# The picture of measures with their intervals: a row for each parser, a column for each measure; no Qt widgets.

_ROW, _HEAD, _BETWEEN = 34.0, 26.0, 44.0
_NAMES, _LEAST_COLUMN, _MOST_COLUMN = 190.0, 120.0, 240.0
_DOT, _CAP = 4.0, 5.0


@dataclass(frozen=True, slots=True)
class Whisker:
    """A measured value with its interval."""

    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class WhiskerRow:
    """A parser and its values, one for each column; ``None`` where there is none."""

    name: str
    values: tuple[Whisker | None, ...]


def whiskers_picture(
    title: str, columns: Sequence[str], rows: Sequence[WhiskerRow], metrics: Metrics, room: Room | None = None,
    zero: Sequence[int] = (),
) -> Drawing:  # fmt: skip
    """The picture; columns in `zero` have a line at nought, which differences are held against."""
    sheet = Sheet(metrics)
    names = max((metrics.width(row.name, "label") for row in rows), default=0.0)
    names = min(names + 16, _NAMES)
    wanted = room.width - names - 48 if room is not None and not math.isinf(room.width) else 900.0
    count = max(len(columns), 1)
    width = max(_LEAST_COLUMN, min((wanted - _BETWEEN * count) / count, _MOST_COLUMN))
    for number, row in enumerate(rows):
        y = _HEAD + _ROW * number + _ROW / 2
        shown = elided(row.name, metrics, "label", names - 8)
        sheet.text(0, y + middle(metrics, "label"), shown, "label", "ink", "start")
    for column, head in enumerate(columns):
        left = names + column * (width + _BETWEEN) + _BETWEEN / 2
        values = [row.values[column] for row in rows]
        _column(sheet, Rect(left, _HEAD, width, _ROW * len(rows)), head, values, column in zero)
    return sheet.draw(title, lambda: _whisker_twin(title, columns, rows), None, margin=16)


def _column(sheet: Sheet, place: Rect, head: str, values: Sequence[Whisker | None], zero: bool) -> None:
    there = [one for one in values if one is not None]
    low, high, step = nice_range([end for one in there for end in (one.low, one.high)] + ([0.0] if zero else []))
    scale = place.width / (high - low)
    sheet.text(place.centre[0], 8, head, "label-bold", "ink")
    tick = low
    while tick <= high + step / 1000:
        x = place.x + (tick - low) * scale
        nought = zero and abs(tick) < step / 1000
        role = "line" if nought else "hairline"
        sheet.add(Stroke(x, place.y - 4, x, place.bottom + 4, role, dash="dash" if nought else "solid", layer=BACK))
        sheet.text(x, place.bottom + 18, _tick(tick, step), "number", "muted")
        tick += step
    for number, one in enumerate(values):
        y = place.y + _ROW * number + _ROW / 2 + 6
        if one is None:
            sheet.text(place.centre[0], y, "–", "number", "muted")
            continue
        left, right, x = (place.x + (value - low) * scale for value in (one.low, one.high, one.value))
        sheet.add(
            Stroke(left, y, right, y, "ink", 1.5),
            Stroke(left, y - _CAP, left, y + _CAP, "ink", 1.5),
            Stroke(right, y - _CAP, right, y + _CAP, "ink", 1.5),
            Box(x - _DOT, y - _DOT, 2 * _DOT, 2 * _DOT, fill="accent", radius=_DOT, layer=3),
        )
        half = sheet.metrics.width(one.text, "number") / 2
        middle_of = min(max(x, place.x + half), place.right - half)
        sheet.text(middle_of, y - 9, one.text, "number", "ink")


def nice_range(values: Sequence[float]) -> tuple[float, float, float]:
    """Ends of an axis that holds these values, at round figures, and the step between its figures."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    spread = max(high - low, 0.2)
    rough = spread / 2.5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step or step, step


def _tick(value: float, step: float) -> str:
    digits = 0 if step >= 1 and step == int(step) else 1 if math.isclose(step * 10, round(step * 10)) else 2
    return f"{value if abs(value) > step / 1000 else 0.0:.{digits}f}".replace("-", "−")


def _whisker_twin(title: str, columns: Sequence[str], rows: Sequence[WhiskerRow]) -> str:
    lines = [title, "\t".join(("", *columns))]
    for row in rows:
        cells = [f"{one.text} ({one.low:.2f} to {one.high:.2f})" if one is not None else "–" for one in row.values]
        lines.append("\t".join((row.name, *cells)))
    return "\n".join(lines)


# The tables of systems compared, cell by cell, and the answer in words; no Qt.

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
