"""The document that is open, and every change a person can make to it, each of which can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from engine.common.errors import EngineError
from engine.settings import Settings
from engine.structure.constraints import Attachment, Constraint, FixedTag, GapTag
from explorer.kit.messages import Messages
from explorer.session.document import Document, TextLine, added

# The undo command: the step from one value to another, which holds both of them.

T = TypeVar("T")
TYPING, SETTINGS = 1, 2
"""Kinds of changes that merge with the one before of the same kind and subject."""
MERGE_SECONDS = 1.5


class Change(QUndoCommand, Generic[T]):
    """The step from one document, lesson or treebank to another.

    Parameters
    ----------
    title
        What was done: "Undo …" shows it.
    before, after
        The documents.
    use
        Makes a document the current one.
    kind, subject
        Changes of one kind and subject become one: typing, a slider.
    within
        Seconds within which they do.
    """

    def __init__(
        self,
        title: str,
        before: T,
        after: T,
        use: Callable[[T], None],
        kind: int = -1,
        subject: str = "",
        within: float = MERGE_SECONDS,
    ) -> None:
        super().__init__(title)
        self.before = before
        self.after = after
        self.subject = subject
        self._kind = kind
        self._use = use
        self._within = within
        self._time = time.monotonic()

    def id(self) -> int:
        """Return the kind of changes that it may merge with; −1 for none."""
        return self._kind

    def redo(self) -> None:
        """Make the change."""
        self._use(self.after)

    def undo(self) -> None:
        """Take the change back."""
        self._use(self.before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a change that follows, if it goes on with this one."""
        if not isinstance(other, Change) or other.subject != self.subject:
            return False
        if other._time - self._time > self._within:
            return False
        self.after, self._time = other.after, other._time
        self.setObsolete(self.after == self.before)
        return True


# The document that is open, and every change a person can make to it, each of which can be undone.


class DocumentEditor(QObject):
    """Holds the document and changes it by commands on :attr:`undo_stack`.

    Parameters
    ----------
    messages
        Where a refused change is explained.
    describe
        Puts a what-if into words, for the titles of changes.

    Signals
    -------
    text_changed
        The sentence that is shown has another text now; `document_changed` follows.
    document_changed
        The document is another one now.
    settings_changed
        It is parsed under another preset, other settings or other tags, or with another model; after
        `document_changed`, as those that follow here.
    count_changed
        There are more sentences now, or fewer.
    what_ifs_changed
        What is forced or forbidden is another thing now, or in another document.
    change_refused
        A change was not made: whoever already shows it must show the document again.
    """

    text_changed = Signal()
    document_changed = Signal()
    settings_changed = Signal()
    count_changed = Signal()
    what_ifs_changed = Signal()
    change_refused = Signal()

    def __init__(
        self, messages: Messages, describe: Callable[[Constraint], str] = str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._document = Document()
        self._messages = messages
        self._describe = describe

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self._document

    @property
    def settings(self) -> Settings:
        """How the sentence is parsed."""
        return self._document.settings

    @property
    def line(self) -> TextLine:
        """The sentence that is shown."""
        return self._document.line

    def set_document(self, document: Document) -> None:
        """Make this the document; for commands, and for what cannot be undone."""
        if document == self._document:
            return
        before, self._document = self._document, document
        if document.line.text != before.line.text:
            self.text_changed.emit()
        self.document_changed.emit()
        if replace(document, lines=(), current=0) != replace(before, lines=(), current=0):
            self.settings_changed.emit()
        if len(document.lines) != len(before.lines):
            self.count_changed.emit()
        if document.line.what_ifs or before.line.what_ifs:
            self.what_ifs_changed.emit()

    def choose(self, index: int) -> None:
        """Show another sentence of the list."""
        if 0 <= index < len(self._document.lines) and index != self._document.current:
            self.set_document(replace(self._document, current=index))

    def change(self, title: str, after: Document, kind: int = -1, subject: str = "") -> None:
        """Change the document, so that it can be undone."""
        if after != self._document:
            self.undo_stack.push(Change(title, self._document, after, self.set_document, kind, subject))

    def edit_text(self, text: str) -> None:
        """Replace the text of the sentence that is shown; what-ifs name positions, so they go with the old one."""
        if text != self.line.text:
            after = self._document.with_line(TextLine(text, place=self.line.place))
            self.change("typing", after, TYPING, f"line {self._document.current}")

    def split_line(self, lines: Sequence[TextLine]) -> None:
        """Put the sentences that a text turned out to be in place of the one that is shown."""
        document, at = self._document, self._document.current
        placed = (replace(line, place=self.line.place) for line in lines)
        after = replace(document, lines=(*document.lines[:at], *placed, *document.lines[at + 1 :]))
        self.change("typing", after, TYPING, f"line {at}")

    def add_lines(self, lines: Sequence[TextLine], title: str = "adding sentences") -> None:
        """Add sentences at the end of the list."""
        if lines:
            self.change(title, added(self._document, lines))

    def remove_lines(self, indices: Sequence[int]) -> None:
        """Take sentences out of the list."""
        gone = set(indices)
        kept = tuple(line for index, line in enumerate(self._document.lines) if index not in gone)
        before = sum(1 for index in range(self._document.current) if index not in gone)
        current = max(0, min(before, len(kept) - 1))
        self.change("removing sentences", replace(self._document, lines=kept, current=current))

    def clear_lines(self) -> None:
        """Start with an empty list of sentences, under the same model and settings."""
        self.change("new session", replace(self._document, lines=(), current=0))

    def set_settings(self, **changes: Any) -> None:
        """Change settings; the same setting changed again at once is one change."""
        try:
            after = replace(self._document, settings=replace(self._document.settings, **changes))
        except EngineError as error:
            # Some switches exclude each other.
            self._messages.show_error(error)
            self.change_refused.emit()
            return
        names = ", ".join(changes)
        self.change(f"change of {names.replace('_', ' ')}", after, SETTINGS, names)

    def set_gold_tags(self, on: bool) -> None:
        """Parse trees with their own tags, or from their words alone."""
        self.change("gold tags" if on else "tags of the tagger", replace(self._document, gold_tags=on))

    def set_preset(self, number: int) -> None:
        """Choose one of the paper's configurations."""
        self.change(f"preset ({number})", self._document.with_preset(number))

    def set_model(self, name: str, title: str) -> None:
        """Use the model of another file."""
        self.change(title, self._document.with_model(name))

    def add_what_if(self, constraint: Constraint) -> None:
        """Force or forbid something; what it replaces is lifted."""
        kept = tuple(other for other in self.line.what_ifs if not replaces(constraint, other))
        line = replace(self.line, what_ifs=(*kept, constraint))
        self.change(f"what-if: {self._describe(constraint)}", self._document.with_line(line))

    def lift(self, constraints: Sequence[Constraint]) -> None:
        """Take what-ifs back."""
        line = replace(self.line, what_ifs=tuple(one for one in self.line.what_ifs if one not in constraints))
        title = "removing a what-if" if len(constraints) == 1 else "removing what-ifs"
        self.change(title, self._document.with_line(line))


def replaces(new: Constraint, old: Constraint) -> bool:
    """Tell whether an old what-if is about the very thing that the new one settles."""
    if type(new) is not type(old):
        return False
    if isinstance(new, Attachment) and isinstance(old, Attachment):
        same = new.modifier == old.modifier
        return same and ((not new.forbid and not old.forbid) or new.head == old.head)
    if isinstance(new, GapTag | FixedTag) and isinstance(old, GapTag | FixedTag):
        same = new.position == old.position
        return same and ((not new.forbid and not old.forbid) or new.tag == old.tag)
    return replace(new, forbid=False) == replace(old, forbid=False)
