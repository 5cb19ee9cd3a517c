"""What the session has done in its threads, and how it judges what comes back; no Qt but the job itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.model.model import Model
from engine.structure.constraints import Attachment, Constraint, FixedTag, GapTag
from engine.text.input_recognition import is_tree
from explorer.document.document import Document, Line
from explorer.document.input_reading import iterate_lines, read_file
from explorer.document.parse_service import Parsers, Question, best_parse
from explorer.document.sentence_findings import FAILED, Finding, judge
from explorer.document.treebank_reading import Found, read_treebank
from explorer.graphics.pictures.parse_facts import look_up
from explorer.tasks.worker import Job

_PROGRESS_EVERY = 512
_FOUND_AT_ONCE = 20
_FIRST = "a/DT man/NN saw/VBD a/DT dog/NN"


def read_lines(job: Job, file: Path, model: Model | None) -> Found:
    """The sentences or trees of a file of any length, or the trees of a folder."""
    if file.is_dir():
        return read_treebank(job, file)
    job.report(None, f"Reading {file.name}")
    text = read_file(file)
    if is_tree(text):
        return read_treebank(job, file)
    return find_lines(job, text, model, file.name, f"{file}: the file holds no sentence")


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


def find_all(job: Job, model: Model, document: Document) -> dict[str, int]:
    """Parse every sentence; findings are delivered some at a time, the result is how many have which mark."""
    parsers = Parsers()
    counts: dict[str, int] = {}
    found: dict[Line, Finding] = {}
    lines = document.lines
    for number, line in enumerate(lines):
        job.report(number / len(lines), f"Parsing {number + 1:,} of {len(lines):,}")
        question = Question(model, document.settings, line, gold_tags=document.gold_tags)
        found[line] = finding = find(question, parsers, job.control)
        counts[finding.mark] = counts.get(finding.mark, 0) + 1
        if len(found) >= _FOUND_AT_ONCE:
            job.deliver(found)
            found = {}
    job.deliver(found)
    return counts


def load_model(job: Job, name: str) -> Model:
    job.report(None, f"Opening {Path(name).name}")
    model = Model.load(name)
    # A first parse loads the compiled kernels and fills the model's tables, here and not when somebody waits.
    look_up(Parser.preset(model).parse(_FIRST, n_best=2, trace=True))
    return model


def find(question: Question, parsers: Parsers, control: Control) -> Finding:
    """Parse a sentence only to see what becomes of it."""
    try:
        reading, parse = best_parse(question, parsers, control)
    except Cancelled:
        raise
    except EngineError:
        return Finding(FAILED, question.settings)
    return judge(parse, reading.gold)


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
