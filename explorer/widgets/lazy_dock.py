"""A panel that is made when it first comes into sight, so that a start does not wait for what nobody looks at yet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget


class MadeLater(QWidget):
    """Stands where a panel will be.

    Parameters
    ----------
    make
        Called once, when this is first shown: makes the panel and gives it to :meth:`hold`.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__()
        self._make = make
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def hold(self, panel: QWidget) -> None:
        """Show the panel here."""
        self._layout.addWidget(panel)
        # A layout shows what it is given only later.
        panel.show()
        self.setFocusProxy(panel)

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks: now there must be something to see."""
        if self._layout.isEmpty():
            self._make()
        super().showEvent(event)
