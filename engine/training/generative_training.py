"""Training the second model on gold trees: those of a whole treebank, or of all parts but one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from engine.common.arrays import Int64Array
from engine.counts.corpus import Vocabulary
from engine.generative.generative_counting import TreeColumns, TreeColumnsBuilder, count_trees
from engine.generative.generative_model import GenerativeModel
from engine.generative.word_classes import class_number
from engine.model.model import Model
from engine.reranker.punctuation_features import punctuation_marks
from engine.structure.tagged_sentence import TaggedSentence
from engine.training.gold_sentences import GoldSentence
from engine.trees.penn_forms import plain_word


def tree_columns(model: Model, sentences: Iterable[GoldSentence]) -> TreeColumns:
    """The gold trees of sentences with the numbers of a model."""
    builder = TreeColumnsBuilder()
    for one in sentences:
        sentence = TaggedSentence(one.words, one.tags)
        words = [plain_word(word) for word in sentence.proper_words]
        builder.add(
            one.derivation(model.label_numbers),
            np.array([model.word_numbers[word] for word in words], np.int32),
            np.array([class_number(word) for word in words], np.int32),
            np.array([model.tag_number(tag) for tag in sentence.proper_tags], np.int32),
            punctuation_marks(sentence),
        )
    return builder.columns()


def generative_model(
    trees: TreeColumns,
    sentences: Int64Array,
    times: Int64Array,
    vocabulary: Vocabulary,
    step: Callable[[float], None] = lambda share: None,
) -> GenerativeModel:
    """The second model of some of the trees, each counted so many times; `step` may stop the work by raising."""
    common = trees.common_words(sentences, len(vocabulary.words))
    counts = count_trees(trees, sentences, times, vocabulary.labels, vocabulary.tags, common, step)
    return GenerativeModel(counts, common, vocabulary)
