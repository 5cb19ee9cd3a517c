"""The lesson panel: the steps of a lesson, their texts and questions, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QLabel,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from engine.common.characters import curly_quotes, no_markup
from engine.common.errors import EngineError
from explorer.classroom.lesson import (
    LessonStep,
    Question,
    plain_title,
    tidy_caption,
    tidy_line,
    tidy_text,
)
from explorer.classroom.lesson_editor import LessonEditor, check_step
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.placeholders import fill
from explorer.classroom.questions import KINDS, kind_named
from explorer.kit.actions import Action
from explorer.kit.controls import (
    NONE,
    Field,
    filled,
    holder,
    in_column,
    in_row,
    is_key_of_window,
    menu_button,
    named,
    quiet_label,
    split,
    text_button,
    told,
)
from explorer.kit.messages import as_sentence
from explorer.session.session import Session
from explorer.stages.stages import stage_named

# The fields of the lesson panel.

_TEXT_ROWS = 4


def text_edit(name: str, placeholder: str) -> QPlainTextEdit:
    """A field of several lines."""
    edit = QPlainTextEdit()
    edit.setObjectName("sentence-edit")
    edit.setAccessibleName(name)
    edit.setPlaceholderText(placeholder)
    # What is typed here is undone with all else in the lesson.
    edit.setUndoRedoEnabled(False)
    edit.setTabChangesFocus(True)
    edit.setFixedHeight(_TEXT_ROWS * edit.fontMetrics().lineSpacing() + 16)
    return edit


def show_text(field: Field, text: str) -> None:
    """Show a text in a field, unless what is being typed there means the same."""
    if tidy_line(field.text()) != text:
        field.setText(text)


# The list of a lesson's steps, which can be dragged into another order.

_Where = QAbstractItemView.DropIndicatorPosition
_DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def step_text(number: int, step: LessonStep, troubled: bool = False) -> str:
    """A step in two lines: its number and title, then what there is to it."""
    marks = [stage_named(step.stage).title]
    if step.question is not None:
        marks.append("? question")
    if step.what_ifs:
        marks.append("what-if")
    if troubled:
        marks.append("⚠ see below")
    return f"{number}  {plain_title(step.title)}\n{'   ·  '.join(marks)}"


def place_of_drop(start: int, row: int, where: _Where) -> int:
    """The place of a step that was dragged from one row and dropped above, below or on another."""
    if where == _Where.OnItem:
        return row
    before = row + int(where == _Where.BelowItem)
    return before - int(start < before)


class StepList(QListWidget):
    """The steps of a lesson.

    Signals
    -------
    chosen
        A step was chosen, by its number from 0.
    dragged
        A step was dragged from one place to another.
    delete_wanted
        The chosen step is to be deleted.
    """

    chosen = Signal(int)
    dragged = Signal(int, int)
    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Steps of the lesson")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.currentRowChanged.connect(self._row_changed)
        # A click on the chosen step shows it again.
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))

    def _row_changed(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(row)

    def show_steps(self, steps: Sequence[LessonStep], index: int, troubled: Sequence[bool]) -> None:
        """Show these steps, one of them chosen; nobody is told."""
        blocked = self.blockSignals(True)
        while self.count() > len(steps):
            self.takeItem(self.count() - 1)
        height = 2 * self.fontMetrics().lineSpacing() + 10
        for row, (step, trouble) in enumerate(zip(steps, troubled, strict=True)):
            text = step_text(row + 1, step, trouble)
            item = self.item(row)
            if item is None:
                item = QListWidgetItem(text)
                item.setSizeHint(QSize(0, height))
                self.addItem(item)
            elif item.text() != text:
                item.setText(text)
            item.setToolTip(no_markup(plain_title(step.title)))
        self.setCurrentRow(index)
        self.blockSignals(blocked)

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask for the move; what the lesson then is, is shown."""
        target, start = self.indexAt(event.position().toPoint()), self.currentRow()
        to = place_of_drop(start, target.row(), self.dropIndicatorPosition()) if target.isValid() else self.count() - 1
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        self.dragged.emit(start, max(0, min(to, self.count() - 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete deletes the step."""
        if event.key() in _DELETE and not event.modifiers():
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


# The lesson panel: the steps of a lesson, their texts and questions, and what is wrong with them.

_EMPTY = (
    "No step yet. Show something in the window and press “Add this view”, "
    "or choose a lesson that comes with the program under “Lesson”."
)
_TIDY = {"caption": tidy_caption, "notes": tidy_text}
_STEP_ACTIONS = ("lesson-up", "lesson-down", "lesson-duplicate", "lesson-delete", "lesson-undo", "lesson-redo")
_NATIVE = QKeySequence.SequenceFormat.NativeText
_WIDTH = 300
_MOST_TROUBLES = 5000
"""Steps of which it is remembered whether something is wrong with them."""


class LessonPanel(QWidget):
    """Shows and edits a lesson.

    Parameters
    ----------
    editor
        The lesson.
    player, session
        What shows its steps in the window, for what the class will read there.
    menu, actions
        What the buttons “Lesson” and “Step” open.

    Signals
    -------
    wanted
        An action is to be done, by its name.
    """

    wanted = Signal(str)

    def __init__(
        self,
        editor: LessonEditor,
        player: LessonPlayer,
        session: Session,
        menu: QMenu,
        actions: Sequence[Action],
    ) -> None:
        super().__init__()
        self._actions = actions
        self._editor = editor
        self._player = player
        self._parses = session.parses
        self._view = session.view
        self._refreshing = False
        self._troubles: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.title = named(Field(placeholderText="Title of the lesson"), "Title of the lesson")
        self.file = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.file.setObjectName("quiet")
        self.menu_button = menu_button("Lesson ▾", "Open, save and choose lessons", menu)
        self.list = StepList()
        self._make_details()
        self._lay_out()
        self._connect()
        self.refresh()

    # Building

    def _make_details(self) -> None:
        self.step_title = named(Field(), "Title of the step")
        self.caption = text_edit(
            "Caption", "What the class reads; {F̂ of with} and the like are filled in by the program"
        )
        self.notes = text_edit("Notes", "What only the teacher reads")
        self.kind = named(QComboBox(), "Question")
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.kind.setMinimumContentsLength(12)
        filled(self.kind, {"": "no question", **{kind.name: kind.title for kind in KINDS}})
        self.subject = named(Field(), "What the question is about")
        self.ask = named(Field(placeholderText="In your own words, or empty"), "The question in your words")
        self.hint = named(Field(placeholderText="Hint after a wrong try, or empty"), "Hint")
        self.problem = told(name="problem")
        self.preview = named(QLabel(textFormat=Qt.TextFormat.MarkdownText), "The caption as the class reads it")
        self.shows = told(name="quiet")
        for label in (self.problem, self.preview, self.shows):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def _lay_out(self) -> None:
        buttons = [
            text_button(title, tip, partial(self.wanted.emit, name))
            for title, tip, name in (
                ("Add this view", "Add what the window shows to the lesson (Alt+Shift+A)", "lesson-add"),
                ("Update", "Show what the window shows now in this step (Alt+Shift+U)", "lesson-update"),
            )
        ]
        self.empty = told(_EMPTY, "quiet")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        top = holder(
            in_column(
                in_row((self.title, 1), self.menu_button),
                self.file,
                in_row(*buttons, None, self._step_button(), spacing=4),
                (self.empty, 1),
                (self.list, 1),
                margins=(12, 8, 8, 0),
                spacing=4,
            )
        )
        self.details = QScrollArea()
        self.details.setFrameShape(QFrame.Shape.NoFrame)
        self.details.setWidgetResizable(True)
        self.details.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.details.setWidget(self._form())
        self.setLayout(in_column(split(top, self.details, sizes=(300, 420)), margins=NONE))

    def _step_button(self) -> QToolButton:
        """A button that opens what can be done with a step: so many buttons would make the panel wide."""
        self.step_menu = QMenu(self)
        for entry in self._actions:
            if entry.name in _STEP_ACTIONS:
                action = self.step_menu.addAction(entry.title, partial(self.wanted.emit, entry.name))
                # The key is the window's; here it is only shown.
                action.setText(f"{entry.title}\t{QKeySequence(entry.shortcut).toString(_NATIVE)}")
        return menu_button("Step ▾", "Move, duplicate or delete the chosen step", self.step_menu)

    def sizeHint(self) -> QSize:
        """As wide as a list of sentences, so that the picture keeps its room."""
        return QSize(_WIDTH, super().sizeHint().height())

    def _form(self) -> QWidget:
        question = in_row((self.kind, 3), (self.subject, 2))
        parts: list[QWidget | QLayout | None] = [self.problem]
        for title, shown in (
            ("Step", (self.step_title,)),
            ("Caption", (self.caption, self.preview)),
            ("Notes", (self.notes,)),
            ("Question", (question, self.ask, self.hint)),
            ("Shows", (self.shows,)),
        ):
            parts += [quiet_label(title), *shown]
        return holder(in_column(*parts, None, margins=(12, 8, 12, 8), spacing=4))

    def _connect(self) -> None:
        editor, player = self._editor, self._player
        editor.changed.connect(self.refresh)
        for signal in (player.lesson_changed, player.step_ready, player.step_changed, player.problem_changed):
            signal.connect(self._show_state)
        self._parses.result_changed.connect(self._show_state)
        self.list.chosen.connect(editor.choose)
        self.list.dragged.connect(editor.move)
        self.list.delete_wanted.connect(partial(self.wanted.emit, "lesson-delete"))
        self.title.textEdited.connect(self._edit_lesson)
        self.step_title.textEdited.connect(self._edit_title)
        self.caption.textChanged.connect(partial(self._edit_text, self.caption, "caption"))
        self.notes.textChanged.connect(partial(self._edit_text, self.notes, "notes"))
        self.kind.activated.connect(self._choose_kind)
        for field in (self.subject, self.ask, self.hint):
            field.textEdited.connect(self._edit_question)
        fields = (self.title, self.step_title, self.subject, self.ask, self.hint)
        for widget in (*fields, self.list, self.caption, self.notes, self.kind):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Undo and redo the lesson's changes, whatever field has the focus, and leave the window its other keys."""
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            redo = event.matches(QKeySequence.StandardKey.Redo)
            if redo or event.matches(QKeySequence.StandardKey.Undo):
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self.wanted.emit("lesson-redo" if redo else "lesson-undo")
                return True
            if is_key_of_window(event, True, True):
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    # Editing

    def _edit_lesson(self, text: str) -> None:
        if title := tidy_line(text):
            self._editor.edit_title(title)

    def _edit_title(self, text: str) -> None:
        if title := tidy_line(text):
            self._editor.edit(title=title)

    def _edit_text(self, edit: QPlainTextEdit, field: str) -> None:
        if not self._refreshing:
            self._editor.edit(**{field: _TIDY[field](edit.toPlainText())})

    def _choose_kind(self) -> None:
        step = self._editor.step
        kind = self.kind.currentData()
        if step is None or kind == (step.question.kind if step.question is not None else ""):
            return
        question = Question(kind, kind_named(kind).first_subject(step.select)) if kind else None
        if question is not None and step.question is not None:
            question = replace(question, text=step.question.text, hint=step.question.hint)
        self._editor.edit(question=question)

    def _edit_question(self) -> None:
        step = self._editor.step
        if step is None or step.question is None:
            return
        subject = tidy_line(self.subject.text()) or step.question.subject
        texts = tidy_line(self.ask.text()), tidy_line(self.hint.text())
        self._editor.edit(question=Question(step.question.kind, subject, *texts))

    # Showing

    def refresh(self) -> None:
        """Show the lesson as it is now."""
        editor = self._editor
        lesson, step = editor.lesson, editor.step
        self._refreshing = True
        show_text(self.title, lesson.title)
        name = editor.path.name if editor.path is not None else "in no file yet"
        self.file.setText(f"{name}  ·  not saved" if editor.modified else name)
        self.file.setToolTip(no_markup(str(editor.path or "")))
        troubled = [bool(self._trouble(index)) for index in range(len(lesson.steps))]
        self.list.show_steps(lesson.steps, editor.index, troubled)
        self.list.setVisible(bool(lesson.steps))
        self.empty.setVisible(not lesson.steps)
        self.details.setVisible(step is not None)
        if step is not None:
            self._show_step(step)
        self._refreshing = False
        self._show_state()

    def _show_step(self, step: LessonStep) -> None:
        show_text(self.step_title, step.title)
        for edit, name, text in ((self.caption, "caption", step.caption), (self.notes, "notes", step.notes)):
            if _TIDY[name](edit.toPlainText()) != text:
                edit.setPlainText(text)
        question = step.question
        self.kind.setCurrentIndex(self.kind.findData(question.kind if question is not None else ""))
        for field, text in (
            (self.subject, question.subject if question is not None else ""),
            (self.ask, question.text if question is not None else ""),
            (self.hint, question.hint if question is not None else ""),
        ):
            show_text(field, text)
            field.setVisible(
                question is not None and (field is not self.subject or kind_named(question.kind).usual != "")
            )
        lesson = self._editor.lesson
        parts = [lesson.sentence_at(self._editor.index)]
        parts += [f"selected: {step.select}"] if step.select else []
        parts += [f"what if: {what_if}" for what_if in step.what_ifs]
        parts += [f"number {step.rank} of the list"] if step.rank > 1 else []
        self.shows.setText("\n".join(parts))

    def _trouble(self, index: int) -> tuple[str, ...]:
        """What is wrong with a step and can be told without a parse; the same step is looked at once."""
        lesson, path = self._editor.lesson, self._editor.path
        step = lesson.steps[index]
        key = (step, lesson.sentence_at(index), lesson.preset, lesson.beam, path)
        if len(self._troubles) > _MOST_TROUBLES:
            self._troubles.clear()
        if key not in self._troubles:
            found = check_step(lesson, index, path)
            lines = [f"line {one.line}: {one.message}" if one.line else one.message for one in found]
            self._troubles[key] = tuple(lines)
        return self._troubles[key]

    def _show_state(self) -> None:
        """Show what is wrong with the step, and its caption as the class reads it."""
        step, player = self._editor.step, self._player
        if step is None:
            return
        problems = list(self._trouble(self._editor.index))
        preview = ""
        shown = player.index == self._editor.index and player.step == step
        if shown and player.problem and not problems:
            problems.append(player.problem)
        if shown and player.ready and player.in_sight and not problems and self._parses.result is not None:
            try:
                preview = fill(step.caption, self._parses.result, self._parses.shown, self._view.selection)
            except EngineError as error:
                problems.append(str(error))
        self.problem.setText("\n".join(curly_quotes(as_sentence(problem)) for problem in problems))
        self.problem.setVisible(bool(problems))
        self.preview.setText(no_markup(preview))
        self.preview.setVisible(bool(preview))
