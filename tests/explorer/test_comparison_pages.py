"""A comparison as PDF: pages of paper as people have it, with everything on them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from engine.explain.subjects import ArrowId, NodeId, WordId
from explorer.compare.export import as_html, comparison_pages, write_comparison
from explorer.compare.panel import BOTH
from explorer.compare.pictures import headline
from explorer.compare.rows import cells_of, error_rows, ledger_rows
from explorer.kit.fonts import QtMetrics
from explorer.output.pages import Page, usual_paper
from explorer.pictures.drawing import Text
from explorer.pictures.theme import DARK, LIGHT, STYLES
from tests.explorer.compare_driver import HIGH, compared, show
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


def test_pictures_of_a_long_sentence_can_be_read_and_speak_of_no_clicks(driver: Driver, metrics: QtMetrics) -> None:
    comparison = show(driver, LONG)
    _, pages = comparison_pages(comparison, metrics, usual_paper())
    found = set()
    for page in pages:
        for part in page:
            sizes = {STYLES[shape.style].size for shape in part.drawing.shapes if isinstance(shape, Text)}
            if part.drawing.title in ("Trees of two parses", "Dependencies of two parses"):
                found.add(part.drawing.title)
                assert min(sizes) * part.scale * 72 / 96 >= 7, part.drawing.title
    assert len(found) == 2
    assert "folded" in texts(pages) or "the same in both" in " ".join(texts(pages))
    assert not any("click" in text for text in texts(pages))


def test_every_word_and_arrow_is_on_the_pages_though_pictures_are_cut(driver: Driver, metrics: QtMetrics) -> None:
    comparison = show(driver, LONG)
    _, pages = comparison_pages(comparison, metrics, usual_paper())
    parts = [part for page in pages for part in page if part.drawing.title == "Dependencies of two parses"]
    assert len(parts) > 1
    ids = {shape.id for part in parts for shape in part.drawing.shapes}
    assert {WordId(position) for position in range(len(comparison.first.sentence.positions))} <= ids
    assert {ArrowId(modifier) for modifier in comparison.first.heads()} <= ids
    assert all(part.scale == parts[0].scale for part in parts)


def test_folds_of_trees_with_arrows_are_explained_and_open_by_a_click(driver: Driver) -> None:
    comparison = show(driver, LONG)
    panel = driver.window.features.comparison.panel
    panel.pictures.setCurrentIndex(BOTH)
    compared(driver)
    drawing = panel.canvas.drawing
    assert drawing is not None and drawing.title == "Two parses" and drawing.folded
    assert "folded: a click opens it" in {shape.text for shape in drawing.shapes if isinstance(shape, Text)}
    span = max(drawing.folded)
    node = next(id for id in drawing.regions if isinstance(id, NodeId) and (id.start, id.end) == span)
    panel.canvas.selected.emit(node)
    compared(driver)
    drawing = panel.canvas.drawing
    assert drawing is not None and span not in drawing.folded
    # On paper, or in a page of the web, there is nothing to click.
    assert "click" not in as_html(comparison, LIGHT, QtMetrics())


def streams(path: Path) -> list[bytes]:
    """What is painted, and the fonts, in a PDF file."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", path.read_bytes(), re.DOTALL)
    return [zlib.decompress(one) for one in found if one.startswith(b"\x78")]


def test_paper_is_white_in_a_dark_window(driver: Driver, tmp_path: Path) -> None:
    comparison = show(driver, HIGH)
    for theme in (LIGHT, DARK):
        write_comparison(comparison, tmp_path / f"{theme.name}.pdf", theme)
    painted = streams(tmp_path / "dark.pdf")
    assert painted and painted == streams(tmp_path / "light.pdf")


def test_a_ledger_of_several_pages_has_its_header_on_each(driver: Driver, metrics: QtMetrics) -> None:
    comparison = show(driver, LONG)
    _, pages = comparison_pages(comparison, metrics, usual_paper())
    with_ledger = [page for page in pages if any(text.startswith("Ledger") for text in texts([page]))]
    assert len(pages) > 1 and with_ledger
    for page in with_ledger:
        assert "nats" in texts([page]) and "factor" in texts([page])
