"""A comparison as PDF: pages of paper as people have it, with everything on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from explorer.appearance.fonts import QtMetrics
from explorer.comparison.comparison_export import write_comparison
from explorer.comparison.comparison_pages import comparison_pages
from explorer.comparison.comparison_pictures import headline
from explorer.comparison.comparison_rows import cells_of, error_rows, ledger_rows
from explorer.export.paged_pdf import Page, usual_paper
from explorer.graphics.drawing import Text
from explorer.graphics.theme import LIGHT
from tests.explorer.compare_driver import HIGH, show
from tests.explorer.window_driver import Driver

A4, LETTER = (595, 842), (612, 792)
CLAUSE = HIGH.removesuffix(" (. .))") + ")"
LONG = f"(S {CLAUSE} {' '.join(f'(CC and) {CLAUSE}' for _ in range(6))} (. .))"
"""Forty-nine words and six conjunctions, each PP attached to the verb."""


@pytest.fixture
def country() -> Iterator[None]:
    """The country is what it was when the test is over."""
    before = QLocale()
    yield
    QLocale.setDefault(before)


def sizes(path: Path) -> list[tuple[int, int]]:
    """The sizes of the pages of a PDF file in points."""
    boxes = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", path.read_bytes())
    return [(round(float(box.split()[2])), round(float(box.split()[3]))) for box in boxes]


def texts(pages: list[Page]) -> list[str]:
    return [shape.text for page in pages for part in page for shape in part.drawing.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize(("name", "size"), [("de_DE", A4), ("en_US", LETTER)])
def test_pages_have_the_size_of_the_countrys_paper(
    driver: Driver, tmp_path: Path, country: None, name: str, size: tuple[int, int]
) -> None:
    QLocale.setDefault(QLocale(name))
    write_comparison(show(driver, HIGH), tmp_path / "why.pdf", LIGHT)
    found = sizes(tmp_path / "why.pdf")
    assert found and set(found) == {size}


@pytest.mark.parametrize("tree", [HIGH, LONG])
def test_everything_stands_on_the_pages_within_their_margins(driver: Driver, metrics: QtMetrics, tree: str) -> None:
    comparison = show(driver, tree)
    paper, pages = comparison_pages(comparison, metrics, usual_paper())
    for page in pages:
        *parts, foot = page
        assert parts and foot.y > paper.height - paper.margin
        lower = paper.margin - 1
        for part in parts:
            assert part.x >= paper.margin and part.y >= lower
            assert part.x + part.drawing.width * part.scale <= paper.width - paper.margin + 1
            lower = part.y + part.drawing.height * part.scale - 1
            assert lower <= paper.height - paper.margin + 1
    written = texts(pages)
    assert all(word in " ".join(written) for word in headline(comparison).split())
    # Of every row of ledger and errors its first cell, a number, is there; sums come last.
    for rows in (ledger_rows(comparison), error_rows(comparison)):
        assert all(cells[0] in written for cells in cells_of(rows))
    assert f"1 of {len(pages)}" in written and f"{len(pages)} of {len(pages)}" in written


def test_a_ledger_of_several_pages_has_its_header_on_each(driver: Driver, metrics: QtMetrics) -> None:
    comparison = show(driver, LONG)
    _, pages = comparison_pages(comparison, metrics, usual_paper())
    with_ledger = [page for page in pages if any(text.startswith("Ledger") for text in texts([page]))]
    assert len(pages) > 1 and with_ledger
    for page in with_ledger:
        assert "nats" in texts([page]) and "factor" in texts([page])
