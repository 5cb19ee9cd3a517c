"""The lesson that is being made: every change of it can be undone, the opening of another lesson, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from explorer.classroom.lesson import Lesson, LessonStep
from explorer.classroom.lesson_reading import read_lesson
from explorer.classroom.lesson_resources import moved
from explorer.classroom.lesson_writing import save_lesson
from explorer.document.undo_commands import MERGE_SECONDS, TYPING

NEW_TITLE = "New lesson"


@dataclass(frozen=True, slots=True)
class EditedLesson:
    """A lesson, its file (``None``: none yet), and the step that is chosen (−1: none)."""

    lesson: Lesson
    path: Path | None = None
    index: int = -1


class _Change(QUndoCommand):
    """The step from one edited lesson to another; typing into one field is one change."""

    def __init__(
        self, title: str, before: EditedLesson, after: EditedLesson, use: Callable[[EditedLesson], None], subject: str
    ) -> None:
        super().__init__(title)
        self.before = before
        self.after = after
        self.subject = subject
        self._use = use
        self._time = time.monotonic()

    def id(self) -> int:
        """Typing merges with typing; anything else with nothing."""
        return TYPING if self.subject else -1

    def redo(self) -> None:
        """Make the change."""
        self._use(self.after)

    def undo(self) -> None:
        """Take the change back."""
        self._use(self.before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in what is typed next into the same field."""
        if not isinstance(other, _Change) or other.subject != self.subject:
            return False
        if other._time - self._time > MERGE_SECONDS:
            return False
        self.after, self._time = other.after, other._time
        return True


class LessonEditor(QObject):
    """Holds the lesson that is being made, and changes it by commands on :attr:`undo_stack`.

    It has a stack of its own, for the session's has a change for every step that is shown.

    Signals
    -------
    changed
        The lesson, its file or the chosen step is another one now.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._edited = EditedLesson(Lesson(NEW_TITLE))
        self._saved: dict[Path, Lesson] = {}

    @property
    def edited(self) -> EditedLesson:
        """All of it."""
        return self._edited

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        return self._edited.lesson

    @property
    def path(self) -> Path | None:
        """Its file; ``None`` if it was never saved."""
        return self._edited.path

    @property
    def index(self) -> int:
        """The chosen step, from 0; −1 for none."""
        return self._edited.index

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
            self._change(f"saving as {path.name}", replace(self._edited, lesson=lesson, path=path))
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
            self._use(replace(self._edited, index=index))

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
        self._change("typing", replace(self._edited, lesson=replace(self.lesson, title=title)), "title")

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
            title, replace(self._edited, lesson=replace(lesson or self.lesson, steps=known), index=index), subject
        )

    def _change(self, title: str, after: EditedLesson, subject: str = "") -> None:
        if after != self._edited:
            self.undo_stack.push(_Change(title, self._edited, after, self._use, subject))

    def _use(self, edited: EditedLesson) -> None:
        self._edited = edited
        self.changed.emit()
