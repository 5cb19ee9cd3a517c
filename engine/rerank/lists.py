"""Lists of parses ranked: their scores, in memory that is used again, and the choice by expected F1 with its votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.rerank import lists_layout as layout
from engine.rerank import scoring_kernel
from engine.rerank.features_layout import NODE_ROWS, ROW, TREE_ROWS, VALUES, WORD_ROWS
from engine.rerank.generative import GenerativeModel, counts_of
from engine.rerank.generative_layout import (
    EVENT_COLUMNS,
    KNOWN_EVENTS,
    LEVEL_COLUMNS,
    LEVELS,
    STEP_COLUMNS,
    KnownEvents,
)
from engine.rerank.lists_layout import ListedSentence, ListedTrees, ScoringMemory, SecondModel, WeightTable
from engine.rerank.reranker import Reranker
from engine.structure.sentence_layout import NODE_COLUMNS
from engine.trees.tree import LabelledSpan

# The choice by expected F1 over a list of parses, and what every constituent got of the vote.
#
# The parse of the highest score need not be the best choice: if many others agree against it in most constituents,
# one of them is more like whatever the right tree is.  Every parse votes for its constituents with its probability;
# chosen is the parse whose expected F1 against all is greatest (Goodman, 1996, for lists as in minimum Bayes risk
# decoding).

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
        """Return the share of one constituent; 0 if no parse of the list has it."""
        return self.by_bracket.get((label, start, end), 0.0)

    @cached_property
    def _in_order(self) -> tuple[list[LabelledSpan], Int64Array, Int64Array]:
        """All constituents, that with the largest share first, and where they begin and end."""
        brackets = sorted(self.by_bracket, key=lambda one: (self.by_bracket[one], one), reverse=True)
        spans = np.array([one[1:] for one in brackets], np.int64).reshape(-1, 2)
        return brackets, spans[:, 0], spans[:, 1]

    def strongest_crossing(self, start: int, end: int) -> LabelledSpan | None:
        """Return the constituent with the largest share among those that cross these words; ``None`` if none does."""
        brackets, starts, ends = self._in_order
        crossing = (starts < start) & (start < ends) & (ends < end) | (start < starts) & (starts < end) & (end < ends)
        at = int(crossing.argmax()) if len(brackets) else 0
        return brackets[at] if len(brackets) and crossing[at] else None


# Scoring the parses of a list, in memory that is used again from list to list.


class ListScorer:
    """Sums up what a re-ranker says of the trees of one list after another.

    It owns its working memory: use one per thread.
    """

    def __init__(self, reranker: Reranker, generative: GenerativeModel | None) -> None:
        self.reranker = reranker
        known = np.full((layout.KNOWN, 2), -1, np.int64)
        self._known = known, known.view(np.float64)
        self._second = _second_model(generative)
        self._steps = 128
        self._words = 0
        self._memo = 4096
        self._lists = 0

    def sums(self, trees: ListedTrees, count: int, sentence: ListedSentence) -> FloatArray:
        """Return what the first so many trees of a list have in each column (:mod:`engine.rerank.lists_layout`)."""
        words = len(sentence.commas)
        if words > self._words:
            self._words = 2 * words
            self._allocate()
        scores = np.empty((count, layout.COLUMNS))
        while True:
            self._lists += 1
            status = scoring_kernel.score_list(
                trees, count, sentence, self._table, self._second, self._memory, self._lists, scores
            )
            if status >= 0:
                return scores
            if status == layout.MEMO_FULL:
                self._memo *= 2
            else:
                self._steps *= 2
            self._allocate()

    def _allocate(self) -> None:
        steps, words = self._steps, self._words
        rows = NODE_ROWS * steps + WORD_ROWS + TREE_ROWS
        reranker = self.reranker
        self._table = WeightTable(
            reranker.buckets,
            reranker.keys,
            reranker.weights,
            reranker.filter_bits,
            *self._known,
            hashes=np.empty(rows, np.int64),
        )
        self._memory = ScoringMemory(
            words=np.empty(words, np.int32),
            tags=np.empty(words, np.int32),
            nodes=np.empty((steps, NODE_COLUMNS), np.int32),
            stack=np.empty(steps + 1, np.int32),
            visited=np.empty(steps, np.int32),
            heads_above=np.empty(steps, np.int32),
            places=np.empty(steps, np.int32),
            values=VALUES.copy(),
            rows=np.empty((rows, ROW), np.int32),
            readings=np.empty(words + 1, np.int64),
            verbs=np.empty(words + 1, np.int32),
            # At most three events for each child or word of a node, and a few for the tree itself.
            events=np.empty((3 * (steps + words) + 8, EVENT_COLUMNS), np.int32),
            memo_keys=np.zeros((self._memo, layout.MEMO_KEY), np.int64),
            memo_sums=np.empty((self._memo, layout.COLUMNS)),
        )


def _second_model(generative: GenerativeModel | None) -> SecondModel:
    keys = np.full((KNOWN_EVENTS, 2), -1, np.int64)
    known = KnownEvents(
        keys, keys.view(np.float64), np.empty((LEVELS, LEVEL_COLUMNS), np.int64), np.empty((LEVELS, STEP_COLUMNS))
    )
    if generative is not None:
        return SecondModel(generative.counts, known, generative.verb_tags, generative.complements)
    nothing = np.zeros(0, np.int32)
    counts = counts_of(np.zeros(0, np.int64), nothing, nothing)
    empty = SecondModel(counts, known, np.zeros(1 << 10, np.int8), nothing)
    # To the compiler arrays that can be written are another type.
    for array in (*counts[1:], empty.verb_tags, empty.complements):
        array.setflags(write=False)
    return empty
