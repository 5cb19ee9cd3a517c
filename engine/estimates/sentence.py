"""A sentence as estimates see it: its words as the model numbers them, and what stands around them."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array
from engine.counts.contexts import context_features
from engine.counts.counts_layout import ContextWord, Counts, Switches
from engine.model.model import Model
from engine.rerank.features_layout import UNUSED_WORD
from engine.structure.sentence_layout import AFTER, BEFORE
from engine.structure.tagged_sentence import TaggedSentence

# Words as estimates and features look them up: not at all, where only tags are used (Table 4).


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


# A sentence whose parses are explained: its words as the model numbers them, and what stands around them.


class ExplainedSentence:
    """Numbers and features with which every estimate of a sentence is looked up.

    Parameters
    ----------
    model, switches
        What the sentence is parsed with.
    sentence
        The words, and the tags that they have in the parse.
    context
        The same words with the tags that their neighbours see: the tagger's best, whatever tags the parse has.
    """

    def __init__(self, model: Model, switches: Switches, sentence: TaggedSentence, context: TaggedSentence) -> None:
        self.model = model
        self.switches = switches
        self.words = sentence.proper_words
        self.tags = sentence.proper_tags
        self.commas = sentence.commas
        words = word_numbers(model, switches, sentence)
        self.numbers = [(word, model.tag_number(tag)) for word, tag in zip(words, self.tags, strict=True)]
        tags = context.proper_tags
        self.features = context_features(tags, [model.tag_number(tag) for tag in tags], context.commas)

    @property
    def counts(self) -> Counts:
        """The count tables of the model, as these switches weigh them."""
        return self.model.counts_under(self.switches)

    def word(self, position: int) -> ContextWord:
        """A word as contexts see it; negative if levels with it are not looked up."""
        features = self.features[position]
        return ContextWord(*self.numbers[position], int(features[BEFORE]), int(features[AFTER]))
