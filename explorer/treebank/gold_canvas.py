"""The canvas of a gold tree: what is folded opens around what is selected, and every node has a menu."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence

from explorer.canvas.canvas import Canvas
from explorer.graphics.layout.tree_folding import Span, hides
from explorer.graphics.selection import Id, NodeId, WordId


class GoldCanvas(Canvas):
    """Shows a gold tree.

    Attributes
    ----------
    focus
        Words that are looked at, by first position and the one after the last: a long tree is open around them.
    """

    menu_wanted = Signal(object, QPoint)
    """The node under the mouse or the selected one, and where on the screen its menu is wanted."""
    delete_pressed = Signal()
    focus_changed = Signal()
    """Something else is looked at: the tree is to be folded anew."""

    def __init__(self) -> None:
        super().__init__()
        self.focus: tuple[Span, ...] = ()
        # What a click has just opened: if it was the first of a double click, the second only looks at it.
        self._opened: Id | None = None

    def forget_focus(self) -> None:
        """Look at nothing in particular: another sentence is shown."""
        self.focus = ()

    def look_at(self, id: Id | None) -> None:
        """Open what is folded around a thing, or is folded itself."""
        folded = self.drawing.folded if self.drawing is not None else ()
        match id:
            case NodeId(start, end) if start < end:
                span = (start, end)
            case WordId(position):
                span = (position, position + 1)
            case _:
                return
        if any(hides(one, [span]) for one in folded):
            self.focus = (span,)
            self._opened = id
            self.focus_changed.emit()
        else:
            self._opened = None

    def has_just_opened(self, id: Id | None) -> bool:
        """Whether the last click opened this."""
        return id is not None and id == self._opened

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the node under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self.selection if keyboard else self.at(event.pos())
        if found is not None:
            self.menu_wanted.emit(found, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes a bracket away."""
        if event.matches(QKeySequence.StandardKey.Delete):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)
