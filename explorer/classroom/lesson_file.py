"""Lesson files: read a lesson from its Markdown, and write it so that the same lesson comes back; no Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.files import write_whole
from engine.gate.files import read_bytes
from engine.settings import PRESETS
from engine.structure.tagged_sentence import shortened
from explorer.classroom.lesson import (
    ALL_EDGES,
    FORMAT_VERSION,
    REPLAYS,
    SWITCHES,
    Lesson,
    LessonError,
    LessonStep,
    Question,
    find_model,
    find_treebank,
    read_beam,
    tidy_caption,
    tidy_line,
    tidy_text,
)
from explorer.classroom.placeholders import placeholder_problems
from explorer.classroom.questions import kind_named, read_question
from explorer.classroom.references import AnyWords, References
from explorer.stages.stages import STAGES

# Entries: each is declared once; reading, writing, checking, and the table of the manual follow from that.


class Surroundings(NamedTuple):
    """By what an entry is checked: the names in its sentence, and the lesson's file."""

    references: References
    path: Path | None


class Entry(NamedTuple):
    """One entry ``- name: value`` of a lesson or step.

    Attributes
    ----------
    name, meaning
        How a file calls it, and what it says, for the manual.
    read, write
        Makes a value of its text, or raises :class:`LessonError` in words that say what to write; and the reverse.
    usual
        The value that need not be written.
    of
        Its value in a lesson or step, where that is no field of its name.
    several
        Whether it may stand there several times: then its value is a tuple.
    check
        Raises :class:`LessonError` for a value that cannot be shown, as far as that is told without a parse.
    is_text
        Whether it may have placeholders.
    """

    name: str
    meaning: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    usual: object = None
    of: Callable[[Any], Any] | None = None
    several: bool = False
    check: Callable[[Any, Surroundings], object] = lambda value, around: None
    is_text: bool = False

    def values(self, thing: Lesson | LessonStep) -> Sequence[Any]:
        """Its values in a lesson or step that are to be written."""
        found = self.of(thing) if self.of is not None else getattr(thing, field_of(self.name))
        return found if self.several else [] if found in (None, "", self.usual) else [found]


def field_of(name: str) -> str:
    """The field of a lesson or step that an entry is."""
    return {"what-if": "what_ifs"}.get(name, name.replace(" ", "_"))


def _preset(value: str) -> int:
    number = value.strip("()")
    if number not in map(str, PRESETS):
        raise LessonError(f"there is no preset `{shortened(value)}`; write one of {', '.join(map(str, PRESETS))}")
    return int(number)


def _threshold(value: str) -> float:
    try:
        threshold = float(value.replace("−", "-"))
    except ValueError:
        threshold = math.nan
    if not -math.inf < threshold <= 0:
        raise LessonError(f"the threshold is a log probability of at most 0, not `{shortened(value)}`")
    return threshold


def _one_of(names: Sequence[str], what: str, value: str) -> str:
    if value.lower() not in names:
        raise LessonError(f"there is no {what} `{shortened(value)}`; write one of {', '.join(names)}")
    return value.lower()


def _number(least: int, most: int, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 12 and least <= int(value) <= most):
        raise LessonError(f"write a number from {least} to {most:,}, not `{shortened(value)}`")
    return int(value)


def _switch(value: str) -> bool:
    if value.lower() not in ("on", "off"):
        raise LessonError(f"a switch is `on` or `off`, not `{shortened(value)}`")
    return value.lower() == "on"


def _version(value: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value[:9])):
        raise LessonError(f"the format is a number; write `- format: {FORMAT_VERSION}`")
    if int(value[:9]) > FORMAT_VERSION:
        raise LessonError(
            f"the lesson was made with a newer version of Parse Explorer (format {value[:9]}; "
            f"this one reads {FORMAT_VERSION}); install the newer version"
        )
    return int(value[:9])


def _plain_number(number: float) -> str:
    """A beam, or a threshold, as a lesson file has it."""
    return "∞" if math.isinf(number) else repr(float(number)).removesuffix(".0")


def _question_text(question: Question) -> str:
    return kind_named(question.kind).written(question.subject)


def _switched(field: str, step: LessonStep) -> bool | None:
    return dict(step.switches).get(field)


def _asked(field: str, step: LessonStep) -> str:
    return getattr(step.question, field) if step.question is not None else ""


_MODEL = Entry(
    "model",
    "the model of all steps that name no other: `english`, `classroom`, or a file as seen from the folder of the "
    "lesson; without it, the model of the window",
    check=lambda value, around: find_model(value, around.path),
)
_BEAM = Entry("beam", "β of all steps that name no other", read_beam, _plain_number)
LESSON_ENTRIES = (
    Entry("format", f"the version of the format, {FORMAT_VERSION}", _version, of=lambda lesson: FORMAT_VERSION),
    _MODEL,
    Entry("preset", "the preset of all steps that name no other; without it, (5)", _preset),
    _BEAM,
    Entry(
        "treebank",
        "a file of trees as seen from the folder of the lesson, for training before everyone's eyes",
        check=lambda value, around: find_treebank(value, around.path),
    ),
)
_SWITCH_MEANINGS = {
    "comma rule": "`on` or `off`, like all that follow: the settings of these names",
    "gold tags": "whether a bracketed tree is parsed with its own tags; without it, it is",
}
_SWITCH_ENTRIES = tuple(
    Entry(
        name,
        _SWITCH_MEANINGS.get(name, ""),
        _switch,
        lambda on: "on" if on else "off",
        of=partial(_switched, field),
    )
    for name, field in SWITCHES.items()
)
STEP_ENTRIES = (
    Entry(
        "sentence",
        "a sentence as you would type it into the window, or a bracketed tree, which then is the gold tree; without "
        "it, the sentence of the step before",
    ),
    _MODEL._replace(meaning="as above, for this step"),
    Entry("preset", "1 to 5", _preset),
    _BEAM._replace(meaning="β: a number greater than 1, or ∞"),
    Entry(
        "threshold",
        "where the threshold starts: a log probability, such as −60; without it, as the program has it",
        _threshold,
        _plain_number,
    ),
    Entry(
        "stage",
        "the stage that is shown, by the name that [the tour](tour.md#stage-by-stage) tells; without it, `parse`",
        lambda value: _one_of([stage.name for stage in STAGES], "stage", value),
    ),
    Entry(
        "select",
        "what is selected: see the next table",
        check=lambda value, around: around.references.id(value),
    ),
    Entry(
        "what-if",
        "what the parse is made to obey: see below; there may be several",
        several=True,
        check=lambda value, around: around.references.constraint(value),
    ),
    Entry("rank", "which of the n best parses is shown, from 1", partial(_number, 1, 500), usual=1),
    Entry("chart step", "how many edges of the chart are shown; without it, all", partial(_number, 0, 1 << 31)),
    Entry(
        "replay",
        "which edges a replay of the chart goes through: `all`, `survivors`, or those of the `parse`",
        partial(_one_of, REPLAYS, "replay"),
        usual=ALL_EDGES,
    ),
    Entry(
        "question",
        "what the class is asked: see below",
        read_question,
        _question_text,
        check=lambda value, around: kind_named(value.kind).check(value.subject, around.references),
    ),
    Entry("ask", "the question in your own words", of=partial(_asked, "text"), is_text=True),
    Entry("hint", "what a student reads after a wrong first try", of=partial(_asked, "hint"), is_text=True),
    *_SWITCH_ENTRIES,
)
"""All entries, in the order in which the manual lists them."""


def entry_problems(thing: Lesson | LessonStep, around: Surroundings) -> Iterator[tuple[str, int, str]]:
    """What of a lesson or step cannot be shown: in which entry, how many lines below its first, and in words."""
    for entry in LESSON_ENTRIES if isinstance(thing, Lesson) else STEP_ENTRIES:
        for number, value in enumerate(entry.values(thing), 1):
            try:
                entry.check(value, around)
            except LessonError as error:
                yield f"{entry.name} {number}" if entry.several else entry.name, 0, str(error)
            if entry.is_text:
                yield from text_problems(entry.name, value, around)


def text_problems(name: str, text: str, around: Surroundings) -> Iterator[tuple[str, int, str]]:
    """What is wrong with the placeholders of a text."""
    known = None if isinstance(around.references, AnyWords) else around.references
    for offset, message in placeholder_problems(text, known):
        yield name, text.count("\n", 0, offset), message


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
UNTITLED = "Untitled"
"""The title of a lesson or step that has none."""
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


def _values(
    part: _Part, name: str, known: Sequence[Entry], what: str
) -> tuple[dict[str, Any], dict[str, int], list[tuple[int, str]]]:
    """The values of a part's entries, the lines in which they stand, and the rows behind them."""
    entries, rows = _entries(part, name)
    by_name = {entry.name: entry for entry in known}
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    # What is wrong in a newer lesson may be what is new.
    for line, key, text in sorted(entries, key=lambda one: what == "lesson" and one[1] != "format"):
        try:
            if key in values and not (key in by_name and by_name[key].several):
                raise LessonError(f"`{key}` is there twice{' in this step' if what == 'step' else ''}; leave one out")
            if key not in by_name:
                raise LessonError(f"a {what} has no `{shortened(key)}`; it has {', '.join(by_name)}")
            value = by_name[key].read(text)
        except LessonError as error:
            raise LessonError(f"{name}, line {line}: {error}") from error
        if by_name[key].several:
            values[key] = (*values.get(key, ()), value)
            lines[f"{key} {len(values[key])}"] = line
        else:
            values[key] = value
        lines[key] = line
    return values, lines, rows


def _lesson(part: _Part, name: str) -> Lesson:
    values, lines, rows = _values(part, name, LESSON_ENTRIES, "lesson")
    values.pop("format", None)
    about = tidy_caption("\n\n".join(filter(None, _text(rows))))
    return Lesson(part.title, about=about, lines=tuple(lines.items()), **values)


def _step(part: _Part, name: str) -> LessonStep:
    values, lines, rows = _values(part, name, STEP_ENTRIES, "step")
    asked = {key: values.pop(key) for key in [*values] if key in ("ask", "hint")}
    if asked and "question" not in values:
        line = lines[next(iter(asked))]
        raise LessonError(f"{name}, line {line}: there is no question here; add `- question: head of …` or the like")
    if asked:
        values["question"] = replace(values["question"], text=asked.get("ask", ""), hint=asked.get("hint", ""))
    switches = tuple((SWITCHES[key], values.pop(key)) for key in [*values] if key in SWITCHES)
    caption, notes = _text(rows)
    return LessonStep(
        part.title,
        switches=switches,
        caption=caption,
        notes=notes,
        line=part.line,
        lines=(*lines.items(), *_first_lines(rows)),
        **{field_of(key): value for key, value in values.items()},
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


# Write a lesson.


def save_lesson(lesson: Lesson, path: Path) -> None:
    """Write a lesson's file, beside the old one first and then into its place."""
    write_whole(path, lesson_text(lesson).encode(), LessonError)


def lesson_text(lesson: Lesson) -> str:
    """A lesson as Markdown, of which :func:`parse_lesson` makes the same lesson."""
    parts = [_part(1, lesson, LESSON_ENTRIES, lesson.about, "")]
    parts += [_part(2, step, _in_order(step), step.caption, step.notes) for step in lesson.steps]
    return "\n".join(parts)


def _in_order(step: LessonStep) -> Iterator[Entry]:
    """The entries of a step as they are written: its switches, in their own order, beside the other settings."""
    switches = {name: entry for name, entry in zip(SWITCHES.values(), _SWITCH_ENTRIES, strict=True)}
    for entry in STEP_ENTRIES[: -len(_SWITCH_ENTRIES)]:
        if entry.name == "stage":
            yield from (switches[field] for field, _ in step.switches)
        yield entry


def _part(level: int, thing: Lesson | LessonStep, entries: Iterable[Entry], text: str, notes: str) -> str:
    rows = [f"{'#' * level} {tidy_line(thing.title) or UNTITLED}", ""]
    values = ((entry, value) for entry in entries for value in entry.values(thing))
    rows += [f"- {entry.name}: {tidy}" for entry, value in values if (tidy := tidy_line(entry.write(value)))]
    if text := tidy_caption(text):
        rows += ["", *text.split("\n")]
    if notes := tidy_text(notes):
        rows += ["", *(f"> {row}".rstrip() for row in notes.split("\n"))]
    return "\n".join(rows) + "\n"
