"""Display lists: the shapes that a picture consists of, and where it can be pointed at."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, Protocol

from engine.explain.subjects import Subject

# Rectangles, and how far a point is from a line: what drawings are measured with.

Point = tuple[float, float]


class Rect(NamedTuple):
    """A rectangle: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point lies inside."""
        return self.x <= x <= self.right and self.y <= y <= self.bottom

    def overlaps(self, other: Rect, margin: float = 0.0) -> bool:
        """Return whether two rectangles share more than an edge, or come nearer than `margin`."""
        return (
            self.x < other.right + margin
            and other.x < self.right + margin
            and self.y < other.bottom + margin
            and other.y < self.bottom + margin
        )

    def grown(self, by: float) -> Rect:
        """Return the rectangle with a margin on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the rectangle somewhere else."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


def union(rects: Iterable[Rect]) -> Rect:
    """Return the smallest rectangle around all of these; an empty one if there is none."""
    found = list(rects)
    if not found:
        return Rect(0, 0, 0, 0)
    left, top = min(rect.x for rect in found), min(rect.y for rect in found)
    return Rect(left, top, max(rect.right for rect in found) - left, max(rect.bottom for rect in found) - top)


def distance(x: float, y: float, start: Point, end: Point) -> float:
    """Return how far a point is from a straight piece of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else max(0.0, min(1.0, ((x - start[0]) * dx + (y - start[1]) * dy) / length))
    return math.hypot(x - start[0] - share * dx, y - start[1] - share * dy)


# Display lists: the shapes that a picture consists of, and where it can be pointed at.
#
# A picture function returns a :class:`Drawing`: shapes with coordinates in pixels at 100 %, y downwards.
# The canvas paints it on the screen, the exports write it as SVG, PDF, PNG and TikZ: all of them from these
# same numbers.  Shapes name colours by their *role* (see :mod:`explorer.pictures.theme`), never by value, so that one
# drawing serves every theme.  Nothing here knows Qt.
#
# Whatever can be asked about carries an id (:mod:`engine.explain.subjects`), the same in every picture.

HIT_WIDTH = 12.0
"""How wide a line is to the mouse, in pixels at 100 % (Look: 'the hit area is 12 px wide')."""

# Layers, painted from the lowest: what lies behind, surfaces, lines, what is written.
BACK, FILL, LINES, TOP = 0, 1, 2, 3


class Metrics(Protocol):
    """Widths and heights of text, by style (:data:`explorer.pictures.theme.STYLES`)."""

    def width(self, text: str, style: str) -> float:
        """Return how far the text advances."""

    def ascent(self, style: str) -> float:
        """Return how far letters reach above the base line."""

    def descent(self, style: str) -> float:
        """Return how far letters reach below the base line."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `x` is its start, middle or end (`anchor`), `y` its base line.

    If `turned`, it reads upwards: `y` is its start, middle or end, `x` its base line.
    """

    x: float
    y: float
    text: str
    style: str = "word"
    role: str = "ink"
    anchor: str = "middle"
    id: Subject | None = None
    layer: int = TOP
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: str = "hairline"
    weight: float = 1.0
    dash: str = "solid"
    id: Subject | None = None
    layer: int = LINES


Segment = tuple[float, ...]
"""One step of a path: (x, y) a straight line to there, (x1, y1, x2, y2, x, y) a Bézier curve with two handles."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of straight and curved segments from `start`; closed and filled if `fill` names a role."""

    start: Point
    segments: tuple[Segment, ...]
    role: str = "ink"
    weight: float = 1.0
    dash: str = "solid"
    fill: str = ""
    id: Subject | None = None
    layer: int = LINES


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, with round corners if `radius` is given; `role` is its edge, empty for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    role: str = ""
    weight: float = 1.0
    dash: str = "solid"
    radius: float = 0.0
    id: Subject | None = None
    layer: int = FILL


Shape = Text | Stroke | Curve | Box
_layer = attrgetter("layer")


Words = str | Callable[[], str]
"""Text, or what makes it when it is read: a picture may have a thousand labels, of which one is shown."""


class Region:
    """Where something can be pointed at.

    Attributes
    ----------
    id
        What it stands for.
    bounds
        Its rectangle.
    line
        Where only a line is to be hit: its points.  The hit area is :data:`HIT_WIDTH` wide.
    tint
        What is tinted while it is pointed at, if more than `bounds`: a constituent down to its words.
    mark
        In a comparison: ``match``, ``missing`` or ``extra``; else empty.
    """

    __slots__ = ("_label", "bounds", "id", "line", "mark", "tint")

    def __init__(
        self,
        id: Subject,
        bounds: Rect,
        label: Words = "",
        line: tuple[Point, ...] = (),
        tint: Rect | None = None,
        mark: str = "",
    ) -> None:
        self.id = id
        self.bounds = bounds
        self._label = label
        self.line = line
        self.tint = tint
        self.mark = mark

    @property
    def label(self) -> str:
        """What it is, in a few words: the tool tip, and what a screen reader says."""
        if not isinstance(self._label, str):
            self._label = self._label()
        return self._label

    def moved_to(self, bounds: Rect, line: tuple[Point, ...] = (), tint: Rect | None = None) -> Region:
        """Return the same thing somewhere else."""
        return Region(self.id, bounds, self._label, line, tint, self.mark)

    def hit(self, x: float, y: float, reach: float = HIT_WIDTH / 2) -> float:
        """Return how far a point is from it; infinite if out of reach."""
        if self.line:
            if not self.bounds.grown(reach).contains(x, y):
                return math.inf
            away = min(distance(x, y, start, end) for start, end in pairwise(self.line))
            return away if away <= reach else math.inf
        # What is smaller than the hit width is made larger for the mouse.
        sideways = max(0.0, reach - self.bounds.width / 2)
        upwards = max(0.0, reach - self.bounds.height / 2)
        dx = max(self.bounds.x - x, x - self.bounds.right, 0.0)
        dy = max(self.bounds.y - y, y - self.bounds.bottom, 0.0)
        return math.hypot(dx, dy) if dx <= sideways and dy <= upwards else math.inf


class Group:
    """Shapes that change together.

    A large picture that changes in one place is made of many groups, those that stay being the very same objects:
    the canvas repaints only where groups differ.
    """

    __slots__ = ("bounds", "ids", "shapes")

    def __init__(self, shapes: Iterable[Shape], bounds: Rect) -> None:
        self.shapes: tuple[Shape, ...] = tuple(sorted(shapes, key=_layer))
        self.bounds = bounds
        self.ids = frozenset([shape.id for shape in self.shapes if shape.id is not None])


class Areas(tuple[Region, ...]):
    """What can be pointed at, in reading order, found by id and by place; drawings that differ elsewhere share it."""

    TILE = 96.0

    @cached_property
    def by_id(self) -> dict[Subject, Region]:
        """The first place of each thing."""
        found: dict[Subject, Region] = {}
        for area in self:
            found.setdefault(area.id, area)
        return found

    @cached_property
    def _by_name(self) -> dict[Subject, list[Region]]:
        found: dict[Subject, list[Region]] = {}
        for area in self:
            found.setdefault(area.id, []).append(area)
        return found

    def of(self, ids: Iterable[Subject | None]) -> Iterator[Region]:
        """Return all places of these things."""
        return (area for one in ids if one is not None for area in self._by_name.get(one, ()))

    @cached_property
    def _tiles(self) -> dict[tuple[int, int], list[int]]:
        """Numbers of the areas that reach into each tile of the plane, so that few are looked at under the mouse."""
        tiles: dict[tuple[int, int], list[int]] = {}
        for place, area in enumerate(self):
            for tile in self._covered(area.bounds):
                tiles.setdefault(tile, []).append(place)
        return tiles

    def _covered(self, rect: Rect) -> Iterator[tuple[int, int]]:
        size = self.TILE
        for column in range(math.floor(rect.x / size), math.floor(rect.right / size) + 1):
            for row in range(math.floor(rect.y / size), math.floor(rect.bottom / size) + 1):
                yield column, row

    def at(self, x: float, y: float, reach: float) -> Subject | None:
        """Return what is at a point: the nearest area within reach, of equally near ones the last."""
        near = {place for tile in self._covered(Rect(x, y, 0, 0).grown(reach)) for place in self._tiles.get(tile, ())}
        best: Subject | None = None
        nearest = math.inf
        for place in sorted(near):
            away = self[place].hit(x, y, reach)
            if away <= nearest and away < math.inf:
                best, nearest = self[place].id, away
        return best


@dataclass(frozen=True, slots=True)
class Grip:
    """Something that can be dragged to something else.

    Attributes
    ----------
    anchor
        Where the line that follows the mouse begins.
    targets
        The sorts of things on which it may be dropped.
    origin
        Where it hangs already, and is therefore not dropped.
    """

    anchor: Point
    targets: tuple[type[Subject], ...]
    origin: Subject

    def accepts(self, id: Subject) -> bool:
        """Return whether it may be dropped on a thing."""
        return isinstance(id, self.targets) and id != self.origin


class Row(NamedTuple):
    """A row of a table, and how it is drawn while something of it is selected.

    Attributes
    ----------
    strip
        What then lies behind it.
    name, marked
        The name of the row, and what then stands in its place.
    """

    strip: Box
    name: Text
    marked: Text


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture.

    Attributes
    ----------
    groups
        Its shapes, painted in this order.
    bounds
        The rectangle it fills, margins included.
    title
        What it shows, in a line.
    twin
        The same as text, for keyboard, screen readers and copying (or what makes it; read `text_twin`).
    areas
        What can be pointed at, in reading order; of two that are hit the later one is meant.  One thing may stand in
        several places.
    frame
        Left and right end of the sentence's ruler with margins, the same for all pictures of one sentence.
    grips
        What can be dragged.
    legend
        The group that explains the signs; a view shows it beside the picture, a file under it.
    pins
        Groups that the canvas keeps at an edge (``left``, ``top`` or ``bottom``) when they are scrolled out there:
        the names of rows and columns.
    tallest
        Height of the tallest picture of the sentence without legend, this one or another; 0 if that is not known.
    body
        The rectangle of the picture without its legend, margins included; ``None`` if there is no legend.
    folded
        Words that are folded together, by first position and the one after the last.
    overview
        Where in the sentence one is, if parts of it are folded.
    rows
        Rows that can be marked, by what they are about; see :meth:`with_row`.
    lens
        For pictures too dense to be read: what is under the mouse, as a small drawing beside it.
    """

    groups: tuple[Group, ...]
    bounds: Rect
    title: str
    twin: Words
    areas: Areas = field(default_factory=Areas)
    frame: tuple[float, float] | None = None
    grips: Mapping[Subject, Grip] = field(default_factory=dict)
    lens: Callable[[Subject], Drawing | None] | None = None
    legend: Group | None = None
    pins: tuple[tuple[str, Group], ...] = ()
    tallest: float = 0.0
    body: Rect | None = None
    folded: tuple[tuple[int, int], ...] = ()
    overview: Drawing | None = None
    rows: Mapping[Subject, Row] = field(default_factory=dict)

    def with_row(self, id: Subject | None) -> Drawing:
        """Return the picture with a row marked; the same one if there is no such row."""
        row = self.rows.get(id) if id is not None else None
        if row is None:
            return self

        def marked(group: Group) -> Group:
            if all(shape is not row.name for shape in group.shapes):
                return group
            return Group((row.marked if shape is row.name else shape for shape in group.shapes), group.bounds)

        strip = Group((row.strip,), Rect(row.strip.x, row.strip.y, row.strip.width, row.strip.height))
        groups = [marked(group) for group in self.groups]
        pins = tuple((edge, groups[self.groups.index(group)]) for edge, group in self.pins)
        return replace(self, groups=(strip, *groups), pins=pins)

    @property
    def view_bounds(self) -> Rect:
        """What a view shows of it: the legend has a separate place there."""
        return self.body or self.bounds

    @cached_property
    def view_groups(self) -> tuple[Group, ...]:
        """The groups without the legend."""
        return tuple(group for group in self.groups if group is not self.legend)

    @cached_property
    def text_twin(self) -> str:
        """The picture as text."""
        return self.twin if isinstance(self.twin, str) else self.twin()

    @property
    def width(self) -> float:
        """Width in pixels at 100 %."""
        return self.bounds.width

    @property
    def height(self) -> float:
        """Height in pixels at 100 %."""
        return self.bounds.height

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes in the order in which they are painted."""
        return tuple(shape for group in self.groups for shape in group.shapes)

    @property
    def regions(self) -> dict[Subject, Region]:
        """What can be pointed at, by id: the first place of each, in reading order."""
        return self.areas.by_id

    def at(self, x: float, y: float, reach: float = HIT_WIDTH / 2) -> Subject | None:
        """Return what is at a point: the nearest region, of equally near ones the last."""
        return self.areas.at(x, y, reach)

    def of(self, ids: Iterable[Subject]) -> Iterator[Shape]:
        """Yield the shapes that stand for any of these."""
        wanted = set(ids)
        for group in self.groups:
            if not wanted.isdisjoint(group.ids):
                yield from (shape for shape in group.shapes if shape.id is not None and shape.id in wanted)
