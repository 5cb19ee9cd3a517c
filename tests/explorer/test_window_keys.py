"""The window's keys, pressed as a person presses them: on a screen of their own, by a keyboard with a layout."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from engine.explain.subjects import ArrowId
from explorer.kit.appearance import appearance
from explorer.session.document import TextLine
from tests.explorer.window_driver import Driver
from tests.explorer.x_keyboard import XKeyboard

MOST_WAITS = 100
"""How often to look whether a key has come."""
KEYS_OF_FIELDS = {"Left", "Right", "Ctrl+Del"}
"""What moves and deletes in a field stays the field's."""


def give_focus(driver: Driver, widget: QWidget) -> None:
    """Put the keyboard's focus somewhere."""
    widget.setFocus()
    driver.until(widget.hasFocus)


@pytest.mark.parametrize("place", ["picture", "beam", "filter", "sentence", "run to"])
def test_every_key_of_the_menus_does_what_it_says_wherever_the_focus_is(
    driver: Driver, keyboard: XKeyboard, place: str
) -> None:
    driver.window.show_list()
    driver.go("chart")
    driver.settle()
    places = {
        "picture": driver.canvas,
        "beam": driver.window.settings_strip.field,
        "filter": driver.window.sentences.search,
        "sentence": driver.window.sentence_bar.edit,
        "run to": driver.window.stages.chart_stage.run_field,
    }
    give_focus(driver, places[place])
    done: list[str] = []
    actions = {action.shortcut().toString(): action for action in driver.window.named_actions.all()}
    for keys, action in actions.items():
        # What it would do is told elsewhere; here only that the key arrives.
        action.triggered.disconnect()
        action.triggered.connect(lambda _checked=False, keys=keys: done.append(keys))
        action.setEnabled(True)
    wrong = []
    for keys in actions:
        if place != "picture" and keys in KEYS_OF_FIELDS:
            continue
        done.clear()
        keyboard.press(keys)
        # A key comes when the server has sent it; on a busy machine that takes its time.
        for _ in range(MOST_WAITS):
            QTest.qWait(15)
            if done:
                break
        if done != [keys]:
            wrong.append((keys, list(done)))
    assert not wrong and len(actions) > 80


def test_text_becomes_larger_and_smaller_by_its_keys(driver: Driver, keyboard: XKeyboard) -> None:
    give_focus(driver, driver.canvas)
    keyboard.press("Ctrl+>")
    driver.until(lambda: appearance().text_scale > 1)
    keyboard.press("Ctrl+<")
    driver.until(lambda: abs(appearance().text_scale - 1) < 1e-9)
    before = driver.canvas.scale_factor
    keyboard.press("Ctrl+=")
    driver.until(lambda: driver.canvas.scale_factor > before)


def test_undo_in_the_field_of_beta_takes_the_last_change_back(driver: Driver, keyboard: XKeyboard) -> None:
    field = driver.window.settings_strip.field
    before = driver.session.editor.settings.beam
    give_focus(driver, field)
    field.selectAll()
    for keys in ("5", "0"):
        keyboard.press(keys)
    driver.until(lambda: field.text() == "50")
    keyboard.press("Enter")
    driver.until(lambda: driver.session.editor.settings.beam == 50)
    keyboard.press("Ctrl+Z")
    driver.until(lambda: driver.session.editor.settings.beam == before)
    keyboard.press("Ctrl+Y")
    driver.until(lambda: driver.session.editor.settings.beam == 50)
    # What is not entered yet the field itself takes back.
    field.selectAll()
    keyboard.press("7")
    driver.until(lambda: field.text() == "7")
    keyboard.press("Ctrl+Z")
    driver.until(lambda: field.text() == "50")
    assert driver.session.editor.settings.beam == 50
    driver.settle()


def test_ctrl_f_goes_to_the_filter_and_finds(driver: Driver, keyboard: XKeyboard) -> None:
    driver.session.editor.add_lines([TextLine("Dogs/NNS bark/VBP ./.")], "adding sentences")
    driver.settle()
    driver.window.docks.sentences.hide()
    give_focus(driver, driver.canvas)
    keyboard.press("Ctrl+F")
    search = driver.window.sentences.search
    driver.until(lambda: search.isVisible() and search.hasFocus())
    for letter in "bark":
        keyboard.press(letter)
    driver.until(lambda: search.text() == "bark" and len(driver.window.sentences.model.shown) == 1)


def test_arrow_keys_step_after_running_to_a_condition(driver: Driver, keyboard: XKeyboard) -> None:
    driver.go("chart")
    driver.settle()
    give_focus(driver, driver.canvas)
    keyboard.press("F6")
    field, view = driver.window.stages.chart_stage.run_field, driver.session.view
    driver.until(field.hasFocus)
    for keys in ("n", "Backspace", "Shift+N", "Shift+P", "Left", "Right", "Enter"):
        keyboard.press(keys)
    driver.until(lambda: view.chart_step is not None)
    assert field.text() == "NP"
    first = view.chart_step
    assert first is not None
    keyboard.press("Right")
    driver.until(lambda: view.chart_step == first + 1)
    keyboard.press("Left")
    driver.until(lambda: view.chart_step == first)
    # Enter goes on to the next one still, and what is typed takes the old condition's place.
    keyboard.press("Enter")
    driver.until(lambda: (view.chart_step or 0) > first)
    keyboard.press("Shift+V")
    driver.until(lambda: field.text() == "V")
    driver.settle()


def test_the_key_of_a_panel_frees_its_place_and_brings_it_back(driver: Driver, keyboard: XKeyboard) -> None:
    docks = driver.window.docks
    give_focus(driver, driver.canvas)
    narrow = driver.canvas.width()
    driver.until(docks.inspector.isVisible)
    keyboard.press("F3")
    driver.until(lambda: docks.inspector.isHidden() and docks.model.isHidden() and driver.canvas.width() > narrow + 200)
    keyboard.press("F7")
    driver.until(docks.model.isVisible)
    # Behind another one's tab it comes to the front; then its key frees the place of both.
    keyboard.press("F3")
    driver.until(lambda: driver.window.panel_toggles[1].isChecked() and not driver.window.panel_toggles[2].isChecked())
    keyboard.press("F7")
    driver.until(lambda: driver.window.panel_toggles[2].isChecked() and not driver.window.panel_toggles[1].isChecked())
    keyboard.press("F7")
    driver.until(lambda: docks.inspector.isHidden() and docks.model.isHidden() and driver.canvas.width() > narrow + 200)
    keyboard.press("F3")
    driver.until(lambda: docks.inspector.isVisible() and driver.window.panel_toggles[1].isChecked())
    assert docks.model.isHidden()


def test_what_is_selected_is_forced_by_its_key(driver: Driver, keyboard: XKeyboard) -> None:
    driver.go("parse")
    driver.settle()
    driver.session.view.select(ArrowId(4))
    give_focus(driver, driver.canvas)
    keyboard.press("Ctrl+I")
    driver.until(lambda: len(driver.session.editor.line.what_ifs) == 1)
    driver.settle()
