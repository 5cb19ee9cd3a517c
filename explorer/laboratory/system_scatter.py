"""The picture of two parsers' F1, sentence by sentence: one across, the other upwards; no Qt widgets."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.graphics.drawing import BACK, FILL, Box, Drawing, Metrics, Rect, Stroke, Text
from explorer.graphics.layout.room import Room
from explorer.graphics.number_text import size
from explorer.graphics.pictures.sheet import Sheet, elided, middle
from explorer.graphics.selection import PointId

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
    return sheet.draw(f"{TITLE}: {names[0]} and {names[1]}", lambda: _twin(points, names, counts), None, margin=12)


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


def _twin(points: Sequence[ScatterPoint], names: tuple[str, str], counts: tuple[int, int, int]) -> str:
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
