"""Features: what each room adds to a window, by one protocol that the window calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from engine.explain.explanation import Explanation
from engine.explain.subjects import Subject
from explorer.kit.actions import Choice
from explorer.kit.docks import DockTitle, LazyPanel


class Feature(QObject):
    """A feature of a window: its methods, and those of its parts, are actions.

    Attributes
    ----------
    parts
        Features that it consists of.
    own_docks
        Its panels without those of its parts, each with the key that shows it.
    area
        Where its panels stand at first.
    explains
        The kinds of things that are the feature's own, each with what the inspector says of one: ``None`` if nothing.

    Signals
    -------
    explanations_changed
        What it explains is another thing now.
    """

    explanations_changed = Signal()
    parts: Sequence[Feature] = ()
    own_docks: Sequence[tuple[QDockWidget, str]] = ()
    area = Qt.DockWidgetArea.BottomDockWidgetArea
    explains: Mapping[type[Subject], Callable[[Subject], Explanation | None]] = {}

    @property
    def docks(self) -> list[tuple[QDockWidget, str]]:
        """All panels, each with its key, in the order of the menu."""
        return [*self.own_docks, *(entry for part in self.parts for entry in part.docks)]

    def add_dock(
        self, title: str, name: str, key: str, window: QWidget, make: Callable[[], object]
    ) -> tuple[QDockWidget, LazyPanel]:
        """Have one more dock, and the place in it of a panel that is made when it first comes into sight."""
        dock, place = QDockWidget(title, window), LazyPanel(make)
        dock.setObjectName(name)
        dock.setWidget(place)
        self.own_docks = (*self.own_docks, (dock, key))
        return dock, place

    def place(self, window: QMainWindow, inspector: QDockWidget) -> None:
        """Put the panels where they are at first, hidden until they are wanted; those of counts under the inspector."""
        for dock, _ in self.docks:
            DockTitle(dock)
            window.addDockWidget(self.area, dock)
            dock.hide()

    def arrange(self, window: QMainWindow) -> None:
        """Give the panels the sizes that they have at first."""

    def fill_menus(self, menus: Mapping[str, QMenu]) -> None:
        """Add to the menus what is no action, such as menus of files."""

    def finish(self) -> None:
        """Keep what would be lost, and close what the feature has opened: the window closes."""
        for part in self.parts:
            part.finish()

    def choices(self, id: Subject) -> list[Choice]:
        """What the context menu of a thing offers, whatever picture it is in."""
        return [choice for part in self.parts for choice in part.choices(id)]
