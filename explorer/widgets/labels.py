"""Labels that stand beside something larger."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from explorer.graphics.number_text import no_markup


def quiet_label(text: str = "") -> QLabel:
    """A line in a quiet colour, which can be copied."""
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


class ElidedLabel(QLabel):
    """A line of plain text that ends with an ellipsis where there is too little room for it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        """As little as there is room for."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show as much of the text as there is room for; all of it is the tip."""
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        self.setToolTip(no_markup(self.text()) if text != self.text() else "")
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
