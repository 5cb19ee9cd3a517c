"""Forests straight from Penn brackets, without a tree in between: what makes the search of a large treebank fast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.common.errors import TreeError
from engine.patterns.chains import Mask, Numbers
from engine.patterns.forest import Forest, Vocabulary
from engine.trees.tree import Tree
from engine.trees.tree_reading import MAXIMUM_DEPTH, MOST_TREE_CHARACTERS, MOST_WORDS
from engine.trees.treebank_chunks import TreebankChunk, cuts

OPEN, CLOSE = 0, 1
"""The numbers of the brackets among the pieces of a text."""


@dataclass(frozen=True)
class ReadForest:
    """The trees of a chunk of a treebank.

    Attributes
    ----------
    forest
        The trees.
    chunk
        Where they come from.
    errors
        What is wrong with those that were left out.
    known_lines
        The lines on which the trees open, where they were found in reading.
    """

    forest: Forest
    chunk: TreebankChunk
    errors: tuple[TreeError, ...] = ()
    known_lines: tuple[int, ...] | None = None

    @cached_property
    def lines(self) -> list[int]:
        """The lines on which the trees open; after a broken tree, those on which the reader went on."""
        if self.known_lines is not None:
            return list(self.known_lines)
        opens, depths = _bracket_depths(self.chunk.data)
        line_ends = np.flatnonzero(np.frombuffer(self.chunk.data, np.uint8) == ord("\n"))
        found: list[int] = (
            np.searchsorted(line_ends, np.flatnonzero((depths == 1) & opens)) + self.chunk.first_line
        ).tolist()
        return found


def read_forest(chunk: TreebankChunk, on_bad: Callable[[TreeError], None] | None = None) -> ReadForest:
    """Read the trees of a chunk; the first broken one raises its error, or is left out if `on_bad` takes the errors."""
    forest = forest_of_brackets(chunk.data) if not chunk.problem else None
    if forest is not None:
        return ReadForest(forest, chunk)
    trees: list[Tree] = []
    lines: list[int] = []
    errors: list[TreeError] = []
    line = chunk.first_line
    # Tree by tree, so that the good ones keep their lines.
    for start, end in cuts(chunk.data, 1) if not chunk.problem else [(0, 0)]:
        for item in chunk._replace(data=chunk.data[start:end], first_line=line).trees():
            if not isinstance(item, TreeError):
                trees.append(item)
                lines.append(line)
            elif on_bad is None:
                raise item
            else:
                on_bad(item)
                errors.append(item)
        line += chunk.data.count(b"\n", start, end)
    return ReadForest(Forest.of(trees), chunk, tuple(errors), tuple(lines))


def forest_of_brackets(data: bytes) -> Forest | None:
    """The forest of a text in UTF-8; ``None`` if anything is wrong with it, which the reader of trees then tells."""
    vocabulary = Vocabulary({b"(": OPEN, b")": CLOSE})
    texts = data.replace(b"(", b" ( ").replace(b")", b" ) ").split()
    pieces = np.fromiter(map(vocabulary.__getitem__, texts), np.int32, len(texts))
    if not len(pieces):
        return Forest.of([])
    opens = pieces == OPEN
    closes = pieces == CLOSE
    texts_at = ~opens & ~closes
    before, after = _shifted(opens, 1), _shifted(closes, -1)
    labels = texts_at & before
    words = texts_at & _shifted(labels, 1) & after
    depths = np.cumsum(opens.astype(np.int8) - closes.astype(np.int8), dtype=np.int32)
    # A bracket that closes right after one that opens, or after its label, holds nothing.
    empty = closes & (_shifted(opens, 1) | _shifted(labels, 1))
    if (
        depths.min() < 0
        or depths[-1] != 0
        or not np.array_equal(texts_at, labels | words)
        or empty.any()
        or depths.max() > MAXIMUM_DEPTH
        or b"\0" in data
        or _has_large_tree(data, words, opens & (depths == 1))
    ):
        return None
    try:
        forms = [form.decode() for form in vocabulary]
    except UnicodeDecodeError:
        return None
    forms[OPEN] = ""
    nodes = opens | words
    places = np.flatnonzero(nodes).astype(np.int32)
    is_word = words[places]
    numbers = np.where(is_word, pieces[places], _labels(pieces, labels, places))
    return Forest(forms, numbers.astype(np.int32), (depths[places] - 1 + is_word).astype(np.int32), is_word)


def _has_large_tree(data: bytes, words: Mask, roots: Mask) -> bool:
    """Whether a tree has more words or characters than the reader of trees takes."""
    if np.add.reduceat(words, np.flatnonzero(roots), dtype=np.int64).max() > MOST_WORDS:
        return True
    if len(data) <= MOST_TREE_CHARACTERS:
        return False
    opens, depths = _bracket_depths(data)
    ends = np.flatnonzero((depths == 0) & (np.frombuffer(data, np.uint8) == ord(")")))
    return bool((ends - np.flatnonzero((depths == 1) & opens)).max() >= MOST_TREE_CHARACTERS)


def _bracket_depths(data: bytes) -> tuple[Mask, Numbers]:
    """For every byte whether it opens a bracket, and how many brackets are open after it."""
    codes = np.frombuffer(data, np.uint8)
    opens = codes == ord("(")
    return opens, np.cumsum(opens.astype(np.int8) - (codes == ord(")")).astype(np.int8), dtype=np.int32)


def _labels(pieces: Numbers, labels: Mask, places: Numbers) -> Numbers:
    """For every place the piece after it if that is a label, else no label."""
    following = np.minimum(places + 1, len(pieces) - 1)
    return np.where(labels[following], pieces[following], OPEN).astype(np.int32)


def _shifted(mask: Mask, by: int) -> Mask:
    """The mask moved to the right by one, or to the left."""
    moved = np.zeros_like(mask)
    if by > 0:
        moved[1:] = mask[:-1]
    else:
        moved[:-1] = mask[1:]
    return moved
