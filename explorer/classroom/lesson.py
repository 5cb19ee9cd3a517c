"""Lessons: what a teacher shows, step by step, as plain values, and what they need beside themselves; no Qt."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.common.characters import PIECE, readable
from engine.common.errors import EngineError
from engine.common.resources import BUNDLED, named_model, resources_folder
from engine.gate.files import read_beginning
from engine.settings import DEFAULT_PRESET, FULL_DISTANCE, ORDER_ONLY, SETTING_NAMES, Settings
from engine.structure.tagged_sentence import shortened
from explorer.pictures.options import ALL_EDGES as ALL_EDGES
from explorer.pictures.options import PARSE_EDGES as PARSE_EDGES
from explorer.pictures.options import REPLAYS as REPLAYS
from explorer.pictures.options import SURVIVING_EDGES as SURVIVING_EDGES
from explorer.session.document import Document
from explorer.session.view_state import PARSE

# Lessons: what a teacher shows, step by step, as plain values; no Qt.
#
# A lesson is a Markdown file (:mod:`explorer.classroom.lesson_file`).  Its steps name what is shown by the words of
# the sentence, not by numbers, so that a person can write and read them; :mod:`explorer.classroom.references` turns
# such names into what the window selects and forces once the sentence has been read.

FORMAT_VERSION = 1

GOLD_TAGS = "gold_tags"
SWITCHES = {
    **{
        SETTING_NAMES[field].lower(): field
        for field in (
            "punctuation_rule",
            "ignore_tags",
            "tag_distribution",
            "distance",
            "lexical",
            "further_backoff",
            "expected_f1",
        )
    },
    "gold tags": GOLD_TAGS,
}
"""The settings that are switched on or off, by their names on the screen; the last is whether a tree keeps its tags."""
_STRUCTURE = re.compile(r"##?(?:[ \t]|$)|##[^#]|>")
"""Beginnings of a line that make it a heading of the lesson or notes."""
DISTANCES = {True: FULL_DISTANCE, False: ORDER_ONLY}
"""What the switch of the distance stands for."""


class LessonError(EngineError):
    """A lesson that cannot be read or shown: in which file and line, what is wrong, what to write."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the class is asked before the answer is shown.

    Attributes
    ----------
    kind
        The name of one of :data:`explorer.classroom.questions.KINDS`, such as ``head``.
    subject
        What it is about: the word of a gap (the one after it), head or relation as a reference (``the#2``); for
        ``better tree`` the rank of the other tree (``2``) or a what-if that makes it; for ``beam`` the narrower β;
        for ``next edge`` empty.
    text
        The question in the teacher's words; empty for the program's own.
    hint
        What a student is told after a wrong first try; empty for the program's own.
    """

    kind: str
    subject: str = ""
    text: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: a view of a sentence, what is said about it, and perhaps a question.

    Attributes
    ----------
    title
        Its heading.
    sentence
        A sentence as it is typed into the window, or a bracketed tree; empty for the one of the step before.
    model, preset, beam, threshold, switches
        How it is parsed, where that differs from the lesson's; a model by its bundled name or file, the switches by
        their fields, which are those of :data:`SWITCHES`.
    stage
        The name of a stage.
    select
        What is selected, as a reference; empty for nothing.
    what_ifs
        What the parse is made to obey, as references.
    rank
        Which of the n best is shown, from 1.
    chart_step, replay
        How many edges of the chart's replay are shown (``None``: all), and which edges it goes through.
    question
        What the class is asked; ``None`` for no question.
    caption
        What the class reads: Markdown with placeholders in braces, which the program fills in.
    notes
        What the teacher reads.
    line, lines
        The line of the file in which the step begins, 0 if it comes from none, and those of its entries and texts, for
        messages: ``select``, ``caption``, ``notes``.  Of two steps that are alike these may differ.
    """

    title: str
    sentence: str = ""
    model: str = ""
    preset: int | None = None
    beam: float | None = None
    threshold: float | None = None
    switches: tuple[tuple[str, bool], ...] = ()
    stage: str = PARSE
    select: str = ""
    what_ifs: tuple[str, ...] = ()
    rank: int = 1
    chart_step: int | None = None
    replay: str = ALL_EDGES
    question: Question | None = None
    caption: str = ""
    notes: str = ""
    line: int = field(default=0, compare=False)
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    title
        Its first heading.
    model, preset, beam
        What its steps are parsed with, unless they say otherwise; an empty model is the window's own.
    treebank
        A file of trees for training before everyone's eyes, named as seen from the lesson's folder; empty for none.
    about
        What it is about, for whoever chooses a lesson.
    steps
        Its steps.
    lines
        The lines of the file in which its entries stand, for messages.
    """

    title: str
    model: str = ""
    preset: int | None = None
    beam: float | None = None
    treebank: str = ""
    about: str = ""
    steps: tuple[LessonStep, ...] = ()
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)

    def sentence_at(self, index: int) -> str:
        """The sentence of a step: its own, or that of the last step before it that has one."""
        return next((step.sentence for step in reversed(self.steps[: index + 1]) if step.sentence), "")


def step_problem(lesson: Lesson, path: Path | None, index: int, problem: object) -> str:
    """What is wrong with a step, with the lesson's file and where in it the step is."""
    step = lesson.steps[index]
    where = f"step {index + 1}" + (f" (line {step.line})" if step.line else "")
    return f"{path.name if path else lesson.title}, {where}: {problem}"


def tidy_line(text: str) -> str:
    """A text of one line as a lesson file can hold it."""
    return " ".join(PIECE.findall(readable(text)))


def tidy_text(text: str) -> str:
    """A text of several paragraphs as a lesson file can hold it."""
    rows = [readable(row).rstrip() for row in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).strip("\n")


def tidy_caption(text: str) -> str:
    """The same of a text that stands in the file as it is: a space before what would be a heading or notes there.

    In Markdown that space changes nothing.
    """
    return "\n".join(f" {row}" if _STRUCTURE.match(row) else row for row in tidy_text(text).split("\n"))


def plain_title(title: str) -> str:
    """A title where no Markdown is shown, in a list or menu: without the marks of emphasis and code."""
    return re.sub(r"(?<!\\)[*`]", "", title)


def read_beam(text: str) -> float:
    """The beam that a text says; raise :class:`LessonError` if it is none."""
    try:
        beam = math.inf if text in ("∞", "inf") else float(text.replace(",", ""))
    except ValueError:
        beam = math.nan
    if not beam > 1:
        raise LessonError(f"the beam is a number greater than 1 or ∞, not `{shortened(text)}`")
    return beam


# What a lesson needs beside itself: model and treebank, found from its folder, and the settings of a step; no Qt.

LONGEST_NAME = 200
"""Characters of a file's name that a message shows."""
_LONGEST_STEM = 60


def bundled_lessons() -> list[Path]:
    """The lessons that come with the program, in their order."""
    return sorted((resources_folder() / "lessons").glob("*.md"))


def lesson_title(path: Path) -> str:
    """The title of a lesson's file as menus show it, or its name where it has none."""
    try:
        first = read_beginning(path, LONGEST_NAME).partition(b"\n")[0].decode("utf-8-sig", "ignore")
    except (OSError, ValueError):
        first = ""
    return plain_title(tidy_line(first[2:])) if first.startswith("# ") else path.stem


def file_stem(title: str) -> str:
    """What a file about something of this title may be called on any system; empty if nothing is left."""
    return " ".join(re.sub(r"[^\w .–-]+", " ", plain_title(title)).split()).strip(" .")[:_LONGEST_STEM]


def find_model(name: str, lesson: Path | None) -> Path:
    """The file of a model that a lesson names: a bundled one, or one beside the lesson."""
    if name in BUNDLED:
        return named_model(name)
    found = _beside(name, lesson)
    # Of a name that no file can have these say no; Path's own would raise.
    if not os.path.isfile(found):
        known = ", ".join(BUNDLED)
        raise LessonError(
            f"the lesson's model `{_cut(name)}` is not at {_cut(found)}; put it there, or name one of {known}"
        )
    return found


def find_treebank(name: str, lesson: Path | None) -> Path:
    """The treebank that a lesson names."""
    found = _beside(name, lesson)
    if not os.path.exists(found):
        raise LessonError(f"the lesson's treebank `{_cut(name)}` is not at {_cut(found)}; put it there")
    return found


def _cut(name: str | Path) -> str:
    """A name of at most some two lines, its end left out."""
    text = str(name)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def _beside(name: str, lesson: Path | None) -> Path:
    path = Path(os.path.expanduser(name))
    return path if path.is_absolute() or lesson is None else lesson.absolute().parent / path


def step_settings(lesson: Lesson, index: int) -> tuple[int, Settings, bool]:
    """Preset and settings of a step, and whether a tree is parsed with its own tags."""
    step = lesson.steps[index]
    preset = step.preset or lesson.preset or DEFAULT_PRESET
    beam = step.beam if step.beam is not None else lesson.beam
    changes: dict[str, Any] = dict(step.switches)
    gold_tags = bool(changes.pop(GOLD_TAGS, True))
    if "distance" in changes:
        changes["distance"] = DISTANCES[changes["distance"]]
    if beam is not None:
        changes["beam"] = beam
    if step.threshold is not None:
        changes["threshold"] = step.threshold
    return preset, Settings.preset(preset, **changes), gold_tags


def switches_of(document: Document) -> tuple[tuple[str, bool], ...]:
    """The switches of a document that stand otherwise than its preset has them."""
    usual = Settings.preset(document.preset)
    found = []
    for switch in SWITCHES.values():
        if switch == GOLD_TAGS:
            if not document.gold_tags:
                found.append((switch, False))
        elif getattr(document.settings, switch) != getattr(usual, switch):
            own = getattr(document.settings, switch)
            found.append((switch, own == DISTANCES[True] if switch == "distance" else bool(own)))
    return tuple(found)


def model_name(path: str, lesson: Path | None) -> str:
    """What a lesson calls a model: a bundled one by its name, one in or below its folder as seen from there."""
    for name in BUNDLED:
        if path and Path(path) == named_model(name):
            return name
    return _from_folder(Path(path), lesson) if path else ""


def moved(lesson: Lesson, before: Path | None, after: Path) -> Lesson:
    """The lesson for another file: its models and treebank are named so that they are found from there."""

    def renamed(name: str, is_there: Callable[[Path], bool]) -> str:
        if not name or name in BUNDLED:
            return name
        found = _beside(name, before)
        # What is not there stays as it was written: whoever moves the lesson may bring it later.
        return _from_folder(found, after) if is_there(found) else name

    steps = tuple(replace(step, model=renamed(step.model, os.path.isfile)) for step in lesson.steps)
    return replace(
        lesson,
        model=renamed(lesson.model, os.path.isfile),
        treebank=renamed(lesson.treebank, os.path.exists),
        steps=steps,
    )


def _from_folder(path: Path, lesson: Path | None) -> str:
    """A path as seen from a lesson's folder if it lies in it or below, else the whole of it."""
    whole = Path(os.path.normpath(path.absolute()))
    if lesson is not None and whole.is_relative_to(lesson.absolute().parent):
        return whole.relative_to(lesson.absolute().parent).as_posix()
    return str(whole)
