"""Fields to type in that leave the window its keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

_KEPT = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)


def is_key_of_window(event: QEvent, can_undo: bool = False, can_redo: bool = False) -> bool:
    """Tell whether a key that Qt offers to a field first belongs to the window.

    Undo and redo do, unless the field itself has something to take back; so does every letter with Ctrl but those of
    the clipboard: on some desktops a field has keys of Emacs, and Ctrl+E and Ctrl+K would do something else in it than
    the menus say.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.matches(QKeySequence.StandardKey.Undo):
        return not can_undo
    if event.matches(QKeySequence.StandardKey.Redo):
        return not can_redo
    letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return letter and control and not any(event.matches(keys) for keys in _KEPT)


class Field(QLineEdit):
    """A line to type in that leaves the window its keys."""

    def event(self, event: QEvent) -> bool:
        """Leave the keys of the window to it."""
        if is_key_of_window(event, self.isUndoAvailable(), self.isRedoAvailable()):
            event.ignore()
            return False
        return super().event(event)
