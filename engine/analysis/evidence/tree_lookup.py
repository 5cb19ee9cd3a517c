"""The tree of a training sentence, found again in its file: the index keeps columns and no trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from engine.common.errors import TreeError
from engine.trees.penn_forms import plain_word
from engine.trees.tree import Tree
from engine.trees.tree_normalisation import clean
from engine.trees.treebank import treebank_files
from engine.trees.treebank_chunks import TreebankChunk, openings, treebank_chunks


def find_tree(source: str | Path, number: int, words: Sequence[str]) -> Tree | None:
    """The tree of a sentence, as it stands in its treebank; ``None`` if it is not there any more.

    Parameters
    ----------
    source
        A file or folder.
    number
        Which of its sentences it is, from 1 on.
    words
        All its tokens as they are counted, by which the tree is known: broken trees and those without a word
        are no sentences, so that it may stand further on than its number says.
    """
    wanted = list(words)
    for chunk in _from(source, number - 1):
        for tree in chunk.trees():
            if isinstance(tree, TreeError):
                continue
            cleaned = clean(tree)
            if cleaned is not None and [plain_word(leaf.word or "") for leaf in cleaned.leaves()] == wanted:
                return tree
    return None


def _from(source: str | Path, first: int) -> Iterator[TreebankChunk]:
    """The texts of the trees that open at the beginning of a line, from one of them on."""
    passed = 0
    for file in treebank_files([source]):
        for chunk in treebank_chunks(file):
            places = [*openings(chunk.data), len(chunk.data)]
            for start, end in list(pairwise(places))[max(first - passed, 0) :]:
                yield chunk._replace(data=chunk.data[start:end])
            passed += len(places) - 1
