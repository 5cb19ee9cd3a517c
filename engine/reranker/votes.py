"""The choice by expected F1 over a list of parses, and what every constituent got of the vote.

The parse of the highest score need not be the best choice: if many others agree against it in most constituents, one
of them is more like whatever the right tree is.  Every parse votes for its constituents with its probability; chosen is
the parse whose expected F1 against all is greatest (Goodman, 1996, for lists as in minimum Bayes risk decoding).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.trees.tree import LabelledSpan

LEAST_CHANCE = 1e-4
"""A parse less probable than this does not vote."""


@dataclass(frozen=True)
class Votes:
    """The vote over one list.

    Attributes
    ----------
    keys, shares
        Every constituent that some parse of the list has, as a number, and the share of the vote that it got.
    labels
        The labels behind the numbers.
    voters
        How many parses the list has.
    best_score
        The highest score in the list, whosever it is.
    """

    keys: Int64Array
    shares: FloatArray
    labels: Sequence[str]
    voters: int
    best_score: float

    @cached_property
    def by_bracket(self) -> dict[LabelledSpan, float]:
        """The share of every constituent: label, first word, one past the last; punctuation is not counted."""
        pairs = zip(self.keys.tolist(), self.shares.tolist(), strict=True)
        return {(self.labels[key >> 32], key >> 16 & 0xFFFF, key & 0xFFFF): min(share, 1.0) for key, share in pairs}

    def share(self, label: str, start: int, end: int) -> float:
        """The share of one constituent; 0 if no parse of the list has it."""
        return self.by_bracket.get((label, start, end), 0.0)

    @cached_property
    def _in_order(self) -> tuple[list[LabelledSpan], Int64Array, Int64Array]:
        """All constituents, that with the largest share first, and where they begin and end."""
        brackets = sorted(self.by_bracket, key=lambda one: (self.by_bracket[one], one), reverse=True)
        spans = np.array([one[1:] for one in brackets], np.int64).reshape(-1, 2)
        return brackets, spans[:, 0], spans[:, 1]

    def strongest_crossing(self, start: int, end: int) -> LabelledSpan | None:
        """The constituent with the largest share among those that cross these words; ``None`` if none does."""
        brackets, starts, ends = self._in_order
        crossing = (starts < start) & (start < ends) & (ends < end) | (start < starts) & (starts < end) & (end < ends)
        at = int(crossing.argmax()) if len(brackets) else 0
        return brackets[at] if len(brackets) and crossing[at] else None
