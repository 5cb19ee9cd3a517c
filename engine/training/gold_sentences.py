"""Sentences with the brackets of their gold trees: what a re-ranker's lists are made of and measured by."""

from __future__ import annotations

from typing import NamedTuple

from engine.structure.constituents import JOINED, Constituent
from engine.trees.tree import LabelledSpan, Tree


class GoldSentence(NamedTuple):
    """One sentence of a treebank.

    Attributes
    ----------
    words, tags
        Every token and its tag, punctuation included.
    brackets
        The constituents of its tree over the words that are parsed, baseNP-internal brackets left out.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    brackets: tuple[LabelledSpan, ...]

    @classmethod
    def of_tree(cls, tree: Tree, root: Constituent) -> GoldSentence:
        """The sentence of a clean tree with these constituents."""
        leaves = tree.leaves()
        return cls(tuple(leaf.word or "" for leaf in leaves), tuple(leaf.label for leaf in leaves), brackets_of(root))


def brackets_of(root: Constituent) -> tuple[LabelledSpan, ...]:
    """The constituents of a tree that are compared with another's: no words, no conjunct with its conjunction."""
    return tuple(
        (node.label, node.start, node.end)
        for node in root.walk()
        if not node.is_word and not node.label.endswith(JOINED)
    )
