"""The lesson that is being made: every change of it can be undone; views recorded as its steps, and its mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from engine.common.characters import PIECE
from engine.common.errors import EngineError
from engine.settings import Settings
from engine.structure.tagged_sentence import TaggedSentence, split_tag
from engine.text.input import Conventions, is_tree, line_problems
from explorer.classroom.lesson import (
    ALL_EDGES,
    Lesson,
    LessonError,
    LessonStep,
    model_name,
    moved,
    step_settings,
    switches_of,
    tidy_line,
)
from explorer.classroom.lesson_file import Surroundings, entry_problems, read_lesson, save_lesson, text_problems
from explorer.classroom.references import AnyWords, References
from explorer.kit.state import State, observed
from explorer.session.document import check_characters, gold_of
from explorer.session.editor import TYPING, Change, DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.replay import replay_of
from explorer.session.view_state import ViewState
from explorer.stages.stages import stage_named

# Check a lesson before it is shown: everything that can be told without a parse, with file, line and what to write.


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
    found = [
        LessonProblem(-1, lines.get(entry, 0), message)
        for entry, _, message in entry_problems(lesson, Surroundings(AnyWords(), path))
    ]
    for index in range(len(lesson.steps)):
        found += check_step(lesson, index, path)
    return found


def check_step(lesson: Lesson, index: int, path: Path | None = None) -> list[LessonProblem]:
    """Find what is wrong with one step."""
    step = lesson.steps[index]
    lines = dict(step.lines)
    return [
        LessonProblem(index, lines.get(entry, step.line) + more if step.line else 0, message)
        for entry, more, message in _problems(lesson, step, index, path)
    ]


def _problems(lesson: Lesson, step: LessonStep, index: int, path: Path | None) -> Iterator[tuple[str, int, str]]:
    """What is wrong: in which entry, how many lines below its first, and in words."""
    try:
        step_settings(lesson, index)
    except EngineError as error:
        yield "preset", 0, str(error)
    references: References = AnyWords()
    try:
        references = sentence_references(lesson.sentence_at(index))
    except EngineError as error:
        yield "sentence", 0, str(error)
    around = Surroundings(references, path)
    yield from entry_problems(step, around)
    yield from text_problems("caption", step.caption, around)
    yield from text_problems("notes", step.notes, around)


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


# The lesson that is being made: every change of it can be undone, the opening of another lesson, too.

NEW_TITLE = "New lesson"


@dataclass(frozen=True, slots=True)
class EditedLesson:
    """A lesson, its file (``None``: none yet), and the step that is chosen (−1: none)."""

    lesson: Lesson
    path: Path | None = None
    index: int = -1


class LessonEditor(State):
    """Holds the lesson that is being made, and changes it by commands on :attr:`undo_stack`.

    It has a stack of its own, for the session's has a change for every step that is shown.

    Signals
    -------
    changed
        The lesson, its file or the chosen step is another one now.
    """

    changed = Signal()
    edited = observed(EditedLesson(Lesson(NEW_TITLE)), "changed")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._saved: dict[Path, Lesson] = {}

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        return self.edited.lesson

    @property
    def path(self) -> Path | None:
        """Its file; ``None`` if it was never saved."""
        return self.edited.path

    @property
    def index(self) -> int:
        """The chosen step, from 0; −1 for none."""
        return self.edited.index

    @property
    def step(self) -> LessonStep | None:
        """The chosen step."""
        return self.lesson.steps[self.index] if 0 <= self.index < len(self.lesson.steps) else None

    @property
    def modified(self) -> bool:
        """Whether there is something that its file has not."""
        saved = self._saved.get(self.path) if self.path is not None else Lesson(NEW_TITLE)
        return self.lesson != saved

    # Files

    def new(self) -> None:
        """Begin another lesson."""
        self._change("new lesson", EditedLesson(Lesson(NEW_TITLE)))

    def open(self, path: Path) -> None:
        """Go on with a lesson from a file; raise :class:`LessonError` if it is none, and everything stays as it is."""
        lesson = read_lesson(path)
        self._saved[path] = lesson
        self._change(f"opening {path.name}", EditedLesson(lesson, path, 0 if lesson.steps else -1))

    def save(self, path: Path) -> None:
        """Write the lesson to a file; raise :class:`LessonError` if that cannot be done."""
        lesson = moved(self.lesson, self.path, path)
        save_lesson(lesson, path)
        self._saved[path] = lesson
        if (lesson, path) != (self.lesson, self.path):
            self._change(f"saving as {path.name}", replace(self.edited, lesson=lesson, path=path))
        else:
            self.changed.emit()

    def restore(self, edited: EditedLesson, saved: Lesson | None) -> None:
        """Start with a lesson; there is nothing to undo."""
        self.undo_stack.clear()
        if edited.path is not None and saved is not None:
            self._saved[edited.path] = saved
        self._use(edited)

    # Steps

    def choose(self, index: int) -> None:
        """Choose another step; no change of the lesson."""
        if index != self.index and -1 <= index < len(self.lesson.steps):
            self._use(replace(self.edited, index=index))

    def add(self, step: LessonStep, lesson: Lesson | None = None) -> None:
        """Put a step behind the chosen one, into the lesson or one with other settings."""
        at = self.index + 1 if self.step is not None else len(self.lesson.steps)
        steps = [*self._own_sentences()]
        steps.insert(at, step)
        self._set_steps("adding a step", steps, at, lesson)

    def update(self, step: LessonStep, title: str = "editing a step") -> None:
        """Put another step in the place of the chosen one."""
        if self.step is not None:
            steps = list(self.lesson.steps)
            steps[self.index] = step
            self._set_steps(title, steps, self.index)

    def edit(self, **changes: Any) -> None:
        """Change texts of the chosen step; what is typed into one field is one change."""
        if self.step is not None:
            steps = list(self.lesson.steps)
            steps[self.index] = replace(self.step, **changes)
            self._set_steps("typing", steps, self.index, subject=f"{self.index} {','.join(changes)}")

    def edit_title(self, title: str) -> None:
        """Change the title of the lesson."""
        self._change("typing", replace(self.edited, lesson=replace(self.lesson, title=title)), "title")

    def duplicate(self) -> None:
        """Put a copy of the chosen step behind it."""
        if self.step is not None:
            steps = self._own_sentences()
            steps.insert(self.index + 1, steps[self.index])
            self._set_steps("duplicating a step", steps, self.index + 1)

    def delete(self) -> None:
        """Take the chosen step out."""
        if self.step is not None:
            steps = self._own_sentences()
            del steps[self.index]
            self._set_steps("deleting a step", steps, min(self.index, len(steps) - 1))

    def move(self, index: int, to: int) -> None:
        """Put a step into another place."""
        if index != to and 0 <= index < len(self.lesson.steps) and 0 <= to < len(self.lesson.steps):
            steps = self._own_sentences()
            steps.insert(to, steps.pop(index))
            self._set_steps("moving a step", steps, to)

    def _own_sentences(self) -> list[LessonStep]:
        """The steps, each with its sentence: behind another step it would have another one."""
        steps = enumerate(self.lesson.steps)
        return [replace(step, sentence=self.lesson.sentence_at(index)) for index, step in steps]

    def _set_steps(
        self, title: str, steps: list[LessonStep], index: int, lesson: Lesson | None = None, subject: str = ""
    ) -> None:
        # Lines of the file are no longer where they were.
        known = tuple(replace(step, line=0, lines=()) for step in steps)
        self._change(
            title, replace(self.edited, lesson=replace(lesson or self.lesson, steps=known), index=index), subject
        )

    def _change(self, title: str, after: EditedLesson, subject: str = "") -> None:
        if after != self.edited:
            self.undo_stack.push(Change(title, self.edited, after, self._use, TYPING if subject else -1, subject))

    def _use(self, edited: EditedLesson) -> None:
        self.edited = edited


# Record what a window shows as a step of a lesson: "Add this view to the lesson".


def record_view(
    editor: DocumentEditor, view: ViewState, parses: ParseService, lesson: Lesson, path: Path | None
) -> tuple[LessonStep, Lesson]:
    """What a window shows as a step, and the lesson, which takes model and preset of its first step for its own.

    Raises
    ------
    LessonError
        In one sentence: there is nothing to record yet.
    """
    document, result = editor.document, parses.result
    sentence = tidy_line(document.line.text)
    if not sentence:
        raise LessonError("there is no sentence in the window to add; type one first")
    if result is None or not parses.is_current:
        reason = f" ({parses.problem})" if parses.problem else ""
        raise LessonError(f"the sentence has no parse to add yet{reason}; add it once its parse is shown")
    references = References(result.reading.tagged.proper_words)
    model = model_name(document.model, path)
    if not lesson.steps and not lesson.model:
        lesson = replace(lesson, model=model, preset=document.preset)
    usual = lesson.beam if lesson.beam is not None else Settings.preset(document.preset).beam
    select = references.id_name(view.selection) if view.selection is not None else ""
    stage = stage_named(view.stage)
    step = LessonStep(
        title=tidy_line(f"{stage.title}: {select}" if select else stage.title),
        sentence=sentence,
        model="" if model == lesson.model else model,
        preset=None if document.preset == lesson.preset else document.preset,
        beam=None if document.settings.beam == usual else document.settings.beam,
        threshold=document.settings.threshold,
        switches=switches_of(document),
        stage=stage.name,
        select=select,
        what_ifs=tuple(map(references.constraint_name, document.line.what_ifs)),
        rank=view.rank + 1,
        chart_step=_chart_step(view, parses) if stage.replays else None,
        replay=view.replay.edges if stage.replays else ALL_EDGES,
    )
    return step, lesson


def _chart_step(view: ViewState, parses: ParseService) -> int | None:
    """How many edges of the chosen replay are shown; ``None`` for all."""
    replay = replay_of(parses.shown, view.replay) if parses.shown is not None else None
    return replay.edge_count(view.chart_step) if replay is not None else None


def updated(step: LessonStep, recorded: LessonStep) -> LessonStep:
    """A step with another view, and the title, texts and question that it had."""
    return replace(
        recorded,
        title=step.title,
        caption=step.caption,
        notes=step.notes,
        question=step.question,
    )
