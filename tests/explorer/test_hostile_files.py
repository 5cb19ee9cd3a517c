"""Pipes in the place of files, and a folder of preferences that is another user's: one sentence, nobody waits."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.explain.subjects import WordId
from engine.model.model import Model
from explorer.classroom.answers import read_result
from explorer.classroom.lesson import lesson_title
from explorer.classroom.lesson_controller import LAST_LESSON
from explorer.classroom.lesson_file import read_lesson
from explorer.classroom.presenter import Caption
from explorer.kit.controls import ElidedLabel
from explorer.session.files import load_document
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.crash_reports import CrashReports
from explorer.window.help import about_html
from explorer.window.main_window import MainWindow
from tests.explorer.window_driver import Driver

SOON = 3.0
OTHER_USER = 12345
LESSON = "# Of another\n\n## A step\n\n- sentence: Mary/NNP saw/VBD John/NNP\n"

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


@contextmanager
def _pipe(path: Path) -> Iterator[None]:
    """A pipe to which nobody writes; whoever waits for it for too long is let go, and that is an error."""
    os.mkfifo(path)

    done = threading.Event()

    def let_go() -> None:
        while not done.wait(SOON):
            with suppress(OSError):
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))

    letting_go = threading.Thread(target=let_go)
    letting_go.start()
    started = time.monotonic()
    try:
        yield
    finally:
        done.set()
        letting_go.join()
    assert time.monotonic() - started < SOON


@pytest.mark.parametrize("read", [load_document, read_lesson, read_result])
def test_a_pipe_in_the_place_of_a_file_is_one_sentence(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with _pipe(tmp_path / "a"), pytest.raises(EngineError, match=r"cannot be read .*pipe"):
        read(tmp_path / "a")


def test_a_pipe_has_no_title(tmp_path: Path) -> None:
    with _pipe(tmp_path / "a.md"):
        assert lesson_title(tmp_path / "a.md") == "a"


def test_the_window_opens_no_pipe(driver: Driver, tmp_path: Path) -> None:
    with _pipe(tmp_path / "a.txt"):
        driver.window.files.open_path(tmp_path / "a.txt")
    assert "pipe" in driver.window.stages.banner.text.text()
    assert str(tmp_path / "a.txt") not in driver.preferences.recent("files")


@pytest.mark.parametrize("name", ["window.ini", "last-session.json", "last-session.lock", LAST_LESSON, "fault-1.txt"])
def test_pipes_among_the_preferences_keep_no_window_from_starting(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with _pipe(home / name):
        preferences = Preferences(home)
        assert preferences.last() is None
        CrashReports(home).collect()
        window = MainWindow(Session(), preferences)
        window.show()
        window.close()
        window.deleteLater()
    preferences.keep("theme", "dark")
    assert preferences.text("theme") == "dark"


@only_root
def test_nothing_in_a_folder_of_another_user_is_believed(qtbot: QtBot, tmp_path: Path) -> None:
    home = tmp_path / "home"
    mine = Preferences(home)
    mine.keep("theme", "dark")
    mine.write()
    (home / LAST_LESSON).write_text(LESSON)
    for path in (home, *home.iterdir()):
        os.chown(path, OTHER_USER, OTHER_USER)
    before = {path: path.read_bytes() for path in home.iterdir()}
    theirs = Preferences(home)
    assert theirs.text("theme") == ""
    theirs.keep("theme", "light")
    assert theirs.text("theme") == "light"
    window = MainWindow(Session(), theirs)
    window.show()
    assert window.features.classroom.lessons.editor.edited.lesson.title != "Of another"
    window.close()
    window.deleteLater()
    assert {path: path.read_bytes() for path in home.iterdir()} == before


def test_preferences_may_be_a_link_of_the_users_own(tmp_path: Path) -> None:
    mine = Preferences(tmp_path / "home")
    mine.keep("theme", "dark")
    mine.write()
    shutil.move(tmp_path / "home" / "window.ini", tmp_path / "kept.ini")
    (tmp_path / "home" / "window.ini").symlink_to(tmp_path / "kept.ini")
    assert Preferences(tmp_path / "home").text("theme") == "dark"


PICTURES = (
    "![a]({})",
    "![a][b]\n\n[b]: {}",
    "<img src='{}'>",
    "a\n\n<p>\n<img src='file://{}'></p>",
    "&lt; <img src='{}'>",
)
"""Texts that have Qt read a file, in Markdown or HTML."""


@pytest.mark.parametrize("text", PICTURES)
def test_no_text_has_the_window_read_a_file(driver: Driver, tmp_path: Path, text: str) -> None:
    pipe = tmp_path / "pipe"
    with _pipe(pipe):
        hostile = text.format(pipe)
        caption = Caption("What the class reads")
        caption.set_text(hostile)
        caption.show()
        driver.session.messages.show(hostile, True)
        label = ElidedLabel(hostile)
        label.resize(20, 20)
        label.show()
        label.grab()
        QToolTip.showText(QPoint(1, 1), label.toolTip(), label)
        QToolTip.showText(QPoint(1, 1), no_markup(hostile), label)
        driver.settle()
        assert driver.window.stages.banner.text.isVisible()
        QToolTip.hideText()
        for widget in (caption, label):
            widget.close()
            widget.deleteLater()


def test_a_word_has_no_tip_read_a_file(driver: Driver, classroom_path: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    with _pipe(pipe):
        driver.load(classroom_path, f"(S (NP (NN <img\u00a0src='{pipe}'>)) (VP (VBD left)))")
        place = driver.place(WordId(0))
        event = QHelpEvent(QEvent.Type.ToolTip, place, driver.canvas.viewport().mapToGlobal(place))
        QApplication.sendEvent(driver.canvas.viewport(), event)
        assert "img" in QToolTip.text()
        QToolTip.hideText()


def test_the_credits_of_a_model_are_no_html() -> None:
    model = cast(Model, SimpleNamespace(metadata={"credits": ["<img src='/dev/zero'> & others"]}))
    page = about_html(model, "/models/<img src='b'>.model")
    assert "<img" not in page and "&lt;img src=" in page and "&amp; others" in page
