"""Printing: pages of pictures, texts and comparisons, the preview, and what it remembers."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QPdfWriter
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewWidget
from PySide6.QtTest import QTest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import ArrowId
from explorer.classroom.covers import emphasised
from explorer.classroom.lesson_file import parse_lesson
from explorer.kit.fonts import QtMetrics
from explorer.output.files import picture
from explorer.output.pages import (
    A4,
    LEAST_POINTS,
    LETTER,
    PRINTED,
    Page,
    Paper,
    PlacedDrawing,
    cut,
    on_paper,
    opened_trees,
    paper_named,
    paper_room,
    picture_pages,
)
from explorer.output.printing import PAPER, PicturePrintout, PrintPreview, TextPrintout, chosen_paper, markdown_printout
from explorer.pictures.drawing import Curve, Drawing, Text
from explorer.pictures.marks import EXTRA, MARK_DASHES, MATCH, MISSING
from explorer.pictures.sheet import shape_rect
from explorer.pictures.theme import STYLES
from explorer.stages.stages import STAGES, GapsStage, count_in_words
from tests.explorer.compare_driver import HIGH, show
from tests.explorer.pdf_reader import PdfFile
from tests.explorer.test_handouts import EIGHT, LESSON, SIXTY, SIZES, TWENTY_EIGHT
from tests.explorer.window_driver import Driver
from tests.stage_names import GAPS


@pytest.fixture(scope="module")
def parses(classroom: engine.Model) -> dict[str, Parse]:
    """Traced parses of short and long sentences."""
    parser = Parser.preset(classroom, 3)
    return {text: parser.parse(text, trace=True) for text in (EIGHT, TWENTY_EIGHT, SIXTY)}


def words(pages: list[Page]) -> Counter[str]:
    return Counter(
        shape.text
        for page in pages
        for part in page
        if part.drawing.title not in ("Foot", "x")
        for shape in part.drawing.shapes
        if isinstance(shape, Text)
    )


def lay_out(parse: Parse, what: str, metrics: QtMetrics, paper: Paper) -> tuple[Paper, list[Page]]:
    return picture_pages(lambda room: [picture(parse, what, metrics, room)], "x", [], metrics, paper)


@pytest.mark.parametrize("what", [stage.pictures[0].name for stage in STAGES])
def test_every_picture_stands_on_its_pages_as_a_whole(parses: dict[str, Parse], metrics: QtMetrics, what: str) -> None:
    seen = 0
    for name in SIZES:
        for parse in parses.values():
            paper, pages = lay_out(parse, what, metrics, paper_named(name))
            whole = picture(parse, what, metrics, paper_room(paper))
            drawn = Counter(shape.text for shape in whole.shapes if isinstance(shape, Text))
            said = {text for text in drawn if "click" in text}
            assert not {text for text in drawn - words(pages) if text not in said}
            for page in pages:
                for part in page[:-1]:
                    assert part.x + part.drawing.width * part.scale <= paper.width - paper.margin + 0.6
                    assert part.y + part.drawing.height * part.scale <= paper.height - paper.margin + 0.6
                    seen += 1
            assert not any("click" in text for text in words(pages))
    assert seen >= 6


@pytest.mark.parametrize("what", [stage.pictures[0].name for stage in STAGES])
def test_type_of_a_picture_is_large_enough_to_be_read(parses: dict[str, Parse], metrics: QtMetrics, what: str) -> None:
    sizes = [
        STYLES[shape.style].size * 0.75 * part.scale
        for parse in parses.values()
        for page in lay_out(parse, what, metrics, paper_named(A4))[1]
        for part in page
        for shape in part.drawing.shapes
        if isinstance(shape, Text)
    ]
    assert len(sizes) > 100 and min(sizes) >= LEAST_POINTS - 0.1


def test_short_sentences_are_upright_and_wide_trees_turned(parses: dict[str, Parse], metrics: QtMetrics) -> None:
    upright, _ = lay_out(parses[EIGHT], "parse", metrics, paper_named(A4))
    turned, pages = lay_out(parses[SIXTY], "parse", metrics, paper_named(A4))
    assert upright.height > upright.width and turned.width > turned.height and len(pages) > 1


def test_nothing_is_cut_in_two_by_the_end_of_a_page(parses: dict[str, Parse], metrics: QtMetrics) -> None:
    drawing = picture(parses[SIXTY], "gaps", metrics, paper_room(paper_named(A4)))
    parts = cut(drawing, metrics, 400.0, 400.0)
    assert len(parts) > 2 and all(part.height <= 402 for part in parts)
    whole = Counter((type(shape), getattr(shape, "text", "")) for shape in drawing.shapes)
    assert Counter((type(shape), getattr(shape, "text", "")) for part in parts for shape in part.shapes) == whole
    heights = {round(shape_rect(shape, metrics).height, 2) for shape in drawing.shapes}
    assert {round(shape_rect(shape, metrics).height, 2) for part in parts for shape in part.shapes} <= heights


def test_what_a_tree_folds_is_opened_by_further_pictures(parses: dict[str, Parse], metrics: QtMetrics) -> None:
    parse, room = parses[SIXTY], paper_room(paper_named(A4).turned())
    first = picture(parse, "tree", metrics, room)
    assert first.folded
    seen: set[int] = set()
    for shown in (first, *opened_trees(parse, metrics, room, first.folded)):
        hidden = {word for start, end in shown.folded for word in range(start, end)}
        seen |= set(range(len(parse.sentence.positions))) - hidden
    assert len(seen) == len(parse.sentence.positions)


def test_what_is_told_apart_by_colour_is_told_apart_without(parses: dict[str, Parse], metrics: QtMetrics) -> None:
    assert len({MARK_DASHES[mark] for mark in (MATCH, MISSING, EXTRA)}) == 3
    drawing = picture(parses[EIGHT], "arrows", metrics, paper_room(paper_named(A4).turned()))

    def weight(picture: Drawing, word: int) -> float:
        return max(shape.weight for shape in picture.of([ArrowId(word)]) if isinstance(shape, Curve))

    marked = emphasised(drawing, [ArrowId(4)])
    assert weight(marked, 4) > weight(drawing, 4) + 1 and weight(marked, 0) == weight(drawing, 0)
    # The five gap tags have their letters.
    gaps = picture(parses[EIGHT], "gaps", metrics, paper_room(paper_named(A4)))
    letters = [shape.text for shape in gaps.shapes if isinstance(shape, Text) and shape.style == "label-bold"]
    assert [letter for letter in letters if letter in set("SCEBN")][:7] == list(parses[EIGHT].gap_tags)


@pytest.mark.parametrize("paper", list(SIZES))
def test_a_printer_gets_pages_of_the_paper(
    parses: dict[str, Parse], metrics: QtMetrics, tmp_path: Path, paper: str
) -> None:
    printout = PicturePrintout("x", lambda size, type_: lay_out(parses[EIGHT], "parse", metrics, size))
    printout.prepare(paper, metrics)
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printer.setFullPage(True)
    printout.set_up(printer)
    printout.paint(printer, PRINTED, metrics)
    found = PdfFile(tmp_path / "printed.pdf")
    assert found.sizes == [SIZES[paper]] and found.embedded_fonts >= 2 and "telescope" in found.text(0)
    assert PdfFile(printout.pdf(PRINTED, metrics)).sizes == [SIZES[paper]]


def test_a_drawing_reaches_the_same_place_on_every_device(metrics: QtMetrics, tmp_path: Path) -> None:
    page: Page = (PlacedDrawing(on_paper(_word(metrics), paper_named(A4), metrics)[0], 100.0, 100.0, 1.0),)
    printout = PicturePrintout("x", lambda paper, _: (paper, [page]))
    printout.prepare(A4, metrics)
    writer = QPdfWriter(str(tmp_path / "x.pdf"))
    printout.set_up(writer)
    printout.paint(writer, PRINTED, metrics)
    del writer
    assert PdfFile(tmp_path / "x.pdf").text(0) == "word"


def _word(metrics: QtMetrics) -> Drawing:
    from explorer.pictures.sheet import Sheet

    sheet = Sheet(metrics)
    sheet.text(0, 0, "word")
    return sheet.draw("word", "word", None)


def colours(content: bytes) -> set[tuple[float, ...]]:
    """Everything that is painted, by red, green and blue."""
    lines = [line.split() for page in PdfFile(content).content for line in page.splitlines()]
    return {tuple(map(float, line[:3])) for line in lines if line and line[-1].lower() == "scn"}


def test_a_text_is_printed_black_on_white_and_its_pages_are_numbered(metrics: QtMetrics, tmp_path: Path) -> None:
    text = "# Title\n\n" + "\n\n".join(f"Paragraph {number} with a [link](x.md)." for number in range(80))
    printout = markdown_printout("Title", text, tmp_path)
    printout.prepare(LETTER, metrics)
    content = printout.pdf(PRINTED, metrics)
    found = PdfFile(content)
    assert len(found.sizes) > 1 and set(found.sizes) == {SIZES[LETTER]} and found.embedded_fonts >= 2
    assert "Paragraph 0" in found.text(0) and f"1 of {len(found.sizes)}" in found.text(0)
    assert f"{len(found.sizes)} of {len(found.sizes)}" in found.text(len(found.sizes) - 1)
    assert all(max(colour) < 0.5 for colour in colours(content))


def opened(driver: Driver, find: Callable[[], PrintPreview | None]) -> PrintPreview:
    """The preview, once its pages are laid out."""
    driver.until(lambda: find() is not None)
    preview = find()
    assert preview is not None
    driver.until(lambda: preview.settled)
    return preview


def test_the_preview_shows_the_stage_and_remembers_the_paper(driver: Driver, tmp_path: Path) -> None:
    driver.session.view.set_stage(GAPS)
    driver.settle()
    window = driver.window
    window.named_actions["print-preview"].trigger()
    preview = opened(driver, lambda: window.features.print.preview)
    assert preview.fields["what"].currentText() == GapsStage.title and preview.note.text() == "1 page"
    assert preview.findChild(QPrintPreviewWidget) is preview.preview
    other = LETTER if preview.fields["paper"].currentData() == A4 else A4
    preview.fields["paper"].setCurrentIndex(preview.fields["paper"].findData(other))
    driver.until(lambda: preview.settled)
    preview.write(tmp_path / "gaps.pdf")
    found = PdfFile(tmp_path / "gaps.pdf")
    assert found.sizes == [SIZES[other]] and "telescope" in found.text(0) and "preset" in found.text(0)
    assert chosen_paper(driver.preferences) == other == driver.preferences.text(PAPER)
    preview.fields["what"].setCurrentIndex(preview.fields["what"].findText(f"All {count_in_words().lower()} stages"))
    driver.until(lambda: preview.settled)
    preview.write(tmp_path / "all.pdf")
    everything = PdfFile(tmp_path / "all.pdf")
    pages = range(len(everything.sizes))
    titles = [stage.title for stage in STAGES]
    named = [name for name in titles if name.isascii() and any(name in everything.text(page) for page in pages)]
    assert len(named) == 5 and set(everything.sizes) == {SIZES[other]}
    preview.write(tmp_path / "no" / "folder.pdf")
    assert "cannot be written" in preview.note.text()
    preview.reject()


def test_the_explanation_is_printed_in_ink_in_a_dark_window(driver: Driver, metrics: QtMetrics) -> None:
    driver.window.appearance.set_theme("dark")
    driver.session.view.select(ArrowId(4))
    driver.settle()
    window = driver.window
    window.named_actions["print-explanation"].trigger()
    preview = opened(driver, lambda: window.features.print.preview)
    printout = preview.printout
    assert isinstance(printout, TextPrintout) and preview.fields["what"].currentText() == "Explanation"
    content = printout.pdf(PRINTED, metrics)
    found = PdfFile(content)
    assert "with → man" in found.text(0) and "▾" not in found.text(0)
    assert all(max(colour) < 0.9 for colour in colours(content))
    preview.reject()


def test_a_comparison_that_is_shown_is_printed_first(driver: Driver) -> None:
    show(driver, HIGH)
    driver.window.workspaces.show_comparison(True)
    titles = [printout.title for printout in driver.window.features.print.printouts()]
    assert titles[0] == "Comparison" and len(titles) == 4
    driver.window.workspaces.show_comparison(False)
    assert driver.window.features.print.printouts()[0].title == driver.window.stages.stage.title


def test_ctrl_p_asks_for_a_printer(driver: Driver) -> None:
    QTest.keyClick(driver.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    driver.until(lambda: driver.window.features.print.dialog is not None)
    dialog = driver.window.features.print.dialog
    assert dialog is not None and dialog.isVisible()
    dialog.reject()
    driver.until(lambda: driver.window.features.print.dialog is None)


def test_a_page_of_the_manual_is_printed_from_its_window(driver: Driver) -> None:
    help_ = driver.window.help
    help_.open_manual("training.md")
    manual = help_.manual
    assert manual is not None
    manual.print.click()
    preview = opened(driver, lambda: manual.findChild(PrintPreview))
    assert re.fullmatch(r"\d+ pages", preview.note.text())
    preview.reject()
    manual.close()


def test_a_handout_of_a_lesson_and_of_sentences_in_the_window(driver: Driver, tmp_path: Path) -> None:
    handouts = driver.window.features.classroom.handouts
    driver.window.named_actions["handout"].trigger()
    dialog = handouts.dialog
    assert dialog is not None
    driver.until(lambda: dialog.settled)
    dialog.write(tmp_path / "sentences.pdf")
    assert "Mary saw the man" in PdfFile(tmp_path / "sentences.pdf").text(0)
    for box in dialog.fields["asked"].boxes:
        box.setChecked(False)
    driver.until(lambda: "nothing is asked" in dialog.note.text().lower())
    assert not dialog.save_button.isEnabled()
    path = tmp_path / "with.md"
    path.write_text(LESSON, encoding="utf-8")
    dialog.open_lesson(path)
    driver.until(lambda: dialog.settled)
    without_key = dialog.preview.pageCount()
    dialog.fields["key"].setCurrentIndex(dialog.fields["key"].findData("with"))
    driver.until(lambda: dialog.settled and dialog.preview.pageCount() > without_key)
    dialog.write(tmp_path / "lesson.pdf")
    assert "Where does ‘with’ go?" in PdfFile(tmp_path / "lesson.pdf").text(0)
    path.write_text("no lesson", encoding="utf-8")
    dialog.open_lesson(path)
    assert "a lesson begins with its title" in dialog.note.text()
    dialog.reject()
    driver.until(lambda: handouts.dialog is None)


def test_the_lesson_that_is_played_is_offered_first(driver: Driver) -> None:
    lesson = parse_lesson(LESSON.replace("- model: classroom\n", ""))
    driver.window.features.classroom.player.open(lesson)
    driver.until(lambda: driver.window.features.classroom.player.ready)
    driver.window.named_actions["handout"].trigger()
    dialog = driver.window.features.classroom.handouts.dialog
    assert dialog is not None
    driver.until(lambda: dialog.settled)
    assert dialog.fields["source"].currentText() == "Lesson: Where does ‘with’ go?" and "page" in dialog.note.text()
    dialog.reject()


def test_the_usual_paper_is_that_of_the_country(driver: Driver) -> None:
    before = QLocale()
    try:
        for country, paper in (("de_DE", A4), ("en_US", LETTER)):
            QLocale.setDefault(QLocale(country))
            assert chosen_paper(driver.preferences) == paper
    finally:
        QLocale.setDefault(before)


def test_a_start_does_not_wait_for_printing() -> None:
    code = (
        "import sys, explorer.window.main_window; ends = ('QtPrintSupport', '.printout', '.handout_pages'); "
        "print([name for name in sys.modules if name.endswith(ends)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
