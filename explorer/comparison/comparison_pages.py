"""A comparison on paper: sentence, verdict, trees, arrows, ledger and errors, laid out on pages of one size."""

from __future__ import annotations

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
from explorer.export.page_layout import PageLayout, write_lines
from explorer.export.paged_pdf import Page, Paper
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.pictures.sheet import Sheet

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
    layout = PageLayout(paper, metrics)
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
    y = write_lines(sheet, 0.0, " ".join(comparison.first.sentence.words), "title", "ink", width)
    y = write_lines(sheet, y + 6, headline(comparison), "label", "ink", width)
    for line in (parseval_text(comparison), *comparison.provenance.splitlines()):
        y = write_lines(sheet, y, line, "tag", "muted", width)
    return sheet.draw("Comparison", "", None, margin=0.0)
