"""A room of the window that is made of parts, each with actions, panels and colours of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget

from explorer.graphics.theme import Theme


class WindowPart(Protocol):
    """A part: what its actions do, its panels, and its colours."""

    docks: Sequence[tuple[QDockWidget, str]]
    """Its panels, each with the key that shows it."""

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What its actions do, by their names."""
        ...

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        ...


class WindowParts(QObject):
    """The parts of a room, as one.

    Attributes
    ----------
    parts
        The parts; whoever makes them sets it.
    """

    parts: Sequence[WindowPart] = ()

    @property
    def docks(self) -> list[tuple[QDockWidget, str]]:
        """All panels, each with its key."""
        return [entry for part in self.parts for entry in part.docks]

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What all actions do."""
        return {name: call for part in self.parts for name, call in part.handlers().items()}

    def set_theme(self, theme: Theme) -> None:
        """Show all parts in other colours."""
        for part in self.parts:
            part.set_theme(theme)
