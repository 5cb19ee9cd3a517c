"""Scoring the parses of a list, in memory that is used again from list to list."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray
from engine.generative.generative_counting import counts_of
from engine.generative.generative_layout import EVENT_COLUMNS, KNOWN_EVENTS, LEVEL_COLUMNS, LEVELS, KnownEvents
from engine.generative.generative_model import GenerativeModel
from engine.reranker import scoring_kernel
from engine.reranker.features_layout import NODE_ROWS, ROW, TREE_ROWS, WORD_ROWS
from engine.reranker.reranker import Reranker
from engine.reranker.scoring_layout import (
    COLUMNS,
    KNOWN,
    MEMO_FULL,
    MEMO_KEY,
    ListedSentence,
    ListedTrees,
    ScoringMemory,
    SecondModel,
    WeightTable,
)
from engine.structure.nodes_layout import NODE_COLUMNS


class ListScorer:
    """Sums up what a re-ranker says of the trees of one list after another.

    It owns its working memory: use one per thread.
    """

    def __init__(self, reranker: Reranker, generative: GenerativeModel | None) -> None:
        self.reranker = reranker
        known = np.full((KNOWN, 2), -1, np.int64)
        self._known = known, known.view(np.float64)
        self._second = _second_model(generative)
        self._steps = 128
        self._words = 0
        self._memo = 4096
        self._lists = 0

    def sums(self, trees: ListedTrees, count: int, sentence: ListedSentence) -> FloatArray:
        """What the first so many trees of a list have in each column (:mod:`engine.reranker.scoring_layout`)."""
        words = len(sentence.commas)
        if words > self._words:
            self._words = 2 * words
            self._allocate()
        scores = np.empty((count, COLUMNS))
        while True:
            self._lists += 1
            status = scoring_kernel.score_list(
                trees, count, sentence, self._table, self._second, self._memory, self._lists, scores
            )
            if status >= 0:
                return scores
            if status == MEMO_FULL:
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
            rows=np.empty((rows, ROW), np.int32),
            readings=np.empty(words + 1, np.int64),
            verbs=np.empty(words + 1, np.int32),
            # At most three events for each child or word of a node, and a few of its own.
            events=np.empty((3 * (steps + words) + 8, EVENT_COLUMNS), np.int32),
            memo_keys=np.zeros((self._memo, MEMO_KEY), np.int64),
            memo_sums=np.empty((self._memo, COLUMNS)),
        )


def _second_model(generative: GenerativeModel | None) -> SecondModel:
    keys = np.full((KNOWN_EVENTS, 2), -1, np.int64)
    known = KnownEvents(keys, keys.view(np.float64), np.empty((LEVELS, LEVEL_COLUMNS), np.int64))
    if generative is not None:
        return SecondModel(generative.counts, known, generative.verb_tags, generative.complements)
    nothing = np.zeros(0, np.int32)
    counts = counts_of(np.zeros(0, np.int64), nothing, nothing)
    empty = SecondModel(counts, known, np.zeros(1 << 10, np.int8), nothing)
    # To the compiler arrays that can be written are another type.
    for array in (*counts[1:], empty.verb_tags, empty.complements):
        array.setflags(write=False)
    return empty
