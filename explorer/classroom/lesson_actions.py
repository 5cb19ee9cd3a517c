"""The actions about lessons."""

from __future__ import annotations

from explorer.widgets.action import LESSON, Action

LESSON_ACTIONS: tuple[Action, ...] = (
    Action(
        "lesson-choose",
        "Choose a lesson …",
        LESSON,
        "Alt+Shift+L",
        "Choose one of the lessons that come with the program, or one that was opened before",
    ),
    Action("lesson-new", "New lesson", LESSON, "Alt+Shift+N", "Begin an empty lesson; undo brings the other back"),
    Action("lesson-open", "Open lesson …", LESSON, "Alt+Shift+O", "Open a lesson; dropping its file does the same"),
    Action("lesson-save", "Save lesson", LESSON, "Alt+Shift+S", "Write the lesson to its file, as Markdown"),
    Action("lesson-save-as", "Save lesson as …", LESSON, "Alt+Shift+W", "Write the lesson to another file"),
    Action(
        "lesson-add",
        "Add this view to the lesson",
        LESSON,
        "Alt+Shift+A",
        "A new step that shows this sentence, stage, selection and these what-ifs and settings again",
        separated=True,
    ),
    Action(
        "lesson-update",
        "Update the step from this view",
        LESSON,
        "Alt+Shift+U",
        "The chosen step shows what the window shows now; its texts and its question stay",
    ),
    Action("lesson-duplicate", "Duplicate step", LESSON, "Alt+Shift+D", "A copy of the chosen step behind it"),
    Action("lesson-delete", "Delete step", LESSON, "Alt+Shift+Del", "Take the chosen step out of the lesson"),
    Action("lesson-up", "Move step up", LESSON, "Alt+Shift+Up", "Put the chosen step before the one above it"),
    Action("lesson-down", "Move step down", LESSON, "Alt+Shift+Down", "Put the chosen step behind the one below it"),
    Action(
        "lesson-next",
        "Next step of the lesson",
        LESSON,
        "Alt+Shift+PgDown",
        "Show the next step in this window",
        separated=True,
    ),
    Action(
        "lesson-previous",
        "Previous step of the lesson",
        LESSON,
        "Alt+Shift+PgUp",
        "Show the step before in this window",
    ),
    Action(
        "lesson-undo",
        "Undo in the lesson",
        LESSON,
        "Alt+Shift+Z",
        "Take the last change of the lesson back; Ctrl+Z does the same while the panel has the focus",
        separated=True,
    ),
    Action("lesson-redo", "Redo in the lesson", LESSON, "Alt+Shift+Y", "Make the change again that was taken back"),
)  # fmt: skip
