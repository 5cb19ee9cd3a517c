"""What a person changes: the document, by commands that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from engine.common.errors import EngineError
from engine.settings import Settings
from engine.structure.constraints import Constraint
from explorer.document.document import Document, Line, added
from explorer.document.session_tasks import in_a_sentence, replaces
from explorer.document.undo_commands import SETTINGS, TYPING, Change
from explorer.document.view_state import Looking


class Editing(Looking):
    """The document and its changes.

    A change is a command on :attr:`undo_stack`; what is looked at (stage, step, selection, rank) is no change and is
    not undone.

    Signals
    -------
    document_changed
        The document is another one now.
    message
        One sentence for the status bar or a banner: text and whether it is an error.
    """

    document_changed = Signal()
    message = Signal(str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = Document()
        self.undo_stack = QUndoStack(self)

    @property
    def settings(self) -> Settings:
        """How the sentence is parsed."""
        return self.document.settings

    @property
    def line(self) -> Line:
        """The sentence that is shown."""
        return self.document.line

    def set_document(self, document: Document) -> None:
        """Make this the document; called by commands, and by what cannot be undone."""
        raise NotImplementedError

    def describe(self, constraint: Constraint) -> str:
        """A what-if in words."""
        raise NotImplementedError

    def _say_error(self, error: Exception) -> None:
        self.message.emit(in_a_sentence(error), True)

    def choose(self, index: int) -> None:
        """Show another sentence of the list."""
        if 0 <= index < len(self.document.lines) and index != self.document.current:
            self.set_document(replace(self.document, current=index))

    def change(self, title: str, after: Document, kind: int = -1, subject: str = "") -> None:
        """Change the document, so that it can be undone."""
        if after != self.document:
            self.undo_stack.push(Change(self, title, after, kind, subject))

    def edit_text(self, text: str) -> None:
        """Another text of the sentence that is shown; what-ifs name positions, so they go with the old one."""
        if text != self.line.text:
            after = self.document.with_line(Line(text, place=self.line.place))
            self.change("typing", after, TYPING, f"line {self.document.current}")

    def add_lines(self, lines: Sequence[Line], title: str = "adding sentences") -> None:
        """More sentences at the end of the list."""
        if lines:
            self.change(title, added(self.document, lines))

    def remove_lines(self, indices: Sequence[int]) -> None:
        """Sentences taken out of the list."""
        gone = set(indices)
        kept = tuple(line for index, line in enumerate(self.document.lines) if index not in gone)
        before = sum(1 for index in range(self.document.current) if index not in gone)
        current = max(0, min(before, len(kept) - 1))
        self.change("removing sentences", replace(self.document, lines=kept, current=current))

    def set_settings(self, **changes: Any) -> None:
        """Other settings; the same setting changed again at once is one change."""
        try:
            after = replace(self.document, settings=replace(self.document.settings, **changes))
        except EngineError as error:
            # Some switches exclude each other; whoever shows them shows them as they are.
            self._say_error(error)
            self.document_changed.emit()
            return
        names = ", ".join(changes)
        self.change(f"change of {names.replace('_', ' ')}", after, SETTINGS, names)

    def set_gold_tags(self, on: bool) -> None:
        """Parse trees with their own tags, or from their words alone."""
        self.change("gold tags" if on else "tags of the tagger", replace(self.document, gold_tags=on))

    def set_preset(self, number: int) -> None:
        """One of the paper's configurations."""
        self.change(f"preset ({number})", self.document.with_preset(number))

    def add_what_if(self, constraint: Constraint) -> None:
        """Force or forbid something; what it replaces is lifted."""
        kept = tuple(other for other in self.line.what_ifs if not replaces(constraint, other))
        line = replace(self.line, what_ifs=(*kept, constraint))
        self.change(f"what-if: {self.describe(constraint)}", self.document.with_line(line))

    def lift(self, constraints: Sequence[Constraint]) -> None:
        """Take what-ifs back."""
        line = replace(self.line, what_ifs=tuple(one for one in self.line.what_ifs if one not in constraints))
        self.change("lifting a what-if" if len(constraints) == 1 else "lifting what-ifs", self.document.with_line(line))
