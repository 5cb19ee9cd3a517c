"""F̂ with further back-off: section 2.4 carried on below E4, for sentences in which it gives every tree zero.

Section 2.4 mixes at most two levels, so F̂ is zero wherever two tags never had a relation at this very Δ, or two words
that were seen at it never had one that E23 knows.  Here every level is mixed with all below it, by the paper's own λ,
and below E4 stands one level more, the tags at a reduced Δ: question 1 alone, the paper's own distance measure in
Table 4::

    F̂ = λ1 E1 + (1 − λ1) (λ2 E23 + (1 − λ2) (λ4 E4 + (1 − λ4) E(order)))        λ4 = δ4 / (δ4 + 1)

A level that does not exist (δ = 0) is left out, and the lowest that exists stands alone.  With question 1 as the only
distance E4 is the lowest already.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches, WordPair
from engine.counts.keys_kernel import dependency_key
from engine.counts.lookup_kernel import find
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
from engine.structure.structure_layout import HEAD_FIRST

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

    Parameters and result are those of :func:`engine.estimates.dependency_estimates_kernel.dependency_estimates`;
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
