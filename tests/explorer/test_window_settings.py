"""What a person does with settings and what-ifs: presets, switches, the beam, what is forced and forbidden."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from engine.explain.subjects import ArrowId, GapId, NodeId, WordId
from engine.settings import PRESETS
from engine.structure.constraints import Attachment, Bracket, Constraint, FixedTag, GapTag
from explorer.panels.stage_view import TABLE, WHAT_IFS
from tests.explorer.window_driver import Driver


def test_the_model_in_use_is_ticked_in_the_menu_of_models(driver: Driver, reranked_path: Path) -> None:
    def ticked() -> list[str]:
        menu = driver.window.model_menu
        menu.aboutToShow.emit()
        return [action.toolTip() for action in menu.actions() if action.isChecked()]

    first = driver.session.editor.document.model
    assert ticked() == [first]
    driver.window.files.open_path(reranked_path)
    driver.until(lambda: driver.session.editor.document.model == str(reranked_path))
    driver.settle()
    assert ticked() == [str(reranked_path)]
    driver.do("undo")
    driver.settle()
    assert ticked() == [first]


def test_presets_switches_and_the_beam(driver: Driver) -> None:
    session, window = driver.session, driver.window
    for number in PRESETS:
        driver.do(f"preset-{number}")
        assert session.editor.document.preset == number and window.named_actions[f"preset-{number}"].isChecked()
    driver.settle()
    driver.do("preset-1")
    assert not window.named_actions["punctuation-rule"].isChecked()
    driver.do("punctuation-rule")
    assert session.editor.settings.punctuation_rule
    driver.do("full-distance")
    assert session.editor.settings.distance == "order"
    driver.do("lexical")
    assert not session.editor.settings.lexical
    driver.settle()
    slider = window.settings_strip.slider
    slider.setValue(slider.maximum())
    assert math.isinf(session.editor.settings.beam) and window.settings_strip.field.text() == "∞"
    count = session.editor.undo_stack.count()
    for value in range(300, 200, -5):
        slider.setValue(value)
    assert session.editor.undo_stack.count() == count
    driver.settle()
    assert session.parses.result is not None and session.parses.result.request.settings == session.editor.settings
    assert f"β = {window.settings_strip.field.text()}" in window.status.facts.text()


def test_beam_typed_as_a_number(driver: Driver) -> None:
    for typed, beam in [("250", 250.0), ("10^5", 1e5), ("10⁶", 1e6), ("∞", math.inf), ("2,000", 2000.0)]:
        field = driver.window.settings_strip.field
        field.setFocus()
        field.selectAll()
        # QTest has no keys for letters beyond ASCII.
        field.insert(typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert driver.session.editor.settings.beam == beam
        driver.settle()


def test_nonsense_as_beam_or_threshold_is_refused(driver: Driver) -> None:
    strip = driver.window.settings_strip
    for field, typed in ((strip.field, "0.5"), (strip.field, "wide"), (strip.threshold, "5")):
        before = driver.session.editor.settings
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert driver.session.editor.settings == before
        assert driver.window.stages.banner.isVisible() and typed in driver.window.stages.banner.text.text()
    strip.threshold.selectAll()
    QTest.keyClicks(strip.threshold, "-35")
    QTest.keyClick(strip.threshold, Qt.Key.Key_Return)
    assert driver.session.editor.settings.threshold == -35
    driver.settle()


def test_the_smallest_beam_that_keeps_the_tree(driver: Driver) -> None:
    before = driver.session.parses.shown
    assert before is not None
    driver.do("smallest-beam")
    driver.until(lambda: not driver.session.tasks.busy)
    driver.settle()
    assert driver.session.editor.settings.beam < 1000 and driver.session.parses.shown is not None
    assert driver.session.parses.shown.tree == before.tree


def what_ifs(driver: Driver) -> tuple[Constraint, ...]:
    """What is forced and forbidden now."""
    return driver.session.editor.line.what_ifs


def test_dragging_an_arrow_forces_another_head_and_shows_the_price(driver: Driver) -> None:
    session = driver.session
    assert session.parses.shown is not None
    head = session.parses.shown.heads()[4]
    other = 3 if head == 1 else 1
    driver.drag(ArrowId(4), WordId(other))
    assert session.editor.line.what_ifs == (Attachment(4, other),)
    driver.settle()
    assert session.parses.shown is not None and session.parses.shown.heads()[4] == other
    panel = driver.window.stages.what_ifs
    assert driver.window.stages.tabs.currentIndex() == WHAT_IFS
    assert "It costs " in panel.price.text()
    assert panel.moved.rows_model.rows and panel.list.rows_model.rows[0].cells[1].startswith("−")
    panel.lift_chosen()
    driver.settle()
    assert session.parses.shown.heads()[4] == head and not session.editor.line.what_ifs
    # Where there is none, the list of what-ifs is out of the way again.
    assert driver.window.stages.tabs.currentIndex() == TABLE
    driver.do("undo")
    assert session.editor.line.what_ifs == (Attachment(4, other),)
    driver.do("redo")
    assert not session.editor.line.what_ifs


def test_forcing_a_gap_a_tag_and_a_constituent(driver: Driver) -> None:
    driver.go("gaps")
    driver.settle()
    choices = dict(driver.window.stages.stage.choices(GapId(3)))
    choices["Force B"]()
    assert driver.session.editor.line.what_ifs == (GapTag(3, "B"),)
    driver.do("undo")
    driver.click(GapId(2))
    driver.do("forbid")
    assert driver.session.editor.line.what_ifs[0] == GapTag(2, driver.session.parses.shown.gap_tags[1], True)  # type: ignore[union-attr]
    driver.do("lift-all")
    menu = driver.window.sentence_bar.tag_menu(1)
    more = next(entry for action in menu.actions() if isinstance(entry := action.menu(), QMenu))
    next(action for action in more.actions() if action.text() == "NN").trigger()
    menu.deleteLater()
    assert what_ifs(driver) == (FixedTag(1, "NN"),)
    driver.do("lift-all")
    driver.settle()
    driver.go("parse")
    driver.settle()
    assert driver.canvas.drawing is not None
    node = next(
        id
        for id in driver.canvas.drawing.regions
        if isinstance(id, NodeId) and (id.start, id.end, id.label) == (1, 7, "VP")
    )
    driver.click(node)
    driver.do("force")
    assert what_ifs(driver) == (Bracket(1, 7, "VP"),)
    driver.settle()
    assert driver.session.parses.result is not None and driver.session.parses.result.price == pytest.approx(0)
    assert "costs nothing" in driver.window.stages.what_ifs.price.text()


def test_an_impossible_what_if_is_explained_over_the_old_picture(driver: Driver) -> None:
    before = driver.canvas.text_twin
    driver.session.editor.add_what_if(Attachment(2, 0))
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert "No parse has" in driver.window.stages.banner.text.text()
    # The banner takes some room; the picture in the rest of it is that of the same parse.
    assert before and driver.canvas.text_twin == before
    driver.window.stages.banner.lift.click()
    assert not driver.session.editor.line.what_ifs
    driver.until(lambda: not driver.window.stages.banner.isVisible())
