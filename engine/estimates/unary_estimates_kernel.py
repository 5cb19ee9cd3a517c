"""P̂(U | B, S): the unary parent of a constituent, or none (footnote to section 2.6).

The paper's form knows label and head tag.  Preset (5) mixes each level with all coarser ones, (η + c P') / (δ + c), and
takes what the neighbouring tags, the head-word and the inside say to be independent of each other once label and tag
are known: the estimate from the word is multiplied by a ratio for each context, and divided by the sum over parents.

Preset (5)'s estimate is written twice: :func:`mixed_unary` of one parent as the formula has it, from which the ledger
explains, and :func:`unary_distribution` of all parents at once, from which the chart works.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, UnaryContext
from engine.counts.keys_kernel import unary_key
from engine.counts.lookup_kernel import NO_BUCKET, Bucket, bucket_of, count_of, find, find_in, first_in
from engine.counts.specifications_layout import (
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.estimates.estimates_layout import S_AROUND, S_BESIDE, S_INNER, S_SEEN, S_VALUE, S_WORD, SEEN_COLUMNS
from engine.estimates.smoothing_kernel import interpolated

# c of each level of preset (5); what is inside has α = ½.
C_UNARY_TAG = 1.0
C_UNARY_WORD = 3.0
C_UNARY_BESIDE = 5.0
C_UNARY_AROUND = 5.0
C_UNARY_INNER = 5.0

# Places in the parts of a unary estimate: δ, first and last place of the outcomes of each table.
U_LABEL, U_TAG, U_WORD, U_AFTER, U_BEFORE, U_AROUND, U_INNER = range(7)
Place = tuple[int, int, int]
Parts = tuple[Place, Place, Place, Place, Place, Place, Place]
NOWHERE = (0, 0, 0)


@kernel(allocates=False, inlined=True)
def unary_bucket(counts: Counts, table: int, over: UnaryContext) -> Bucket:
    """Find the bucket of a constituent in one table."""
    return bucket_of(counts, table, unary_key(counts.widths, table, over))


@kernel(allocates=False, inlined=True)
def find_unary(counts: Counts, table: int, over: UnaryContext) -> Place:
    """Look a constituent up in one table: as :func:`engine.counts.lookup_kernel.find`."""
    return find(counts, table, unary_key(counts.widths, table, over))


@kernel(allocates=False)
def by_label_and_tag(counts: Counts, label: int, tag: int) -> tuple[Place, Place]:
    """Find the counts of a label alone, and those of the label with a head tag."""
    over = UnaryContext(int(label), -1, int(tag), 0, 0, 0, 0)
    return find_unary(counts, UNARY_LABEL, over), find_unary(counts, UNARY_TAG, over)


@kernel(allocates=False)
def unary_estimate(counts: Counts, label: int, tag: int, parent: int) -> float:
    """P̂(parent or none | label, head tag): the term P̂(U|B,S) of the footnote to section 2.6."""
    by_label, by_tag = by_label_and_tag(counts, label, tag)
    if by_label[0] == 0:
        return 1.0 if parent == 0 else 0.0
    below = count_of(counts, by_label[1], by_label[2], parent) / by_label[0]
    return interpolated(count_of(counts, by_tag[1], by_tag[2], parent), by_tag[0], below)


@kernel(allocates=False)
def unary_parts(counts: Counts, over: UnaryContext) -> Parts:
    """Find the counts behind a constituent's unary parent: by label; and tag; and each of the contexts."""
    return (
        find_unary(counts, UNARY_LABEL, over),
        find_unary(counts, UNARY_TAG, over),
        find_unary(counts, UNARY_WORD, over) if over.word >= 0 else NOWHERE,
        find_unary(counts, UNARY_AFTER, over),
        find_unary(counts, UNARY_BEFORE, over),
        find_unary(counts, UNARY_AROUND, over),
        find_unary(counts, UNARY_INNER, over),
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
    return float(word * (around / tag) * np.sqrt(inner / tag))


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
    return float(whole + unseen * np.sqrt(C_UNARY_INNER / (parts[U_INNER][0] + C_UNARY_INNER)))


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
def fill_parents(counts: Counts, label: int, tag: int, contexts: int, row: FloatArray) -> None:
    """P̂ of every unary parent of a label under a head tag, and of none, in a row that is zero on entry.

    The paper's, as :func:`unary_estimate` has it, or the one that the contexts of a constituent are mixed with.  The
    parents of either level stand in increasing order, and both are walked through side by side: of a thousand parents
    each would else be looked for among a thousand.
    """
    by_label, by_tag = by_label_and_tag(counts, label, tag)
    if by_label[0] == 0:
        row[0] = 1.0
    at = by_tag[1]
    for place in range(by_label[1], by_label[2], 2):
        parent = counts.records[place]
        while at < by_tag[2] and counts.records[at] < parent:
            at += 2
        eta = 0
        if at < by_tag[2] and counts.records[at] == parent:
            eta = int(counts.records[at + 1])
        below = counts.records[place + 1] / by_label[0]
        if contexts:
            row[parent] = (eta + C_UNARY_TAG * below) / (by_tag[0] + C_UNARY_TAG)
        else:
            row[parent] = interpolated(eta, by_tag[0], below)


@kernel(allocates=False, inlined=True)
def note_parents(counts: Counts, place: Place, column: int, scratch: FloatArray, seen: Int32Array, number: int) -> int:
    """Add the counts of one context to a column of the scratch; return how many parents were seen so far."""
    for at in range(place[1], place[2], 2):
        parent = counts.records[at]
        if scratch[parent, S_SEEN] == 0.0:
            scratch[parent, S_SEEN] = 1.0
            seen[number] = parent
            number += 1
        scratch[parent, column] += counts.records[at + 1]
    return number


@kernel(allocates=False, inlined=True)
def unary_distribution(
    counts: Counts,
    levels: FloatArray,
    over: UnaryContext,
    scratch: FloatArray,
    seen: Int32Array,
) -> tuple[float, int]:
    """P̂ of every unary parent of a constituent, and of none: :func:`mixed_unary` of all of them at once.

    Few parents were seen in any of its contexts.  Their P̂ is left in ``scratch[parent, S_VALUE]``; that of every other
    parent is the first number returned times ``levels[parent]``, for all contexts draw it down alike.

    Parameters
    ----------
    levels
        :func:`fill_parents` of every parent, under this label and tag.  They sum to 1.
    over
        The constituent.
    scratch, seen
        A row for every parent, zero on entry; the parents that were seen.  :func:`forget_parents` clears up.

    Returns
    -------
    tuple[float, int]
        The factor of the parents that were not seen, and how many were.
    """
    in_after = unary_bucket(counts, UNARY_AFTER, over)
    in_before = unary_bucket(counts, UNARY_BEFORE, over)
    in_inner = unary_bucket(counts, UNARY_INNER, over)
    in_around = unary_bucket(counts, UNARY_AROUND, over)
    in_word = NO_BUCKET
    if over.word >= 0:
        in_word = unary_bucket(counts, UNARY_WORD, over)
    # No context is negative: this is only about having them all at hand.
    if (first_in(counts, in_inner) | first_in(counts, in_around) | first_in(counts, in_word)) < 0:
        return 0.0, 0
    by_after = find_in(counts, in_after)
    by_before = find_in(counts, in_before)
    by_inner = find_in(counts, in_inner)
    by_around = NOWHERE
    # What was seen with both neighbours was seen with each of them.
    if by_after[0] > 0 and by_before[0] > 0:
        by_around = find_in(counts, in_around)
    by_word = find_in(counts, in_word)
    number = note_parents(counts, by_after, S_BESIDE, scratch, seen, 0)
    number = note_parents(counts, by_before, S_BESIDE, scratch, seen, number)
    number = note_parents(counts, by_inner, S_INNER, scratch, seen, number)
    number = note_parents(counts, by_around, S_AROUND, scratch, seen, number)
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
        # Whatever was seen in a context was seen under the label, if the counts are those of trees.
        row[S_VALUE] = word_level * (around / level) * np.sqrt(inner / level) if level > 0.0 else 0.0
        whole += row[S_VALUE]
        rest -= level
    scale = 1.0 / (whole + factor * max(rest, 0.0))
    for at in range(number):
        scratch[seen[at], S_VALUE] *= scale
    return factor * scale, number


@kernel(allocates=False, inlined=True)
def forget_parents(scratch: FloatArray, seen: Int32Array, number: int) -> None:
    """Clear what :func:`unary_distribution` left in its scratch."""
    for at in range(number):
        for column in range(SEEN_COLUMNS):
            scratch[seen[at], column] = 0.0


@kernel(allocates=False, inlined=True)
def no_parent(levels: FloatArray, scratch: FloatArray, factor: float) -> float:
    """Log P̂ of no unary parent, after :func:`unary_distribution`."""
    value = scratch[0, S_VALUE] if scratch[0, S_SEEN] > 0.0 else factor * levels[0]
    return np.log(value) if value > 0.0 else -np.inf
