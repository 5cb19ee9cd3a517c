"""Preferences: geometry, docks, theme, recent files, and the session that comes back at the next start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from engine.common.files import locked
from engine.gate.files import digest_of
from engine.gate.private_files import NotPrivate
from explorer.kit.store import Store
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
"""Each has the counts of the model mapped, and some hundred megabytes besides."""
_LAST = "last-session.json"
_LAST_LOCK = "last-session.lock"


def home() -> Path:
    """Return the folder for preferences: ``PARSE_EXPLORER_HOME``, or this user's folder for settings."""
    chosen = os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen)
    return (
        Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "parse-explorer"
    )


def available_cores() -> int:
    """Return how many cores this process may use."""
    # Not on every system can a process be kept to some of the cores.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Preferences(Store):
    """Preferences of one user, in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home()
        super().__init__(self.folder / "window.ini")
        self.recovery = Recovery(self.folder)
        self.earlier = EarlierSessions(self.folder)
        self._last_digest = ""

    @property
    def processes(self) -> int:
        """In how many processes a long list may be judged."""
        chosen = round(self.number(PROCESSES, 0))
        return chosen if 0 < chosen <= MOST_PROCESSES else min(available_cores(), MOST_PROCESSES)

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
        """Return the session of the last start, if there was one that can be read, to go on from."""
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


def _digest(path: Path) -> str:
    """Return the digest of a file; empty if there is none that nobody else can have written."""
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
