"""A question as it is put to a class or a student: its text, the options, and what stays covered; no Qt."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.chart.parse import Parse
from explorer.classroom.lesson import Question
from explorer.graphics.selection import Id, WordId

MOST_OPTIONS = 5
"""Options of a question; each has a key."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be given.

    Attributes
    ----------
    text
        What it says, before and after the answer is shown.
    share
        The model's own probability; ``None`` where it has none.
    id
        What it selects in a picture; ``None`` for nothing.
    letter
        The key beside its number, where its sign is a letter: that of a gap tag.  Empty for a to e.
    detail
        What is added once the answer is shown.
    hint
        What a student is told who has chosen it wrongly; empty for the question's own hint.
    parse
        The tree that is drawn for it; ``None`` for none.
    focus
        The words that it is about, by first position and the one after the last: a long tree is open around them.
    """

    text: str
    share: float | None = None
    id: Id | None = None
    letter: str = ""
    detail: str = ""
    hint: str = ""
    parse: Parse | None = field(default=None, compare=False, repr=False)
    focus: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question about one sentence, with everything that is needed to show, answer and mark it.

    Attributes
    ----------
    question
        What the lesson asks.
    text
        The question in words.
    options
        The answers that can be given, in an order that says nothing.
    answer
        The model's answer, by its place among the options.
    gold
        That of the gold tree; ``None`` where there is no gold tree, or it has no such answer.
    hint
        What a student is told after a wrong first try.
    covered
        Ids whose parts of the picture stay covered until the answer is shown.
    words
        The words of the sentence without punctuation.
    subject
        The word that it is about, or the word after the gap; ``None`` if it is about the whole sentence.
    """

    question: Question
    text: str
    options: tuple[Option, ...]
    answer: int
    gold: int | None
    hint: str
    covered: frozenset[Id]
    words: tuple[str, ...]
    subject: WordId | None = None

    @property
    def kind(self) -> str:
        """One of :data:`explorer.classroom.lesson.QUESTION_KINDS`."""
        return self.question.kind

    @property
    def right(self) -> int:
        """By what a student is marked: the gold tree where it is known, else the parse."""
        return self.answer if self.gold is None else self.gold

    def hint_for(self, choice: int | None) -> str:
        """What to tell a student who chose this option; ``None`` is an answer that is not among them.

        The lesson's own hint comes first, then one about the very choice, then the question's.
        """
        own = self.options[choice].hint if choice is not None else ""
        return self.question.hint or own or self.hint


def shuffled(options: Sequence[Option], question: Question, words: Sequence[str]) -> list[Option]:
    """Put options into an order that depends on sentence, question and their texts alone, never on which is right."""
    seed = "\0".join((question.kind, question.subject, *words))

    def place(option: Option) -> bytes:
        return hashlib.sha256(f"{seed}\0{option.text}".encode()).digest()

    return sorted(options, key=place)
