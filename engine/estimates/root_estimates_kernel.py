"""F̂(<label> | head-word, head tag): the head of the sentence as one more arrow, to the root (footnote 5)."""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import ROOT_ANY, ROOT_TAG, ROOT_WORD, Counts
from engine.counts.keys_kernel import tag_key
from engine.counts.lookup_kernel import count_of, find
from engine.estimates.smoothing_kernel import interpolated


@kernel(allocates=False)
def root_estimate(counts: Counts, word: int, tag: int, label: int) -> float:
    """F̂(<label> | head-word, head tag): the root as one more arrow, AF(j) = (0, <label>) (footnote 5).

    How often a reduced word of this kind was the head of its sentence under this label, out of all
    its occurrences.
    """
    delta_3, start, end = find(counts, ROOT_ANY, 0)
    below = count_of(counts, start, end, label) / max(delta_3, 1)
    delta_2, start, end = find(counts, ROOT_TAG, tag)
    below = interpolated(count_of(counts, start, end, label), delta_2, below)
    if word < 0:
        return below
    delta_1, start, end = find(counts, ROOT_WORD, tag_key(counts.widths, word, tag))
    return interpolated(count_of(counts, start, end, label), delta_1, below)


@kernel(allocates=False)
def root_counts(counts: Counts, word: int, tag: int, label: int, eta: np.ndarray, delta: np.ndarray) -> None:
    """η and δ behind :func:`root_estimate`: word and tag, tag alone, nothing."""
    if word >= 0:
        delta[0], start, end = find(counts, ROOT_WORD, tag_key(counts.widths, word, tag))
        eta[0] = count_of(counts, start, end, label)
    delta[1], start, end = find(counts, ROOT_TAG, tag)
    eta[1] = count_of(counts, start, end, label)
    delta[2], start, end = find(counts, ROOT_ANY, 0)
    eta[2] = count_of(counts, start, end, label)
