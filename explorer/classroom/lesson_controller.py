"""Lessons in the window: their panel, opening and saving them, recording views, and keeping what is not saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMenu, QWidget

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.common.numbers import size
from explorer.classroom.lesson import (
    Lesson,
    LessonError,
    LessonStep,
    bundled_lessons,
    file_stem,
    lesson_title,
    moved,
)
from explorer.classroom.lesson_editor import EditedLesson, LessonEditor, check_lesson, record_view, updated
from explorer.classroom.lesson_file import read_lesson, save_lesson
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.part import LessonFeature
from explorer.kit import file_kinds
from explorer.kit.actions import LESSON, action, calls, declared
from explorer.kit.file_dialogs import ask_open, ask_save
from explorer.session.files import make_private
from explorer.session.preferences import Preferences
from explorer.session.session import Session

if TYPE_CHECKING:
    from explorer.classroom.lesson_panel import LessonPanel

DOCK_KEY = "Shift+F2"
KEEP_MS = 800
LAST_LESSON = "last-lesson.md"


class LessonController(LessonFeature):
    """The part of the classroom that is about lessons: opens, records, edits and saves them."""

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget, player: LessonPlayer) -> None:
        super().__init__(session, preferences, parent, player)
        self.editor = LessonEditor(self)
        self.menu = QMenu(parent)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.lessons_menu = QMenu("Lessons", parent)
        self.lessons_menu.setToolTipsVisible(True)
        self.lessons_menu.aboutToShow.connect(self.fill_lessons)
        self.dock, self._place = self.add_dock("Lesson", "lesson", DOCK_KEY, parent, lambda: self.panel)
        self._keeping = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keeping.timeout.connect(self.keep)
        self._bring_back()
        self.editor.changed.connect(self._follow)
        session.lesson_wanted.connect(self.open_path)

    @cached_property
    def panel(self) -> LessonPanel:
        """The panel with the steps."""
        from explorer.classroom.lesson_panel import LessonPanel

        panel = LessonPanel(self.editor, self._player, self._session, self.menu, declared(LessonController))
        panel.wanted.connect(lambda name: calls(self)[name]())
        panel.list.chosen.connect(lambda _: self.show_step())
        self._place.hold(panel)
        return panel

    # The actions, in the order of the menu

    @action("lesson-choose", "Choose a lesson …", LESSON, "Alt+Shift+L")
    def choose_lesson(self) -> None:
        """Choose one of the lessons that come with the program, or one that was opened before."""
        self.show_panel()
        self.panel.menu_button.showMenu()

    @action("lesson-new", "New lesson", LESSON, "Alt+Shift+N")
    def new(self) -> None:
        """Begin an empty lesson; undo brings the other back."""
        self.show_panel()
        self.editor.new()

    @action("lesson-open", "Open lesson …", LESSON, "Alt+Shift+O")
    def open_dialog(self) -> None:
        """Open a lesson; dropping its file does the same."""
        if path := ask_open(self._parent, self._preferences, "Open lesson", file_kinds.LESSON):
            self.open_path(path)

    @action("lesson-save", "Save lesson", LESSON, "Alt+Shift+S")
    def save(self) -> None:
        """Write the lesson to its file, as Markdown."""
        if self.editor.path is None or self.editor.path in bundled_lessons():
            self.save_as()
        else:
            self.save_to(self.editor.path)

    @action("lesson-save-as", "Save lesson as …", LESSON, "Alt+Shift+W")
    def save_as(self) -> None:
        """Write the lesson to another file."""
        start: Path | str | None = self.editor.path
        if start is None:
            start = f"{file_stem(self.editor.lesson.title) or 'own'}{file_kinds.LESSON.new_suffix}"
        elif start in bundled_lessons():
            start = Path(start).name
        if path := ask_save(self._parent, self._preferences, "Save lesson", start, file_kinds.LESSON):
            self.save_to(path)

    @action("lesson-add", "Add this view to the lesson", LESSON, "Alt+Shift+A", separated=True)
    def add_view(self) -> None:
        """A new step that shows this sentence, stage, selection and these what-ifs and settings again."""
        recorded = self._recorded()
        if recorded is not None:
            self.show_panel()
            self.editor.add(*recorded)
            self._messages.show(f"Step {self.editor.index + 1} of the lesson shows this view")

    @action("lesson-update", "Update the step from this view", LESSON, "Alt+Shift+U")
    def update_step(self) -> None:
        """The chosen step shows what the window shows now; its texts and its question stay."""
        recorded, step = self._recorded(), self.editor.step
        if step is None:
            self._messages.show("no step of the lesson is chosen; add this view to it instead", True)
        elif recorded is not None:
            self.show_panel()
            self.editor.update(updated(step, recorded[0]), "updating a step")
            self._messages.show(f"Step {self.editor.index + 1} of the lesson shows this view")

    @action("lesson-duplicate", "Duplicate step", LESSON, "Alt+Shift+D")
    def duplicate_step(self) -> None:
        """A copy of the chosen step behind it."""
        self._edit_steps(self.editor.duplicate)

    @action("lesson-delete", "Delete step", LESSON, "Alt+Shift+Del")
    def delete_step(self) -> None:
        """Take the chosen step out of the lesson."""
        self._edit_steps(self.editor.delete)

    @action("lesson-up", "Move step up", LESSON, "Alt+Shift+Up")
    def move_up(self) -> None:
        """Put the chosen step before the one above it."""
        self._edit_steps(lambda: self.editor.move(self.editor.index, self.editor.index - 1))

    @action("lesson-down", "Move step down", LESSON, "Alt+Shift+Down")
    def move_down(self) -> None:
        """Put the chosen step behind the one below it."""
        self._edit_steps(lambda: self.editor.move(self.editor.index, self.editor.index + 1))

    @action("lesson-next", "Next step of the lesson", LESSON, "Alt+Shift+PgDown", separated=True)
    def next_step(self) -> None:
        """Show the next step in this window."""
        self.go(self.editor.index + 1)

    @action("lesson-previous", "Previous step of the lesson", LESSON, "Alt+Shift+PgUp")
    def previous_step(self) -> None:
        """Show the step before in this window."""
        self.go(self.editor.index - 1)

    @action("lesson-undo", "Undo in the lesson", LESSON, "Alt+Shift+Z", separated=True)
    def undo(self) -> None:
        """Take the last change of the lesson back; Ctrl+Z does the same while the panel has the focus."""
        self.editor.undo_stack.undo()

    @action("lesson-redo", "Redo in the lesson", LESSON, "Alt+Shift+Y")
    def redo(self) -> None:
        """Make the change again that was taken back."""
        self.editor.undo_stack.redo()

    # Steps

    def show_panel(self) -> None:
        """Show the panel."""
        self.dock.show()
        self.dock.raise_()

    def show_step(self) -> None:
        """Show the chosen step in the window."""
        self._player.go(self.editor.index)

    def go(self, index: int) -> None:
        """Choose a step and show it."""
        if 0 <= index < len(self.editor.lesson.steps):
            self.editor.choose(index)
            self.show_step()

    def _recorded(self) -> tuple[LessonStep, Lesson] | None:
        session = self._session
        try:
            return record_view(session.editor, session.view, session.parses, self.editor.lesson, self.editor.path)
        except LessonError as error:
            self._messages.show_error(error)
            return None

    def _edit_steps(self, change: Callable[[], None]) -> None:
        if self.editor.step is None:
            self._messages.show("no step of the lesson is chosen; choose one in the panel", True)
        else:
            self.show_panel()
            change()

    def _follow(self) -> None:
        """Let the player have the lesson as it is now."""
        editor, player = self.editor, self._player
        if (player.lesson, player.path) != (editor.lesson, editor.path):
            shown = player.step
            player.replace_lesson(editor.lesson, editor.path, editor.index)
            # Texts may be others, but whatever step is chosen is the one that is shown.
            if editor.step is not None and (shown is None or _view(shown) != _view(editor.step)):
                player.go(editor.index)
        self._keeping.start()

    # Files

    def open_path(self, path: Path) -> None:
        """Open a lesson and show its first step; what is wrong with it is told."""
        path = path.absolute()
        try:
            self.editor.open(path)
        except LessonError as error:
            self._messages.show_error(error)
            return
        self._preferences.add_recent("lessons", path)
        self.show_panel()
        problems = check_lesson(self.editor.lesson, path)
        if problems:
            more = f" (and {len(problems) - 1:,} more, marked in the panel)" if len(problems) > 1 else ""
            self._messages.show(problems[0].text(path.name) + more, True)
        else:
            self._messages.show(f"{path.name}: {size(len(self.editor.lesson.steps), 'step')}")
        self.show_step()

    def save_to(self, path: Path) -> None:
        """Write the lesson to a file."""
        path = path.absolute()
        try:
            self.editor.save(path)
        except LessonError as error:
            self._messages.show_error(error)
            return
        self._preferences.add_recent("lessons", path)
        self._messages.show(f"Saved to {path.name}")

    def fill_menu(self) -> None:
        """List what can be done with files, the lessons of the program, and those that were opened last."""
        menu, do = self.menu, calls(self)
        menu.clear()
        for title, name in (
            ("New lesson", "lesson-new"),
            ("Open …", "lesson-open"),
            ("Save", "lesson-save"),
            ("Save as …", "lesson-save-as"),
        ):
            menu.addAction(title, do[name])
        menu.addSeparator()
        for title, name, stack_text in (
            ("Undo", "lesson-undo", self.editor.undo_stack.undoText()),
            ("Redo", "lesson-redo", self.editor.undo_stack.redoText()),
        ):
            menu.addAction(f"{title} {stack_text}".rstrip(), do[name]).setEnabled(bool(stack_text))
        self._add_lessons(menu)

    def fill_lessons(self) -> None:
        """List the lessons of the program and those that were opened last, for the menu of the window."""
        self.lessons_menu.clear()
        self._add_lessons(self.lessons_menu)
        if self.lessons_menu.isEmpty():
            self.lessons_menu.addAction("Nothing yet").setEnabled(False)

    def _add_lessons(self, menu: QMenu) -> None:
        bundled = bundled_lessons()
        recent = [path for path in map(Path, self._preferences.recent("lessons")) if path.is_file()]
        for title, paths in (
            ("Lessons of the program", bundled),
            ("Opened before", [path for path in recent if path not in bundled]),
        ):
            if paths:
                menu.addSeparator()
                menu.addAction(title).setEnabled(False)
            for path in paths:
                entry = menu.addAction(lesson_title(path).replace("&", "&&"), partial(self.open_path, path))
                entry.setToolTip(no_markup(str(path)))

    # Keeping

    def keep(self) -> None:
        """Keep the lesson where it survives a crash, whether it is saved or not."""
        edited, file = self.editor.edited, self._preferences.folder / LAST_LESSON
        try:
            make_private(file.parent)
            save_lesson(moved(edited.lesson, edited.path, file), file)
        except EngineError as error:
            self._messages.show(f"the lesson would not survive a crash: {error}", True)
            return
        self._preferences.keep("lesson/path", str(edited.path or ""))
        self._preferences.write()

    def _bring_back(self) -> None:
        """Show the lesson of the last time in the panel; its steps are shown when one is chosen."""
        file = self._preferences.folder / LAST_LESSON
        if not file.is_file():
            return
        name = self._preferences.text("lesson/path")
        path = Path(name) if name and Path(name).is_file() else None
        try:
            # In a folder of another user it is none of this user's.
            make_private(file.parent)
            kept = read_lesson(file)
            lesson = moved(kept, file, path) if path is not None else moved(kept, file, file)
            saved = read_lesson(path) if path is not None else None
        except (EngineError, OSError, ValueError):
            # Starting matters more.
            return
        self.editor.restore(EditedLesson(lesson, path), saved)
        self._player.replace_lesson(lesson, path, -1)

    def finish(self) -> None:
        """Keep the lesson before the window closes."""
        if self._keeping.isActive():
            self._keeping.stop()
            self.keep()


def _view(step: LessonStep) -> LessonStep:
    """A step without its texts."""
    return replace(step, title="", caption="", notes="", question=None)
