"""F̂ of preset (5): section 2.4 as one full recursion, times what the contexts of the two words say.

Section 2.4 mixes at most two levels.  Here every level is mixed with what all coarser ones give, and E4 itself rests
on tags at a reduced Δ, so that no relation that two tags ever had in this order is impossible::

    F̂ = (η + c F̂') / (δ + c)        for each level, F̂' being the estimate of the levels below it

from tags and order (c = 0) over order and adjacency, Δ without the number of commas, E4 and E23 to E1.

The tags beside the modifier, those beside the head, and the kinds of words that lie between say more.  Each such
context is taken to be independent of the words and of the other contexts once relation, tags, order and adjacency are
known.  Then by Bayes' rule it multiplies the probability of every relation, and that of none, by::

    r = ((η / E + k) / (δ + k)) ^ α

where η and δ are counted in the context and E is the estimate from tags, order and adjacency alone: how many times
likelier the relation is in this context than elsewhere, drawn towards 1 by k and, since contexts overlap, by
α ≤ 1.  What comes out is divided by its sum over all relations and none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches, WordPair
from engine.counts.keys_kernel import dependency_key
from engine.counts.lookup_kernel import NO_BUCKET, Bucket, Lookup, bucket_of, find_in, first_in
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
    DEPENDENCY_TAGS,
)

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
