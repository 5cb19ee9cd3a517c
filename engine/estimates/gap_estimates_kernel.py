"""P̂ of the gap tags between two words (section 2.5): the paper's form, and preset (5)'s.

Preset (5) mixes each level with all coarser ones, (η + c P') / (δ + c), and takes what the neighbouring tags say to
be independent of the words once the tags are known: the estimate from the words is multiplied by the ratio of the
estimate with neighbours to that without, and divided by the sum over all gap tags.

Where the paper's form finds no tree, further back-off (:class:`engine.settings.FurtherBackoff`) mixes every level with
all below it, by the paper's own λ, down to the comma.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, GapContext, Switches
from engine.counts.keys_kernel import gap_key
from engine.counts.lookup_kernel import NO_BUCKET, bucket_of, look_into
from engine.counts.specifications_layout import (
    GAP_AFTER,
    GAP_AROUND,
    GAP_BEFORE,
    GAP_COMMA,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    LEFT_WORD,
    RIGHT_WORD,
    TABLE_FIELDS,
)
from engine.estimates.smoothing_kernel import add_counts, interpolated, smoothed
from engine.structure.structure_layout import GAP_TAGS

# Rows of the counts behind a gap, and the table of each; the last three are preset (5)'s.
G_PAIR, G_LEFT, G_RIGHT, G_TAGS, G_COMMA, G_BEFORE, G_AFTER, G_AROUND = range(8)
GAP_ROWS = np.array(
    (GAP_PAIR, GAP_LEFT, GAP_RIGHT, GAP_TAG_PAIR, GAP_COMMA, GAP_BEFORE, GAP_AFTER, GAP_AROUND), np.int64
)  # fmt: skip
GAP_LEVELS = len(GAP_ROWS)
"""How many levels there are, and so how much room their counts need."""
PAPERS_ROWS = G_COMMA + 1

# c of each level of preset (5).
C_GAP_TAGS = 1.0
C_GAP_BESIDE = 2.0
C_GAP_AROUND = 5.0
C_GAP_WORD = 3.0
C_GAP_PAIR = 1.0
GAP_FLOOR = 0.01
"""Added to the count of every gap tag where the comma is all that is known."""


@kernel(allocates=False, inlined=True)
def gap_levels_asked(switches: Switches) -> int:
    """How many levels are looked up: the first so many rows."""
    return GAP_LEVELS if switches.gap_contexts else PAPERS_ROWS


@kernel(allocates=False, inlined=True)
def gap_buckets(counts: Counts, levels: int, gap: GapContext, lookups: Int64Array, row: int) -> int:
    """Write the buckets of a gap on all levels from a row on; return the row after them."""
    for level in range(levels):
        table = int(GAP_ROWS[level])
        fields = TABLE_FIELDS[table]
        bucket = NO_BUCKET
        if not (fields & LEFT_WORD and gap.left_word < 0) and not (fields & RIGHT_WORD and gap.right_word < 0):
            bucket = bucket_of(counts, table, gap_key(counts.widths, table, gap))
        lookups[row, 0] = bucket[0]
        lookups[row, 1] = bucket[1]
        lookups[row, 2] = bucket[2]
        row += 1
    return row


@kernel(allocates=False, inlined=True)
def counts_of_gap(
    counts: Counts, levels: int, lookups: Int64Array, row: int, eta: Int64Array, delta: Int64Array
) -> int:
    """η of the five gap tags and δ, in the rows ``G_PAIR .. G_AROUND``, of what was found; return the row after it."""
    eta[:] = 0
    delta[:] = 0
    for level in range(levels):
        delta[level] = lookups[row, 0]
        add_counts(counts, lookups[row, 1], lookups[row, 2], eta[level])
        row += 1
    return row


@kernel
def gap_counts(counts: Counts, switches: Switches, gap: GapContext, eta: Int64Array, delta: Int64Array) -> None:
    """Counts behind P̂(G | w_l, t_l, w_r, t_r, c): η of the five gap tags and δ, in the rows ``G_PAIR .. G_AROUND``."""
    lookups = np.empty((GAP_LEVELS, 3), np.int64)
    levels = gap_levels_asked(switches)
    look_into(counts, lookups, gap_buckets(counts, levels, gap, lookups, 0))
    counts_of_gap(counts, levels, lookups, 0, eta, delta)


@kernel(allocates=False, inlined=True)
def gap_distribution(switches: Switches, eta: Int64Array, delta: Int64Array, row: FloatArray) -> None:
    """P̂ of the five gap tags from :func:`gap_counts`, in the form that the settings ask for."""
    if switches.gap_contexts:
        mixed_gaps(eta, delta, row)
    elif switches.further_backoff > 1:
        for tag in range(GAP_TAGS):
            row[tag] = backed_off_gap(eta, delta, tag)
    else:
        for tag in range(GAP_TAGS):
            row[tag] = gap_estimate(eta, delta, tag)


@kernel(allocates=False, inlined=True)
def gap_estimate(eta: Int64Array, delta: Int64Array, tag: int) -> float:
    """P̂(G = tag) as in section 2.4; tags never seen side by side fall back to the comma alone."""
    last = G_TAGS if delta[G_TAGS] > 0 else G_COMMA
    return smoothed(
        eta[G_PAIR, tag],
        delta[G_PAIR],
        eta[G_LEFT, tag] + eta[G_RIGHT, tag],
        delta[G_LEFT] + delta[G_RIGHT],
        eta[last, tag],
        delta[last],
    )


@kernel(allocates=False, inlined=True)
def backed_off_gap(eta: Int64Array, delta: Int64Array, tag: int) -> float:
    """P̂(G = tag) with further back-off: λ1 E1 + (1 − λ1) (λ2 E23 + (1 − λ2) (λ4 E4 + (1 − λ4) E(comma)))."""
    below = eta[G_COMMA, tag] / max(delta[G_COMMA], 1)
    below = interpolated(eta[G_TAGS, tag], delta[G_TAGS], below)
    below = interpolated(eta[G_LEFT, tag] + eta[G_RIGHT, tag], delta[G_LEFT] + delta[G_RIGHT], below)
    return interpolated(eta[G_PAIR, tag], delta[G_PAIR], below)


@kernel(allocates=False, inlined=True)
def gap_levels(eta: Int64Array, delta: Int64Array, tag: int) -> tuple[float, float, float]:
    """P̂(G = tag) of preset (5) from tags alone, from tags with neighbours, and from words."""
    tags = (eta[G_COMMA, tag] + GAP_FLOOR) / (delta[G_COMMA] + GAP_TAGS * GAP_FLOOR)
    tags = (eta[G_TAGS, tag] + C_GAP_TAGS * tags) / (delta[G_TAGS] + C_GAP_TAGS)
    beside = eta[G_BEFORE, tag] + eta[G_AFTER, tag] + C_GAP_BESIDE * tags
    around = beside / (delta[G_BEFORE] + delta[G_AFTER] + C_GAP_BESIDE)
    around = (eta[G_AROUND, tag] + C_GAP_AROUND * around) / (delta[G_AROUND] + C_GAP_AROUND)
    words = (eta[G_LEFT, tag] + eta[G_RIGHT, tag] + C_GAP_WORD * tags) / (delta[G_LEFT] + delta[G_RIGHT] + C_GAP_WORD)
    words = (eta[G_PAIR, tag] + C_GAP_PAIR * words) / (delta[G_PAIR] + C_GAP_PAIR)
    return tags, around, words


@kernel(allocates=False, inlined=True)
def mixed_gaps(eta: Int64Array, delta: Int64Array, row: FloatArray) -> None:
    """P̂ of the five gap tags in preset (5): words × (tags with neighbours / tags), divided by the sum."""
    whole = 0.0
    for tag in range(GAP_TAGS):
        tags, around, words = gap_levels(eta, delta, tag)
        row[tag] = words * around / tags
        whole += row[tag]
    for tag in range(GAP_TAGS):
        row[tag] /= whole
