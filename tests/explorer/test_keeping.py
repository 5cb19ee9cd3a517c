"""Nothing is lost: a process that is killed, a disk that is full, a folder that cannot be written."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from window_driver import SAW, SMITH, Driver

from engine.constraints import Attachment
from engine.errors import EngineError
from engine.files import write_whole
from explorer import app
from explorer.document import Document, Line, load_document, save_document
from explorer.preferences import Preferences
from explorer.start import Plan, begin
from explorer.walk import GAPS

ROOT = Path(__file__).parents[2]
CHILD = """
import sys
from explorer import app, main_window
from PySide6.QtCore import QTimer
from engine.constraints import Attachment
from explorer.document import Line

class Busy(main_window.MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        self.watch = QTimer(self, interval=20)
        self.watch.timeout.connect(self.act)
        self.watch.start()
        self.done = False

    def act(self):
        session = self.session
        if session.answer is not None and not self.done:
            self.done = True
            session.add_lines([Line(sys.argv[1]), Line(sys.argv[2])])
            session.choose(2)
            session.set_settings(beam=77.0)
            session.add_what_if(Attachment(4, 3))
            session.set_stage(1)

main_window.MainWindow = Busy
sys.exit(app.main(sys.argv[3:]))
"""


def until(done, seconds: float = 120.0) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


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
        until(
            lambda: child.poll() is not None or ((found := recovered(home)) is not None and bool(found.line.what_ifs))
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
    said = begin(driver.session, driver.preferences, Plan(app.arguments().parse_args([])))
    driver.settle()
    session = driver.session
    assert "is here again" in said
    assert [line.text for line in session.document.lines][1:] == [SMITH, SAW]
    assert session.document.current == 2 and session.settings.beam == 77.0
    assert session.line.what_ifs == (Attachment(4, 3),) and session.stage == GAPS
    assert session.document.model == str(classroom_path) and session.parse is not None
    assert session.parse.heads()[4] == 3
    driver.close()
    # Closed as it should be, it is the last session now, and nothing is left to recover.
    last = Preferences(home).last()
    assert last is not None and last[0] == session.document
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
        save_document(Document(lines=(Line(SAW),) * 50), path)
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
    window.preferences.folder = window.preferences.recovery.folder = tmp_path / "file" / "home"
    window.preferences.recovery.path = tmp_path / "file" / "home" / "recovery-1-a.json"
    window.preferences.recovery.clear()
    (tmp_path / "file").write_text("")
    driver.session.set_settings(beam=55.0)
    driver.until(lambda: window.view.banner.isVisible())
    said = window.view.banner.text.text()
    assert "not kept through a crash" in said and "file/home" in said and said.count(".") <= 2
    window.view.banner.hide()
    driver.session.set_settings(beam=66.0)
    driver.qtbot.wait(1200)
    assert not window.view.banner.isVisible()
    assert not window.close()
    assert window.isVisible() and "Ctrl+Shift+S" in window.view.banner.text.text()
    window.files.save_to(tmp_path / "elsewhere.json")
    assert load_document(tmp_path / "elsewhere.json")[0].settings.beam == 66.0
    assert window.close()
    assert not home.is_dir() or not list(home.glob("recovery-*.json"))
    window.deleteLater()
