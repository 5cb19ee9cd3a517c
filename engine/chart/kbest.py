"""The k best derivations of a filled chart, listed and ranked in memory that is used again from sentence to
sentence.
"""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart import kbest_kernel
from engine.chart.chart_layout import Chart, DerivationList, Grammar, Hypergraph, Ranking, SentenceArrays
from engine.chart.derivation import Derivation
from engine.common.arrays import FloatArray, Int32Array
from engine.estimates.sentence import generative_words
from engine.model.model import Model
from engine.rerank import vote_kernel
from engine.rerank.lists import LEAST_CHANCE, ListScorer, Votes
from engine.rerank.lists_layout import GENERATIVE, ListedSentence, ListedTrees
from engine.rerank.reranker import NO_FEATURES, Reranker, punctuation_marks
from engine.settings import Settings
from engine.structure.tagged_sentence import TaggedSentence

_FULL = {layout.POOL_FULL: "pool", layout.BLOCKS_FULL: "derivations", layout.STEPS_FULL: "steps"}
_FIRST_BLOCKS = 64
"""Items that have room for more than their best derivation, to begin with."""


class Ranker:
    """Lists the k best derivations of a chart whose edges were recorded.

    A list is good until the next one is started, or the chart is filled anew.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._scorer: ListScorer | None = None
        self._chart: Chart | None = None
        self._room = {"items": 0, "edges": 0, "words": 0, "limit": 0, "derivations": 0, "pool": 4096, "steps": 4096}

    def start(self, grammar: Grammar, arrays: SentenceArrays, chart: Chart, limit: int) -> None:
        """Take up another chart, of which at most `limit` derivations will be listed."""
        if self._chart is not chart:
            self._chart, self._forest = chart, Hypergraph(*(getattr(chart, name) for name in Hypergraph._fields))
        self._grammar, self._arrays = grammar, arrays
        self._size = len(arrays.commas)
        self._limit = limit
        room = self._room
        items, edges = len(chart.items), len(chart.edges)
        if items > room["items"] or edges > room["edges"] or self._size > room["words"] or limit > room["limit"]:
            for what, needed in {"items": items, "edges": edges, "words": self._size, "limit": limit}.items():
                room[what] = max(room[what], needed)
            room["derivations"] = max(room["derivations"], _FIRST_BLOCKS * limit)
            self._allocate()
        self._restart()

    def extend(self, wanted: int) -> int:
        """Go on with the list until it has so many derivations, or there are no more; return how many it has."""
        while True:
            status = kbest_kernel.list_derivations(
                self._grammar, self._arrays, self._forest, self._ranking, self._list, min(wanted, self._limit)
            )
            if status >= 0:
                return self._count
            self._room[_FULL[status]] *= 2
            self._allocate()
            self._restart()

    @property
    def log_probabilities(self) -> FloatArray:
        """Those of the derivations of the list, best first."""
        return self._list.scores[: self._count]

    def sums(self, reranker: Reranker, sentence: TaggedSentence) -> FloatArray:
        """Return what a re-ranker says of the trees of the list: a row each (:mod:`engine.rerank.lists_layout`)."""
        if self._scorer is None or self._scorer.reranker is not reranker:
            self._scorer = ListScorer(reranker, self.model.generative)
        return self._scorer.sums(ListedTrees(*self._list[1:]), self._count, self._listed_sentence(sentence))

    def vote(self, scores: FloatArray, scale: float) -> tuple[FloatArray, Votes]:
        """Return the expected F1 of every parse of the list, and what its constituents got of the vote."""
        merits, keys, shares = vote_kernel.vote(
            self._list.ranges, self._list.steps, self.model.shown_labels, scores, scale, LEAST_CHANCE
        )
        return merits, Votes(keys, shares, self.model.vocabulary.labels, len(scores), float(scores.max()))

    def derivations(self, sentence: TaggedSentence) -> list[Derivation]:
        """Return the list to be kept, with all that the features of its trees depend on."""
        listed = self._listed_sentence(sentence)
        second = self.sums(NO_FEATURES, sentence)[:, GENERATIVE].tolist()
        return [
            Derivation(log_probability, second[rank], self.steps(rank).copy(), self.chosen(rank).copy(), listed)
            for rank, log_probability in enumerate(self.log_probabilities.tolist())
        ]

    def steps(self, rank: int) -> Int32Array:
        """Return the steps of one derivation of the list; 0 is the best."""
        first, end = self._list.ranges[rank]
        return self._list.steps[first:end]

    def chosen(self, rank: int) -> Int32Array:
        """Return which reading each word has in it."""
        return self._list.chosen[rank, : self._size]

    def _listed_sentence(self, sentence: TaggedSentence) -> ListedSentence:
        arrays = self._arrays
        marks = punctuation_marks(sentence, self.settings.lexical)
        words = generative_words(self.model, self.settings.lexical, sentence)
        return ListedSentence(arrays.readings, arrays.commas, marks, self.model.joined_labels, words)

    @property
    def _count(self) -> int:
        return int(self._ranking.numbers[layout.R_LISTED])

    def _restart(self) -> None:
        self._ranking.numbers[layout.R_LIMIT] = self._limit
        self._ranking.numbers[layout.R_LISTED] = -1

    def _allocate(self) -> None:
        room = self._room
        items, limit = room["items"], room["limit"]
        self._ranking = Ranking(
            first_edges=np.empty(items, np.int32),
            next_edges=np.empty(room["edges"], np.int32),
            blocks=np.empty(items, np.int32),
            found=np.empty(items, np.int32),
            exhausted=np.empty(items, np.uint8),
            derivations=np.empty((room["derivations"], 3), np.int32),
            derivation_scores=np.empty(room["derivations"]),
            lists=np.empty((items, 2), np.int32),
            pool=np.empty((room["pool"], 4), np.int32),
            pool_scores=np.empty(room["pool"]),
            stack=np.empty((room["steps"], 2), np.int32),
            root_scores=np.empty(items),
            top_ranks=np.empty(items, np.int32),
            top_scores=np.empty(items),
            numbers=np.zeros(layout.RANKING_NUMBERS, np.int64),
        )
        self._list = DerivationList(
            scores=np.empty(limit),
            ranges=np.empty((limit, 2), np.int32),
            steps=np.empty((room["steps"], layout.STEP_COLUMNS), np.int32),
            parts=np.empty(room["steps"], np.int32),
            chosen=np.empty((limit, room["words"]), np.int32),
        )
