"""F̂ of the paper: the probability of a relation between two words at a distance (sections 2.2 to 2.4).

That of preset (5) is in :mod:`engine.estimates.dependency_mixture_kernel`, and that of sentences for which the paper's
finds no tree in :mod:`engine.estimates.distance_backoff_kernel`; :func:`dependency_estimates` turns to the one that is
asked for.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches, WordPair
from engine.counts.keys_kernel import dependency_key
from engine.counts.lookup_kernel import NO_BUCKET, Bucket, bucket_of, find, find_in, first_in
from engine.counts.specifications_layout import (
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_ORDER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
)
from engine.estimates.dependency_mixture_kernel import mixed_dependencies
from engine.estimates.distance_backoff_kernel import backed_off_dependencies
from engine.estimates.smoothing_kernel import add_counts, clear_counts, smoothed
from engine.structure.structure_layout import HEAD_FIRST


@kernel(allocates=False, inlined=True)
def bucket_of_words(counts: Counts, table: int, pair: WordPair, known: bool) -> Bucket:
    """Find the bucket of two words in one lexical table; nothing is counted of a word that is not `known`."""
    return bucket_of(counts, table, dependency_key(counts.widths, table, pair)) if known else NO_BUCKET


@kernel(allocates=False, inlined=True)
def lexical_counts(counts: Counts, bucket: Bucket, row: Int32Array) -> tuple[int, int, int]:
    """Add η of every relation in one lexical context to `row`; return its δ and where its outcomes are."""
    total, start, end = find_in(counts, bucket)
    add_counts(counts, start, end, row)
    return total, start, end


@kernel(allocates=False)
def order_counts(counts: Counts, table: int, pair: WordPair, known: bool, row: Int32Array) -> int:
    """Add η of every relation in one lexical context to `row`, at all Δ of the same order; return δ."""
    total = 0
    if known:
        # Δ is the last field of these tables, and the order its leading bit.
        base = dependency_key(counts.widths, table, pair) & ~(HEAD_FIRST - 1)
        for other in range(HEAD_FIRST):
            part, start, end = find(counts, table, base | other)
            add_counts(counts, start, end, row)
            total += part
    return total


@kernel(allocates=False)
def dependency_estimates(
    counts: Counts,
    switches: Switches,
    pair: WordPair,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂(R | <w_m, t_m>, <w_h, t_h>, Δ) for every relation R for which it is not zero.

    Parameters
    ----------
    pair
        The two words, their tags and Δ; what stands beside and between them is for preset (5).
    rows
        Scratch of three rows over all relations, zero on entry and on return.
    relations, estimates, at
        Where to write: relation numbers and log F̂, from place `at` on.

    Returns
    -------
    int
        One past the last place written, or −1 if there is not room enough.
    """
    if switches.recursion:
        return mixed_dependencies(counts, switches, pair, rows[0], relations, estimates, at)
    if switches.further_backoff:
        return backed_off_dependencies(counts, switches, pair, rows[0], relations, estimates, at)
    if switches.order_only:
        return order_dependencies(counts, switches, pair, rows, relations, estimates, at)
    return papers_dependencies(counts, switches, pair, rows, relations, estimates, at)


@kernel(allocates=False)
def papers_dependencies(
    counts: Counts,
    switches: Switches,
    pair: WordPair,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂ as printed, at the full Δ: as :func:`dependency_estimates`."""
    plain = switches.ignore_tags != 0
    knows_m = pair.modifier_word >= 0
    knows_h = pair.head_word >= 0
    by_tags = bucket_of(counts, DEPENDENCY_TAGS, dependency_key(counts.widths, DEPENDENCY_TAGS, pair))
    if plain:
        by_modifier = bucket_of_words(counts, DEPENDENCY_PLAIN_MODIFIER, pair, knows_m)
        by_head = bucket_of_words(counts, DEPENDENCY_PLAIN_HEAD, pair, knows_h)
        by_both = bucket_of_words(counts, DEPENDENCY_PLAIN_PAIR, pair, knows_m and knows_h)
    else:
        by_modifier = bucket_of_words(counts, DEPENDENCY_MODIFIER, pair, knows_m)
        by_head = bucket_of_words(counts, DEPENDENCY_HEAD, pair, knows_h)
        by_both = bucket_of_words(counts, DEPENDENCY_PAIR, pair, knows_m and knows_h)
    # No context is negative: this is only about having them all at hand.
    if (first_in(counts, by_modifier) | first_in(counts, by_head) | first_in(counts, by_both)) < 0:
        return -1
    delta_4, start, end = find_in(counts, by_tags)
    if delta_4 == 0 and not plain:
        return at
    delta_2, start_2, end_2 = lexical_counts(counts, by_modifier, rows[1])
    delta_3, start_3, end_3 = lexical_counts(counts, by_head, rows[1])
    delta_23 = delta_2 + delta_3
    delta_1 = 0
    start_1 = 0
    end_1 = 0
    # With tags, two words seen together at this distance were each seen at it with the other's tag.
    if plain or (delta_2 > 0 and delta_3 > 0):
        delta_1, start_1, end_1 = lexical_counts(counts, by_both, rows[0])
    if (end - start) // 2 + (end_1 - start_1 + end_2 - start_2 + end_3 - start_3) // 2 > relations.shape[0] - at:
        at = -1
    if at >= 0:
        at = add_seen(counts, start, end, rows, delta_1, delta_23, delta_4, relations, estimates, at)
        if plain:
            # Relations that these words had under other tags.
            for place in range(start_1, end_1, 2):
                relation = counts.records[place]
                at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
            for place in range(start_2, end_2, 2):
                relation = counts.records[place]
                at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
            for place in range(start_3, end_3, 2):
                relation = counts.records[place]
                at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    clear_counts(counts, start_1, end_1, rows[0])
    clear_counts(counts, start_2, end_2, rows[1])
    clear_counts(counts, start_3, end_3, rows[1])
    clear_counts(counts, start, end, rows[2])
    if plain:
        clear_counts(counts, start_1, end_1, rows[2])
        clear_counts(counts, start_2, end_2, rows[2])
        clear_counts(counts, start_3, end_3, rows[2])
    return at


@kernel(allocates=False)
def order_dependencies(
    counts: Counts,
    switches: Switches,
    pair: WordPair,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂ with question 1 as the only distance (Table 4): as :func:`dependency_estimates`.

    The counts of all Δ of the same order are added up.
    """
    order_key = dependency_key(counts.widths, DEPENDENCY_ORDER, pair)
    delta_4, start, end = find(counts, DEPENDENCY_ORDER, order_key)
    plain = switches.ignore_tags != 0
    if delta_4 == 0 and not plain:
        return at
    if rows.shape[1] > relations.shape[0] - at:
        return -1
    knows_m = pair.modifier_word >= 0
    knows_h = pair.head_word >= 0
    table_1 = DEPENDENCY_PLAIN_PAIR if plain else DEPENDENCY_PAIR
    table_2 = DEPENDENCY_PLAIN_MODIFIER if plain else DEPENDENCY_MODIFIER
    table_3 = DEPENDENCY_PLAIN_HEAD if plain else DEPENDENCY_HEAD
    delta_2 = order_counts(counts, table_2, pair, knows_m, rows[1])
    delta_3 = order_counts(counts, table_3, pair, knows_h, rows[1])
    delta_23 = delta_2 + delta_3
    delta_1 = 0
    if plain or (delta_2 > 0 and delta_3 > 0):
        delta_1 = order_counts(counts, table_1, pair, knows_m and knows_h, rows[0])
    at = add_seen(counts, start, end, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    if plain:
        for relation in range(rows.shape[1]):
            at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    for row in range(rows.shape[0]):
        for relation in range(rows.shape[1]):
            rows[row, relation] = 0
    return at


@kernel(allocates=False, inlined=True)
def add_seen(
    counts: Counts,
    start: int,
    end: int,
    rows: Int32Array,
    delta_1: int,
    delta_23: int,
    delta_4: int,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Write the estimates of the relations that the two tags had, from their counts at ``start .. end`` on."""
    for place in range(start, end, 2):
        relation = counts.records[place]
        rows[2, relation] = 1
        value = smoothed(rows[0, relation], delta_1, rows[1, relation], delta_23, counts.records[place + 1], delta_4)
        if value > 0.0:
            relations[at] = relation
            estimates[at] = np.log(value)
            at += 1
    return at


@kernel(allocates=False, inlined=True)
def add_unseen(
    relation: int,
    rows: Int32Array,
    delta_1: int,
    delta_23: int,
    delta_4: int,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Write the estimate of a relation that the two tags never had, unless it is written already."""
    if rows[2, relation]:
        return at
    rows[2, relation] = 1
    value = smoothed(rows[0, relation], delta_1, rows[1, relation], delta_23, 0, delta_4)
    if value > 0.0:
        relations[at] = relation
        estimates[at] = np.log(value)
        at += 1
    return at
