"""The window of experiments, by keys and mouse: run, pause, stop, go on after a restart, export; and it stays alive."""

from __future__ import annotations

import csv
import io
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from engine.study.experiment_run import ExperimentRun, Supervision
from engine.study.experiments import ExperimentOptions
from engine.trees.head_rules import load_head_rules
from engine.trees.treebank import read_treebank
from explorer.kit.appearance import appearance
from explorer.laboratory import experiments as experiment_window
from explorer.laboratory.experiment_plot import plot_colours
from explorer.laboratory.experiments import ExperimentWindow
from explorer.pictures.theme import DARK
from explorer.session.document import TextLine
from tests.explorer.window_driver import LEFT, NO_KEY, Driver
from tests.trained import CLASSROOM
from tests.waiting import wait_until

MOST_BLOCKED = 0.05
"""Seconds of work for which the window may stand still."""


@pytest.fixture(autouse=True)
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own for what is measured."""
    folder = tmp_path / "journals"
    monkeypatch.setattr(experiment_window, "journal_folder", lambda: folder)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Some trees of the classroom."""
    return treebank(tmp_path / "small.ptb", 13)


def treebank(path: Path, every: int, times: int = 1) -> Path:
    trees = [tree.brackets() for tree in read_treebank([CLASSROOM])][::every]
    path.write_text("\n".join(trees * times) + "\n")
    return path


@pytest.fixture
def window(driver: Driver) -> Iterator[ExperimentWindow]:
    """The window, opened by its keys."""
    QTest.keyClick(driver.window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(driver.window, Qt.Key.Key_E)
    found = driver.window.features.laboratory.experiments.window
    assert found is not None and found.isVisible()
    assert QTest.qWaitForWindowActive(found, 5000)
    yield found


def click(widget: QWidget) -> None:
    assert widget.isVisible() and widget.isEnabled(), widget
    QTest.mouseClick(widget, LEFT, NO_KEY)


def choose(window: ExperimentWindow, row: int, test: Path) -> None:
    """Choose an experiment with the arrow keys, and type what to measure on."""
    window.form.experiments.setFocus()
    QTest.keyClick(window.form.experiments, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(window.form.experiments, Qt.Key.Key_Down)
    type_into(window.form.fields["test"], str(test))


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def says(window: ExperimentWindow, text: str) -> bool:
    return window.status.text() == text


def until(driver: Driver, done: Callable[[], bool]) -> None:
    """Wait until something is so; other processes must start for it, which takes its time on a busy machine."""
    driver.qtbot.waitUntil(done, timeout=90_000)


def ended(driver: Driver, window: ExperimentWindow) -> None:
    until(driver, lambda: not window.runner.running)


def answer_with(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a CSV file without figures of speed."""
    found = csv.DictReader(io.StringIO(text))
    return [{key: row[key] for key in row if "_per_" not in key} for row in found]


def test_table_three_fills_and_is_exported(
    driver: Driver, window: ExperimentWindow, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(window, 1, small)
    assert window.form.experiment.name == "models"
    for number in (0, 3, 4):
        click(window.form.fields["presets"].boxes[number])
    type_into(window.form.fields["lengths"], "40")
    assert window.status.text() == "2 trials."
    # The rows are there before anything is measured, the paper's beside them.
    shown = window.table.rows_model
    assert [row.kind for row in shown.rows[:6]] == ["ours", "paper", "difference"] * 2
    assert shown.rows[0].cells[3] == "-" and shown.rows[1].cells[3] == "85.4"
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert window.runner.running and not window.form.isEnabled()
    until(driver, lambda: window.runner.process_id is not None)
    ended(driver, window)
    assert window.status.text() == "Everything is measured."
    expected = ExperimentRun.open(window.runner.options or ExperimentOptions("", ()))
    table = expected.table(expected.measure(expected.journal(tmp_path / "other"), Supervision()))
    for ending in (".csv", ".tex", ".txt", ".svg", ".pdf"):
        path = tmp_path / f"written{ending}"
        answer_with(monkeypatch, path)
        window.ask_file(ending)
        until(driver, partial(says, window, f"Written to {path.name}."))
    assert rows((tmp_path / "written.csv").read_text()) == rows(table.csv())
    assert "tabular" in (tmp_path / "written.tex").read_text()
    assert "the paper (WSJ, section 23)" in (tmp_path / "written.txt").read_text()
    assert (tmp_path / "written.svg").read_text().startswith("<?xml")
    assert (tmp_path / "written.pdf").read_bytes().startswith(b"%PDF")
    # The plot is drawn, and its points tell their values.
    until(driver, lambda: window.plot.settled)
    assert not window.plot.image.isNull() and window.plot.image.size() == window.plot.size()
    x, y, text = window.plot.points[0]
    assert "recall (LR)" in text and "model (2)" in text
    assert window.plot.nearest(QPoint(round(x), round(y))) == 0 and window.plot.nearest(QPoint(0, 0)) == -1
    window.table.setFocus()
    QTest.keyClick(window.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().split("\n")
    assert copied[0].startswith("row\tmodel\ttags\t≤ 40 LR") and copied[2].startswith("the paper\t(2)")
    # In another theme it is drawn anew.
    appearance().theme = DARK
    until(driver, lambda: window.plot.settled)
    ground = window.plot.image.convertToFormat(QImage.Format.Format_RGB32).pixelColor(2, 2).name()
    assert ground == plot_colours(DARK)["background"]


def test_stopped_and_gone_on_with_after_a_restart(
    driver: Driver, window: ExperimentWindow, tmp_path: Path, classroom_path: Path
) -> None:
    # The fifth table, on enough trees to be stopped in the midst.
    trees = treebank(tmp_path / "many.ptb", 1, 8)
    choose(window, 3, trees)
    type_into(window.form.fields["beams"], "3 1000")
    click(window.start)
    until(driver, lambda: 0 in window.runner.results)
    click(window.pause)
    assert window.runner.paused and window.pause.text() == "Resume"
    click(window.pause)
    process = window.runner.process_id
    until(driver, lambda: 1 in window.runner.results)
    began = time.monotonic()
    click(window.stop)
    ended(driver, window)
    assert time.monotonic() - began < 5 and not lives(process)
    assert window.status.text() == "The experiment was stopped; what was measured is kept."
    until(driver, lambda: [(one.done, one.trials) for one in window.kept] == [(1, 2)])
    done = window.runner.results[0]
    # As after a restart: a window that knows nothing but the journals.
    window.shut_down()
    window.close()
    controller = driver.window.features.laboratory.experiments
    controller.window = None
    window.deleteLater()
    driver.do("experiments")
    again = controller.window
    assert again is not None and again is not window
    until(driver, lambda: again.begun.isVisible())
    assert "1 of 2 measured" in again.begun_list.item(0).text()
    click(again.again)
    until(driver, lambda: 0 in again.runner.results)
    # Measured before, and not once more: even its time is the same.
    assert again.runner.results[0] == done
    assert again.form.fields["beams"].text() == "3 1000" and again.form.experiment.name == "beam"
    ended(driver, again)
    assert again.runner.finished and again.status.text() == "Everything is measured."
    until(driver, lambda: bool(again.kept) and again.kept[0].finished)
    click(again.forget)
    until(driver, lambda: not again.kept)


def lives(process: int | None) -> bool:
    """Whether a process of the system's runs."""
    assert process is not None
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_window_stays_alive_and_leaves_nothing_behind(
    driver: Driver, window: ExperimentWindow, tmp_path: Path
) -> None:
    choose(window, 3, treebank(tmp_path / "many.ptb", 1, 30))
    window.form.fields["jobs"].setValue(2)
    until(driver, lambda: window.plot.settled)
    # By the work of this process between two moments in which the window answers: that of others is not its fault.
    blocked: list[float] = []
    last = time.process_time()

    def beat() -> None:
        nonlocal last
        now = time.process_time()
        blocked.append(now - last)
        last = now

    timer = QTimer(interval=2)
    timer.timeout.connect(beat)
    click(window.start)
    until(driver, lambda: window.runner.process_id is not None)
    last = time.process_time()
    timer.start()
    until(driver, lambda: bool(window.plot.points))
    timer.stop()
    assert len(blocked) > 20 and max(blocked) < MOST_BLOCKED, sorted(blocked)[-5:]
    process = window.runner.process_id
    workers = children(process)
    assert workers or not Path("/proc/self/task").exists() or window.form.fields["jobs"].maximum() == 1
    driver.window.close()
    # With the main window everything ends, the workers of the process too.
    assert not lives(process)
    wait_until(lambda: not any(map(lives, workers)), 5)


def children(process: int | None) -> list[int]:
    """The processes that a process has started, where the system tells."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for path in lists for number in path.read_text().split()]


def test_mistakes_drops_and_the_trees_of_the_list(driver: Driver, window: ExperimentWindow, small: Path) -> None:
    click(window.start)
    assert window.status.text() == "No treebank is chosen to measure on; name a file or folder of trees."
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(small))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(300, 300), copy, data, left, NO_KEY))
    QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), copy, data, left, NO_KEY))
    assert window.form.fields["test"].text() == str(small)
    type_into(window.form.fields["beams"], "many")
    assert "must be numbers" in window.status.text()
    type_into(window.form.fields["beams"], "1000")
    for wrong in ("inf", "nan", "40.5", "0"):
        window.form.fields["lengths"].setText(wrong)
        assert f"is a whole number of tokens, not ‘{wrong}’" in window.status.text()
    window.form.fields["lengths"].setText("100")
    window.form.fields["test"].setText("x" * 5000)
    assert window.status.text()
    window.form.fields["test"].setText(str(small))
    # The list has no gold tree, and then one.
    click(window.form.use_list)
    assert "gold tree" in window.status.text()
    tree = "(S (NP (NNP Mary)) (VP (VBD left)) (. .))"
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(tree)))
    click(window.form.use_list)
    assert Path(window.form.fields["test"].text()).read_text() == f"{tree}\n"
    # The first two tables need no model.
    window.form.experiments.setFocus()
    QTest.keyClick(window.form.experiments, Qt.Key.Key_Home)
    assert not window.form.fields["beams"].isVisible()
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    ended(driver, window)
    assert window.runner.finished and window.table.rows_model.rows[0].cells[2] == "100.0"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_results_that_cannot_be_kept_are_told(
    driver: Driver, window: ExperimentWindow, small: Path, journals: Path
) -> None:
    # A file stands where the folder of journals should be.
    journals.write_text("")
    choose(window, 0, small)
    click(window.start)
    ended(driver, window)
    assert window.runner.finished
    assert window.status.text().startswith("Everything is measured. But it could not be kept: ")


def test_experiments_on_the_same_list_keep_its_file_until_the_last_is_forgotten(
    driver: Driver, window: ExperimentWindow, journals: Path
) -> None:
    tree = "(S (NP (NNP Mary)) (VP (VBD left)) (. .))"
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(tree)))
    click(window.form.use_list)
    trees = Path(window.form.fields["test"].text())
    rules = journals.parent / "head_rules.txt"
    rules.write_text(load_head_rules().text + "\n", encoding="utf-8")
    for head_rules in (None, str(rules)):
        options = ExperimentOptions("distances", (str(trees),), head_rules=head_rules)
        ExperimentRun.open(options).journal(journals)
    window.refresh_kept()
    until(driver, lambda: len(window.kept) == 2)
    click(window.forget)
    until(driver, lambda: len(window.kept) == 1)
    assert trees.exists()
    click(window.forget)
    until(driver, lambda: not window.kept)
    assert not trees.exists()
