"""A place in a dock whose panel is made when it first comes into sight, so that a start need not wait for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget


class LazyPanel(QWidget):
    """The place of a panel that is made later.

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
        """Make the panel the first time that its place comes into sight."""
        if self._layout.isEmpty():
            self._make()
        super().showEvent(event)
