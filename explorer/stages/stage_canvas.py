"""The canvas of the stages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent

from explorer.canvas.canvas import Canvas
from explorer.document.view_state import ViewState
from explorer.graphics.selection import Id


class StageCanvas(Canvas):
    """The canvas, with a context menu of what can be done with a thing."""

    def __init__(self, view: ViewState, open_menu: Callable[[Id, QPoint], None]) -> None:
        super().__init__()
        self._view = view
        self._open_menu = open_menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the thing under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self._view.selection if keyboard else self.at(event.pos())
        if found is not None:
            self._view.select(found)
            self._open_menu(found, event.globalPos())
