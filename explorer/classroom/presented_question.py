"""A lesson's question below the picture of the presenter: it counts hands, and keeps them for the class's tally."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.common.errors import EngineError
from explorer.classroom.covers import cover
from explorer.classroom.lesson import BETTER_TREE, plain_title
from explorer.classroom.posed_question import PosedQuestion
from explorer.classroom.presentation import Presentation
from explorer.classroom.question_panel import QuestionPanel
from explorer.classroom.question_view import QuestionView
from explorer.classroom.questions import pose_step
from explorer.classroom.tally import TalliedQuestion, Tally
from explorer.graphics.drawing import Drawing
from explorer.graphics.selection import Id
from explorer.graphics.theme import Theme

_NEXT = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right)
"""Keys that reveal the answer: the presenter does it, for picture and caption are uncovered with it."""

_LEAST_SHARE = 0.005


class PresentedQuestion:
    """Asks the class, below the picture.

    Parameters
    ----------
    posed
        The question.
    tally
        Where the hands are kept; a question that was asked before has its hands again.
    lesson, step
        The title of the lesson, and the number of the step, from 1.
    """

    def __init__(self, posed: PosedQuestion, tally: Tally, lesson: str, step: int) -> None:
        self._posed = posed
        self._tally = tally
        self._lesson = lesson
        self._step = step
        view = self._view = QuestionView()
        self.widget: QWidget = view
        self.subject: Id | None = posed.subject
        self.has_pictures = posed.kind == BETTER_TREE
        # The keys stay with the presenter, which passes on what is meant for the question.
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.set_question(posed, tally.hands_at(lesson, step, posed.text))
        for row in view.options.rows:
            # A row with the keys' frame would look like an answer that is chosen already.
            row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.hands_changed.connect(self._record)
        view.revealed.connect(self._record)

    @property
    def answer(self) -> str:
        """The answer in words, for the speaker alone."""
        answer = self._posed.options[self._posed.answer].text
        if self._posed.gold is None or self._posed.gold == self._posed.answer:
            return answer
        return f"{answer} (the gold tree's: {self._posed.options[self._posed.gold].text})"

    def reveal(self) -> None:
        """Show the answer; what nobody chose and the model thinks nothing of makes room for the picture.

        Of trees all stay: the class wants to see why one is better.
        """
        self._view.reveal()
        self._view.foot.hide()
        for row, hands in zip(self._view.options.rows, self._view.hands, strict=True):
            right = row.number in (self._posed.answer, self._posed.gold)
            row.setVisible(self.has_pictures or right or hands > 0 or (row.option.share or 0.0) >= _LEAST_SHARE)

    def handle_key(self, event: QKeyEvent) -> bool:
        """Count a hand, or take one back; whether the key means that."""
        return event.key() not in _NEXT and self._view.handle_key(event)

    def cover(self, drawing: Drawing) -> Drawing:
        """The picture without what tells the answer."""
        return cover(drawing, self._posed)

    def set_look(self, type_height: int, theme: Theme) -> None:
        """Set type so high in pixels, in these colours."""
        self._view.set_text_size(type_height)
        self._view.set_theme(theme)

    def _record(self) -> None:
        self._tally.record(TalliedQuestion.of(self._posed, self._view.hands, self._lesson, self._step))


def ask(presentation: Presentation, tally: Tally) -> QuestionPanel | None:
    """Ask the question of the step that is presented, and keep the hands in this tally; ``None`` if it asks none."""
    player, result = presentation.player, presentation.session.parses.result
    if player.step is None or result is None:
        return None
    try:
        posed = pose_step(player.step, result, player.references)
    except EngineError as error:
        presentation.session.messages.show_error(error)
        return None
    return PresentedQuestion(posed, tally, plain_title(player.lesson.title), player.index + 1)
