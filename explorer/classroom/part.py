"""What the parts of the classroom that are about a lesson have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.classroom.lesson_player import LessonPlayer
from explorer.session.features import SessionFeature
from explorer.session.preferences import Preferences
from explorer.session.session import Session


class LessonFeature(SessionFeature):
    """A part of the classroom that does something with the lesson that is open in the window.

    Parameters
    ----------
    session, preferences, parent
        As for every feature of a session.
    player
        The lesson that is open.
    """

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget, player: LessonPlayer) -> None:
        super().__init__(session, preferences, parent)
        self._player = player
