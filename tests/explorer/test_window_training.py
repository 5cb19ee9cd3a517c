"""The training window by keys and mouse: a folder with a broken tree in it, and from there to a model in use."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

import engine
from engine.model.model import RUN_RECORD
from explorer.laboratory.survey import BROKEN, HEAD_RULES
from explorer.laboratory.training import BROKEN as BROKEN_COLUMN
from explorer.laboratory.training import TREES, WEIGHT, TrainingWindow
from tests.explorer.heart import Heart
from tests.explorer.window_driver import Driver
from tests.trained import CLASSROOM

LEFT, NO_KEY, ALT, CTRL = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
)
LOOSE = "(S (NP (NN tea)) loose (VP (VBZ cools)))"
MOST_WORK = 0.05
"""Seconds that the window's thread may work at a stretch."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the classroom's trees, and a broken one after them."""
    made = tmp_path / "bank"
    made.mkdir()
    (made / "a.mrg").write_text(CLASSROOM.read_text() + LOOSE + "\n")
    return made


@pytest.fixture
def window(driver: Driver) -> Iterator[TrainingWindow]:
    """The training window, opened by its keys."""
    QTest.keyClick(driver.window, Qt.Key.Key_J, CTRL)
    QTest.keyClick(driver.window, Qt.Key.Key_T)
    training = driver.window.features.laboratory.training
    driver.until(lambda: training.window is not None)
    assert training.window is not None
    assert QTest.qWaitForWindowActive(training.window, 5000)
    yield training.window
    assert not multiprocessing.active_children(), "a process was left behind"


def idle(driver: Driver, window: TrainingWindow) -> None:
    driver.until(lambda: not window.busy)
    driver.process_events()


def click(widget: QWidget) -> None:
    assert widget.isVisible() and widget.isEnabled()
    QTest.mouseClick(widget, LEFT, NO_KEY)


def cell(window: TrainingWindow, column: int, row: int = 0) -> str:
    item = window.sources.table.item(row, column)
    assert item is not None
    return item.text()


def drop(window: TrainingWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(50, 50), copy, data, LEFT, NO_KEY)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), copy, data, LEFT, NO_KEY))


def test_train_on_a_folder_leave_out_a_broken_tree_and_open_the_model(
    driver: Driver, window: TrainingWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    assert not window.train.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_O, ALT)
    driver.until(lambda: bool(window.sources.paths))
    idle(driver, window)
    assert (cell(window, TREES), cell(window, BROKEN_COLUMN)) == ("130", "1")
    # The broken tree, with its line and column, and its text with the place marked.
    window.tabs.setCurrentIndex(BROKEN)
    view = window.tabs.broken
    (row,) = view.rows_model.rows
    assert row.cells == ("a.mrg", "131", "18", "the word 'loose' stands inside (S …) without a tag")
    place = view.visualRect(view.model().index(0, 3)).center()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEY, place)
    QTest.mouseDClick(view.viewport(), LEFT, NO_KEY, place)
    driver.until(lambda: "▲" in window.tabs.place.toPlainText())
    text, mark = [line for line in window.tabs.place.toPlainText().splitlines() if "131" in line or "▲" in line][:2]
    assert text.index("loose") == mark.index("▲")
    # By key: it fails at the broken tree, and goes on without it.
    model = folder.parent / "bank.model"
    QTest.keyClick(window, Qt.Key.Key_T, ALT)
    driver.until(lambda: window.stop.isVisible())
    idle(driver, window)
    assert "line 131, column 18" in window.view.problem.text() and not model.exists()
    assert window.view.go_on.isVisible()
    click(window.view.go_on)
    idle(driver, window)
    assert "1 broken tree left out" in window.view.title.text() and "line 131" in window.view.log.toPlainText()
    shown = {row.cells[0]: row.cells[1] for row in window.view.summary.rows_model.rows if row.cells[0]}
    assert shown["sentences"] == "130 used of 131 trees" and "memory" in shown and "count tables" in shown
    assert engine.load(model).metadata[RUN_RECORD]["options"]["left_out_broken_trees"]
    QTest.keyClick(window, Qt.Key.Key_P, ALT)
    driver.until(lambda: driver.session.editor.document.model == str(model))
    driver.settle()
    assert driver.session.parses.model is not None
    assert driver.session.parses.model.metadata["corpora"] == ["bank"]
    assert driver.window.features.knowledge.link.sources() == [folder]
    driver.window.show_model()
    driver.process_events()
    shown_model = driver.window.summary.toPlainText()
    assert "1 × the word 'loose' stands inside (S …) without a tag" in shown_model
    assert "first: a.mrg, line 131, column 18" in shown_model and "memory" in shown_model
    driver.do("undo")
    driver.settle()
    assert driver.session.editor.document.model != str(model)


def test_weights_other_head_rules_and_removing(driver: Driver, window: TrainingWindow, tmp_path: Path) -> None:
    other = tmp_path / "other.ptb"
    other.write_text(LOOSE.replace("loose ", "") + "\n")
    drop(window, CLASSROOM)
    drop(window, other)
    drop(window, other)
    idle(driver, window)
    assert window.sources.paths == (str(CLASSROOM), str(other)) and window.sources.weights == ()
    table = window.sources.table
    for typed, kept in (("4", (1, 4)), ("no", ()), ("007", (1, 7))):
        item = table.item(1, WEIGHT)
        assert item is not None
        table.setCurrentItem(item)
        table.editItem(item)
        editor = QApplication.focusWidget()
        assert editor is not None
        QTest.keyClicks(editor, typed)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        driver.process_events()
        assert window.sources.weights == kept
    assert window.form.options(window.sources.paths, window.sources.weights).weights == (1, 7)
    rules = tmp_path / "rules.txt"
    rules.write_text("* right\n")
    window.form.rules.setFocus()
    QTest.keyClicks(window.form.rules, str(rules))
    QTest.keyClick(window.form.rules, Qt.Key.Key_Return)
    idle(driver, window)
    window.tabs.setCurrentIndex(HEAD_RULES)
    (row,) = window.tabs.rules.rows_model.rows
    assert row.cells[1] == "*  right" and row.cells[3] == "100.0 %"
    rules.write_text("")
    window.look()
    idle(driver, window)
    assert "there is no line for *" in window.tabs.note.text() and window.tabs.survey is None
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    idle(driver, window)
    chosen: list[object] = [*window.sources.paths, *window.sources.weights]
    assert chosen == [str(other), 7]


@pytest.mark.parametrize("moment", [0.1, 1.2])
def test_cancel_leaves_nothing_and_the_window_stays_alive(
    driver: Driver, window: TrainingWindow, folder: Path, temporary_files: Path, moment: float
) -> None:
    (folder / "a.mrg").write_text(CLASSROOM.read_text() * 40)
    window.sources.add([folder])
    idle(driver, window)
    window.form.fields["jobs"].setValue(2)
    window.form.fields["rerank"].setChecked(True)
    driver.process_events()
    heart = Heart()
    click(window.train)
    until = time.monotonic() + moment
    driver.until(lambda: time.monotonic() >= until)
    assert window.busy
    QTest.keyClick(window, Qt.Key.Key_C, ALT)
    idle(driver, window)
    assert heart.stop() < MOST_WORK
    assert window.view.title.text() == "Training was cancelled; nothing was written."
    assert [path.name for path in folder.parent.iterdir() if "model" in path.name] == []
    assert not list(temporary_files.glob("parse-explorer-*"))
    assert window.train.isEnabled() and not window.stop.isVisible()


def test_the_window_closes_by_key_and_comes_back_as_it_was(driver: Driver, window: TrainingWindow) -> None:
    drop(window, CLASSROOM)
    idle(driver, window)
    window.resize(1000, 650)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    driver.do("train-model")
    assert window.isVisible() and window.width() == 1000 and window.sources.paths == (str(CLASSROOM),)


def test_closing_the_main_window_ends_a_training(driver: Driver, window: TrainingWindow, folder: Path) -> None:
    (folder / "a.mrg").write_text(CLASSROOM.read_text() * 40)
    window.sources.add([folder])
    idle(driver, window)
    window.begin()
    driver.until(lambda: bool(multiprocessing.active_children()))
    driver.window.close()
    assert not multiprocessing.active_children()
    assert not (folder.parent / "bank.model").exists()
