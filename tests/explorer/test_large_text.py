"""Large type, letters of menus, and what a parse is held against: nothing is cut, covered or misnamed."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QToolBar, QToolButton

from explorer.canvas.zoom import LegendStrip
from explorer.compare.rows import error_rows
from explorer.compare.sides import BestParse, RankedParse
from explorer.kit.actions import MENUS, with_letters
from explorer.kit.controls import ChoiceBox
from explorer.kit.docks import DockTitle
from explorer.session.document import TextLine
from tests.explorer.window_driver import SMITH, Driver

TREE = (
    "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
)


def test_titles_and_signs_of_panels_grow_with_the_type(driver: Driver) -> None:
    title = driver.window.docks.inspector.titleBarWidget()
    assert isinstance(title, DockTitle)
    tools = driver.window.findChild(QToolBar, "side")
    assert tools is not None
    before = title.title.height(), title.close_button.height(), tools.iconSize().height()
    driver.window.appearance.scale_text(2.5)
    driver.settle()
    assert title.title.height() > 1.5 * before[0]
    assert title.close_button.height() > 1.5 * before[1]
    assert tools.iconSize().height() >= 30 > before[2]
    assert title.title.fontMetrics().horizontalAdvance(title.title.text()) <= title.title.width()


def test_rows_are_as_high_as_before_when_the_type_is(driver: Driver) -> None:
    driver.window.docks.sentences.show()
    driver.process_events()
    headers = [table.verticalHeader() for table in driver.window.findChildren(QTableView)]
    before = [header.defaultSectionSize() for header in headers]
    driver.window.appearance.scale_text(2.0)
    driver.settle()
    assert headers[0].defaultSectionSize() > before[0]
    driver.window.appearance.scale_text(1.0)
    driver.settle()
    assert [header.defaultSectionSize() for header in headers] == before


def test_every_setting_is_in_sight(driver: Driver) -> None:
    for scale in [1.0, 1.1, 1.25, 1.5]:
        strip = driver.window.settings_strip
        driver.window.appearance.scale_text(scale)
        driver.settle()
        buttons = [button for button in strip.findChildren(QToolButton) if button.isVisible()]
        places = [QRect(button.mapTo(driver.window, QPoint()), button.size()) for button in buttons]
        assert len(places) == 8 and all(place.left() >= 0 and place.right() < 1280 for place in places)
        assert not any(one.intersects(other) for one, other in combinations(places, 2))
        # One row where all have room in it; below each other they are in the same order.
        assert len({place.top() for place in places}) == (1 if scale == 1.0 else 2)
        driver.window.appearance.scale_text(1.0)
        driver.settle()
        assert len({button.mapTo(driver.window, QPoint()).y() for button in buttons}) == 1


def test_a_panel_is_closed_and_taken_out_by_its_title(driver: Driver) -> None:
    dock = driver.window.docks.inspector
    title = dock.titleBarWidget()
    assert isinstance(title, DockTitle)
    title.apart.click()
    assert dock.isFloating()
    title.apart.click()
    assert not dock.isFloating()
    title.close_button.click()
    assert not dock.isVisible()


def test_the_overview_does_not_cover_the_legend(driver: Driver) -> None:
    for scale in [1.0, 1.5, 2.0, 2.5]:
        driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(SMITH)))
        driver.settle()
        driver.window.appearance.scale_text(scale)
        driver.settle()
        strip = driver.canvas.findChild(LegendStrip)
        assert strip is not None
        legend, overview = strip.legend_rect(), strip.map_rect()
        assert legend.isValid() and legend.right() <= strip.width()
        assert overview is None or not legend.intersects(overview)


def test_a_message_has_the_room_of_the_facts_where_there_is_none_for_both(driver: Driver) -> None:
    window = driver.window
    window.appearance.scale_text(2.5)
    driver.process_events()
    assert window.statusBar().currentMessage() == "Text at 250 %"
    assert not window.status.facts.isVisible()
    assert not window.status.progress.isVisible()
    window.statusBar().clearMessage()
    assert window.status.facts.isVisible()
    window.appearance.scale_text(1.0)
    driver.process_events()
    assert window.status.facts.isVisible()


def test_every_entry_of_a_menu_has_a_letter_of_its_own_while_it_is_open(driver: Driver) -> None:
    for menu in MENUS:
        opened = driver.window.named_actions.menus[menu]
        titles = [action.text() for action in opened.actions()]
        opened.aboutToShow.emit()
        letters = [
            action.text().replace("&&", "")[action.text().replace("&&", "").find("&") + 1].lower()
            for action in opened.actions()
            if not action.isSeparator()
        ]
        assert all("&" in action.text() for action in opened.actions() if not action.isSeparator())
        assert len(set(letters)) == len(letters)
        opened.aboutToHide.emit()
        assert [action.text() for action in opened.actions()] == titles
        assert opened.accessibleName() == menu


def test_menus_are_opened_with_alt_and_no_key_of_an_action_is_taken(driver: Driver) -> None:
    titles = [action.text() for action in driver.window.menuBar().actions()]
    keys = [f"Alt+{title[title.index('&') + 1].upper()}" for title in titles]
    assert len(set(keys)) == len(keys) == len(MENUS)
    assert not {entry.shortcut for entry in driver.window.named_actions.entries} & set(keys)
    QTest.keyClick(driver.window, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    opened = QApplication.activePopupWidget()
    assert opened is driver.window.named_actions.menus["File"]
    opened.close()


def test_letters_prefer_first_letters_and_keep_those_that_are_there() -> None:
    assert with_letters(["Save", "Save as", "&1 a.txt", "Sand"]) == ["&Save", "Save &as", "&1 a.txt", "Sa&nd"]


def test_what_a_parse_is_held_against_is_named(driver: Driver) -> None:
    driver.session.loader.add_text(TREE, "opening sentences")
    driver.session.editor.set_preset(3)
    driver.settle()
    driver.do("compare")
    comparisons = driver.window.features.comparison.comparisons
    comparisons.choose(BestParse(), RankedParse(2))
    driver.until(lambda: comparisons.comparison is not None and comparisons.comparison.full)
    assert comparisons.comparison is not None
    rows = [" ".join(row.cells) for row in error_rows(comparisons.comparison)]
    assert rows and not any("gold" in row for row in rows)
    assert any("the second best" in row for row in rows)


def test_a_long_name_is_shown_with_its_end(qtbot: object) -> None:
    box = ChoiceBox()
    box.addItem("Second best: with → saw instead of man")
    box.resize(180, box.sizeHint().height())
    assert box.shown_text().startswith("Sec") and box.shown_text().endswith("man") and "…" in box.shown_text()
    box.resize(2 * box.sizeHint().width(), box.height())
    assert box.shown_text() == box.currentText()
    box.deleteLater()
