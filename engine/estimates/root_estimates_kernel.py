"""F̂(<label> | head-word, head tag): the head of the sentence as one more arrow, to the root (footnote 5)."""

from __future__ import annotations

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts
from engine.counts.keys_kernel import root_key
from engine.counts.lookup_kernel import count_of, find
from engine.counts.specifications_layout import ROOT_ANY, ROOT_TAG, ROOT_WORD
from engine.estimates.smoothing_kernel import interpolated


@kernel(allocates=False)
def root_estimate(counts: Counts, word: int, tag: int, label: int) -> float:
    """F̂(<label> | head-word, head tag): the root as one more arrow, AF(j) = (0, <label>).

    How often a reduced word of this kind was the head of its sentence under this label, out of all
    its occurrences.
    """
    delta_3, start, end = find(counts, ROOT_ANY, root_key(counts.widths, ROOT_ANY, word, tag))
    below = count_of(counts, start, end, label) / max(delta_3, 1)
    delta_2, start, end = find(counts, ROOT_TAG, root_key(counts.widths, ROOT_TAG, word, tag))
    below = interpolated(count_of(counts, start, end, label), delta_2, below)
    if word < 0:
        return below
    delta_1, start, end = find(counts, ROOT_WORD, root_key(counts.widths, ROOT_WORD, word, tag))
    return interpolated(count_of(counts, start, end, label), delta_1, below)
