"""Context features: neighbours of a word, brackets, the classes of what lies between two words (preset 5).

The paper's estimates look at two words, their tags and the distance.  Those of preset (5) look also at the tags beside
them, which the sentence gives and no baseNP or tree changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

import numpy as np

from engine.common.arrays import Int32Array, Int64Array
from engine.counts.counts_layout import BETWEEN_CLASSES, CorpusColumns
from engine.structure.structure_layout import CONTEXT_FEATURES

OPENING, CLOSING = "-LRB-", "-RRB-"
ENDING_TAGS = frozenset({"CC", CLOSING})
"""Before these a constituent may end although a comma came before it: the extended rule on commas."""


def between_classes(tags: Sequence[str]) -> Int64Array:
    """Give every tag the bit of its class among what lies between two words, 0 for none; one more for unknown tags."""
    bits = {tag: 1 << number for number, names in enumerate(BETWEEN_CLASSES) for tag in names}
    return np.array([*(bits.get(tag, 0) for tag in tags), 0], np.int64)


def neighbours_of_rows(columns: CorpusColumns) -> tuple[Int64Array, Int64Array]:
    """Find the neighbours of what begins at every row, and of what ends before it."""
    tags = columns.tags.astype(np.int64) + 1
    comma = (columns.commas > 0).astype(np.int64)
    before = np.zeros(len(tags) + 1, np.int64)
    before[1:-1] = 2 * tags[:-1] + comma[1:]
    after = np.append(2 * tags + comma, 0)
    for codes in (before, after):
        codes[columns.starts] = 0
    return before, after


def partners(tags: Sequence[str]) -> list[int]:
    """Find the partner of every bracket; −1 for other words and for stray brackets."""
    found = [-1] * len(tags)
    open_: list[int] = []
    for position, tag in enumerate(tags):
        if tag == OPENING:
            open_.append(position)
        elif tag == CLOSING and open_:
            found[position] = open_.pop()
            found[found[position]] = position
    return found


def unbalanced(pairs: Sequence[int], start: int, end: int) -> bool:
    """Tell whether words ``start .. end`` hold one of two brackets and not the other; a single word never does."""
    if end - start < 2:
        return False
    return any(pairs[at] >= 0 and not start <= pairs[at] < end for at in range(start, end))


def context_features(tags: Sequence[str], numbers: Sequence[int], commas: Sequence[int]) -> Int32Array:
    """One row a word, for the kernels; see :class:`engine.chart.chart_layout.SentenceArrays`."""
    size = len(tags)
    pairs = partners(tags) if OPENING in tags else [-1] * size
    codes = [2 * number + 2 for number in numbers]
    comma_before = [comma > 0 for comma in commas[1:]]
    # In the order of BEFORE, AFTER, OWN_TAG, PARTNER and ENDS_BEFORE; one flat list is made into an array soonest.
    columns = [0, *map(add, codes, comma_before)] if size else []
    columns += map(add, codes[1:], comma_before)
    columns += [0] * (size > 0)
    columns += numbers
    columns += pairs
    columns += [tag in ENDING_TAGS for tag in tags]
    return np.array(columns, np.int32).reshape(CONTEXT_FEATURES, size).T.copy()
