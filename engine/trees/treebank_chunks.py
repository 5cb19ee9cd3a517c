"""Treebank files in chunks, cut between trees, so that several processes can read one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.trees.treebank import STANDARD_INPUT, read_text

CHUNK_BYTES = 1 << 18
"""Bytes of a chunk, about: a quarter of a second's work."""
_BLOCK = 1 << 22
_OPEN, _CLOSE, _LINE_FEED = b"()\n"


class TreebankChunk(NamedTuple):
    """A run of whole trees of one file.

    Attributes
    ----------
    data
        The text in UTF-8, with line feeds for line ends.
    name
        What to call the file in an error.
    first_line
        Number of the chunk's first line in the file.
    """

    data: bytes
    name: str
    first_line: int


class ChunkBundle(NamedTuple):
    """Chunks that are read together, and the share of all files that is read with them."""

    chunks: tuple[TreebankChunk, ...]
    share: float


def chunk_bundles(files: Sequence[Path | str], size: int = CHUNK_BYTES) -> Iterator[ChunkBundle]:
    """Cut files into bundles of at least `size` bytes; small files share one."""
    sizes = [Path(file).stat().st_size if file != STANDARD_INPUT and Path(file).is_file() else 0 for file in files]
    total = max(sum(sizes), 1)
    before = 0
    chunks: list[TreebankChunk] = []
    filled = 0
    for file, weight in zip(files, sizes, strict=True):
        name = "standard input" if file == STANDARD_INPUT else str(file)
        data = read_text(file).encode()
        line = 1
        for start, end in cuts(data, size):
            chunk = TreebankChunk(data[start:end], name, line)
            line += chunk.data.count(b"\n")
            chunks.append(chunk)
            filled += end - start
            if filled >= size:
                yield ChunkBundle(tuple(chunks), (before + weight * end / len(data)) / total)
                chunks, filled = [], 0
        before += weight
    if chunks:
        yield ChunkBundle(tuple(chunks), 1.0)


def cuts(data: bytes, size: int = CHUNK_BYTES) -> Iterator[tuple[int, int]]:
    """Start and end of the chunks of a text.

    Reading the chunks one by one gives what reading the whole gives, broken trees included: a chunk
    starts where a tree opens in the first column outside any bracket, and there the reader goes on after any
    error before it.  From where the brackets stop being balanced to the end the text is one chunk.
    """
    start = 0
    for place in openings(data):
        if place - start >= size:
            yield start, place
            start = place
    if start < len(data):
        yield start, len(data)


def openings(data: bytes) -> Iterator[int]:
    """Where a bracket opens at the beginning of a line and outside any other."""
    codes = np.frombuffer(data, np.uint8)
    depth = 0
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        places = np.flatnonzero((block == _OPEN) | (block == _CLOSE))
        if not len(places):
            continue
        opens = block[places] == _OPEN
        depths = depth + np.cumsum(np.where(opens, 1, -1))
        balanced = len(depths) if depths.min() >= 0 else int(np.argmax(depths < 0))
        outer = places[:balanced][opens[:balanced] & (depths[:balanced] == 1)] + start
        first_column = (outer == 0) | (codes[outer - 1] == _LINE_FEED)
        yield from outer[first_column].tolist()
        if balanced < len(depths):
            return
        depth = int(depths[-1])
