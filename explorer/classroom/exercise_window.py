"""The window of an exercise: one student sets gap tags, draws arrows and chooses trees; and the table of
the results.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QStackedWidget,
    QWidget,
)

from engine.chart.parse import Parse
from engine.common.characters import readable
from engine.common.errors import EngineError
from engine.common.numbers import size
from engine.common.tables import Table
from engine.explain.subjects import Subject, WordId
from explorer.canvas.canvas import Canvas
from explorer.classroom.answers import (
    GOLD,
    MOST_POINTS,
    PARSE,
    Attempt,
    ExerciseResult,
    lesson_digest,
    question_steps,
    save_result,
    save_table,
)
from explorer.classroom.lesson import (
    Lesson,
    LessonStep,
    file_stem,
    plain_title,
)
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.question_view import OptionRows, Outcome, keys_of, marks_of, option_of_key
from explorer.classroom.questions import PosedQuestion, exercise_picture, pose_step
from explorer.kit.controls import NONE, holder, in_column, in_row, named, push_button, sized, told
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import CSV, RESULTS
from explorer.kit.messages import as_sentence, error_text, outcome_of_writing
from explorer.kit.state import State, observed
from explorer.kit.tables import Row, RowsView
from explorer.kit.tasks import Job, Worker
from explorer.session.document import Document
from explorer.session.preferences import Preferences
from explorer.session.session import Session

# Plays the questions of a lesson for one student, in a session of its own, and keeps what was answered.


class _Ready(NamedTuple):
    """A question that can be asked, and what is said once it has been answered."""

    posed: PosedQuestion
    why: str


class ExercisePlayer(State):
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
    place = observed(-1, "changed")
    """Which question is shown, from 0; as many as there are when all are over."""
    problem = observed("", "changed")
    """Why the question cannot be asked, in one sentence; empty if it can."""

    def __init__(self, lesson: Lesson, path: Path | None, model: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lesson = lesson
        self.steps = question_steps(lesson)
        self._path = path
        self._session = Session(self)
        self._session.editor.set_document(replace(Document(), model=model))
        session = self._session
        self._player = LessonPlayer(session, self)
        self._worker = Worker("question", newest_only=True, parent=self)
        self._attempts: dict[int, Attempt] = {}
        self._why: dict[int, str] = {}
        self._player.step_ready.connect(self._pose)
        self._player.problem_changed.connect(self._failed)
        # A model that cannot be opened is told nowhere else.
        session.messages.posted.connect(self._told)

    @property
    def over(self) -> bool:
        """Whether all questions have been gone through."""
        return self.place >= len(self.steps)

    @property
    def step(self) -> LessonStep | None:
        """The step of the lesson that is shown."""
        return self.lesson.steps[self.steps[self.place]] if 0 <= self.place < len(self.steps) else None

    @property
    def attempt(self) -> Attempt | None:
        """The tries at the question that is shown; ``None`` until it can be asked."""
        return self._attempts.get(self.place)

    @property
    def why(self) -> str:
        """What the numbers say about the answer."""
        return self._why.get(self.place, "")

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
        self.place = 0

    def next(self) -> None:
        """Go to the next question, or to the end."""
        if self.over:
            return
        with self.together():
            self.place += 1
            self.problem = ""
            self._worker.cancel()
            if not self.over:
                self._player.go(self.steps[self.place])

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
            return _Ready(posed, posed.kind.why(posed, result, parse))

        def ready(found: _Ready) -> None:
            if not self.over and self.steps[self.place] == place:
                self._attempts.setdefault(self.place, Attempt(found.posed))
                self._why[self.place] = found.why
                self.changed.emit()

        def failed(error: Exception) -> None:
            self.problem = as_sentence(error_text(error))

        self._worker.request(work, ready, failed)

    def _told(self, text: str, is_error: bool) -> None:
        if is_error and self.attempt is None:
            self.problem = as_sentence(text)

    def _failed(self) -> None:
        self.problem = as_sentence(self._player.problem)


# The window of an exercise: one student sets gap tags, draws arrows and chooses trees, and saves the result.

TEXT_SIZE = 16
_ANSWERS = ("question", "answers", "right answer", "points")


class ExerciseCanvas(Canvas):
    """The picture of an exercise: nothing travels to another place while a student looks at it."""

    moves = False
    keeps_words = False


_CURTAIN = "An exercise is open. What the parser finds is covered until it is closed."


class Curtain(QLabel):
    """Covers all of a window but its menus while an exercise is open: picture and inspector there tell the answers.

    Signals
    -------
    clicked
        It was clicked.
    """

    clicked = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(_CURTAIN, window, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._window = window
        self.setObjectName("quiet")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        self.fit()
        self.show()

    def fit(self) -> None:
        """Cover the window in its size of now."""
        layout = self._window.layout()
        menus = layout.menuBar() if layout is not None else None
        self.setGeometry(self._window.rect().adjusted(0, menus.height() if menus is not None else 0, 0, 0))
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell of the click; nothing behind it is reached."""
        self.clicked.emit()


class ExerciseWindow(QWidget):
    """An exercise.

    Parameters
    ----------
    lesson, path
        The lesson whose questions are asked, and its file.
    model
        The file of the model for steps that name none.
    preferences
        What is remembered: the student's name and the folder.
    """

    def __init__(
        self,
        lesson: Lesson,
        path: Path | None,
        model: str,
        preferences: Preferences,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("exercise")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setWindowTitle(f"Exercise: {plain_title(lesson.title)}")
        self._preferences = preferences
        self._choice: int | None = None
        self._set: Subject | None = None
        self._shown: object = None
        self._saved = True
        self.player = ExercisePlayer(lesson, path, model, self)
        self._make_widgets(lesson)
        self.player.changed.connect(self._changed)
        self.canvas.selected.connect(self._picked)
        self.canvas.activated.connect(self._picked)
        self.canvas.dragged.connect(lambda what, target: self._picked(target))
        self.canvas.room_changed.connect(self._draw)
        self.options.pressed.connect(lambda option, back: self.choose(option))
        self.resize(1000, 720)
        self._curtain: Curtain | None = None
        if parent is not None:
            parent.installEventFilter(self)
            self._curtain = Curtain(parent)
            self._curtain.clicked.connect(self.activateWindow)
        # The name is entered first; where it is known the keys belong to the question.
        (self if self.name.text() else self.name).setFocus()
        self.player.start()

    def _make_widgets(self, lesson: Lesson) -> None:
        name = QLineEdit(self._preferences.text("student"), placeholderText="your name", maxLength=80)
        self.name = named(name, "Your name, which stands in the result")
        self.name.setMaximumWidth(240)
        self.progress = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.score = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.canvas = ExerciseCanvas()
        self.question = told()
        self.options = OptionRows(TEXT_SIZE)
        self.feedback = told()
        self.feedback.setMinimumHeight(48)
        self.feedback.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for label, share in ((self.question, 1.25), (self.feedback, 1.0), (self.progress, 1.0)):
            sized(label, round(TEXT_SIZE * share), label is self.question)
        self.answers = RowsView(_ANSWERS, (3,), stretch=0, name="Your answers")
        self.go_on = push_button("Check", "", self.check_or_go_on)
        tip = "Write the result to a file, which you give to your teacher"
        self.save = push_button("Save the result …", tip, self.ask_file)
        self.pages = QStackedWidget()
        self._asking = in_column((self.canvas, 1), self.question, self.options, margins=NONE)
        self.pages.addWidget(holder(self._asking))
        self.pages.addWidget(self.answers)
        self.setLayout(
            in_column(
                in_row((self.progress, 1), self.score, 16, self.name),
                (self.pages, 1),
                in_row((self.feedback, 1), self.save, self.go_on),
            )
        )

    # Answering

    @property
    def attempt(self) -> Attempt | None:
        """The tries at the question that is shown."""
        return self.player.attempt

    def choose(self, option: int) -> None:
        """Choose an option; it counts when it is checked."""
        attempt = self.attempt
        if attempt is None or attempt.done or not 0 <= option < len(attempt.posed.options):
            return
        self._choice, self._set = option, attempt.posed.options[option].id
        self._show_choice()

    def _picked(self, id: Subject | None) -> None:
        """Take what was clicked or dropped on in the picture for an answer."""
        attempt = self.attempt
        if attempt is None or attempt.done or id is None:
            return
        picked = attempt.posed.kind.picked(attempt.posed, self._set, id)
        if picked is not None:
            self._set = picked
            options = attempt.posed.options
            self._choice = next((at for at, option in enumerate(options) if option.id == picked), None)
            self._show_choice()

    def check_or_go_on(self) -> None:
        """Check the answer that is chosen; once it is settled, go to the next question."""
        attempt = self.attempt
        if self.player.over:
            self.ask_file()
        elif attempt is None:
            if self.player.problem:
                self.player.next()
        elif attempt.done:
            self.player.next()
        elif self._set is not None or self._choice is not None:
            self._saved = False
            word = attempt.posed.words[self._set.position] if isinstance(self._set, WordId) else ""
            self.player.answer(self._choice, word if self._choice is None else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        attempt = self.attempt
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.name.hasFocus() and not self.player.over:
                self.setFocus()
            else:
                self.check_or_go_on()
        elif attempt is not None and not self.name.hasFocus() and (found := option_of_key(event, attempt.posed)):
            self.choose(found[0])
        else:
            super().keyPressEvent(event)

    # Showing

    def _changed(self) -> None:
        player, attempt = self.player, self.attempt
        self.pages.setCurrentIndex(int(player.over))
        count = len(player.steps)
        self.score.setText(f"{size(player.points, 'point')} of {player.most}" if player.answered else "")
        self.save.setVisible(player.over)
        self.go_on.setVisible(not player.over)
        if player.over:
            self._show_end()
            return
        title = plain_title(player.step.title) if player.step is not None else ""
        self.progress.setText(f"Question {player.place + 1} of {count}: {title}")
        if attempt is None:
            self._choice = self._set = self._shown = None
            self.options.set_question(None)
            self.question.setText("")
            self.feedback.setText(player.problem or "One moment …")
            self.go_on.setText("Next")
            self.go_on.setEnabled(bool(player.problem))
            return
        if self._shown is not attempt:
            self._shown = attempt
            self._choice = self._set = None
            self.options.set_question(attempt.posed)
            self.question.setText(attempt.posed.text)
            # Two trees say all that the picture of the words would, and need its room.
            self.canvas.setVisible(not self.options.shows_trees)
            self._asking.setStretchFactor(self.options, int(self.options.shows_trees))
            if not self.name.hasFocus():
                self.setFocus()
        elif not attempt.done:
            self._choice = self._set = None
        self._show_choice()

    def _show_choice(self) -> None:
        """Show what is chosen, and what came of it."""
        attempt = self.attempt
        if attempt is None:
            return
        posed = attempt.posed
        for row in self.options.rows:
            wrong = row.number in attempt.choices and row.number != posed.right
            note = "✗ tried" if wrong else ""
            outcome = Outcome(marks=marks_of(posed, row.number)) if attempt.done else None
            row.set_state(0, row.number == self._choice and not attempt.done, note, outcome)
        self.feedback.setText(self._feedback(attempt))
        self.go_on.setText("Next" if attempt.done else "Check")
        self.go_on.setEnabled(attempt.done or self._choice is not None or self._set is not None)
        self._draw()

    def _feedback(self, attempt: Attempt) -> str:
        """What is said about the last try, or how to answer."""
        posed = attempt.posed
        if attempt.done:
            by = GOLD if posed.gold is not None else PARSE
            said = "✓ Right." if attempt.is_right else f"✗ The {by} has: {posed.options[posed.right].text}."
            return f"{said} {self.player.why}"
        if attempt.tries:
            return f"✗ Not {attempt.tries[-1]}. {attempt.hint} You have a second try."
        return posed.kind.how.format(keys=keys_of(posed))

    def _draw(self) -> None:
        attempt, parse, step = self.attempt, self.player.parse, self.player.step
        if attempt is None or parse is None or step is None:
            return
        picture = exercise_picture(
            attempt.posed, parse, self.canvas.metrics, self.canvas.room, step.chart_step, attempt.done, self._set
        )
        before, bar = self.canvas.drawing, self.canvas.verticalScrollBar()
        at = bar.value()
        self.canvas.show(picture)
        self.canvas.select(None)
        if before is not None and before.view_bounds == picture.view_bounds:
            # A long sentence stays where it was scrolled to.
            bar.setValue(at)
        else:
            QTimer.singleShot(0, self, self._bring_into_sight)

    def _bring_into_sight(self) -> None:
        """Scroll a long sentence to the word that is asked about, once the picture has its place."""
        drawing = self.canvas.drawing
        word = self.attempt.posed.subject if self.attempt is not None else None
        if word is not None and drawing is not None and word in drawing.regions:
            self.canvas.ensureVisible(QRectF(*drawing.regions[word].bounds), 48, 96)

    def _show_end(self) -> None:
        result = self.player.result(self.name.text())
        self.progress.setText(f"The end: {size(result.points, 'point')} of {result.most}.")
        self.score.setText("")
        rows = [
            Row((one.question, ", then ".join(one.tries), f"{one.right} ({one.marked_by})", str(one.points)))
            for one in result.answers
        ]
        self.answers.set_rows(rows)
        self.feedback.setText("Save the result and give the file to your teacher.")
        self.save.setFocus()

    # Saving

    def ask_file(self) -> None:
        """Ask for a file, and write the result to it; first for the name, if it is missing."""
        if not self.name.text().strip():
            self.feedback.setText("Enter your name first: it stands in the result.")
            self.name.setFocus()
            return
        stem = file_stem(f"{self.name.text().strip()} – {self.player.lesson.title}")
        title, name = "Save the result", f"{stem or 'result'}.json"
        if path := ask_save(self, self._preferences, title, name, RESULTS):
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the result to a file."""
        try:
            save_result(self.player.result(self.name.text()), path)
        except EngineError as error:
            self.feedback.setText(as_sentence(error_text(error)))
            return
        self._saved = True
        self._preferences.keep("student", self.name.text().strip())
        self.feedback.setText(f"Saved: {path.name}. Give this file to your teacher.")

    def may_leave(self) -> bool:
        """Ask whether answers that are not saved may be lost; whether they may."""
        if self._saved:
            return True
        buttons = QMessageBox.StandardButton
        text = "Your answers are not saved. Close the exercise without them?"
        return QMessageBox.question(self, "Exercise", text, buttons.Discard | buttons.Cancel) == buttons.Discard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close with the window over which it stands; if answers would be lost, neither closes."""
        if event.type() == QEvent.Type.Close and watched is self.parent() and not self.close():
            event.ignore()
            return True
        if event.type() == QEvent.Type.Resize and watched is self.parent() and self._curtain is not None:
            self._curtain.fit()
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_leave():
            event.ignore()
            return
        self.player.close()
        if self._curtain is not None:
            self._curtain.deleteLater()
            self._curtain = None
        super().closeEvent(event)


# A window with one table that can be written as CSV: the class's answers, the students' results.


class TableWindow(QDialog):
    """Shows a table, and writes it to a file.

    Parameters
    ----------
    table
        What is shown, and written unless there is another.
    note
        What is said below it, paragraph by paragraph.
    file_name
        What the file is called unless a person says otherwise.
    preferences
        Which folder is remembered.
    key
        The column by which a row is known, which is never squeezed.
    whole
        What is written, where that is more than is shown.
    """

    def __init__(
        self,
        table: Table,
        note: str,
        file_name: str,
        preferences: Preferences,
        parent: QWidget,
        key: int = 0,
        whole: Table | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(table.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._whole = whole or table
        self._file_name = file_name
        self._preferences = preferences
        self.table = RowsView(name=table.title, key=key)
        self.table.show_table(table)
        self.note = told(note)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.setVisible(bool(note))
        self.status = QLabel(textFormat=Qt.TextFormat.PlainText)
        tip = "Write the table to a file that any spreadsheet opens"
        self.export = push_button("Export as CSV …", tip, self.ask_file)
        self.export.setEnabled(bool(table.rows))
        close = push_button("Close", "", self.close)
        self.setLayout(in_column((self.table, 1), self.note, in_row((self.status, 1), self.export, close)))
        self.resize(980, 520)

    def ask_file(self) -> None:
        """Ask for a file, and write the table to it."""
        if path := ask_save(self, self._preferences, self.windowTitle(), self._file_name, CSV):
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the table to a file."""
        self.status.setText(outcome_of_writing(path, lambda: save_table(self._whole, path)))
