"""The fields of the lesson panel: texts of several lines, and what a new question is about."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from explorer.classroom.lesson import BEAM, BETTER_TREE, GAP, HEAD, NEXT_EDGE, RELATION, LessonStep, tidy_line
from explorer.widgets.fields import Field

KINDS = {
    "": "no question",
    GAP: "the gap before …",
    HEAD: "the head of …",
    RELATION: "the relation of …",
    BETTER_TREE: "better tree than …",
    BEAM: "what falls at β = …",
    NEXT_EDGE: "the chart's next edge",
}
"""What the panel calls each kind of question; the first is none."""
_FIRST_SUBJECTS = {BETTER_TREE: "2", BEAM: "20", NEXT_EDGE: ""}
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


def first_subject(step: LessonStep, kind: str) -> str:
    """What a new question is about: the word of what is selected, or the second word."""
    if kind in _FIRST_SUBJECTS:
        return _FIRST_SUBJECTS[kind]
    mark = "gap before " if kind == GAP else "arrow of "
    for beginning in (mark, "word ", "arrow of ", "gap before "):
        if step.select.startswith(beginning):
            return step.select.removeprefix(beginning)
    return "#2"
