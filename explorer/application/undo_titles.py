"""The titles of Undo and Redo, which name the step."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoStack

from explorer.widgets.action import NamedActions


class UndoTitles(QObject):
    """Keeps the titles of Undo and Redo as the stack has them.

    Parameters
    ----------
    stack
        What can be undone.
    actions
        Those of the window.
    parent
        The window.
    """

    def __init__(self, stack: QUndoStack, actions: NamedActions, parent: QObject) -> None:
        super().__init__(parent)
        self._stack = stack
        self._actions = actions
        stack.canUndoChanged.connect(lambda _: self.refresh())
        stack.undoTextChanged.connect(lambda _: self.refresh())
        stack.redoTextChanged.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        """Name the step that each of them would take, and switch off the one that would take none."""
        for name, can, text in (
            ("undo", self._stack.canUndo(), self._stack.undoText()),
            ("redo", self._stack.canRedo(), self._stack.redoText()),
        ):
            action = self._actions[name]
            action.setEnabled(can)
            action.setText(f"{name.capitalize()} {text}".rstrip())
