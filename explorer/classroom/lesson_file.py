"""Read a lesson from its Markdown file, and write it so that the same lesson comes back; no Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.files import write_whole
from engine.gate.files import read_bytes
from engine.settings import PRESETS
from engine.structure.tagged_sentence import shortened
from explorer.classroom.lesson import (
    ALL_EDGES,
    BEAM,
    BETTER_TREE,
    FORMAT_VERSION,
    GAP,
    HEAD,
    NEXT_EDGE,
    QUESTION_KINDS,
    RELATION,
    REPLAYS,
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

# Read a lesson from its Markdown file; every mistake is one sentence with file and line, and what to write.
#
# ::
#
#     # Where does *with* go?
#
#     - format: 1
#     - model: classroom
#     - preset: 3
#
#     What the lesson is about.
#
#     ## A man, a telescope
#
#     - sentence: I/PRP saw/VBD the/DT man/NN with/IN the/DT telescope/NN
#     - stage: parse
#     - select: arrow of with
#     - question: head of with
#     - ask: Which word does *with* modify?
#
#     The caption, which the class reads: F̂ = {F̂ of with}.
#
#     > Notes, which the teacher reads.

LONGEST_FILE = 4_000_000
"""Bytes; no lesson is so long, and whatever is longer is something else."""
_KIND = f"a lesson (more than {LONGEST_FILE:,} bytes)"
MOST_STEPS = 1000
LESSON_ENTRIES = ("format", "model", "preset", "beam", "treebank")
_HEADING = re.compile(r"(##?)(?:[ \t]+(.*))?$")
_ENTRY = re.compile(r"-[ \t]+([A-Za-z][A-Za-z -]*):(?:[ \t]+(.*))?$")


class _Part(NamedTuple):
    """A heading with all that stands below it."""

    level: int
    title: str
    line: int
    rows: list[tuple[int, str]]


def read_lesson(path: Path) -> Lesson:
    """Read a lesson's file."""
    return lesson_of_bytes(read_bytes(path, LONGEST_FILE, _KIND, LessonError), str(path))


def lesson_of_bytes(content: bytes, name: str) -> Lesson:
    """Read a lesson from the bytes of its file; `name` stands in messages."""
    if len(content) > LONGEST_FILE:
        raise LessonError(f"{name}: this is too long for {_KIND}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise LessonError(f"{name}, line {line}: the file is not UTF-8; save it as UTF-8") from error
    return parse_lesson(text, name)


def parse_lesson(text: str, name: str = "lesson") -> Lesson:
    """Read a lesson from text; `name` stands in messages."""
    parts = _parts(text, name)
    first = next(parts, None)
    if first is None or first.level != 1:
        raise LessonError(f"{name}, line 1: a lesson begins with its title; write `# The title`")
    # Before anything else: what is wrong in a newer lesson may be what is new.
    lesson = _lesson(first, name)
    steps: list[LessonStep] = []
    for part in parts:
        if len(steps) == MOST_STEPS:
            raise LessonError(f"{name}, line {part.line}: a lesson has at most {MOST_STEPS:,} steps; cut it in two")
        steps.append(_step(part, name))
    if steps and not steps[0].sentence:
        raise LessonError(
            f"{name}, line {steps[0].line}: the first step has no sentence; write `- sentence: …` below its heading"
        )
    return replace(lesson, steps=tuple(steps))


def _parts(text: str, name: str) -> Iterator[_Part]:
    """Cut the text at its headings."""
    part: _Part | None = None
    for number, row in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        heading = _HEADING.match(row)
        if heading is not None:
            level, title = len(heading[1]), tidy_line(heading[2] or "")
            if not title:
                raise LessonError(f"{name}, line {number}: the heading is empty; write a title behind the #")
            if level == 1 and part is not None:
                raise LessonError(
                    f"{name}, line {number}: a lesson has one title; write ## for a step, or a space before # in a text"
                )
            if part is not None:
                yield part
            part = _Part(level, title, number, [])
        elif row.startswith("##") and not row.startswith("###"):
            raise LessonError(
                f"{name}, line {number}: write a space behind the ## of a heading, or one before it in a text"
            )
        elif part is not None:
            part.rows.append((number, row))
        elif row.strip():
            raise LessonError(f"{name}, line {number}: a lesson begins with its title; write `# The title`")
    if part is not None:
        yield part


def _entries(part: _Part, name: str) -> tuple[list[tuple[int, str, str]], list[tuple[int, str]]]:
    """The entries `- key: value` at the head of a part, and the rows behind them."""
    entries: list[tuple[int, str, str]] = []
    rows = iter(part.rows)
    rest: list[tuple[int, str]] = []
    for number, row in rows:
        if not row.strip():
            if entries:
                break
            continue
        found = _ENTRY.match(row)
        if found is None:
            if row.startswith("- ") and not entries:
                raise LessonError(f"{name}, line {number}: `{shortened(row)}` is no entry; write `- key: value`")
            if entries:
                raise LessonError(f"{name}, line {number}: leave an empty line between the entries and the text")
            rest.append((number, row))
            break
        value = tidy_line(found.group(2) or "")
        if not value:
            raise LessonError(f"{name}, line {number}: `{found.group(1)}` has no value; write one or leave it out")
        entries.append((number, found.group(1).strip().lower(), value))
    return entries, [*rest, *rows]


def _lesson(part: _Part, name: str) -> Lesson:
    entries, rows = _entries(part, name)
    values: dict[str, Any] = {}
    for line, key, value in entries:
        if key == "format":
            _check_version(value, name, line)
    for line, key, value in entries:
        if key in values:
            raise LessonError(f"{name}, line {line}: `{key}` is there twice; leave one out")
        match key:
            case "format":
                values[key] = value
            case "model" | "treebank":
                values[key] = value
            case "preset" | "beam":
                values[key] = _READERS[key](value, name, line)
            case _:
                known = ", ".join(LESSON_ENTRIES)
                raise LessonError(f"{name}, line {line}: a lesson has no `{shortened(key)}`; it has {known}")
    values.pop("format", None)
    about, notes = _text(rows)
    lines = tuple((key, line) for line, key, _ in entries)
    return Lesson(part.title, about=tidy_caption("\n\n".join(filter(None, (about, notes)))), lines=lines, **values)


def _check_version(value: str, name: str, line: int) -> None:
    if not (value.isascii() and value.isdigit() and int(value[:9])):
        raise LessonError(f"{name}, line {line}: the format is a number; write `- format: {FORMAT_VERSION}`")
    if int(value[:9]) > FORMAT_VERSION:
        raise LessonError(
            f"{name}, line {line}: the lesson was made with a newer version of Parse Explorer (format {value[:9]}; "
            f"this one reads {FORMAT_VERSION}); install the newer version"
        )


def _step(part: _Part, name: str) -> LessonStep:
    entries, rows = _entries(part, name)
    values: dict[str, Any] = {}
    what_ifs: list[str] = []
    switches: dict[str, bool] = {}
    question: Question | None = None
    asked: dict[str, tuple[int, str]] = {}
    lines = [(key, line) for line, key, _ in entries]
    for line, key, value in entries:
        if key in values or key in switches or key in asked or (key == "question" and question is not None):
            raise LessonError(f"{name}, line {line}: `{key}` is there twice in this step; leave one out")
        if key == "what-if":
            what_ifs.append(value)
            lines.append((f"what-if {len(what_ifs)}", line))
        elif key in ("ask", "hint"):
            asked[key] = (line, value)
        elif key == "question":
            question = _question(value, name, line)
        elif key in SWITCHES:
            switches[key] = _switch(value, name, line)
        elif key in _READERS:
            values[key] = _READERS[key](value, name, line)
        else:
            known = ", ".join(STEP_ENTRIES)
            raise LessonError(f"{name}, line {line}: a step has no `{shortened(key)}`; it has {known}")
    if asked and question is None:
        line, _ = next(iter(asked.values()))
        raise LessonError(f"{name}, line {line}: there is no question here; add `- question: head of …` or the like")
    if question is not None:
        texts = {key: value for key, (_, value) in asked.items()}
        question = replace(question, text=texts.get("ask", ""), hint=texts.get("hint", ""))
    caption, notes = _text(rows)
    return LessonStep(
        part.title,
        switches=tuple((SWITCHES[key], on) for key, on in switches.items()),
        what_ifs=tuple(what_ifs),
        question=question,
        caption=caption,
        notes=notes,
        line=part.line,
        lines=(*lines, *_first_lines(rows)),
        **{key.replace(" ", "_"): value for key, value in values.items()},
    )


def _text(rows: list[tuple[int, str]]) -> tuple[str, str]:
    """Caption and notes: quoted paragraphs are notes, and an empty row between two of them belongs to neither."""
    caption: list[str] = []
    notes: list[str] = []
    for _, row in rows:
        if row.startswith(">"):
            notes.append(row[1:].removeprefix(" "))
        else:
            caption.append(row)
    return tidy_caption("\n".join(caption)), tidy_text("\n".join(notes))


def _first_lines(rows: list[tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """In which lines caption and notes begin."""
    seen: set[str] = set()
    for number, row in rows:
        kind = "notes" if row.startswith(">") else "caption"
        if row.strip(" \t>") and kind not in seen:
            seen.add(kind)
            yield kind, number


def _question(value: str, name: str, line: int) -> Question:
    lower = value.lower()
    kind = next((each for each in QUESTION_KINDS if lower == each or lower.startswith(each + " ")), "")
    subject = value[len(kind) :].strip(" ")
    # "gap before the", "head of with", "better tree than 2": the little words are for whoever reads the file.
    for word in {GAP: ("before",), HEAD: ("of",), RELATION: ("of",), BETTER_TREE: ("than",)}.get(kind, ()):
        if subject.lower().startswith(word + " "):
            subject = subject[len(word) :].strip(" ")
    good = bool(kind) and (bool(subject) or kind in (BETTER_TREE, NEXT_EDGE)) and not (kind == NEXT_EDGE and subject)
    if good and kind == BEAM:
        _beam(subject, name, line)
    if not good:
        raise LessonError(
            f"{name}, line {line}: `{shortened(value)}` is no question; write `gap before WORD`, `head of WORD`, "
            "`relation of WORD`, `better tree than 2`, `beam 20` or `next edge`"
        )
    return Question(kind, subject or ("2" if kind == BETTER_TREE else ""))


def _switch(value: str, name: str, line: int) -> bool:
    if value.lower() not in ("on", "off"):
        raise LessonError(f"{name}, line {line}: a switch is `on` or `off`, not `{shortened(value)}`")
    return value.lower() == "on"


def _verbatim(value: str, name: str, line: int) -> str:
    return value


def _preset(value: str, name: str, line: int) -> int:
    number = value.strip("()")
    if number not in map(str, PRESETS):
        known = ", ".join(map(str, PRESETS))
        raise LessonError(f"{name}, line {line}: there is no preset `{shortened(value)}`; write one of {known}")
    return int(number)


def _beam(value: str, name: str, line: int) -> float:
    try:
        beam = math.inf if value in ("∞", "inf") else float(value.replace(",", ""))
    except ValueError:
        beam = math.nan
    if not beam > 1:
        raise LessonError(f"{name}, line {line}: the beam is a number greater than 1 or ∞, not `{shortened(value)}`")
    return beam


def _threshold(value: str, name: str, line: int) -> float:
    try:
        threshold = float(value.replace("−", "-"))
    except ValueError:
        threshold = math.nan
    if not -math.inf < threshold <= 0:
        raise LessonError(
            f"{name}, line {line}: the threshold is a log probability of at most 0, not `{shortened(value)}`"
        )
    return threshold


def _stage(value: str, name: str, line: int) -> int:
    if value.lower() not in STAGE_NAMES:
        raise LessonError(
            f"{name}, line {line}: there is no stage `{shortened(value)}`; write one of {', '.join(STAGE_NAMES)}"
        )
    return STAGE_NAMES.index(value.lower())


def _number(least: int, most: int) -> Callable[[str, str, int], int]:
    def read(value: str, name: str, line: int) -> int:
        if not (value.isascii() and value.isdigit() and len(value) <= 12 and least <= int(value) <= most):
            raise LessonError(f"{name}, line {line}: write a number from {least} to {most:,}, not `{shortened(value)}`")
        return int(value)

    return read


def _replay(value: str, name: str, line: int) -> str:
    if value.lower() not in REPLAYS:
        raise LessonError(
            f"{name}, line {line}: there is no replay `{shortened(value)}`; write one of {', '.join(REPLAYS)}"
        )
    return value.lower()


_READERS: dict[str, Callable[[str, str, int], Any]] = {
    "sentence": _verbatim,
    "model": _verbatim,
    "preset": _preset,
    "beam": _beam,
    "threshold": _threshold,
    "stage": _stage,
    "select": _verbatim,
    "rank": _number(1, 500),
    "chart step": _number(0, 1 << 31),
    "replay": _replay,
}
"""Reads the value of each entry of a step that stands there at most once."""
STEP_ENTRIES = (
    *("sentence", "model", "preset", "beam", "threshold", "stage", "select", "what-if", "rank", "chart step", "replay"),
    *("question", "ask", "hint", *SWITCHES),
)
"""All entries, in the order in which the manual lists them; what-ifs, questions and switches are read on their own."""


# Write a lesson as the Markdown that :mod:`explorer.classroom.lesson_file` reads: the same lesson comes back.

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
    parts += [_part(2, step.title, _written_entries(step), step.caption, step.notes) for step in lesson.steps]
    return "\n".join(parts)


def _written_entries(step: LessonStep) -> list[tuple[str, str]]:
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
