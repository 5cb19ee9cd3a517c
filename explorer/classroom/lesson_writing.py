"""Write a lesson as the Markdown that :mod:`explorer.classroom.lesson_reading` reads: the same lesson comes back."""

from __future__ import annotations

import math
from pathlib import Path

from engine.common.files import write_whole
from explorer.classroom.lesson import (
    ALL_EDGES,
    BETTER_TREE,
    FORMAT_VERSION,
    GAP,
    HEAD,
    RELATION,
    STAGE_NAMES,
    SWITCHES,
    Lesson,
    LessonError,
    LessonStep,
    Question,
    tidy_caption,
    tidy_line,
    tidy_text,
)

_BETWEEN = {GAP: "before ", HEAD: "of ", RELATION: "of ", BETTER_TREE: "than "}
"""The little words between a kind of question and what it is about."""
_SWITCH_NAMES = {field: name for name, field in SWITCHES.items()}
UNTITLED = "Untitled"
"""The title of a lesson or step that has none."""


def save_lesson(lesson: Lesson, path: Path) -> None:
    """Write a lesson's file, beside the old one first and then into its place."""
    write_whole(path, lesson_text(lesson).encode(), LessonError)


def lesson_text(lesson: Lesson) -> str:
    """A lesson as Markdown."""
    entries = [("format", str(FORMAT_VERSION)), ("model", lesson.model)]
    if lesson.preset is not None:
        entries.append(("preset", str(lesson.preset)))
    if lesson.beam is not None:
        entries.append(("beam", beam_text(lesson.beam)))
    entries.append(("treebank", lesson.treebank))
    parts = [_part(1, lesson.title, entries, lesson.about, "")]
    parts += [_part(2, step.title, _entries(step), step.caption, step.notes) for step in lesson.steps]
    return "\n".join(parts)


def _entries(step: LessonStep) -> list[tuple[str, str]]:
    entries = [("sentence", step.sentence), ("model", step.model)]
    if step.preset is not None:
        entries.append(("preset", str(step.preset)))
    if step.beam is not None:
        entries.append(("beam", beam_text(step.beam)))
    if step.threshold is not None:
        entries.append(("threshold", beam_text(step.threshold)))
    entries += [(_SWITCH_NAMES[field], "on" if on else "off") for field, on in step.switches]
    entries += [("stage", STAGE_NAMES[step.stage]), ("select", step.select)]
    entries += [("what-if", what_if) for what_if in step.what_ifs]
    if step.rank > 1:
        entries.append(("rank", str(step.rank)))
    if step.chart_step is not None:
        entries.append(("chart step", str(step.chart_step)))
    if step.replay != ALL_EDGES:
        entries.append(("replay", step.replay))
    if step.question is not None:
        entries.append(("question", question_text(step.question)))
        entries += [("ask", step.question.text), ("hint", step.question.hint)]
    return entries


def question_text(question: Question) -> str:
    """A question as a lesson file has it: ``head of with``."""
    return f"{question.kind} {_BETWEEN.get(question.kind, '')}{question.subject}".strip(" ")


def beam_text(beam: float) -> str:
    """A beam, or a threshold, as a lesson file has it."""
    return "∞" if math.isinf(beam) else repr(float(beam)).removesuffix(".0")


def _part(level: int, title: str, entries: list[tuple[str, str]], text: str, notes: str) -> str:
    rows = [f"{'#' * level} {tidy_line(title) or UNTITLED}", ""]
    rows += [f"- {key}: {tidy}" for key, value in entries if (tidy := tidy_line(value))]
    if text := tidy_caption(text):
        rows += ["", *text.split("\n")]
    if notes := tidy_text(notes):
        rows += ["", *(f"> {row}".rstrip() for row in notes.split("\n"))]
    return "\n".join(rows) + "\n"
