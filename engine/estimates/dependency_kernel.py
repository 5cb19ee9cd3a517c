"""F̂ of the paper, with further back-off, and of preset (5): a relation between two words at a distance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches, WordPair
from engine.counts.lookup_kernel import NO_BUCKET, Bucket, Lookup, bucket_of, dependency_key, find, find_in, first_in
from engine.counts.specifications_layout import (
    DEPENDENCY_ADJACENCY,
    DEPENDENCY_ANY_COMMAS,
    DEPENDENCY_BESIDE_HEAD,
    DEPENDENCY_BESIDE_MODIFIER,
    DEPENDENCY_BETWEEN,
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_ORDER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
)
from engine.estimates.estimates_kernel import add_counts, clear_counts, smoothed
from engine.structure.sentence_layout import HEAD_FIRST

# F̂ with further back-off: section 2.4 carried on below E4, for sentences in which it gives every tree zero.
#
# Section 2.4 mixes at most two levels, so F̂ is zero wherever two tags never had a relation at this very Δ, or two
# words that were seen at it never had one that E23 knows.  Here every level is mixed with all below it, by the
# paper's own λ, and below E4 stands one level more, the tags at a reduced Δ: question 1 alone, the paper's own
# distance measure in Table 4::
#
#     F̂ = λ1 E1 + (1 − λ1) (λ2 E23 + (1 − λ2) (λ4 E4 + (1 − λ4) E(order)))        λ4 = δ4 / (δ4 + 1)
#
# A level that does not exist (δ = 0) is left out, and the lowest that exists stands alone.  With question 1 as the only
# distance E4 is the lowest already.

KeyRange = tuple[int, int, int]
"""Contexts of one table that are counted together: its number, the first key, and how many keys there are."""
NO_KEYS = (0, 0, 0)
"""Those of a word that the model does not know."""


@kernel(allocates=False)
def key_range(counts: Counts, table: int, pair: WordPair, order_only: int) -> KeyRange:
    """Name the contexts of two words in one table: one, or with question 1 alone all Δ of the same order."""
    key = int(dependency_key(counts.widths, table, pair))
    if order_only:
        # Δ is the last field of these tables, and the order its leading bit.
        return table, key & ~(HEAD_FIRST - 1), HEAD_FIRST
    return table, key, 1


@kernel(allocates=False)
def total_of(counts: Counts, keys: KeyRange) -> int:
    """δ of some contexts together."""
    total = 0
    for key in range(keys[1], keys[1] + keys[2]):
        total += find(counts, keys[0], key)[0]
    return total


@kernel(allocates=False)
def add_relations(
    counts: Counts,
    keys: KeyRange,
    row: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
    end: int,
) -> int:
    """List the relations counted in some contexts behind those that are listed, with estimates of 0; return the end."""
    for key in range(keys[1], keys[1] + keys[2]):
        _, first, last = find(counts, keys[0], key)
        for place in range(first, last, 2):
            relation = counts.records[place]
            if row[relation] == 0:
                relations[end] = relation
                estimates[end] = 0.0
                end += 1
                row[relation] = end - at
    return end


@kernel(allocates=False)
def add_shares(counts: Counts, keys: KeyRange, share: float, row: Int32Array, estimates: FloatArray, at: int) -> None:
    """Add η times `share` to the estimate of every relation counted in some contexts."""
    for key in range(keys[1], keys[1] + keys[2]):
        _, first, last = find(counts, keys[0], key)
        for place in range(first, last, 2):
            where = row[counts.records[place]]
            if where > 0:
                estimates[at + where - 1] += counts.records[place + 1] * share


@kernel(allocates=False)
def mix_keys(
    counts: Counts,
    first: KeyRange,
    second: KeyRange,
    below: bool,
    row: Int32Array,
    estimates: FloatArray,
    at: int,
    end: int,
) -> bool:
    """Mix one level, the counts of two kinds of contexts together, into the estimates `below` it, if there are any.

    λ E + (1 − λ) F̂' = (η + F̂') / (δ + 1), as λ = δ / (δ + 1).  Return whether there are estimates now.
    """
    total = total_of(counts, first) + total_of(counts, second)
    if total == 0:
        return below
    share = 1.0 / (total + 1.0) if below else 1.0 / total
    for place in range(at, end):
        estimates[place] *= share
    add_shares(counts, first, share, row, estimates, at)
    add_shares(counts, second, share, row, estimates, at)
    return True


@kernel(allocates=False)
def backed_off_dependencies(
    counts: Counts,
    switches: Switches,
    pair: WordPair,
    row: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Log F̂ of every relation that the two tags ever had in this order, or with tags ignored the words at this Δ.

    Parameters and result are those of :func:`engine.estimates.dependency_kernel.dependency_estimates`;
    `row` is one row of scratch over all relations.
    """
    if row.shape[0] > relations.shape[0] - at:
        return -1
    order_only = switches.order_only
    plain = switches.ignore_tags != 0
    by_modifier = NO_KEYS
    by_head = NO_KEYS
    by_both = NO_KEYS
    if pair.modifier_word >= 0:
        table = DEPENDENCY_PLAIN_MODIFIER if plain else DEPENDENCY_MODIFIER
        by_modifier = key_range(counts, table, pair, order_only)
    if pair.head_word >= 0:
        table = DEPENDENCY_PLAIN_HEAD if plain else DEPENDENCY_HEAD
        by_head = key_range(counts, table, pair, order_only)
    if pair.modifier_word >= 0 and pair.head_word >= 0:
        table = DEPENDENCY_PLAIN_PAIR if plain else DEPENDENCY_PAIR
        by_both = key_range(counts, table, pair, order_only)
    by_order = key_range(counts, DEPENDENCY_ORDER, pair, 0)
    end = add_relations(counts, by_order, row, relations, estimates, at, at)
    if plain:
        # Relations that these words had under other tags.
        end = add_relations(counts, by_modifier, row, relations, estimates, at, end)
        end = add_relations(counts, by_head, row, relations, estimates, at, end)
        end = add_relations(counts, by_both, row, relations, estimates, at, end)
    below = mix_keys(counts, by_order, NO_KEYS, False, row, estimates, at, end)
    if not order_only:
        by_tags = key_range(counts, DEPENDENCY_TAGS, pair, 0)
        below = mix_keys(counts, by_tags, NO_KEYS, below, row, estimates, at, end)
    below = mix_keys(counts, by_modifier, by_head, below, row, estimates, at, end)
    mix_keys(counts, by_both, NO_KEYS, below, row, estimates, at, end)
    kept = at
    for place in range(at, end):
        relation = relations[place]
        row[relation] = 0
        if estimates[place] > 0.0:
            relations[kept] = relation
            estimates[kept] = np.log(estimates[place])
            kept += 1
    return kept


# F̂ of preset (5): section 2.4 as one full recursion, times what the contexts of the two words say.
#
# Section 2.4 mixes at most two levels.  Here every level is mixed with what all coarser ones give, and E4 itself rests
# on tags at a reduced Δ, so that no relation that two tags ever had in this order is impossible::
#
#     F̂ = (η + c F̂') / (δ + c)        for each level, F̂' being the estimate of the levels below it
#
# from tags and order (c = 0) over order and adjacency, Δ without the number of commas, E4 and E23 to E1.
#
# The tags beside the modifier, those beside the head, and the kinds of words that lie between say more.  Each such
# context is taken to be independent of the words and of the other contexts once relation, tags, order and adjacency are
# known.  Then by Bayes' rule it multiplies the probability of every relation, and that of none, by::
#
#     r = ((η / E + k) / (δ + k)) ^ α
#
# where η and δ are counted in the context and E is the estimate from tags, order and adjacency alone: how many times
# likelier the relation is in this context than elsewhere, drawn towards 1 by k and, since contexts overlap, by
# α ≤ 1.  What comes out is divided by its sum over all relations and none.

# c of each level.
C_ADJACENCY = 5.0
C_ANY_COMMAS = 5.0
C_TAGS = 40.0
C_WORD = 3.0
C_PAIR = 2.5
CONTEXT_PRIOR = 5.0
"""k of the contexts."""
LEAST_ESTIMATE = 1e-6
"""A relation less likely than this is left out: it would cost time and never stand in a parse."""
LEAST_NONE = 1e-9
"""The probability of no relation at all is never less than this, whatever rounding does."""


class PairLookups(NamedTuple):
    """All that :func:`mixed_dependencies` looks up after tags and order: first the buckets, then what is in them."""

    adjacency: Lookup
    any_commas: Lookup
    tags: Lookup
    modifier: Lookup
    head: Lookup
    both: Lookup
    beside_modifier: Lookup
    beside_head: Lookup
    between: Lookup


@kernel(allocates=False, inlined=True)
def mix_in(counts: Counts, start: int, end: int, step: float, row: Int32Array, estimates: FloatArray, at: int) -> None:
    """Add η times `step` to the estimate of every relation counted in a context."""
    for place in range(start, end, 2):
        where = row[counts.records[place]]
        if where > 0:
            estimates[at + where - 1] += counts.records[place + 1] * step


@kernel(allocates=False, inlined=True)
def mix_level(
    counts: Counts,
    found: Lookup,
    weight: float,
    scale: float,
    row: Int32Array,
    estimates: FloatArray,
    at: int,
) -> tuple[int, float]:
    """Mix one level into the estimates below it; return its δ and the scale of the estimates.

    The estimates are kept divided by a common scale, so that a level touches only the relations counted in it.
    """
    total, start, end = found
    if total == 0:
        return 0, scale
    scale *= weight / (total + weight)
    mix_in(counts, start, end, 1.0 / ((total + weight) * scale), row, estimates, at)
    return total, scale


@kernel(allocates=False, inlined=True)
def context_ratio(square_root: bool, eta: int, total: int, expected: float) -> float:
    """The ratio by which an outcome is likelier in a context: ((η / E + k) / (δ + k)) ^ α."""
    ratio = (eta / expected + CONTEXT_PRIOR) / (total + CONTEXT_PRIOR)
    return np.sqrt(ratio) if square_root else ratio


@kernel(allocates=False, inlined=True)
def bucket_of_pair(counts: Counts, table: int, pair: WordPair) -> Bucket:
    """Find the bucket of two words in one table."""
    return bucket_of(counts, table, dependency_key(counts.widths, table, pair))


@kernel(allocates=False, inlined=True)
def pair_buckets(counts: Counts, switches: Switches, pair: WordPair) -> PairLookups:
    """Find the buckets of all that is looked up."""
    by_modifier = NO_BUCKET
    by_head = NO_BUCKET
    by_both = NO_BUCKET
    if pair.modifier_word >= 0:
        by_modifier = bucket_of_pair(counts, DEPENDENCY_MODIFIER, pair)
    if pair.head_word >= 0:
        by_head = bucket_of_pair(counts, DEPENDENCY_HEAD, pair)
    if pair.modifier_word >= 0 and pair.head_word >= 0:
        by_both = bucket_of_pair(counts, DEPENDENCY_PAIR, pair)
    beside_modifier = NO_BUCKET
    beside_head = NO_BUCKET
    between = NO_BUCKET
    if switches.contexts:
        beside_modifier = bucket_of_pair(counts, DEPENDENCY_BESIDE_MODIFIER, pair)
        beside_head = bucket_of_pair(counts, DEPENDENCY_BESIDE_HEAD, pair)
        between = bucket_of_pair(counts, DEPENDENCY_BETWEEN, pair)
    return PairLookups(
        bucket_of_pair(counts, DEPENDENCY_ADJACENCY, pair),
        bucket_of_pair(counts, DEPENDENCY_ANY_COMMAS, pair),
        bucket_of_pair(counts, DEPENDENCY_TAGS, pair),
        by_modifier,
        by_head,
        by_both,
        beside_modifier,
        beside_head,
        between,
    )


@kernel(allocates=False, inlined=True)
def first_contexts(counts: Counts, buckets: PairLookups) -> int:
    """Ask for the first contexts in all buckets at once; a number that is never negative."""
    words = first_in(counts, buckets.modifier) | first_in(counts, buckets.head) | first_in(counts, buckets.both)
    tags = first_in(counts, buckets.adjacency) | first_in(counts, buckets.any_commas) | first_in(counts, buckets.tags)
    beside = first_in(counts, buckets.beside_modifier) | first_in(counts, buckets.beside_head)
    return words | tags | beside | first_in(counts, buckets.between)


@kernel(allocates=False, inlined=True)
def look_up_all(counts: Counts, buckets: PairLookups) -> PairLookups:
    """Look all contexts up in their buckets: of each δ and where its outcomes are."""
    return PairLookups(
        find_in(counts, buckets.adjacency),
        find_in(counts, buckets.any_commas),
        find_in(counts, buckets.tags),
        find_in(counts, buckets.modifier),
        find_in(counts, buckets.head),
        find_in(counts, buckets.both),
        find_in(counts, buckets.beside_modifier),
        find_in(counts, buckets.beside_head),
        find_in(counts, buckets.between),
    )


@kernel(allocates=False)
def mixed_dependencies(
    counts: Counts,
    switches: Switches,
    pair: WordPair,
    row: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Log F̂ of every relation that the two tags ever had in this order, in increasing order of their numbers.

    Parameters
    ----------
    pair
        The two words, and what stands beside and between them.
    row
        Scratch over all relations, zero on entry and on return.
    relations, estimates, at
        Where to write: relation numbers and log F̂, from place `at` on.

    Returns
    -------
    int
        One past the last place written, or −1 if there is not room enough.
    """
    # All is asked for before the first of it is used, so that memory fetches it side by side.
    by_order = bucket_of_pair(counts, DEPENDENCY_ORDER, pair)
    buckets = pair_buckets(counts, switches, pair)
    if first_contexts(counts, buckets) < 0:
        return -1
    total, first, last = find_in(counts, by_order)
    if first == last:
        return at
    if last - first > relations.shape[0] - at:
        return -1
    found = look_up_all(counts, buckets)
    filled = at
    for place in range(first, last, 2):
        relation = counts.records[place]
        relations[filled] = relation
        estimates[filled] = counts.records[place + 1] / total
        filled += 1
        row[relation] = filled - at
    total, scale = mix_level(counts, found.adjacency, C_ADJACENCY, 1.0, row, estimates, at)
    # What the contexts are compared with is kept behind the estimates.
    for place in range(at, filled):
        estimates[filled + place - at] = estimates[place] * scale
    if total > 0:
        total, scale = mix_level(counts, found.any_commas, C_ANY_COMMAS, scale, row, estimates, at)
    if total > 0:
        total, scale = mix_level(counts, found.tags, C_TAGS, scale, row, estimates, at)
    # Words were seen at a Δ only where their tags were.
    if total > 0:
        scale = mix_words(counts, found, scale, row, estimates, at)
    for place in range(at, filled):
        estimates[place] *= scale
    whole = 1.0
    common = 1.0
    if switches.contexts:
        none = 1.0
        expected_none = 1.0
        for place in range(at, filled):
            none -= estimates[place]
            expected_none -= estimates[filled + place - at]
        none = max(none, LEAST_NONE)
        expected_none = max(expected_none, LEAST_NONE)
        for number in range(3):
            total, start, end = found.beside_modifier
            if number > 0:
                total, start, end = found.beside_head if number == 1 else found.between
            # α is 1 for what is beside the head, and ½ for the other two.
            square_root = number != 1
            if total > 0:
                unseen = context_ratio(square_root, 0, total, 1.0)
                common *= unseen
                for place in range(start, end, 2):
                    eta = counts.records[place + 1]
                    where = row[counts.records[place]]
                    if where > 0:
                        ratio = context_ratio(square_root, eta, total, estimates[filled + where - 1])
                        estimates[at + where - 1] *= ratio / unseen
                none *= context_ratio(square_root, unrelated(counts, total, start, end), total, expected_none)
        whole = none
        for place in range(at, filled):
            whole += estimates[place] * common
    share = common / whole
    kept = at
    for place in range(at, filled):
        relation = relations[place]
        row[relation] = 0
        value = estimates[place] * share
        if value >= LEAST_ESTIMATE:
            relations[kept] = relation
            estimates[kept] = np.log(value)
            kept += 1
    return kept


@kernel(allocates=False, inlined=True)
def unrelated(counts: Counts, total: int, start: int, end: int) -> int:
    """Count how often two words had no relation in a context."""
    for place in range(start, end, 2):
        total -= counts.records[place + 1]
    return total


@kernel(allocates=False, inlined=True)
def mix_words(
    counts: Counts,
    found: PairLookups,
    scale: float,
    row: Int32Array,
    estimates: FloatArray,
    at: int,
) -> float:
    """Mix E23 and E1 into the estimates from tags; return the scale of the estimates."""
    total_2, start_2, end_2 = found.modifier
    total_3, start_3, end_3 = found.head
    total = total_2 + total_3
    if total > 0:
        scale *= C_WORD / (total + C_WORD)
        step = 1.0 / ((total + C_WORD) * scale)
        mix_in(counts, start_2, end_2, step, row, estimates, at)
        mix_in(counts, start_3, end_3, step, row, estimates, at)
    # Two words seen together at this distance were each seen at it with the other's tag.
    if total_2 > 0 and total_3 > 0:
        _, scale = mix_level(counts, found.both, C_PAIR, scale, row, estimates, at)
    return scale


# F̂ of the paper: the probability of a relation between two words at a distance (sections 2.2 to 2.4).
#
# That of preset (5) is in :mod:`engine.estimates.dependency_kernel`, and that of sentences for which the paper's
# finds no tree in :mod:`engine.estimates.dependency_kernel`; :func:`dependency_estimates` turns to the one that is
# asked for.


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
