"""Search for the places of a context: the corpus is counted again, and what has the key asked for is kept.

Nothing is indexed but the columns themselves.  A context names words or tags; only sentences and words that have them
are counted again, which takes milliseconds for tens of thousands of trees.
"""

from __future__ import annotations

import numpy as np

from engine.analysis.evidence.instances import HEAD_ROLE, LEFT_ROLE, MODIFIER_ROLE, RIGHT_ROLE, WORD_ROLE, Instances
from engine.common.arrays import BoolArray, Int64Array, IntArray
from engine.counts.corpus import Corpus
from engine.counts.counts_layout import Widths
from engine.counts.events import CorpusEvents
from engine.counts.keys import unpack
from engine.counts.specifications_layout import DEPENDENCY_TABLES, TABLES, CountedFactor

ROLES: dict[CountedFactor, tuple[str, str]] = {
    CountedFactor.DEPENDENCY: (MODIFIER_ROLE, HEAD_ROLE),
    CountedFactor.GAP: (LEFT_ROLE, RIGHT_ROLE),
    CountedFactor.UNARY: (WORD_ROLE, WORD_ROLE),
    CountedFactor.ROOT: (WORD_ROLE, WORD_ROLE),
    CountedFactor.SPAN: ("", ""),
}
"""The parts that the two words of a place play."""


class Searcher:
    """Finds contexts in a corpus whose numbers are those of a model."""

    def __init__(self, corpus: Corpus, widths: Widths, weights: Int64Array) -> None:
        self.events = CorpusEvents(corpus, widths)
        self._columns = corpus.columns
        self._widths = widths
        self._weights = weights

    def sentences_of(self, rows: IntArray) -> IntArray:
        """The sentence of every row."""
        return self.events.sentence_of[rows]

    def find(self, table: int, keys: tuple[int, ...]) -> Instances:
        """Find every place with one of these keys, whatever happened there."""
        wanted = np.array(sorted(set(keys)), np.int64)
        as_modifier = as_head = self.events.reduced
        if table in DEPENDENCY_TABLES:
            as_modifier, as_head = (self._may_be(role, table, wanted) for role in ("modifier", "head"))
        found = self.events.find(table, wanted, as_modifier, as_head)
        sentences = self.sentences_of(found.first)
        return Instances(
            ROLES[TABLES[table].factor],
            sentences,
            found.rows,
            found.first,
            found.last,
            found.outcomes,
            self._weights[sentences],
        )

    def _may_be(self, role: str, table: int, keys: Int64Array) -> BoolArray:
        """Mark the rows whose word and tag are those of a modifier, or head, in one of these keys."""
        parts = unpack(self._widths, table, keys)
        mask = self.events.reduced
        for name, column in ((role, self._columns.words), (f"{role} tag", self._columns.tags)):
            if name in parts:
                values = np.unique(parts[name])
                mask = mask & (column == values[0] if len(values) == 1 else np.isin(column, values))
        return mask
