"""Treebanks into the list: files and folders of any size, read in a worker with progress and cancel."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError, TreeError
from engine.trees.tree_reading import read_brackets
from engine.trees.treebank import read_text, treebank_files
from explorer.document.document import TextLine
from explorer.graphics.number_text import size
from explorer.tasks.worker import Job

_PROGRESS_EVERY = 64


class LoadedLines(NamedTuple):
    """The sentences of a text or treebank, and why some of it is not among them."""

    lines: list[TextLine]
    refused: list[EngineError]


def read_treebank(job: Job, source: Path) -> LoadedLines:
    """Read all trees of a file or folder; broken ones are left out and reported.

    Raises
    ------
    EngineError
        In one sentence: nothing can be read, or there is not a single tree.
    """
    name = source.name or str(source)
    job.report(0.0, f"Opening {name}")
    files = [Path(file) for file in treebank_files([source])]
    sizes = [file.stat().st_size for file in files]
    whole = sum(sizes) or 1
    found = LoadedLines([], [])
    before = 0
    for file, length in zip(files, sizes, strict=True):
        text = _text(file)
        seen = 0
        for number, item in enumerate(read_brackets(text, str(file)), 1):
            if isinstance(item, TreeError):
                found.refused.append(item)
                continue
            written = item.brackets()
            found.lines.append(TextLine(written, place=f"{file.name}, tree {number}"))
            seen += len(written) + 1
            if number % _PROGRESS_EVERY == 0:
                share = (before + length * min(seen / max(len(text), 1), 1.0)) / whole
                job.report(share, f"Opening {name}: {size(len(found.lines), 'tree')}")
        before += length
        job.report(before / whole)
    if not found.lines:
        raise found.refused[0] if found.refused else EngineError(f"{source}: there are no trees in it")
    return found


def _text(file: Path) -> str:
    text = read_text(file)
    if "\0" in text:
        raise EngineError(f"{file}: this is not a text file; choose a file of bracketed trees")
    return text
