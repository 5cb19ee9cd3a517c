"""Drawings, text and tables under one another on as many pages as they need; nothing is cut by the end of a page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.export.paged_pdf import Page, Paper, PlacedDrawing
from explorer.graphics.drawing import Drawing, Metrics, Rect, Shape, Stroke
from explorer.graphics.layout.word_columns import PICTURE_MARGIN
from explorer.graphics.pictures.sheet import Sheet, elided, shape_rect
from explorer.graphics.theme import STYLES

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
_APART = 12.0
"""Where nothing stands over such a height, a picture that is too high for a page may be cut."""
_TITLE = 24.0
"""What is lower than this is the title of what follows it."""


def write_lines(
    sheet: Sheet, y: float, text: str, style: str, role: str, width: float, x: float = 0.0, pitch: float = LINE + 2
) -> float:
    """Write text in lines no wider than this, `pitch` apart; the y after them."""
    line = ""
    for word in [*text.split(), ""]:
        longer = f"{line} {word}".strip()
        if word and (not line or sheet.metrics.width(longer, style) <= width):
            line = longer
            continue
        sheet.text(x, y, line, style, role, "start")
        y += pitch
        line = word
    return y


def _pieces(drawing: Drawing, metrics: Metrics, height: float) -> list[Drawing]:
    """A drawing in pieces no higher than this, cut where nothing stands."""
    if drawing.height <= height:
        return [drawing]
    shapes = sorted(
        ((shape_rect(shape, metrics), number, shape) for number, shape in enumerate(drawing.shapes)),
        key=lambda one: one[0].y,
    )
    # Bands of the drawing with nothing between them.
    bands: list[tuple[float, float, list[tuple[int, Shape]]]] = []
    for rect, number, shape in shapes:
        if bands and (rect.y < bands[-1][1] + _APART or bands[-1][1] - bands[-1][0] < _TITLE):
            top, bottom, inside = bands[-1]
            bands[-1] = (top, max(bottom, rect.bottom), [*inside, (number, shape)])
        else:
            bands.append((rect.y, rect.bottom, [(number, shape)]))
    pieces: list[list[tuple[int, Shape]]] = []
    first = math.inf
    for top, bottom, inside in bands:
        if not pieces or bottom - first + 2 * PICTURE_MARGIN > height:
            pieces.append([])
            first = top
        pieces[-1] += inside
    drawn = []
    for piece in pieces:
        sheet = Sheet(metrics)
        # Shapes keep their order: what came later lies on top.
        sheet.add(*(shape for _, shape in sorted(piece, key=lambda one: one[0])))
        least = Rect(drawing.bounds.x + PICTURE_MARGIN, shape_rect(sheet.shapes[0], metrics).y, 0.0, 0.0)
        drawn.append(sheet.draw(drawing.title, "", None, least=least))
    return drawn


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
        for piece in _pieces(drawing, self._metrics, self._paper.inner_height / scale):
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
