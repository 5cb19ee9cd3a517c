"""A session as the program keeps it for itself: for the next start, and for the time after a crash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.checked_json import CheckedValue, ValueProblem
from engine.common.errors import EngineError
from engine.common.private_files import private_folder
from explorer.appearance.bundled_files import PAPER_SENTENCE
from explorer.document.document import Document, SessionError, TextLine, save_document
from explorer.document.session_reading import (
    damaged,
    is_file,
    load_document,
    read_document,
    read_file_name,
    read_line,
    read_stage,
    read_stored,
)

LIST_SUFFIX = ".list"
"""Of the file that holds a long list of sentences beside the session."""
_DIGEST_LENGTH = 64


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
    last
        The digest of the last session that this one went on from; empty if it went on from none.
    """

    document: Document
    stage: int
    path: Path | None = None
    saved: bool = True
    last: str = ""

    def beside_document(self) -> dict[str, Any]:
        """All but the document, as it is stored beside it."""
        file = {"file": str(self.path), "saved": self.saved} if self.path else {}
        return {"stage": self.stage, **file, **({"last": self.last} if self.last else {})}

    @property
    def is_elsewhere(self) -> bool:
        """Whether nothing is lost without it: no sentence in it is a person's, or its own file has all of it."""
        if not any(line.text.strip() and line != TextLine(PAPER_SENTENCE) for line in self.document.lines):
            return True
        if self.path is None:
            return False
        try:
            found = load_document(self.path)[0]
        except SessionError:
            return False
        # A model that is not there was replaced by the one that was open, and which sentence is shown is no work.
        model = found.model if is_file(Path(found.model)) else self.document.model
        return replace(found, model=model, current=self.document.current) == replace(self.document, live=False)


def make_private(folder: Path) -> None:
    """Make a folder that nobody else can read, if it is not there; raise :class:`SessionError` in one sentence."""
    try:
        private_folder(folder)
    except OSError as error:
        raise SessionError(f"{folder}: cannot be made ({error.strerror or error})") from error
    except EngineError as error:
        raise SessionError(f"{folder}: this folder belongs to another user, so nothing is kept in it") from error


def save_session(session: StoredSession, path: Path, extra: Mapping[str, Any] | None = None) -> None:
    """Write a session where nobody else can read it."""
    make_private(path.parent)
    save_document(session.document, path, {**session.beside_document(), **(extra or {})}, private=True)


def read_session(path: Path) -> StoredSession:
    """A session that the program has kept; raise :class:`SessionError` if it cannot be used."""
    stored = read_stored(path, private=True)
    try:
        if isinstance(stored.value, dict) and "list" in stored.value:
            stored = _with_list(stored, path)
        file, saved, last = read_file_name(stored, "file"), stored.optional("saved"), stored.optional("last")
        return StoredSession(
            read_document(stored),
            read_stage(stored),
            # Where it was moved or removed there is nothing any more that this could be saved over.
            file,
            saved is None or saved.flag(),
            last.text(_DIGEST_LENGTH) if last is not None else "",
        )
    except ValueProblem as error:
        raise SessionError(f"{path}: {damaged(error)}") from error
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from error


def _with_list(stored: CheckedValue, path: Path) -> CheckedValue:
    """A session whose sentences stand in a file of their own, but for those that were changed since."""
    name = stored.member("list").text()
    if not name.startswith(path.stem) or Path(name).name != name or not name.endswith(LIST_SUFFIX):
        stored.member("list").fail("the name of a file beside this one")
    whole = read_stored(path.with_name(name), private=True)
    lines = [each.value for each in whole.member("lines").items()]
    for at, line in stored.member("changes").members().items():
        if not at.isdecimal() or int(at[:12]) >= len(lines):
            line.fail(f"that of a sentence from 0 to {len(lines) - 1}")
        # Checked where it can be named; with the others it is read once more.
        read_line(line)
        lines[int(at)] = line.value
    return CheckedValue({**stored.value, "lines": lines, "current": stored.member("shown").value})
