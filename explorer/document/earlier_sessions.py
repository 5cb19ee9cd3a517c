"""Earlier sessions: what stood in a window that another one's session took the place of, each in a file of its own.

A window that crashed while another was started with a sentence, the second of two windows that crashed, the session of
the last start where a file was opened instead: nothing that a person made is dropped.  The menu of recent files offers
them, and there they can be removed.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from engine.structure.tagged_sentence import shortened
from explorer.document.document import SessionError
from explorer.document.stored_session import LIST_SUFFIX, StoredSession, make_private, read_session, save_session

FOLDER = "earlier"
"""Beside the preferences."""
DAMAGED_SUFFIX = ".damaged"
_SUFFIX = ".json"
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
        path = self.folder / f"{_moment(when)} {digest}{_SUFFIX}"
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
        """Those that can be opened, the latest first."""
        with suppress(OSError):
            return sorted(self.folder.glob(f"*{_SUFFIX}"), reverse=True)
        return []

    def remove(self) -> None:
        """Remove all of them, because a person wants that; raise :class:`SessionError` if it cannot be."""
        try:
            for file in list(self.folder.iterdir()) if self.folder.is_dir() else []:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise SessionError(f"{self.folder}: cannot be emptied ({error.strerror or error})") from error


def earlier_title(file: Path) -> str:
    """What to call an earlier session: when it was shown, and how it begins."""
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
    """The files of long lists that belong to a session's file."""
    return [path for path in file.parent.glob(f"*{LIST_SUFFIX}") if path.name.startswith(f"{file.stem}-")]


def _moment(when: float) -> str:
    # No colon: not every system has one in a name.
    with suppress(OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(when).strftime("%Y-%m-%d %H.%M.%S")
    return "0000-00-00"
