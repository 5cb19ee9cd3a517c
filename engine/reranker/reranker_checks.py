"""Whether the arrays of a re-ranker are such as its kernels may use, whoever wrote them.

Where a feature is looked for follows from the keys alone (:attr:`engine.reranker.reranker.Reranker.buckets`), and is
inside them whatever they are; there must be a weight for each, and all weights must be numbers that can be summed up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, Float32Array, FloatArray, Int64Array
from engine.common.checked_json import CheckedValue, ValueProblem
from engine.common.errors import DamagedPart
from engine.structure.hashing_layout import HASH_MASK

LARGEST_WEIGHT = 1e6
"""In nats; the largest of ``english`` is below 10."""
MOST_COLUMNS = 16
"""Values of a parse that have a weight of their own: its log probability, the second model's, and what may come."""
_TYPES = {"keys": np.int64, "weights": np.float32, "column_weights": np.float64}


def check_stored(arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any]) -> None:
    """Raise :class:`DamagedPart` unless these are the arrays and the metadata of a re-ranker."""
    stored = CheckedValue(metadata, "reranker")
    try:
        if stored.member("scale").number(0.0, LARGEST_WEIGHT) == 0.0:
            raise ValueProblem("its scale is 0")
        if (lists := stored.optional("lists")) is not None:
            lists.integer(0)
    except ValueProblem as problem:
        raise DamagedPart(f"its re-ranker is damaged: {problem}") from problem
    if not {"keys", "weights"} <= set(arrays) <= set(_TYPES):
        raise DamagedPart("its re-ranker is damaged: an array is missing, or one too many")
    for name, array in arrays.items():
        if array.dtype != _TYPES[name] or array.ndim != 1:
            raise DamagedPart(f"its re-ranker is damaged: its {name} have the wrong type or shape")


def check_weights(keys: Int64Array, weights: Float32Array, column_weights: FloatArray) -> None:
    """Raise :class:`DamagedPart` unless every key has one weight, and all weights are numbers that can be summed up."""
    if len(keys) != len(weights) or bool(np.any(keys[1:] <= keys[:-1])):
        raise DamagedPart("its re-ranker is damaged: its keys do not increase, or lack weights")
    if len(keys) and not 0 <= int(keys[0]) <= int(keys[-1]) <= HASH_MASK:
        raise DamagedPart("its re-ranker is damaged: its keys have too many bits")
    if not 1 <= len(column_weights) <= MOST_COLUMNS or column_weights[0] != 1.0:
        raise DamagedPart("its re-ranker is damaged: the parser's log probability should weigh 1")
    for values in (weights, column_weights):
        # Not a number is not below either.
        if not bool(np.all(np.abs(values) <= LARGEST_WEIGHT)):
            raise DamagedPart("its re-ranker is damaged: a weight is no number")
