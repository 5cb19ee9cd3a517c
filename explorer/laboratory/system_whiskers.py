"""The picture of measures with their intervals: a row for each parser, a column for each measure; no Qt widgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.graphics.drawing import BACK, Box, Drawing, Metrics, Rect, Stroke
from explorer.graphics.layout.room import Room
from explorer.graphics.pictures.sheet import Sheet, elided, middle

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
    return sheet.draw(title, lambda: _twin(title, columns, rows), None, margin=16)


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


def _twin(title: str, columns: Sequence[str], rows: Sequence[WhiskerRow]) -> str:
    lines = [title, "\t".join(("", *columns))]
    for row in rows:
        cells = [f"{one.text} ({one.low:.2f} to {one.high:.2f})" if one is not None else "–" for one in row.values]
        lines.append("\t".join((row.name, *cells)))
    return "\n".join(lines)
