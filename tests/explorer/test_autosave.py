"""Nothing is lost: a process that is killed, a disk that is full, a folder that cannot be written."""

from __future__ import annotations

import itertools
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
from PySide6.QtWidgets import QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.structure.constraints import Attachment
from explorer.session import files as session_file
from explorer.session.document import Document, TextLine, save_document
from explorer.session.files import StoredSession, load_document, read_session, read_stored
from explorer.session.preferences import Preferences
from explorer.session.recovery import LONG_LIST, Recovered
from explorer.session.session import Session
from explorer.window import command as app
from explorer.window.start import begin
from explorer.window.start_plan import StartPlan
from tests.explorer.window_driver import SAW, SMITH, Driver
from tests.stage_names import GAPS, REDUCED
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
OWN = "Own/JJ sentence/NN"
CHILD = """
import sys
from explorer.window import command as app
from explorer.window import main_window
from PySide6.QtCore import QTimer
from engine.structure.constraints import Attachment
from explorer.session.document import TextLine

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
            session.view.set_stage("gaps")

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
        assert Preferences(home).take_over(True) == Recovered()
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


def leave(home: Path, *texts: str, when: float = 0.0) -> Path:
    """What a window leaves that showed these sentences when it was ended."""
    recovery = Preferences(home).recovery
    recovery.save(StoredSession(Document(lines=tuple(map(TextLine, texts))), GAPS))
    path = recovery.path
    copy = path.with_name(f"recovery-1-{path.stem.rpartition('-')[2]}.json")
    content = path.read_bytes()
    recovery.clear()
    copy.write_bytes(content)
    copy.chmod(0o600)
    os.utime(copy, (when, when))
    return copy


class Start:
    """A start of the program, without its window."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.session, self.preferences = Session(), Preferences(home)
        self.said = begin(self.session, self.preferences, StartPlan(app.arguments().parse_args(arguments)))
        self.text = self.session.editor.line.text
        self.session.close()

    def save(self) -> None:
        recovery = self.preferences.recovery
        recovery.save(StoredSession(self.session.editor.document, GAPS), recovery.taken_over)

    def end(self) -> None:
        """The process is ended: the system lets go of its locks."""
        self.preferences.recovery.clear(keep=True)


def texts_on_disk(home: Path) -> set[str]:
    """Every sentence that the next starts have."""
    files = [*home.glob("recovery-*.json"), *home.glob("earlier/*.json"), *home.glob("last-session.json")]
    return {line.text for file in files for line in read_session(file).document.lines}


def test_what_a_start_took_over_survives_a_second_crash(qtbot: QtBot, tmp_path: Path) -> None:
    leave(tmp_path, OWN)
    for _ in range(3):
        # Ended before anything was written.
        started = Start(tmp_path)
        assert started.text == OWN and "is here again" in started.said
        started.end()
    started = Start(tmp_path)
    started.save()
    assert [file.name for file in tmp_path.glob("recovery-*.json")] == [started.preferences.recovery.path.name]
    started.end()
    assert Start(tmp_path).text == OWN


def test_a_window_that_closes_at_once_leaves_nothing_to_recover(qtbot: QtBot, tmp_path: Path) -> None:
    leave(tmp_path, OWN)
    started = Start(tmp_path)
    # Closed before its own file was ever written: the last session has it, and newer changes.
    started.preferences.save_last(StoredSession(Document(lines=(TextLine(OWN), TextLine(SAW)), current=1), GAPS))
    started.preferences.recovery.clear()
    assert not list(tmp_path.glob("recovery-*"))
    again = Start(tmp_path)
    assert again.text == SAW and not again.said
    again.end()


def test_a_start_with_a_sentence_keeps_what_a_crash_left(qtbot: QtBot, tmp_path: Path) -> None:
    leave(tmp_path, OWN)
    started = Start(tmp_path, SAW)
    assert "File > Recent" in started.said and texts_on_disk(tmp_path) == {OWN}
    [kept] = started.preferences.earlier.files()
    assert load_document(kept)[0].line.text == OWN and kept.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("recovery-*.json"))


def test_of_several_crashed_windows_none_is_lost(qtbot: QtBot, tmp_path: Path) -> None:
    for number in range(4):
        leave(tmp_path, f"window/NN {number}/CD", when=1000.0 + number)
    started = Start(tmp_path)
    assert started.text == "window/NN 3/CD" and "another window" in started.said
    assert texts_on_disk(tmp_path) == {f"window/NN {number}/CD" for number in range(4)}
    earlier = started.preferences.earlier
    assert len(earlier.files()) == 3
    # A start that was ended half way does the same again, not twice.
    for file in earlier.files():
        earlier.add(read_session(file), 5.0)
    assert len(earlier.files()) == 3


def test_a_recovery_file_that_cannot_be_read_is_set_aside_and_said(qtbot: QtBot, tmp_path: Path) -> None:
    good, bad = leave(tmp_path, OWN, when=1.0), leave(tmp_path, SAW, when=2.0)
    content = bad.read_bytes()[:-40]
    bad.write_bytes(content)
    started = Start(tmp_path)
    assert started.text == OWN and good.exists() and not bad.exists()
    [kept] = tmp_path.glob("earlier/*.damaged")
    assert kept.read_bytes() == content and str(kept) in started.said and "cannot be read" in started.said


def test_a_session_that_another_window_kept_becomes_an_earlier_one(qtbot: QtBot, tmp_path: Path) -> None:
    first, second, third = Preferences(tmp_path), Preferences(tmp_path), Preferences(tmp_path)
    for preferences, text in ((first, OWN), (second, SAW), (third, "third/JJ")):
        preferences.save_last(StoredSession(Document(lines=(TextLine(text),)), GAPS))
    assert texts_on_disk(tmp_path) == {OWN, SAW, "third/JJ"}
    # One that goes on from it takes its place.
    fourth = Preferences(tmp_path)
    assert fourth.last() is not None
    fourth.save_last(StoredSession(Document(lines=(TextLine("fourth/JJ"),)), GAPS))
    assert texts_on_disk(tmp_path) == {OWN, SAW, "fourth/JJ"}
    fourth.earlier.remove()
    assert texts_on_disk(tmp_path) == {"fourth/JJ"}


def test_earlier_sessions_are_offered_opened_and_removed(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    session = StoredSession(Document(lines=(TextLine(OWN), TextLine(SAW))), GAPS)
    file = driver.preferences.earlier.add(session, 0.0)
    files, menu = driver.window.files, QMenu()
    files.fill_recent(menu)
    inner = menu.actions()[-1].menu()
    assert isinstance(inner, QMenu)
    first, *_, last = inner.actions()
    assert OWN in first.text() and "1 more" in first.text()
    assert [one.title for one in driver.window.help.commands() if one.title.endswith("1 more")]
    first.trigger()
    driver.until(lambda: driver.session.editor.document.lines == session.document.lines)
    # It is in no file of the user's, and stays where it is until he removes it.
    assert driver.session.file.path is None and file.exists()
    answers = iter((QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes))
    monkeypatch.setattr(QMessageBox, "question", lambda *_: next(answers))
    last.trigger()
    assert file.exists()
    last.trigger()
    assert not file.exists() and not driver.preferences.earlier.files()
    driver.settle()
    menu.deleteLater()
    driver.close()


def test_a_long_list_is_never_mixed_with_another_one(tmp_path: Path) -> None:
    recovery = Preferences(tmp_path).recovery
    lines = tuple(TextLine(f"word{number}/NN") for number in range(LONG_LIST + 100))
    recovery.save(StoredSession(Document(lines=lines), GAPS))
    [old] = tmp_path.glob("*.list")
    first = recovery.path.read_bytes()
    kept = old.read_bytes()
    recovery.save(StoredSession(Document(lines=lines[50:]), GAPS))
    [new] = tmp_path.glob("*.list")
    assert new != old
    # Ended after the list and before the session was written: the old session has its own list still.
    recovery.path.write_bytes(first)
    old.write_bytes(kept)
    old.chmod(0o600)
    assert read_session(recovery.path).document.lines == lines
    recovery.clear()
    assert not list(tmp_path.glob("recovery-*"))


def test_what_is_kept_is_for_this_user_alone(qtbot: QtBot, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    # As an earlier edition has left it.
    (home / "window.ini").touch(mode=0o644)
    preferences = Preferences(home)
    preferences.keep("theme", "dark")
    preferences.write()
    session = StoredSession(Document(lines=(TextLine(SAW),)), GAPS)
    preferences.recovery.save(session)
    preferences.save_last(session)
    preferences.earlier.add(session, 0.0)
    files = [file for file in home.rglob("*") if file.is_file()]
    assert home / "window.ini" in files and Preferences(home).text("theme") == "dark"
    assert len(files) >= 5 and all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert all(folder.stat().st_mode & 0o777 == 0o700 for folder in (home, home / "earlier"))
    # A file of which somebody else could be the author is not opened.
    preferences.recovery.path.chmod(0o666)
    with pytest.raises(EngineError, match="another user could have written this file"):
        read_session(preferences.recovery.path)
    preferences.recovery.clear()


def test_typing_on_and_on_is_saved_meanwhile(driver: Driver) -> None:
    path = driver.preferences.recovery.path
    driver.until(path.exists)
    typed = itertools.count()

    def type_on() -> bool:
        driver.session.editor.edit_text(f"word{next(typed)}/NN")
        return read_session(path).document.line.text.startswith("word")

    driver.until(type_on)
    driver.close()


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
    driver.until(lambda: not window.autosave.busy)
    driver.preferences.recovery.clear()
    driver.preferences.folder = driver.preferences.recovery.folder = tmp_path / "file" / "home"
    driver.preferences.recovery.path = tmp_path / "file" / "home" / "recovery-1-a.json"
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

    def save(self, document: Document, path: Path, extra: dict[str, object], private: bool = False) -> None:
        assert self.ready.wait(20)
        save_document(document, path, extra, private)


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
        assert read_stored(path).value == stored
        assert load_document(path) == (document, REDUCED)
        # By hand, or by another program, it may come to look otherwise.
        for indent in (None, 0, 1, 2, 4):
            path.write_text(json.dumps(stored, indent=indent), encoding="utf-8")
            assert load_document(path) == (document, REDUCED)
