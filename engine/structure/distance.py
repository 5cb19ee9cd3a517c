"""The distance Δ (section 2.3): six questions about two words of the reduced sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.structure.dependencies import BaseNP
from engine.structure.sentence_layout import (
    ADJACENT,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    COMMAS_SHIFT,
    HEAD_FIRST,
    VERB_BETWEEN,
)

VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
"""The tags of verbs (question 3)."""
MODAL = "MD"
"""The tag of modals, which are not verbs for question 3."""


class Distance(NamedTuple):
    """The answers to the six questions.

    Attributes
    ----------
    head_first
        Question 1: whether the head precedes the modifier.
    adjacent
        Question 2: whether the two are adjacent in the reduced sentence.
    verb_between
        Question 3: whether there is a verb between them.
    commas
        Question 4: 0, 1, 2, or 3 for more than 2 'commas' between them.
    comma_after_first
        Question 5: whether a 'comma' immediately follows the first (its baseNP).
    comma_before_second
        Question 6: whether a 'comma' immediately precedes the second (its baseNP).
    """

    head_first: bool
    adjacent: bool
    verb_between: bool
    commas: int
    comma_after_first: bool
    comma_before_second: bool

    @property
    def code(self) -> int:
        """Δ as the count tables number it."""
        return (
            HEAD_FIRST * self.head_first
            | ADJACENT * self.adjacent
            | VERB_BETWEEN * self.verb_between
            | self.commas << COMMAS_SHIFT
            | COMMA_AFTER_FIRST * self.comma_after_first
            | COMMA_BEFORE_SECOND * self.comma_before_second
        )

    @classmethod
    def from_code(cls, code: int) -> Distance:
        """Return the answers that a number stands for."""
        return cls(
            bool(code & HEAD_FIRST),
            bool(code & ADJACENT),
            bool(code & VERB_BETWEEN),
            code >> COMMAS_SHIFT & 3,
            bool(code & COMMA_AFTER_FIRST),
            bool(code & COMMA_BEFORE_SECOND),
        )

    def words(self) -> tuple[str, ...]:
        """Return the six answers in words, in the order of the questions."""
        commas = "more than 2 commas" if self.commas == 3 else f"{self.commas} comma{'' if self.commas == 1 else 's'}"
        return (
            "head precedes modifier" if self.head_first else "head follows modifier",
            "adjacent" if self.adjacent else "not adjacent",
            "a verb between" if self.verb_between else "no verb between",
            f"{commas} between",
            "comma after the first" if self.comma_after_first else "no comma after the first",
            "comma before the second" if self.comma_before_second else "no comma before the second",
        )


class Ruler:
    """Measures Δ in one sentence with one set of baseNPs.

    Parameters
    ----------
    tags
        Tags of the words, punctuation left out.
    commas
        For every word the number of 'commas' between it and the one before.
    basenps
        B: all six answers depend on it.
    """

    def __init__(self, tags: Sequence[str], commas: Sequence[int], basenps: Sequence[BaseNP]) -> None:
        self.first = list(range(len(tags)))
        self.last = list(range(len(tags)))
        in_base: set[int] = set()
        for base in basenps:
            in_base.update(range(base.start, base.end))
            self.first[base.head], self.last[base.head] = base.start, base.end - 1
        heads = {base.head for base in basenps}
        self.reduced = [position for position in range(len(tags)) if position not in in_base or position in heads]
        self._place = {position: place for place, position in enumerate(self.reduced)}
        self._tags = tags
        self._commas = commas

    def distance(self, modifier: int, head: int) -> Distance:
        """Δ between two words of the reduced sentence, named by their positions."""
        first, second = sorted((modifier, head))
        between = self.between(modifier, head)
        return Distance(
            head < modifier,
            not between,
            any(self._tags[position] in VERB_TAGS for position in between),
            min(3, sum(self._commas[first + 1 : second + 1])),
            self._commas[self.last[first] + 1] > 0,
            self._commas[self.first[second]] > 0,
        )

    def commas_beside_words(self, modifier: int, head: int) -> tuple[bool, bool]:
        """Answers to questions 5 and 6 if they looked beside the two words themselves, and not beside their baseNPs."""
        first, second = sorted((modifier, head))
        return self._commas[first + 1] > 0, self._commas[second] > 0

    def between(self, modifier: int, head: int) -> list[int]:
        """Words of the reduced sentence between two others."""
        low, high = sorted((self._place[modifier], self._place[head]))
        return self.reduced[low + 1 : high]
