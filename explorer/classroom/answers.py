"""What is answered over a lesson: a class's hands, a student's exercise with two tries, and the files of
both; no Qt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from engine.common.characters import readable
from engine.common.files import write_whole
from engine.common.numbers import probability_text
from engine.common.tables import Block, Cell, Column, Table
from engine.gate.checked_json import CheckedValue, ValueProblem, load_json
from engine.gate.files import read_bytes
from explorer.classroom.lesson import Lesson, LessonError
from explorer.classroom.lesson_file import lesson_text
from explorer.classroom.questions import PosedQuestion

# What a class answered over a lesson: questions, options, hands, the model's answer and gold; no Qt.

TALLY_COLUMNS = tuple(
    Column(name, name, probability_text if name in ("share", "model") else "{}")
    for name in ("lesson", "step", "question", "option", "hands", "share", "model", "parser", "gold")
)


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

    def table(self) -> Table:
        """One row for every option of every question."""
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
        return Table("The class's answers", TALLY_COLUMNS, (Block("", found),), len(TALLY_COLUMNS))


# A student's result as a file that a teacher collects: JSON, checked when it is read; no Qt.
#
# It holds the questions and answers of one exercise and the student's name, and nothing else: no sentence that the
# student or anyone else had open.

FORMAT = "parse-explorer exercise result"
VERSION = 1
MOST_POINTS = 2
"""Points for one question."""
LONGEST_FILE = 2_000_000
"""Bytes; no result is so long."""
MOST_ANSWERS = 1000
LONGEST_TEXT = 4000
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
COLUMNS = tuple(Column(name, name) for name in ("student", "lesson", "finished", "points", "of", "remark", "file"))
OTHER_VERSION = "made with another version of the lesson"


@dataclass(frozen=True, slots=True)
class Answered:
    """One question, and what the student answered.

    Attributes
    ----------
    step, title
        The step of the lesson, from 1, and its heading.
    kind, question
        The kind of question, and how it was put.
    tries
        The answers, one or two.
    right, marked_by
        The right answer, and by what: the gold tree or the parse.
    points
        From 0 to :data:`MOST_POINTS`.
    """

    step: int
    title: str
    kind: str
    question: str
    tries: tuple[str, ...]
    right: str
    marked_by: str
    points: int


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """A student's result.

    Attributes
    ----------
    student
        The name that was entered.
    lesson, digest
        The lesson's title, and what tells its version from others.
    finished
        When it was finished: date and time as ISO 8601 writes them.
    answers
        Question by question.
    """

    student: str
    lesson: str
    digest: str
    finished: str
    answers: tuple[Answered, ...]

    @property
    def points(self) -> int:
        """Points altogether."""
        return sum(answer.points for answer in self.answers)

    @property
    def most(self) -> int:
        """Points that could be had."""
        return MOST_POINTS * len(self.answers)


def save_result(result: ExerciseResult, path: Path) -> None:
    """Write a result's file; raise :class:`LessonError` in one sentence."""
    write_whole(path, result_text(result).encode(), LessonError)


def result_text(result: ExerciseResult) -> str:
    """A result as JSON."""
    stored = {"format": FORMAT, "version": VERSION, **asdict(result)}
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"


def read_result(path: Path) -> ExerciseResult:
    """Read a result's file; raise :class:`LessonError`, which says in one sentence what is wrong with it."""
    content = read_bytes(path, LONGEST_FILE, "a result of an exercise", LessonError, name=path.name)
    try:
        return parse_result(content)
    except LessonError as error:
        raise LessonError(f"{path.name}: {error}") from error


def parse_result(content: str | bytes) -> ExerciseResult:
    """Read a result from its JSON."""
    try:
        stored = load_json(content)
    except ValueProblem as error:
        raise LessonError("the file is damaged or no result of an exercise; ask for it again") from error
    try:
        if not isinstance(stored.value, dict) or stored.value.get("format") != FORMAT:
            raise LessonError("this is no result of an exercise")
        version = stored.member("version").integer(1)
        if version > VERSION:
            raise LessonError(
                f"the result was made with a newer version of Parse Explorer (format {version}; this one reads "
                f"{VERSION}); install that version"
            )
        digest, finished = stored.member("digest"), stored.member("finished")
        if _DIGEST.match(digest.text()) is None:
            digest.fail("the digest of a lesson")
        return ExerciseResult(
            _text(stored.member("student")),
            _text(stored.member("lesson")),
            digest.text(),
            _date(finished),
            stored.member("answers").each(_answered, MOST_ANSWERS),
        )
    except ValueProblem as error:
        raise LessonError(f"the file is damaged ({error}); ask for it again") from error


def _answered(stored: CheckedValue) -> Answered:
    return Answered(
        stored.member("step").integer(1),
        _text(stored.member("title")),
        _text(stored.member("kind")),
        _text(stored.member("question")),
        tuple(map(_text, stored.member("tries").items(MOST_POINTS, 1))),
        _text(stored.member("right")),
        _text(stored.member("marked_by")),
        stored.member("points").integer(0, MOST_POINTS),
    )


def _text(stored: CheckedValue) -> str:
    return readable(stored.text(LONGEST_TEXT))


def _date(stored: CheckedValue) -> str:
    try:
        datetime.fromisoformat(stored.text())
    except ValueError:
        stored.fail("a date")
    return stored.text()


@dataclass(frozen=True, slots=True)
class CollectedResult:
    """A result with the file that it comes from, and what is to be remarked about it."""

    file: str
    result: ExerciseResult
    remark: str = ""

    def row(self) -> tuple[Cell, ...]:
        """The row of a table under :data:`COLUMNS`."""
        found = self.result
        return found.student, found.lesson, found.finished, found.points, found.most, self.remark, self.file


@dataclass(frozen=True, slots=True)
class Collection:
    """The results of many students, and one sentence about each file that could not be read."""

    results: tuple[CollectedResult, ...]
    problems: tuple[str, ...]

    def table(self, by_question: bool = False) -> Table:
        """One row for every student, and perhaps a column for every question with the points."""
        answers = [{(one.step, one.question): one.points for one in each.result.answers} for each in self.results]
        asked = sorted({question for points in answers for question in points}) if by_question else []
        titles = [f"{step}: {question}" for step, question in asked]
        rows = [(*each.row(), *map(points.get, asked)) for each, points in zip(self.results, answers, strict=True)]
        columns = (*COLUMNS, *(Column(title, title) for title in titles))
        return Table("Results", columns, (Block("", rows),), len(columns))


def save_table(table: Table, path: Path) -> None:
    """Write a table as a CSV file; raise :class:`LessonError` in one sentence."""
    write_whole(path, f"{table.csv()}\n".encode(), LessonError)


def collect(paths: Sequence[Path], digests: dict[str, str] | None = None) -> Collection:
    """Read the results of many students, sorted by name.

    Parameters
    ----------
    paths
        Their files.
    digests
        By titles of lessons the digests of the versions that count; for other lessons the version that most have.
    """
    found: list[tuple[str, ExerciseResult]] = []
    problems = []
    for path in paths:
        try:
            found.append((path.name, read_result(path)))
        except LessonError as error:
            problems.append(str(error))
    known = dict(digests or {})
    for title in {result.lesson for _, result in found} - set(known):
        counts = Counter(result.digest for _, result in found if result.lesson == title)
        known[title] = max(counts, key=lambda digest: (counts[digest], digest))
    collected = [
        CollectedResult(file, result, "" if known[result.lesson] == result.digest else OTHER_VERSION)
        for file, result in found
    ]
    return Collection(
        tuple(sorted(collected, key=lambda one: (one.result.student.casefold(), one.file))), tuple(problems)
    )


# An exercise for one student: two tries at each question of a lesson, a hint between them, and points; no Qt.

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
            posed.question.kind,
            posed.text,
            tuple(self.tries),
            posed.options[posed.right].text,
            GOLD if posed.gold is not None else PARSE,
            self.points,
        )
