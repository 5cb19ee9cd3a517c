"""Gap tags and unaries of preset (5): what their words say, times what their neighbours say.

As in :mod:`engine.estimates.dependency_mixture_kernel`, each level is mixed with all coarser ones, (η + c P') / (δ +
c), and what the
neighbouring tags say is taken to be independent of the words once the tags are known: the estimate from the words is
multiplied by the ratio of the estimate with neighbours to that without, and divided by the sum over all outcomes.

The unary estimate is written twice: :func:`mixed_unary` of one parent as the formula has it, from which the ledger
explains, and :func:`unary_distribution` of all parents at once, from which the chart works.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    COMMA_BITS,
    GAP_AFTER,
    GAP_AROUND,
    GAP_BEFORE,
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
    Counts,
)
from engine.counts.keys_kernel import tag_key
from engine.counts.lookup_kernel import count_of, find
from engine.estimates.estimates_layout import S_AROUND, S_BESIDE, S_INNER, S_SEEN, S_VALUE, S_WORD, SEEN_COLUMNS
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

# c of each level of the unary model; what is inside has α = ½.
C_UNARY_TAG = 1.0
C_UNARY_WORD = 3.0
C_UNARY_BESIDE = 5.0
C_UNARY_AROUND = 5.0
C_UNARY_INNER = 5.0

# Places in the parts of a unary estimate: δ, first and last place of the outcomes of each table.
U_LABEL, U_TAG, U_WORD, U_AFTER, U_BEFORE, U_AROUND, U_INNER = range(7)
UNARY_LEVELS = 7
Place = tuple[int, int, int]
Parts = tuple[Place, Place, Place, Place, Place, Place, Place]
NOWHERE = (0, 0, 0)


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


@kernel(allocates=False)
def unary_parts(
    counts: Counts, label: int, word: int, tag: int, before: int, after: int, child: int, first: int
) -> Parts:
    """Where the counts behind a constituent's unary parent are: by label; and tag; and each of the contexts.

    Parameters
    ----------
    before, after
        The neighbours of the constituent.
    child
        Label of its head-child, less than 1 for a word or baseNP.
    first
        Tag of its first word.
    """
    widths = counts.widths
    key = tag_key(widths, label, tag)
    beside = widths.tag + 1
    late = (key << beside) | int(after)
    inner = (((key << widths.label) | max(int(child), 0)) << widths.tag) | int(first)
    by_word = find(counts, UNARY_WORD, (key << widths.word) | max(int(word), 0))
    return (
        find(counts, UNARY_LABEL, label),
        find(counts, UNARY_TAG, key),
        by_word if word >= 0 else (0, 0, 0),
        find(counts, UNARY_AFTER, late),
        find(counts, UNARY_BEFORE, (key << beside) | int(before)),
        find(counts, UNARY_AROUND, (late << beside) | int(before)),
        find(counts, UNARY_INNER, inner),
    )


@kernel(allocates=False)
def unary_levels(
    counts: Counts,
    parts: Parts,
    parent: int,
) -> tuple[float, float, float, float]:
    """P̂(parent or none) from label and tag; with neighbours; with the inside; with the head-word."""
    tag = count_of(counts, parts[U_LABEL][1], parts[U_LABEL][2], parent) / max(parts[U_LABEL][0], 1)
    eta = count_of(counts, parts[U_TAG][1], parts[U_TAG][2], parent)
    tag = (eta + C_UNARY_TAG * tag) / (parts[U_TAG][0] + C_UNARY_TAG)
    eta = count_of(counts, parts[U_AFTER][1], parts[U_AFTER][2], parent)
    eta += count_of(counts, parts[U_BEFORE][1], parts[U_BEFORE][2], parent)
    around = (eta + C_UNARY_BESIDE * tag) / (parts[U_AFTER][0] + parts[U_BEFORE][0] + C_UNARY_BESIDE)
    eta = count_of(counts, parts[U_AROUND][1], parts[U_AROUND][2], parent)
    around = (eta + C_UNARY_AROUND * around) / (parts[U_AROUND][0] + C_UNARY_AROUND)
    eta = count_of(counts, parts[U_INNER][1], parts[U_INNER][2], parent)
    inner = (eta + C_UNARY_INNER * tag) / (parts[U_INNER][0] + C_UNARY_INNER)
    eta = count_of(counts, parts[U_WORD][1], parts[U_WORD][2], parent)
    word = (eta + C_UNARY_WORD * tag) / (parts[U_WORD][0] + C_UNARY_WORD)
    return tag, around, inner, word


@kernel(allocates=False)
def unary_product(
    counts: Counts,
    parts: Parts,
    parent: int,
) -> float:
    """Word × (neighbours / tag) × (inside / tag) ^ α, before it is divided by the sum."""
    tag, around, inner, word = unary_levels(counts, parts, parent)
    if tag == 0.0:
        return 0.0
    return word * (around / tag) * np.sqrt(inner / tag)


@kernel(allocates=False)
def unary_whole(
    counts: Counts,
    parts: Parts,
) -> float:
    """The sum of :func:`unary_product` over every parent that the label ever had, and none."""
    whole = 0.0
    seen = 0
    for place in range(parts[U_TAG][1], parts[U_TAG][2], 2):
        parent = counts.records[place]
        whole += unary_product(counts, parts, parent)
        seen += count_of(counts, parts[U_LABEL][1], parts[U_LABEL][2], parent)
    # Parents that the label had under other tags only were seen in none of the contexts: all alike but for `tag`.
    unseen = C_UNARY_TAG / (parts[U_TAG][0] + C_UNARY_TAG) * (1.0 - seen / max(parts[U_LABEL][0], 1))
    unseen *= C_UNARY_WORD / (parts[U_WORD][0] + C_UNARY_WORD)
    unseen *= C_UNARY_BESIDE / (parts[U_AFTER][0] + parts[U_BEFORE][0] + C_UNARY_BESIDE)
    unseen *= C_UNARY_AROUND / (parts[U_AROUND][0] + C_UNARY_AROUND)
    return whole + unseen * np.sqrt(C_UNARY_INNER / (parts[U_INNER][0] + C_UNARY_INNER))


@kernel(allocates=False)
def mixed_unary(
    counts: Counts,
    parts: Parts,
    parent: int,
    whole: float,
) -> float:
    """Log P̂(parent or none | label, head-word, head tag, neighbours, inside); `whole` is :func:`unary_whole`."""
    if parts[U_LABEL][0] == 0:
        return 0.0 if parent == 0 else -np.inf
    value = unary_product(counts, parts, parent)
    return np.log(value / whole) if value > 0.0 else -np.inf


@kernel(allocates=False)
def unary_by_tag(counts: Counts, label: int, tag: int, parent: int) -> float:
    """P̂(parent or none | label, head tag): what the contexts of a constituent are mixed with."""
    by_label = find(counts, UNARY_LABEL, label)
    by_tag = find(counts, UNARY_TAG, tag_key(counts.widths, label, tag))
    if by_label[0] == 0:
        return 1.0 if parent == 0 else 0.0
    below = count_of(counts, by_label[1], by_label[2], parent) / by_label[0]
    return (count_of(counts, by_tag[1], by_tag[2], parent) + C_UNARY_TAG * below) / (by_tag[0] + C_UNARY_TAG)


@kernel(allocates=False)
def note_parents(counts: Counts, place: Place, column: int, scratch: np.ndarray, seen: np.ndarray, number: int) -> int:
    """Add the counts of one context to a column of the scratch; return how many parents were seen so far."""
    for at in range(place[1], place[2], 2):
        parent = counts.records[at]
        if scratch[parent, S_SEEN] == 0.0:
            scratch[parent, S_SEEN] = 1.0
            seen[number] = parent
            number += 1
        scratch[parent, column] += counts.records[at + 1]
    return number


@kernel(allocates=False)
def unary_distribution(
    counts: Counts,
    levels: np.ndarray,
    label: int,
    word: int,
    tag: int,
    before: int,
    after: int,
    child: int,
    first: int,
    scratch: np.ndarray,
    seen: np.ndarray,
) -> tuple[float, int]:
    """P̂ of every unary parent of a constituent, and of none: :func:`mixed_unary` of all of them at once.

    Few parents were seen in any of its contexts.  Their P̂ is left in ``scratch[parent, S_VALUE]``; that of every other
    parent is the first number returned times ``levels[parent]``, for all contexts draw it down alike.

    Parameters
    ----------
    levels
        :func:`unary_by_tag` of every parent, under this label and tag.  They sum to 1.
    before, after, child, first
        As in :func:`unary_parts`.
    scratch, seen
        A row for every parent, zero on entry; the parents that were seen.  :func:`forget_parents` clears up.

    Returns
    -------
    tuple[float, int]
        The factor of the parents that were not seen, and how many were.
    """
    widths = counts.widths
    key = tag_key(widths, label, tag)
    beside = widths.tag + 1
    late = (key << beside) | int(after)
    inner_key = (((key << widths.label) | max(int(child), 0)) << widths.tag) | int(first)
    by_after = find(counts, UNARY_AFTER, late)
    by_before = find(counts, UNARY_BEFORE, (key << beside) | int(before))
    by_inner = find(counts, UNARY_INNER, inner_key)
    number = note_parents(counts, by_after, S_BESIDE, scratch, seen, 0)
    number = note_parents(counts, by_before, S_BESIDE, scratch, seen, number)
    number = note_parents(counts, by_inner, S_INNER, scratch, seen, number)
    by_around = NOWHERE
    # What was seen with both neighbours was seen with each of them.
    if by_after[0] > 0 and by_before[0] > 0:
        by_around = find(counts, UNARY_AROUND, (late << beside) | int(before))
        number = note_parents(counts, by_around, S_AROUND, scratch, seen, number)
    by_word = NOWHERE
    if word >= 0:
        by_word = find(counts, UNARY_WORD, (key << widths.word) | int(word))
        number = note_parents(counts, by_word, S_WORD, scratch, seen, number)
    scale_beside = 1.0 / (by_after[0] + by_before[0] + C_UNARY_BESIDE)
    scale_around = 1.0 / (by_around[0] + C_UNARY_AROUND)
    scale_inner = 1.0 / (by_inner[0] + C_UNARY_INNER)
    scale_word = 1.0 / (by_word[0] + C_UNARY_WORD)
    factor = C_UNARY_WORD * scale_word * C_UNARY_BESIDE * scale_beside * C_UNARY_AROUND * scale_around
    factor *= np.sqrt(C_UNARY_INNER * scale_inner)
    whole = 0.0
    rest = 1.0
    for at in range(number):
        row = scratch[seen[at]]
        level = levels[seen[at]]
        around = (row[S_BESIDE] + C_UNARY_BESIDE * level) * scale_beside
        around = (row[S_AROUND] + C_UNARY_AROUND * around) * scale_around
        inner = (row[S_INNER] + C_UNARY_INNER * level) * scale_inner
        word_level = (row[S_WORD] + C_UNARY_WORD * level) * scale_word
        row[S_VALUE] = word_level * (around / level) * np.sqrt(inner / level)
        whole += row[S_VALUE]
        rest -= level
    scale = 1.0 / (whole + factor * max(rest, 0.0))
    for at in range(number):
        scratch[seen[at], S_VALUE] *= scale
    return factor * scale, number


@kernel(allocates=False)
def forget_parents(scratch: np.ndarray, seen: np.ndarray, number: int) -> None:
    """Clear what :func:`unary_distribution` left in its scratch."""
    for at in range(number):
        for column in range(SEEN_COLUMNS):
            scratch[seen[at], column] = 0.0


@kernel(allocates=False)
def no_parent(levels: np.ndarray, scratch: np.ndarray, factor: float) -> float:
    """Log P̂ of no unary parent, after :func:`unary_distribution`."""
    value = scratch[0, S_VALUE] if scratch[0, S_SEEN] > 0.0 else factor * levels[0]
    return np.log(value) if value > 0.0 else -np.inf


@kernel(allocates=False)
def unary_context_counts(
    counts: Counts,
    parts: Parts,
    parent: int,
    eta: np.ndarray,
    delta: np.ndarray,
) -> None:
    """η and δ behind :func:`mixed_unary`, in the order of the parts."""
    for level in range(UNARY_LEVELS):
        delta[level] = parts[level][0]
        eta[level] = count_of(counts, parts[level][1], parts[level][2], parent)
