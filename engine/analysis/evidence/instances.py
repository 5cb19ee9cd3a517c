"""Instances of a count: places in the training trees, and their sentences with the words marked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analysis.evidence.counted import ANY, UNRELATED
from engine.common.arrays import Int64Array, IntArray
from engine.structure.tagged_sentence import TaggedSentence

MODIFIER_ROLE, HEAD_ROLE, LEFT_ROLE, RIGHT_ROLE, WORD_ROLE = "modifier", "head", "left", "right", "head-word"
SIGNS = {
    MODIFIER_ROLE: ("‹", "›"),
    HEAD_ROLE: ("«", "»"),
    LEFT_ROLE: ("‹", "›"),
    RIGHT_ROLE: ("«", "»"),
    WORD_ROLE: ("«", "»"),
}
"""How text marks a word, by the part that it plays."""
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}


@dataclass(frozen=True, slots=True)
class Instances:
    """The places that one count counts, in the order of the trees.

    Attributes
    ----------
    roles
        What the two columns of `rows` are: modifier and head, left and right; one role twice where one word is meant.
    sentences
        The sentence of every place.
    rows
        Its two words, as rows of the columns.
    first, last
        First and last row of what is meant as a whole: a constituent, a span; else the two words.
    outcomes
        What happened there; −1 for nothing.
    weights
        How many times preset (5) counts it; all else counts it once.
    """

    roles: tuple[str, str]
    sentences: IntArray
    rows: Int64Array
    first: Int64Array
    last: Int64Array
    outcomes: IntArray
    weights: Int64Array

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def weighted(self) -> int:
        """How many times preset (5) counts them."""
        return int(self.weights.sum())

    def chosen(self, places: IntArray) -> Instances:
        """Choose some of the places."""
        return Instances(
            self.roles,
            self.sentences[places],
            self.rows[places],
            self.first[places],
            self.last[places],
            self.outcomes[places],
            self.weights[places],
        )

    def of(self, outcome: int | None) -> Instances:
        """Choose those with one outcome, with ``ANY``, ``UNRELATED``, or for ``None`` all."""
        if outcome is None:
            return self
        if outcome == ANY:
            return self.chosen(np.flatnonzero(self.outcomes >= 0))
        return self.chosen(np.flatnonzero(self.outcomes == (-1 if outcome == UNRELATED else outcome)))


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One training sentence with what was counted in it.

    Attributes
    ----------
    source, number
        The treebank's name, and which of its sentences this is, from 1 on.
    words, tags
        All tokens, in the form in which they are counted.
    marks
        The part that some tokens play.
    span
        First token and one past the last of a constituent or span; ``None`` for a pair of words.
    outcome
        What happened there, in words.
    weight
        How many times it counts in preset (5).
    """

    source: str
    number: int
    words: tuple[str, ...]
    tags: tuple[str, ...]
    marks: dict[int, str]
    span: tuple[int, int] | None
    outcome: str
    weight: int

    @property
    def place(self) -> str:
        """Treebank and number: ``classroom.ptb, sentence 17``."""
        return f"{self.source}, sentence {self.number:,}"

    @property
    def shown_words(self) -> list[str]:
        """The words for the eye: brackets as brackets."""
        return [BRACKETS.get(word, word) for word in self.words]

    def text(self) -> str:
        """The sentence with its words marked: ``John «saw» the man ‹with› a telescope``, ``[a span]``."""
        shown = self.shown_words
        for token, role in self.marks.items():
            before, after = SIGNS[role]
            shown[token] = f"{before}{shown[token]}{after}"
        if self.span is not None:
            start, end = self.span
            shown[start] = "[" + shown[start]
            shown[end - 1] += "]"
        return " ".join(shown)

    def tagged(self) -> str:
        """The sentence as it can be typed: ``word/TAG word/TAG ...``."""
        return str(TaggedSentence(self.words, self.tags))
