"""Files of every format that the program has had, and what those of today are made of.

`python -m tests.kept.layouts` writes down what today's formats are made of (``layouts.json``), and keeps a file of each
format whose number is new.
"""

from __future__ import annotations

import gzip
import json
import shutil
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import engine
from engine.gate import array_file
from engine.rerank.generative import GENERATIVE_FORMAT
from engine.rerank.reranker import RERANKER_FORMAT
from engine.structure.constraints import Attachment, BaseSpan, Bracket, FixedTag, GapTag
from engine.structure.dependencies import Relation
from engine.study import journal
from engine.study.parseval import Summary
from engine.tagger.tagger import TAGGER_FORMAT
from engine.trees.treebank import read_treebank
from explorer.classroom import answers, lesson, lesson_file, questions
from explorer.session import document, files
from tests.trained import CLASSROOM, reranked_file

KEPT = Path(__file__).parent
LAYOUTS = KEPT / "layouts.json"
FEW_TREES = 3
DOCUMENT = document.Document(
    "/models/classroom.model",
    3,
    engine.Settings.preset(3, beam=500.0),
    (
        document.TextLine(
            "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
            (
                GapTag(1, "S"),
                FixedTag(1, "VBD", True),
                Attachment(4, 1, Relation("PP", "VP", "VBD")),
                BaseSpan(2, 4),
                Bracket(1, 7, "VP"),
            ),
            "trees.ptb, tree 1",
        ),
        document.TextLine("John left early ."),
        document.TextLine("(S (NP (NNP Mary)) (VP (VBD left)))"),
    ),
    1,
    False,
)
"""What the kept sessions hold."""
RESULT = answers.ExerciseResult(
    "Ada Student",
    "A first lesson",
    "ab" * 32,
    "2024-05-06T10:00:00+02:00",
    (answers.Answered(1, "Heads", "head", "What is the head?", ("saw", "man"), "saw", "gold tree", 1),),
)
"""What the kept results hold."""
MEASURED = {"program": "a", "treebank": "b", "settings": {"beam": 20}}
BEGUN = {"program": "a", "treebank": "b", "settings": {"beam": 30}}
"""What the kept journals hold: one result, and a note of one that was begun."""


class Format(NamedTuple):
    """A format: its number, and what the files are called that are kept of it; nothing where they would be large."""

    number: int
    kept: str = ""
    suffix: str = ""

    @property
    def file(self) -> Path:
        """The kept file of today's number."""
        return KEPT / f"{self.kept}-{self.number}{self.suffix}"


FORMATS = {
    "session": Format(document.VERSION, "session", ".json"),
    "exercise result": Format(answers.VERSION, "result", ".json"),
    "journal": Format(journal.VERSION, "journal", ".jsonl"),
    "lesson": Format(lesson.FORMAT_VERSION, "lesson", ".lesson.md"),
    "model": Format(array_file.MODEL_FORMAT, "model", ".model.gz"),
    "re-ranker": Format(RERANKER_FORMAT),
    "second model": Format(GENERATIVE_FORMAT),
    "tagger": Format(TAGGER_FORMAT),
}
PARTS = {"re-ranker": "reranker", "second model": "generative", "tagger": "tagger"}
"""Parts of models, each with a number of its own, and what their arrays and values begin with."""


def shape(value: Any, path: str = "") -> Iterator[str]:
    """What a JSON value is made of: every path in it, with the kind of what stands there."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from shape(one, f"{path}.{name}")
    elif isinstance(value, list):
        for one in value:
            yield from shape(one, f"{path}[]")
    else:
        yield f"{path}: {type(value).__name__}"


def header(content: bytes) -> dict[str, Any]:
    """The header of a model file."""
    length = struct.unpack("<II", content[8:16])[0]
    found: dict[str, Any] = json.loads(content[16 : 16 + length])
    return found


def written(name: str, folder: Path) -> Path:
    """A file of today's format."""
    path = folder / FORMATS[name].file.name
    match name:
        case "session":
            files.save_session(files.StoredSession(DOCUMENT, "chart"), path)
        case "exercise result":
            answers.save_result(RESULT, path)
        case "journal":
            made = journal.Journal(path)
            made.keep(MEASURED, {"correct": 3, "of": 4})
            counts = {field.name: 2 for field in fields(Summary)}
            made.note(
                journal.BEGUN,
                BEGUN,
                {"done": 2, "sums": {"all": {"summary": counts, "fallback": 0, "seconds": 1.5}}},
            )
        case "lesson":
            made_lesson = lesson_file.parse_lesson((KEPT / "lesson-1.lesson.md").read_text())
            lesson_file.save_lesson(made_lesson, path)
        case "model":
            trees = list(read_treebank([CLASSROOM]))[:FEW_TREES]
            engine.train(trees).save(folder / "a.model")
            path.write_bytes(gzip.compress((folder / "a.model").read_bytes(), mtime=0))
        case _:
            return reranked_file()
    return path


def layout(name: str, file: Path) -> list[str]:
    """What a format is made of, by one of its files and by what the program can read."""
    match name:
        case "journal":
            found = [one for line in file.read_text().splitlines() for one in shape(json.loads(line))]
        case "lesson":
            entries = (*lesson_file.LESSON_ENTRIES, *lesson_file.STEP_ENTRIES)
            found = [f"entry {entry.name}" for entry in entries] + [f"question {kind.form}" for kind in questions.KINDS]
        case "model":
            stored = header(gzip.decompress(file.read_bytes()))
            found = [
                f"array {array}: {about['type']}, {len(about['shape'])}" for array, about in stored["arrays"].items()
            ]
            # Of what is told of the training, names and numbers differ from model to model.
            parts = ((part, one) for part, value in stored["metadata"].items() for one in shape({part: value}))
            found += [one for part, one in parts if part not in ("about", "head_rules")]
            found += [f"header {one}" for one in stored]
        case "re-ranker" | "second model" | "tagger":
            stored, part = header(file.read_bytes()), PARTS[name]
            found = [
                f"array {array}: {about['type']}" for array, about in stored["arrays"].items() if array.startswith(part)
            ]
            found += shape({part: stored["metadata"][part]})
        case _:
            found = list(shape(json.loads(file.read_text())))
    return sorted(set(found))


def main() -> None:
    """Write down what today's formats are made of, and keep a file of each number that is new."""
    layouts: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, form in FORMATS.items():
            made = written(name, Path(folder))
            if form.kept and not form.file.exists():
                shutil.copy(made, form.file)
            layouts[name] = {"number": form.number, "layout": layout(name, made)}
    LAYOUTS.write_text(json.dumps(layouts, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
