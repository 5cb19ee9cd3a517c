"""Crash reports: what went wrong inside the program, in a file that a person can read, copy and send."""

from __future__ import annotations

import faulthandler
import os
import re
import stat
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import NO_FOLLOW, PRIVATE_FILE, try_lock, write_whole
from engine.gate.files import read_beginning
from engine.gate.private_files import private_folder
from explorer.kit.controls import in_column, in_row
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import TEXT
from explorer.kit.messages import Messages, error_text
from explorer.kit.store import Store
from explorer.kit.tasks import listen_to_faults, stop_listening, tell_fault
from explorer.window.diagnosis import abbreviated, facts_of_this_process, installation, problem

# Crash reports: what went wrong inside the program, in a file that a person can read and send.
#
# A report has the facts of :mod:`explorer.window.diagnosis`, the names of the last actions, and where in the program
# it happened: file, line and function.  It has no values, no messages of errors and no names of the user's files, for
# any of them might hold a sentence; sentences are added only where a person asks for it
# (:mod:`explorer.window.crash_reports`).
#
# What Python cannot catch (a segmentation fault) is written by :mod:`faulthandler`, and becomes a report at the next
# start.

MOST_REPORTS = 10
MOST_ACTIONS = 20
MOST_OF_ONE_RUN = 3
"""A fault in what is done again and again must not push all other reports out."""
_NAME, _FAULT_PREFIX = "crash-{}.txt", "fault-"
_FRAME = re.compile(r'File "([^"]*)"(, line \d+)?( in .*)?')


_SAME_SECONDS = 1.0
"""The same sentence is not said again within so long: what is painted goes wrong again and again."""


class FaultMessages(QObject):
    """Says in the window what nobody else says: what came out of a slot, a timer or a thread as an exception.

    Signals
    -------
    raised
        The exception, from whichever thread.
    """

    raised = Signal(object)

    def __init__(self, messages: Messages) -> None:
        super().__init__(messages)
        self._messages = messages
        self._last = ("", float("-inf"))
        self.raised.connect(self._say, Qt.ConnectionType.QueuedConnection)

    def _say(self, error: Exception) -> None:
        text, now = error_text(error), time.monotonic()
        if text != self._last[0] or now - self._last[1] > _SAME_SECONDS:
            self._last = text, now
            self._messages.show(text, True)


class CrashReports:
    """The reports of one user.

    Parameters
    ----------
    folder
        Where they are kept: that of the preferences.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._actions: deque[str] = deque(maxlen=MOST_ACTIONS)
        self._written = 0
        self._fault_file: TextIO | None = None
        self._hooks: tuple[Any, Any] | None = None
        self._writing = threading.Lock()
        self._messages: FaultMessages | None = None

    def files(self) -> list[Path]:
        """The reports that are there, the newest first."""
        with suppress(OSError):
            return sorted(self._folder.glob(_NAME.format("*")), reverse=True)
        return []

    def note_action(self, name: str) -> None:
        """A person has chosen an action."""
        self._actions.append(name)

    # Catching

    def show_in(self, messages: Messages) -> None:
        """Have whatever goes wrong from now on said in a window, too."""
        self._messages = FaultMessages(messages)

    def _note(self, error: BaseException) -> None:
        tell_fault(error)
        # The window may be gone already.
        with suppress(RuntimeError):
            if self._messages is not None and isinstance(error, Exception):
                self._messages.raised.emit(error)

    def start(self) -> None:
        """Write a report of whatever goes wrong from now on, and of what ended an earlier process."""
        # An earlier one may have had the number of this one.
        self.collect()
        self._hooks = (sys.excepthook, threading.excepthook)
        shown, shown_in_thread = self._hooks

        def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            if not isinstance(error, KeyboardInterrupt):
                self._note(error)
            shown(kind, error, trace)

        def thread_hook(found: threading.ExceptHookArgs) -> None:
            if found.exc_value is not None:
                self._note(found.exc_value)
            shown_in_thread(found)

        sys.excepthook, threading.excepthook = hook, thread_hook
        listen_to_faults(self.write)
        with suppress(OSError, EngineError, ValueError):
            private_folder(self._folder)
            path = self._folder / f"{_FAULT_PREFIX}{os.getpid()}.txt"
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | NO_FOLLOW, PRIVATE_FILE)
            try_lock(descriptor)
            self._fault_file = os.fdopen(descriptor, "w", encoding="utf-8")
            faulthandler.enable(self._fault_file)

    def stop(self) -> None:
        """The program ends as it should."""
        self._messages = None
        if self._hooks is not None:
            sys.excepthook, threading.excepthook = self._hooks
            self._hooks = None
            stop_listening(self.write)
        if self._fault_file is not None:
            faulthandler.disable()
            name = self._folder / f"{_FAULT_PREFIX}{os.getpid()}.txt"
            self._fault_file.close()
            self._fault_file = None
            with suppress(OSError):
                name.unlink()

    def collect(self) -> list[Path]:
        """Make reports of what processes that were ended by a fault have left; those that are new."""
        made = []
        with suppress(OSError):
            for file in sorted(self._folder.glob(f"{_FAULT_PREFIX}*.txt")):
                with suppress(OSError, EngineError):
                    left = _left_by_ended(file)
                    if left is not None and left.strip():
                        made.append(
                            self._save("The process was ended by the system.", _anonymous(left), installation())
                        )
                    if left is not None:
                        file.unlink(missing_ok=True)
        return made

    # Writing

    def write(self, error: BaseException) -> None:
        """Write a report of an error; whatever fails here must not make it worse."""
        with suppress(Exception), self._writing:
            if self._written < MOST_OF_ONE_RUN:
                self._written += 1
                self._save(f"{_kind(error)} (its message is left out)", trace_of(error), facts_of_this_process())

    def _save(self, what: str, trace: str, found: Iterable[tuple[str, str]]) -> Path:
        private_folder(self._folder)
        lines = [what, "", "Where:", trace.rstrip(), "", f"Last actions: {', '.join(self._actions) or 'none'}", ""]
        try:
            lines += [f"{name}: {value}" for name, value in found]
        except Exception as error:
            lines.append(problem(error))
        path = self._folder / _NAME.format(datetime.now().strftime("%Y-%m-%d-%H.%M.%S.%f"))
        write_whole(path, "\n".join([*lines, ""]).encode("utf-8", "replace"), private=True)
        for old in self.files()[MOST_REPORTS:]:
            with suppress(OSError):
                old.unlink()
        return path


def trace_of(error: BaseException) -> str:
    """Where an error happened, and those that it came of: file, line and function alone."""
    parts: list[str] = []
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        frames = traceback.extract_tb(found.__traceback__)
        rows = [f"  {abbreviated(frame.filename)}, line {frame.lineno}, in {frame.name}" for frame in frames]
        parts.append("\n".join([_kind(found), *rows]))
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return "\n\nwhich came of\n\n".join(parts)


def _kind(error: BaseException) -> str:
    kind = type(error)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _anonymous(text: str) -> str:
    """What :mod:`faulthandler` wrote, with the names of files shortened."""
    return _FRAME.sub(lambda found: f'File "{abbreviated(found[1])}"{found[2] or ""}{found[3] or ""}', text)


def _left_by_ended(file: Path) -> str | None:
    """What is in the file of a process; ``None`` while it runs, or if this is no file."""
    descriptor = os.open(file, os.O_RDWR | NO_FOLLOW)
    try:
        # A pipe would be read for ever: its end that is written to is open, too.
        if not stat.S_ISREG(os.fstat(descriptor).st_mode) or try_lock(descriptor) is False:
            return None
        with os.fdopen(os.dup(descriptor), encoding="utf-8", errors="replace") as opened:
            return opened.read(100_000)
    finally:
        os.close(descriptor)


def watch_actions(reports: CrashReports, names: Iterable[tuple[str, Callable[..., object]]]) -> None:
    """Note every action that a person chooses, by its name; each comes with what connects to it."""
    for name, connect in names:
        connect(lambda *_, name=name: reports.note_action(name))


# The dialog of a crash report: it can be read, copied and saved; sentences are in it only if that is asked for.

_SIZE = (680, 560)
_ABOUT = (
    "This is what a report of a fault needs: where in the program it happened, and on what it runs. Your sentences and "
    "the names of your files are not in it. Nothing is sent: copy or save it, and add it to your report."
)
LONGEST_REPORT = 1_000_000
MOST_SENTENCES = 20


class CrashDialog(QDialog):
    """Shows a report.

    Parameters
    ----------
    path
        Its file.
    sentences
        Those that are open now, the one that is shown first.
    store
        Where the folder of files is remembered.
    show_error
        Called with what cannot be read or saved.
    parent
        The window over which it opens.
    """

    def __init__(
        self,
        path: Path,
        sentences: Callable[[], list[str]],
        store: Store,
        show_error: Callable[[Exception], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("crash-report")
        self.setWindowTitle("Crash report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._path = path
        self._sentences = sentences
        self._store = store
        self._show_error = show_error
        self._report = _text(path)
        about = QLabel(_ABOUT)
        about.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Crash report")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.include = QCheckBox("Include my sentences (those that are open now)")
        self.include.toggled.connect(self._refresh)
        copy, save, close = QPushButton("Copy"), QPushButton("Save …"), QPushButton("Close")
        copy.setToolTip("Put the report on the clipboard")
        save.setToolTip("Write the report to a file")
        close.setDefault(True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        save.clicked.connect(self._ask_where)
        close.clicked.connect(self.accept)
        foot = in_row(copy, save, None, close)
        parts = (about, (self.text, 1), self.include, foot)
        self.setLayout(in_column(*parts, margins=(16, 16, 16, 12), spacing=8))
        self.resize(*_SIZE)
        self._refresh()

    def _refresh(self) -> None:
        text = self._report
        if self.include.isChecked():
            text += "\nSentences:\n" + "\n".join(self._sentences()[:MOST_SENTENCES]) + "\n"
        self.text.setPlainText(text)

    def _ask_where(self) -> None:
        if path := ask_save(self, self._store, "Save crash report", self._path.name, TEXT):
            self.save(path)

    def save(self, path: Path) -> None:
        """Write what is shown to a file."""
        try:
            write_whole(path, self.text.toPlainText().encode())
        except EngineError as error:
            self._show_error(error)


def _text(path: Path) -> str:
    try:
        return read_beginning(path, LONGEST_REPORT).decode(errors="replace")
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror or error})"
