"""The presenter of a window: opens it, on which screen, and the speaker's view beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.classroom.lesson_player import LessonPlayer
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.pictures.picture_options import ALL_EDGES, PARSE_EDGES, SURVIVING_EDGES
from explorer.graphics.theme import LIGHT, Theme

if TYPE_CHECKING:
    from explorer.classroom.presentation import Fill
    from explorer.classroom.presenter_window import PresenterWindow
    from explorer.classroom.question_panel import QuestionFactory
    from explorer.classroom.speaker_view import SpeakerView

WINDOW_SIZE = (1024, 640)


class PresenterController(QObject):
    """Presents the lesson of a window, or what is on its screen.

    Parameters
    ----------
    session, player
        The session of the window, and the lesson that is open in it.
    preferences
        What is remembered from start to start.
    parent
        The window.
    fill, ask
        What fills in the placeholders of captions, and what asks the questions of a lesson.

    Attributes
    ----------
    window, speaker
        What is open now; ``None`` if it is not.
    """

    docks: Sequence[tuple[QDockWidget, str]] = ()

    def __init__(
        self,
        session: Session,
        player: LessonPlayer,
        preferences: Preferences,
        parent: QWidget,
        fill: Fill | None = None,
        ask: QuestionFactory | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._lessons = player
        self._preferences = preferences
        self._owner = parent
        self._fill = fill
        self._ask = ask
        self._theme = LIGHT
        self.window: PresenterWindow | None = None
        self.speaker: SpeakerView | None = None
        parent.installEventFilter(self)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What its actions do."""
        navigator, view = self._session.navigator, self._session.view
        return {
            "present": self.present,
            "present-window": self.present_in_window,
            "replay-all": lambda: navigator.choose_edges(ALL_EDGES),
            "replay-survivors": lambda: navigator.choose_edges(SURVIVING_EDGES),
            "replay-parse": lambda: navigator.choose_edges(PARSE_EDGES),
            "replay-cells": lambda: navigator.choose_by_cell(not view.replay.by_cell),
            "replay-first": navigator.to_first,
            "replay-last": navigator.to_last,
            "replay-slower": lambda: navigator.choose_speed(view.replay.speed - 1),
            "replay-faster": lambda: navigator.choose_speed(view.replay.speed + 1),
        }

    def set_theme(self, theme: Theme) -> None:
        """Show presenter and speaker's view in other colours."""
        self._theme = theme
        if self.window is not None:
            self.window.set_theme(theme)

    def present(self) -> None:
        """Present on the whole of a screen: the second one if there is one, and the speaker's view on the first."""
        window = self._open()
        own = self._owner.screen()
        other = other_screen(own, QGuiApplication.screens())
        # Also where no window manager makes it so large.
        window.setGeometry((other or own).geometry())
        window.showFullScreen()
        window.activateWindow()
        if other is not None:
            self._show_speaker()

    def present_in_window(self) -> None:
        """Present in a window."""
        window = self._open()
        window.resize(*WINDOW_SIZE)
        window.showNormal()
        window.activateWindow()

    def leave(self) -> None:
        """Close the presenter."""
        if self.window is not None:
            self.window.close()

    def _open(self) -> PresenterWindow:
        if self.window is not None:
            return self.window
        # A start presents nothing.
        from explorer.classroom.presentation import Presentation, copy_session
        from explorer.classroom.presenter_window import PresenterWindow

        session = copy_session(self._session, self)
        presentation = Presentation(session, self._fill)
        window = self.window = PresenterWindow(presentation, self._ask, self._owner)
        window.set_theme(self._theme)
        window.set_reduce_motion(self._preferences.flag("reduce-motion"))
        window.left.connect(self._left)
        window.speaker_wanted.connect(self.toggle_speaker)
        lessons = self._lessons
        if lessons.lesson.steps:
            presentation.open(lessons.lesson, lessons.path, lessons.index)
        return window

    def toggle_speaker(self) -> None:
        """Show the speaker's view, or close it."""
        if self.speaker is not None:
            self.speaker.close()
        else:
            self._show_speaker()

    def _show_speaker(self) -> None:
        if self.window is None or self.speaker is not None:
            return
        from explorer.classroom.speaker_view import SpeakerView

        self.speaker = SpeakerView(self.window, self._owner)
        self.speaker.left.connect(self._speaker_left)
        self.speaker.show()
        if other_screen(self._owner.screen(), QGuiApplication.screens()) is None:
            # On one screen the class's window keeps the keys.
            self.window.activateWindow()

    def _speaker_left(self) -> None:
        self.speaker = None

    def _left(self) -> None:
        self.window = None
        if self.speaker is not None:
            self.speaker.close()
        self._owner.activateWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the presenter with its window."""
        if watched is self._owner and event.type() == QEvent.Type.Close:
            self.leave()
        return super().eventFilter(watched, event)


def other_screen(own: QScreen, screens: Sequence[QScreen]) -> QScreen | None:
    """The first screen that is not this one; ``None`` if there is one only."""
    return next((screen for screen in screens if screen is not own and screen.name() != own.name()), None)
