"""Nothing is lost: a process that is killed, a disk that is full, a folder that cannot be written."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.structure.constraints import Attachment
from explorer.application import explorer_command as app
from explorer.application.start import begin
from explorer.application.start_plan import StartPlan
from explorer.document import session_file
from explorer.document.document import Document, TextLine, load_document, read_stored, save_document
from explorer.document.preferences import Preferences
from explorer.document.stage_navigation import GAPS
from tests.explorer.window_driver import SAW, SMITH, Driver
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
CHILD = """
import sys
from explorer.application import explorer_command as app
from explorer.application import main_window
from PySide6.QtCore import QTimer
from engine.structure.constraints import Attachment
from explorer.document.document import TextLine

class Busy(main_window.MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        self.watch = QTimer(self, interval=20)
        self.watch.timeout.connect(self.act)
        self.watch.start()
        self.done = False

    def act(self):
        session = self.session
        if session.parses.result is not None and not self.done:
            self.done = True
            session.editor.add_lines([TextLine(sys.argv[1]), TextLine(sys.argv[2])])
            session.editor.choose(2)
            session.editor.set_settings(beam=77.0)
            session.editor.add_what_if(Attachment(4, 3))
            session.view.set_stage(1)

main_window.MainWindow = Busy
sys.exit(app.main(sys.argv[3:]))
"""


def recovered(home: Path) -> Document | None:
    for file in home.glob("recovery-*.json"):
        return load_document(file)[0]
    return None


def test_everything_is_there_after_a_kill(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PARSE_EXPLORER_HOME": str(home)}
    command = [sys.executable, "-c", CHILD, SMITH, SAW, "--model", str(classroom_path)]
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait_until(
            lambda: child.poll() is not None or ((found := recovered(home)) is not None and bool(found.line.what_ifs)),
            seconds=120,
        )
        assert child.poll() is None, child.stderr.read() if child.stderr else ""
        # While it lives its work is its own.
        assert Preferences(home).recovery.left_behind() is None
        child.send_signal(signal.SIGKILL)
        assert child.wait(20) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait()
        if child.stderr:
            child.stderr.close()
    driver = Driver(qtbot, home)
    said = begin(driver.session, driver.preferences, StartPlan(app.arguments().parse_args([])))
    driver.settle()
    session = driver.session
    assert "is here again" in said
    assert [line.text for line in session.editor.document.lines][1:] == [SMITH, SAW]
    assert session.editor.document.current == 2 and session.editor.settings.beam == 77.0
    assert session.editor.line.what_ifs == (Attachment(4, 3),) and session.view.stage == GAPS
    assert session.editor.document.model == str(classroom_path) and session.parses.shown is not None
    assert session.parses.shown.heads()[4] == 3
    driver.close()
    # Closed as it should be, it is the last session now, and nothing is left to recover.
    last = Preferences(home).last()
    assert last is not None and last[0] == session.editor.document
    assert not list(home.glob("recovery-*"))


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file can grow beyond some bytes: writing fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, full_disk: None) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(b"old")
    with pytest.raises(EngineError, match=r"session\.json: cannot be written \(File too large\)"):
        save_document(Document(lines=(TextLine(SAW),) * 50), path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_where_nothing_can_be_kept_the_window_says_so_once_and_stays(
    qtbot: QtBot, classroom_path: Path, tmp_path: Path
) -> None:
    driver = Driver(qtbot, tmp_path / "home")
    driver.load(classroom_path)
    window, home = driver.window, tmp_path / "home"
    # A file in the folder's place cannot be written into, not even by an administrator.
    driver.preferences.folder = driver.preferences.recovery.folder = tmp_path / "file" / "home"
    driver.preferences.recovery.path = tmp_path / "file" / "home" / "recovery-1-a.json"
    driver.preferences.recovery.clear()
    (tmp_path / "file").write_text("")
    driver.session.editor.set_settings(beam=55.0)
    driver.until(lambda: window.stages.banner.isVisible())
    said = window.stages.banner.text.text()
    assert "would not survive a crash" in said and "file/home" in said and said.count(".") <= 2
    window.stages.banner.hide()
    driver.session.editor.set_settings(beam=66.0)
    window.autosave.save()
    driver.until(lambda: not window.autosave.busy)
    assert not window.stages.banner.isVisible()
    assert not window.close()
    assert window.isVisible() and "Ctrl+Shift+S" in window.stages.banner.text.text()
    driver.save_to(tmp_path / "elsewhere.json")
    assert load_document(tmp_path / "elsewhere.json")[0].settings.beam == 66.0
    assert window.close()
    assert not home.is_dir() or not list(home.glob("recovery-*.json"))
    window.deleteLater()


@pytest.fixture
def driver(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> Driver:
    """A window with the classroom model and a sentence."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(classroom_path)
    return made


class SlowDisk:
    """A disk that writes sessions when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ready = threading.Event()
        monkeypatch.setattr(session_file, "save_document", self.save)

    def save(self, document: Document, path: Path, extra: dict[str, object]) -> None:
        assert self.ready.wait(20)
        save_document(document, path, extra)


def test_a_session_is_written_as_it_was_when_it_was_saved(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, session, path = SlowDisk(monkeypatch), driver.session, tmp_path / "mine.json"
    session.editor.set_settings(beam=55.0)
    driver.window.files.save_to(path)
    # The window lives on meanwhile.
    session.editor.set_settings(beam=66.0)
    driver.settle()
    assert not path.exists() and session.file.path is None
    disk.ready.set()
    driver.until(lambda: session.file.path == path)
    assert load_document(path)[0].settings.beam == 55.0
    assert not session.editor.undo_stack.isClean() and driver.window.isWindowModified()
    session.editor.undo_stack.undo()
    assert session.editor.settings.beam == 55.0 and not driver.window.isWindowModified()
    driver.close()


def test_a_new_session_does_not_take_the_file_of_the_one_that_is_being_written(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, session, path = SlowDisk(monkeypatch), driver.session, tmp_path / "mine.json"
    driver.window.files.save_to(path)
    driver.do("new")
    disk.ready.set()
    driver.until(lambda: not session.file.saving)
    assert load_document(path)[0].line.text == SAW and session.file.path is None
    driver.close()


def test_closing_waits_for_what_is_being_written(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, path = SlowDisk(monkeypatch), tmp_path / "mine.json"
    driver.session.editor.set_settings(beam=44.0)
    driver.window.files.save_to(path)
    driver.window.files.save_to(tmp_path / "again.json")
    finish = driver.session.file.finish

    def finish_while_the_disk_goes_on() -> bool:
        disk.ready.set()
        return finish()

    # Nothing is written before the window closes.
    monkeypatch.setattr(driver.session.file, "finish", finish_while_the_disk_goes_on)
    assert driver.window.close() and not driver.window.isVisible()
    assert load_document(path)[0].settings.beam == load_document(tmp_path / "again.json")[0].settings.beam == 44.0
    driver.window.deleteLater()


def test_a_window_whose_session_could_not_be_written_stays_once(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    (tmp_path / "file").write_text("")
    driver.window.files.save_to(tmp_path / "file" / "session.json")
    disk.ready.set()
    assert not driver.window.close()
    assert driver.window.isVisible() and "cannot be written" in driver.window.stages.banner.text.text()
    assert not driver.session.editor.undo_stack.isClean() and driver.session.file.path is None
    assert driver.window.close()
    driver.window.deleteLater()


def test_a_session_and_a_text_are_opened_in_the_order_in_which_they_are_dropped(driver: Driver, tmp_path: Path) -> None:
    saved, text = tmp_path / "mine.json", tmp_path / "more.txt"
    save_document(replace(driver.session.editor.document, lines=(TextLine(SMITH),)), saved, {"stage": GAPS})
    text.write_text(f"{SAW}\n", encoding="utf-8")
    for file in (saved, text):
        driver.window.files.open_path(file)
    driver.until(lambda: [line.text for line in driver.session.editor.document.lines] == [SMITH, SAW])
    assert driver.session.view.stage == GAPS and driver.session.file.path == saved
    driver.settle()
    driver.close()


def test_a_file_that_is_no_session_changes_nothing(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"format": "parse-explorer session", "version": 1, "lines"')
    before = driver.session.editor.document
    driver.window.files.open_path(path)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert "broken.json: this is not a session file" in driver.window.stages.banner.text.text()
    assert driver.session.editor.document is before and str(path) not in driver.preferences.recent("files")
    driver.close()


AWKWARD = ('"lines": [', '"lines": []', "\n ]", ",\n  ", "{", "}", "\\", '"', "é", "]", "\n")


@given(
    st.lists(st.lists(st.sampled_from((*AWKWARD, "word", " ")), max_size=6).map("".join), max_size=5),
    st.lists(st.sampled_from(AWKWARD), max_size=4).map("".join),
)
def test_reading_sentence_by_sentence_is_reading(texts: list[str], model: str) -> None:
    document = Document(model=model, lines=tuple(TextLine(text, place=text[::-1]) for text in texts))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.json"
        save_document(document, path, {"stage": 2, "list": ["a", "b"], "note": model})
        stored = json.loads(path.read_bytes())
        assert read_stored(path) == stored
        assert load_document(path) == (document, stored)
        # By hand, or by another program, it may come to look otherwise.
        for indent in (None, 0, 1, 2, 4):
            path.write_text(json.dumps(stored, indent=indent), encoding="utf-8")
            assert load_document(path) == (document, stored)
