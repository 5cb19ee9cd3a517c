"""Treebanks on disk: files, folders, gzip and standard input, in any encoding mark and line ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.common.characters import made_text
from engine.common.errors import EngineError, TreeError
from engine.common.text_stream import STANDARD_INPUT, source_name
from engine.trees.tree import Tree
from engine.trees.treebank_chunks import treebank_chunks

TREEBANK_SUFFIXES = (".mrg", ".ptb", ".psd", ".tree", ".parse")
KEPT_REASONS, KEPT_PLACES = 10, 20
"""Of the trees that were left out: so many reasons and places are kept in a model."""

OnBad = Callable[[TreeError], None]


def treebank_files(sources: Iterable[str | Path]) -> list[Path | str]:
    """The files that `sources` name: files as they are, folders searched recursively, ``-`` for input."""
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
    """What a model calls a corpus: the name of its file or folder, never the path to it."""
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
    """Every tree of one file, or of standard input, and the error in place of a broken one; read as they come."""
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
        """What a model keeps of them: the most frequent reasons and the first places, with the names of files alone."""
        reasons = self.reasons.most_common(KEPT_REASONS)
        return {
            "reasons": [[reason, count] for reason, count in reasons],
            "other_reasons": len(self) - sum(count for _, count in reasons),
            "first": [[corpus_name(error.name), error.line, error.column, error.problem] for error in self.places],
        }

    def __len__(self) -> int:
        return sum(self.reasons.values())
