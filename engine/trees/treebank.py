"""Treebanks on disk: files, folders, gzip and standard input, whole or in chunks that are cut between trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.common.characters import made_text
from engine.common.errors import EngineError, TreeError
from engine.gate.text_stream import MOST_LINE_CHARACTERS, STANDARD_INPUT, TextStream, source_name
from engine.trees.reading import read_bracket_bytes
from engine.trees.tree import Tree

# Treebank files in chunks, cut between trees: read as they come, and by several processes at a time.
#
# Some megabytes of a file are held, whatever is in it.  A file that is not a treebank is noticed here, and not read to
# its end.

CHUNK_BYTES = 1 << 18
"""Bytes of a chunk, about: a quarter of a second's work."""
MOST_WITHOUT_BRACKET = 1 << 20
"""Bytes without a bracket after which a file is no treebank."""
_MOST_HELD = 1 << 22
"""Bytes that are held before a place to cut is looked for that is not quite as good."""
_OPEN, _CLOSE, _LINE_FEED = b"()\n"


class TreebankChunk(NamedTuple):
    """A run of whole trees of one file.

    Attributes
    ----------
    data
        The text in UTF-8, with line feeds for line ends; bytes that are not UTF-8 may be in it.
    name
        What to call the file in an error.
    first_line
        Number of the chunk's first line in the file.
    problem
        Why the file is not read on from here, in place of any text.
    """

    data: bytes
    name: str
    first_line: int
    problem: str = ""

    def trees(self) -> Iterator[Tree | TreeError]:
        """Yield every tree, and the error in place of a broken one."""
        if self.problem:
            yield TreeError(self.problem, self.name, self.first_line, 1)
        else:
            yield from read_bracket_bytes(self.data, self.name, self.first_line)


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
        stream = TextStream(file)
        for chunk in chunks_of(stream.blocks(), stream.name, size):
            chunks.append(chunk)
            filled += len(chunk.data)
            if filled >= size:
                yield ChunkBundle(tuple(chunks), (before + weight * (stream.share or 0.0)) / total)
                chunks, filled = [], 0
        before += weight
    if chunks:
        yield ChunkBundle(tuple(chunks), 1.0)


def treebank_chunks(file: Path | str) -> Iterator[TreebankChunk]:
    """Return the chunks of one file, or of standard input."""
    stream = TextStream(file)
    return chunks_of(stream.blocks(), stream.name)


def chunks_of(blocks: Iterable[bytes], name: str, size: int = CHUNK_BYTES) -> Iterator[TreebankChunk]:
    """Cut a text that comes in blocks into chunks.

    Reading the chunks one by one gives what reading the whole gives, as :func:`cuts` says.  Where brackets are not
    balanced for many megabytes, a chunk begins at the next line that opens a tree; where there is no such line, or no
    bracket at all, the text is no treebank: the last chunk says so, and nothing is read after it.
    """
    held = b""
    line = 1
    scan = _BracketScan()
    for block in blocks:
        held += block
        start = 0
        for place in scan.openings(block):
            if place - start >= size:
                yield TreebankChunk(held[start:place], name, line)
                line += held.count(b"\n", start, place)
                start = place
        if start:
            held = held[start:]
            scan.forget(start)
        if scan.without_bracket > MOST_WITHOUT_BRACKET:
            yield TreebankChunk(held, name, line)
            line += held.count(b"\n", 0, scan.seen - scan.without_bracket)
            yield TreebankChunk(
                b"", name, line, _problem("a million characters without a bracket", "is it a treebank?")
            )
            return
        while len(held) > _MOST_HELD and (place := scan.place_to_cut(held)):
            yield TreebankChunk(held[:place], name, line)
            line += held.count(b"\n", 0, place)
            held = held[place:]
            scan = _BracketScan()
            for _ in scan.openings(held):
                pass
        if len(held) > MOST_LINE_CHARACTERS:
            what = f"more than {MOST_LINE_CHARACTERS >> 20} million characters without a line that opens a tree"
            yield TreebankChunk(b"", name, line, _problem(what, "put every tree on a line of its own"))
            return
    if held:
        yield TreebankChunk(held, name, line)


def _problem(what: str, advice: str) -> str:
    return f"from here on there are {what}; the rest of the file is not read; {advice}"


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
    """Yield where a bracket opens at the beginning of a line and outside any other."""
    scan = _BracketScan()
    for start in range(0, len(data), _MOST_HELD):
        yield from scan.openings(data[start : start + _MOST_HELD])


class _BracketScan:
    """Follows the brackets of a text that comes in blocks.

    Attributes
    ----------
    seen
        Bytes from where the text begins to the end of the last block.
    without_bracket
        Bytes since the last bracket.
    """

    def __init__(self) -> None:
        self.seen = 0
        self.without_bracket = 0
        self._depth = 0
        self._balanced = True
        self._at_line_start = True
        self._last_outer = 0

    def openings(self, block: bytes) -> Iterator[int]:
        """Yield where in the text a bracket of the next block opens at the beginning of a line
        and outside any other.
        """
        codes = np.frombuffer(block, np.uint8)
        # The two brackets differ in their last bit.
        places = np.flatnonzero(codes & ~np.uint8(_OPEN ^ _CLOSE) == _OPEN)
        at_line_start, self._at_line_start = self._at_line_start, block.endswith(b"\n")
        before, self.seen = self.seen, self.seen + len(block)
        if not len(places):
            self.without_bracket += len(block)
            return
        self.without_bracket = len(block) - 1 - int(places[-1])
        if not self._balanced:
            return
        closes = codes[places] == _CLOSE
        depths = np.cumsum(1 - 2 * closes.view(np.int8), dtype=np.int32)
        depths += np.int32(self._depth)
        balanced = len(depths) if depths.min() >= 0 else int(np.argmax(depths < 0))
        self._balanced = balanced == len(depths)
        self._depth = int(depths[-1])
        outer = np.flatnonzero(depths[:balanced] == 1)
        outer = places[outer[~closes[outer]]]
        if not len(outer):
            return
        self._last_outer = before + int(outer[-1])
        first_column = codes[outer - 1] == _LINE_FEED
        if outer[0] == 0:
            first_column[0] = at_line_start
        yield from (outer[first_column] + before).tolist()

    def forget(self, size: int) -> None:
        """Count places from a point that is so many bytes further on."""
        self.seen -= size
        self._last_outer = max(self._last_outer - size, 0)

    def place_to_cut(self, held: bytes) -> int:
        """Return where a text without an opening is best cut: at the last line that begins a tree, or may;
        0 for nowhere.
        """
        line = held.rfind(b"\n", 0, self._last_outer) + 1
        if self._balanced and line and not held[line : self._last_outer].strip():
            return line
        return held.rfind(b"\n(") + 1


# Treebanks on disk: files, folders, gzip and standard input, in any encoding mark and line ending.

TREEBANK_SUFFIXES = (".mrg", ".ptb", ".psd", ".tree", ".parse")
KEPT_REASONS, KEPT_PLACES = 10, 20
"""How many reasons, and how many places, a model keeps of the trees that were left out."""

OnBad = Callable[[TreeError], None]


def treebank_files(sources: Iterable[str | Path]) -> list[Path | str]:
    """Return the files that `sources` name: files as they are, folders searched recursively, ``-`` for input."""
    found: list[Path | str] = []
    for source in sources:
        if str(source) == STANDARD_INPUT:
            found.append(STANDARD_INPUT)
            continue
        path = Path(source)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and _is_treebank(file))
            if not inside:
                wanted = " ".join("*" + suffix for suffix in TREEBANK_SUFFIXES)
                raise EngineError(f"{path}: the folder holds no treebank file ({wanted}, also gzipped)")
            found.extend(inside)
        elif path.is_file() or path.is_fifo():
            found.append(path)
        else:
            raise EngineError(f"{path}: there is no such file or folder")
    return found


def _is_treebank(file: Path) -> bool:
    return file.name.removesuffix(".gz").endswith(TREEBANK_SUFFIXES)


def corpus_name(source: str | Path) -> str:
    """Return what a model calls a corpus: the name of its file or folder, never the path to it."""
    if str(source) == STANDARD_INPUT:
        return source_name(source)
    return made_text(Path(source).name or Path(source).resolve().name)


def read_treebank(sources: Iterable[str | Path], on_bad: OnBad | None = None) -> Iterator[Tree]:
    """Yield the trees of all `sources` in order.

    Parameters
    ----------
    sources
        Files, folders or ``-``.
    on_bad
        Called with the error of every broken tree, which is then left out; without it the
        first broken tree raises its :class:`TreeError`.
    """
    for source in treebank_files(sources):
        for item in file_trees(source):
            if not isinstance(item, TreeError):
                yield item
            elif on_bad is None:
                raise item
            else:
                on_bad(item)


def file_trees(file: Path | str) -> Iterator[Tree | TreeError]:
    """Yield every tree of one file, or of standard input, and the error in place of a broken one; read as they come."""
    for chunk in treebank_chunks(file):
        yield from chunk.trees()


class BadTrees:
    """Counts what was left out and why (``--skip-bad``), and keeps the first places."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.places: list[TreeError] = []

    @property
    def first(self) -> TreeError | None:
        """The first of them."""
        return self.places[0] if self.places else None

    def __call__(self, error: TreeError) -> None:
        self.reasons[error.problem] += 1
        if len(self.places) < KEPT_PLACES:
            self.places.append(error)

    def as_dict(self) -> dict[str, Any]:
        """Return what a model keeps of them: the most frequent reasons and the first places,
        with the names of files alone.
        """
        reasons = self.reasons.most_common(KEPT_REASONS)
        return {
            "reasons": [[reason, count] for reason, count in reasons],
            "other_reasons": len(self) - sum(count for _, count in reasons),
            "first": [[corpus_name(error.name), error.line, error.column, error.problem] for error in self.places],
        }

    def __len__(self) -> int:
        return sum(self.reasons.values())
