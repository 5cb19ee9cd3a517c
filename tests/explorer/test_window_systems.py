"""Systems compared in the window: fields, running, tables, the plot, and opening a sentence in Compare."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.explain.subjects import PointId
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank
from explorer.compare.sides import GoldTree, OtherTree, SystemParse
from explorer.laboratory.system_results import ERRORS, LEFT_OUT, LENGTHS, MEASURES, PAIRS, SCATTER, SENTENCES
from explorer.laboratory.system_setup import RowState
from explorer.laboratory.systems import SystemWindow
from tests.explorer.compare_driver import EVERYDAY, compared
from tests.explorer.window_driver import LEFT, NO_KEY, Driver

TREES = 12


@pytest.fixture
def bank(driver: Driver, tmp_path: Path) -> list[Tree]:
    """The first trees of a treebank, in the list."""
    trees = [tree for tree in read_treebank([EVERYDAY]) if isinstance(tree, Tree)][:TREES]
    file = tmp_path / "bank.ptb"
    file.write_text("\n".join(tree.brackets() for tree in trees) + "\n", encoding="utf-8")
    driver.session.editor.clear_lines()
    driver.window.files.open_path(file)
    driver.until(lambda: len(driver.session.editor.document.lines) == TREES and not driver.session.tasks.busy)
    driver.settle()
    return trees


@pytest.fixture
def theirs(bank: list[Tree], tmp_path: Path) -> Path:
    """Another parser's trees: as gold but for a label, a token and a sentence without a parse."""
    lines = [tree.brackets() for tree in bank]
    lines[1] = lines[1].replace("(NP", "(XP", 1)
    lines[3] = lines[3].replace("(. .)", "(. .) (. !)")
    lines[5] = "()"
    path = tmp_path / "theirs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def window(driver: Driver, bank: list[Tree]) -> Iterator[SystemWindow]:
    """The window of systems, over a list of gold trees."""
    driver.do("systems")
    made = driver.window.features.laboratory.systems.window
    assert QTest.qWaitForWindowActive(made, 5000)
    made.setup.fields["jobs"].setValue(1)
    made.setup.fields["resamples"].setValue(200)
    yield made
    made.cancel()
    driver.until(lambda: not made.busy)


def test_all_fields_fit_into_the_width_of_a_small_screen(window: SystemWindow) -> None:
    assert window.minimumSizeHint().width() <= 1024


def _compare(driver: Driver, window: SystemWindow) -> None:
    # What came in between may have taken the keys away from it.
    window.activateWindow()
    driver.until(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    driver.until(lambda: not window.busy)
    driver.process_events()
    assert window.results.report is not None, window.status.text()


def _plotted(driver: Driver, window: SystemWindow) -> None:
    window.results.tabs.setCurrentIndex(SCATTER)
    driver.process_events()
    driver.until(lambda: window.results.plot.settled and window.results.plot.canvas.drawing is not None)
    driver.process_events()


def _place(window: SystemWindow, id: PointId) -> QPoint:
    canvas = window.results.plot.canvas
    assert canvas.drawing is not None
    return canvas.mapFromScene(*canvas.drawing.regions[id].bounds.centre)


def _point_at(window: SystemWindow, place: QPoint) -> None:
    """Move the mouse over the plot; without a screen a cursor is over the first window alone."""
    view = window.results.plot.canvas.viewport()
    where = QPointF(place)
    kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    QApplication.sendEvent(view, QMouseEvent(kind, where, view.mapToGlobal(where), none, none, NO_KEY))


def test_two_presets_and_another_parser_are_compared(driver: Driver, window: SystemWindow, theirs: Path) -> None:
    assert [row.name.text() for row in window.setup.rows] == ["classroom (5)", "classroom (3)"]
    assert "12 gold trees" in window.setup.treebank.itemText(0)
    window.setup.add(RowState(trees=str(theirs)))
    _compare(driver, window)
    results = window.results
    assert results.report is not None
    assert results.report.names == ("classroom (5)", "classroom (3)", "theirs")
    # The sentence with another token is left out of all, and told token by token.
    assert len(results.report.rows) == TREES - 1
    left = results.views[LEFT_OUT].rows_model.rows
    assert [row.cells[:5] for row in left] == [("4", "theirs", left[0].cells[2], "nothing", "!")]
    assert results.tabs.tabText(LEFT_OUT) == "Left out (1)"
    assert results.views[MEASURES].rows_model.rowCount() == 3
    assert results.views[PAIRS].rows_model.rowCount() == 3 * 5
    assert results.views[LENGTHS].rows_model.rowCount() >= 1
    assert results.views[ERRORS].rows_model.rowCount() >= 1
    assert results.pair_box.count() == 3
    results.pair_box.setCurrentIndex(1)
    results.pair_box.activated.emit(1)
    # Eleven sentences are too few to tell.
    assert "theirs is ahead of classroom (5) by 12.0 points of F1" in results.answer.text()
    assert "cannot tell which" in results.answer.text()
    assert "95 % interval" in results.answer.text()
    assert "chance alone" in results.answer.text()
    # Who wins which sentences can be listed.
    test = results.report.pairs[1].f1
    for choice, count in enumerate((TREES - 1, test.wins, test.losses, test.ties)):
        results.shown.setCurrentIndex(choice)
        results.shown.activated.emit(choice)
        assert results.sentences.rows_model.rowCount() == count
    results.shown.setCurrentIndex(0)
    results.shown.activated.emit(0)
    results.sentences.sortByColumn(5, Qt.SortOrder.AscendingOrder)
    listed = [results.sentences.values(at) for at in range(TREES - 1)]
    assert [row[5] for row in listed] == [row[2] - row[4] for row in listed] == sorted(row[5] for row in listed)


def test_a_point_opens_in_compare(driver: Driver, window: SystemWindow, theirs: Path) -> None:
    window.setup.remove(1)
    window.setup.add(RowState(trees=str(theirs)))
    _compare(driver, window)
    _plotted(driver, window)
    plot, report = window.results.plot, window.results.report
    assert report is not None
    assert sum(len(point.sentences) for point in plot.points) == TREES - 1
    number = next(at for at, point in enumerate(plot.points) if len(point.sentences) == 1)
    only = plot.points[number].sentences[0]
    place = _place(window, PointId(number))
    _point_at(window, place)
    assert only.words in plot.about.text()
    QTest.mouseClick(plot.canvas.viewport(), LEFT, NO_KEY, place)
    assert driver.window.workspaces.compares
    assert driver.session.editor.document.current == only.number - 1
    found = compared(driver)
    assert [type(side) for side in (found.request.first, found.request.second)] == [SystemParse, OtherTree]
    assert found.titles == ("classroom (5)", "theirs")
    gold = next(row.gold for row in report.rows if row.number == only.number)
    assert found.second.tree.words() == gold.words()
    # Against gold, by the keyboard, from the table.
    driver.do("systems")
    window.results.tabs.setCurrentIndex(SENTENCES)
    window.results.opens.setCurrentIndex(2)
    window.results.sentences.setFocus()
    window.results.choose(2)
    QTest.keyClick(window.results.sentences, Qt.Key.Key_Return)
    assert driver.session.editor.document.current == 1
    found = compared(driver)
    assert [type(side) for side in (found.request.first, found.request.second)] == [OtherTree, GoldTree]
    assert found.mistakes


def test_points_are_walked_through_by_keys(driver: Driver, window: SystemWindow, theirs: Path) -> None:
    window.setup.remove(1)
    window.setup.add(RowState(trees=str(theirs)))
    _compare(driver, window)
    _plotted(driver, window)
    canvas = window.results.plot.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    first = window.results.plot.about.text()
    assert "entence" in first
    assert first.split("   ")[0] in canvas.accessibleName()
    walked = {first}
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(canvas, key)
        walked.add(window.results.plot.about.text())
    assert len(walked) > 1
    assert "is better in" in canvas.text_twin
    # A point of several sentences asks which; all of them can be listed.
    number = max(range(len(window.results.plot.points)), key=lambda at: len(window.results.plot.points[at].sentences))
    many = window.results.plot.points[number].sentences
    assert len(many) > 1
    menu = window.results.plot.menu(PointId(number))
    assert [action.text().split()[0] for action in menu.actions()[: len(many)]] == [str(one.number) for one in many]
    menu.actions()[-1].trigger()
    assert [int(row.cells[0]) for row in window.results.sentences.rows_model.rows] == [one.number for one in many]


def test_a_comparison_can_be_cancelled(driver: Driver, window: SystemWindow) -> None:
    window.setup.fields["jobs"].setValue(2)
    window.compare()
    assert window.run.text() == "Cancel"
    assert driver.session.tasks.busy
    QTest.keyClick(window, Qt.Key.Key_Escape)
    driver.until(lambda: not window.busy)
    assert "cancelled" in window.status.text()
    assert window.results.report is None
    assert window.run.text() == "Compare"
    assert window.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.parametrize(
    ("text", "said"),
    [("(S (NP (NNP Mary", "theirs.txt"), ("no trees at all\n", "theirs.txt"), (None, "no such file")],
)
def test_a_broken_file_says_what_is_wrong(
    driver: Driver, window: SystemWindow, tmp_path: Path, text: str | None, said: str
) -> None:
    path = tmp_path / "theirs.txt"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    window.setup.remove(1)
    window.setup.add(RowState(trees=str(path)))
    window.compare()
    driver.until(lambda: not window.busy)
    assert said in window.status.text()
    assert window.results.report is None


def test_fields_that_are_not_right_are_told_at_once(driver: Driver, window: SystemWindow) -> None:
    window.setup.rows[0].fields["beam"].setText("wide")
    window.compare()
    assert "β is a number greater than 1" in window.status.text()
    window.setup.rows[0].fields["beam"].setText("100")
    window.setup.duplicate(0)
    assert window.setup.rows[1].name.text() == "classroom (5) 2"
    window.setup.remove(2)
    window.setup.remove(1)
    window.compare()
    driver.until(lambda: not window.busy)
    assert "two systems or more" in window.status.text()


def test_a_parser_can_be_added_while_a_field_is_wrong(driver: Driver, window: SystemWindow) -> None:
    rows = window.setup.rows
    rows[0].fields["beam"].setText("wide")
    window.setup.duplicate(0)
    window.setup.duplicate(len(rows))
    presets = [row.fields.value("preset") for row in rows]
    assert len(rows) == 4 and presets[1:] == [presets[2]] * 3


def _written(driver: Driver, window: SystemWindow, name: str) -> None:
    driver.until(lambda: window.status.text() == f"Written to {name}.")


def test_tables_and_the_plot_are_written(driver: Driver, window: SystemWindow, tmp_path: Path) -> None:
    _compare(driver, window)
    results = window.results
    for tab in (MEASURES, PAIRS, LENGTHS, ERRORS, SENTENCES):
        results.tabs.setCurrentIndex(tab)
        for suffix in (".csv", ".tex", ".txt"):
            window.export_table(tmp_path / f"table{tab}{suffix}")
            _written(driver, window, f"table{tab}{suffix}")
    with (tmp_path / f"table{SENTENCES}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["sentence"]) for row in rows] == list(range(1, TREES + 1))
    assert r"\begin{tabular}" in (tmp_path / f"table{PAIRS}.tex").read_text(encoding="utf-8")
    for suffix, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        window.export_plot(tmp_path / f"plot{suffix}")
        assert (tmp_path / f"plot{suffix}").read_bytes().startswith(start)
    window.export_all(tmp_path / "all.json")
    _written(driver, window, "all.json")
    assert json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["sentences"] == TREES
    window.export_all(tmp_path / "all.txt")
    _written(driver, window, "all.txt")
    assert results.answer.text() in (tmp_path / "all.txt").read_text(encoding="utf-8")
    window.export_plot(tmp_path / "missing" / "plot.svg")
    assert "missing" in window.status.text()
    window.export_all(tmp_path / "lacking" / "all.json")
    driver.until(lambda: "lacking" in window.status.text())


def test_a_file_of_trees_is_attached_to_the_list(driver: Driver, theirs: Path) -> None:
    driver.window.features.laboratory.systems.attach(theirs)
    driver.until(lambda: "theirs" in driver.window.features.comparison.comparisons.others)
    driver.session.editor.choose(1)
    found = compared(driver)
    assert found.titles == ("theirs", "Gold tree")
    assert found.mistakes
    # What cannot be compared is told, token by token.
    assert "token" in driver.window.stages.banner.text.text()


def test_traces_of_attached_trees_do_not_hide_them(driver: Driver, bank: list[Tree], tmp_path: Path) -> None:
    lines = [tree.brackets() for tree in bank]
    lines[1] = lines[1].replace("(NP", "(NP-SBJ (-NONE- *)) (NP", 1)
    path = tmp_path / "traces.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    driver.session.editor.choose(1)
    driver.window.features.laboratory.systems.attach(path)
    driver.until(lambda: "traces" in driver.window.features.comparison.comparisons.others)
    found = compared(driver)
    assert found.titles == ("traces", "Gold tree") and not found.mistakes
