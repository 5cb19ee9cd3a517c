"""Finding the places of a context: the counting of a treebank done again, and kept where the key is the one asked for.

Nothing is indexed but the columns themselves.  A context names words or tags; only sentences and words that have them
are counted again, which takes milliseconds for tens of thousands of trees.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.analysis.evidence import instance_search_kernel
from engine.analysis.evidence.instances import HEAD_ROLE, LEFT_ROLE, MODIFIER_ROLE, RIGHT_ROLE, WORD_ROLE, Instances
from engine.counts import counts_layout as data
from engine.counts import internal_spans_kernel
from engine.counts.context_features import between_classes, neighbours_of_rows
from engine.counts.corpus import Treebank
from engine.counts.counting import inside_marks
from engine.counts.counts_layout import Widths
from engine.counts.events import Neighbours, beside_rows, gap_occurrences, gap_rows, root_occurrences, unary_occurrences
from engine.counts.specifications import DEPENDENCY_TABLES, GAP_TABLES, INSIDE_TABLES, ROOT_TABLES, unpack


class Searcher:
    """Finds contexts in a treebank whose numbers are those of a model."""

    def __init__(self, treebank: Treebank, widths: Widths, weights: np.ndarray) -> None:
        self._treebank = treebank
        self._corpus = treebank.corpus
        self._widths = widths
        self._weights = weights
        self._reduced = self._corpus.heads != data.SWALLOWED

    @cached_property
    def _sentence_of(self) -> np.ndarray:
        sizes = np.diff(self._corpus.starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return neighbours_of_rows(self._corpus)

    @cached_property
    def _beside(self) -> np.ndarray:
        return beside_rows(self._corpus, self._widths)

    @cached_property
    def _classes(self) -> np.ndarray:
        return between_classes(self._treebank.vocabulary.tags)

    @cached_property
    def _marks(self) -> tuple[np.ndarray, np.ndarray, int]:
        return inside_marks(self._treebank)

    @cached_property
    def _spans_in_all(self) -> int:
        """How many spans there are within baseNPs."""
        marks, labels, possessive = self._marks
        nothing = np.empty(0, np.int64)
        spans, _ = internal_spans_kernel.span_keys(
            self._corpus, self._widths, data.INSIDE_ENDS, marks, labels, possessive, nothing, nothing, nothing
        )
        return int(spans)

    def sentences_of(self, rows: np.ndarray) -> np.ndarray:
        """The sentence of every row."""
        return self._sentence_of[rows]

    def find(self, table: int, keys: tuple[int, ...]) -> Instances:
        """Every place with one of these keys, whatever happened there."""
        wanted = np.array(sorted(set(keys)), np.int64)
        if table in DEPENDENCY_TABLES:
            return self._pairs(table, wanted)
        if table in GAP_TABLES:
            return self._gaps(table, wanted)
        if table in ROOT_TABLES:
            return self._roots(table, wanted)
        if table in INSIDE_TABLES:
            return self._spans(table, wanted)
        return self._unaries(table, wanted)

    def _pairs(self, table: int, keys: np.ndarray) -> Instances:
        corpus, widths = self._corpus, self._widths
        parts = unpack(widths, table, keys)
        masks = []
        for role in ("modifier", "head"):
            mask = self._reduced
            for name, column in ((role, corpus.words), (f"{role} tag", corpus.tags)):
                if name in parts:
                    values = np.unique(parts[name])
                    mask = mask & (column == values[0] if len(values) == 1 else np.isin(column, values))
            masks.append(mask)
        as_modifier, as_head = masks
        modifiers, heads = (np.add.reduceat(mask.astype(np.int64), corpus.starts[:-1]) for mask in masks)
        pairs = modifiers * heads
        sentences = np.flatnonzero(pairs)
        found = np.empty((int(pairs.sum()), 2), np.int64)
        filled = instance_search_kernel.matching_pairs(
            corpus, widths, table, self._beside, self._classes, sentences, as_modifier, as_head, keys, found
        )
        rows = found[:filled]
        modifier, head = rows[:, 0], rows[:, 1]
        where = self.sentences_of(modifier)
        is_arrow = corpus.heads[modifier] == head - corpus.starts[where]
        outcomes = np.where(is_arrow, corpus.relations[modifier], -1)
        return self._instances((MODIFIER_ROLE, HEAD_ROLE), rows, rows.min(axis=1), rows.max(axis=1), outcomes)

    def _gaps(self, table: int, keys: np.ndarray) -> Instances:
        all_keys, outcomes = gap_occurrences(self._corpus, self._widths, table, self._neighbours)
        places = np.flatnonzero(np.isin(all_keys, keys))
        right = gap_rows(self._corpus)[places]
        rows = np.stack([right - 1, right], axis=1)
        return self._instances((LEFT_ROLE, RIGHT_ROLE), rows, right - 1, right, outcomes[places])

    def _unaries(self, table: int, keys: np.ndarray) -> Instances:
        treebank = self._treebank
        all_keys = unary_occurrences(treebank, self._widths, table, self._neighbours)
        places = np.flatnonzero(np.isin(all_keys, keys))
        rows = treebank.unary_rows[places]
        return self._instances(
            (WORD_ROLE, WORD_ROLE),
            np.stack([rows, rows], axis=1),
            treebank.unary_first[places],
            treebank.unary_ends[places] - 1,
            treebank.unary_parents[places],
        )

    def _roots(self, table: int, keys: np.ndarray) -> Instances:
        corpus = self._corpus
        all_keys = root_occurrences(corpus, self._widths, table)
        rows = np.flatnonzero(self._reduced & np.isin(all_keys, keys))
        outcomes = np.where(corpus.heads[rows] == data.ROOT, corpus.relations[rows], -1)
        return self._instances((WORD_ROLE, WORD_ROLE), np.stack([rows, rows], axis=1), rows, rows, outcomes)

    def _spans(self, table: int, keys: np.ndarray) -> Instances:
        corpus, widths = self._corpus, self._widths
        marks, labels, possessive = self._marks
        found = np.empty((self._spans_in_all, 2), np.int64)
        filled = instance_search_kernel.matching_spans(corpus, widths, table, possessive, keys, found)
        rows = found[:filled]
        names = rows[:, 0] * 64 + (rows[:, 1] - rows[:, 0] + 1)
        at = np.minimum(np.searchsorted(marks, names), max(len(marks) - 1, 0))
        outcomes = np.full(filled, -1, np.int64)
        if len(marks):
            outcomes = np.where(marks[at] == names, labels[at], -1)
        return self._instances(("", ""), rows, rows[:, 0], rows[:, 1], outcomes)

    def _instances(
        self, roles: tuple[str, str], rows: np.ndarray, first: np.ndarray, last: np.ndarray, outcomes: np.ndarray
    ) -> Instances:
        sentences = self.sentences_of(first)
        return Instances(roles, sentences, rows, first, last, outcomes, self._weights[sentences])
