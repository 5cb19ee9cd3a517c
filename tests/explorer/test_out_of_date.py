"""Marks, error tables and comparisons know under what they were judged, and say when that is no longer so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from explorer.compare.error_table import ErrorPanel
from explorer.compare.export import as_latex, as_text, write_comparison
from explorer.compare.pictures import sheet_picture
from explorer.compare.sides import BestParse, GoldTree, PresetParse
from explorer.panels.sentence_list import LINES_FILTERED_DIRECTLY, OUTDATED, SIGN
from explorer.pictures.theme import LIGHT
from explorer.session.document import TextLine, added
from explorer.session.statuses import SIGNS
from tests.explorer.compare_driver import HIGH, LOW, compared, show
from tests.explorer.window_driver import Driver

TREES = (HIGH, LOW, "(S (NP (NNP Mary)) (VP (VBD left)) (. .))")
LINE = "classroom · preset 3 · β 1000 · gold tags"


@pytest.fixture
def judged(driver: Driver, paper_model: None) -> Driver:
    """A window under preset (3) with three trees and a tagged sentence, all parsed."""
    document = driver.session.editor.document
    driver.session.editor.set_document(added(document, [TextLine(tree) for tree in TREES]))
    driver.settle()
    driver.do("parse-all")
    statuses = driver.session.statuses
    driver.until(lambda: all(line in statuses for line in driver.session.editor.document.lines))
    driver.until(lambda: not driver.session.tasks.busy)
    return driver


def outdated(driver: Driver) -> list[int]:
    """The rows of the list that are marked as out of date."""
    model = driver.window.sentences.model
    return [row for row in range(model.rowCount()) if model.data(model.index(row), OUTDATED)]


def tip(driver: Driver, row: int) -> str:
    model = driver.window.sentences.model
    return str(model.data(model.index(row), Qt.ItemDataRole.ToolTipRole))


def rest(driver: Driver) -> None:
    driver.settle()
    driver.until(lambda: not driver.session.tasks.busy)
    driver.settle()


def test_a_filter_for_marks_leaves_out_what_is_out_of_date(judged: Driver) -> None:
    sentences, editor = judged.window.sentences, judged.session.editor
    sentences.set_filter("is:right")
    right = list(sentences.model.shown)
    sentences.set_filter("is:differs")
    differing = list(sentences.model.shown)
    assert right and differing
    editor.choose(0)
    rest(judged)
    editor.set_settings(beam=20.0)
    rest(judged)
    # None of the marks is true any more; the filter follows at once.
    assert list(sentences.model.shown) == [] and "3 out of date" in sentences.count.text()
    sentences.set_filter("is:old")
    assert list(sentences.model.shown) == [1, 2, 3]
    assert sentences.marks.currentText() == "out of date"
    sentences.set_filter("is:differs")
    sentences.again.click()
    judged.until(lambda: list(sentences.model.shown) == differing)


def test_a_mark_tells_under_what_it_was_found(judged: Driver) -> None:
    assert outdated(judged) == []
    assert tip(judged, 1).endswith(LINE)
    assert tip(judged, 0).endswith("classroom · preset 3 · β 1000 · given tags")
    assert judged.window.sentences.again.isHidden()


@pytest.mark.parametrize("change", ["beam", "preset", "switch", "tags", "model"])
def test_marks_found_under_others_are_out_of_date(judged: Driver, reranked_path: Path, change: str) -> None:
    editor, sentences = judged.session.editor, judged.window.sentences
    match change:
        case "beam":
            editor.set_settings(beam=20.0)
        case "preset":
            editor.set_preset(1)
        case "switch":
            editor.set_settings(punctuation_rule=False)
        case "tags":
            editor.set_gold_tags(False)
        case "model":
            judged.session.loader.open_model(reranked_path, undoable=True)
            judged.until(lambda: editor.document.model == str(reranked_path))
    rest(judged)
    # The sentence that is shown was parsed again; tags that a sentence brings itself stay what they are.
    shown = editor.document.current
    old = [row for row in range(4) if row != shown and not (change == "tags" and row == 0)]
    assert outdated(judged) == old
    for row in old:
        assert "out of date: found under classroom · preset 3 · β 1000" in tip(judged, row)
        index = sentences.model.index(row)
        assert "(out of date)" in sentences.model.data(index)
        assert sentences.model.data(index, SIGN) in SIGNS.values()
    assert f"{len(old)} out of date" in sentences.count.text() and sentences.again.isVisible()
    # One click judges them again.
    sentences.again.click()
    judged.until(lambda: outdated(judged) == [])
    assert sentences.again.isHidden() and "out of date" not in sentences.count.text()
    assert "out of date" not in tip(judged, old[0])


def test_what_is_judged_again_has_its_verdict_again(judged: Driver) -> None:
    table_of(judged)
    statuses, editor = judged.session.statuses, judged.session.editor
    assert statuses[TextLine(HIGH)].verdict
    editor.choose(0)
    editor.set_settings(beam=20.0)
    rest(judged)
    judged.session.list_parsing.judge_again(judged.session.list_parsing.outdated())
    judged.until(lambda: outdated(judged) == [])
    status = statuses[TextLine(HIGH)]
    assert status.verdict == "model error" and status.classes == ("PP attachment",)
    assert status.provenance is not None and status.provenance.settings.beam == 20.0


def table_of(driver: Driver) -> ErrorPanel:
    """The window of errors, everything judged."""
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.judge()
    driver.until(lambda: not window.busy and window.model.table is not None)
    return window


def test_the_error_table_carries_its_line_and_is_out_of_date_under_others(judged: Driver) -> None:
    window = table_of(judged)
    assert window.provenance.text() == LINE and not window.outdated and window.again.isHidden()
    window.copy.click()
    assert QGuiApplication.clipboard().text().splitlines()[0] == LINE
    judged.session.editor.set_preset(1)
    rest(judged)
    assert window.outdated and window.again.isVisible()
    assert window.provenance.text().startswith(f"<b>Out of date</b>: judged under {LINE}; now it is ")
    cell = window.model.index(0, 0)
    assert str(window.model.data(cell, Qt.ItemDataRole.ToolTipRole)).endswith("(out of date)")
    muted = window.model.data(cell, Qt.ItemDataRole.ForegroundRole)
    assert muted is not None
    assert window.model.as_text().splitlines()[0] == f"{LINE} (out of date)"
    # Back under the old settings it is true again.
    judged.do("undo")
    rest(judged)
    assert not window.outdated and window.provenance.text() == LINE
    judged.do("redo")
    rest(judged)
    window.again.click()
    judged.until(lambda: not window.busy)
    assert not window.outdated and "preset 1" in window.provenance.text() and window.again.isHidden()


def test_one_action_judges_everything_again(judged: Driver) -> None:
    window = table_of(judged)
    judged.session.editor.set_settings(beam=20.0)
    rest(judged)
    assert window.outdated and outdated(judged)
    judged.do("judge-again")
    judged.until(lambda: not window.busy and not window.outdated and outdated(judged) == [])
    assert "β 20" in window.provenance.text()
    judged.do("judge-again")
    assert judged.window.statusBar().currentMessage() == "Nothing is out of date"


def test_a_comparison_carries_its_line_wherever_it_goes(judged: Driver, tmp_path: Path) -> None:
    comparison = show(judged, HIGH)
    panel = judged.window.features.comparison.panel
    assert panel.provenance.text() == LINE and panel.again.isHidden()
    assert LINE in as_text(comparison) and LINE in as_latex(comparison).replace(r"$\cdot$", "·").replace(
        r"$\beta$", "β"
    )
    assert LINE in sheet_picture(comparison, panel.canvas.metrics).text_twin
    write_comparison(comparison, tmp_path / "one.html", LIGHT)
    assert LINE in (tmp_path / "one.html").read_text(encoding="utf-8")
    judged.window.features.comparison.comparisons.choose(PresetParse(1), GoldTree())
    panel.refresh()
    comparison = compared(judged)
    first, second = panel.provenance.text().splitlines()
    assert first == "Preset (1): classroom · preset 1 · β 1000 · gold tags" and second == f"Gold tree: {LINE}"
    judged.window.features.comparison.comparisons.choose(BestParse(), GoldTree())
    compared(judged)


def test_a_comparison_that_was_cancelled_is_out_of_date_until_it_is_made_again(judged: Driver) -> None:
    show(judged, HIGH)
    panel, session = judged.window.features.comparison.panel, judged.session
    session.editor.set_settings(beam=20.0)
    session.parses.cancel()
    judged.until(lambda: panel.settled and not session.parses.is_current)
    assert judged.window.features.comparison.comparisons.outdated
    assert panel.provenance.text() == f"<b>Out of date</b>: compared under {LINE}" and panel.again.isVisible()
    panel.again.click()
    compared(judged)
    assert panel.provenance.text() == LINE.replace("1000", "20") and panel.again.isHidden()


def test_a_difference_is_looked_for_among_marks_of_now(judged: Driver) -> None:
    # Marks from other settings say nothing: the sentences are parsed again on the way.
    judged.session.editor.set_gold_tags(False)
    judged.session.editor.choose(0)
    rest(judged)
    judged.do("next-difference")
    rest(judged)
    status = judged.session.statuses[judged.session.editor.line]
    assert judged.session.editor.document.current > 0
    assert status.provenance is not None and status.provenance.tags != "gold"


def test_of_a_long_list_what_is_out_of_date_is_counted_in_the_background(judged: Driver) -> None:
    editor, sentences = judged.session.editor, judged.window.sentences
    many = [TextLine(TREES[2].replace("Mary", f"Mary{number}")) for number in range(LINES_FILTERED_DIRECTLY)]
    editor.set_document(replace(editor.document, lines=(*editor.document.lines, *many)))
    rest(judged)
    editor.set_settings(beam=20.0)
    rest(judged)
    judged.until(lambda: "3 out of date" in sentences.count.text())
    assert sentences.again.isVisible()
