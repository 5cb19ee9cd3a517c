"""Crash reports: written for every fault, read, copied and saved by a person; no sentence in them unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from explorer.kit.file_kinds import SESSION_FORMAT
from explorer.kit.tasks import Worker
from explorer.window.crash_reports import MOST_OF_ONE_RUN, MOST_REPORTS, CrashDialog, CrashReports, trace_of
from tests.explorer.window_driver import SAW, Driver

ROOT = Path(__file__).parents[2]
SECRET = "a sentence of mine"


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[CrashReports]:
    """Reports of whatever goes wrong in a test."""
    shown, shown_in_thread = sys.excepthook, threading.excepthook
    sys.excepthook = lambda *_: None
    threading.excepthook = lambda _: None
    made = CrashReports(tmp_path / "home")
    made.start()
    yield made
    made.stop()
    sys.excepthook, threading.excepthook = shown, shown_in_thread
    assert not list((tmp_path / "home").glob("fault-*"))


def fail(text: str = SECRET) -> None:
    """A fault whose message and values hold what is nobody's business."""
    raise ValueError(text)


def fail_in_turn() -> None:
    """A fault that came of another."""
    try:
        fail()
    except ValueError as error:
        raise LookupError(SECRET) from error


def test_a_report_says_where_and_nothing_of_what(reports: CrashReports) -> None:
    reports.note_action("zoom-in")
    try:
        fail_in_turn()
    except LookupError as error:
        reports.write(error)
    [file] = reports.files()
    text = file.read_text(encoding="utf-8")
    assert "LookupError" in text and "which came of" in text and "test_crash_reports.py, line" in text
    assert ", in fail_in_turn" in text and "Last actions: zoom-in" in text and "Python: 3." in text
    assert SECRET not in text and str(Path.home()) not in text and str(ROOT) not in text
    assert file.stat().st_mode & 0o777 == 0o600


def test_faults_of_threads_and_workers_are_reported_and_what_users_do_is_not(
    qtbot: QtBot, reports: CrashReports
) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert len(reports.files()) == 1
    worker = Worker("failing")
    errors: list[Exception] = []

    def refuse(job: object) -> None:
        raise EngineError("no such file")

    worker.request(lambda job: fail(), errors.append, errors.append)
    worker.request(refuse, errors.append, errors.append)
    qtbot.waitUntil(lambda: len(errors) == 2)
    worker.stop()
    assert len(reports.files()) == 2 and all(SECRET not in file.read_text() for file in reports.files())


def test_the_newest_ten_are_kept_and_one_run_writes_few(reports: CrashReports, tmp_path: Path) -> None:
    for _ in range(MOST_OF_ONE_RUN + 5):
        reports.write(ValueError())
    assert len(reports.files()) == MOST_OF_ONE_RUN
    for _ in range(MOST_REPORTS):
        CrashReports(tmp_path / "home").write(ValueError())
    assert len(reports.files()) == MOST_REPORTS
    assert "RecursionError" in trace_of(RecursionError())


def test_what_python_cannot_catch_is_reported_at_the_next_start(tmp_path: Path) -> None:
    script = (
        "import sys, ctypes; from pathlib import Path\n"
        "from explorer.window.crash_reports import CrashReports\n"
        "CrashReports(Path(sys.argv[1])).start()\n"
        "def fall(): ctypes.string_at(0)\n"
        "fall()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, check=False)
    assert ended.returncode < 0
    reports = CrashReports(tmp_path)
    [file] = reports.collect()
    text = file.read_text(encoding="utf-8")
    assert "ended by the system" in text and "Segmentation fault" in text and "in fall" in text
    assert not reports.collect() and not list(tmp_path.glob("fault-*"))


def test_a_report_is_shown_copied_and_saved_and_has_sentences_only_if_asked(driver: Driver, tmp_path: Path) -> None:
    said: list[str] = []
    driver.session.messages.posted.connect(lambda text, _: said.append(text))
    driver.do("crash-report")
    assert "no crash report" in said[-1]
    CrashReports(driver.preferences.folder).write(ValueError(SECRET))
    driver.do("crash-report")
    [dialog] = [one for one in driver.window.findChildren(QDialog) if isinstance(one, CrashDialog)]
    assert not dialog.include.isChecked() and "ValueError" in dialog.text.toPlainText()
    buttons = {button.text(): button for button in dialog.findChildren(QPushButton)}
    buttons["Copy"].click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText() and SAW not in dialog.text.toPlainText()
    dialog.include.setChecked(True)
    assert SAW in dialog.text.toPlainText()
    dialog.include.setChecked(False)
    dialog.save(tmp_path / "report.txt")
    assert (tmp_path / "report.txt").read_text(encoding="utf-8") == dialog.text.toPlainText()
    buttons["Close"].click()


def test_an_exception_in_a_slot_is_reported(qtbot: QtBot, reports: CrashReports) -> None:
    with qtbot.captureExceptions() as caught:
        QTimer.singleShot(0, fail)
        qtbot.waitUntil(lambda: bool(caught))
    # The test's own hook stands before ours here: what it caught goes the way of every exception.
    sys.excepthook(*caught[0])
    assert len(reports.files()) == 1


def test_a_process_with_the_number_of_one_that_fell_does_not_forget_it(tmp_path: Path) -> None:
    (tmp_path / f"fault-{os.getpid()}.txt").write_text("Fatal Python error: Segmentation fault")
    reports = CrashReports(tmp_path)
    reports.start()
    reports.stop()
    [file] = tmp_path.iterdir()
    assert "Segmentation fault" in file.read_text(encoding="utf-8")


TOLD = """
import sys
from PySide6.QtCore import QTimer
from explorer.window import command, main_window

class Window(main_window.MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        QTimer.singleShot(0, lambda: print("shown", flush=True))

main_window.MainWindow = Window
sys.exit(command.main(sys.argv[1:]))
"""


@pytest.mark.robust
@pytest.mark.parametrize("begins", [True, False])
def test_a_window_leaves_no_file_of_faults_behind(tmp_path: Path, begins: bool) -> None:
    """Neither where it is ended politely, nor where it cannot begin."""
    home = tmp_path / "home"
    chosen = {"QT_QPA_PLATFORM": "offscreen", "PARSE_EXPLORER_HOME": str(home), "PYTHONPATH": str(ROOT)}
    bad = tmp_path / "bad.session.json"
    bad.write_text(json.dumps({"format": SESSION_FORMAT, "version": 99}))
    command = [sys.executable, "-c", TOLD, "Mary/NNP left/VBD" if begins else str(bad)]
    with subprocess.Popen(
        command, env=os.environ | chosen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == ("shown\n" if begins else "")
        assert len(list(home.glob("fault-*"))) == begins
        process.terminate()
        assert (process.wait(60) == 0) == begins
    assert home.exists() and not list(home.glob("fault-*"))
