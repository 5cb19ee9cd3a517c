"""F̂ of the paper: probability of a relation between two words at a distance (sections 2.2 to 2.4).

That of preset (5) is in :mod:`engine.estimates.dependency_mixture_kernel`, to which :func:`dependency_estimates` turns
if the settings say so.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import HEAD, MODIFIER, PAIR, PAIR_PLAIN, TAGS, TAGS_ORDER, Counts, Switches, Widths
from engine.counts.keys_kernel import first_key, pair_key, second_key, tag_key, words_key
from engine.counts.lookup_kernel import count_of, find
from engine.estimates.dependency_mixture_kernel import mixed_dependencies
from engine.estimates.smoothing_kernel import add_counts, clear_counts, smoothed
from engine.structure.structure_layout import DELTA_BITS, HEAD_FIRST


@kernel(allocates=False)
def lexical_keys(
    widths: Widths, switches: Switches, word_m: int, tag_m: int, word_h: int, tag_h: int
) -> tuple[int, int, int]:
    """Keys (without Δ) of the levels with words; −1 for a level that an unknown word rules out."""
    if switches.lexical == 0:
        return -1, -1, -1
    key_1 = -1
    key_2 = -1
    key_3 = -1
    if switches.ignore_tags:
        if word_m >= 0:
            key_2 = tag_key(widths, word_m, tag_h)
            if word_h >= 0:
                key_1 = words_key(widths, word_m, word_h)
        if word_h >= 0:
            key_3 = tag_key(widths, word_h, tag_m)
    else:
        if word_m >= 0:
            key_2 = first_key(widths, word_m, tag_m, tag_h)
            if word_h >= 0:
                key_1 = pair_key(widths, word_m, tag_m, word_h, tag_h)
        if word_h >= 0:
            key_3 = second_key(widths, tag_m, word_h, tag_h)
    return key_1, key_2, key_3


@kernel(allocates=False)
def lexical_counts(
    counts: Counts, table: int, key: int, delta: int, order_only: int, row: np.ndarray
) -> tuple[int, int, int]:
    """Add η of every relation in one lexical context to `row`; return its δ and where its outcomes are.

    With question 1 as the only distance the counts of all Δ of the same order are added up, and the
    outcomes are in many places (then the range is empty and `row` must be cleared whole).
    """
    if key < 0:
        return 0, 0, 0
    if order_only == 0:
        total, start, end = find(counts, table, (key << DELTA_BITS) | delta)
        add_counts(counts, start, end, row)
        return total, start, end
    total = 0
    base = (key << DELTA_BITS) | (delta & HEAD_FIRST)
    for other in range(HEAD_FIRST):
        part, start, end = find(counts, table, base | other)
        add_counts(counts, start, end, row)
        total += part
    return total, 0, 0


@kernel(allocates=False)
def dependency_estimates(
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
    rows: np.ndarray,
    relations: np.ndarray,
    estimates: np.ndarray,
    at: int,
) -> int:
    """F̂(R | <w_m, t_m>, <w_h, t_h>, Δ) for every relation R for which it is not zero.

    Parameters
    ----------
    beside_m, beside_h, kinds
        For preset (5): neighbours of the modifier and of the head, and what lies between.
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
        return mixed_dependencies(
            counts, switches, word_m, tag_m, word_h, tag_h, delta, beside_m, beside_h, kinds,
            rows[0], relations, estimates, at,
        )  # fmt: skip
    order = switches.order_only
    key_4 = tag_key(counts.widths, tag_m, tag_h) << DELTA_BITS
    if order:
        delta_4, start, end = find(counts, TAGS_ORDER, key_4 | (delta & HEAD_FIRST))
    else:
        delta_4, start, end = find(counts, TAGS, key_4 | delta)
    if delta_4 == 0 and not switches.ignore_tags:
        return at
    key_1, key_2, key_3 = lexical_keys(counts.widths, switches, word_m, tag_m, word_h, tag_h)
    shift = PAIR_PLAIN if switches.ignore_tags else PAIR
    delta_2, start_2, end_2 = lexical_counts(counts, shift + MODIFIER, key_2, delta, order, rows[1])
    delta_3, start_3, end_3 = lexical_counts(counts, shift + HEAD, key_3, delta, order, rows[1])
    delta_23 = delta_2 + delta_3
    delta_1 = 0
    start_1 = 0
    end_1 = 0
    # With tags, two words seen together at this distance were each seen at it with the other's tag.
    if switches.ignore_tags or (delta_2 > 0 and delta_3 > 0):
        delta_1, start_1, end_1 = lexical_counts(counts, shift + PAIR, key_1, delta, order, rows[0])
    room = relations.shape[0] - at
    if (end - start) // 2 + (end_1 - start_1 + end_2 - start_2 + end_3 - start_3) // 2 > room:
        at = -1
    if order and rows.shape[1] > room:
        at = -1
    if at >= 0:
        for place in range(start, end, 2):
            relation = counts.records[place]
            rows[2, relation] = 1
            value = smoothed(
                rows[0, relation], delta_1, rows[1, relation], delta_23, counts.records[place + 1], delta_4
            )
            if value > 0.0:
                relations[at] = relation
                estimates[at] = np.log(value)
                at += 1
        if switches.ignore_tags:
            # Relations that these words had under other tags.
            if order:
                for relation in range(rows.shape[1]):
                    at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
            else:
                for place in range(start_1, end_1, 2):
                    relation = counts.records[place]
                    at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
                for place in range(start_2, end_2, 2):
                    relation = counts.records[place]
                    at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
                for place in range(start_3, end_3, 2):
                    relation = counts.records[place]
                    at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    if order:
        for row in range(rows.shape[0]):
            for relation in range(rows.shape[1]):
                rows[row, relation] = 0
        return at
    clear_counts(counts, start_1, end_1, rows[0])
    clear_counts(counts, start_2, end_2, rows[1])
    clear_counts(counts, start_3, end_3, rows[1])
    clear_counts(counts, start, end, rows[2])
    if switches.ignore_tags:
        clear_counts(counts, start_1, end_1, rows[2])
        clear_counts(counts, start_2, end_2, rows[2])
        clear_counts(counts, start_3, end_3, rows[2])
    return at


@kernel(allocates=False)
def add_unseen(
    relation: int,
    rows: np.ndarray,
    delta_1: int,
    delta_23: int,
    delta_4: int,
    relations: np.ndarray,
    estimates: np.ndarray,
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


@kernel(allocates=False)
def dependency_counts(
    counts: Counts,
    switches: Switches,
    word_m: int,
    tag_m: int,
    word_h: int,
    tag_h: int,
    delta_code: int,
    relation: int,
    eta: np.ndarray,
    delta: np.ndarray,
) -> None:
    """η and δ of the four levels for one relation: what :func:`dependency_estimates` computes F̂ from."""
    order = switches.order_only
    shift = PAIR_PLAIN if switches.ignore_tags else PAIR
    key_1, key_2, key_3 = lexical_keys(counts.widths, switches, word_m, tag_m, word_h, tag_h)
    for level in range(3):
        key = key_1 if level == 0 else (key_2 if level == 1 else key_3)
        for other in range(HEAD_FIRST if order else 1):
            if key >= 0:
                code = (delta_code & HEAD_FIRST) | other if order else delta_code
                total, start, end = find(counts, shift + level, (key << DELTA_BITS) | code)
                delta[level] += total
                eta[level] += count_of(counts, start, end, relation)
    key_4 = tag_key(counts.widths, tag_m, tag_h) << DELTA_BITS
    if order:
        total, start, end = find(counts, TAGS_ORDER, key_4 | (delta_code & HEAD_FIRST))
    else:
        total, start, end = find(counts, TAGS, key_4 | delta_code)
    delta[3] = total
    eta[3] = count_of(counts, start, end, relation)
