"""Verdicts, errors and cells of the error table are selected, and the inspector explains them, the headline first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from engine.common.characters import curly_quotes
from engine.common.numbers import log_text
from engine.explain.explanation import Explanation, TableBlock
from engine.explain.subjects import ErrorCellId, ErrorId, VerdictId, WordId
from engine.explain.verdicts import error_description, error_headline, verdict_headline
from engine.study.verdicts import VerdictKind
from explorer.compare.panel import BRACKETS, ERRORS, GOLD_TREE
from explorer.compare.sides import RankedParse
from explorer.stages.stages import STAGES
from tests.explorer.compare_driver import EVERYDAY, HIGH, IMPOSSIBLE, LOST, compared, open_bank, show
from tests.explorer.window_driver import LEFT, NO_KEY, Driver

pytestmark = pytest.mark.usefixtures("paper_model")


def page(driver: Driver) -> Explanation:
    """What the inspector shows now."""
    driver.process_events()
    return driver.window.inspector.explanation


def cells(shown: Explanation) -> list[str]:
    """Every cell of every table of a page."""
    tables = [block for block in shown.blocks if isinstance(block, TableBlock)]
    return [cell for table in tables for row in table.rows for cell in row]


def test_a_click_on_the_verdict_opens_its_page(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    assert comparison.verdict is not None and comparison.verdict.kind is VerdictKind.MODEL
    panel = driver.window.features.comparison.panel
    QTest.mouseClick(panel.verdict, LEFT, NO_KEY, panel.verdict.rect().center())
    assert driver.session.view.selection == VerdictId()
    shown, told = page(driver), verdict_headline(comparison.verdict)
    assert shown.title == "Verdict: model error" and shown.headline == told
    assert shown.text().split("\n\n")[1] == told.text
    # The price, both log probabilities, the brackets and the error.
    numbers = (comparison.verdict.nats, comparison.first.log_probability, comparison.second.log_probability)
    assert {"price of the gold tree", *(log_text(one, 3) for one in numbers), "PP attachment"} <= set(cells(shown))
    # A screen reader hears the same, at the inspector and at the verdict itself.
    spoken = curly_quotes(told.text.replace("\n- ", "\n"))
    assert panel.verdict.accessibleDescription() == spoken
    assert driver.window.inspector.view.accessibleDescription() == f"Verdict: model error\n{spoken}"


def test_without_a_mouse_the_verdict_is_explained_by_button_and_key(driver: Driver) -> None:
    show(driver, HIGH)
    panel, view = driver.window.features.comparison.panel, driver.session.view
    panel.why.setFocus()
    QTest.keyClick(panel.why, Qt.Key.Key_Space)
    assert view.selection == VerdictId()
    view.select(None)
    driver.do("explain-verdict")
    assert view.selection == VerdictId() and page(driver).title.startswith("Verdict")


def test_a_search_error_shows_what_was_lost_and_the_beam_that_keeps_it(driver: Driver) -> None:
    driver.session.editor.set_settings(literal_beam=True, beam=3.0, further_backoff=False)
    comparison = show(driver, LOST)
    assert comparison.verdict is not None and comparison.verdict.losses
    driver.session.view.select(VerdictId())
    shown = page(driver)
    assert "β that keeps it" in cells(shown) and "4.88" in cells(shown)
    first = comparison.verdict.losses[0]
    assert any(cell.startswith(f"{first.label} (") for cell in cells(shown)) and first.pruning_reason in cells(shown)
    # After the repair the page follows the new verdict.
    driver.do("keep-gold")
    compared(driver)
    assert page(driver).title == "Verdict: right"


def test_outside_the_model_says_what_was_never_seen(driver: Driver) -> None:
    comparison = show(driver, IMPOSSIBLE)
    assert comparison.verdict is not None and comparison.verdict.kind is VerdictKind.OUTSIDE
    driver.session.view.select(VerdictId())
    shown = page(driver)
    causes = {str(one.cause) for one in comparison.verdict.impossibilities}
    assert causes <= set(cells(shown)) and any("never seen" in cause for cause in causes)


def test_an_error_and_its_brackets_have_pages(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    tables, view = driver.window.features.comparison.panel.tables, driver.session.view
    tables.setCurrentIndex(ERRORS)
    tables.errors.selectRow(0)
    assert view.selection == ErrorId(0)
    shown, error = page(driver), comparison.mistakes[0]
    assert shown.headline == error_headline(error) and shown.title == "PP attachment: with the telescope"
    text = shown.text()
    assert "A prepositional phrase hangs on the wrong word" in text.replace(": a prep", ": A prep")
    assert "Kummerfeld" in text
    assert {"missing", "extra"} & set(cells(shown))
    # What is asked about the word of an error is asked as before.
    assert driver.window.features.comparison.panel.force.text() == "Force with → saw"
    tables.setCurrentIndex(BRACKETS)
    rows = tables.brackets.rows_model.rows
    assert len(rows) == len(comparison.trees.missing) + len(comparison.trees.extra) > 0
    assert tables.tabText(BRACKETS) == f"Brackets ({len(rows)})"
    for number in range(len(rows)):
        tables.brackets.selectRow(number)
        assert view.selection == rows[number].id
        bracket = page(driver)
        assert bracket.headline is not None and rows[number].cells[1] in bracket.headline.sentence
        assert error_description(error).rstrip(".") in bracket.headline.reasons[0]
    # An error that another comparison has not leaves the parse.
    view.select(ErrorId(99))
    assert page(driver).title == "This parse"


def test_words_of_an_error_are_lit_in_the_pictures(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    driver.session.view.select(ErrorId(0))
    driver.process_events()
    lit = driver.window.features.comparison.comparisons.selected_words
    tokens = comparison.trees.second.words
    error = comparison.mistakes[0]
    assert [comparison.first.sentence.proper_words[word] for word in lit] == list(tokens[error.start : error.end])
    driver.session.view.select(WordId(0))
    assert driver.window.features.comparison.comparisons.selected_words == ()


def test_two_parses_without_a_verdict_are_explained_by_what_differs(driver: Driver) -> None:
    driver.window.features.comparison.show()
    comparison = compared(driver)
    assert comparison.verdict is None
    driver.window.features.comparison.panel.why.click()
    shown = page(driver)
    assert shown.headline is not None and "with → saw instead of man" in shown.headline.sentence
    assert "PP attachment" in cells(shown)


def test_the_gold_tree_can_be_looked_at_while_the_verdict_is_explained(driver: Driver) -> None:
    show(driver, HIGH)
    driver.session.view.select(VerdictId())
    driver.window.features.comparison.panel.pictures.setCurrentIndex(GOLD_TREE)
    driver.do("compare")
    for stage in STAGES:
        driver.go(stage.name)
        driver.settle()
        assert page(driver).title.startswith("Verdict")


@pytest.mark.parametrize("header", (False, True))
def test_cells_rows_and_columns_of_the_error_table_have_pages(driver: Driver, header: bool) -> None:
    open_bank(driver, EVERYDAY)
    driver.do("error-table")
    errors, view = driver.window.features.comparison.errors, driver.session.view
    errors.judge()
    driver.until(lambda: not errors.busy)
    table = errors.model.table
    assert table is not None and table.kinds and table.verdicts
    (kind, verdict), cell = max(table.cells.items(), key=lambda item: item[1].count)
    row, column = table.kinds.index(kind), table.verdicts.index(verdict)
    if header:
        errors.view.verticalHeader().sectionClicked.emit(row)
        assert view.selection == ErrorCellId(kind, "")
        assert page(driver).headline is not None and str(table.rows[kind].count) in cells(page(driver))
        errors.view.horizontalHeader().sectionClicked.emit(column)
        assert view.selection == ErrorCellId("", verdict)
        shown = page(driver)
        assert shown.headline is not None and f"the verdict “{verdict}”" in shown.headline.sentence
        return
    place = errors.view.visualRect(errors.model.index(row, column)).center()
    QTest.mouseClick(errors.view.viewport(), LEFT, NO_KEY, place)
    driver.until(lambda: driver.session.editor.document.current + 1 in cell.sentences)
    driver.settle()
    # The list went to the first of the sentences, and the cell is still explained.
    assert view.selection == ErrorCellId(kind, verdict)
    shown = page(driver)
    assert shown.headline is not None and shown.headline.sentence.lower().startswith(kind.lower())
    assert str(cell.count) in shown.headline.sentence and str(cell.missing) in cells(shown)
    # The next sentence is explained itself.
    driver.do("next-sentence")
    driver.settle()
    assert view.selection is None and page(driver).title == "This parse"


def test_the_second_best_is_named_by_what_differs_wherever_it_stands(driver: Driver) -> None:
    driver.window.features.comparison.show()
    comparison = compared(driver)
    name = "Second best: with → saw instead of man"
    panel = driver.window.features.comparison.panel
    assert comparison.names == ("Model’s best", name) and panel.second.currentText() == name
    assert name in panel.canvas.text_twin
    model = panel.tables.ledger.rows_model
    header = [model.headerData(one, Qt.Orientation.Horizontal) for one in range(model.columnCount())]
    assert name in header
    driver.do("copy-comparison")
    assert name.upper() in QGuiApplication.clipboard().text()
    assert [RankedParse(rank).title for rank in (2, 4, 21)] == ["Second best", "4th best", "21st best"]
