"""Fields to type in: lines that leave the window its keys, and numbers that stand clear of their frames."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit

SpinBox = TypeVar("SpinBox", bound=QAbstractSpinBox)

PADDING = 6
"""Pixels before the number of a spin box: those that the style sheet has for other fields."""

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


def padded(box: SpinBox) -> SpinBox:
    """Give a spin box with its number as far from the frame as the text of other fields.

    Under a style sheet Qt lays the number out from the very left of the box, whatever padding the sheet asks for.
    """
    box.lineEdit().setTextMargins(PADDING, 0, 0, 0)
    return box
