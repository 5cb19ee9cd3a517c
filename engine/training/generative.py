"""Training the second model on gold trees, which are kept in few bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int16Array, Int32Array, Int64Array
from engine.counts.corpus import Vocabulary
from engine.model.model import Model
from engine.rerank.generative import GenerativeModel, TreeColumns, class_number, count_trees
from engine.rerank.reranker import punctuation_marks, steps_of
from engine.structure.constituents import Constituent
from engine.structure.sentence_layout import NO_LABEL
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import Tree, plain_word

# Sentences with their gold trees in few bytes: what a re-ranker's lists and the second model are made of.

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
        """Return the sentence of a clean tree with these constituents."""
        leaves = tree.leaves()
        labels = tuple(sorted({label for node in root.walk() for label in (node.label, node.head_label)}))
        steps = steps_of(root, {label: number for number, label in enumerate(labels)}).astype(np.int16)
        return cls(tuple(leaf.word or "" for leaf in leaves), tuple(leaf.label for leaf in leaves), labels, steps)

    def derivation(self, numbers: Mapping[str, int]) -> Int32Array:
        """Return the derivation of the gold tree with a model's numbers of labels; one it does
        not know gets one more.
        """
        known = np.array([*(numbers.get(label, len(numbers)) for label in self.labels), NO_LABEL], np.int32)
        steps = self.steps.astype(np.int32)
        # −1, no label, takes the last.
        steps[:, _LABEL_COLUMNS] = known[steps[:, _LABEL_COLUMNS]]
        return steps


# Training the second model on gold trees: those of a whole treebank, or of all parts but one.


def tree_columns(model: Model, sentences: Iterable[GoldSentence]) -> TreeColumns:
    """Return the gold trees of sentences with the numbers of a model."""

    def columns(one: GoldSentence) -> tuple[Int32Array, ...]:
        sentence = TaggedSentence(one.words, one.tags)
        words = [plain_word(word) for word in sentence.proper_words]
        return (
            one.derivation(model.label_numbers),
            np.array([model.word_numbers[word] for word in words], np.int32),
            np.array([class_number(word) for word in words], np.int32),
            np.array([model.tag_number(tag) for tag in sentence.proper_tags], np.int32),
            punctuation_marks(sentence),
        )

    return TreeColumns.of(map(columns, sentences))


def generative_model(
    trees: TreeColumns,
    sentences: Int64Array,
    times: Int64Array,
    vocabulary: Vocabulary,
    step: Callable[[float], None] = lambda share: None,
) -> GenerativeModel:
    """Return the second model of some of the trees, each counted so many times; `step` may stop the work by raising."""
    common = trees.common_words(sentences, len(vocabulary.words))
    counts = count_trees(trees, sentences, times, vocabulary.labels, vocabulary.tags, common, step)
    return GenerativeModel(counts, common, vocabulary)
