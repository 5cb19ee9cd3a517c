"""A label that can be clicked, and whose text can still be selected with the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel


class ClickableLabel(QLabel):
    """A label of several lines that can be clicked.

    Whoever has no mouse needs a button beside it that does the same.

    Signals
    -------
    clicked
        It was clicked, and no text was selected by that.
    """

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click that selected nothing."""
        super().mouseReleaseEvent(event)
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside and not self.hasSelectedText():
            self.clicked.emit()
