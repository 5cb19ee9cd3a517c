"""Search by structure with keys and mouse: a pattern is typed, matches are gone through and marked in the pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from engine.explain.subjects import NodeId, WordId
from explorer.laboratory.search import ListMatch
from explorer.laboratory.search_panel import COUNTS, HELP, SearchPanel
from explorer.session.document import TextLine
from tests.explorer.window_driver import LEFT, NO_KEY, Driver

WITH_MAN = (
    "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
)
WITH_SAW = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
SLEPT = "(S (NP (NNP John)) (VP (VBD slept) (PP (IN in) (NP (DT the) (NN park)))) (. .))"


def chord(driver: Driver, keys: str) -> None:
    """Press the keys of an action, one after the other, wherever the focus is."""
    for step in keys.split(", "):
        QTest.keySequence(driver.window.focusWidget() or driver.window, QKeySequence(step))


def opened(driver: Driver, *texts: str) -> SearchPanel:
    """Put trees into the list and open the panel by its keys."""
    driver.session.editor.add_lines([TextLine(text) for text in texts])
    driver.settle()
    chord(driver, "Ctrl+J, F")
    panel = driver.window.features.laboratory.search.panel
    assert panel.isVisible() and driver.window.focusWidget() is panel.field.edit
    return panel


def search(driver: Driver, panel: SearchPanel, pattern: str) -> list[ListMatch]:
    """Type a pattern and wait for all that is found."""
    panel.field.edit.selectAll()
    QTest.keyClicks(panel.field.edit, pattern)
    QTest.keyClick(panel.field.edit, Qt.Key.Key_Return)
    driver.until(lambda: not panel.busy)
    return panel.matches


def test_a_typed_pattern_is_found_and_gone_through_by_keys(driver: Driver) -> None:
    panel = opened(driver, WITH_SAW, SLEPT, WITH_MAN)
    found = search(driver, panel, "PP > (VP < /^VB/=verb)")
    assert [match.found.line - 1 for match in found] == [1, 2]
    assert panel.summary.text() == "2 matches in 2 of 3 trees."
    first = panel.table.rows_model.index(0, 0)
    cells = [panel.table.rows_model.data(first.siblingAtColumn(column)) for column in range(5)]
    assert cells == ["2", "Mary saw the man", "with the telescope", ".", "verb: VBD saw"]
    chord(driver, "Ctrl+J, N")
    driver.settle()
    view, document = driver.session.view, driver.session.editor
    assert document.document.current == 1 and panel.table.currentIndex().row() == 0
    chord(driver, "Ctrl+J, N")
    driver.settle()
    assert document.document.current == 2 and view.selection == NodeId(2, 5, "PP", 2)
    drawing = driver.canvas.drawing
    assert drawing is not None and "found: PP over in the park" in drawing.text_twin
    assert "=verb: VBD over slept" in drawing.text_twin
    chord(driver, "Ctrl+J, P")
    driver.settle()
    assert document.document.current == 1
    # Another sentence has no marks of this one.
    document.choose(3)
    driver.settle()
    assert view.found is None


def test_a_wrong_pattern_is_told_at_its_column_and_nothing_is_lost(driver: Driver) -> None:
    panel = opened(driver, WITH_SAW)
    search(driver, panel, "PP > VP")
    assert len(panel.matches) == 1
    search(driver, panel, "PP > (VP < NP] x")
    assert panel.field.problem.isVisible() and panel.field.problem.text().startswith("Column 14:")
    assert panel.field.text == "PP > (VP < NP] x" and len(panel.matches) == 1
    panel.field.set_text("PP > VP")
    assert not panel.field.problem.isVisible()


def test_missing_ones_are_found_by_parsing_and_shown_in_compare(driver: Driver) -> None:
    panel = opened(driver, WITH_SAW, SLEPT)
    assert driver.session.statuses.get(TextLine(SLEPT)) is None
    panel.place.setCurrentIndex(panel.place.findText("Missing in the parses"))
    found = search(driver, panel, "PP > VP")
    parsed = driver.session.statuses[TextLine(SLEPT)]
    assert "(PP (IN in)" in parsed.tree
    shown = driver.session.statuses[TextLine(WITH_SAW)].tree
    assert len(found) == (0 if "(VP (VBD saw) (NP (DT the) (NN man)) (PP" in shown else 1)
    panel.place.setCurrentIndex(panel.place.findText("Gold trees"))
    search(driver, panel, "PP > VP")
    place = panel.table.visualRect(panel.table.rows_model.index(0, 2)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, NO_KEY, place)
    driver.settle()
    driver.do("compare")
    comparison = driver.window.features.comparison
    driver.until(lambda: comparison.panel.settled and comparison.comparisons.comparison is not None)
    drawing = comparison.panel.canvas.drawing
    assert drawing is not None and "found: PP over with the telescope" in drawing.text_twin


def test_a_node_of_the_picture_becomes_a_pattern(driver: Driver) -> None:
    panel = opened(driver, SLEPT, WITH_SAW)
    driver.session.editor.choose(1)
    driver.settle()
    menu = driver.window.stages.menu_of(NodeId(2, 5, "PP", 2))
    titles = [action.text() for action in menu.actions()]
    wanted = [title for title in titles if title.startswith("Find constituents like this: ")]
    patterns = [title.partition(": ")[2] for title in wanted]
    assert patterns == ["PP > VP", "PP < IN < NP", "PP <<# in"]
    for pattern in patterns:
        next(action for action in menu.actions() if action.text().endswith(pattern)).trigger()
        driver.until(lambda: not panel.busy)
        assert panel.field.text == pattern
        # The node itself is always found again.
        assert any(match.found.line == 2 and match.inside == "in the park" for match in panel.matches)
    menu.deleteLater()
    driver.session.view.select(WordId(1))
    chord(driver, "Ctrl+J, L")
    driver.until(lambda: not panel.busy)
    assert panel.field.text == "VBD < slept" and len(panel.matches) == 1


def test_examples_and_history_are_at_hand(driver: Driver) -> None:
    panel = opened(driver, SLEPT)
    search(driver, panel, "NP")
    panel.field.fill_menu()
    titles = [action.text() for action in panel.field.menu.actions()]
    assert titles[0] == "NP" and any(title.startswith("PP > VP\t") for title in titles)
    assert panel.field.remembered == ["NP"]
    panel.tabs.setCurrentIndex(HELP)
    place = panel.help.visualRect(panel.help.model().index(0, 0)).center()
    QTest.mouseClick(panel.help.viewport(), LEFT, NO_KEY, place)
    driver.until(lambda: not panel.busy)
    assert panel.field.text == "PP > VP" and panel.tabs.currentIndex() != HELP
    rows = [row.cells[0] for row in panel.help.rows_model.rows]
    assert "A < B" in rows and "A <<# B" in rows


def counts(panel: SearchPanel) -> list[tuple[object, ...]]:
    view = panel.counts.table
    return [view.values(row)[:2] for row in range(view.rows_model.rowCount())]


def test_counts_follow_the_choice(driver: Driver) -> None:
    panel = opened(driver, SLEPT, WITH_SAW, WITH_MAN)
    search(driver, panel, "VP < /^VB/=verb < PP")
    panel.tabs.setCurrentIndex(COUNTS)
    driver.until(lambda: not panel.busy)
    assert panel.counts.choice == ("verb", "label")
    assert counts(panel) == [("VBD", 2)]
    panel.counts.way.setCurrentIndex(1)
    panel.counts.way.activated.emit(1)
    driver.until(lambda: not panel.busy)
    assert counts(panel) == [("saw", 1), ("slept", 1)]
    assert panel.counts.table.rows_model.rows[0].cells[:2] == ("saw", "1")


def test_a_pattern_can_be_read_beside_the_error_table(driver: Driver) -> None:
    driver.window.resize(1280, 800)
    driver.do("error-table")
    driver.do("search-structure")
    driver.process_events()
    panel = driver.window.findChild(SearchPanel)
    assert panel is not None
    edit = panel.field.edit
    assert edit.fontMetrics().horizontalAdvance("PP > (VP < /^VB/)") < edit.width() - 20
    # Nor is a button narrower than its title.
    shown = [button for button in driver.window.findChildren(QPushButton) if button.isVisible()]
    assert shown and all(button.width() >= button.sizeHint().width() for button in shown)
    assert all(button.minimumSizeHint().width() >= button.sizeHint().width() for button in shown)
