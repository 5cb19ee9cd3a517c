"""Help in the window: the tour, the palette, a click that asks, shortcuts, about, preferences, recent files."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget

from engine.common.numbers import USUAL_DIGITS, NumberFormat, log_text, probability_text
from engine.explain.subjects import ArrowId, NodeId, WordId
from explorer.kit.appearance import appearance
from explorer.session.session import Session
from explorer.window.help import AboutDialog
from explorer.window.layout import first_size
from explorer.window.main_window import MainWindow
from explorer.window.palette import CommandPalette
from explorer.window.preferences import PreferencesDialog
from explorer.window.shortcuts import ShortcutSheet, title_of
from explorer.window.tour import Tour, card_place
from tests.explorer.window_driver import LEFT, NO_KEY, Driver


def open_palette(driver: Driver, query: str) -> CommandPalette:
    """Open the palette and type into it."""
    driver.do("palette")
    palette = driver.window.help.palette
    assert palette is not None
    QTest.keyClicks(palette.edit, query)
    return palette


def titles(palette: CommandPalette) -> list[str]:
    """What the palette lists."""
    items = (palette.list.topLevelItem(row) for row in range(palette.list.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


def choose(driver: Driver, query: str) -> None:
    """Type into the palette, and take the first that fits."""
    palette = open_palette(driver, query)
    QTest.keyClick(palette.edit, Qt.Key.Key_Return)
    driver.process_events()


def close_manual(driver: Driver) -> None:
    """Close the manual, and let it go."""
    manual = driver.window.help.manual
    assert manual is not None
    manual.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert driver.window.help.manual is None


# The palette


def test_the_palette_finds_themes_settings_presets_files_and_pages(driver: Driver, tmp_path: Path) -> None:
    file = tmp_path / "my sentences.txt"
    file.write_text("Mary/NNP saw/VBD John/NNP ./.\n", encoding="utf-8")
    driver.preferences.add_recent("files", file)
    driver.preferences.add_recent("files", tmp_path / "gone.txt")
    choose(driver, "theme dark")
    assert driver.window.appearance.theme_name == "dark"
    choose(driver, "preset words before tags")
    assert driver.session.editor.document.preset == 3
    choose(driver, "set beam")
    assert driver.window.focusWidget() is driver.window.settings_strip.field
    choose(driver, "my sentences")
    driver.until(lambda: any("John" in line.text for line in driver.session.editor.document.lines))
    choose(driver, "asking what if")
    manual = driver.window.help.manual
    assert manual is not None and manual.place == "tour.md#asking-what-if"
    close_manual(driver)
    palette = open_palette(driver, "gone.txt")
    assert "Open gone.txt" not in titles(palette)
    palette.close()
    driver.settle()


def test_the_palette_says_when_nothing_fits_and_searches_the_manual(driver: Driver) -> None:
    palette = open_palette(driver, "qqqq")
    assert len(titles(palette)) == 1 and "Nothing fits ‘qqqq’" in titles(palette)[0]
    QTest.keyClick(palette.edit, Qt.Key.Key_Return)
    manual = driver.window.help.manual
    assert manual is not None and manual.search.text() == "qqqq"
    close_manual(driver)


def test_the_palette_lists_every_setting_by_its_one_name(driver: Driver) -> None:
    palette = open_palette(driver, "")
    listed = titles(palette)
    assert {"Comma rule", "Words before tags", "Vote", "Preset (5) beyond the paper", "Theme: light"} <= set(listed)
    assert len(listed) > len(driver.window.named_actions.entries)
    palette.close()


# The tour


def start_tour(driver: Driver) -> Tour:
    """Start the tour."""
    driver.do("tour")
    tour = driver.window.help.tour
    assert tour is not None
    return tour


def go_on(driver: Driver, tour: Tour) -> None:
    """Wait until the tour has seen that its step was done, and go on."""
    driver.until(lambda: tour.is_done)
    QTest.mouseClick(tour.card.next, LEFT)
    driver.process_events()


def test_the_tour_is_done_by_doing(driver: Driver) -> None:
    tour = start_tour(driver)
    assert tour.card.isVisible() and not tour.is_done
    driver.type("Mary saw the man with the dog .")
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    go_on(driver, tour)
    driver.settle()
    assert tour.at == 1
    driver.go("gaps")
    go_on(driver, tour)
    driver.go("parse")
    driver.settle()
    driver.click(WordId(1))
    go_on(driver, tour)
    assert tour.at == 3
    # Counts that can be opened are marked by their colour alone.
    assert "A count in colour opens" in tour.step.done_text
    driver.click(ArrowId(4))
    counts = re.findall(r"<a href=\"count:\d+\"><span style=\"([^\"]*)\"", driver.window.inspector.view.toHtml())
    assert counts and all("color:" in one and "underline" not in one for one in counts)
    go_on(driver, tour)
    assert tour.at == 4
    head = driver.session.parses.shown.heads()[4]  # type: ignore[union-attr]
    driver.drag(ArrowId(4), WordId(3 if head == 1 else 1))
    go_on(driver, tour)
    driver.settle()
    driver.do("preset-1")
    go_on(driver, tour)
    assert tour.at == 6
    driver.do("palette")
    driver.until(lambda: tour.is_done)
    assert "Finish" in tour.card.next.text()
    palette = driver.window.help.palette
    assert palette is not None
    palette.close()
    QTest.mouseClick(tour.card.next, LEFT)
    assert driver.window.help.tour is None
    driver.settle()


def test_escape_leaves_the_tour_and_nothing_of_it_stays(driver: Driver) -> None:
    start_tour(driver)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
    assert driver.window.help.tour is None
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not [label for label in driver.window.findChildren(QLabel) if "Tour, step" in label.text()]


def test_the_tour_is_shown_at_the_first_start_only(driver: Driver) -> None:
    driver.window.help.offer_tour()
    tour = driver.window.help.tour
    assert tour is not None
    tour.leave()
    driver.window.help.offer_tour()
    assert driver.window.help.tour is None
    assert driver.preferences.flag("tour-shown")


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (900, 620)])
def test_the_card_stands_in_the_window_beside_what_it_speaks_of(driver: Driver, size: tuple[int, int]) -> None:
    driver.window.resize(*size)
    driver.process_events()
    tour = start_tour(driver)
    beside = 0
    for number in range(7):
        driver.process_events()
        card = tour.card.geometry()
        assert driver.window.rect().contains(card), (number, card)
        target = tour.step.target()
        area = QRect(target.mapTo(driver.window, QPoint(0, 0)), target.size())
        beside += not card.intersects(area)
        assert tour.card.text.height() >= tour.card.text.heightForWidth(tour.card.text.width())
        tour.go_on()
    assert beside >= 4 and driver.window.help.tour is None


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_card_covers_nothing_that_its_step_speaks_of(driver: Driver, size: tuple[int, int]) -> None:
    driver.window.resize(*size)
    driver.process_events()
    tour = start_tour(driver)
    spoken_of = 0
    for number in range(7):
        driver.process_events()
        for part in (tour.step.target(), *tour.step.also):
            area = QRect(part.mapTo(driver.window, QPoint(0, 0)), part.size())
            assert part.isVisible() and not tour.card.geometry().intersects(area), (number, part)
            spoken_of += 1
        tour.go_on()
    assert spoken_of > 10


def test_the_price_of_a_what_if_is_seen_beside_the_card(driver: Driver) -> None:
    tour = start_tour(driver)
    for _ in range(4):
        tour.go_on()
    driver.go("parse")
    driver.settle()
    head = driver.session.parses.shown.heads()[4]  # type: ignore[union-attr]
    driver.drag(ArrowId(4), WordId(3 if head == 1 else 1))
    driver.until(lambda: tour.is_done)
    driver.settle()
    tables = driver.window.stages.tabs
    assert "What-ifs" in tour.card.text.text() and tables.isVisible()
    area = QRect(tables.mapTo(driver.window, QPoint(0, 0)), tables.size())
    assert not tour.card.geometry().intersects(area)
    tour.leave()


def test_a_card_that_has_no_room_beside_lies_over_the_corner() -> None:
    window = QSize(400, 300)
    place = card_place(QRect(0, 0, 400, 300), QSize(200, 150), window)
    assert QRect(QPoint(0, 0), window).contains(QRect(place, QSize(200, 150)))


def test_a_card_that_cannot_leave_all_free_leaves_its_own_part_free() -> None:
    area, card, window = QRect(0, 0, 400, 40), QSize(200, 100), QSize(400, 300)
    whole = QRect(0, 40, 400, 260)
    placed = QRect(card_place(area, card, window, [whole]), card)
    assert not placed.intersects(area) and QRect(QPoint(0, 0), window).contains(placed)
    left_half = QRect(0, 40, 180, 260)
    assert not QRect(card_place(area, card, window, [left_half]), card).intersects(left_half)


# A click that asks


def ask_about(driver: Driver, widget: QWidget, place: QPoint) -> str:
    """Press Shift+F1 and click; the place that the manual opens at."""
    driver.do("what-is-this")
    assert driver.window.help.pointer.active
    QTest.mouseClick(widget, LEFT, NO_KEY, place)
    driver.process_events()
    assert not driver.window.help.pointer.active
    manual = driver.window.help.manual
    assert manual is not None
    shown = manual.place
    close_manual(driver)
    return shown


def test_a_click_opens_the_page_about_that_thing_and_does_nothing_else(driver: Driver) -> None:
    window = driver.window
    assert driver.canvas.drawing is not None
    selection, settings = driver.session.view.selection, driver.session.editor.settings
    assert ask_about(driver, driver.canvas.viewport(), driver.place(WordId(1))) == "glosses.md#tags"
    node = next(id for id in driver.canvas.drawing.regions if isinstance(id, NodeId))
    assert ask_about(driver, driver.canvas.viewport(), driver.place(node)) == "glosses.md#labels"
    assert driver.session.view.selection == selection
    switch = window.settings_strip.switches["ignore-tags"]
    assert ask_about(driver, switch, switch.rect().center()) == "tour.md#settings"
    assert driver.session.editor.settings == settings
    edit = window.sentence_bar.edit
    assert ask_about(driver, edit.viewport(), edit.viewport().rect().center()) == "tour.md#typing-a-sentence"
    head = window.stages.parse_stage.table.horizontalHeader()
    assert ask_about(driver, head.viewport(), QPoint(12, 8)) == "glosses.md#columns"
    strip = window.stage_strip
    assert ask_about(driver, strip, strip.rect().center()) == "tour.md#stage-by-stage"


@pytest.mark.parametrize(
    ("menu", "name", "page"),
    [
        ("Compare", "error-table", "tour.md#compare-is-it-wrong-and-whose-fault-is-it"),
        ("Settings", "ignore-tags", "tour.md#settings"),
    ],
)
def test_an_entry_of_a_menu_is_asked_about_and_not_done(driver: Driver, menu: str, name: str, page: str) -> None:
    window = driver.window
    settings, action = driver.session.editor.settings, window.named_actions[name]
    opened = window.named_actions.menus[menu]
    QTest.keyClick(driver.canvas, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert window.help.pointer.active
    # The menu opens as ever while one asks.
    opened.popup(window.mapToGlobal(QPoint(40, 40)))
    driver.until(opened.isVisible)
    QTest.mouseClick(opened, LEFT, NO_KEY, opened.actionGeometry(action).center())
    driver.process_events()
    assert not window.help.pointer.active and not opened.isVisible()
    manual = window.help.manual
    assert manual is not None and manual.place == page
    close_manual(driver)
    # Nothing of what the entry does was done.
    assert driver.session.editor.settings == settings and not window.features.comparison.errors_dock.isVisible()


def test_escape_ends_the_asking(driver: Driver) -> None:
    QTest.keyClick(driver.canvas, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert driver.window.help.pointer.active and QApplication.overrideCursor() is not None
    QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
    assert not driver.window.help.pointer.active and QApplication.overrideCursor() is None


def test_f1_opens_the_page_of_the_stage(driver: Driver) -> None:
    driver.go("gaps")
    driver.settle()
    QTest.keyClick(driver.canvas, Qt.Key.Key_F1)
    manual = driver.window.help.manual
    assert manual is not None and manual.place == "tour.md#2-gaps"
    close_manual(driver)


# Shortcuts, about, preferences, recent files


def test_the_sheet_of_shortcuts_has_every_action(driver: Driver) -> None:
    driver.do("shortcuts")
    sheet = driver.window.findChild(ShortcutSheet)
    assert isinstance(sheet, ShortcutSheet)
    text = sheet.plain()
    for action in driver.window.named_actions.all():
        assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in text, action.text()
    sheet.search.setText("gold")
    assert "Gold tags" in sheet.plain() and "Zoom" not in sheet.plain()
    sheet.search.setText("zzyzx")
    assert "zzyzx" in sheet.text.toPlainText()
    sheet.close()


def test_about_tells_versions_licences_and_credits_and_copies_them(driver: Driver) -> None:
    driver.do("about")
    about = driver.window.findChild(AboutDialog)
    assert isinstance(about, AboutDialog)
    text = about.text.toPlainText()
    for word in ("MIT licence", "LGPL", "Python", "Qt", "numpy", "numba", "Ratnaparkhi", "Zeldes"):
        assert word in text
    about.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "numpy: " in copied and "Parse Explorer: " in copied and "Model: classroom.model" in copied
    about.close()


def preferences_dialog(driver: Driver) -> PreferencesDialog:
    """Open the preferences."""
    driver.do("preferences")
    dialog = driver.window.findChild(QDialog, "preferences")
    assert isinstance(dialog, PreferencesDialog)
    return dialog


def test_preferences_take_effect_at_once_and_stay(driver: Driver) -> None:
    dialog = preferences_dialog(driver)
    dialog.fields["theme"].setCurrentIndex(dialog.fields["theme"].findData("dark"))
    assert driver.window.appearance.theme_name == "dark"
    dialog.text_size.setValue(130)
    assert appearance().text_scale == pytest.approx(1.3) and dialog.percent.text() == "130 %"
    driver.do("text-normal")
    assert dialog.text_size.value() == 100
    dialog.fields["reduce_motion"].setChecked(False)
    assert not appearance().reduce_motion
    dialog.fields["tour"].setChecked(False)
    assert driver.preferences.flag("tour-shown")
    dialog.fields["form"].setCurrentIndex(dialog.fields["form"].findData(".png"))
    dialog.fields["colours"].setCurrentIndex(dialog.fields["colours"].findData("dark"))
    kept = [driver.preferences.text(f"export-{name}") for name in ("format", "theme", "scale")]
    assert kept == [".png", "dark", "2.0"]
    dialog.reset.click()
    assert driver.preferences.text("export-format") == ".svg" and driver.preferences.text("export-theme") == "light"
    assert driver.preferences.text("theme") == "system"
    dialog.close()


def test_numbers_are_written_with_the_digits_that_were_chosen(driver: Driver) -> None:
    ledger = driver.window.stages.parse_stage.table.rows_model
    before = [row.cells for row in ledger.rows]
    try:
        dialog = preferences_dialog(driver)
        dialog.fields["digits"].setCurrentIndex(dialog.fields["digits"].findData(6))
        dialog.close()
        driver.settle()
        assert (probability_text(0.0421337), log_text(-3.4189274)) == ("0.0421337", "−3.41893")
        assert before and [row.cells for row in ledger.rows] != before
        again = MainWindow(Session(), driver.preferences)
        assert NumberFormat.digits == 6
        again.close()
        again.deleteLater()
    finally:
        NumberFormat.digits = USUAL_DIGITS
    assert probability_text(0.99999) == "1.00" and probability_text(0.0421337) == "0.0421"


def test_recent_files_are_listed_told_apart_and_forgotten(driver: Driver, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.txt").write_text("Mary/NNP left/VBD ./.\n", encoding="utf-8")
        driver.preferences.add_recent("files", tmp_path / folder / "same.txt")
    driver.preferences.add_recent("files", tmp_path / "gone.txt")
    menu = driver.window.recent_menu
    driver.window.files.fill_recent(menu)
    texts = [action.text().lstrip("&0123456789 ") for action in menu.actions() if action.text()]
    assert texts == ["same.txt (b)", "same.txt (a)", "Forget recent files"]
    menu.actions()[-1].trigger()
    driver.window.files.fill_recent(menu)
    assert [action.text() for action in menu.actions()] == ["Nothing yet"]


def test_the_first_start_fits_the_screen(driver: Driver) -> None:
    assert first_size(QSize(1280, 800)) == QSize(1272, 760) and first_size(QSize(1920, 1080)) == QSize(1280, 800)
    assert driver.window.minimumSizeHint().width() <= 1272 and driver.window.minimumSizeHint().height() <= 760
    # No strip scrolls sideways at that width.
    assert driver.window.settings_strip.minimumSizeHint().width() <= 1272


def test_one_key_opens_the_error_table(driver: Driver) -> None:
    found = [action for action in driver.window.findChildren(QAction) if not action.shortcut().isEmpty()]
    titles_with_keys = Counter(title_of(action).removesuffix(" …") for action in found)
    assert titles_with_keys["Error table"] == 1
    driver.do("error-table")
    assert driver.window.features.comparison.errors_dock.isVisible()


def test_names_and_keys_of_the_palette_stand_on_one_line(driver: Driver) -> None:
    palette = open_palette(driver, "")
    item = palette.list.topLevelItem(0)
    assert item is not None and item.text(2) == "Ctrl+N"
    assert item.textAlignment(2) & Qt.AlignmentFlag.AlignVCenter
    palette.close()
