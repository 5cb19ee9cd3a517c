"""Smoothing (section 2.4), and the estimates of gap tags, unary parents and the root."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, GapContext, Switches, UnaryContext
from engine.counts.lookup_kernel import (
    NO_BUCKET,
    Bucket,
    bucket_of,
    count_of,
    find,
    find_in,
    first_in,
    gap_key,
    look_into,
    root_key,
    unary_key,
)
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
    ROOT_ANY,
    ROOT_TAG,
    ROOT_WORD,
    TABLE_FIELDS,
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.estimates.estimates_layout import S_AROUND, S_BESIDE, S_INNER, S_SEEN, S_VALUE, S_WORD, SEEN_COLUMNS
from engine.structure.sentence_layout import GAP_TAGS

# Smoothing (section 2.4): the estimate from the counts of the back-off levels, whatever is estimated.


@kernel(allocates=False, inlined=True)
def smoothed(eta_1: int, delta_1: int, eta_23: int, delta_23: int, eta_4: int, delta_4: int) -> float:
    """F̂ from the counts of the back-off levels (section 2.4).

    λ1 E1 + (1 − λ1) E23 if E1 exists, else λ2 E23 + (1 − λ2) E4 if E23 exists, else E4; with
    λ1 = δ1 / (δ1 + 1) and λ2 = (δ2 + δ3) / (δ2 + δ3 + 1).

    With tags in all levels a finer level exists only where the coarser ones do.  With tags ignored a word may
    meet a tag that it never had: where the level to mix in does not exist, the next that does takes its
    place, and where there is none the estimate stands alone.
    """
    if delta_1 > 0:
        # λ1 E1 = η1 / (δ1 + 1).
        if delta_23 > 0:
            return (eta_1 + eta_23 / delta_23) / (delta_1 + 1.0)
        if delta_4 > 0:
            return (eta_1 + eta_4 / delta_4) / (delta_1 + 1.0)
        return eta_1 / delta_1
    if delta_23 > 0:
        if delta_4 > 0:
            return (eta_23 + eta_4 / delta_4) / (delta_23 + 1.0)
        return eta_23 / delta_23
    return eta_4 / delta_4 if delta_4 > 0 else 0.0


@kernel(allocates=False, inlined=True)
def interpolated(eta: int, delta: int, below: float) -> float:
    """λ E + (1 − λ) below, with λ = δ / (δ + 1): the paper's λ for models with one level of back-off."""
    return (eta + below) / (delta + 1.0)


@kernel(allocates=False, inlined=True)
def add_counts(counts: Counts, start: int, end: int, row: IntArray) -> None:
    """Add the counts of a context's outcomes to a row indexed by outcome."""
    for place in range(start, end, 2):
        row[counts.records[place]] += counts.records[place + 1]


@kernel(allocates=False, inlined=True)
def clear_counts(counts: Counts, start: int, end: int, row: IntArray) -> None:
    """Undo :func:`add_counts`."""
    for place in range(start, end, 2):
        row[counts.records[place]] = 0


# P̂ of the gap tags between two words (section 2.5): the paper's form, and preset (5)'s.
#
# Preset (5) mixes each level with all coarser ones, (η + c P') / (δ + c), and takes what the neighbouring tags say to
# be independent of the words once the tags are known: the estimate from the words is multiplied by the ratio of the
# estimate with neighbours to that without, and divided by the sum over all gap tags.
#
# Where the paper's form finds no tree, further back-off (:class:`engine.settings.FurtherBackoff`) mixes every level
# with all below it, by the paper's own λ, down to the comma.

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


# P̂(U | B, S): the unary parent of a constituent, or none (footnote to section 2.6).
#
# The paper's form knows label and head tag.  Preset (5) mixes each level with all coarser ones, (η + c P') / (δ + c),
# and takes what the neighbouring tags, the head-word and the inside say to be independent of each other once label
# and tag are known: the estimate from the word is multiplied by a ratio for each context, and divided by the sum over
# parents.
#
# Preset (5)'s estimate is written twice: :func:`mixed_unary` of one parent as the formula has it, from which the ledger
# explains, and :func:`unary_distribution` of all parents at once, from which the chart works.

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


# F̂(<label> | head-word, head tag): the head of the sentence as one more arrow, to the root (footnote 5).


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
