"""Words as estimates and features look them up: not at all, where only tags are used (Table 4)."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array
from engine.counts.counts_layout import Switches
from engine.model.model import Model
from engine.reranker.features_layout import UNUSED_WORD
from engine.structure.tagged_sentence import TaggedSentence


def word_numbers(model: Model, switches: Switches, sentence: TaggedSentence) -> list[int]:
    """Number of every word (no punctuation), negative for one of which nothing is looked up.

    Those are the words that the model does not know; without lexical information all of them ("all estimates are based
    on POS tags alone").  Dependencies, gaps, unaries, the root, the phrases inside baseNPs and the re-ranker's features
    all take their words from here, so none of them can see a word that is not to be used.
    """
    if switches.lexical:
        return model.known_words(sentence)
    return [UNUSED_WORD] * len(sentence.positions)


def generative_words(model: Model, lexical: bool, sentence: TaggedSentence) -> Int32Array:
    """Words as the second model knows them: by number, by class if they are rare; without words none of them."""
    if model.generative is None or not lexical:
        return np.full(len(sentence.positions), UNUSED_WORD, np.int32)
    return np.array(model.generative_words(sentence), np.int32)
