"""Treebanks into the list: files and folders of any size, read in a worker with progress and cancel."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError, TreeError
from engine.common.text_stream import TextStream
from engine.trees.treebank import treebank_files
from engine.trees.treebank_chunks import chunks_of
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
        stream = TextStream(file)
        items = (item for chunk in chunks_of(stream.blocks(), stream.name) for item in chunk.trees())
        for number, item in enumerate(items, 1):
            if isinstance(item, TreeError):
                found.refused.append(item)
                continue
            found.lines.append(TextLine(item.brackets(), place=f"{file.name}, tree {number}"))
            if number % _PROGRESS_EVERY == 0:
                share = (before + length * (stream.share or 0.0)) / whole
                job.report(share, f"Opening {name}: {size(len(found.lines), 'tree')}")
        before += length
        job.report(before / whole)
    if not found.lines:
        raise found.refused[0] if found.refused else EngineError(f"{source}: there are no trees in it")
    return found
