"""The real program is killed at random moments: no sentence that stood on the screen for a while is lost.

``PARSE_EXPLORER_KILLS=200 python -m pytest tests/faults/test_window_kills.py`` is the large campaign.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from explorer.session.files import read_session
from explorer.window.files import AUTOSAVE_MS
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
KILLS_VARIABLE = "PARSE_EXPLORER_KILLS"
USUAL_KILLS = 5
LONGEST_LIFE = 4.0
"""Seconds after its first sentence in which a window is killed."""
MARGIN = AUTOSAVE_MS / 1000 + 2.0
"""Seconds after which a sentence must be on the disk: those between two savings, and those that writing takes where
other work keeps processor and disk busy."""
CHILD = """
import itertools, sys
from PySide6.QtCore import QTimer
from explorer.window import command as app
from explorer.window import main_window
from explorer.session.document import TextLine

class Typing(main_window.MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        self.numbers = itertools.count()
        self.typing = QTimer(self, interval=150)
        self.typing.timeout.connect(self.type_one)
        self.typing.start()

    def type_one(self):
        text = f"{sys.argv[1]}-{next(self.numbers)}/NN"
        self.session.editor.add_lines([TextLine(text)])
        print(text, flush=True)

    def closeEvent(self, event):
        self.typing.stop()
        super().closeEvent(event)

main_window.MainWindow = Typing
sys.exit(app.main(sys.argv[2:]))
"""


class Window:
    """A running program, which adds sentences and tells of each as soon as it stands in the document."""

    def __init__(self, home: Path, name: str, *arguments: str) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PARSE_EXPLORER_HOME": str(home),
            "QT_QPA_PLATFORM": "offscreen",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD, name, "--model", "classroom", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.shown: dict[str, float] = {}
        """The sentences that it told of, and when."""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.shown[line.strip()] = time.monotonic()

    def wait_for_first(self) -> None:
        """Wait until a sentence stands in the window."""
        wait_until(lambda: bool(self.shown) or self._process.poll() is not None, seconds=120)

    def end(self, how: signal.Signals) -> set[str]:
        """End it, and say which sentences had stood in it long enough."""
        moment = time.monotonic()
        self._process.send_signal(how)
        self._process.wait(60)
        self._reader.join()
        errors = self._process.stderr.read() if self._process.stderr is not None else ""
        assert self._process.returncode == (-how if how == signal.SIGKILL else 0), errors
        assert "Traceback" not in errors, errors
        self.ages = {text: moment - when for text, when in self.shown.items()}
        return {text for text, age in self.ages.items() if how != signal.SIGKILL or age > MARGIN}

    def kill(self) -> None:
        """Leave nothing behind."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


def texts_on_disk(home: Path) -> set[str]:
    """Every sentence that the next start shows or offers."""
    files = [*home.glob("recovery-*.json"), *home.glob("earlier/*.json"), *home.glob("last-session.json")]
    return {line.text for file in files for line in read_session(file).document.lines}


def test_no_sentence_is_lost_however_windows_end(tmp_path: Path) -> None:
    chance, home = random.Random(18), tmp_path / "home"
    kills = int(os.environ.get(KILLS_VARIABLE, USUAL_KILLS))
    wanted: set[str] = set()
    done = started = 0
    unsaved = 0.0
    while done < kills:
        windows = []
        try:
            for _ in range(chance.choice((1, 1, 2))):
                started += 1
                arguments = (f"given-{started}/NN",) if chance.random() < 0.4 else ()
                windows.append(Window(home, f"window-{started}", *arguments))
            for window in windows:
                if not wanted or chance.random() < 0.85:
                    window.wait_for_first()
                    # The first of all lives until some of its sentences must be on the disk: chance alone, with few
                    # kills, might leave none to look for.
                    moment = time.monotonic() + (chance.uniform(0, LONGEST_LIFE) if wanted else MARGIN + 1)
                else:
                    # While it starts, or while it takes over what others have left.
                    moment = time.monotonic() + chance.uniform(0, 2)
                wait_until(lambda moment=moment: time.monotonic() >= moment, seconds=60)  # type: ignore[misc]
                how = signal.SIGINT if window.shown and chance.random() < 0.2 else signal.SIGKILL
                wanted |= window.end(how)
                done += how == signal.SIGKILL
                found = texts_on_disk(home)
                lost = wanted - found
                unsaved = max([unsaved, *(age for text, age in window.ages.items() if text not in found)])
                assert not lost, f"after {done} kills, the last by {how.name}: {sorted(lost)}, {unsaved:.2f} s"
        finally:
            for window in windows:
                window.kill()
    assert wanted and not list(home.glob("earlier/*.damaged"))
    print(f"{done} kills of {started} windows, {len(wanted)} sentences, none lost; unsaved for {unsaved:.2f} s at most")
