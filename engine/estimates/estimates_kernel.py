"""Estimates (sections 2.2 to 2.5): F̂, the gap model, the unary model and the root term.

Every probability of the model is computed here and nowhere else: the chart multiplies what these
functions return, and the inspector and the ledger call them again to explain it.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    COMMA_BITS,
    GAP_COMMA,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    HEAD,
    MODIFIER,
    PAIR,
    PAIR_PLAIN,
    ROOT_ANY,
    ROOT_TAG,
    ROOT_WORD,
    TAGS,
    TAGS_ORDER,
    UNARY_LABEL,
    UNARY_TAG,
    Counts,
    Switches,
    Widths,
)
from engine.counts.keys_kernel import first_key, pair_key, second_key, tag_key, words_key
from engine.counts.lookup_kernel import count_of, find
from engine.estimates.dependency_mixture_kernel import mixed_dependencies
from engine.structure.structure_layout import DELTA_BITS, HEAD_FIRST


@kernel(allocates=False)
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


@kernel(allocates=False)
def add_counts(counts: Counts, start: int, end: int, row: np.ndarray) -> None:
    """Add the counts of a context's outcomes to a row indexed by outcome."""
    for place in range(start, end, 2):
        row[counts.records[place]] += counts.records[place + 1]


@kernel(allocates=False)
def clear_counts(counts: Counts, start: int, end: int, row: np.ndarray) -> None:
    """Undo :func:`add_counts`."""
    for place in range(start, end, 2):
        row[counts.records[place]] = 0


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
def interpolated(eta: int, delta: int, below: float) -> float:
    """λ E + (1 − λ) below, with λ = δ / (δ + 1): the paper's λ for models with one level of back-off."""
    return (eta + below) / (delta + 1.0)


@kernel(allocates=False)
def unary_estimate(counts: Counts, label: int, tag: int, parent: int) -> float:
    """P̂(parent or none | label, head tag): the term P̂(U|B,S) of the footnote to section 2.6."""
    delta_2, start, end = find(counts, UNARY_LABEL, label)
    if delta_2 == 0:
        return 1.0 if parent == 0 else 0.0
    below = count_of(counts, start, end, parent) / delta_2
    delta_1, start, end = find(counts, UNARY_TAG, tag_key(counts.widths, label, tag))
    return interpolated(count_of(counts, start, end, parent), delta_1, below)


@kernel(allocates=False)
def root_estimate(counts: Counts, word: int, tag: int, label: int) -> float:
    """F̂(<label> | head-word, head tag): the root as one more arrow, AF(j) = (0, <label>) (footnote 5).

    How often a reduced word of this kind was the head of its sentence under this label, out of all
    its occurrences.
    """
    delta_3, start, end = find(counts, ROOT_ANY, 0)
    below = count_of(counts, start, end, label) / max(delta_3, 1)
    delta_2, start, end = find(counts, ROOT_TAG, tag)
    below = interpolated(count_of(counts, start, end, label), delta_2, below)
    if word < 0:
        return below
    delta_1, start, end = find(counts, ROOT_WORD, tag_key(counts.widths, word, tag))
    return interpolated(count_of(counts, start, end, label), delta_1, below)


@kernel(allocates=False)
def unary_counts(counts: Counts, label: int, tag: int, parent: int, eta: np.ndarray, delta: np.ndarray) -> None:
    """η and δ behind :func:`unary_estimate`: label and tag, label alone."""
    delta[0], start, end = find(counts, UNARY_TAG, tag_key(counts.widths, label, tag))
    eta[0] = count_of(counts, start, end, parent)
    delta[1], start, end = find(counts, UNARY_LABEL, label)
    eta[1] = count_of(counts, start, end, parent)


@kernel(allocates=False)
def root_counts(counts: Counts, word: int, tag: int, label: int, eta: np.ndarray, delta: np.ndarray) -> None:
    """η and δ behind :func:`root_estimate`: word and tag, tag alone, nothing."""
    if word >= 0:
        delta[0], start, end = find(counts, ROOT_WORD, tag_key(counts.widths, word, tag))
        eta[0] = count_of(counts, start, end, label)
    delta[1], start, end = find(counts, ROOT_TAG, tag)
    eta[1] = count_of(counts, start, end, label)
    delta[2], start, end = find(counts, ROOT_ANY, 0)
    eta[2] = count_of(counts, start, end, label)
