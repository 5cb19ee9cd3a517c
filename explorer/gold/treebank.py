"""Treebanks into the list: files and folders of any size, read in a worker with progress and cancel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError, TreeError
from engine.treebank import BadTrees, read_text, treebank_files
from engine.trees import read_brackets
from explorer.document import Line
from explorer.wording import size
from explorer.workers import Job

_PROGRESS_EVERY = 64
_SHORTEST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found in a treebank.

    Attributes
    ----------
    name
        What to call it.
    lines
        Its trees as sentences of the list, each with its place.
    said
        How many trees there are and what was left out, in a sentence.
    incomplete
        Whether anything was left out.
    """

    name: str
    lines: list[Line]
    said: str
    incomplete: bool


def read_treebank(job: Job, sources: Sequence[Path]) -> Opened:
    """Read all trees of files and folders; broken ones are left out and counted.

    Raises
    ------
    EngineError
        In one sentence: nothing can be read, or there is not a single tree.
    """
    name = sources[0].name or str(sources[0])
    job.report(0.0, f"Opening {name}")
    files = [Path(file) for file in treebank_files(sources)]
    sizes = [file.stat().st_size for file in files]
    whole = sum(sizes) or 1
    bad = BadTrees()
    lines: list[Line] = []
    before = 0
    for file, length in zip(files, sizes, strict=True):
        text = _text(file)
        seen = 0
        for number, item in enumerate(read_brackets(text, str(file)), 1):
            if isinstance(item, TreeError):
                bad(item)
                continue
            written = item.brackets()
            lines.append(Line(written, place=f"{file.name}, tree {number}"))
            seen += len(written) + 1
            if number % _PROGRESS_EVERY == 0:
                share = (before + length * min(seen / max(len(text), 1), 1.0)) / whole
                job.report(max(share, _SHORTEST_SHARE), f"Opening {name}: {size(len(lines), 'tree')}")
        before += length
        job.report(before / whole)
    if not lines:
        if bad.first is not None:
            raise EngineError(f"{bad.first}; the file holds no tree that can be read")
        raise EngineError(f"{sources[0]}: there is no tree in it; choose a file of bracketed trees")
    said = f"{size(len(lines), 'tree')} from {name}"
    if len(bad):
        were = "was" if len(bad) == 1 else "were"
        said += f"; {size(len(bad), 'broken tree')} {were} left out, the first: {bad.first}"
    return Opened(name, lines, said, bool(len(bad)))


def _text(file: Path) -> str:
    text = read_text(file)
    if "\0" in text:
        raise EngineError(f"{file}: this is no text file; choose a file of bracketed trees")
    return text
