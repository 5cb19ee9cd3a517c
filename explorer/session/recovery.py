"""What comes back: the document after a crash, and sessions that another one took the place of."""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.files import NO_FOLLOW, PRIVATE_FILE, remove_abandoned, try_lock
from engine.structure.tagged_sentence import shortened
from explorer.session.document import Document, SessionError, TextLine, line_dict, save_document
from explorer.session.files import LIST_SUFFIX, StoredSession, make_private, read_session, save_session

# Earlier sessions: what stood in a window that another one's session took the place of, each in a separate file.
#
# A window that crashed while another was started with a sentence, the second of two windows that crashed, the session
# of the last start where a file was opened instead: nothing that a person made is dropped.  The menu of recent files
# offers them, and there they can be removed.

FOLDER = "earlier"
"""Beside the preferences."""
DAMAGED_SUFFIX = ".damaged"
_SESSION_SUFFIX = ".json"
_DIGITS = 6
_LONGEST_TITLED = 200_000
"""Bytes of a file that is read for its title, when a menu opens."""


class EarlierSessions:
    """The earlier sessions of one user."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER

    def add(self, session: StoredSession, when: float) -> Path:
        """Keep a session that was shown at a time; the same one twice is one file."""
        # By what is in it: a process that was ended while it did this does it again at the next start.
        digest = hashlib.sha256(repr((session.document, session.path)).encode("utf-8", "replace")).hexdigest()[:_DIGITS]
        path = self.folder / f"{_moment(when)} {digest}{_SESSION_SUFFIX}"
        for other in self.files():
            if other.stem.endswith(f" {digest}"):
                return other
        save_session(session, path)
        return path

    def set_aside(self, file: Path, when: float) -> Path:
        """Keep a session's file that cannot be read, and its list, for somebody who can."""
        make_private(self.folder)
        target = self.folder / f"{_moment(when)} {file.stem}{DAMAGED_SUFFIX}"
        try:
            file.replace(target)
        except OSError as error:
            raise SessionError(f"{file}: cannot be moved ({error.strerror or error})") from error
        for beside in lists_of(file):
            with suppress(OSError):
                beside.replace(self.folder / beside.name)
        return target

    def files(self) -> list[Path]:
        """Return those that can be opened, the latest first."""
        with suppress(OSError):
            return sorted(self.folder.glob(f"*{_SESSION_SUFFIX}"), reverse=True)
        return []

    def remove(self) -> None:
        """Remove all of them, because a person wants that; raise :class:`SessionError` if it cannot be."""
        try:
            for file in list(self.folder.iterdir()) if self.folder.is_dir() else []:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise SessionError(f"{self.folder}: cannot be emptied ({error.strerror or error})") from error


def earlier_title(file: Path) -> str:
    """Return what to call an earlier session: when it was shown, and how it begins."""
    moment = file.stem.rpartition(" ")[0].replace(".", ":")
    try:
        found = read_session(file) if file.stat().st_size <= _LONGEST_TITLED else None
    except (OSError, SessionError):
        found = None
    if found is None or not found.document.lines:
        return moment
    count = len(found.document.lines)
    start = shortened(found.document.lines[0].text)
    return f"{moment}  {start}" + (f" and {count - 1:,} more" if count > 1 else "")


def lists_of(file: Path) -> list[Path]:
    """Return the files of long lists that belong to a session's file."""
    return [path for path in file.parent.glob(f"*{LIST_SUFFIX}") if path.name.startswith(f"{file.stem}-")]


def _moment(when: float) -> str:
    # No colon: not every system has one in a name.
    with suppress(OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(when).strftime("%Y-%m-%d %H.%M.%S")
    return "0000-00-00"


# Recovery: the document as it is now, on the disk, so that what is left of it after a crash comes back.

LONG_LIST = 500
MOST_CHANGES = 200
"""A longer list is kept in a file of its own, up to so many changes of it beside it; then it is written anew."""
_PREFIX, _SUFFIX, _LOCK_SUFFIX = "recovery-", ".json", ".lock"


class Recovered(NamedTuple):
    """What windows that did not close have left.

    Attributes
    ----------
    session
        What this window goes on with; ``None`` if there is nothing, or it was not asked for.
    earlier
        The files in which the others are now.
    damaged
        One sentence about each that could not be read; its file was set aside.
    """

    session: StoredSession | None = None
    earlier: tuple[Path, ...] = ()
    damaged: tuple[str, ...] = ()


class Recovery:
    """What a window that did not close leaves behind, and what this one takes over.

    Every running window has its file, with a lock beside it; a file whose lock nobody holds is that of a window
    that did not close.  What is taken over stays on the disk until this window's own file has it.  A long list is
    written once, to a file beside it, and after that only what changed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
        self._lock: int | None = None
        self._list: Path | None = None
        self._written: tuple[TextLine, ...] = ()
        self._taken: dict[Path, int] = {}

    @property
    def taken_over(self) -> tuple[Path, ...]:
        """The files of windows that did not close whose session this window has, and its own file not yet."""
        return tuple(self._taken)

    def save(self, session: StoredSession, holds: Sequence[Path] = ()) -> None:
        """Write the session; the files that were taken over and that it `holds` go then."""
        if self._lock is None:
            make_private(self.folder)
            self._lock = _own_lock(self.path)
        document = session.document
        extra: dict[str, Any] = {}
        before = self._list
        if len(document.lines) > LONG_LIST:
            if (
                self._list is None
                or len(document.lines) != len(self._written)
                or len(self._changes(document)) > MOST_CHANGES
            ):
                # Under another name: until the session itself is written, the old list is the one that belongs to it.
                made = self.path.with_name(f"{self.path.stem}-{secrets.token_hex(4)}{LIST_SUFFIX}")
                save_document(document, made, private=True)
                self._list, self._written = made, document.lines
            extra["list"] = self._list.name
            extra["changes"] = {str(at): line_dict(line) for at, line in self._changes(document).items()}
            extra["shown"] = document.current
            document = replace(document, lines=(), current=0)
        else:
            self._list, self._written = None, ()
        save_session(session._replace(document=document), self.path, extra)
        if before is not None and before != self._list:
            _remove(before)
        for file in holds:
            lock = self._taken.pop(file, None)
            if lock is not None:
                _forget(file, lock)

    def _changes(self, document: Document) -> dict[int, TextLine]:
        """Find the sentences that differ from those written; the same ones are the very same objects."""
        pairs = enumerate(zip(document.lines, self._written, strict=True))
        return {at: line for at, (line, written) in pairs if line is not written}

    def clear(self, keep: bool = False) -> None:
        """The window closes as it should: nothing is left to recover, unless the file is all there is to `keep`."""
        if not keep:
            for file in (self.path, *lists_of(self.path)):
                _remove(file)
        while self._taken:
            # The session that was kept elsewhere has what was taken over; if none was, it is there for the next start.
            file, lock = self._taken.popitem()
            if keep:
                os.close(lock)
            else:
                _forget(file, lock)
        self._list, self._written = None, ()
        if self._lock is not None:
            if not keep:
                _remove(self.path.with_suffix(_LOCK_SUFFIX))
            os.close(self._lock)
            self._lock = None

    def take_over(self, earlier: EarlierSessions, wanted: bool = True) -> Recovered:
        """Take over what windows that did not close were showing.

        The newest is what this window goes on with, if that is `wanted`; all others become `earlier` sessions.
        """
        session: StoredSession | None = None
        kept, damaged = [], []
        self._remove_unfinished()
        for file, when in self._left_behind():
            lock = _lock_of_ended(file)
            if lock is None:
                continue
            if not file.exists():
                # Another window, started at the same time, was quicker.
                _forget(file, lock)
                continue
            try:
                found = read_session(file)
                if wanted and session is None:
                    session = found
                    self._taken[file] = lock
                    continue
                if not found.is_elsewhere:
                    kept.append(earlier.add(found, when))
                _forget(file, lock)
            except SessionError as error:
                damaged.append(_set_aside(file, lock, when, earlier, error))
        return Recovered(session, tuple(kept), tuple(damaged))

    def _left_behind(self) -> list[tuple[Path, float]]:
        """Return the files of other windows, running or not, the newest first, and when they were written."""
        found = []
        with suppress(OSError):
            for file in self.folder.glob(f"{_PREFIX}*{_SUFFIX}"):
                with suppress(OSError):
                    if file != self.path:
                        found.append((file, file.lstat().st_mtime))
        return sorted(found, key=lambda one: one[1], reverse=True)

    def _remove_unfinished(self) -> None:
        """Remove what belongs to no session: a window was ended before its first one was written, or while it was."""
        with suppress(OSError):
            for part in self.folder.glob(f".{_PREFIX}*.part"):
                remove_abandoned(part.with_name(part.name[1:].rsplit(".", 2)[0]))
            for left in self.folder.glob(f"{_PREFIX}*{_LOCK_SUFFIX}"):
                file = left.with_suffix(_SUFFIX)
                if file != self.path and not file.exists() and (lock := _lock_of_ended(file)) is not None:
                    # It may have been written meanwhile: then it is taken over as the others are.
                    if file.exists():
                        os.close(lock)
                    else:
                        _forget(file, lock)


def _open_lock(file: Path) -> int:
    return os.open(file.with_suffix(_LOCK_SUFFIX), os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)


def _own_lock(file: Path) -> int:
    """Return the lock of this window's file."""
    while True:
        try:
            lock = _open_lock(file)
        except OSError as error:
            raise SessionError(f"{file}: cannot be written ({error.strerror or error})") from error
        if try_lock(lock) is not False and os.fstat(lock).st_nlink:
            return lock
        # Somebody took it for that of an ended window before it was locked: make it again.
        os.close(lock)


def _lock_of_ended(file: Path) -> int | None:
    """Return the lock of a file whose window has ended; ``None`` if it is running, or another
    one takes the file over.
    """
    try:
        lock = _open_lock(file)
    except OSError:
        return None
    held = try_lock(lock)
    if held or (held is None and not _is_running(file)):
        return lock
    os.close(lock)
    return None


def _is_running(file: Path) -> bool:
    """Return whether there is a process of the number that a file's name has:
    all that is known where there are no locks.
    """
    number = file.name.removeprefix(_PREFIX).partition("-")[0]
    if sys.platform == "win32" or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except (OSError, OverflowError):
        return False
    return True


def _forget(file: Path, lock: int) -> None:
    """Remove what a window has left: the lock last, so that nobody takes over a part of it."""
    for part in (file, *lists_of(file), file.with_suffix(_LOCK_SUFFIX)):
        _remove(part)
    os.close(lock)


def _set_aside(file: Path, lock: int, when: float, earlier: EarlierSessions, error: SessionError) -> str:
    """Keep a file that cannot be read; what there is to say about it."""
    try:
        target = earlier.set_aside(file, when)
    except SessionError as problem:
        os.close(lock)
        return f"what a window showed before the program stopped cannot be read: {error}; {problem}"
    _forget(file, lock)
    return f"what a window showed before the program stopped cannot be read and is kept in {target}: {error}"


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)
