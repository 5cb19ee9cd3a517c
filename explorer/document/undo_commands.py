"""Every change a person makes, as a command that can be undone: each holds the document before and after it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from explorer.document.document import Document

if TYPE_CHECKING:
    from explorer.document.editing import Editing

TYPING, SETTINGS = 1, 2
"""Kinds of commands that merge with the one before of the same kind and subject."""
MERGE_SECONDS = 1.5


class Change(QUndoCommand):
    """The step from one document to another.

    Parameters
    ----------
    session
        The owner of the document.
    title
        What was done: "Undo …" shows it.
    after
        The document after it.
    kind, subject
        Changes of one kind and subject within :data:`MERGE_SECONDS` become one: typing, a slider.
    """

    def __init__(self, session: Editing, title: str, after: Document, kind: int = -1, subject: str = "") -> None:
        super().__init__(title)
        self.before = session.document
        self.after = after
        self.subject = subject
        self._kind = kind
        self._session = session
        self._time = time.monotonic()

    def id(self) -> int:
        """What it may merge with; −1 for nothing."""
        return self._kind

    def redo(self) -> None:
        """Make the change."""
        self._session.set_document(self.after)

    def undo(self) -> None:
        """Take it back."""
        self._session.set_document(self.before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a change that follows, if it goes on with this one."""
        if not isinstance(other, Change) or other.subject != self.subject:
            return False
        if other._time - self._time > MERGE_SECONDS:
            return False
        self.after, self._time = other.after, other._time
        self.setObsolete(self.after == self.before)
        return True
