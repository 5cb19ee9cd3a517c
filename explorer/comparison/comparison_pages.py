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
from explorer.graphics.pictures.sentence_ruler import columns_of
from explorer.graphics.pictures.sheet import Sheet

_READABLE = 0.8
"""Pictures are set, wrapped and folded such that they need not be smaller than this: small type has 7 pt then."""


def comparison_pages(comparison: Comparison, metrics: Metrics, paper: Paper) -> tuple[Paper, list[Page]]:
    """Lay a comparison out on paper; the paper is turned where trees are too wide for it as a whole.

    Where counts come from is left out of the ledger: those columns are wider than any paper.
    """
    if columns_of(comparison.first, metrics, comparison.second).width > _room(paper).inner_width:
        paper = paper.turned()
    trees = trees_picture(comparison, metrics, _room(paper), on_paper=True)
    layout = PageLayout(paper, metrics)
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
    y = write_lines(sheet, 0.0, " ".join(comparison.first.sentence.words), "title", "ink", width)
    y = write_lines(sheet, y + 6, headline(comparison), "label", "ink", width)
    for line in (parseval_text(comparison), *comparison.provenance.splitlines()):
        y = write_lines(sheet, y, line, "tag", "muted", width)
    return sheet.draw("Comparison", "", None, margin=0.0)
