"""The second model: P(tree, words) of a head-driven generative model, each decision with its counts.

The parser's own model knows words in pairs; this one knows a head with all that it takes: which complements, how many
modifiers on either side, and where they stop.  The re-ranker weighs its log probability with the features of trees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import AnyArray, BoolArray, FloatArray, Int32Array
from engine.common.errors import DamagedPart
from engine.counts.corpus import Vocabulary
from engine.generative import generative_estimates_kernel
from engine.generative.generative_checks import check_buckets, checked_contexts
from engine.generative.generative_counting import complement_classes, verb_tags, verbs_before, with_buckets
from engine.generative.generative_layout import (
    BACKOFF,
    DISTINCT_FACTOR,
    EVENT_KIND,
    EVENT_NODE,
    EVENT_PLACE,
    FLOORS,
    OUTCOME,
    GenerativeCounts,
)
from engine.generative.word_classes import numbers_with_classes

GENERATIVE_FORMAT = 1
"""The version of the events, their levels and the hash."""


class GenerativeLevel(NamedTuple):
    """One level of back-off of an event.

    Attributes
    ----------
    name
        The table that it looks into.
    fields
        The columns of an event that it looks at (:mod:`engine.generative.generative_layout`).
    met, total, distinct
        How often the outcome was met in this context, how often the context, and with how many different outcomes;
        0 where the context was not met twice.
    weight
        λ = n / (n + 4 u): its weight against all levels after it.
    """

    name: str
    fields: tuple[int, ...]
    met: int
    total: int
    distinct: int
    weight: float


class GenerativeEvent(NamedTuple):
    """One decision of the second model in a tree.

    Attributes
    ----------
    row
        The event in numbers.
    kind, outcome
        What was decided, and how.
    node, place
        The constituent's number in the derivation, and the position of the word that it is about.
    levels
        The levels of back-off, finest first.
    probability
        The estimate.
    """

    row: tuple[int, ...]
    kind: int
    outcome: int
    node: int
    place: int
    levels: tuple[GenerativeLevel, ...]
    probability: float

    @property
    def log(self) -> float:
        """Its share of the tree's log probability."""
        return math.log(self.probability)


class GenerativeModel:
    """The second model's counts, with the words that it knows by themselves.

    Parameters
    ----------
    counts
        The counts.
    common
        Of every word of the vocabulary whether it is known by itself, and not by its class.
    vocabulary
        Of the model that it belongs to.

    Attributes
    ----------
    complements
        By label its class among complements.
    verb_tags
        By tag 1 for a verb's.
    """

    def __init__(self, counts: GenerativeCounts, common: BoolArray, vocabulary: Vocabulary) -> None:
        if len(common) != len(vocabulary.words):
            raise DamagedPart("its second model is damaged")
        self.counts = counts
        self.common = common
        self._is_common: list[bool] = common.tolist()
        self.complements = complement_classes(vocabulary.labels)
        self.verb_tags = verb_tags(vocabulary.tags)
        # To the compiler arrays that can be written are another type.
        for array in (*counts[1:], common, self.complements, self.verb_tags):
            array.setflags(write=False)

    def arrays(self) -> dict[str, AnyArray]:
        """All that was counted, as arrays to be stored: hashes as differences, which pack better."""
        counts = self.counts
        return {
            "contexts": np.diff(counts.contexts, prepend=np.int64(0)),
            "sizes": np.diff(counts.starts).astype(np.int32),
            "outcomes": counts.outcomes,
            "counts": counts.counts,
            "common": np.packbits(self.common),
        }

    @property
    def metadata(self) -> dict[str, Any]:
        """What is worth knowing of it."""
        return {"format": GENERATIVE_FORMAT, "contexts": len(self.counts.contexts)}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any], vocabulary: Vocabulary
    ) -> GenerativeModel:
        """The model whose :meth:`arrays` these are; raise :class:`DamagedPart` if they are none's."""
        if metadata.get("format") != GENERATIVE_FORMAT:
            raise DamagedPart(f"its second model has format {metadata.get('format')!r}, not {GENERATIVE_FORMAT}")
        contexts = checked_contexts(arrays, len(vocabulary.words))
        made = with_buckets(contexts, arrays["sizes"].astype(np.int64), arrays["outcomes"], arrays["counts"])
        check_buckets(made)
        common = np.unpackbits(arrays["common"])[: len(vocabulary.words)].astype(bool)
        return cls(made, common, vocabulary)

    def words(self, numbers: Sequence[int], words: Sequence[str]) -> Int32Array:
        """Words as this model knows them: by number or, if they are rare or unknown, by class."""
        return numbers_with_classes(numbers, words, self._is_common)

    def verbs_before(self, tags: Int32Array) -> Int32Array:
        """How many verbs stand before each word, and before the end."""
        return verbs_before(tags, self.verb_tags)

    def rows(self, steps: Int32Array, words: Int32Array, tags: Int32Array, marks: Int32Array) -> Int32Array:
        """The events of a tree, one row each (:mod:`engine.generative.generative_layout`)."""
        found: Int32Array = generative_estimates_kernel.tree_events(
            steps, words, tags, self.verbs_before(tags), marks, self.complements
        )
        return found

    def log_probabilities(self, rows: Int32Array) -> FloatArray:
        """The log probability of every event."""
        found: FloatArray = generative_estimates_kernel.log_probabilities(self.counts, rows)
        return found

    def events(self, rows: Int32Array) -> list[GenerativeEvent]:
        """The events of a tree with the counts of every level."""
        return [self._event(row) for row in rows]

    def _event(self, row: Int32Array) -> GenerativeEvent:
        kind, outcome = int(row[EVENT_KIND]), int(row[OUTCOME])
        levels = [self._level(row, number) for number in range(len(BACKOFF[kind]))]
        probability = float(FLOORS[kind])
        for level in reversed(levels):
            if level.total:
                probability = level.weight * (level.met / level.total) + (1.0 - level.weight) * probability
        place, node = int(row[EVENT_PLACE]), int(row[EVENT_NODE])
        return GenerativeEvent(tuple(row.tolist()), kind, outcome, node, place, tuple(levels), probability)

    def _level(self, row: Int32Array, number: int) -> GenerativeLevel:
        name, fields = BACKOFF[int(row[EVENT_KIND])][number]
        counts = self.counts
        place = generative_estimates_kernel.context_place(counts, generative_estimates_kernel.context_hash(row, number))
        if place < 0:
            return GenerativeLevel(name, fields, 0, 0, 0, 0.0)
        total, distinct = int(counts.totals[place]), int(counts.starts[place + 1] - counts.starts[place])
        met = generative_estimates_kernel.outcome_count(counts, place, int(row[OUTCOME]))
        return GenerativeLevel(name, fields, met, total, distinct, total / (total + DISTINCT_FACTOR * distinct))
