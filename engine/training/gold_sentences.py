"""Sentences with their gold trees in few bytes: what a re-ranker's lists and the second model are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int16Array, Int32Array
from engine.reranker.reranker import steps_of
from engine.structure.constituents import Constituent
from engine.structure.structure_layout import NO_LABEL
from engine.trees.tree import Tree

_LABEL_COLUMNS = slice(1, 3)


class GoldSentence(NamedTuple):
    """One sentence of a treebank.

    Attributes
    ----------
    words, tags
        Every token and its tag, punctuation included.
    labels
        The labels in its tree.
    steps
        The derivation of its tree over the words that are parsed, with numbers of these labels.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    steps: Int16Array

    @classmethod
    def of_tree(cls, tree: Tree, root: Constituent) -> GoldSentence:
        """The sentence of a clean tree with these constituents."""
        leaves = tree.leaves()
        labels = tuple(sorted({label for node in root.walk() for label in (node.label, node.head_label)}))
        steps = steps_of(root, {label: number for number, label in enumerate(labels)}).astype(np.int16)
        return cls(tuple(leaf.word or "" for leaf in leaves), tuple(leaf.label for leaf in leaves), labels, steps)

    def derivation(self, numbers: Mapping[str, int]) -> Int32Array:
        """The derivation of the gold tree with a model's numbers of labels; one it does not know gets one more."""
        known = np.array([*(numbers.get(label, len(numbers)) for label in self.labels), NO_LABEL], np.int32)
        steps = self.steps.astype(np.int32)
        # −1, no label, takes the last.
        steps[:, _LABEL_COLUMNS] = known[steps[:, _LABEL_COLUMNS]]
        return steps
