"""What all pictures are made with: a sheet to put shapes on, the row of words, legends, lines like music."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import assert_never

from engine.common.numbers import superscript
from engine.explain.subjects import PunctuationId, Subject, WordId
from engine.trees.tree import PUNCTUATION_TAGS
from explorer.pictures.drawing import (
    BACK,
    Areas,
    Box,
    Curve,
    Drawing,
    Grip,
    Group,
    Metrics,
    Point,
    Rect,
    Region,
    Shape,
    Stroke,
    Text,
    Words,
    union,
)
from explorer.pictures.facts import Facts
from explorer.pictures.layout import (
    LEGEND_WIDTH,
    PICTURE_MARGIN,
    TAG_DROP,
    UNLIMITED,
    Line,
    Room,
    WordColumns,
    break_lines,
)

# What all pictures are made with: a sheet to put shapes on, the row of words, legends.

PILL_HEIGHT = 16.0


def triple(relation: Iterable[str]) -> str:
    """Return a relation on a pill: its labels, without the angle brackets."""
    return ",".join(label for label in relation if label)


def elided(text: str, metrics: Metrics, style: str, width: float) -> str:
    """Return the text, or as much of its beginning as fits, with an ellipsis."""
    if metrics.width(text, style) <= width:
        return text
    while len(text) > 1 and metrics.width(f"{text}…", style) > width:
        text = text[:-1]
    return f"{text}…"


class Sheet:
    """Collects the shapes and regions of a picture."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.shapes: list[Shape] = []
        self.regions: list[Region] = []
        self.grips: dict[Subject, Grip] = {}
        self._legend: int | None = None
        self._pins: dict[str, list[Shape]] = {}

    @contextmanager
    def pinned(self, edge: str) -> Iterator[None]:
        """Keep what is put on the sheet meanwhile in sight at an edge: it names rows or columns."""
        first = len(self.shapes)
        yield
        self._pins.setdefault(edge, []).extend(self.shapes[first:])
        del self.shapes[first:]

    def begin_legend(self) -> None:
        """Begin the legend: what is put on the sheet from here on explains its signs."""
        self._legend = len(self.shapes)

    def add(self, *shapes: Shape) -> None:
        """Put shapes on the sheet."""
        self.shapes.extend(shapes)

    def text_rect(self, text: Text) -> Rect:
        """Return the rectangle that a text fills."""
        return text_rect(text, self.metrics)

    def text(
        self, x: float, y: float, text: str, style: str = "word", role: str = "ink", anchor: str = "middle",
        id: Subject | None = None,
    ) -> Rect:  # fmt: skip
        """Write text; the rectangle that it fills."""
        shape = Text(x, y, text, style, role, anchor, id)
        self.shapes.append(shape)
        return self.text_rect(shape)

    def region(
        self,
        id: Subject,
        bounds: Rect,
        label: Words,
        line: tuple[Point, ...] = (),
        tint: Rect | None = None,
        mark: str = "",
    ) -> None:
        """Make something that can be pointed at."""
        self.regions.append(Region(id, bounds, label, line, tint, mark))

    def pill(
        self, x: float, y: float, text: str, role: str, edge: str, id: Subject | None, fill: str = "background",
        style: str = "small", least: float = 0.0, dash: str = "solid",
    ) -> Rect:  # fmt: skip
        """Return a small label with round ends around a point."""
        width = max(pill_width(text, self.metrics, style), least)
        rect = Rect(x - width / 2, y - PILL_HEIGHT / 2, width, PILL_HEIGHT)
        self.add(
            Box(*rect, fill=fill, role=edge, weight=1.0, dash=dash, radius=PILL_HEIGHT / 2, id=id, layer=3),
            Text(x, y + middle(self.metrics, style), text, style, role, "middle", id),
        )
        return rect

    @property
    def top(self) -> float:
        """The upper edge of what is on the sheet."""
        return self._around(self.shapes).y

    def take(self, other: Sheet, dx: float, dy: float) -> None:
        """Put what is on another sheet on this one, so far to the right and down."""
        self.shapes += [shifted(shape, dx, dy) for shape in other.shapes]
        for region in other.regions:
            tint = region.tint.moved(dx, dy) if region.tint is not None else None
            line = tuple((x + dx, y + dy) for x, y in region.line)
            self.regions.append(region.moved_to(region.bounds.moved(dx, dy), line, tint))
        for id, grip in other.grips.items():
            self.grips[id] = replace(grip, anchor=(grip.anchor[0] + dx, grip.anchor[1] + dy))

    def draw(
        self,
        title: str,
        twin: Words,
        columns: WordColumns | None,
        margin: float = PICTURE_MARGIN,
        least: Rect | None = None,
    ) -> Drawing:
        """Return the picture: everything on the sheet, with a margin around it."""
        if columns is not None:
            self._centre_legend(columns.width)
        pins = tuple((edge, Group(shapes, self._around(shapes).grown(6))) for edge, shapes in self._pins.items())
        rects = [self._around(self.shapes[: self._legend]), *(group.bounds.grown(-6) for _, group in pins)]
        if least is not None:
            rects.append(least)
        if columns is not None:
            rects.append(Rect(0, rects[-1].y, columns.width, 0))
        body = bounds = _whole(union(rects).grown(margin))
        frame = columns.frame if columns is not None else None
        groups = [Group(self.shapes[: self._legend], body)]
        legend = None
        if self._legend is not None and len(self.shapes) > self._legend:
            explaining = self.shapes[self._legend :]
            legend = Group(explaining, self._around(explaining))
            bounds = _whole(union((body, legend.bounds.grown(margin))))
            groups.append(legend)
        groups.extend(group for _, group in pins)
        tallest = columns.tallest if columns is not None else 0.0
        areas = Areas(self.regions)
        return Drawing(tuple(groups), bounds, title, twin, areas, frame, self.grips, None, legend, pins, tallest, body)

    def _centre_legend(self, width: float) -> None:
        """Set a legend that is wider than the sentence under the middle of it."""
        explaining = self.shapes[self._legend :] if self._legend is not None else []
        beyond = self._around(explaining).right - width
        if explaining and beyond > 0:
            self.shapes[self._legend :] = [shifted(shape, -math.floor(beyond / 2)) for shape in explaining]

    def _around(self, shapes: Iterable[Shape]) -> Rect:
        """Return the rectangle around shapes."""
        return _whole(union(shape_rect(shape, self.metrics) for shape in shapes))


def shifted(shape: Shape, dx: float, dy: float = 0.0) -> Shape:
    """Return the shape further to the right by `dx`, and further down by `dy`."""
    match shape:
        case Stroke():
            return replace(shape, x1=shape.x1 + dx, y1=shape.y1 + dy, x2=shape.x2 + dx, y2=shape.y2 + dy)
        case Text() | Box():
            return replace(shape, x=shape.x + dx, y=shape.y + dy)
        case Curve(start=(x, y)):
            segments = tuple(
                tuple(value + (dy if place % 2 else dx) for place, value in enumerate(segment))
                for segment in shape.segments
            )
            return replace(shape, start=(x + dx, y + dy), segments=segments)
        case other:
            assert_never(other)


def _whole(rect: Rect) -> Rect:
    """Return the rectangle with its edges on whole pixels."""
    left, top = math.floor(rect.x), math.floor(rect.y)
    return Rect(left, top, math.ceil(rect.right) - left, math.ceil(rect.bottom) - top)


def pill_width(text: str, metrics: Metrics, style: str = "small") -> float:
    """Return how wide a pill around this text is."""
    return max(metrics.width(text, style) + 8.0, PILL_HEIGHT)


def middle(metrics: Metrics, style: str) -> float:
    """Return how far below the middle of a line of capitals its base line is."""
    return metrics.ascent(style) * 0.39


def text_rect(text: Text, metrics: Metrics) -> Rect:
    """Return the rectangle that a text fills."""
    width = metrics.width(text.text, text.style)
    if text.turned:
        ascent = metrics.ascent(text.style)
        bottom = text.y + {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
        return Rect(text.x - ascent, bottom - width, ascent + metrics.descent(text.style), width)
    left = text.x - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    ascent = metrics.ascent(text.style)
    return Rect(left, text.y - ascent, width, ascent + metrics.descent(text.style))


def shape_rect(shape: Shape, metrics: Metrics) -> Rect:
    """Return the rectangle around a shape."""
    if isinstance(shape, Text):
        return text_rect(shape, metrics)
    if isinstance(shape, Stroke):
        left, top = min(shape.x1, shape.x2), min(shape.y1, shape.y2)
        return Rect(left, top, abs(shape.x2 - shape.x1), abs(shape.y2 - shape.y1))
    if isinstance(shape, Box):
        return Rect(shape.x, shape.y, shape.width, shape.height)
    points = [shape.start, *((segment[-2], segment[-1]) for segment in shape.segments)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def words_row(
    sheet: Sheet,
    facts: Facts,
    columns: WordColumns,
    y: float,
    *,
    bases: bool = True,
    tags: bool = True,
    shift: float = 0.0,
    line: tuple[int, int] | None = None,
) -> None:
    """Write the sentence, or a line of it, on its ruler at base line `y`.

    Parameters
    ----------
    sheet, facts, columns, y
        Where, and what.
    bases
        Enclose baseNPs in square brackets, their heads bold, their other words lighter (the paper's Figure 1(c)).
    tags
        Write tags under the words.
    shift
        How far to the right of the ruler.
    line
        First token that is written, and the one after the last; ``None`` for all.
    """
    first, end = line or (0, len(facts.tokens))
    for token in range(first, end):
        word, tag = facts.tokens[token], facts.token_tags[token]
        x = columns.token_x(token) + shift
        position = facts.position_of.get(token)
        if position is None:
            rect = sheet.text(x, y, word, "word", "faint", id=PunctuationId(token))
            sheet.region(PunctuationId(token), rect.grown(2), f"{word}  {mark_meaning(tag)}")
            continue
        base = facts.base_of.get(position) if bases else None
        head = base is not None and base.head == position
        role = "muted" if base is not None and not head else "ink"
        rect = sheet.text(x, y, word, "word-bold" if head else "word", role, id=WordId(position))
        if tags:
            sheet.text(x, y + TAG_DROP, tag, "tag", "muted", id=WordId(position))
            rect = union((rect, Rect(rect.x, rect.y, rect.width, rect.height + TAG_DROP - 2)))
        sheet.region(WordId(position), rect.grown(2), _word_label(facts, position))
    if bases:
        brackets(sheet, facts, columns, y, shift, (first, end))


def brackets(
    sheet: Sheet,
    facts: Facts,
    columns: WordColumns,
    y: float,
    shift: float = 0.0,
    line: tuple[int, int] | None = None,
) -> None:
    """Square brackets around the baseNPs of a row of words, or of a line of it."""
    first, end = line or (0, len(facts.tokens))
    for base in facts.basenps:
        left = columns.x(base.start) - _half(sheet, facts, base.start, base.head) - 6
        right = columns.x(base.end - 1) + _half(sheet, facts, base.end - 1, base.head) + 6
        if first <= facts.positions[base.start] < end:
            sheet.text(left + shift, y, "[", "word", "line")
        if first <= facts.positions[base.end - 1] < end:
            sheet.text(right + shift, y, "]", "word", "line")


def _half(sheet: Sheet, facts: Facts, position: int, head: int) -> float:
    return sheet.metrics.width(facts.words[position], "word-bold" if position == head else "word") / 2


def _word_label(facts: Facts, position: int) -> str:
    word, tag = facts.words[position], facts.tags[position]
    base = facts.base_of.get(position)
    if base is None:
        return f"{word}/{tag}"
    inside = " ".join(facts.words[base.start : base.end])
    return f"{word}/{tag}  {'head of' if base.head == position else 'in'} the baseNP [{inside}]"


def mark_meaning(tag: str) -> str:
    """Return what the model makes of a punctuation mark."""
    if tag in (",", ":"):
        return "counts as a comma: no word of the model, but Δ and the gaps see it (sections 2.3, 2.5)"
    assert tag in PUNCTUATION_TAGS
    return "outside the model; it comes back in the printed tree"


def legend_limit(columns: WordColumns, room: Room = UNLIMITED) -> float:
    """Return how wide a legend may be: as the sentence, or a little wider than a short one,
    and not wider than the room.
    """
    return min(room.inner_width, max(columns.width, LEGEND_WIDTH))


def legend(sheet: Sheet, x: float, y: float, items: Sequence[tuple[str, str, str]], caption: str, limit: float) -> None:
    """Rows of small squares with their meaning: (letter, role, text), no wider than to `limit`."""
    left = x
    x = sheet.text(x, y + middle(sheet.metrics, "tag"), caption, "tag", "faint", "start").right + 12
    for letter, role, text in items:
        if x > left and x + 20 + sheet.metrics.width(text, "tag") > limit:
            x, y = left, y + 20
        sheet.add(Box(x, y - 7, 14, 14, fill=role, radius=3))
        sheet.text(x + 7, y + middle(sheet.metrics, "small-bold"), letter, "small-bold", f"on:{role}")
        x = sheet.text(x + 20, y + middle(sheet.metrics, "tag"), text, "tag", "muted", "start").right + 12


def heat_level(probability: float, decades: float) -> float:
    """Place of a probability on the scale of colours: 1 at 1, 0 at 10 to the minus `decades`."""
    if probability <= 0:
        return 0.0
    return max(0.0, min(1.0, 1.0 + math.log10(probability) / decades))


def heat_legend(sheet: Sheet, x: float, y: float, decades: int, caption: str) -> float:
    """Return the scale of probability with its numbers, logarithmic; the x where it ends."""
    x = sheet.text(x, y + middle(sheet.metrics, "tag"), caption, "tag", "faint", "start").right + 12
    steps, width = 48, 192.0
    for step in range(steps):
        level, share = (step + 0.5) / steps, step / steps
        # Each step reaches to the end, under those after it: side by side they would show seams.
        sheet.add(Box(x + width * share, y - 6, width * (1 - share), 12, fill=f"heat:{level:.3f}", layer=BACK))
    for decade in range(decades + 1):
        at = x + width * (1 - decade / decades)
        sheet.add(Stroke(at, y + 6, at, y + 10, "line"))
        text = "1" if decade == 0 else "0.1" if decade == 1 else f"10{superscript(-decade)}"
        if decade == decades:
            text = "≤ " + text
        if decades <= 4 or decade % 2 == decades % 2 or decade == 0:
            sheet.text(at, y + 21, text, "small", "muted")
    return x + width + 24


def message_picture(title: str, detail: str, metrics: Metrics) -> Drawing:
    """Return a picture of a message, where there is nothing to show yet or nothing could be made."""
    sheet = Sheet(metrics)
    sheet.text(0, 0, title, "title", "muted")
    for number, line in enumerate(_lines(detail, metrics, 420.0)):
        sheet.text(0, 28 + 18 * number, line, "label", "faint")
    return sheet.draw(title, f"{title}\n{detail}".strip(), None, margin=48)


def _lines(text: str, metrics: Metrics, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.width(f"{lines[-1]} {word}", "label") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# Pictures of a row of words, broken into lines like music.

LINE_GAP = 28.0
"""Space between two lines."""
_TORN_BASE = 8.0
_MARK_FIRST = 4.0
_TORN_ARROW = 0.05
"""What it costs to break a line inside a baseNP, before a mark, and under an arrow."""


def lines_of(facts: Facts, columns: WordColumns, limit: float) -> list[Line]:
    """Return the lines of a sentence: no wider than the limit, no baseNP torn, no mark first, few arrows cut."""
    costs = [0.0] * len(facts.tokens)
    for base in facts.basenps:
        for position in range(base.start + 1, base.end):
            costs[facts.positions[position]] += _TORN_BASE
    for token in range(len(facts.tokens)):
        if token not in facts.position_of:
            costs[token] += _MARK_FIRST
    for modifier, head, _ in facts.attachments:
        if head >= 0:
            low, high = sorted((facts.positions[modifier], facts.positions[head]))
            for token in range(low + 1, high + 1):
                costs[token] += _TORN_ARROW
    return break_lines(columns.edges, limit, costs)


def wrap(sheet: Sheet, facts: Facts, columns: WordColumns, room: Room, beyond: float = 0.0) -> float:
    """Break a sheet that was drawn in one line into several; the y where the last one ends.

    What is drawn in a gap may reach `beyond` the end of its line.

    Every shape belongs to the line of the column in whose middle it stands; what stands between two lines, as a gap
    does, belongs to the first of them.
    """
    lines = lines_of(facts, columns, room.inner_width - beyond)
    ends = [columns.edges[end] for _, end in lines]

    def line_at(rect: Rect) -> int:
        return min(bisect_left(ends, rect.centre[0] - 0.01), len(lines) - 1)

    shapes: list[list[Shape]] = [[] for _ in lines]
    regions: list[list[Region]] = [[] for _ in lines]
    for shape in sheet.shapes:
        shapes[line_at(shape_rect(shape, sheet.metrics))].append(shape)
    for region in sheet.regions:
        regions[line_at(region.bounds)].append(region)
    rects = [union(shape_rect(shape, sheet.metrics) for shape in line) for line in shapes]
    drops = _drops(rects)
    sheet.shapes[:] = [
        shifted(shape, -columns.edges[start], drop)
        for (start, _), drop, line in zip(lines, drops, shapes, strict=True)
        for shape in line
    ]
    sheet.regions[:] = [
        moved_region(region, -columns.edges[start], drop)
        for (start, _), drop, line in zip(lines, drops, regions, strict=True)
        for region in line
    ]
    return rects[-1].bottom + drops[-1]


def _drops(rects: Sequence[Rect]) -> list[float]:
    """Return how far each line is moved down to stand below the one before."""
    drops = [0.0]
    for above, below in pairwise(rects):
        drops.append(drops[-1] + round(above.bottom + LINE_GAP - below.y))
    return drops


def moved_region(region: Region, dx: float, dy: float) -> Region:
    """Put a region somewhere else."""
    tint = region.tint.moved(dx, dy) if region.tint is not None else None
    line = tuple((x + dx, y + dy) for x, y in region.line)
    return region.moved_to(region.bounds.moved(dx, dy), line, tint)


def narrowed(columns: WordColumns, line: Line) -> WordColumns:
    """Return the columns of one line, which begins at 0; those of other lines have no width."""
    start, end = line
    first = columns.edges[start]
    edges = tuple(min(max(edge, first), columns.edges[end]) - first for edge in columns.edges)
    return replace(columns, edges=edges, middles=tuple(middle - first for middle in columns.middles))
