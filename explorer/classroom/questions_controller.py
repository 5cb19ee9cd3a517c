"""The class's answers and the exercises of one window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QFileDialog, QWidget

from engine.common.errors import EngineError
from explorer.classroom import tally
from explorer.classroom.exercise import lesson_digest, question_steps
from explorer.classroom.lesson import Lesson, plain_title
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.lesson_reading import read_lesson
from explorer.classroom.tally import Tally
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme

if TYPE_CHECKING:
    from explorer.classroom.exercise_result import Collection
    from explorer.classroom.exercise_window import ExerciseWindow
    from explorer.classroom.table_window import TableWindow

_NOTHING_ASKED = "the class has answered nothing yet; present a lesson with questions first"


class QuestionsController(QObject):
    """Opens exercises, collects their results, and keeps what the class answered.

    Parameters
    ----------
    editor, player, messages, preferences
        The document, whose model is used where a lesson names none; the lesson that is open; where messages are shown;
        what is remembered.
    parent
        The window over which others open.

    Attributes
    ----------
    tally
        What the class answered; whoever puts questions to it records them here.
    """

    docks: Sequence[tuple[QDockWidget, str]] = ()

    def __init__(
        self,
        editor: DocumentEditor,
        player: LessonPlayer,
        messages: Messages,
        preferences: Preferences,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._player = player
        self._messages = messages
        self._preferences = preferences
        self._parent = parent
        self._theme = LIGHT
        self.tally = Tally()
        self.exercise_window: ExerciseWindow | None = None
        self.table_window: TableWindow | None = None

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions do."""
        return {
            "exercise": self.ask_exercise,
            "collect-results": self.ask_results,
            "class-answers": self.show_tally,
            "export-class-answers": self.ask_tally_file,
        }

    def set_theme(self, theme: Theme) -> None:
        """Show the windows in other colours."""
        self._theme = theme
        if self.exercise_window is not None:
            self.exercise_window.set_theme(theme)

    # Exercises

    def ask_exercise(self) -> None:
        """Open the exercise of the lesson that is open; of a file if none is, or it asks nothing."""
        if question_steps(self._player.lesson):
            self.open_exercise(self._player.lesson, self._player.path)
            return
        start = self._preferences.text("folder")
        name, _ = QFileDialog.getOpenFileName(self._parent, "Exercise from a lesson", start, "Lessons (*.md)")
        if name:
            self.open_exercise_file(Path(name))

    def open_exercise_file(self, path: Path) -> None:
        """Open the exercise of a lesson's file."""
        try:
            lesson = read_lesson(path)
        except EngineError as error:
            self._messages.show_error(error)
            return
        self.open_exercise(lesson, path)

    def open_exercise(self, lesson: Lesson, path: Path | None) -> None:
        """Open the exercise of a lesson."""
        if not question_steps(lesson):
            title = plain_title(lesson.title)
            self._messages.show(
                f"the lesson “{title}” asks nothing; add `- question: head of …` or the like to a step", True
            )
            return
        if self.exercise_window is not None and not self.exercise_window.close():
            self.exercise_window.raise_()
            return
        # A start needs none of these windows.
        from explorer.classroom.exercise_window import ExerciseWindow

        window = ExerciseWindow(lesson, path, self._editor.document.model, self._preferences, self._theme, self._parent)
        window.destroyed.connect(lambda: self._closed(window))
        self.exercise_window = window
        window.show()

    def _closed(self, window: ExerciseWindow) -> None:
        if self.exercise_window is window:
            self.exercise_window = None

    # Results

    def ask_results(self) -> None:
        """Ask for the files of results, and show them as one table."""
        start = self._preferences.text("folder")
        names, _ = QFileDialog.getOpenFileNames(self._parent, "Collect results", start, "Results (*.json)")
        if names:
            self.show_results([Path(name) for name in names])

    def show_results(self, paths: Sequence[Path]) -> None:
        """Show the results of many students as one table."""
        from explorer.classroom import exercise_result
        from explorer.classroom.table_window import TableWindow

        lesson = self._player.lesson
        digests = {plain_title(lesson.title): lesson_digest(lesson)} if question_steps(lesson) else {}
        found = exercise_result.collect(paths, digests)
        self._show_table(
            TableWindow(
                "Results",
                exercise_result.HEADER,
                found.rows(),
                exercise_result.NUMBERS,
                _note(found),
                found.save,
                "results.csv",
                self._preferences,
                parent=self._parent,
            )
        )

    # The class's answers

    def show_tally(self) -> None:
        """Show what the class answered as a table."""
        if not len(self.tally):
            self._messages.show(_NOTHING_ASKED, True)
            return
        from explorer.classroom.table_window import TableWindow

        self._show_table(
            TableWindow(
                "The class's answers",
                tally.HEADER,
                self.tally.rows(),
                tally.NUMBERS,
                "",
                self.tally.save,
                "answers.csv",
                self._preferences,
                tally.HEADER.index("option"),
                self._parent,
            )
        )

    def ask_tally_file(self) -> None:
        """Ask for a file, and write what the class answered to it."""
        if not len(self.tally):
            self._messages.show(_NOTHING_ASKED, True)
            return
        start = str(Path(self._preferences.text("folder")) / "answers.csv")
        name, _ = QFileDialog.getSaveFileName(self._parent, "Export the class's answers", start, "CSV (*.csv)")
        if name:
            self.export_tally(Path(name).with_suffix(Path(name).suffix or ".csv"))

    def export_tally(self, path: Path) -> None:
        """Write what the class answered to a CSV file."""
        try:
            self.tally.save(path)
        except EngineError as error:
            self._messages.show_error(error)
        else:
            self._messages.show(f"Written: {path.name}")

    def _show_table(self, window: TableWindow) -> None:
        self.table_window = window
        window.destroyed.connect(lambda: self._table_closed(window))
        window.show()

    def _table_closed(self, window: TableWindow) -> None:
        if self.table_window is window:
            self.table_window = None


def _note(found: Collection) -> str:
    """What is said below the table of results: how many there are, and what is wrong with the others."""
    count = size(len(found.results), "result")
    if not found.problems:
        return f"{count}."
    wrong = size(len(found.problems), "file was not read", "files were not read")
    return "\n".join((f"{count}; {wrong}:", *found.problems))
