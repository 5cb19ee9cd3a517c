"""What a class answered over a lesson: questions, options, hands, the model's answer and gold; no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.common.csv_text import Cell, csv_text
from engine.common.files import write_whole
from explorer.classroom.lesson import LessonError
from explorer.classroom.posed_question import PosedQuestion

HEADER = ("lesson", "step", "question", "option", "hands", "share", "model", "parser", "gold")
NUMBERS = (1, 4, 5, 6)
"""The columns of numbers."""


@dataclass(frozen=True, slots=True)
class TalliedQuestion:
    """One question and the hands that it got.

    Attributes
    ----------
    lesson, step
        The title of the lesson, and the step, from 1.
    question, options
        What was asked, and what could be answered.
    shares
        The model's own probability of each option.
    hands
        How many hands each option got.
    answer, gold
        The parser's answer and the gold tree's, by their places.
    """

    lesson: str
    step: int
    question: str
    options: tuple[str, ...]
    shares: tuple[float | None, ...]
    hands: tuple[int, ...]
    answer: int
    gold: int | None = None

    def __post_init__(self) -> None:
        places = range(len(self.options))
        if not len(self.options) == len(self.shares) == len(self.hands) or min(self.hands, default=0) < 0:
            raise ValueError("every option has one share and one count of hands")
        if self.answer not in places or (self.gold is not None and self.gold not in places):
            raise ValueError("the answer is one of the options")

    @classmethod
    def of(cls, posed: PosedQuestion, hands: tuple[int, ...], lesson: str, step: int) -> TalliedQuestion:
        """A question as it was put, with its hands."""
        return cls(
            lesson,
            step,
            posed.text,
            tuple(option.text for option in posed.options),
            tuple(option.share for option in posed.options),
            hands,
            posed.answer,
            posed.gold,
        )


class Tally:
    """The questions of a lesson in the order in which they were first asked.

    A question that is asked again, at the same step, takes the place of the one before.
    """

    def __init__(self) -> None:
        self._asked: dict[tuple[str, int, str], TalliedQuestion] = {}

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def questions(self) -> tuple[TalliedQuestion, ...]:
        """What was asked."""
        return tuple(self._asked.values())

    def record(self, asked: TalliedQuestion) -> None:
        """Keep a question with its hands."""
        self._asked[asked.lesson, asked.step, asked.question] = asked

    def hands_at(self, lesson: str, step: int, question: str) -> tuple[int, ...]:
        """The hands that a question got when it was last asked; none if it was not."""
        asked = self._asked.get((lesson, step, question))
        return asked.hands if asked is not None else ()

    def clear(self) -> None:
        """Forget everything: another class comes."""
        self._asked.clear()

    def rows(self) -> list[tuple[Cell, ...]]:
        """One row for every option of every question, under :data:`HEADER`."""
        found: list[tuple[Cell, ...]] = []
        for asked in self.questions:
            everyone = sum(asked.hands)
            for place, (option, share, hands) in enumerate(zip(asked.options, asked.shares, asked.hands, strict=True)):
                found.append(
                    (
                        asked.lesson,
                        asked.step,
                        asked.question,
                        option,
                        hands,
                        round(hands / everyone, 4) if everyone else None,
                        share,
                        "yes" if place == asked.answer else "",
                        "yes" if place == asked.gold else "",
                    )
                )
        return found

    def csv(self) -> str:
        """The tally as CSV."""
        return csv_text(HEADER, self.rows())

    def save(self, path: Path) -> None:
        """Write the tally as a CSV file; raise :class:`LessonError` in one sentence."""
        write_whole(path, self.csv().encode(), LessonError)
