"""A table that says why it is empty, or what to do about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QTableView

_MARGIN = 12


class HintTable(QTableView):
    """A table with a sentence in its middle while it has no rows.

    Attributes
    ----------
    hint
        The sentence; empty for none.
    """

    def __init__(self, hint: str = "") -> None:
        super().__init__()
        self.hint = hint

    def set_hint(self, hint: str) -> None:
        """Say something else while there are no rows."""
        self.hint = hint
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, or the sentence."""
        super().paintEvent(event)
        if self.hint and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            area = self.viewport().rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.hint)
