"""The pictures of a comparison, with a context menu of what can be asked about a thing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from explorer.canvas.canvas import Canvas
from explorer.document.view_state import ViewState
from explorer.graphics.selection import Id
from explorer.widgets.context_menu import Choice


class ComparisonCanvas(Canvas):
    """The canvas; `more_choices` say what its context menu offers for a thing."""

    def __init__(self, view: ViewState) -> None:
        super().__init__()
        self._view = view
        self.more_choices: list[Callable[[Id], list[Choice]]] = []

    def menu_of(self, id: Id) -> QMenu | None:
        """What can be asked about a thing; ``None`` if nothing can."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choices in self.more_choices:
            for title, call in choices(id):
                menu.addAction(title, call)
        return menu if menu.actions() else None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the thing under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self._view.selection if keyboard else self.at(event.pos())
        if found is not None:
            self._view.select(found)
            menu = self.menu_of(found)
            if menu is not None:
                menu.popup(event.globalPos())
