"""What the session has done in its threads, and how it judges what comes back; no Qt but the job itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from engine.constraints import Attachment, Constraint, FixedTag, GapTag
from engine.errors import Cancelled, EngineError
from engine.model import Model
from engine.parse import Parse
from engine.search import Control
from engine.settings import Settings
from explorer.answer import Parsers, Question, bounded
from explorer.document import Line
from explorer.pictures.facts import prepare
from explorer.reading import Reading, iterate_lines, read_file, read_line
from explorer.workers import Job

PARSED, DIFFERS, FRAGMENTS, FAILED = "parsed", "differs from gold", "fragments", "failed"
"""What can become of a sentence."""
_PROGRESS_EVERY = 512
_MARKS_AT_ONCE = 20
_FIRST = "a/DT man/NN saw/VBD a/DT dog/NN"


class Found(NamedTuple):
    """The sentences of a text, and why some of its lines are not among them."""

    lines: list[Line]
    refused: list[EngineError]


def read_lines(job: Job, file: Path, model: Model | None) -> Found:
    """The sentences of a file of any length."""
    job.report(None, f"Reading {file.name}")
    return find_lines(job, read_file(file), model, file.name, f"{file}: the file holds no sentence")


def find_lines(job: Job, text: str, model: Model | None, name: str, nothing: str) -> Found:
    """The sentences of a text of any length; raise :class:`EngineError` that says `nothing` if there are none."""
    found = Found([], [])
    characters = 0
    for line in iterate_lines(text, model, name, found.refused.append):
        found.lines.append(line)
        characters += len(line.text) + 1
        if len(found.lines) % _PROGRESS_EVERY == 0:
            job.report(min(characters / len(text), 1.0))
    if not found.lines:
        raise found.refused[0] if found.refused else EngineError(nothing)
    return found


def mark_all(job: Job, model: Model, settings: Settings, lines: Sequence[Line]) -> dict[str, int]:
    """Parse every sentence; marks are delivered some at a time, the result is how many have which."""
    parsers = Parsers()
    counts: dict[str, int] = {}
    marks: dict[Line, str] = {}
    for number, line in enumerate(lines):
        job.report(number / len(lines), f"Parsing {number + 1:,} of {len(lines):,}")
        marks[line] = mark = mark_of(Question(model, settings, line), parsers, job.control)
        counts[mark] = counts.get(mark, 0) + 1
        if len(marks) >= _MARKS_AT_ONCE:
            job.deliver(marks)
            marks = {}
    job.deliver(marks)
    return counts


def load_model(job: Job, name: str) -> Model:
    job.report(None, f"Opening {Path(name).name}")
    model = Model.load(name)
    # A first parse loads the compiled kernels and fills the model's tables, here and not when somebody waits.
    prepare(model.parser().parse(_FIRST, n_best=2, trace=True))
    return model


def mark_of(question: Question, parsers: Parsers, control: Control) -> str:
    """Parse a sentence only to see what becomes of it."""
    try:
        reading = read_line(question.line.text, question.model)
        parser = parsers.parser(question.model, question.settings)
        sentence = bounded(reading, question.settings)
        return judged(parser.parse(sentence, constraints=question.line.what_ifs, control=control), reading)
    except Cancelled:
        raise
    except EngineError:
        return FAILED


def judged(parse: Parse, reading: Reading) -> str:
    if parse.fallback:
        return FRAGMENTS
    gold = reading.gold
    return DIFFERS if gold is not None and gold.brackets() != parse.tree.brackets() else PARSED


def replaces(new: Constraint, old: Constraint) -> bool:
    """Whether an old what-if is about the very thing that the new one settles."""
    if type(new) is not type(old):
        return False
    if isinstance(new, Attachment) and isinstance(old, Attachment):
        same = new.modifier == old.modifier
        return same and ((not new.forbid and not old.forbid) or new.head == old.head)
    if isinstance(new, GapTag | FixedTag) and isinstance(old, GapTag | FixedTag):
        same = new.position == old.position
        return same and ((not new.forbid and not old.forbid) or new.tag == old.tag)
    return replace(new, forbid=False) == replace(old, forbid=False)


def in_a_sentence(error: Exception) -> str:
    """An error as one sentence; one that is no fault of the user says so."""
    if isinstance(error, EngineError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this sentence under these settings; choose a smaller β"
    return f"something went wrong inside the program ({type(error).__name__}: {error}); please report it"
