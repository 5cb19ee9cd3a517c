"""What got in a first-time user's way: the sentence bar, a filter left behind, panels that take each other's room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.explain.subjects import WhatIfId
from engine.structure.constraints import Attachment
from explorer.compare.error_table import ErrorPanel
from explorer.panels.sentence_list import SentenceDelegate
from explorer.session.document import TextLine
from tests.explorer.compare_driver import HIGH, IMPOSSIBLE, LOST, LOW
from tests.explorer.window_driver import LEFT, NO_KEY, SAW, Driver

PLAIN = "Mary slept."


def test_the_first_click_into_the_sentence_bar_selects_all_and_the_second_sets_the_cursor(driver: Driver) -> None:
    edit = driver.window.sentence_bar.edit
    driver.canvas.setFocus()
    middle = edit.viewport().rect().center()
    QTest.mouseClick(edit.viewport(), LEFT, NO_KEY, middle)
    assert edit.textCursor().selectedText() == SAW
    QTest.keyClicks(edit, PLAIN)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    driver.settle()
    assert driver.session.editor.line.text == PLAIN
    edit.setFocus()
    QTest.mouseClick(edit.viewport(), LEFT, NO_KEY, QPoint(20, middle.y()))
    assert not edit.textCursor().hasSelection()


def test_a_word_marked_with_the_mouse_stays_marked(driver: Driver) -> None:
    edit = driver.window.sentence_bar.edit
    driver.canvas.setFocus()
    place = edit.viewport().rect().center()
    start, end = QPoint(8, place.y()), QPoint(60, place.y())
    QTest.mousePress(edit.viewport(), LEFT, NO_KEY, start)
    QTest.mouseMove(edit.viewport(), end)
    QTest.mouseRelease(edit.viewport(), LEFT, NO_KEY, end)
    assert edit.textCursor().selectedText() not in ("", SAW)


def test_numbers_of_a_filtered_list_have_room_for_the_last_of_the_whole(driver: Driver) -> None:
    lines = [TextLine(f"Word{number} slept ./.") for number in range(1, 1205)]
    driver.session.editor.add_lines([*lines, TextLine("Mary/NNP slept/VBD ./.")], "adding")
    driver.settle()
    sentences = driver.window.sentences
    sentences.set_filter("Mary slept")
    driver.until(lambda: not sentences.model.busy)
    row = sentences.model.rowCount() - 1
    index = sentences.model.index(row)
    assert sentences.model.rowCount() < 5
    delegate = sentences.view.itemDelegate()
    assert isinstance(delegate, SentenceDelegate)
    before = delegate.words_at(sentences.view, index).left()
    number = index.data(Qt.ItemDataRole.UserRole + 1)
    metrics, start = sentences.view.fontMetrics(), sentences.view.visualRect(index).left()
    assert number == "1,206" and before - start > metrics.horizontalAdvance("≠") + 8 + metrics.horizontalAdvance(number)


def test_a_filter_does_not_outlive_its_list_and_an_empty_list_says_why(driver: Driver) -> None:
    driver.session.editor.add_lines([TextLine(HIGH), TextLine(LOW)], "adding")
    sentences = driver.window.sentences
    sentences.set_filter("giraffe")
    assert sentences.model.rowCount() == 0 and "filter" in sentences.view.hint
    driver.session.editor.add_lines([TextLine("Mary/NNP slept/VBD ./.")], "adding")
    assert sentences.search.text() == "giraffe"
    driver.window.named_actions["new"].trigger()
    assert sentences.search.text() == "" and sentences.model.rowCount() == len(driver.session.editor.document.lines)


def test_the_comparison_leaves_the_panels_beside_it_as_wide_as_they_were(driver: Driver) -> None:
    driver.session.editor.add_lines([TextLine(HIGH), TextLine(LOW)], "adding")
    driver.window.docks.sentences.show()
    driver.settle()
    docks = driver.window.docks
    before = docks.sentences.width(), docks.inspector.width()
    driver.window.named_actions["compare"].trigger()
    driver.settle()
    driver.until(lambda: bool(driver.window.features.comparison.panel.verdict.text()))
    driver.process_events()
    assert (docks.sentences.width(), docks.inspector.width()) == before


def test_the_error_table_leaves_room_for_the_picture(driver: Driver) -> None:
    driver.session.editor.add_lines([TextLine(HIGH), TextLine(LOW)], "adding")
    driver.settle()
    driver.window.features.comparison.show_errors()
    driver.until(lambda: driver.canvas.height() >= 200)
    driver.window.features.comparison.errors_dock.close()
    driver.until(lambda: not driver.window.stages.tabs.folded)


def judged(driver: Driver) -> tuple[ErrorPanel, list[str]]:
    """The error table of four sentences, and the heads of its columns."""
    driver.session.editor.add_lines([TextLine(HIGH), TextLine(LOW), TextLine(LOST), TextLine(IMPOSSIBLE)], "adding")
    driver.settle()
    driver.window.features.comparison.show_errors()
    errors = driver.window.features.comparison.errors
    errors.judge()
    driver.until(lambda: not errors.busy)
    return errors, [
        str(errors.model.headerData(at, Qt.Orientation.Horizontal)) for at in range(errors.model.columnCount())
    ]


def test_heads_of_the_error_table_are_not_cut(driver: Driver) -> None:
    errors, names = judged(driver)
    header = errors.view.horizontalHeader()
    one = header.fontMetrics().lineSpacing()
    errors.view.setMaximumWidth(300)
    driver.process_events()
    assert any(header.fontMetrics().horizontalAdvance(name) > header.sectionSize(at) for at, name in enumerate(names))
    assert header.height() >= 2 * one


def test_a_what_if_says_which_factor_costs_most(driver: Driver) -> None:
    heads = driver.session.parses.result.parse.heads()  # type: ignore[union-attr]
    preposition = driver.session.parses.result.parse.sentence.proper_words.index("with")  # type: ignore[union-attr]
    other = 1 if heads[preposition] != 1 else 3
    driver.session.editor.add_what_if(Attachment(preposition, other))
    driver.settle()
    driver.session.view.select(WhatIfId(0))
    driver.process_events()
    told = driver.window.inspector.explanation.text()
    assert "What costs most: " in told and "without it" in told


def test_the_head_of_a_column_lists_the_sentences_of_its_verdict(driver: Driver) -> None:
    errors, names = judged(driver)
    header = errors.view.horizontalHeader()
    column = names.index("outside the model")
    place = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, NO_KEY, place)
    sentences, lines = driver.window.sentences, driver.session.editor.document.lines
    verdicts = {driver.session.statuses[lines[number]].verdict for number in sentences.model.shown}
    assert sentences.search.text() == 'verdict:"outside the model"' and verdicts == {"outside the model"}
    assert driver.session.editor.line.text == IMPOSSIBLE
