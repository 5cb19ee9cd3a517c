"""P̂ of the gap tags between two words (section 2.5): the paper's form, and preset (5)'s.

Preset (5) mixes each level with all coarser ones, (η + c P') / (δ + c), and takes what the neighbouring tags say to
be independent of the words once the tags are known: the estimate from the words is multiplied by the ratio of the
estimate with neighbours to that without, and divided by the sum over all gap tags.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    COMMA_BITS,
    GAP_AFTER,
    GAP_AROUND,
    GAP_BEFORE,
    GAP_COMMA,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    Counts,
)
from engine.counts.keys_kernel import first_key, pair_key, second_key, tag_key
from engine.counts.lookup_kernel import count_of, find
from engine.estimates.smoothing_kernel import add_counts, smoothed
from engine.structure.structure_layout import GAP_TAGS

# c of each level of the gap model.
C_GAP_TAGS = 1.0
C_GAP_BESIDE = 2.0
C_GAP_AROUND = 5.0
C_GAP_WORD = 3.0
C_GAP_PAIR = 1.0
GAP_FLOOR = 0.01
"""Added to the count of every gap tag where the comma is all that is known."""

# Rows of the counts behind a gap.
G_PAIR, G_LEFT, G_RIGHT, G_TAGS, G_COMMA, G_BEFORE, G_AFTER, G_AROUND = range(8)


@kernel(allocates=False)
def gap_counts(
    counts: Counts,
    lexical: int,
    word_l: int,
    tag_l: int,
    word_r: int,
    tag_r: int,
    comma: int,
    eta: np.ndarray,
    delta: np.ndarray,
) -> None:
    """Counts behind P̂(G | w_l, t_l, w_r, t_r, c) (section 2.5): rows E1, E2, E3, E4 and the comma alone."""
    eta[:] = 0
    delta[:] = 0
    if lexical:
        if word_l >= 0 and word_r >= 0:
            key = pair_key(counts.widths, word_l, tag_l, word_r, tag_r)
            delta[0] = add_gap(counts, GAP_PAIR, key, comma, eta[0])
        if word_l >= 0:
            delta[1] = add_gap(counts, GAP_LEFT, first_key(counts.widths, word_l, tag_l, tag_r), comma, eta[1])
        if word_r >= 0:
            delta[2] = add_gap(counts, GAP_RIGHT, second_key(counts.widths, tag_l, word_r, tag_r), comma, eta[2])
    delta[3] = add_gap(counts, GAP_TAG_PAIR, tag_key(counts.widths, tag_l, tag_r), comma, eta[3])
    delta[4] = add_gap(counts, GAP_COMMA, 0, comma, eta[4])


@kernel(allocates=False)
def add_gap(counts: Counts, table: int, key: int, comma: int, row: np.ndarray) -> int:
    """Add the counts of the gap tags in one context to `row`; return the context's δ."""
    total, start, end = find(counts, table, (key << COMMA_BITS) | comma)
    add_counts(counts, start, end, row)
    return total


@kernel(allocates=False)
def gap_estimate(eta: np.ndarray, delta: np.ndarray, tag: int) -> float:
    """P̂(G = tag) from :func:`gap_counts`; tags never seen side by side fall back to the comma alone."""
    if delta[3] == 0:
        return smoothed(eta[0, tag], delta[0], eta[1, tag] + eta[2, tag], delta[1] + delta[2], eta[4, tag], delta[4])
    return smoothed(eta[0, tag], delta[0], eta[1, tag] + eta[2, tag], delta[1] + delta[2], eta[3, tag], delta[3])


@kernel(allocates=False)
def gap_context_counts(
    counts: Counts,
    tag_l: int,
    tag_r: int,
    comma: int,
    before: int,
    after: int,
    eta: np.ndarray,
    delta: np.ndarray,
) -> None:
    """Counts of the gap tags between two tags with their neighbours: rows G_BEFORE, G_AFTER and G_AROUND."""
    widths = counts.widths
    key = (tag_key(widths, tag_l, tag_r) << COMMA_BITS) | comma
    early = (key << (widths.tag + 1)) | int(before)
    late = (key << (widths.tag + 1)) | int(after)
    for level in range(G_BEFORE, G_AROUND + 1):
        table = GAP_BEFORE if level == G_BEFORE else (GAP_AFTER if level == G_AFTER else GAP_AROUND)
        if level == G_AROUND:
            late = (late << (widths.tag + 1)) | int(before)
        total, start, end = find(counts, table, early if level == G_BEFORE else late)
        delta[level] = total
        for tag in range(GAP_TAGS):
            eta[level, tag] = count_of(counts, start, end, tag)


@kernel(allocates=False)
def gap_levels(eta: np.ndarray, delta: np.ndarray, tag: int) -> tuple[float, float, float]:
    """P̂(G = tag) from tags alone, from tags with neighbours, and from words."""
    tags = (eta[G_COMMA, tag] + GAP_FLOOR) / (delta[G_COMMA] + GAP_TAGS * GAP_FLOOR)
    tags = (eta[G_TAGS, tag] + C_GAP_TAGS * tags) / (delta[G_TAGS] + C_GAP_TAGS)
    beside = eta[G_BEFORE, tag] + eta[G_AFTER, tag] + C_GAP_BESIDE * tags
    around = beside / (delta[G_BEFORE] + delta[G_AFTER] + C_GAP_BESIDE)
    around = (eta[G_AROUND, tag] + C_GAP_AROUND * around) / (delta[G_AROUND] + C_GAP_AROUND)
    words = (eta[G_LEFT, tag] + eta[G_RIGHT, tag] + C_GAP_WORD * tags) / (delta[G_LEFT] + delta[G_RIGHT] + C_GAP_WORD)
    words = (eta[G_PAIR, tag] + C_GAP_PAIR * words) / (delta[G_PAIR] + C_GAP_PAIR)
    return tags, around, words


@kernel(allocates=False)
def mixed_gaps(eta: np.ndarray, delta: np.ndarray, row: np.ndarray) -> None:
    """P̂ of the five gap tags: words × (tags with neighbours / tags), divided by the sum."""
    whole = 0.0
    for tag in range(GAP_TAGS):
        tags, around, words = gap_levels(eta, delta, tag)
        row[tag] = words * around / tags
        whole += row[tag]
    for tag in range(GAP_TAGS):
        row[tag] /= whole
