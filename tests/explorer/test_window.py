"""The window itself: its controls and actions, themes and type, and what of it comes back."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QToolButton, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from engine.structure.constraints import Attachment
from explorer.kit.appearance import appearance
from explorer.pictures.theme import DARK, THEMES
from explorer.session.preferences import Preferences
from explorer.session.recovery import Recovered
from explorer.session.session import Session
from explorer.window.command import arguments
from explorer.window.main_window import MainWindow
from explorer.window.palette import CommandPalette
from explorer.window.start import begin
from explorer.window.start_plan import StartPlan
from tests.explorer.window_driver import SAW, Driver, after_crash
from tests.stage_names import REDUCED


@pytest.fixture
def empty(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window without a model."""
    made = Driver(qtbot, tmp_path / "home")
    yield made
    made.close()


def test_the_controls_stand_within_their_strips(empty: Driver) -> None:
    # The window is wider than it was built: strips that had room for a scroll bar have become lower.
    empty.process_events()
    for strip in (empty.window.stage_strip, empty.window.settings_strip):
        buttons = [button for button in strip.findChildren(QToolButton) if button.isVisibleTo(strip)]
        assert len(buttons) > 4, strip.objectName()
        for button in buttons:
            assert strip.rect().contains(button.geometry()), (strip.objectName(), button.text())
            above, below = button.geometry().top(), strip.height() - 1 - button.geometry().bottom()
            assert abs(above - below) <= 1, (strip.objectName(), button.text())


def test_without_a_model_the_window_says_what_to_do(empty: Driver) -> None:
    assert empty.canvas.drawing is not None and "No model" in empty.canvas.text_twin
    assert "Ctrl+M" in empty.canvas.text_twin


def test_a_session_is_saved_and_opened_again(driver: Driver, tmp_path: Path) -> None:
    driver.session.editor.set_settings(beam=77.0)
    driver.session.editor.add_what_if(Attachment(4, 3))
    driver.go("reduced")
    path = tmp_path / "mine.json"
    driver.save_to(path)
    assert json.loads(path.read_text(encoding="utf-8"))["settings"]["beam"] == 77.0
    kept = driver.session.editor.document
    driver.do("new")
    assert not driver.session.editor.document.lines
    driver.window.files.open_path(path)
    driver.until(lambda: driver.session.file.path == path)
    assert driver.session.editor.document == kept and driver.session.view.stage == REDUCED
    assert driver.window.windowTitle().startswith("mine.json")
    driver.settle()


def test_the_file_of_a_session_is_known_at_the_next_start(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    path, home = tmp_path / "mine.json", tmp_path / "home"
    first = Driver(qtbot, home)
    first.load(classroom_path)
    first.save_to(path)
    first.close()
    again = start_again(qtbot, home)
    assert again.session.file.path == path and again.window.windowTitle().startswith("mine.json")
    assert not again.window.isWindowModified()
    # What was done after saving is there again, and not in the file.
    again.session.editor.set_settings(beam=66.0)
    again.close()
    once_more = start_again(qtbot, home)
    assert once_more.session.editor.settings.beam == 66.0 and once_more.window.isWindowModified()
    once_more.do("save")
    once_more.until(lambda: not once_more.session.file.saving)
    assert json.loads(path.read_text(encoding="utf-8"))["settings"]["beam"] == 66.0
    assert not once_more.window.isWindowModified()
    once_more.close()
    # A file that is gone is no longer the session's.
    path.unlink()
    last = start_again(qtbot, home)
    assert last.session.file.path is None and last.session.editor.settings.beam == 66.0
    last.close()


def start_again(qtbot: QtBot, home: Path) -> Driver:
    """A window that was started anew, without arguments."""
    driver = Driver(qtbot, home)
    begin(driver.session, driver.preferences, StartPlan(arguments().parse_args([])))
    driver.settle()
    return driver


def test_after_a_crash_the_file_of_the_session_is_known(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    driver.save_to(path)
    driver.session.editor.set_settings(beam=44.0)
    driver.until(lambda: any(driver.preferences.folder.glob("recovery-*.json")))
    driver.window.autosave.save()
    driver.until(lambda: not driver.window.autosave.busy)
    found = after_crash(driver.preferences.folder, tmp_path / "after").take_over(True).session
    assert found is not None and found.path == path and not found.saved and found.document.settings.beam == 44.0


def test_everything_that_takes_the_focus_has_a_name(driver: Driver) -> None:
    driver.window.show_list()
    driver.window.features.comparison.show()
    driver.window.show_model()
    driver.do("model-browser")
    driver.go("chart")
    driver.settle()
    asked = 0
    nameless = []
    for widget in driver.window.findChildren(QWidget):
        viewport = isinstance(widget.parent(), QAbstractScrollArea)
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or viewport or not widget.isVisible():
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name)
        asked += 1
        if not any(letter.isalnum() for letter in name):
            nameless.append((type(widget).__name__, widget.objectName(), name, type(widget.parent()).__name__))
    assert not nameless and asked > 40


def test_icons_of_menus_stand_beside_their_text(driver: Driver) -> None:
    menu = driver.window.named_actions.menus["File"]
    menu.popup(QPoint(0, 0))
    place = menu.actionGeometry(driver.window.named_actions["open"])
    image = menu.grab(place).toImage()
    menu.close()
    ground = image.pixelColor(image.width() - 4, 4)
    inked = [x for x in range(2, image.width() - 2) if any(image.pixelColor(x, y) != ground for y in range(2, 18))]
    gaps = [following - x for x, following in itertools.pairwise(inked)]
    # The first gap is that between icon and text.
    assert inked[0] >= 6 and next(gap for gap in gaps if gap > 3) <= 16


def test_saving_where_it_cannot_be_saved_is_said(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    driver.save_to(tmp_path / "file" / "session.json")
    assert driver.window.stages.banner.isVisible() and "cannot be written" in driver.window.stages.banner.text.text()


def test_work_is_kept_through_a_crash(qtbot: QtBot, driver: Driver, tmp_path: Path) -> None:
    driver.session.editor.set_settings(beam=33.0)
    driver.window.autosave.save()
    driver.until(lambda: not driver.window.autosave.busy)
    home = tmp_path / "home"
    # While the window lives its work is not anybody else's.
    assert Preferences(home).take_over(True) == Recovered()
    crashed = after_crash(home, tmp_path / "crashed")
    found = crashed.take_over(True).session
    assert found is not None and found[0].settings.beam == 33.0
    # It stays where it is until another window has it.
    assert Preferences(crashed.folder).take_over(True).session is None
    crashed.recovery.clear(keep=True)
    assert Preferences(crashed.folder).take_over(True).session == found


def test_geometry_docks_and_sentences_come_back(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = Driver(qtbot, home)
    first.load(classroom_path)
    first.window.resize(760, 640)
    first.window.docks.inspector.hide()
    first.window.appearance.set_theme("dark")
    first.window.appearance.scale_text(1.3)
    first.close()
    preferences = Preferences(home)
    last = preferences.last()
    assert last is not None and last[0].line.text == SAW and last[0].model == str(classroom_path)
    assert not list(home.glob("recovery-*.json"))
    again = MainWindow(Session(), preferences)
    # The screen of this platform is narrow; the height is what was chosen.
    assert again.height() == 640 and again.docks.inspector.isHidden()
    assert appearance().theme is DARK and appearance().text_scale == pytest.approx(1.3)
    again.close()
    again.deleteLater()


def test_every_action_has_a_menu_a_shortcut_a_tip_and_is_found_by_name(driver: Driver) -> None:
    shortcuts = [action.shortcut().toString() for action in driver.window.named_actions.all()]
    keys_of_panels = {toggle.text(): toggle.shortcut().toString() for toggle in driver.window.panel_toggles}
    # The error table is opened by its action, which has a key: a second one would do nothing else.
    assert [title for title, keys in keys_of_panels.items() if not keys] == ["Error table"]
    shortcuts += [keys for keys in keys_of_panels.values() if keys]
    assert all(shortcuts) and len(set(shortcuts)) == len(shortcuts)
    for entry in driver.window.named_actions.entries:
        action = driver.window.named_actions[entry.name]
        assert action in driver.window.named_actions.menus[entry.menu].actions()
        assert len(action.statusTip()) > 8
    driver.do("palette")
    palette = driver.window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    QTest.keyClicks(palette.edit, "wider beam")
    item = palette.list.currentItem()
    assert item is not None and item.text(0) == "Wider beam"
    QTest.keyClick(palette.edit, Qt.Key.Key_Return)
    assert driver.session.editor.settings.beam == 1500
    driver.settle()


def test_themes_and_text_size_reach_everything(driver: Driver) -> None:
    seen = set()
    for name in ("light", "dark", "contrast", "contrast-dark"):
        driver.window.appearance.set_theme(name)
        driver.process_events()
        image = driver.window.grab().toImage()
        place = driver.canvas.mapTo(driver.window, QPoint(3, 3))
        assert image.pixelColor(place).name() == THEMES[name].colour("background")
        seen.add(image.pixelColor(place).name())
    assert len(seen) == 4
    before = driver.window.inspector.view.fontMetrics().height()
    driver.do("text-larger")
    driver.do("text-larger")
    assert driver.window.inspector.view.fontMetrics().height() > before
    assert driver.canvas.text_scale > 1.15
    driver.do("text-normal")


def test_zoom_and_status(driver: Driver) -> None:
    driver.do("actual-size")
    assert "100 %" in driver.window.status.facts.text()
    driver.do("zoom-in")
    assert driver.canvas.scale_factor > 1.1
    driver.do("fit")
    assert "preset (5)" in driver.window.status.facts.text() and "parsed in" in driver.window.status.facts.text()


def test_item_models_behave(driver: Driver, qtmodeltester: ModelTester) -> None:
    for model in (
        driver.window.stages.parse_stage.table.rows_model,
        driver.window.sentences.model,
        driver.window.sentence_bar.row.chips,
        driver.window.stages.alternatives.rows_model,
    ):
        qtmodeltester.check(model, force_py=True)
