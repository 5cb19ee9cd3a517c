"""Lessons: what a teacher shows, step by step, as plain values; no Qt.

A lesson is a Markdown file (:mod:`explorer.classroom.lesson_reading`).  Its steps name what is shown by the words of
the sentence, not by numbers, so that a person can write and read them; :mod:`explorer.classroom.references` turns such
names into what the window selects and forces once the sentence has been read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.common.characters import PIECE, readable
from engine.common.errors import EngineError
from engine.settings import FULL_DISTANCE, ORDER_ONLY, SETTING_NAMES
from explorer.document.stage_navigation import PARSE
from explorer.graphics.pictures.picture_options import ALL_EDGES as ALL_EDGES
from explorer.graphics.pictures.picture_options import PARSE_EDGES as PARSE_EDGES
from explorer.graphics.pictures.picture_options import REPLAYS as REPLAYS
from explorer.graphics.pictures.picture_options import SURVIVING_EDGES as SURVIVING_EDGES

FORMAT_VERSION = 1
SUFFIX = ".md"
NEW_SUFFIX = f".lesson{SUFFIX}"
"""What a new lesson's file is offered to end in: desktops know it by that, and other programs that it is Markdown."""
STAGE_NAMES = ("sentence", "gaps", "reduced", "estimates", "chart", "parse")
"""What a lesson file calls the six stages, in their order."""

GAP, HEAD, RELATION, BETTER_TREE, BEAM, NEXT_EDGE = "gap", "head", "relation", "better tree", "beam", "next edge"
QUESTION_KINDS = (GAP, HEAD, RELATION, BETTER_TREE, BEAM, NEXT_EDGE)

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
        One of :data:`QUESTION_KINDS`: the tag of a gap, the head of a word, the relation of a word with its head, the
        better of two trees, what falls under a narrower beam, or the chart's next edge.
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
        One of the six stages.
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
    stage: int = PARSE
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
