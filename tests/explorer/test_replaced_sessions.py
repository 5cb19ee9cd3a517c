"""A session that is opened over another one: what is in no file is kept, and what is in one is not kept twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.session.document import Document, TextLine, save_document
from explorer.session.files import load_document
from tests.explorer.window_driver import SAW, Driver, drop

OWN = "Own/JJ sentence/NN"
OTHER = "Other/JJ sentence/NN"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A session's file."""
    path = tmp_path / "other.session.json"
    save_document(Document(lines=(TextLine(OTHER),)), path)
    return path


def kept(driver: Driver) -> list[list[str]]:
    """The sentences of every earlier session, once all is written, the latest first."""
    driver.window.autosave.save()
    driver.until(lambda: not driver.window.autosave.busy)
    return [[line.text for line in load_document(file)[0].lines] for file in driver.preferences.earlier.files()]


def open_over(driver: Driver, path: Path) -> None:
    """Open a session, and wait until it is shown."""
    driver.window.files.open_path(path)
    driver.until(lambda: driver.session.file.path == path)
    driver.settle()


def test_unsaved_work_becomes_an_earlier_session(driver: Driver, other: Path) -> None:
    said: list[str] = []
    driver.session.messages.posted.connect(lambda text, is_error: said.append(text))
    driver.session.editor.add_lines([TextLine(OWN)])
    open_over(driver, other)
    assert driver.session.editor.line.text == OTHER
    assert kept(driver) == [[SAW, OWN]]
    assert [text for text in said if "earlier sessions" in text]
    # It can be opened again, and stays one.
    driver.window.files.open_earlier(driver.preferences.earlier.files()[0])
    driver.until(lambda: len(driver.session.editor.document.lines) == 2)
    driver.settle()
    assert kept(driver) == [[SAW, OWN]]
    open_over(driver, other)
    assert kept(driver) == [[SAW, OWN]]


def test_changes_that_the_own_file_does_not_have_are_kept(driver: Driver, other: Path, tmp_path: Path) -> None:
    driver.save_to(tmp_path / "own.session.json")
    open_over(driver, other)
    assert kept(driver) == []
    driver.session.editor.edit_text(OWN)
    driver.settle()
    # Its own file again: as it is there, without the change.
    driver.window.files.open_path(other)
    driver.until(lambda: driver.session.editor.line.text == OTHER)
    driver.settle()
    assert kept(driver) == [[OWN]]


def test_dropped_sessions_and_new_ones_keep_what_was_there(driver: Driver, other: Path) -> None:
    drop(driver, other)
    driver.until(lambda: driver.session.editor.line.text == OTHER)
    driver.session.editor.edit_text(OWN)
    driver.settle()
    driver.do("new")
    assert not driver.session.editor.document.lines
    assert sorted(kept(driver)) == sorted([[SAW], [OWN]])


def test_a_session_that_cannot_be_opened_replaces_nothing(driver: Driver, other: Path) -> None:
    other.write_text(other.read_text()[:-20])
    driver.window.files.open_path(other)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert driver.session.editor.line.text == SAW and kept(driver) == []


def test_a_window_that_closes_at_once_keeps_both(driver: Driver, other: Path) -> None:
    driver.window.files.open_path(other)
    driver.until(lambda: driver.session.file.path == other)
    driver.window.close()
    last = driver.preferences.last()
    assert last is not None and last.document.line.text == OTHER
    assert [load_document(file)[0].line.text for file in driver.preferences.earlier.files()] == [SAW]


def test_where_it_cannot_be_kept_the_window_says_so_and_stays(driver: Driver, other: Path) -> None:
    # A file in the folder's place cannot be written into, not even by an administrator.
    driver.preferences.earlier.folder.write_text("")
    open_over(driver, other)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert "would not survive a crash" in driver.window.stages.banner.text.text()
    assert not driver.window.close() and driver.window.isVisible()
    driver.preferences.earlier.folder.unlink()
    assert kept(driver) == [[SAW]]
