"""What a presentation shows, step by step, and the question that it puts to the class below its picture."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.common.characters import curly_quotes
from engine.common.errors import EngineError
from engine.explain.registry import headline_of
from engine.explain.subjects import EdgeId, Subject
from explorer.classroom.answers import TalliedQuestion, Tally
from explorer.classroom.lesson import Lesson, Question, plain_title
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.placeholders import fill
from explorer.classroom.question_view import QuestionView
from explorer.classroom.questions import kind_named, pose_step
from explorer.kit.messages import as_sentence
from explorer.session.session import Session
from explorer.stages.player import StageNavigator
from explorer.stages.stage import Stage
from explorer.stages.stages import STAGES, number_of, stage_named

# What a presentation shows, step by step: the steps of a lesson, or the stages of the sentence on the screen.

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def copy_session(session: Session, parent: QObject) -> Session:
    """Make a session that shows the same: nothing that is shown in it later changes the first one."""
    made = Session(parent)
    made.parses.share(session.parses)
    made.editor.set_document(session.editor.document)
    view, shown = made.view, session.view
    view.set_replay(shown.replay)
    view.go_to(shown.stage, shown.chart_step)
    view.set_rank(shown.rank)
    view.select(shown.selection)
    return made


class Presentation(QObject):
    """The steps that are presented, and what is said about each.

    Parameters
    ----------
    session
        A session of its own (:func:`copy_session`).

    Signals
    -------
    changed
        Another step is shown, or more is known of it.
    step_changed
        Another step has begun.
    """

    changed = Signal()
    step_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.navigator = StageNavigator(session.view, session.parses)
        self.player = LessonPlayer(session, self)
        self.revealed = True
        view, parses, player = session.view, session.parses, self.player
        for signal in (player.step_ready, player.problem_changed, player.lesson_changed):
            signal.connect(self.changed)
        for signal in (
            view.stage_changed,
            view.chart_step_changed,
            view.replay_changed,
            view.selection_changed,
            view.rank_changed,
            parses.result_changed,
            parses.ledgers_changed,
            parses.problem_changed,
        ):
            signal.connect(self.changed)
        player.step_changed.connect(self._begin)

    def open(self, lesson: Lesson, path: Path | None, index: int) -> None:
        """Present a lesson from this step on."""
        self.player.open(lesson, path, max(0, min(index, len(lesson.steps) - 1)))

    @property
    def has_lesson(self) -> bool:
        """Whether a lesson is presented."""
        return bool(self.player.lesson.steps)

    # Going

    def _begin(self) -> None:
        """Cover the answer of a step that asks something."""
        self.revealed = self.question is None
        self.step_changed.emit()
        self.changed.emit()

    def next(self) -> bool:
        """Reveal the answer, or go on; whether there was something to go on to."""
        if not self.revealed:
            self.reveal()
            return True
        if self.has_lesson:
            return self.player.next()
        return self._moved(self.navigator.step(True))

    def previous(self) -> bool:
        """Go one step back; whether there was one."""
        return self.player.previous() if self.has_lesson else self._moved(self.navigator.step(False))

    def reveal(self) -> None:
        """Show the answer, and mark it in the picture if the step selects nothing itself."""
        self.revealed = True
        step, question = self.player.step, self.question
        mark = kind_named(question.kind).mark if question is not None else ""
        if step is not None and question is not None and not step.select and mark:
            # Of a word that is not in the sentence there is a message already, where the question should be.
            with contextlib.suppress(EngineError):
                self.session.view.select(self.player.references.id(mark + question.subject))
        self.changed.emit()

    def first(self) -> None:
        """Go to the first step."""
        self.go(1)

    def last(self) -> None:
        """Go to the last step: of a lesson its own, without one the last dependency of the parse."""
        if self.has_lesson:
            self.player.go(len(self.player.lesson.steps) - 1)
            return
        parse = self.session.parses.shown
        steps = STAGES[-1].steps(parse) if parse is not None else ()
        self._go_to(STAGES[-1], steps[-1] if steps else None)

    def go(self, number: int) -> bool:
        """Go to a step of the lesson, or without one to a stage, by its number from 1; whether there is such a one."""
        if self.has_lesson:
            return self.player.go(number - 1)
        if not 1 <= number <= len(STAGES):
            return False
        self._go_to(STAGES[number - 1], None)
        return True

    def _go_to(self, stage: type[Stage], selection: Subject | None) -> None:
        self.session.view.go_to(stage.name, 0 if stage.replays else None)
        self.session.view.select(selection)
        self.step_changed.emit()

    def _moved(self, moved: bool) -> bool:
        if moved:
            self.step_changed.emit()
        return moved

    # What is said

    @property
    def question(self) -> Question | None:
        """What the step asks; ``None`` for nothing."""
        return self.player.step.question if self.player.step is not None else None

    @property
    def problem(self) -> str:
        """Why the step cannot be shown, in one sentence; empty if it can."""
        return as_sentence(curly_quotes(self.player.problem)) if self.player.problem else ""

    @property
    def title(self) -> str:
        """The heading of the step."""
        step = self.player.step
        return plain_title(step.title) if step is not None else self.navigator.stage.title

    @property
    def place(self) -> str:
        """Where we are: ``3 of 12``; without a lesson the stage, and the step within it."""
        if self.has_lesson:
            return f"{self.player.index + 1} of {len(self.player.lesson.steps)}"
        view, navigator = self.session.view, self.navigator
        stage = f"{number_of(view.stage)} of {len(STAGES)}"
        if navigator.stage.replays:
            replay = navigator.replay
            if replay is None or view.chart_step is None:
                return stage
            return f"{stage}, edge {replay.count(view.chart_step):,} of {len(replay.stops):,}"
        steps = navigator.steps()
        return f"{stage}, {steps.index(view.selection) + 1} of {len(steps)}" if view.selection in steps else stage

    @property
    def caption(self) -> str:
        """What the class reads, as Markdown; what cannot be filled in is told instead."""
        step = self.player.step
        return self._filled(step.caption) if step is not None else self.stage_caption

    def _filled(self, text: str) -> str:
        parses = self.session.parses
        if parses.result is None or not text:
            return text
        try:
            return fill(text, parses.result, parses.shown, self.session.view.selection)
        except EngineError as error:
            return as_sentence(curly_quotes(str(error)))

    @property
    def stage_caption(self) -> str:
        """What the stage is about, and what is to be said first of what is selected, as Markdown."""
        view, parses, stage = self.session.view, self.session.parses, self.navigator.stage
        result, parse = parses.result, parses.shown
        if result is None or parse is None or not parses.is_current:
            return stage.caption
        focus = view.focus
        if focus is None:
            whole = [curly_quotes(headline_of(result.context(parse), None).sentence)] if stage is STAGES[-1] else []
            return " ".join([stage.caption, *map(escaped, whole)])
        headline = headline_of(result.context(parse), focus)
        told = [headline.sentence]
        if isinstance(focus, EdgeId):
            told += [reason for reason in headline.reasons if reason.startswith("P(")]
        return escaped(curly_quotes("  ".join(told)))

    @property
    def notes(self) -> str:
        """What the teacher reads."""
        return self._filled(self.player.step.notes) if self.player.step is not None else ""

    @property
    def next_title(self) -> str:
        """The heading of the step that comes next; empty behind the last."""
        if self.has_lesson:
            steps, at = self.player.lesson.steps, self.player.index + 1
            return plain_title(steps[at].title) if at < len(steps) else ""
        there = self.navigator.following(True)
        if there is None:
            return ""
        stage = stage_named(there.stage)
        return f"{stage.title}, next step" if stage is self.navigator.stage else stage.title

    @property
    def next_text(self) -> str:
        """What the class will read in the next step of a lesson; its figures are not known yet."""
        steps, at = self.player.lesson.steps, self.player.index + 1
        return _PLACEHOLDER.sub("…", steps[at].caption) if at < len(steps) else ""


def escaped(text: str) -> str:
    """Plain text as Markdown, whatever marks it has."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~" else letter for letter in text)


# A lesson's question below the picture: its hands are kept for the class's tally.


def ask(presentation: Presentation, tally: Tally) -> QuestionView | None:
    """Ask the question of the step that is presented, and keep the hands in this tally; ``None`` if it asks none."""
    player, result = presentation.player, presentation.session.parses.result
    if player.step is None or result is None:
        return None
    try:
        posed = pose_step(player.step, result, player.references)
    except EngineError as error:
        presentation.session.messages.show_error(error)
        return None
    lesson, step = plain_title(player.lesson.title), player.index + 1
    asked = QuestionView(posed, tally.hands_at(lesson, step, posed.text))
    for signal in (asked.hands_changed, asked.revealed):
        signal.connect(lambda: tally.record(TalliedQuestion.of(posed, asked.hands, lesson, step)))
    return asked
