"""The classroom of one window: makes its parts, and gives each what it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from explorer.classroom.handout_controller import HandoutController
from explorer.classroom.lesson_controller import LessonController
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.live_training_controller import LiveTrainingController
from explorer.classroom.placeholders import fill
from explorer.classroom.presenter_controller import PresenterController
from explorer.classroom.questions_controller import QuestionsController
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.widgets.window_parts import WindowParts

if TYPE_CHECKING:
    from explorer.classroom.presentation import Presentation
    from explorer.classroom.question_panel import QuestionPanel


class ClassroomController(WindowParts):
    """The parts of the classroom, made once for a window.

    Parameters
    ----------
    session
        The session of the window: what is on the screen when something is added to a lesson or presented.
    preferences
        What is remembered from start to start.
    parent
        The window over which the classroom's windows open.

    Attributes
    ----------
    player
        Plays a lesson in the window itself.
    questions
        The class's answers, and exercises.
    handouts
        Makes handouts.
    presenter
        Presents it, or what is on the screen.
    live_training
        Trains a model before everybody's eyes.
    lessons
        Opens, records, edits and saves lessons.
    """

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self.player = LessonPlayer(session.editor, session.view, session.parses, self)
        self.lessons = LessonController(session, self.player, preferences, parent)
        self.questions = QuestionsController(session.editor, self.player, session.messages, preferences, parent)
        self.handouts = HandoutController(
            session.editor, session.parses, self.player, preferences, session.messages, parent
        )
        self.presenter = PresenterController(session, self.player, preferences, parent, fill, self._ask)
        self.live_training = LiveTrainingController(session, preferences, parent)
        self.parts = (
            self.lessons,
            self.presenter,
            self.questions,
            self.live_training,
            self.handouts,
        )

    def _ask(self, presentation: Presentation) -> QuestionPanel | None:
        """Ask the question of a presented step, and keep the hands in the class's tally."""
        # A start asks nothing.
        from explorer.classroom.presented_question import ask

        return ask(presentation, self.questions.tally)
