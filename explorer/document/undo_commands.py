"""The undo command: the step from one document to another, which holds both of them."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from explorer.document.document import Document

TYPING, SETTINGS = 1, 2
"""Kinds of changes that merge with the one before of the same kind and subject."""
MERGE_SECONDS = 1.5


class Change(QUndoCommand):
    """The step from one document to another.

    Parameters
    ----------
    title
        What was done: "Undo …" shows it.
    before, after
        The documents.
    set_document
        Makes a document the current one.
    kind, subject
        Changes of one kind and subject within :data:`MERGE_SECONDS` become one: typing, a slider.
    """

    def __init__(
        self,
        title: str,
        before: Document,
        after: Document,
        set_document: Callable[[Document], None],
        kind: int = -1,
        subject: str = "",
    ) -> None:
        super().__init__(title)
        self.before = before
        self.after = after
        self.subject = subject
        self._kind = kind
        self._set_document = set_document
        self._time = time.monotonic()

    def id(self) -> int:
        """The kind of changes that it may merge with; −1 for none."""
        return self._kind

    def redo(self) -> None:
        """Make the change."""
        self._set_document(self.after)

    def undo(self) -> None:
        """Take the change back."""
        self._set_document(self.before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a change that follows, if it goes on with this one."""
        if not isinstance(other, Change) or other.subject != self.subject:
            return False
        if other._time - self._time > MERGE_SECONDS:
            return False
        self.after, self._time = other.after, other._time
        self.setObsolete(self.after == self.before)
        return True
