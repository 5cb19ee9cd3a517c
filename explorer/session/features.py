"""Features that work on the session of a window, and remember something from start to start."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.kit.features import Feature
from explorer.session.preferences import Preferences
from explorer.session.session import Session


class SessionFeature(Feature):
    """A feature over the session of its window.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    parent
        The window, over which its own windows open.
    """

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = session.messages
        self._preferences = preferences
        self._parent = parent
