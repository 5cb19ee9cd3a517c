"""Estimates: chains of back-off mixed (section 2.4), and those of gap tags, unary parents and the root."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches
from engine.counts.lookup_kernel import (
    Bucket,
    bucket_of,
    count_of,
    find,
    find_in,
    first_in,
    key_of,
    look_into,
    note_bucket,
)
from engine.estimates import estimates_layout as layout
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
def mixed_in(eta: int, delta: int, weight: float, below: float) -> float:
    """λ E + (1 − λ) F̂' with λ = δ / (δ + c): (η + c F̂') / (δ + c)."""
    return (eta + weight * below) / (delta + weight)


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


# A chain of back-off (:mod:`engine.estimates.estimates_layout`) looked up, and mixed for one outcome, every step
# written down.


@kernel(allocates=False, inlined=True)
def chain_buckets(counts: Counts, chain: int, context: Int64Array, lookups: Int64Array, place: int) -> int:
    """Write the buckets of a context in all rows of a chain from a place on; return the place after them."""
    for row in range(layout.CHAIN_ROWS[chain], layout.CHAIN_ROWS[chain + 1]):
        place = note_bucket(counts, int(layout.ROW_TABLES[row]), context, lookups, place)
    return place


@kernel(allocates=False, inlined=True)
def pool_steps(chain: int, eta: Int64Array, delta: Int64Array, outcome: int, steps: FloatArray) -> None:
    """Write η and δ of every step of a chain: those of its rows together."""
    first = int(layout.CHAIN_STEPS[chain])
    for step in range(int(layout.CHAIN_STEPS[chain + 1]) - first):
        steps[step] = 0.0
        start = int(layout.STEP_ROWS[first + step])
        for row in range(start, start + int(layout.STEP_TABLES[first + step])):
            steps[step, layout.STEP_ETA] += eta[row, outcome]
            steps[step, layout.STEP_DELTA] += delta[row]


@kernel(allocates=False, inlined=True)
def papers_estimate(chain: int, steps: FloatArray) -> float:
    """Mix a chain by section 2.4's own rule: two levels at most, as :func:`smoothed` does."""
    levels = int(layout.CHAIN_LEVELS[chain])
    finest = levels - 1
    pool = levels - 2
    last = levels - 3
    while last > 0 and steps[last, layout.STEP_DELTA] == 0:
        last -= 1
    lower = last
    if steps[finest, layout.STEP_DELTA] > 0:
        upper = finest
        if steps[pool, layout.STEP_DELTA] > 0:
            lower = pool
    else:
        upper = pool
    if steps[lower, layout.STEP_DELTA] > 0:
        steps[lower, layout.STEP_LAMBDA] = 1.0
    if steps[upper, layout.STEP_DELTA] > 0:
        # λ E + (1 − λ) E', or E alone where there is nothing to mix it with.
        beside = 1.0 if steps[lower, layout.STEP_DELTA] > 0 else 0.0
        steps[upper, layout.STEP_LAMBDA] = steps[upper, layout.STEP_DELTA] / (steps[upper, layout.STEP_DELTA] + beside)
    return smoothed(
        steps[finest, layout.STEP_ETA],
        steps[finest, layout.STEP_DELTA],
        steps[pool, layout.STEP_ETA],
        steps[pool, layout.STEP_DELTA],
        steps[last, layout.STEP_ETA],
        steps[last, layout.STEP_DELTA],
    )


@kernel(allocates=False, inlined=True)
def mix_step(chain: int, step: int, exists: bool, below: float, steps: FloatArray) -> float:
    """Mix one step into the estimate `below` it, if there `exists` any, and write it down."""
    eta = steps[step, layout.STEP_ETA]
    delta = steps[step, layout.STEP_DELTA]
    value = below
    if exists:
        weight = layout.STEP_WEIGHTS[int(layout.CHAIN_STEPS[chain]) + step]
        value = mixed_in(eta, delta, weight, below)
        steps[step, layout.STEP_LAMBDA] = delta / (delta + weight)
    elif delta > 0:
        value = eta / delta
        steps[step, layout.STEP_LAMBDA] = 1.0
    steps[step, layout.STEP_VALUE] = value
    return value


@kernel(allocates=False)
def chain_estimate(chain: int, eta: Int64Array, delta: Int64Array, outcome: int, steps: FloatArray) -> float:
    """Estimate one outcome by a chain; where contexts multiply in, before it is divided by the sum over all outcomes.

    Parameters
    ----------
    chain
        Number of the chain.
    eta, delta
        η of some outcomes, and δ, in every row of the chain.
    outcome
        Which of these outcomes.
    steps
        What is mixed is written here: :data:`engine.estimates.estimates_layout.STEP_COLUMNS`.
    """
    pool_steps(chain, eta, delta, outcome, steps)
    if layout.CHAIN_PAPERS[chain]:
        return papers_estimate(chain, steps)
    levels = int(layout.CHAIN_LEVELS[chain])
    even = layout.CHAIN_EVEN[chain]
    value = 1.0 / even if even else 0.0
    exists = even > 0
    expected = 0.0
    for step in range(levels):
        value = mix_step(chain, step, exists, value, steps)
        exists = exists or steps[step, layout.STEP_DELTA] > 0
        if step + 1 == layout.CHAIN_EXPECTED[chain]:
            expected = value
    step = levels
    for context in range(layout.CHAIN_CONTEXTS[chain], layout.CHAIN_CONTEXTS[chain + 1]):
        estimate = expected
        for _ in range(layout.CONTEXT_STEPS[context]):
            estimate = mix_step(chain, step, True, estimate, steps)
            step += 1
        if expected > 0.0:
            root = layout.CONTEXT_ROOTS[context] != 0
            value = value * np.sqrt(estimate / expected) if root else value * estimate / expected
    return value


# P̂ of the gap tags between two words (section 2.5).


@kernel(allocates=False, inlined=True)
def gap_chain(switches: Switches) -> int:
    """The chain of gaps that the settings ask for."""
    if switches.gap_contexts:
        return layout.GAP_IN_CONTEXT
    return layout.FURTHER_GAP_CHAIN if switches.further_backoff > 1 else layout.GAP_CHAIN


@kernel(allocates=False, inlined=True)
def gap_rows(chain: int) -> int:
    """How many contexts are looked up of a gap."""
    return int(layout.CHAIN_ROWS[chain + 1] - layout.CHAIN_ROWS[chain])


@kernel(allocates=False, inlined=True)
def counts_of_gap(
    counts: Counts, chain: int, lookups: Int64Array, place: int, eta: Int64Array, delta: Int64Array
) -> int:
    """η of the five gap tags and δ, in the rows of the chain, of what was found; return the place after it."""
    eta[:] = 0
    delta[:] = 0
    for row in range(gap_rows(chain)):
        delta[row] = lookups[place, 0]
        add_counts(counts, lookups[place, 1], lookups[place, 2], eta[row])
        place += 1
    return place


@kernel
def gap_counts(counts: Counts, chain: int, context: Int64Array, eta: Int64Array, delta: Int64Array) -> None:
    """Counts behind P̂(G | w_l, t_l, w_r, t_r, c): η of the five gap tags and δ, in the rows of the chain."""
    lookups = np.empty((layout.MOST_ROWS, 3), np.int64)
    look_into(counts, lookups, chain_buckets(counts, chain, context, lookups, 0))
    counts_of_gap(counts, chain, lookups, 0, eta, delta)


@kernel(allocates=False, inlined=True)
def gap_distribution(chain: int, eta: Int64Array, delta: Int64Array, steps: FloatArray, row: FloatArray) -> None:
    """P̂ of the five gap tags from :func:`gap_counts`."""
    whole = 0.0
    for tag in range(GAP_TAGS):
        row[tag] = chain_estimate(chain, eta, delta, tag, steps)
        whole += row[tag]
    if layout.CHAIN_CONTEXTS[chain + 1] > layout.CHAIN_CONTEXTS[chain]:
        for tag in range(GAP_TAGS):
            row[tag] /= whole


# P̂(U | B, S): the unary parent of a constituent, or none (footnote to section 2.6).
#
# The chart works from all parents at once: :func:`fill_parents` of the label, and in preset (5) of the constituent
# :func:`unary_distribution`.  Both are the chain of the setting mixed for every parent, which is tested.  The second is
# called for every candidate and written out: walking through the chain there made parsing slower by up to a tenth, as
# far as that can be told.  A level or context that is added to the chain gets its names here and is mixed in there.
_steps, _rows = layout.CHAIN_STEPS[layout.UNARY_IN_CONTEXT], layout.CHAIN_ROWS[layout.UNARY_IN_CONTEXT]
C_LABEL, C_TAG, C_WORD, C_BESIDE, C_AROUND, C_INNER = layout.STEP_WEIGHTS[
    _steps : layout.CHAIN_STEPS[layout.UNARY_IN_CONTEXT + 1]
].tolist()
BY_LABEL, BY_TAG, BY_WORD, BY_AFTER, BY_BEFORE, BY_AROUND, BY_INNER = layout.ROW_TABLES[
    _rows : layout.CHAIN_ROWS[layout.UNARY_IN_CONTEXT + 1]
].tolist()
Place = tuple[int, int, int]
NOWHERE = (0, 0, 0)


@kernel(allocates=False, inlined=True)
def unary_bucket(counts: Counts, table: int, context: Int64Array) -> Bucket:
    """Find the bucket of a constituent in one table."""
    return bucket_of(counts, table, key_of(counts.bits, table, context))


@kernel(allocates=False)
def fill_parents(counts: Counts, context: Int64Array, contexts: int, row: FloatArray) -> None:
    """P̂ of every unary parent of a constituent by label and head tag, and of none, in a row that is zero on entry.

    By the paper's chain, or what the contexts of a constituent are compared with: label and head tag both.

    The parents of either level stand in increasing order, and both are walked through side by side: of a thousand
    parents each would else be looked for among a thousand.
    """
    by_label = find(counts, BY_LABEL, key_of(counts.bits, BY_LABEL, context))
    by_tag = find(counts, BY_TAG, key_of(counts.bits, BY_TAG, context))
    chain = layout.UNARY_IN_CONTEXT if contexts else layout.UNARY_CHAIN
    # c of the finer of the two coarsest levels.
    weight = layout.STEP_WEIGHTS[layout.CHAIN_STEPS[chain] + 1]
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
        row[parent] = mixed_in(eta, by_tag[0], weight, below)


@kernel(allocates=False, inlined=True)
def note_parents(counts: Counts, place: Place, column: int, scratch: FloatArray, seen: Int32Array, number: int) -> int:
    """Add the counts of one context to a column of the scratch; return how many parents were seen so far."""
    for at in range(place[1], place[2], 2):
        parent = counts.records[at]
        if scratch[parent, layout.S_SEEN] == 0.0:
            scratch[parent, layout.S_SEEN] = 1.0
            seen[number] = parent
            number += 1
        scratch[parent, column] += counts.records[at + 1]
    return number


@kernel(allocates=False, inlined=True)
def unary_distribution(
    counts: Counts,
    levels: FloatArray,
    context: Int64Array,
    scratch: FloatArray,
    seen: Int32Array,
) -> tuple[float, int]:
    """P̂ of every unary parent of a constituent, and of none: by the chain ``UNARY_IN_CONTEXT`` (preset 5).

    Few parents were seen in any of its contexts.  Their P̂ is left in ``scratch[parent, S_VALUE]``; that of every other
    parent is the first number returned times ``levels[parent]``, for all contexts draw it down alike.

    Parameters
    ----------
    levels
        :func:`fill_parents` of every parent, under this label and tag.  They sum to 1.
    context
        The constituent.
    scratch, seen
        A row for every parent, zero on entry; the parents that were seen.  :func:`forget_parents` clears up.

    Returns
    -------
    tuple[float, int]
        The factor of the parents that were not seen, and how many were.
    """
    in_after = unary_bucket(counts, BY_AFTER, context)
    in_before = unary_bucket(counts, BY_BEFORE, context)
    in_inner = unary_bucket(counts, BY_INNER, context)
    in_around = unary_bucket(counts, BY_AROUND, context)
    in_word = unary_bucket(counts, BY_WORD, context)
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
    number = note_parents(counts, by_after, layout.S_BESIDE, scratch, seen, 0)
    number = note_parents(counts, by_before, layout.S_BESIDE, scratch, seen, number)
    number = note_parents(counts, by_inner, layout.S_INNER, scratch, seen, number)
    number = note_parents(counts, by_around, layout.S_AROUND, scratch, seen, number)
    number = note_parents(counts, by_word, layout.S_WORD, scratch, seen, number)
    scale_beside = 1.0 / (by_after[0] + by_before[0] + C_BESIDE)
    scale_around = 1.0 / (by_around[0] + C_AROUND)
    scale_inner = 1.0 / (by_inner[0] + C_INNER)
    scale_word = 1.0 / (by_word[0] + C_WORD)
    factor = C_WORD * scale_word * C_BESIDE * scale_beside * C_AROUND * scale_around
    factor *= np.sqrt(C_INNER * scale_inner)
    whole = 0.0
    rest = 1.0
    for at in range(number):
        row = scratch[seen[at]]
        level = levels[seen[at]]
        around = (row[layout.S_BESIDE] + C_BESIDE * level) * scale_beside
        around = (row[layout.S_AROUND] + C_AROUND * around) * scale_around
        inner = (row[layout.S_INNER] + C_INNER * level) * scale_inner
        word_level = (row[layout.S_WORD] + C_WORD * level) * scale_word
        # Whatever was seen in a context was seen under the label, if the counts are those of trees.
        row[layout.S_VALUE] = word_level * (around / level) * np.sqrt(inner / level) if level > 0.0 else 0.0
        whole += row[layout.S_VALUE]
        rest -= level
    scale = 1.0 / (whole + factor * max(rest, 0.0))
    for at in range(number):
        scratch[seen[at], layout.S_VALUE] *= scale
    return factor * scale, number


@kernel
def unary_probability(counts: Counts, context: Int64Array, contexts: int, parent: int, labels: int) -> float:
    """P̂ of one unary parent of a constituent, or of none, as the chart has it; so many labels there are."""
    levels = np.zeros(labels)
    fill_parents(counts, context, contexts, levels)
    if not contexts:
        return float(levels[parent])
    scratch = np.zeros((labels, layout.SEEN_COLUMNS))
    factor, _ = unary_distribution(counts, levels, context, scratch, np.empty(labels, np.int32))
    seen = scratch[parent, layout.S_SEEN] > 0.0
    return float(scratch[parent, layout.S_VALUE] if seen else factor * levels[parent])


@kernel(allocates=False, inlined=True)
def forget_parents(scratch: FloatArray, seen: Int32Array, number: int) -> None:
    """Clear what :func:`unary_distribution` left in its scratch."""
    for at in range(number):
        for column in range(layout.SEEN_COLUMNS):
            scratch[seen[at], column] = 0.0


@kernel(allocates=False, inlined=True)
def no_parent(levels: FloatArray, scratch: FloatArray, factor: float) -> float:
    """Log P̂ of no unary parent, after :func:`unary_distribution`."""
    value = scratch[0, layout.S_VALUE] if scratch[0, layout.S_SEEN] > 0.0 else factor * levels[0]
    return np.log(value) if value > 0.0 else -np.inf


# F̂(<label> | head-word, head tag): the head of the sentence as one more arrow, to the root (footnote 5).


@kernel(allocates=False)
def root_estimate(counts: Counts, context: Int64Array, label: int) -> float:
    """F̂(<label> | head-word, head tag): the root as one more arrow, AF(j) = (0, <label>).

    How often a reduced word of this kind was the head of its sentence under this label, out of all
    its occurrences.
    """
    value = 0.0
    first = int(layout.CHAIN_ROWS[layout.ROOT_CHAIN])
    # Every level has one row; the coarsest is the last.
    for level in range(layout.CHAIN_LEVELS[layout.ROOT_CHAIN]):
        table = int(layout.ROW_TABLES[first + layout.CHAIN_LEVELS[layout.ROOT_CHAIN] - 1 - level])
        delta, start, end = find(counts, table, key_of(counts.bits, table, context))
        eta = count_of(counts, start, end, label)
        weight = layout.STEP_WEIGHTS[layout.CHAIN_STEPS[layout.ROOT_CHAIN] + level] if level > 0 else 0.0
        value = mixed_in(eta, delta, weight, value) if delta > 0 else value
    return value
