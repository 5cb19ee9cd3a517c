"""Lessons in the window: their panel, opening and saving them, recording views, and keeping what is not saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMenu, QWidget

from engine.common.errors import EngineError
from engine.common.markup import no_markup
from engine.common.numbers import size
from explorer.classroom.lesson import (
    NEW_SUFFIX,
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
from explorer.kit.docks import LazyPanel
from explorer.kit.messages import Messages
from explorer.pictures.theme import Theme
from explorer.session.files import make_private
from explorer.session.preferences import Preferences
from explorer.session.session import Session

if TYPE_CHECKING:
    from explorer.classroom.lesson_panel import LessonPanel

DOCK_KEY = "Shift+F2"
KEEP_MS = 800
LAST_LESSON = "last-lesson.md"
_FILES = "Lessons (*.md *.markdown);;All files (*)"


class LessonController(QObject):
    """The part of the classroom that is about lessons.

    Parameters
    ----------
    session
        What is recorded, and where steps are shown.
    player
        Shows the steps in the window.
    preferences
        Where recent lessons are remembered, and what is not saved is kept.
    parent
        The window.
    """

    def __init__(self, session: Session, player: LessonPlayer, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._player = player
        self._preferences = preferences
        self._messages: Messages = session.messages
        self._parent = parent
        self.editor = LessonEditor(self)
        self.menu = QMenu(parent)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.lessons_menu = QMenu("Lessons", parent)
        self.lessons_menu.setToolTipsVisible(True)
        self.lessons_menu.aboutToShow.connect(self.fill_lessons)
        self._place = LazyPanel(lambda: self.panel)
        self.dock = QDockWidget("Lesson", parent)
        self.dock.setObjectName("lesson")
        self.dock.setWidget(self._place)
        self.docks: Sequence[tuple[QDockWidget, str]] = ((self.dock, DOCK_KEY),)
        self._keeping = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keeping.timeout.connect(self.keep)
        self._bring_back()
        self.editor.changed.connect(self._follow)
        session.lesson_wanted.connect(self.open_path)
        parent.installEventFilter(self)

    @cached_property
    def panel(self) -> LessonPanel:
        """The panel with the steps."""
        from explorer.classroom.lesson_panel import LessonPanel

        session = self._session
        panel = LessonPanel(self.editor, self._player, session.parses, session.view, self.menu)
        panel.wanted.connect(lambda name: self.handlers()[name]())
        panel.list.chosen.connect(lambda _: self.show_step())
        self._place.hold(panel)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.classroom.actions` do."""
        editor = self.editor
        return {
            "lesson-choose": self.choose_lesson,
            "lesson-new": self.new,
            "lesson-open": self.open_dialog,
            "lesson-save": self.save,
            "lesson-save-as": self.save_as,
            "lesson-add": self.add_view,
            "lesson-update": self.update_step,
            "lesson-duplicate": partial(self._edit_steps, editor.duplicate),
            "lesson-delete": partial(self._edit_steps, editor.delete),
            "lesson-up": partial(self._edit_steps, lambda: editor.move(editor.index, editor.index - 1)),
            "lesson-down": partial(self._edit_steps, lambda: editor.move(editor.index, editor.index + 1)),
            "lesson-next": lambda: self.go(editor.index + 1),
            "lesson-previous": lambda: self.go(editor.index - 1),
            "lesson-undo": editor.undo_stack.undo,
            "lesson-redo": editor.undo_stack.redo,
        }

    def set_theme(self, theme: Theme) -> None:
        """Nothing here has colours of its own."""

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

    def add_view(self) -> None:
        """Add what the window shows to the lesson."""
        recorded = self._recorded()
        if recorded is not None:
            self.show_panel()
            self.editor.add(*recorded)
            self._messages.show(f"Step {self.editor.index + 1} of the lesson shows this view")

    def update_step(self) -> None:
        """Let the chosen step show what the window shows."""
        recorded, step = self._recorded(), self.editor.step
        if step is None:
            self._messages.show("no step of the lesson is chosen; add this view to it instead", True)
        elif recorded is not None:
            self.show_panel()
            self.editor.update(updated(step, recorded[0]), "updating a step")
            self._messages.show(f"Step {self.editor.index + 1} of the lesson shows this view")

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

    def new(self) -> None:
        """Begin another lesson; the one before comes back with undo."""
        self.show_panel()
        self.editor.new()

    def open_dialog(self) -> None:
        """Ask for a lesson, and open it."""
        name, _ = QFileDialog.getOpenFileName(self._parent, "Open lesson", self._preferences.text("folder"), _FILES)
        if name:
            self.open_path(Path(name))

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

    def save(self) -> None:
        """Write the lesson to its file."""
        if self.editor.path is None or self.editor.path in bundled_lessons():
            self.save_as()
        else:
            self.save_to(self.editor.path)

    def save_as(self) -> None:
        """Ask for a file, and write the lesson to it."""
        folder = self._preferences.text("folder")
        own = self.editor.path
        start = (
            own
            if own is not None and own not in bundled_lessons()
            else Path(folder) / (own.name if own else f"{file_stem(self.editor.lesson.title) or 'own'}{NEW_SUFFIX}")
        )
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save lesson", str(start), _FILES)
        if name:
            path = Path(name)
            self.save_to(path if path.suffix else path.with_name(path.name + NEW_SUFFIX))

    def save_to(self, path: Path) -> None:
        """Write the lesson to a file."""
        path = path.absolute()
        try:
            self.editor.save(path)
        except LessonError as error:
            self._messages.show_error(error)
            return
        self._preferences.add_recent("lessons", path)
        self._preferences.keep("folder", str(path.parent))
        self._messages.show(f"Saved to {path.name}")

    def choose_lesson(self) -> None:
        """Open the list of lessons."""
        self.show_panel()
        self.panel.menu_button.showMenu()

    def fill_menu(self) -> None:
        """List what can be done with files, the lessons of the program, and those that were opened last."""
        menu, do = self.menu, self.handlers()
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the lesson before the window closes."""
        if event.type() == QEvent.Type.Close and self._keeping.isActive():
            self._keeping.stop()
            self.keep()
        return super().eventFilter(watched, event)


def _view(step: LessonStep) -> LessonStep:
    """A step without its texts."""
    return replace(step, title="", caption="", notes="", question=None)
