"""A sentence is typed and parsed without a file: a slow disk never has the window stand still."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.explorer.window_driver import SAW, SMITH, Driver

_opened: list[str] | None = None
"""What was opened on the GUI thread, while somebody asks."""


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event == "open" and threading.current_thread() is threading.main_thread():
        _opened.append(str(arguments[0]))


# Python forgets no such hook: one serves all tests.
sys.addaudithook(_note)


@contextmanager
def opened_files() -> Iterator[list[str]]:
    """The files that are opened on the GUI thread in this block."""
    global _opened
    _opened = found = list[str]()
    try:
        yield found
    finally:
        _opened = None


def _type(driver: Driver, text: str) -> None:
    driver.type(text)
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: driver.session.editor.line.text == text)
    driver.settle()


def test_opened_files_are_seen() -> None:
    with opened_files() as found, open(__file__, encoding="utf-8") as file:
        file.readline()
    assert found == [__file__]


def test_no_file_is_opened_on_the_gui_thread_for_a_sentence(driver: Driver) -> None:
    # The first sentence may find its kernels, fonts and modules.
    _type(driver, SMITH)
    with opened_files() as found:
        _type(driver, SAW)
    assert driver.session.parses.shown is not None and len(driver.session.parses.shown.sentence.positions) == 7
    assert found == []
