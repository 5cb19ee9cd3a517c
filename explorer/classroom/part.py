"""What the parts of the classroom have in common: session, lesson, preferences, colours, a panel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.classroom.lesson_player import LessonPlayer
from explorer.kit.docks import LazyPanel
from explorer.kit.features import Feature
from explorer.session.preferences import Preferences
from explorer.session.session import Session


class ClassroomPart(Feature):
    """A part of the classroom: its methods are actions.

    Parameters
    ----------
    session
        The session of the window.
    player
        The lesson that is open in it.
    preferences
        What is remembered from start to start.
    parent
        The window over which others open.
    """

    def __init__(self, session: Session, player: LessonPlayer, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._player = player
        self._preferences = preferences
        self._messages = session.messages
        self._parent = parent


class PanelPart(ClassroomPart):
    """A part with a panel, which is made when it first comes into sight."""

    def _make_dock(self, title: str, name: str, key: str, make: Callable[[], object]) -> None:
        self._place = LazyPanel(make)
        self.dock = QDockWidget(title, self._parent)
        self.dock.setObjectName(name)
        self.dock.setWidget(self._place)
        self.own_docks = ((self.dock, key),)

    def show_panel(self) -> None:
        """Show the panel."""
        self.dock.show()
        self.dock.raise_()
