"""A comparison on paper: sentence, verdict, trees, arrows, ledger and errors, laid out on pages of one size."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.comparison.comparison_pictures import compared_arrows_picture, headline, trees_picture
from explorer.comparison.comparison_rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    ORIGINS_FROM,
    cells_of,
    error_rows,
    ledger_header,
    ledger_rows,
    parseval_text,
)
from explorer.comparison.comparison_task import Comparison
from explorer.export.paged_pdf import Page, Paper, PlacedDrawing
from explorer.graphics.drawing import Drawing, Metrics, Rect, Shape, Stroke
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.word_columns import PICTURE_MARGIN
from explorer.graphics.pictures.sentence_ruler import columns_of
from explorer.graphics.pictures.sheet import Sheet, elided, shape_rect

_LINE = 18.0
_ABOVE_TABLE = 20.0
_COLUMN_GAP = 16.0
_LEAST_TABLE_SCALE = 0.75
"""Tables are made smaller down to this; then their widest columns are cut."""
_NARROWEST = 64.0
_READABLE = 0.8
"""Pictures are set, wrapped and folded such that they need not be smaller than this: small type has 7 pt then."""
_APART = 12.0
"""Where nothing stands over such a height, a picture that is too high for a page may be cut."""
_TITLE = 24.0
"""What is lower than this is the title of what follows it."""


def comparison_pages(comparison: Comparison, metrics: Metrics, paper: Paper) -> tuple[Paper, list[Page]]:
    """Lay a comparison out on paper; the paper is turned where trees are too wide for it as a whole.

    Where counts come from is left out of the ledger: those columns are wider than any paper.
    """
    if columns_of(comparison.first, metrics, comparison.second).width > _room(paper).inner_width:
        paper = paper.turned()
    trees = trees_picture(comparison, metrics, _room(paper), on_paper=True)
    layout = _Layout(paper, metrics)
    layout.put(_head(comparison, metrics, paper.inner_width))
    layout.put_cut(trees)
    layout.put_cut(compared_arrows_picture(comparison, metrics, _room(paper)))
    if comparison.difference is not None:
        header, rows = ledger_header(comparison), cells_of(ledger_rows(comparison))
        layout.put_table(
            "Ledger",
            header[:ORIGINS_FROM],
            [row[:ORIGINS_FROM] for row in rows],
            LEDGER_RIGHT,
            total=True,
        )
    errors = cells_of(error_rows(comparison))
    if errors:
        layout.put_table("Errors", ERRORS_HEADER, errors, ERRORS_RIGHT)
    return paper, layout.pages(" ".join(comparison.first.sentence.words))


def _room(paper: Paper) -> Room:
    """The room for a picture on paper at the smallest size at which it can be read."""
    return Room(paper.inner_width / _READABLE, paper.inner_height / _READABLE)


def _head(comparison: Comparison, metrics: Metrics, width: float) -> Drawing:
    """The sentence, the verdict, PARSEVAL's figures, and under what all that is so."""
    sheet = Sheet(metrics)
    y = _lines(sheet, 0.0, " ".join(comparison.first.sentence.words), "title", "ink", width)
    y = _lines(sheet, y + 6, headline(comparison), "label", "ink", width)
    for line in (parseval_text(comparison), *comparison.provenance.splitlines()):
        y = _lines(sheet, y, line, "tag", "muted", width)
    return sheet.draw("Comparison", "", None, margin=0.0)


def _lines(sheet: Sheet, y: float, text: str, style: str, role: str, width: float) -> float:
    """Write text in lines no wider than this; the y after them."""
    line = ""
    for word in [*text.split(), ""]:
        longer = f"{line} {word}".strip()
        if word and (not line or sheet.metrics.width(longer, style) <= width):
            line = longer
            continue
        sheet.text(0, y, line, style, role, "start")
        y += _LINE + 2
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


class _Layout:
    """Puts drawings under one another, and begins a new page where one has no room."""

    def __init__(self, paper: Paper, metrics: Metrics) -> None:
        self._paper = paper
        self._metrics = metrics
        self._pages: list[list[PlacedDrawing]] = [[]]
        self._y = paper.margin

    @property
    def _left(self) -> float:
        """The height that is left on the page."""
        return self._paper.margin + self._paper.inner_height - self._y

    def _turn(self) -> None:
        self._pages.append([])
        self._y = self._paper.margin

    def put(self, drawing: Drawing, scale: float | None = None) -> None:
        """Put a drawing on the page, as large as it is or as the page allows."""
        scale = self._paper.fitting(drawing) if scale is None else scale
        if drawing.height * scale > self._left and self._pages[-1]:
            self._turn()
        self._pages[-1].append(PlacedDrawing(drawing, self._paper.margin, self._y, scale))
        self._y += drawing.height * scale

    def put_cut(self, drawing: Drawing) -> None:
        """Put a drawing as wide as the page on it, and go on with what is too high on the next."""
        scale = min(1.0, self._paper.inner_width / drawing.width)
        for piece in _pieces(drawing, self._metrics, self._paper.inner_height / scale):
            self.put(piece, min(scale, self._paper.fitting(piece)))

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
            if self._left < _ABOVE_TABLE + 4 * _LINE * scale:
                self._turn()
            self._y += _ABOVE_TABLE if self._pages[-1] else 0.0
            count = max(1, int((self._left / scale - 2 * _LINE) // _LINE) - 1)
            shown = rows[first : first + count]
            sheet = Sheet(self._metrics)
            sheet.text(0, 0, title if not first else f"{title}, continued", "label-bold", "ink", "start")
            y = _LINE + 4
            for number, row in enumerate([header, *shown]):
                last = total and first + number == len(rows)
                if last:
                    sheet.add(Stroke(0, y - _LINE + 5, whole, y - _LINE + 5, "hairline"))
                x = 0.0
                for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
                    text = elided(cell, self._metrics, "tag", width)
                    at, anchor = (x + width, "end") if column in right else (x, "start")
                    if text:
                        sheet.text(at, y, text, "tag", "muted" if number == 0 else "ink", anchor)
                    x += width + _COLUMN_GAP
                if number == 0:
                    sheet.add(Stroke(0, y + 5, whole, y + 5, "hairline"))
                y += _LINE
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
        paper, count = self._paper, len(self._pages)
        for number, page in enumerate(self._pages, 1):
            sheet = Sheet(self._metrics)
            place = f"{number} of {count}"
            room = paper.inner_width - self._metrics.width(place, "tag") - 3 * _COLUMN_GAP
            sheet.text(0, 0, elided(name, self._metrics, "tag", room), "tag", "muted", "start")
            sheet.text(paper.inner_width, 0, place, "tag", "muted", "end")
            foot = sheet.draw("Foot", "", None, margin=0.0)
            page.append(PlacedDrawing(foot, paper.margin, paper.height - paper.margin / 2 - foot.height / 2, 1.0))
        return [tuple(page) for page in self._pages]
