"""Whether the arrays of a second model are such as its kernels may look into, whoever wrote them.

A context is found by the upper bits of its hash, and its outcomes where the sizes of those before it say; what was
met must have been met at least once, for the kernels divide by it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.common.arrays import AnyArray, Int64Array
from engine.common.errors import DamagedPart
from engine.generative.generative_layout import GenerativeCounts
from engine.structure.hashing_layout import HASH_MASK

FULLEST_BUCKET = 256
"""Contexts in one bucket at most, which are looked through one by one; the fullest of ``english`` has 7."""
_TYPES = {"contexts": np.int64, "sizes": np.int32, "outcomes": np.int32, "counts": np.int32, "common": np.uint8}


def checked_contexts(arrays: Mapping[str, AnyArray], words: int) -> Int64Array:
    """The hashes of the contexts, which are stored as differences, if all arrays are those of a second model.

    Raise :class:`DamagedPart` if they are not; `words` is how many the vocabulary has.
    """
    if set(arrays) != set(_TYPES):
        raise _damaged("an array is missing, or one too many")
    for name, kind in _TYPES.items():
        if arrays[name].dtype != kind or arrays[name].ndim != 1:
            raise _damaged(f"its {name} have the wrong type or shape")
    differences, sizes, outcomes, counts = (arrays[name] for name in ("contexts", "sizes", "outcomes", "counts"))
    if len(arrays["common"]) != -(-words // 8):
        raise _damaged("it knows other words")
    contexts: Int64Array = np.cumsum(differences)
    # A sum that has no room becomes smaller than the one before.
    if bool(np.any(contexts[1:] <= contexts[:-1])) or bool(np.any((contexts < 0) | (contexts > HASH_MASK))):
        raise _damaged("its contexts do not increase")
    if len(sizes) != len(contexts) or len(outcomes) != len(counts):
        raise _damaged("its arrays differ in length")
    if int(sizes.min(initial=1)) < 1 or int(sizes.sum(dtype=np.int64)) != len(counts):
        raise _damaged("its sizes do not fit its outcomes")
    if int(counts.min(initial=1)) < 1:
        raise _damaged("a count is not positive")
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    if len(starts) and int(np.add.reduceat(counts, starts, dtype=np.int64).max()) > np.iinfo(np.int32).max:
        raise _damaged("its counts are too large")
    is_first = np.zeros(len(outcomes), bool)
    is_first[starts] = True
    if not np.all((outcomes[1:] > outcomes[:-1]) | is_first[1:]):
        raise _damaged("the outcomes of a context do not increase")
    return contexts


def check_buckets(counts: GenerativeCounts) -> None:
    """Raise :class:`DamagedPart` if a context would have to be looked for among very many."""
    if int(np.diff(counts.buckets).max()) > FULLEST_BUCKET:
        raise _damaged("its contexts are too much alike")


def _damaged(problem: str) -> DamagedPart:
    return DamagedPart(f"its second model is damaged: {problem}")
