"""The whole course presented by keys: every step shown, every question answered and revealed, the tally right."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.common.resources import resources_folder
from explorer.classroom.lesson_file import read_lesson
from explorer.classroom.presenter import PresenterWindow
from explorer.classroom.question_view import QuestionView
from tests.explorer.window_driver import Driver

LESSONS = sorted((resources_folder() / "lessons").glob("*.md"))


@pytest.fixture
def driver(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> Driver:
    made = Driver(qtbot, tmp_path / "home")
    made.load(classroom_path)
    return made


def present(driver: Driver, path: Path) -> PresenterWindow:
    """Open a lesson and present it in a window, as a teacher would with Shift+F11."""
    classroom = driver.window.features.classroom
    classroom.player.open(read_lesson(path), path)
    driver.until(lambda: classroom.player.ready)
    driver.window.named_actions["present-window"].trigger()
    window = classroom.presenter.window
    assert window is not None
    return window


def shown(driver: Driver, window: PresenterWindow) -> None:
    player = window.presentation.player
    driver.until(lambda: player.ready or bool(player.problem))
    driver.process_events()
    assert not player.problem


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_presented_by_keys_and_its_answers_are_tallied(driver: Driver, path: Path) -> None:
    window = present(driver, path)
    lesson = read_lesson(path)
    tally = driver.window.features.classroom.questions.tally
    asked = 0
    for number, step in enumerate(lesson.steps, 1):
        shown(driver, window)
        assert window.presentation.player.index == number - 1
        if step.question is None:
            assert window.question is None and window.presentation.revealed
        else:
            asked += 1
            assert isinstance(window.question, QuestionView) and not window.presentation.revealed
            view = window.question
            assert view.posed is not None and len(view.posed.options) >= 2
            assert "*" not in view.posed.text and "{" not in view.posed.text
            # The answer is neither in the caption nor said to a screen reader.
            assert not window.caption.isVisible() or not window.caption.text.text()
            for _ in range(3):
                QTest.keyClick(window, Qt.Key.Key_1)
            QTest.keyClick(window, Qt.Key.Key_2)
            QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier)
            QTest.keyClick(window, Qt.Key.Key_Right)
            assert window.presentation.revealed and view.is_revealed
            last = tally.questions[-1]
            assert (last.lesson, last.step) == (lesson.title, number)
            assert last.hands[:2] == (2, 1) and sum(last.hands) == 3
            assert last.answer == view.posed.answer and last.gold == view.posed.gold
        driver.process_events()
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert len(tally) == asked >= 3
    QTest.keyClick(window, Qt.Key.Key_Escape)
    driver.until(lambda: driver.window.features.classroom.presenter.window is None)
    driver.close()
