"""Plays the questions of a lesson for one student, in a session of its own, and keeps what was answered."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.common.characters import readable
from explorer.classroom.exercise import Attempt, lesson_digest, question_steps
from explorer.classroom.exercise_result import MOST_POINTS, ExerciseResult
from explorer.classroom.lesson import BEAM, BETTER_TREE, GAP, NEXT_EDGE, Lesson, LessonStep, plain_title
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.posed_question import PosedQuestion
from explorer.classroom.questions import pose_step
from explorer.document.document import Document
from explorer.document.messages import as_sentence, error_text
from explorer.document.sentence_parsing import ParseResult
from explorer.document.session import Session
from explorer.explanations.headlines import headline_of
from explorer.graphics.number_text import curly_quotes
from explorer.graphics.selection import ArrowId, GapId, Id
from explorer.tasks.worker import Job, Worker


class _Ready(NamedTuple):
    """A question that can be asked, and what is said once it has been answered."""

    posed: PosedQuestion
    why: str


class ExercisePlayer(QObject):
    """Goes through the questions of a lesson; whoever shows them listens.

    Parameters
    ----------
    lesson, path
        The lesson, and its file, beside which its models are looked for.
    model
        The file of the model for steps that name none.

    Signals
    -------
    changed
        Another question is to be shown, it can be shown now, or it was answered.
    """

    changed = Signal()

    def __init__(self, lesson: Lesson, path: Path | None, model: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lesson = lesson
        self.steps = question_steps(lesson)
        self._path = path
        self._session = Session(self)
        self._session.editor.set_document(replace(Document(), model=model))
        session = self._session
        self._player = LessonPlayer(session.editor, session.view, session.parses, self)
        self._worker = Worker("question", newest_only=True, parent=self)
        self._place = -1
        self._attempts: dict[int, Attempt] = {}
        self._why: dict[int, str] = {}
        self._problem = ""
        self._player.step_ready.connect(self._pose)
        self._player.problem_changed.connect(self._failed)
        # A model that cannot be opened is told nowhere else.
        session.messages.posted.connect(self._told)

    @property
    def place(self) -> int:
        """Which question is shown, from 0; as many as there are when all are over."""
        return self._place

    @property
    def over(self) -> bool:
        """Whether all questions have been gone through."""
        return self._place >= len(self.steps)

    @property
    def step(self) -> LessonStep | None:
        """The step of the lesson that is shown."""
        return self.lesson.steps[self.steps[self._place]] if 0 <= self._place < len(self.steps) else None

    @property
    def attempt(self) -> Attempt | None:
        """The tries at the question that is shown; ``None`` until it can be asked."""
        return self._attempts.get(self._place)

    @property
    def why(self) -> str:
        """What the numbers say about the answer."""
        return self._why.get(self._place, "")

    @property
    def problem(self) -> str:
        """Why the question cannot be asked, in one sentence; empty if it can."""
        return self._problem

    @property
    def parse(self) -> Parse | None:
        """The parse that the question is about."""
        return self._session.parses.shown

    @property
    def points(self) -> int:
        """Points so far."""
        return sum(attempt.points for attempt in self._attempts.values())

    @property
    def most(self) -> int:
        """Points that could be had so far."""
        return MOST_POINTS * sum(attempt.done for attempt in self._attempts.values())

    @property
    def answered(self) -> int:
        """How many questions have been answered."""
        return sum(attempt.done for attempt in self._attempts.values())

    def start(self) -> None:
        """Show the first question."""
        self._player.open(self.lesson, self._path, self.steps[0] if self.steps else 0)
        self._place = 0
        self.changed.emit()

    def next(self) -> None:
        """Go to the next question, or to the end."""
        if self.over:
            return
        self._place += 1
        self._problem = ""
        self._worker.cancel()
        if not self.over:
            self._player.go(self.steps[self._place])
        self.changed.emit()

    def answer(self, choice: int | None, text: str = "") -> None:
        """Try an answer."""
        if self.attempt is not None and not self.attempt.done:
            self.attempt.answer(choice, text)
            self.changed.emit()

    def result(self, student: str) -> ExerciseResult:
        """What the student has answered so far; questions that could not be asked are not among it."""
        answers = tuple(
            attempt.as_answered(self.steps[place] + 1, plain_title(self.lesson.steps[self.steps[place]].title))
            for place, attempt in sorted(self._attempts.items())
            if attempt.done
        )
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        name = " ".join(readable(student).split())
        return ExerciseResult(name, plain_title(self.lesson.title), lesson_digest(self.lesson), now, answers)

    def close(self) -> None:
        """End the threads."""
        self._worker.stop()
        self._session.close()

    def _pose(self) -> None:
        """Pose the question of the step, off the GUI thread: some parse the sentence once more."""
        step, result, parse = self._player.step, self._session.parses.result, self._session.parses.shown
        place = self._player.index
        if step is None or result is None or parse is None:
            return
        references = self._player.references

        def work(job: Job) -> _Ready:
            posed = pose_step(step, result, references, job.control)
            return _Ready(posed, _why(posed, result, parse))

        def ready(found: _Ready) -> None:
            if not self.over and self.steps[self._place] == place:
                self._attempts.setdefault(self._place, Attempt(found.posed))
                self._why[self._place] = found.why
                self.changed.emit()

        def failed(error: Exception) -> None:
            self._problem = as_sentence(error_text(error))
            self.changed.emit()

        self._worker.request(work, ready, failed)

    def _told(self, text: str, is_error: bool) -> None:
        if is_error and self.attempt is None:
            self._problem = as_sentence(text)
            self.changed.emit()

    def _failed(self) -> None:
        self._problem = as_sentence(self._player.problem) if self._player.problem else ""
        self.changed.emit()


def _why(posed: PosedQuestion, result: ParseResult, parse: Parse) -> str:
    """What the engine says about the thing that was asked for."""
    if posed.kind == BEAM:
        # The chart that is shown has it still: what happens is told by the narrower one.
        return as_sentence(posed.options[posed.answer].detail)
    id: Id | None = posed.options[posed.answer].id
    if posed.kind == GAP and posed.subject is not None:
        id = GapId(posed.subject.position)
    elif posed.kind == BETTER_TREE:
        id = None
    elif posed.kind != NEXT_EDGE and posed.subject is not None:
        id = ArrowId(posed.subject.position)
    return curly_quotes(headline_of(result, parse, id).sentence)
