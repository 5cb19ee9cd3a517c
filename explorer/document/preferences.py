"""Preferences and recovery: geometry, docks, theme, recent files, the last session, and work before a crash."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QLockFile, QSettings, QStandardPaths

from explorer.document.document import Document, SessionError, TextLine, line_dict, read_stored, save_document
from explorer.document.stage_navigation import PARSE

RECENT_FILES = 12
HOME_VARIABLE = "PARSE_EXPLORER_HOME"
LONG_LIST = 500
MOST_CHANGES = 200
"""A longer list is kept in a file of its own, up to so many changes of it beside it; then it is written anew."""
LIVE_TREEBANK = "live-treebank.ptb"
"""The trees that the live model counts, beside the preferences: every count opens the sentences behind it."""
PROCESSES = "processes"
"""The preference: how many processes judge a long list, 0 for as many as the machine has cores."""
MOST_PROCESSES = 16
"""Each has the counts of the model mapped, and some hundred megabytes of its own."""
_LAST = "last-session.json"
_LIST_SUFFIX = ".list"


def home() -> Path:
    """The folder for preferences: ``PARSE_EXPLORER_HOME``, or this user's folder for settings."""
    chosen = os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen)
    return (
        Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "parse-explorer"
    )


class StoredSession(NamedTuple):
    """A session as it comes back at the next start.

    Attributes
    ----------
    document, stage
        What a person has made, and the stage that was shown.
    path
        The session's file; ``None`` if it is in none.
    saved
        Whether the file has all of it.
    """

    document: Document
    stage: int
    path: Path | None = None
    saved: bool = True

    def beside_document(self) -> dict[str, Any]:
        """All but the document, as it is stored beside it."""
        return {"stage": self.stage, **({"file": str(self.path), "saved": self.saved} if self.path else {})}


def available_cores() -> int:
    """How many cores this process may use."""
    # Not on every system can a process be kept to some of the cores.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_private(folder: Path) -> None:
    """Make a folder that nobody else can read, if it is not there; raise :class:`SessionError` in one sentence."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SessionError(f"{folder}: cannot be made ({error.strerror or error})") from error


class Preferences:
    """Preferences of one user, in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home()
        self._stored = QSettings(str(self.folder / "window.ini"), QSettings.Format.IniFormat)
        self.recovery = Recovery(self.folder)

    def bytes(self, name: str) -> QByteArray:
        """Geometry or dock state."""
        value = self._stored.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def text(self, name: str, default: str = "") -> str:
        """A preference that is text."""
        return str(self._stored.value(name, default))

    def number(self, name: str, default: float) -> float:
        """A preference that is a number."""
        try:
            return float(str(self._stored.value(name, default)))
        except ValueError:
            return default

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
        return [str(one) for one in names if one]

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
        """Keep the session for the next start."""
        make_private(self.folder)
        save_document(session.document, self.folder / _LAST, session.beside_document())

    def last(self) -> StoredSession | None:
        """The session of the last start, if there was one that can be read."""
        return _read(self.folder / _LAST)


class Recovery:
    """The document as it is now, on the disk: what is left of it after a crash comes back.

    Every running window has a file of its own with a lock beside it; a file whose lock nobody holds is that of a
    window that did not close.  A long list is written once, to a file beside it, and after that only what changed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / f"recovery-{os.getpid()}-{id(self):x}.json"
        self._lock: QLockFile | None = None
        self._written: tuple[TextLine, ...] = ()

    def save(self, session: StoredSession) -> None:
        """Write the session."""
        document = session.document
        if self._lock is None:
            make_private(self.folder)
            self._lock = QLockFile(str(self.path.with_suffix(".lock")))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)
        extra = session.beside_document()
        if len(document.lines) > LONG_LIST:
            if len(document.lines) != len(self._written) or len(self._changes(document)) > MOST_CHANGES:
                save_document(document, self._list)
                self._written = document.lines
            extra["list"] = self._list.name
            extra["changes"] = {str(at): line_dict(line) for at, line in self._changes(document).items()}
            extra["shown"] = document.current
            document = replace(document, lines=(), current=0)
        save_document(document, self.path, extra)

    @property
    def _list(self) -> Path:
        return self.path.with_suffix(_LIST_SUFFIX)

    def _changes(self, document: Document) -> dict[int, TextLine]:
        """Find the sentences that differ from those written; the same ones are the very same objects."""
        pairs = enumerate(zip(document.lines, self._written, strict=True))
        return {at: line for at, (line, written) in pairs if line is not written}

    def clear(self, keep: bool = False) -> None:
        """The window closes as it should: nothing is left to recover, unless the file is all there is to `keep`."""
        with suppress(OSError):
            if not keep:
                self.path.unlink(missing_ok=True)
                self._list.unlink(missing_ok=True)
        self._written = ()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def left_behind(self) -> StoredSession | None:
        """What the newest window that did not close was showing; the files of such windows are removed."""
        found: StoredSession | None = None
        if not self.folder.is_dir():
            return None
        files = sorted(self.folder.glob("recovery-*.json"), key=lambda file: file.stat().st_mtime)
        for file in files:
            lock = QLockFile(str(file.with_suffix(".lock")))
            lock.setStaleLockTime(0)
            if file != self.path and lock.tryLock(0):
                found = _read(file) or found
                file.unlink(missing_ok=True)
                file.with_suffix(_LIST_SUFFIX).unlink(missing_ok=True)
                lock.unlock()
        return found


def _read(path: Path) -> StoredSession | None:
    """A stored session; ``None`` where there is none or it cannot be used, for starting matters more."""
    if not path.is_file():
        return None
    try:
        stored = read_stored(path)
        if isinstance(stored, dict) and "list" in stored:
            # A long list stands in a file of its own.
            whole = read_stored(path.with_name(str(stored["list"])))
            stored["lines"] = whole["lines"]
            for at, line in stored["changes"].items():
                stored["lines"][int(at)] = line
            stored["current"] = stored["shown"]
        file = Path(stored["file"]) if stored.get("file") else None
        if file is not None and not file.is_file():
            # It was moved or removed: there is nothing any more that this could be saved over.
            file = None
        return StoredSession(
            Document.from_dict(stored), int(stored.get("stage", PARSE)), file, bool(stored.get("saved", True))
        )
    except (SessionError, ValueError, TypeError, LookupError):
        return None
