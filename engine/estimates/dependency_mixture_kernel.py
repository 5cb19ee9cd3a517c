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

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    BESIDE_HEAD,
    BESIDE_MODIFIER,
    BETWEEN,
    HEAD,
    MODIFIER,
    PAIR,
    TAGS,
    TAGS_ADJACENT,
    TAGS_NEAR,
    TAGS_ORDER,
    Counts,
    Switches,
)
from engine.counts.keys_kernel import context_key, first_key, pair_key, reduced_delta, second_key, tag_key
from engine.counts.lookup_kernel import bucket_of, count_of, find, find_in
from engine.structure.structure_layout import DELTA_BITS

# c of each level.
C_ADJACENT = 5.0
C_NEAR = 5.0
C_TAGS = 40.0
C_WORD = 3.0
C_PAIR = 2.5
CONTEXT_PRIOR = 5.0
"""k of the contexts; α is 1 for what is beside the head, and ½, a square root, for the other two."""
LEAST_ESTIMATE = 1e-6
"""A relation less likely than this is left out: it would cost time and never stand in a parse."""
LEAST_NONE = 1e-9
"""The probability of no relation at all is never less than this, whatever rounding does."""

NO_BUCKET = (0, 0, 0)
"""Where a word that the model does not know would be looked up."""

# Rows of what `mixture_counts` finds.
M_PAIR, M_MODIFIER, M_HEAD, M_TAGS, M_NEAR, M_ADJACENT, M_ORDER, M_BESIDE_MODIFIER, M_BESIDE_HEAD, M_BETWEEN = range(10)
MIXTURE_LEVELS = 10


@kernel(allocates=False)
def mix_in(counts: Counts, start: int, end: int, step: float, row: np.ndarray, estimates: np.ndarray, at: int) -> None:
    """Add η times `step` to the estimate of every relation counted in a context."""
    for place in range(start, end, 2):
        where = row[counts.records[place]]
        if where > 0:
            estimates[at + where - 1] += counts.records[place + 1] * step


@kernel(allocates=False)
def mix_level(
    counts: Counts,
    bucket: tuple[int, int, int],
    weight: float,
    scale: float,
    row: np.ndarray,
    estimates: np.ndarray,
    at: int,
) -> tuple[int, float]:
    """Mix one level into the estimates below it; return its δ and the scale of the estimates.

    The estimates are kept divided by a common scale, so that a level touches only the relations counted in it.
    """
    total, start, end = find_in(counts, bucket)
    if total == 0:
        return 0, scale
    scale *= weight / (total + weight)
    mix_in(counts, start, end, 1.0 / ((total + weight) * scale), row, estimates, at)
    return total, scale


@kernel(allocates=False)
def context_ratio(level: int, eta: int, total: int, expected: float) -> float:
    """How many times likelier an outcome is in a context: ((η / E + k) / (δ + k)) ^ α."""
    ratio = (eta / expected + CONTEXT_PRIOR) / (total + CONTEXT_PRIOR)
    return ratio if level == BESIDE_HEAD else np.sqrt(ratio)


@kernel(allocates=False)
def mixed_dependencies(
    counts: Counts,
    switches: Switches,
    word_m: int,
    tag_m: int,
    word_h: int,
    tag_h: int,
    delta: int,
    beside_m: int,
    beside_h: int,
    kinds: int,
    row: np.ndarray,
    relations: np.ndarray,
    estimates: np.ndarray,
    at: int,
) -> int:
    """Log F̂ of every relation that the two tags ever had in this order, in increasing order of their numbers.

    Parameters
    ----------
    beside_m, beside_h, kinds
        Neighbours of the modifier and of the head, and what lies between.
    row
        Scratch over all relations, zero on entry and on return.
    relations, estimates, at
        Where to write: relation numbers and log F̂, from place `at` on.

    Returns
    -------
    int
        One past the last place written, or −1 if there is not room enough.
    """
    key_4 = tag_key(counts.widths, tag_m, tag_h) << DELTA_BITS
    total, first, last = find(counts, TAGS_ORDER, key_4 | reduced_delta(TAGS_ORDER, delta))
    if last - first > relations.shape[0] - at:
        return -1
    filled = at
    for place in range(first, last, 2):
        relation = counts.records[place]
        relations[filled] = relation
        estimates[filled] = counts.records[place + 1] / total
        filled += 1
        row[relation] = filled - at
    if filled == at:
        return at
    # The buckets of all that is looked up below, so that memory can fetch them side by side.
    widths = counts.widths
    adjacent = bucket_of(counts, TAGS_ADJACENT, key_4 | reduced_delta(TAGS_ADJACENT, delta))
    near = bucket_of(counts, TAGS_NEAR, key_4 | reduced_delta(TAGS_NEAR, delta))
    tags = bucket_of(counts, TAGS, key_4 | delta)
    by_modifier = NO_BUCKET
    by_head = NO_BUCKET
    by_both = NO_BUCKET
    if switches.lexical:
        if word_m >= 0:
            key = first_key(widths, word_m, tag_m, tag_h) << DELTA_BITS
            by_modifier = bucket_of(counts, MODIFIER, key | delta)
        if word_h >= 0:
            key = second_key(widths, tag_m, word_h, tag_h) << DELTA_BITS
            by_head = bucket_of(counts, HEAD, key | delta)
        if word_m >= 0 and word_h >= 0:
            key = pair_key(widths, word_m, tag_m, word_h, tag_h) << DELTA_BITS
            by_both = bucket_of(counts, PAIR, key | delta)
    beside_modifier = NO_BUCKET
    beside_head = NO_BUCKET
    in_between = NO_BUCKET
    if switches.contexts:
        key = context_key(widths, BESIDE_MODIFIER, tag_m, tag_h, delta, beside_m)
        beside_modifier = bucket_of(counts, BESIDE_MODIFIER, key)
        key = context_key(widths, BESIDE_HEAD, tag_m, tag_h, delta, beside_h)
        beside_head = bucket_of(counts, BESIDE_HEAD, key)
        in_between = bucket_of(counts, BETWEEN, context_key(widths, BETWEEN, tag_m, tag_h, delta, kinds))
    total, scale = mix_level(counts, adjacent, C_ADJACENT, 1.0, row, estimates, at)
    # What the contexts are compared with is kept behind the estimates.
    for place in range(at, filled):
        estimates[filled + place - at] = estimates[place] * scale
    if total > 0:
        total, scale = mix_level(counts, near, C_NEAR, scale, row, estimates, at)
    if total > 0:
        total, scale = mix_level(counts, tags, C_TAGS, scale, row, estimates, at)
    # Words were seen at a Δ only where their tags were.
    if total > 0 and switches.lexical:
        scale = mix_words(counts, by_modifier, by_head, by_both, scale, row, estimates, at)
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
        for level in range(BESIDE_MODIFIER, BETWEEN + 1):
            bucket = in_between
            if level != BETWEEN:
                bucket = beside_modifier if level == BESIDE_MODIFIER else beside_head
            total, start, end = find_in(counts, bucket)
            if total > 0:
                unseen = context_ratio(level, 0, total, 1.0)
                common *= unseen
                for place in range(start, end, 2):
                    eta = counts.records[place + 1]
                    where = row[counts.records[place]]
                    if where > 0:
                        ratio = context_ratio(level, eta, total, estimates[filled + where - 1])
                        estimates[at + where - 1] *= ratio / unseen
                none *= context_ratio(level, unrelated(counts, total, start, end), total, expected_none)
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


@kernel(allocates=False)
def unrelated(counts: Counts, total: int, start: int, end: int) -> int:
    """How often two words had no relation in a context."""
    for place in range(start, end, 2):
        total -= counts.records[place + 1]
    return total


@kernel(allocates=False)
def mix_words(
    counts: Counts,
    by_modifier: tuple[int, int, int],
    by_head: tuple[int, int, int],
    by_both: tuple[int, int, int],
    scale: float,
    row: np.ndarray,
    estimates: np.ndarray,
    at: int,
) -> float:
    """Mix E23 and E1, from their buckets, into the estimates from tags; return the scale of the estimates."""
    total_2, start_2, end_2 = find_in(counts, by_modifier)
    total_3, start_3, end_3 = find_in(counts, by_head)
    total = total_2 + total_3
    if total > 0:
        scale *= C_WORD / (total + C_WORD)
        step = 1.0 / ((total + C_WORD) * scale)
        mix_in(counts, start_2, end_2, step, row, estimates, at)
        mix_in(counts, start_3, end_3, step, row, estimates, at)
    # Two words seen together at this distance were each seen at it with the other's tag.
    if total_2 > 0 and total_3 > 0:
        _, scale = mix_level(counts, by_both, C_PAIR, scale, row, estimates, at)
    return scale


@kernel(allocates=False)
def mixture_counts(
    counts: Counts,
    switches: Switches,
    word_m: int,
    tag_m: int,
    word_h: int,
    tag_h: int,
    delta: int,
    beside_m: int,
    beside_h: int,
    kinds: int,
    relation: int,
    eta: np.ndarray,
    total: np.ndarray,
) -> None:
    """η and δ of every level and context for one relation: what :func:`mixed_dependencies` computes F̂ from."""
    key_4 = tag_key(counts.widths, tag_m, tag_h) << DELTA_BITS
    for level in range(MIXTURE_LEVELS):
        table = TAGS_ORDER
        key = key_4 | reduced_delta(TAGS_ORDER, delta)
        if level == M_PAIR:
            table = PAIR
            key = (pair_key(counts.widths, word_m, tag_m, word_h, tag_h) << DELTA_BITS) | delta
        elif level == M_MODIFIER:
            table = MODIFIER
            key = (first_key(counts.widths, word_m, tag_m, tag_h) << DELTA_BITS) | delta
        elif level == M_HEAD:
            table = HEAD
            key = (second_key(counts.widths, tag_m, word_h, tag_h) << DELTA_BITS) | delta
        elif level == M_TAGS:
            table = TAGS
            key = key_4 | delta
        elif level == M_NEAR or level == M_ADJACENT:
            table = TAGS_NEAR if level == M_NEAR else TAGS_ADJACENT
            key = key_4 | reduced_delta(table, delta)
        elif level >= M_BESIDE_MODIFIER:
            table = BESIDE_MODIFIER + level - M_BESIDE_MODIFIER
            context = beside_m if table == BESIDE_MODIFIER else (beside_h if table == BESIDE_HEAD else kinds)
            key = context_key(counts.widths, table, tag_m, tag_h, delta, context)
            if not switches.contexts:
                continue
        needs_m = level == M_PAIR or level == M_MODIFIER
        needs_h = level == M_PAIR or level == M_HEAD
        if (needs_m and (word_m < 0 or not switches.lexical)) or (needs_h and (word_h < 0 or not switches.lexical)):
            continue
        total[level], start, end = find(counts, table, key)
        eta[level] = count_of(counts, start, end, relation)


@kernel(allocates=False)
def level_weight(level: int) -> float:
    """C of a level of the recursion; 0 for the coarsest, which stands alone."""
    if level == M_PAIR:
        return C_PAIR
    if level == M_MODIFIER or level == M_HEAD:
        return C_WORD
    if level == M_TAGS:
        return C_TAGS
    if level == M_NEAR:
        return C_NEAR
    return C_ADJACENT if level == M_ADJACENT else 0.0
