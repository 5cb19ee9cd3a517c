"""Pictures on paper: upright or turned by what fits, type of 8 points at least, long ones on several pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from explorer.export.page_layout import LEAST_SCALE, PageLayout, numbered, write_lines
from explorer.export.paged_pdf import Page, Paper
from explorer.graphics.drawing import Box, Curve, Drawing, Group, Metrics, Rect, Shape, Stroke, Text
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import PICTURE_MARGIN
from explorer.graphics.pictures.sheet import Sheet, shape_rect, shifted
from explorer.graphics.selection import Id

_SPACE = 12.0
_SIGN_SPACE = 12.0
"""So much is empty between two signs of a legend, at least."""
_FRAME = 1.0
"""Half a heavy line may reach beyond what is drawn."""
_HAIR = 1.5
"""As much as a line or the edge of a cell may reach into the next part."""
_LINE_SPACE, _LEAST_SPACE = 20.0, 2.0
"""So much is empty between two lines of a sentence, and at least between two things that can be parted."""
_FOLDED, _FOLDED_ON_PAPER = "folded: a click opens it", "folded here to make room"
"""What a legend says on the screen, and what on paper, which nobody can click."""

Maker = Callable[[Room], Sequence[Drawing]]
"""Makes the pictures for so much room."""


def paper_room(paper: Paper) -> Room:
    """The room for a picture on a page with its type at the smallest size that can be read."""
    # A picture's own margins are left out on paper.
    beyond = 2 * PICTURE_MARGIN
    return Room(paper.inner_width / LEAST_SCALE + beyond, paper.inner_height / LEAST_SCALE + beyond)


def picture_pages(
    make: Maker, title: str, notes: Sequence[str], metrics: Metrics, paper: Paper, may_turn: bool = True
) -> tuple[Paper, list[Page]]:
    """Lay pictures out on paper; it is turned where more of them fits so.

    Parameters
    ----------
    make
        Makes the pictures for the room of a page.
    title, notes
        What stands above them: the sentence, and under what it was parsed.
    metrics, paper
        How type is measured, and the paper, upright.
    may_turn
        Whether the paper may be turned.
    """
    chosen, pictures = paper, [*make(paper_room(paper))]
    turned = [*make(paper_room(paper.turned()))] if may_turn else []
    if turned and _trouble(turned, paper.turned()) < _trouble(pictures, paper):
        chosen, pictures = paper.turned(), turned
    layout = PageLayout(chosen, metrics)
    sheet = Sheet(metrics)
    y = write_lines(sheet, 0.0, title, "title", "ink", chosen.inner_width)
    for note in notes:
        y = write_lines(sheet, y, note, "tag", "muted", chosen.inner_width)
    head = sheet.draw(title, "", None, margin=0.0)
    first = True
    for picture in pictures:
        parts = on_paper(picture, chosen, metrics, head.height + _SPACE if first else 0.0)
        layout.put_together([head, *parts] if first else parts, _SPACE)
        layout.skip(_SPACE)
        first = False
    return chosen, layout.pages(title)


def joined_pages(
    laid_out: Sequence[tuple[Paper, list[Page]]], title: str, metrics: Metrics
) -> tuple[Paper, list[Page]]:
    """Pages of several pictures on the same paper behind one another, numbered anew."""
    paper = laid_out[0][0]
    # The last thing on a page is its foot, with a number that is no longer right.
    pages = [page[:-1] for _, found in laid_out for page in found]
    return paper, numbered(pages, paper, metrics, title)


def _trouble(pictures: Sequence[Drawing], paper: Paper) -> tuple[float, ...]:
    """How badly pictures fit: by what is folded, by pages, by how much smaller they become; less is better."""
    folded = sum(end - start for picture in pictures for start, end in picture.folded)
    sizes = [picture.view_bounds.grown(-PICTURE_MARGIN) for picture in pictures]
    height = sum(size.height * min(1.0, paper.inner_width / max(size.width, 1.0)) for size in sizes)
    pages = -(-height // paper.inner_height)
    width = max((size.width for size in sizes), default=0.0)
    return (len(pictures), folded, pages, max(0.0, LEAST_SCALE - paper.inner_width / max(width, 1.0)))


def on_paper(drawing: Drawing, paper: Paper, metrics: Metrics, taken: float = 0.0) -> list[Drawing]:
    """A picture as it stands on paper: without margins of its own, in parts no higher than a page, then its legend.

    Of the first page so much height may be `taken` already.
    """
    tight = drawn([shape for group in drawing.view_groups for shape in group.shapes], metrics, drawing)
    signs = _legend(drawing)
    signs = _in_rows(signs, metrics, paper.inner_width / LEAST_SCALE)
    under = [drawn(signs, metrics, drawing)] if signs else []
    taken += sum(one.height + _SPACE for one in under)
    scale = min(1.0, paper.inner_width / max(tight.width, 1.0))
    if tight.height * min(scale, LEAST_SCALE) <= paper.inner_height - taken:
        # Made a little smaller it need not be cut.
        return [tight, *under]
    return [*cut(tight, metrics, paper.inner_height / scale, (paper.inner_height - taken) / scale), *under]


def _legend(drawing: Drawing) -> list[Shape]:
    """The legend as it is true on paper: nothing can be clicked, and only what is folded needs its sign explained."""
    found: list[Shape] = []
    for shape in drawing.legend.shapes if drawing.legend is not None else ():
        if isinstance(shape, Text) and shape.text == _FOLDED:
            if drawing.folded:
                found.append(replace(shape, text=_FOLDED_ON_PAPER))
            continue
        if isinstance(shape, Curve) and shape.fill == "surface" and not drawing.folded:
            continue
        found.append(shape)
    return found


def _in_rows(shapes: list[Shape], metrics: Metrics, width: float) -> list[Shape]:
    """A legend in as many rows as it needs to be no wider than this, broken between two signs."""
    if not shapes:
        return []
    rects = [shape_rect(shape, metrics) for shape in shapes]
    left = min(rect.x for rect in rects)
    limit, reached, at = left + width, left, None
    for rect in sorted(rects):
        if rect.x - reached >= _SIGN_SPACE and reached <= limit:
            at = rect.x
        reached = max(reached, rect.right)
    if reached <= limit or at is None:
        return shapes
    below = max(rect.bottom for rect in rects) - min(rect.y for rect in rects) + _SIGN_SPACE / 2
    first = [shape for shape, rect in zip(shapes, rects, strict=True) if rect.x < at]
    rest = [shifted(shape, left - at, below) for shape, rect in zip(shapes, rects, strict=True) if rect.x >= at]
    return first + _in_rows(rest, metrics, width)


def drawn(shapes: Iterable[Shape], metrics: Metrics, like: Drawing, least: Rect | None = None) -> Drawing:
    """Shapes as a drawing of its own, at least so large, with the title and the text of another one."""
    sheet = Sheet(metrics)
    sheet.add(*shapes)
    return sheet.draw(like.title, like.twin, None, margin=_FRAME, least=least)


def without(drawing: Drawing, covered: Iterable[Id]) -> Drawing:
    """The drawing without the shapes that stand for these things; it keeps its size."""
    ids = frozenset(covered)
    return _changed(drawing, lambda shape: None if shape.id in ids else shape)


def emphasised(drawing: Drawing, ids: Iterable[Id | None]) -> Drawing:
    """The drawing with the lines of these things heavier, so that they are told without colours."""
    wanted = frozenset(id for id in ids if id is not None)

    def heavier(shape: Shape) -> Shape:
        if shape.id not in wanted:
            return shape
        if isinstance(shape, Text):
            return replace(shape, style=_BOLD.get(shape.style, shape.style))
        if isinstance(shape, Box):
            return replace(shape, weight=shape.weight + 1.25, role="accent") if shape.role else shape
        return replace(shape, weight=shape.weight + 1.25, role="accent" if shape.role else "")

    return _changed(drawing, heavier)


def _changed(drawing: Drawing, change: Callable[[Shape], Shape | None]) -> Drawing:
    """The drawing with each shape as it is changed, or left out."""
    changed = {
        id(group): Group([new for shape in group.shapes if (new := change(shape)) is not None], group.bounds)
        for group in drawing.groups
    }
    legend = changed[id(drawing.legend)] if drawing.legend is not None else None
    return replace(drawing, groups=tuple(changed[id(group)] for group in drawing.groups), legend=legend)


_BOLD = {"word": "word-bold", "label": "label-bold"}
"""Words become bold; small type on a pill has no room for that."""


def cut(drawing: Drawing, metrics: Metrics, height: float, first: float) -> list[Drawing]:
    """Cut a drawing into parts no higher than this, the first perhaps lower, where nothing or only lines are cut.

    Where there is no such place it stays in one piece, and is made smaller.
    """
    if drawing.height <= first:
        return [drawing]
    shapes = list(drawing.shapes)
    rects = [shape_rect(shape, metrics) for shape in shapes]
    solid = [rect for shape, rect in zip(shapes, rects, strict=True) if not _divisible(shape)]
    parts: list[Drawing] = []
    top, end = drawing.bounds.y, drawing.bounds.bottom
    limit = first
    while end - top > limit:
        at = _place(rects, solid, top, top + limit)
        if at is None:
            return [drawing]
        parts.append(_part(shapes, rects, top, at, metrics, drawing))
        top, limit = at, height
    parts.append(_part(shapes, rects, top, end, metrics, drawing))
    return parts


def _divisible(shape: Shape) -> bool:
    """Whether a shape may go on upon the next page: rectangles and upright lines."""
    return (isinstance(shape, Box) and not shape.radius) or (isinstance(shape, Stroke) and shape.x1 == shape.x2)


def _place(rects: Sequence[Rect], solid: Sequence[Rect], top: float, most: float) -> float | None:
    """The lowest place between two lines, where nothing is cut, or as little as can be; ``None`` if there is none."""
    least = top + (most - top) / 3
    for space in (_LINE_SPACE, _LEAST_SPACE):
        found, reached = None, top
        for rect in sorted(rects, key=lambda rect: rect.y):
            if rect.y > most:
                break
            if rect.y - reached >= space and least <= rect.y:
                found = rect.y
            reached = max(reached, rect.bottom)
        if found is not None:
            return found
    edges = {round(rect.y, 1) for rect in rects if least <= rect.y <= most}
    free = [edge for edge in edges if not _crossed(solid, edge)]
    return min(free, key=lambda edge: (_crossed(rects, edge), -edge), default=None)


def _crossed(rects: Iterable[Rect], y: float) -> int:
    """How many of these a cut at this height would part."""
    return sum(rect.y + _HAIR < y < rect.bottom - _HAIR for rect in rects)


def _part(
    shapes: Sequence[Shape], rects: Sequence[Rect], top: float, bottom: float, metrics: Metrics, like: Drawing
) -> Drawing:
    """What lies between two heights."""
    found: list[Shape] = []
    for shape, rect in zip(shapes, rects, strict=True):
        middle = (rect.y + rect.bottom) / 2
        if not _crossed([rect], top) and not _crossed([rect], bottom):
            # A line on the very edge belongs to the part above it.
            if top < middle <= bottom or (middle <= top and rect.y >= top):
                found.append(shape)
        elif isinstance(shape, Box):
            y = max(top, rect.y)
            if min(bottom, rect.bottom) > y:
                found.append(replace(shape, y=y, height=min(bottom, rect.bottom) - y))
        elif isinstance(shape, Stroke):
            y1, y2 = (min(max(y, top), bottom) for y in (shape.y1, shape.y2))
            if y1 != y2:
                found.append(replace(shape, y1=y1, y2=y2))
    # As wide as the whole: the parts stand under one another.
    return drawn(found, metrics, like, Rect(like.bounds.x + _FRAME, top, like.bounds.width - 2 * _FRAME, 0.0))
