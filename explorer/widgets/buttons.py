"""Small buttons, made alike everywhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton


def text_button(title: str, tip: str, call: Callable[[], object]) -> QToolButton:
    """A button with a word on it, and a tip that says what it does."""
    button = QToolButton()
    button.setText(title)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(lambda: call())
    return button


def action_button(action: QAction, title: str) -> QToolButton:
    """A button for an action under another, shorter title; the action keeps its own."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setText(title)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setAccessibleName(action.text())
    # The action's own title comes back whenever the action changes.
    action.changed.connect(lambda: button.setText(title))
    return button
