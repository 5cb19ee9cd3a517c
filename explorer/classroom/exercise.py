"""An exercise for one student: two tries at each question of a lesson, a hint between them, and points; no Qt."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from explorer.classroom.exercise_result import MOST_POINTS, Answered
from explorer.classroom.lesson import Lesson
from explorer.classroom.lesson_writing import lesson_text
from explorer.classroom.posed_question import PosedQuestion

TRIES = 2
GOLD, PARSE = "gold tree", "parse"
"""By what an answer is marked."""


def lesson_digest(lesson: Lesson) -> str:
    """What tells one version of a lesson from another; where its file breaks lines does not matter."""
    return hashlib.sha256(lesson_text(lesson).encode()).hexdigest()


def question_steps(lesson: Lesson) -> tuple[int, ...]:
    """The steps of a lesson that ask something, from 0."""
    return tuple(number for number, step in enumerate(lesson.steps) if step.question is not None)


@dataclass(slots=True)
class Attempt:
    """A student's tries at one question.

    Attributes
    ----------
    posed
        The question.
    tries
        What was answered, as texts.
    choices
        The same by the places of the options; ``None`` for an answer that is not among them.
    """

    posed: PosedQuestion
    tries: list[str] = field(default_factory=list)
    choices: list[int | None] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Whether the last try was right."""
        return bool(self.choices) and self.choices[-1] == self.posed.right

    @property
    def done(self) -> bool:
        """Whether nothing more can be tried."""
        return self.is_right or len(self.tries) >= self.most_tries

    @property
    def most_tries(self) -> int:
        """How often it may be tried: of two options the second would be no answer."""
        return min(TRIES, len(self.posed.options) - 1)

    @property
    def points(self) -> int:
        """Points so far: all of them for a right first try, half for a right second one."""
        return MOST_POINTS // len(self.tries) if self.is_right else 0

    @property
    def hint(self) -> str:
        """What to look at before the next try; empty if there is none."""
        return self.posed.hint_for(self.choices[-1]) if self.choices and not self.done else ""

    def answer(self, choice: int | None, text: str = "") -> bool:
        """Try an option, or an answer that is not among them, by its text; whether it is right."""
        if self.done:
            raise ValueError("the question has been answered")
        self.choices.append(choice)
        self.tries.append(text or (self.posed.options[choice].text if choice is not None else ""))
        return self.is_right

    def as_answered(self, step: int, title: str) -> Answered:
        """What is written down of it."""
        posed = self.posed
        return Answered(
            step,
            title,
            posed.kind,
            posed.text,
            tuple(self.tries),
            posed.options[posed.right].text,
            GOLD if posed.gold is not None else PARSE,
            self.points,
        )
