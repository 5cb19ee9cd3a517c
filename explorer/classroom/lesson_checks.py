"""Check a lesson before it is shown: everything that can be told without a parse, with file, line and what to write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.common.characters import PIECE
from engine.common.errors import EngineError
from engine.structure.tagged_sentence import TaggedSentence, split_tag
from engine.text.input_recognition import Conventions, is_tree, line_problems
from explorer.classroom.lesson import BETTER_TREE, GAP, HEAD, RELATION, Lesson, LessonError, LessonStep
from explorer.classroom.lesson_resources import find_model, find_treebank, step_settings
from explorer.classroom.placeholders import placeholder_problems
from explorer.classroom.references import AnyWords, References
from explorer.document.input_reading import check_characters, gold_of


@dataclass(frozen=True, slots=True)
class LessonProblem:
    """Something in a lesson that cannot be shown as it is written.

    Attributes
    ----------
    step
        In which step, from 0; −1 for the lesson itself.
    line
        In which line of the file; 0 if it is in none yet.
    message
        What is wrong and what to write, in one sentence.
    """

    step: int
    line: int
    message: str

    def text(self, name: str) -> str:
        """The whole sentence, with the file's name."""
        where = f"line {self.line}" if self.line else f"step {self.step + 1}" if self.step >= 0 else ""
        return f"{name}, {where}: {self.message}" if where else f"{name}: {self.message}"


def check_lesson(lesson: Lesson, path: Path | None = None) -> list[LessonProblem]:
    """Find all that is wrong with a lesson and can be told without a parse."""
    lines = dict(lesson.lines)
    found: list[LessonProblem] = []
    try:
        find_treebank(lesson, path)
    except LessonError as error:
        found.append(LessonProblem(-1, lines.get("treebank", 0), str(error)))
    try:
        if lesson.model:
            find_model(lesson.model, path)
    except LessonError as error:
        found.append(LessonProblem(-1, lines.get("model", 0), str(error)))
    for index in range(len(lesson.steps)):
        found += check_step(lesson, index, path)
    return found


def check_step(lesson: Lesson, index: int, path: Path | None = None) -> list[LessonProblem]:
    """The same of one step."""
    step = lesson.steps[index]
    lines = dict(step.lines)
    return [
        LessonProblem(index, lines.get(entry, step.line) + more if step.line else 0, message)
        for entry, more, message in _problems(lesson, step, index, path)
    ]


def _problems(lesson: Lesson, step: LessonStep, index: int, path: Path | None) -> Iterator[tuple[str, int, str]]:
    """What is wrong: in which entry, how many lines below its first, and in words."""
    try:
        if step.model:
            find_model(step.model, path)
    except LessonError as error:
        yield "model", 0, str(error)
    try:
        step_settings(lesson, index)
    except EngineError as error:
        yield "preset", 0, str(error)
    references = References(())
    try:
        references = sentence_references(lesson.sentence_at(index))
    except EngineError as error:
        yield "sentence", 0, str(error)
        references = AnyWords()
    yield from _references(step, references)
    texts = [("caption", step.caption), ("notes", step.notes)]
    if step.question is not None:
        texts += [("ask", step.question.text), ("hint", step.question.hint)]
    known = None if isinstance(references, AnyWords) else references
    for entry, text in texts:
        for offset, message in placeholder_problems(text, known):
            yield entry, text.count("\n", 0, offset), message


def _references(step: LessonStep, references: References) -> Iterator[tuple[str, int, str]]:
    """What of the words that a step names is not there."""
    try:
        if step.select:
            references.id(step.select)
    except LessonError as error:
        yield "select", 0, str(error)
    for number, what_if in enumerate(step.what_ifs, 1):
        try:
            references.constraint(what_if)
        except LessonError as error:
            yield f"what-if {number}", 0, str(error)
    question = step.question
    if question is None:
        return
    try:
        if question.kind == GAP:
            references.inner(question.subject)
        elif question.kind in (HEAD, RELATION):
            references.word(question.subject)
        elif question.kind == BETTER_TREE and not question.subject.isdigit():
            references.constraint(question.subject)
    except LessonError as error:
        yield "question", 0, str(error)


def sentence_references(text: str) -> References:
    """The names in a sentence whose words can be told from its text; of plain text, which a model cuts, any names."""
    check_characters(text)
    if is_tree(text):
        for problem in line_problems(text, Conventions()):
            raise LessonError(problem.message)
        gold = gold_of(text)
        if gold is None:
            raise LessonError("the tree holds no word; write a sentence or a whole tree")
        return References(TaggedSentence.from_tree(gold).proper_words)
    if all(split_tag(piece)[1] for piece in PIECE.findall(text)):
        return References(TaggedSentence.parse(text).proper_words)
    return AnyWords()
