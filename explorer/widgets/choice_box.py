"""A box to choose from whose chosen name may be longer than the box."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ChoiceBox(QComboBox):
    """Shows a name that is too long without its middle: what tells names apart is often at the end."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, and as much of the name as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def shown_text(self) -> str:
        """The name as it is shown."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        metrics = self.fontMetrics()
        return metrics.elidedText(
            self.currentText(), Qt.TextElideMode.ElideMiddle, room.width() - metrics.averageCharWidth()
        )
