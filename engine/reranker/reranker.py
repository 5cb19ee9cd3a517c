"""The re-ranker: a log-linear model of whole trees over the parser's n best (after Charniak and Johnson, 2005).

A model of pairs of words cannot see a word's sisters or its head's head.  The re-ranker adds to the log probability of
each of the n best parses the weights of the features that it has (:mod:`engine.reranker.features_kernel`), in nats,
and the
order of the sums is the new ranking.  It is trained by cross-validation (:mod:`engine.training.reranker_training`),
stored
in the model, and optional.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import AnyArray, Float32Array, FloatArray, Int32Array, Int64Array, UInt8Array
from engine.common.errors import DamagedPart
from engine.counts.corpus import Vocabulary
from engine.reranker import features_kernel
from engine.reranker.feature_wording import describe_feature
from engine.reranker.features_layout import BUCKET_SHIFT, BUCKETS, FILTER_SHIFT
from engine.reranker.reranker_checks import check_stored, check_weights
from engine.reranker.scoring_layout import COLUMNS, GENERATIVE, WEIGHTS
from engine.structure.constituents import Constituent
from engine.structure.structure_layout import (
    BASE,
    GROW_LEFT,
    GROW_RIGHT,
    NO_LABEL,
    START_LEFT,
    START_RIGHT,
    UNARY,
    WORD,
)

RERANKER_FORMAT = 3
"""The version of the templates and of the hash."""


class WeighedFeature(NamedTuple):
    """A feature of a tree: its kind, what it is, how many times the tree has it, and its weight in nats."""

    name: str
    text: str
    times: int
    weight: float


class Reranker:
    """The weights of features.

    Parameters
    ----------
    keys, weights
        Hashes of the features in increasing order, and what each weighs.
    metadata
        ``format`` and whatever is worth keeping about its training.
    column_weights
        What the real values of a parse weigh: the parser's own log probability, which weighs 1, and that of the second
        model, if there is one.
    """

    def __init__(
        self,
        keys: Int64Array,
        weights: Float32Array,
        metadata: Mapping[str, Any],
        column_weights: FloatArray | None = None,
    ) -> None:
        self.keys = np.ascontiguousarray(keys, np.int64)
        self.weights = np.ascontiguousarray(weights, np.float32)
        self.column_weights = np.array([1.0] if column_weights is None else column_weights, np.float64)
        if metadata.get("format") != RERANKER_FORMAT:
            raise DamagedPart(f"its re-ranker has format {metadata.get('format')!r}, not {RERANKER_FORMAT}")
        check_weights(self.keys, self.weights, self.column_weights)
        self.metadata = dict(metadata)
        for array in (self.keys, self.weights, self.column_weights):
            array.setflags(write=False)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any]) -> Reranker:
        """The re-ranker whose :meth:`arrays` these are; raise :class:`DamagedPart` if they are none's."""
        check_stored(arrays, metadata)
        return cls(arrays["keys"], arrays["weights"], metadata, arrays.get("column_weights"))

    @cached_property
    def _sum_weights(self) -> FloatArray:
        """What each of the sums over a tree weighs (:mod:`engine.reranker.scoring_layout`)."""
        weights = np.zeros(COLUMNS)
        weights[WEIGHTS], weights[GENERATIVE] = 1.0, self.generative_weight
        return weights

    @cached_property
    def buckets(self) -> Int32Array:
        """Where the hashes with given upper bits start among `keys`."""
        buckets = np.searchsorted(self.keys >> BUCKET_SHIFT, np.arange(BUCKETS + 1)).astype(np.int32)
        buckets.setflags(write=False)
        return buckets

    @cached_property
    def filter_bits(self) -> UInt8Array:
        """One bit for many hashes each, 1 if one of them is among `keys`; at least eight times as many as keys."""
        size = 1 << max(8 * len(self.keys) - 1, 7).bit_length()
        found = np.zeros(size, np.uint8)
        found[(self.keys >> FILTER_SHIFT) & (size - 1)] = 1
        bits = np.packbits(found, bitorder="little")
        bits.setflags(write=False)
        return bits

    def arrays(self) -> dict[str, np.ndarray]:
        """All that was learnt, as arrays to be stored."""
        return {"keys": self.keys, "weights": self.weights, "column_weights": self.column_weights}

    @property
    def scale(self) -> float:
        """What a score is multiplied by to make it a log probability of the parse among those of its list."""
        return float(self.metadata["scale"])

    @property
    def generative_weight(self) -> float:
        """What the second model's log probability weighs; 0 if the re-ranker was trained without one."""
        return float(self.column_weights[1]) if len(self.column_weights) > 1 else 0.0

    def scores(self, log_probabilities: FloatArray, sums: FloatArray) -> FloatArray:
        """The scores of the parses of a list, from the parser's log probability and the sums over each tree."""
        found: FloatArray = log_probabilities + sums @ self._sum_weights
        return found

    def weighed(self, rows: Int32Array, vocabulary: Vocabulary) -> list[WeighedFeature]:
        """The features of a tree that have a weight, the weightiest first."""
        keys = features_kernel.hashes(rows)
        places = np.searchsorted(self.keys, keys)
        found: Counter[tuple[int, int]] = Counter()
        row_of: dict[int, int] = {}
        for number, (place, key) in enumerate(zip(places.tolist(), keys.tolist(), strict=True)):
            if place < len(self.keys) and self.keys[place] == key:
                found[place, key] += 1
                row_of.setdefault(place, number)
        weighed = [
            WeighedFeature(*describe_feature(rows[row_of[at]].tolist(), vocabulary), count, float(self.weights[at]))
            for (at, _), count in found.items()
        ]
        return sorted(weighed, key=lambda feature: (-abs(feature.weight * feature.times), feature.text))


NO_FEATURES = Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), {"format": RERANKER_FORMAT, "scale": 1.0})
"""A re-ranker that has learnt nothing."""


def steps_of(root: Constituent, labels: Mapping[str, int]) -> Int32Array:
    """The derivation of a tree, as :func:`engine.chart.chart_kernel.derivation` gives it of a parse."""
    unknown = len(labels)

    def number(label: str) -> int:
        return labels.get(label, unknown)

    steps: list[tuple[int, int, int, int, int, int]] = []
    # A constituent still to be written, or a step to write after what it stands on.
    stack: list[Constituent | tuple[int, int, int, int, int, int]] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            steps.append(item)
            continue
        node, head = item, item.head
        if not node.children:
            kind = BASE if node.is_base else WORD
            steps.append((kind, number(node.label), NO_LABEL, head, node.start, node.end - 1))
            continue
        if len(node.children) == 1:
            stack += [(UNARY, number(node.label), number(node.children[0].label), head, head, head), node.children[0]]
            continue
        middle = node.head_child
        lefts, rights = node.children[:middle], node.children[middle + 1 :]
        later: list[Constituent | tuple[int, int, int, int, int, int]] = [*lefts, node.children[middle]]

        def join(kind: int, node: Constituent = node) -> tuple[int, int, int, int, int, int]:
            return kind, number(node.label), number(node.head_label), node.head, node.head, node.head

        for place, child in enumerate(rights):
            later += [child, join(GROW_RIGHT if place else START_RIGHT)]
        for place in range(len(lefts)):
            later.append(join(START_LEFT if not rights and not place else GROW_LEFT))
        stack += reversed(later)
    return np.array(steps, np.int32)
