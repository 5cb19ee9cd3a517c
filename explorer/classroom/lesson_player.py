"""Play a lesson in a session: the sentence, settings, what-ifs, stage and selection of each step, once it is parsed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.common.errors import EngineError
from engine.explain.subjects import Subject
from engine.structure.constraints import Constraint
from explorer.classroom.lesson import Lesson, LessonError, LessonStep, find_model, step_problem, step_settings
from explorer.classroom.references import References, check_in_chart
from explorer.kit.state import State, listen, observed
from explorer.session.document import Document, TextLine, added
from explorer.session.replay import replay_of
from explorer.session.session import Session


class LessonPlayer(State):
    """Shows the steps of a lesson one after the other; whoever presents, asks or prints them listens.

    Parameters
    ----------
    session
        The session in which the lesson is played.  Its sentences stay; those of the lesson come behind them.

    Signals
    -------
    lesson_changed
        Another lesson is played, or the same one was edited.
    step_changed
        Another step is to be shown; its parse is still to come.
    step_ready
        The step is shown as a whole: parsed, with its what-ifs, at its stage, with its selection.
    problem_changed
        Why a step cannot be shown is another reason now, or none.
    """

    lesson_changed = Signal()
    step_changed = Signal()
    step_ready = Signal()
    problem_changed = Signal()
    problem = observed("")
    """Why the step cannot be shown, in one sentence; empty if it can."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = session.editor
        self._view = session.view
        self._parses = session.parses
        self._lesson = Lesson("")
        self._path: Path | None = None
        self._index = -1
        self._pending = False

    @property
    def lesson(self) -> Lesson:
        """The lesson that is played."""
        return self._lesson

    @property
    def path(self) -> Path | None:
        """Its file; what it names is looked for in the same folder."""
        return self._path

    @property
    def index(self) -> int:
        """The step that is shown, from 0; −1 before the first."""
        return self._index

    @property
    def step(self) -> LessonStep | None:
        """The step that is shown."""
        return self._lesson.steps[self._index] if 0 <= self._index < len(self._lesson.steps) else None

    @property
    def ready(self) -> bool:
        """Whether the step is shown as a whole."""
        return self.step is not None and not self._pending and not self.problem

    @property
    def in_sight(self) -> bool:
        """Whether the parse in the window is of the step's sentence: there one can look at another one meanwhile."""
        result = self._parses.result
        return result is not None and self._is_about(result.request.line)

    def _is_about(self, line: TextLine) -> bool:
        return self.step is not None and line.text == self._lesson.sentence_at(self._index)

    @property
    def references(self) -> References:
        """The names of things in the sentence that is shown."""
        result = self._parses.result
        return References(result.reading.tagged.proper_words if result is not None else ())

    def open(self, lesson: Lesson, path: Path | None = None, index: int = 0) -> None:
        """Play a lesson from this step on."""
        self._lesson, self._path, self._index = lesson, path, -1
        self.lesson_changed.emit()
        self.go(index)

    def replace_lesson(self, lesson: Lesson, path: Path | None = None, index: int | None = None) -> None:
        """Go on with an edited lesson, at the same step if there are so many, and show nothing else because of it.

        With an `index` that is the number of the step now, and `path` the lesson's file.
        """
        if index is not None:
            self._path, self._index = path, index
        self._lesson = lesson
        self._index = min(self._index, len(lesson.steps) - 1)
        self.lesson_changed.emit()

    def close(self) -> None:
        """Play no lesson."""
        self._wait(False)
        self._lesson, self._path, self._index = Lesson(""), None, -1
        self.problem = ""
        self.lesson_changed.emit()

    def go(self, index: int) -> bool:
        """Show a step; whether there is such a one."""
        if not 0 <= index < len(self._lesson.steps):
            return False
        self._index = index
        self._wait(True)
        self.problem = ""
        self.step_changed.emit()
        try:
            document = self._document()
        except EngineError as error:
            self._fail(error)
            return True
        self._editor.change(f"step {index + 1} of the lesson", document)
        self._go_on()
        return True

    def next(self) -> bool:
        """Show the step after this one; whether there is one."""
        return self.go(self._index + 1)

    def previous(self) -> bool:
        """Show the step before this one; whether there is one."""
        return self.go(self._index - 1)

    def _document(self) -> Document:
        """The document as the step wants it, its what-ifs still to come."""
        step, lesson, before = self.step, self._lesson, self._editor.document
        assert step is not None
        preset, settings, gold_tags = step_settings(lesson, self._index)
        model = step.model or lesson.model
        text = lesson.sentence_at(self._index)
        document = replace(
            before.with_model(str(find_model(model, self._path))) if model else before,
            preset=preset,
            settings=settings,
            gold_tags=gold_tags,
        )
        texts = [line.text for line in document.lines]
        if text not in texts:
            return added(document, [TextLine(text)])
        at = texts.index(text)
        shown = replace(document, current=at)
        # The same what-ifs again are shown at once, without the parse that they were put on.
        names = self._what_if_names(shown.line.what_ifs) if at == before.current else None
        return shown if names == step.what_ifs else shown.with_line(replace(shown.line, what_ifs=()))

    def _what_if_names(self, what_ifs: tuple[Constraint, ...]) -> tuple[str, ...] | None:
        return tuple(map(self.references.constraint_name, what_ifs)) if self._parses.is_current else None

    def _wait(self, waits: bool) -> None:
        """Follow the parses until the step is shown; before and after that they are nothing to the lesson."""
        if waits == self._pending:
            return
        self._pending = waits
        listen(waits, (self._parses.result_changed, self._go_on), (self._parses.problem_changed, self._go_on))

    def _go_on(self) -> None:
        """Show the rest of the step as soon as there is a parse."""
        step = self.step
        if not self._pending or step is None:
            return
        if not self._is_about(self._editor.line):
            # Somebody has gone on to another sentence before the step was there.
            self._wait(False)
            return
        if self._parses.problem:
            self._fail(LessonError(self._parses.problem))
        elif self._parses.is_current:
            try:
                what_ifs = tuple(map(self.references.constraint, step.what_ifs))
                selection = self._selection(step)
            except EngineError as error:
                self._fail(error)
                return
            line = self._editor.line
            if line.what_ifs != what_ifs:
                document = self._editor.document.with_line(replace(line, what_ifs=what_ifs))
                self._editor.change(f"what-ifs of step {self._index + 1}", document)
            elif self._parses.is_complete:
                self._wait(False)
                self._view.set_rank(step.rank - 1)
                choice = replace(self._view.replay, edges=step.replay)
                self._view.set_replay(choice)
                replay = replay_of(self._parses.shown, choice) if self._parses.shown is not None else None
                self._view.go_to(step.stage, replay.place(step.chart_step) if replay is not None else None)
                self._view.select(selection)
                self.step_ready.emit()

    def _selection(self, step: LessonStep) -> Subject | None:
        """What the step selects; raise :class:`LessonError` if the chart has no such edge or item."""
        selection = self.references.id(step.select) if step.select else None
        result = self._parses.result
        if selection is not None and result is not None and result.full:
            check_in_chart(selection, result.parse.chart)
        return selection

    def _fail(self, error: Exception) -> None:
        self._wait(False)
        self.problem = step_problem(self._lesson, self._path, self._index, error)
