"""A comparison on paper: sentence, verdict, trees, arrows, ledger and errors, laid out on pages of one size."""

from __future__ import annotations

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
from explorer.graphics.drawing import Drawing, Metrics, Stroke
from explorer.graphics.layout.room import Room
from explorer.graphics.pictures.sheet import Sheet, elided

_LINE = 18.0
_ABOVE_TABLE = 20.0
_COLUMN_GAP = 16.0
_LEAST_TABLE_SCALE = 0.75
"""Tables are made smaller down to this; then their widest columns are cut."""
_NARROWEST = 64.0
_READABLE = 0.6
"""Trees that would have to be smaller than this on upright paper are put on turned paper."""
_WIDER = 1.15
"""How much larger trees must become for the paper to be turned."""


def comparison_pages(comparison: Comparison, metrics: Metrics, paper: Paper) -> tuple[Paper, list[Page]]:
    """Lay a comparison out on paper; the paper is turned where trees are too wide to be read otherwise.

    Where counts come from is left out of the ledger: those columns are wider than any paper.
    """
    trees, turned = (_trees(comparison, metrics, one) for one in (paper, paper.turned()))
    scale = paper.fitting(trees)
    if scale < _READABLE and paper.turned().fitting(turned) > _WIDER * scale:
        paper, trees = paper.turned(), turned
    layout = _Layout(paper, metrics)
    layout.put(_head(comparison, metrics, paper.inner_width))
    layout.put(trees)
    layout.put(compared_arrows_picture(comparison, metrics))
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


def _trees(comparison: Comparison, metrics: Metrics, paper: Paper) -> Drawing:
    room = Room(paper.inner_width / _READABLE, paper.inner_height / _READABLE)
    return trees_picture(comparison, metrics, room)


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
