"""No exception is lost: whatever raises is told in the window, what a person did stays, and a report is offered."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from explorer.kit.actions import Action, collected
from explorer.kit.tasks import Job, Worker
from explorer.window import actions
from explorer.window.crash_reports import MOST_OF_ONE_RUN, CrashReports
from tests.explorer.window_driver import Driver

OFFERED = "what you did is kept, and Help > Show crash report … has what a report of it needs"


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[CrashReports]:
    """Reports as the program has them; the test begins them, for pytest-qt takes over what a fixture has set."""
    shown, shown_in_thread = sys.excepthook, threading.excepthook
    made = CrashReports(tmp_path / "reports")
    yield made
    made.stop()
    sys.excepthook, threading.excepthook = shown, shown_in_thread


def begin(reports: CrashReports, driver: Driver) -> list[tuple[str, bool]]:
    """Catch whatever goes wrong, and give what is said of it."""
    said: list[tuple[str, bool]] = []
    driver.session.messages.posted.connect(lambda text, is_error: said.append((text, is_error)))
    sys.excepthook = lambda *_: None
    threading.excepthook = lambda _: None
    reports.start()
    reports.show_in(driver.session.messages)
    return said


def test_whatever_action_raises_it_is_told_and_nothing_is_lost(
    qtbot: QtBot, classroom_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: CrashReports
) -> None:
    """All actions of the window, menus, keys and palette, go wrong."""

    def failing(entry: Action) -> Callable[..., object]:
        def fail(*_: object) -> None:
            raise ValueError(entry.name)

        return fail

    def all_failing(owners: Iterable[object]) -> Iterator[tuple[Action, Callable[..., object]]]:
        for entry, _ in collected(owners):
            yield entry, failing(entry)

    monkeypatch.setattr(actions, "collected", all_failing)
    driver = Driver(qtbot, tmp_path / "home")
    driver.load(classroom_path)
    said = begin(seen, driver)
    before = driver.session.editor.document
    tried = 0
    for one in driver.window.named_actions.all():
        said.clear()
        one.setEnabled(True)
        one.trigger()
        driver.process_events()
        sentence = f"something went wrong inside the program (ValueError: {one.objectName()}); {OFFERED}"
        assert said[:1] == [(sentence, True)], one.objectName()
        assert driver.window.isVisible() and driver.session.editor.document == before
        tried += 1
    assert tried > 140
    assert len(seen.files()) == MOST_OF_ONE_RUN
    driver.close()


@pytest.mark.parametrize("where", ["a slot", "a thread", "a task", "its result", "its end"])
def test_an_exception_anywhere_is_told(driver: Driver, seen: CrashReports, where: str) -> None:
    said = begin(seen, driver)
    ended: list[bool] = []

    def fail(*_: object) -> None:
        raise KeyError(where)

    def finish() -> None:
        ended.append(True)
        if where == "its end":
            fail()

    def work(job: Job) -> None:
        if where == "a task":
            fail()

    worker = Worker("failing")
    match where:
        case "a slot":
            QTimer.singleShot(0, fail)
        case "a thread":
            thread = threading.Thread(target=fail)
            thread.start()
            thread.join()
        case _:
            show = driver.session.messages.show_error
            worker.request(work, fail if where == "its result" else lambda result: None, show, on_finished=finish)
    driver.until(lambda: bool(said))
    assert said == [(f"something went wrong inside the program (KeyError: '{where}'); {OFFERED}", True)]
    assert len(seen.files()) == 1
    if where in ("a task", "its result", "its end"):
        driver.until(lambda: bool(ended))
    worker.stop()


def test_what_goes_wrong_again_and_again_is_told_once_and_a_refusal_is_no_fault(
    driver: Driver, seen: CrashReports
) -> None:
    said = begin(seen, driver)

    def fail(error: Exception) -> None:
        raise error

    for _ in range(20):
        QTimer.singleShot(0, lambda: fail(ValueError("painted")))
    driver.until(lambda: bool(said))
    driver.process_events()
    assert len(said) == 1
    said.clear()
    reports = len(seen.files())
    QTimer.singleShot(0, lambda: fail(EngineError("there is no such word")))
    driver.until(lambda: bool(said))
    assert said == [("there is no such word", True)] and len(seen.files()) == reports


@pytest.mark.parametrize("text", ["( ( (", "(S (NP", "( ( ( a b", "(S (NP (DT the"])
def test_a_broken_tree_before_there_is_a_model_is_told_and_stays(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    driver = Driver(qtbot, tmp_path / "home")
    assert driver.session.parses.model is None
    bar = driver.window.sentence_bar
    bar.edit.setPlainText(text)
    QTest.keyClick(bar.edit, Qt.Key.Key_Return)
    driver.process_events()
    assert bar.problem.isVisible() and "The text, line 1, column" in bar.problem.text()
    assert bar.edit.toPlainText() == text == driver.session.editor.line.text
    driver.close()
