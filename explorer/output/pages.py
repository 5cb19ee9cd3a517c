"""Drawings, text and tables on pages of paper: laid out under one another, long ones on several pages, as PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QLocale, QMarginsF, QSizeF
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter

from engine.chart.parse import Parse
from explorer.canvas.painting import Brush
from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import Box, Curve, Drawing, Metrics, Rect, Shape, Stroke, Text
from explorer.pictures.folding import Span
from explorer.pictures.layout import PICTURE_MARGIN, Room
from explorer.pictures.options import TreeOptions
from explorer.pictures.sheet import Sheet, elided, shape_rect, shifted
from explorer.pictures.theme import LIGHT, STYLES, Theme, on_white
from explorer.pictures.tree import tree_picture

# Drawings on pages of paper, as a PDF file.

_POINTS_PER_PIXEL = 0.75
_DPI = 1200
_MARGIN = 56.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper.

    Attributes
    ----------
    width, height
        In pixels of a drawing at 100 %, 96 to the inch.
    margin
        What stays empty at each edge.
    """

    width: float
    height: float
    margin: float = _MARGIN

    @property
    def inner_width(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def inner_height(self) -> float:
        """The height between the margins."""
        return self.height - 2 * self.margin

    def turned(self) -> Paper:
        """The same paper, turned by 90°."""
        return replace(self, width=self.height, height=self.width)

    def fitting(self, drawing: Drawing) -> float:
        """The scale, 1 at most, at which a drawing fits on the page."""
        return min(1.0, self.inner_width / drawing.width, self.inner_height / drawing.height)


class PlacedDrawing(NamedTuple):
    """A drawing, where its upper left corner stands on the page, and its scale."""

    drawing: Drawing
    x: float
    y: float
    scale: float


Page = tuple[PlacedDrawing, ...]
"""All that stands on one page."""


A4, LETTER = "a4", "letter"
PAPER_TITLES = {A4: "A4", LETTER: "Letter"}
"""The sizes of paper by their names, as dialogs show them."""
PAPER_SIZES = {A4: QPageSize.PageSizeId.A4, LETTER: QPageSize.PageSizeId.Letter}

PRINTED = replace(on_white(LIGHT), name="printed", title="Colours")
"""The colours of what is printed: those of the light theme on plain white, whatever the window looks like."""


def usual_paper_name() -> str:
    """The paper of this user's country: Letter in the United States and wherever inches are used as there, else A4."""
    inches = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return LETTER if inches else A4


def paper_named(name: str) -> Paper:
    """One of :data:`PAPER_TITLES`."""
    points = QPageSize(PAPER_SIZES[name]).size(QPageSize.Unit.Point)
    return Paper(points.width() / _POINTS_PER_PIXEL, points.height() / _POINTS_PER_PIXEL)


def usual_paper() -> Paper:
    """The paper of this user's country."""
    return paper_named(usual_paper_name())


def pdf_file(title: str, dots_per_inch: int, paint: Callable[[QPdfWriter], object]) -> bytes:
    """A PDF file, fonts embedded, of what is painted on a device."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Parse Explorer")
    writer.setResolution(dots_per_inch)
    paint(writer)
    # The file is written to its end when its writer goes.
    del writer
    return bytes(buffer.data().data())


def paged_pdf(pages: Sequence[Page], paper: Paper, title: str, theme: Theme, metrics: QtMetrics) -> bytes:
    """Pages as a PDF file."""

    def paint(writer: QPdfWriter) -> None:
        points = QSizeF(paper.width * _POINTS_PER_PIXEL, paper.height * _POINTS_PER_PIXEL)
        size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
        writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
        painter = QPainter(writer)
        brush = Brush(theme, metrics)
        for number, page in enumerate(pages):
            if number:
                writer.newPage()
            painter.resetTransform()
            painter.fillRect(0, 0, writer.width(), writer.height(), QColor(theme.colour("background")))
            painter.scale(_POINTS_PER_PIXEL * _DPI / 72, _POINTS_PER_PIXEL * _DPI / 72)
            paint_page(painter, page, brush)
        painter.end()

    return pdf_file(title, _DPI, paint)


def paint_page(painter: QPainter, page: Page, brush: Brush) -> None:
    """Paint what stands on a page, in pixels of a drawing at 100 %."""
    for part in page:
        painter.save()
        painter.translate(part.x, part.y)
        painter.scale(part.scale, part.scale)
        painter.translate(-part.drawing.bounds.x, -part.drawing.bounds.y)
        brush.paint(painter, part.drawing)
        painter.restore()


# Drawings, text and tables under one another on as many pages as they need; nothing is cut by the end of a page.

LEAST_POINTS = 8.0
"""Type on paper is no smaller than this, unless a picture cannot be laid out otherwise."""
LEAST_SCALE = LEAST_POINTS / (0.75 * min(style.size for style in STYLES.values()))
"""The scale at which the smallest type is as small as that."""
LINE = 18.0
"""From one row of a table to the next."""
_ABOVE_TABLE = 20.0
_COLUMN_GAP = 16.0
_LEAST_TABLE_SCALE = 0.75
"""Tables are made smaller down to this; then their widest columns are cut."""
_NARROWEST = 64.0


def write_lines(
    sheet: Sheet, y: float, text: str, style: str, role: str, width: float, x: float = 0.0, pitch: float = LINE + 2
) -> float:
    """Write text in lines no wider than this, `pitch` apart; the y after them."""
    for line in broken(text, sheet.metrics, style, width):
        sheet.text(x, y, line, style, role, "start")
        y += pitch
    return y


def broken(text: str, metrics: Metrics, style: str, width: float) -> list[str]:
    """Text in lines no wider than this, one at least."""
    lines: list[str] = []
    for word in text.split():
        if lines and metrics.width(f"{lines[-1]} {word}", style) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


class PageLayout:
    """Puts drawings under one another, and begins a new page where one has no room.

    Parameters
    ----------
    paper, metrics
        On what, and how type is measured.
    """

    def __init__(self, paper: Paper, metrics: Metrics) -> None:
        self._paper = paper
        self._metrics = metrics
        self._pages: list[list[PlacedDrawing]] = [[]]
        self._y = paper.margin

    @property
    def left(self) -> float:
        """The height that is left on the page."""
        return self._paper.margin + self._paper.inner_height - self._y

    @property
    def on_top(self) -> bool:
        """Whether nothing stands on the page yet."""
        return not self._pages[-1]

    @property
    def count(self) -> int:
        """How many pages there are so far."""
        return len(self._pages)

    def turn(self) -> None:
        """Begin a new page."""
        self._pages.append([])
        self._y = self._paper.margin

    def skip(self, height: float) -> None:
        """Leave some height empty, but not on top of a page."""
        if not self.on_top:
            self._y += height

    def put(self, drawing: Drawing, scale: float | None = None) -> None:
        """Put a drawing on the page, as large as it is or as the page allows."""
        scale = self._paper.fitting(drawing) if scale is None else scale
        if drawing.height * scale > self.left and not self.on_top:
            self.turn()
        self._pages[-1].append(PlacedDrawing(drawing, self._paper.margin, self._y, scale))
        self._y += drawing.height * scale

    def put_cut(self, drawing: Drawing) -> None:
        """Put a drawing as wide as the page on it, and go on with what is too high on the next."""
        scale = min(1.0, self._paper.inner_width / drawing.width)
        height = self._paper.inner_height / scale
        for piece in cut(drawing, self._metrics, height, height):
            self.put(piece, min(scale, self._paper.fitting(piece)))

    def put_together(self, drawings: Sequence[Drawing], space: float = 0.0) -> None:
        """Put drawings under one another, all on one page if there is a page that holds them.

        The highest one may be made a little smaller for that, its type still large enough to be read.
        """
        scales = [self._paper.fitting(drawing) for drawing in drawings]
        heights = [drawing.height * scale for drawing, scale in zip(drawings, scales, strict=True)]
        highest = heights.index(max(heights))
        others = sum(heights) - heights[highest] + space * (len(heights) - 1)
        least = drawings[highest].height * min(LEAST_SCALE, scales[highest])
        if not self.on_top and self.left < others + least <= self._paper.inner_height:
            self.turn()
        if others + least <= self.left < others + heights[highest]:
            heights[highest] = self.left - others
            scales[highest] = heights[highest] / drawings[highest].height
        for number, (drawing, scale) in enumerate(zip(drawings, scales, strict=True)):
            # Where they need several pages, what stands above the picture is not parted from it.
            pair = sum(heights[number : number + 2]) + space
            if number < highest and not self.on_top and self.left < pair <= self._paper.inner_height:
                self.turn()
            self.put(drawing, scale)
            self.skip(space if number < len(drawings) - 1 else 0.0)

    def put_table(
        self,
        title: str,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        right: Sequence[int],
        total: bool = False,
    ) -> None:
        """Put a table on as many pages as it needs, its header on each; with `total` the last row is the sum."""
        widths = self._column_widths([header, *rows])
        whole = sum(widths) + _COLUMN_GAP * (len(widths) - 1)
        scale = min(1.0, self._paper.inner_width / whole)
        first = 0
        while first < len(rows):
            # A title, a header and two rows at least stand together.
            if self.left < _ABOVE_TABLE + 4 * LINE * scale:
                self.turn()
            self.skip(_ABOVE_TABLE)
            count = max(1, int((self.left / scale - 2 * LINE) // LINE) - 1)
            shown = rows[first : first + count]
            sheet = Sheet(self._metrics)
            sheet.text(0, 0, title if not first else f"{title}, continued", "label-bold", "ink", "start")
            y = LINE + 4
            for number, row in enumerate([header, *shown]):
                last = total and first + number == len(rows)
                if last:
                    sheet.add(Stroke(0, y - LINE + 5, whole, y - LINE + 5, "hairline"))
                x = 0.0
                for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
                    text = elided(cell, self._metrics, "tag", width)
                    at, anchor = (x + width, "end") if column in right else (x, "start")
                    if text:
                        sheet.text(at, y, text, "tag", "muted" if number == 0 else "ink", anchor)
                    x += width + _COLUMN_GAP
                if number == 0:
                    sheet.add(Stroke(0, y + 5, whole, y + 5, "hairline"))
                y += LINE
            self.put(sheet.draw(title, "", None, margin=0.0), scale)
            first += len(shown)

    def _column_widths(self, rows: Sequence[Sequence[str]]) -> list[float]:
        """Widths of columns, the widest cut until the table fits at the smallest scale that can be read."""
        widths = [max(self._metrics.width(cell, "tag") for cell in column) for column in zip(*rows, strict=True)]
        most = self._paper.inner_width / _LEAST_TABLE_SCALE - _COLUMN_GAP * (len(widths) - 1)
        while sum(widths) > most and max(widths) > _NARROWEST:
            place = widths.index(max(widths))
            widths[place] = max(_NARROWEST, widths[place] - max(8.0, (sum(widths) - most) / 4))
        return widths

    def pages(self, name: str) -> list[Page]:
        """All pages, each with its number and a name at its foot."""
        return numbered(self._pages, self._paper, self._metrics, name)


def numbered(pages: Sequence[Sequence[PlacedDrawing]], paper: Paper, metrics: Metrics, name: str) -> list[Page]:
    """Pages, each with its number and a name at its foot."""
    made: list[Page] = []
    for number, page in enumerate(pages, 1):
        sheet = Sheet(metrics)
        place = f"{number} of {len(pages)}"
        room = paper.inner_width - metrics.width(place, "tag") - 3 * _COLUMN_GAP
        sheet.text(0, 0, elided(name, metrics, "tag", room), "tag", "muted", "start")
        sheet.text(paper.inner_width, 0, place, "tag", "muted", "end")
        foot = sheet.draw("Foot", "", None, margin=0.0)
        at = PlacedDrawing(foot, paper.margin, paper.height - paper.margin / 2 - foot.height / 2, 1.0)
        made.append((*page, at))
    return made


# A long tree on paper: where parts of it had to be folded, further pictures open them one after the other.

MOST_PICTURES = 12
_DEFAULT = TreeOptions()


def opened_trees(
    parse: Parse, metrics: Metrics, room: Room, folded: tuple[Span, ...], options: TreeOptions = _DEFAULT
) -> list[Drawing]:
    """Pictures of the tree that together show everything that is `folded` in a first one, by positions of words."""
    pictures: list[Drawing] = []
    unseen = [word for start, end in folded for word in range(start, end)]
    while unseen and len(pictures) < MOST_PICTURES:
        count = len(unseen)
        picture = _opened(parse, metrics, room, options, unseen)
        while count > 1 and picture.width > room.width:
            # So much cannot be open at a time.
            count = max(1, count * 2 // 3)
            picture = _opened(parse, metrics, room, options, unseen[:count])
        pictures.append(picture)
        hidden = {word for start, end in picture.folded for word in range(start, end)}
        # The first of them has been looked at, whatever became of it: every picture is a step forward.
        unseen = [word for word in unseen[1:] if word in hidden]
    return pictures


def _opened(parse: Parse, metrics: Metrics, room: Room, options: TreeOptions, words: Sequence[int]) -> Drawing:
    focus = tuple((word, word + 1) for word in words)
    return tree_picture(parse, metrics, replace(options, focus=focus), room=room)


# Pictures on paper: upright or turned by what fits, type of 8 points at least, long ones on several pages.

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
