"""What the parts of the classroom have in common: session, lesson, preferences, colours, a panel, asking for files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QFileDialog, QWidget

from explorer.classroom.lesson_player import LessonPlayer
from explorer.kit.docks import LazyPanel
from explorer.pictures.theme import LIGHT, Theme
from explorer.session.preferences import Preferences
from explorer.session.session import Session


def ask_open(parent: QWidget, preferences: Preferences, title: str, kinds: str) -> Path | None:
    """Ask for a file to open; ``None`` for none."""
    name, _ = QFileDialog.getOpenFileName(parent, title, preferences.text("folder"), kinds)
    return Path(name) if name else None


def ask_save(parent: QWidget, preferences: Preferences, title: str, name: str, kinds: str) -> Path | None:
    """Ask for a file to write, which ends as the one that is offered unless a person says how; ``None`` for none."""
    start = str(Path(preferences.text("folder")) / name)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, start, kinds)
    return Path(chosen).with_suffix(Path(chosen).suffix or Path(name).suffix) if chosen else None


class ClassroomPart(QObject):
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

    docks: Sequence[tuple[QDockWidget, str]] = ()

    def __init__(self, session: Session, player: LessonPlayer, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._player = player
        self._preferences = preferences
        self._messages = session.messages
        self._parent = parent
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Show what it opens in other colours."""
        self._theme = theme


class PanelPart(ClassroomPart):
    """A part with a panel, which is made when it first comes into sight."""

    def _make_dock(self, title: str, name: str, key: str, make: Callable[[], object]) -> None:
        self._place = LazyPanel(make)
        self.dock = QDockWidget(title, self._parent)
        self.dock.setObjectName(name)
        self.dock.setWidget(self._place)
        self.docks = ((self.dock, key),)

    def show_panel(self) -> None:
        """Show the panel."""
        self.dock.show()
        self.dock.raise_()
