"""Preferences: geometry, docks, theme, recent files, and the session that comes back at the next start."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from engine.common.characters import is_text
from engine.common.files import NO_FOLLOW, PRIVATE_FILE, locked
from engine.gate.files import digest_of
from engine.gate.private_files import NotPrivate, is_others_to_change, private_folder
from explorer.session.document import SessionError
from explorer.session.files import StoredSession, make_private, read_session, save_session
from explorer.session.recovery import EarlierSessions, Recovered, Recovery

RECENT_FILES = 12
HOME_VARIABLE = "PARSE_EXPLORER_HOME"
LIVE_TREEBANK = "live-treebank.ptb"
"""The trees that the live model counts, beside the preferences: every count opens the sentences behind it."""
PROCESSES = "processes"
"""The preference: how many processes judge a long list, 0 for as many as the machine has cores."""
MOST_PROCESSES = 16
"""Each has the counts of the model mapped, and some hundred megabytes of its own."""
_LAST = "last-session.json"
_LAST_LOCK = "last-session.lock"
_LONGEST_TEXT = 4096
_MOST_NAMES = 1000


def home() -> Path:
    """The folder for preferences: ``PARSE_EXPLORER_HOME``, or this user's folder for settings."""
    chosen = os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen)
    return (
        Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "parse-explorer"
    )


def _is_usable(text: str) -> bool:
    return len(text) <= _LONGEST_TEXT and "\0" not in text and is_text(text)


def available_cores() -> int:
    """How many cores this process may use."""
    # Not on every system can a process be kept to some of the cores.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Preferences:
    """Preferences of one user, in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home()
        file = self.folder / "window.ini"
        self._stored = QSettings(str(file), QSettings.Format.IniFormat) if _is_own(file) else _Unkept()
        self.recovery = Recovery(self.folder)
        self.earlier = EarlierSessions(self.folder)
        self._last_digest = ""

    def bytes(self, name: str) -> QByteArray:
        """Geometry or dock state."""
        value = self._stored.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def text(self, name: str, default: str = "") -> str:
        """A preference that is text; the default where something else is stored, or what no file's name can have."""
        value = self._stored.value(name, default)
        text = str(value) if isinstance(value, str | float | int) else default
        return text if _is_usable(text) else default

    def number(self, name: str, default: float, least: float = -math.inf, most: float = math.inf) -> float:
        """A preference that is a number; the default where something else is stored, or one beyond the limits."""
        try:
            value = float(str(self._stored.value(name, default)))
        except ValueError:
            return default
        return value if math.isfinite(value) and least <= value <= most else default

    def flag(self, name: str) -> bool:
        """A preference that is a switch."""
        return self.text(name) == "true"

    def keep(self, name: str, value: QByteArray | str | float | bool) -> None:
        """Remember something."""
        self._stored.setValue(name, str(value).lower() if isinstance(value, bool) else value)

    def names(self, name: str) -> list[str]:
        """A preference that is a list of names."""
        value = self._stored.value(name)
        names = [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []
        return [one for one in names[:_MOST_NAMES] if isinstance(one, str) and one and _is_usable(one)]

    def keep_names(self, name: str, names: Sequence[str]) -> None:
        """Remember a list of names."""
        self._stored.setValue(name, list(names))

    @property
    def processes(self) -> int:
        """In how many processes a long list may be judged."""
        chosen = round(self.number(PROCESSES, 0))
        return chosen if 0 < chosen <= MOST_PROCESSES else min(available_cores(), MOST_PROCESSES)

    def write(self) -> None:
        """Write what was remembered to the disk now."""
        self._stored.sync()

    def recent(self, kind: str) -> list[str]:
        """Files of a kind (``models``, ``files``) that were opened last, the latest first."""
        return self.names(f"recent/{kind}")

    def add_recent(self, kind: str, path: Path | str) -> None:
        """A file was opened."""
        name = str(Path(path).absolute())
        others = [other for other in self.recent(kind) if other != name]
        self.keep_names(f"recent/{kind}", [name, *others][:RECENT_FILES])

    def save_last(self, session: StoredSession) -> None:
        """Keep the session for the next start.

        One that another window has kept there meanwhile, or that this one did not go on from, becomes an earlier one.
        """
        make_private(self.folder)
        path = self.folder / _LAST
        with _one_at_a_time(self.folder / _LAST_LOCK):
            digest = _digest(path)
            if digest and digest != self._last_digest:
                with suppress(SessionError):
                    # What cannot be read was never this program's.
                    before = read_session(path)
                    if not before.is_elsewhere and before.document != session.document:
                        self.earlier.add(before, path.stat().st_mtime)
            save_session(session._replace(last=""), path)
            self._last_digest = _digest(path)

    def last(self) -> StoredSession | None:
        """The session of the last start, if there was one that can be read, to go on from."""
        path = self.folder / _LAST
        digest = _digest(path)
        try:
            found = read_session(path) if digest else None
        except SessionError:
            # Starting matters more.
            return None
        self._last_digest = digest
        return found

    def take_over(self, wanted: bool) -> Recovered:
        """Take over what windows that did not close have left; see :meth:`Recovery.take_over`."""
        found = self.recovery.take_over(self.earlier, wanted)
        if found.session is not None:
            # It went on from the last session, and so does this window now.
            self._last_digest = found.session.last
        return found

    @property
    def last_digest(self) -> str:
        """The digest of the last session that this window went on from; empty if it went on from none."""
        return self._last_digest


class _Unkept:
    """Preferences that are not kept for the next start, because others could have written the file or may read it."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def value(self, name: str, default: Any = None) -> Any:
        """What was remembered since the start."""
        return self._values.get(name, default)

    def setValue(self, name: str, value: Any) -> None:
        """Remember something until the end."""
        self._values[name] = value

    def sync(self) -> None:
        """Nothing is written."""


def _is_own(path: Path) -> bool:
    """Whether preferences can be in a file: in a folder of this user's, and nothing that others could have written.

    Folder and file are made, before Qt makes them, which would let others read them.
    """
    try:
        with suppress(OSError):
            private_folder(path.parent)
            _make_private_file(path)
        # It may be a link, which in such a folder is the user's own.
        status = path.stat()
    except (OSError, NotPrivate):
        return False
    return stat.S_ISREG(status.st_mode) and not is_others_to_change(status)


def _make_private_file(path: Path) -> None:
    """Make a file that nobody else can read, or close the one that is there to others; Qt keeps its mode."""
    opened = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(opened, PRIVATE_FILE)
    finally:
        os.close(opened)


def _digest(path: Path) -> str:
    """The digest of a file; empty if there is none that nobody else can have written."""
    try:
        return digest_of(path, private=True)
    except (OSError, NotPrivate):
        return ""


@contextmanager
def _one_at_a_time(lock: Path) -> Iterator[None]:
    """Hold a lock in this block where that is possible: two windows may close at once."""
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(locked(lock, wait=True))
        yield
