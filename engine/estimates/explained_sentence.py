"""A sentence whose parses are explained: its words as the model numbers them, and what stands around them."""

from __future__ import annotations

from engine.counts.context_features import context_features
from engine.counts.counts_layout import Counts, Switches
from engine.estimates.word_numbers import word_numbers
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence


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

    def knows(self, position: int) -> bool:
        """Tell whether levels with this word are looked up: the model knows it, and the settings use words."""
        return self.numbers[position][0] >= 0
