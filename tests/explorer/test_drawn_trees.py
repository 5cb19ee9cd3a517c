"""What is drawn of random trees: no label on another, arcs nested, and the same places in every format.

The trees go the whole way: head rules, baseNPs, ruler, picture, and from there to the screen, to SVG and to LaTeX.
"""

from __future__ import annotations

import itertools
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import ArrowId
from explorer.canvas.painting import Brush
from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import Box, Curve, Drawing, Point, Rect, Stroke, Text
from explorer.pictures.layout import Arc, nesting_levels
from explorer.pictures.options import ParseOptions, TreeOptions
from explorer.pictures.sheet import text_rect
from explorer.pictures.theme import LIGHT
from explorer.pictures.tree import parse_picture
from explorer.pictures.vector import svg_text, tikz_text
from tests.explorer.random_trees import brackets_of, random_tree

TREES = 50
"""Every label, tag and word is among them already, and sentences of 1 to 60 words; the slow test draws all."""
ALL_TREES = 500
PARTS = 10
SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"[-\d.]+"


def parse_of(model: engine.Model, seed: int) -> Parse:
    """A random tree as a parse: whatever the model thinks of it."""
    root, words = random_tree(seed)
    # A word that is no punctuation, for there must be one.
    tree = engine.read_tree(f"(S {brackets_of(root, words)} (VP (VBD ended)))")
    parser = Parser.preset(model, 3)
    scored = parser.score(tree)
    return Parse(model, parser.settings, scored.sentence, (scored.root,), scored.log_probability, 1, 1000.0)


def no_label_lies_on_another(drawing: Drawing, parse: Parse, metrics: QtMetrics, seed: int) -> None:
    rects = []
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            whole = text_rect(shape, metrics)
            height = 0.72 * metrics.ascent(shape.style)
            rects.append((Rect(whole.x, shape.y - height, whole.width, height), shape.text))
        elif isinstance(shape, Box) and shape.layer >= 3:
            # A pill's own text lies in it, and in no other.
            rects.append((Rect(shape.x, shape.y, shape.width, shape.height), ""))
    labels = sum(1 for _ in parse.tree.constituents())
    assert len(rects) >= labels + len(parse.sentence.words), f"tree {seed}: not all of it is drawn"
    rects.sort(key=lambda pair: pair[0].x)
    for place, (rect, text) in enumerate(rects):
        for other, against in itertools.islice(rects, place + 1, None):
            if other.x >= rect.right:
                break
            if rect.overlaps(other):
                inside = (not text and _within(other, rect)) or (not against and _within(rect, other))
                assert inside and bool(text) != bool(against), f"tree {seed}: `{text}` and `{against}`"


def _within(inner: Rect, outer: Rect) -> bool:
    return (
        outer.x <= inner.x and inner.right <= outer.right and outer.y <= inner.y and inner.bottom <= outer.bottom
    )  # fmt: skip


def arcs_nest(drawing: Drawing, parse: Parse, seed: int) -> None:
    heads = parse.heads()
    lines: dict[int, tuple[Point, ...]] = {}
    for area in drawing.areas:
        if isinstance(area.id, ArrowId) and area.line and heads[area.id.modifier] >= 0:
            lines[area.id.modifier] = area.line
    assert set(lines) == {modifier for modifier, head in heads.items() if head >= 0}
    # What the mouse hits is what is painted.
    for modifier, line in lines.items():
        [path] = [shape for shape in drawing.of([ArrowId(modifier)]) if isinstance(shape, Curve) and not shape.fill]
        assert path.start == line[0] and path.segments[1][-1] == path.segments[2][-1] == line[1][1] == line[2][1]
        assert path.segments[-1][0] == line[3][0]
    for (one, first), (other, second) in itertools.combinations(lines.items(), 2):
        if max(first[0][0], first[3][0]) < min(second[0][0], second[3][0]):
            continue
        for piece in itertools.pairwise(first):
            for against in itertools.pairwise(second):
                assert not _meet(piece, against), f"tree {seed}: the arrows of words {one} and {other} meet"
    # Height by nesting, not by length.
    arcs = [Arc(modifier, heads[modifier]) for modifier in lines]
    heights = [abs(lines[arc.modifier][1][1] - lines[arc.modifier][0][1]) for arc in arcs]
    levels = nesting_levels(arcs)
    assert len(set(zip(levels, (round(height, 3) for height in heights), strict=True))) == len(set(levels))
    assert not heights or min(heights) >= 20


def _meet(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two pieces, each level or upright, have a point in common."""
    return all(
        min(one[0][axis], one[1][axis]) <= max(other[0][axis], other[1][axis])
        and min(other[0][axis], other[1][axis]) <= max(one[0][axis], one[1][axis])
        for axis in (0, 1)
    )


class Recorder:
    """Stands for a painter and notes where it is asked to paint."""

    def __init__(self) -> None:
        self.places: list[tuple[float, ...]] = []

    def drawText(self, place: QPointF, text: str) -> None:
        self.places.append((place.x(), place.y()))

    def drawLine(self, start: QPointF, end: QPointF) -> None:
        self.places.append((start.x(), start.y(), end.x(), end.y()))

    def drawRoundedRect(self, rect: QRectF, *radius: float) -> None:
        self.places.append(rect.getRect())  # type: ignore[arg-type]

    drawRect = fillRect = drawRoundedRect

    def drawPath(self, path: QPainterPath) -> None:
        points = [path.elementAt(place) for place in range(path.elementCount())]
        self.places.append(tuple(value for point in points for value in (point.x, point.y)))

    def __getattr__(self, name: str) -> Any:
        assert name in ("setPen", "setBrush", "setFont"), name
        return lambda *_: None


def shown(drawing: Drawing, metrics: QtMetrics, by_left: bool) -> list[tuple[float, ...]]:
    """The coordinates of every shape, a text's from its left end or from its anchor; filled paths are closed."""
    found: list[tuple[float, ...]] = []
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            found.append((text_rect(shape, metrics).x if by_left else shape.x, shape.y))
        elif isinstance(shape, Stroke):
            found.append((shape.x1, shape.y1, shape.x2, shape.y2))
        elif isinstance(shape, Box):
            found.append((shape.x, shape.y, shape.width, shape.height))
        else:
            points = (*shape.start, *(value for segment in shape.segments for value in segment))
            found.append((*points, *shape.start) if shape.fill and by_left else points)
    return found


def _moving(points: tuple[float, ...]) -> tuple[float, ...]:
    """A path without steps that lead nowhere, which Qt leaves out; no other shape has so many numbers."""
    if len(points) <= 4:
        return points
    pairs = [points[at : at + 2] for at in range(0, len(points), 2)]
    kept = [pairs[0], *(pair for before, pair in itertools.pairwise(pairs) if pair != before)]
    return tuple(value for pair in kept for value in pair)


def in_svg(drawing: Drawing) -> list[tuple[float, ...]]:
    names = {"text": ("x", "y"), "line": ("x1", "y1", "x2", "y2"), "rect": ("x", "y", "width", "height")}
    found = []
    for element in ElementTree.fromstring(svg_text(drawing, LIGHT, background=False)):
        kind = element.tag.removeprefix(SVG)
        if kind in names:
            found.append(tuple(float(element.attrib[name]) for name in names[kind]))
        elif kind == "path":
            found.append(tuple(map(float, re.findall(NUMBER, element.attrib["d"]))))
    return found


def in_tikz(drawing: Drawing) -> list[tuple[float, ...]]:
    found = []
    for line in tikz_text(drawing, LIGHT).splitlines():
        if line.startswith((r"\node", r"\path")):
            # A word may look like a point: what is written comes after the first one.
            points = re.findall(rf"\(({NUMBER}),({NUMBER})\)", line)
            points = points[:1] if line.startswith(r"\node") else points
            numbers = [float(value) for point in points for value in point]
            if "rectangle" in line:
                numbers[2:] = [numbers[2] - numbers[0], numbers[3] - numbers[1]]
            found.append(tuple(numbers))
    return found


def drawn_in_order(seed: int, model: engine.Model, metrics: QtMetrics) -> None:
    """Draw a tree and look at it on the screen, in SVG and in TikZ."""
    parse = parse_of(model, seed)
    drawing = parse_picture(parse, metrics)
    no_label_lies_on_another(drawing, parse, metrics, seed)
    arcs_nest(drawing, parse, seed)
    painter = Recorder()
    Brush(LIGHT, metrics).paint(painter, drawing)  # type: ignore[arg-type]
    assert painter.places == [_moving(place) for place in shown(drawing, metrics, by_left=True)], f"tree {seed}"
    wanted = shown(drawing, metrics, by_left=False)
    for written in (in_svg(drawing), in_tikz(drawing)):
        assert len(written) == len(wanted), f"tree {seed}"
        for one, other in zip(written, wanted, strict=True):
            # Three decimals are written; a width in TikZ is the difference of two of them.
            assert len(one) == len(other) and all(abs(a - b) < 2e-3 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("seed", range(TREES))
def test_a_random_tree_as_it_is_drawn(seed: int, classroom: engine.Model, metrics: QtMetrics) -> None:
    drawn_in_order(seed, classroom, metrics)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_random_trees_as_they_are_drawn(part: int, classroom: engine.Model, metrics: QtMetrics) -> None:
    for seed in range(TREES + part, ALL_TREES, PARTS):
        drawn_in_order(seed, classroom, metrics)


@pytest.mark.parametrize("seed", range(0, TREES, 5))
def test_a_compact_tree_as_it_is_drawn(seed: int, classroom: engine.Model, metrics: QtMetrics) -> None:
    parse = parse_of(classroom, seed)
    drawing = parse_picture(parse, metrics, ParseOptions(tree=TreeOptions(compact=True)))
    no_label_lies_on_another(drawing, parse, metrics, seed)
