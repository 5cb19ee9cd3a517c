"""The pictures of systems compared: F1 against F1 sentence by sentence, and measures with their intervals; no Qt."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.common.numbers import size
from engine.common.tables import Column, Table
from engine.explain.subjects import PointId
from engine.study.significance import Interval
from engine.study.systems_report import Pair, SystemsReport
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


# What the pictures show of a report.

SHOWN_MEASURES = ("labeled_recall", "labeled_precision", "f1", "crossing")


def whisker_rows(measures: Table) -> tuple[list[str], list[WhiskerRow]]:
    """The measures that are shown with whiskers, and their values, of the table with a row for every system."""
    shown = [(at, column) for at, column in enumerate(measures.columns) if column.key in SHOWN_MEASURES]

    def whisker(column: Column, value: Interval) -> Whisker:
        return Whisker(value.estimate, value.low, value.high, column.figure(value))

    rows = [WhiskerRow(row[0], tuple(whisker(column, row[at]) for at, column in shown)) for row in measures.rows]
    return [column.title for _, column in shown], rows


def scatter_sentences(report: SystemsReport, pair: Pair) -> list[ScatterSentence]:
    """The sentences of the plot."""
    return [
        ScatterSentence(row.number, row.text, row.results[pair.first].f1, row.results[pair.second].f1)
        for row in report.rows
    ]
