"""F̂(R | modifier, head, Δ): a relation between two words at a distance (sections 2.2 to 2.4).

Each kernel estimates all relations of two words at once, by a chain of :mod:`engine.estimates.estimates_layout`.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts, Switches
from engine.counts.lookup_kernel import KeyRange, find, key_range, look_into
from engine.estimates import estimates_layout as layout
from engine.estimates.estimates_kernel import add_counts, chain_buckets, clear_counts, smoothed

LEAST_ESTIMATE = 1e-6
"""A relation less likely than this under preset (5) is left out: it would cost time and never stand in a parse."""
LEAST_NONE = 1e-9
"""The probability of no relation at all is never less than this, whatever rounding does."""


@kernel(allocates=False, inlined=True)
def dependency_chain(switches: Switches) -> int:
    """The chain of dependencies that the settings ask for."""
    if switches.recursion:
        return layout.RECURSION_IN_CONTEXT if switches.contexts else layout.RECURSION_CHAIN
    chain = layout.DEPENDENCY_CHAIN
    if switches.ignore_tags:
        chain += layout.IGNORING_TAGS
    if switches.order_only:
        chain += layout.ORDER_ALONE
    if switches.further_backoff:
        chain += layout.FURTHER
    return chain


@kernel(allocates=False)
def dependency_estimates(
    counts: Counts,
    switches: Switches,
    context: Int64Array,
    lookups: Int64Array,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂(R | <w_m, t_m>, <w_h, t_h>, Δ) for every relation R for which it is not zero.

    Parameters
    ----------
    context
        The two words, their tags and Δ; what stands beside and between them is for preset (5).
    lookups
        Room for what is looked up in every row of a chain.
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
        chain = dependency_chain(switches)
        return mixed_dependencies(counts, chain, context, lookups, rows[0], relations, estimates, at)
    if switches.further_backoff:
        return backed_off_dependencies(counts, switches, context, rows[0], relations, estimates, at)
    if switches.order_only:
        return order_dependencies(counts, switches, context, rows, relations, estimates, at)
    return papers_dependencies(counts, switches, context, lookups, rows, relations, estimates, at)


# F̂ as printed (section 2.4).

E1, E2, E3, E4 = range(4)
"""The rows of the paper's chains."""


@kernel(allocates=False)
def papers_dependencies(
    counts: Counts,
    switches: Switches,
    context: Int64Array,
    lookups: Int64Array,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂ as printed, at the full Δ: as :func:`dependency_estimates`."""
    plain = switches.ignore_tags != 0
    if plain:
        asked = chain_buckets(counts, layout.DEPENDENCY_CHAIN + layout.IGNORING_TAGS, context, lookups, 0)
    else:
        asked = chain_buckets(counts, layout.DEPENDENCY_CHAIN, context, lookups, 0)
    look_into(counts, lookups, asked)
    delta_4 = lookups[E4, 0]
    if delta_4 == 0 and not plain:
        return at
    room = 0
    for level in range(E4 + 1):
        room += (lookups[level, 2] - lookups[level, 1]) // 2
    if room > relations.shape[0] - at:
        return -1
    add_counts(counts, lookups[E1, 1], lookups[E1, 2], rows[0])
    add_counts(counts, lookups[E2, 1], lookups[E2, 2], rows[1])
    add_counts(counts, lookups[E3, 1], lookups[E3, 2], rows[1])
    delta_1 = lookups[E1, 0]
    delta_23 = lookups[E2, 0] + lookups[E3, 0]
    at = add_seen(counts, lookups[E4, 1], lookups[E4, 2], rows, delta_1, delta_23, delta_4, relations, estimates, at)
    if plain:
        # Relations that these words had under other tags.
        for level in range(E4):
            for place in range(lookups[level, 1], lookups[level, 2], 2):
                relation = counts.records[place]
                at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    clear_counts(counts, lookups[E1, 1], lookups[E1, 2], rows[0])
    clear_counts(counts, lookups[E2, 1], lookups[E2, 2], rows[1])
    clear_counts(counts, lookups[E3, 1], lookups[E3, 2], rows[1])
    for level in range(E4 + 1 if plain else 0):
        clear_counts(counts, lookups[level, 1], lookups[level, 2], rows[2])
    if not plain:
        clear_counts(counts, lookups[E4, 1], lookups[E4, 2], rows[2])
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


# F̂ with question 1 as the only distance (Table 4), and with further back-off: contexts that are counted together.


@kernel(allocates=False, inlined=True)
def row_range(counts: Counts, row: int, context: Int64Array, order_only: int) -> KeyRange:
    """Name the contexts of two words in one row of all chains, as :func:`key_range` does."""
    return key_range(counts.bits, int(layout.ROW_TABLES[row]), context, order_only)


@kernel(allocates=False)
def add_range(counts: Counts, keys: KeyRange, row: Int32Array) -> int:
    """Add η of every relation in some contexts to `row`; return δ of these contexts together."""
    total = 0
    for key in range(keys[1], keys[1] + keys[2]):
        part, start, end = find(counts, keys[0], key)
        add_counts(counts, start, end, row)
        total += part
    return total


@kernel(allocates=False)
def order_dependencies(
    counts: Counts,
    switches: Switches,
    context: Int64Array,
    rows: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """F̂ with question 1 as the only distance (Table 4): as :func:`dependency_estimates`.

    The counts of all Δ of the same order are added up.
    """
    plain = switches.ignore_tags != 0
    first = int(layout.CHAIN_ROWS[dependency_chain(switches)])
    by_order = row_range(counts, first + E4, context, 1)
    delta_4, start, end = find(counts, by_order[0], by_order[1])
    if delta_4 == 0 and not plain:
        return at
    if rows.shape[1] > relations.shape[0] - at:
        return -1
    delta_1 = add_range(counts, row_range(counts, first + E1, context, 1), rows[0])
    delta_23 = add_range(counts, row_range(counts, first + E2, context, 1), rows[1])
    delta_23 += add_range(counts, row_range(counts, first + E3, context, 1), rows[1])
    at = add_seen(counts, start, end, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    if plain:
        for relation in range(rows.shape[1]):
            at = add_unseen(relation, rows, delta_1, delta_23, delta_4, relations, estimates, at)
    for row in range(rows.shape[0]):
        for relation in range(rows.shape[1]):
            rows[row, relation] = 0
    return at


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
def backed_off_dependencies(
    counts: Counts,
    switches: Switches,
    context: Int64Array,
    row: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Log F̂ of every relation that the two tags ever had in this order, or with tags ignored the words at this Δ.

    Further back-off: every level is mixed with all below it.  Parameters and result are those of
    :func:`dependency_estimates`; `row` is one row of scratch over all relations.
    """
    if row.shape[0] > relations.shape[0] - at:
        return -1
    chain = dependency_chain(switches)
    first_row = int(layout.CHAIN_ROWS[chain])
    first_step = int(layout.CHAIN_STEPS[chain])
    # With tags ignored words may have had relations under other tags.
    listed = int(layout.CHAIN_LEVELS[chain]) if switches.ignore_tags else 1
    end = at
    for step in range(first_step, first_step + listed):
        start = first_row + int(layout.STEP_ROWS[step])
        for number in range(start, start + layout.STEP_TABLES[step]):
            keys = row_range(counts, number, context, switches.order_only)
            end = add_relations(counts, keys, row, relations, estimates, at, end)
    below = False
    for step in range(first_step, int(layout.CHAIN_STEPS[chain + 1])):
        start = first_row + int(layout.STEP_ROWS[step])
        total = 0
        for number in range(start, start + layout.STEP_TABLES[step]):
            total += total_of(counts, row_range(counts, number, context, switches.order_only))
        if total > 0:
            # λ E + (1 − λ) F̂' = (η + c F̂') / (δ + c); c is 1, as in section 2.4.
            share = 1.0 / (total + layout.STEP_WEIGHTS[step]) if below else 1.0 / total
            for place in range(at, end):
                estimates[place] *= share * layout.STEP_WEIGHTS[step]
            for number in range(start, start + layout.STEP_TABLES[step]):
                keys = row_range(counts, number, context, switches.order_only)
                add_shares(counts, keys, share, row, estimates, at)
            below = True
    kept = at
    for place in range(at, end):
        relation = relations[place]
        row[relation] = 0
        if estimates[place] > 0.0:
            relations[kept] = relation
            estimates[kept] = np.log(estimates[place])
            kept += 1
    return kept


# F̂ of preset (5): the whole recursion, times what the contexts of the two words say.


@kernel(allocates=False, inlined=True)
def mix_in(counts: Counts, start: int, end: int, step: float, row: Int32Array, estimates: FloatArray, at: int) -> None:
    """Add η times `step` to the estimate of every relation counted in a context."""
    for place in range(start, end, 2):
        where = row[counts.records[place]]
        if where > 0:
            estimates[at + where - 1] += counts.records[place + 1] * step


@kernel(allocates=False, inlined=True)
def context_ratio(root: bool, prior: float, eta: int, total: int, expected: float) -> float:
    """The ratio by which an outcome is likelier in a context: ((η / E + k) / (δ + k)) ^ α."""
    ratio = (eta / expected + prior) / (total + prior)
    return np.sqrt(ratio) if root else ratio


@kernel(allocates=False, inlined=True)
def unrelated(counts: Counts, total: int, start: int, end: int) -> int:
    """Count how often two words had no relation in a context."""
    for place in range(start, end, 2):
        total -= counts.records[place + 1]
    return total


@kernel(allocates=False)
def mixed_dependencies(
    counts: Counts,
    chain: int,
    context: Int64Array,
    lookups: Int64Array,
    row: Int32Array,
    relations: Int32Array,
    estimates: FloatArray,
    at: int,
) -> int:
    """Log F̂ of every relation that the two tags ever had in this order, in increasing order of their numbers.

    Parameters
    ----------
    chain
        Number of the chain, with contexts or without.
    context
        The two words, and what stands beside and between them.
    lookups
        Room for what is looked up of every row of the chain.
    row
        Scratch over all relations, zero on entry and on return.
    relations, estimates, at
        Where to write: relation numbers and log F̂, from place `at` on.

    Returns
    -------
    int
        One past the last place written, or −1 if there is not room enough.
    """
    look_into(counts, lookups, chain_buckets(counts, chain, context, lookups, 0))
    first_step = int(layout.CHAIN_STEPS[chain])
    levels = int(layout.CHAIN_LEVELS[chain])
    coarsest = int(layout.STEP_ROWS[first_step])
    total = lookups[coarsest, 0]
    first = lookups[coarsest, 1]
    last = lookups[coarsest, 2]
    if first == last:
        return at
    if last - first > relations.shape[0] - at:
        return -1
    filled = at
    for place in range(first, last, 2):
        relation = counts.records[place]
        relations[filled] = relation
        estimates[filled] = counts.records[place + 1] / total
        filled += 1
        row[relation] = filled - at
    scale = 1.0
    # The estimates are kept divided by a common scale, so that a level touches only the relations counted in it.
    for step in range(first_step + 1, first_step + levels):
        start = int(layout.STEP_ROWS[step])
        end = start + int(layout.STEP_TABLES[step])
        total = 0
        for place in range(start, end):
            total += lookups[place, 0]
        if total > 0:
            weight = layout.STEP_WEIGHTS[step]
            scale *= weight / (total + weight)
            share = 1.0 / ((total + weight) * scale)
            for place in range(start, end):
                mix_in(counts, lookups[place, 1], lookups[place, 2], share, row, estimates, at)
        if step - first_step + 1 == layout.CHAIN_EXPECTED[chain]:
            # What the contexts are compared with is kept behind the estimates.
            for place in range(at, filled):
                estimates[filled + place - at] = estimates[place] * scale
    for place in range(at, filled):
        estimates[place] *= scale
    whole = 1.0
    common = 1.0
    contexts = int(layout.CHAIN_CONTEXTS[chain + 1]) - int(layout.CHAIN_CONTEXTS[chain])
    if contexts > 0:
        none = 1.0
        expected_none = 1.0
        for place in range(at, filled):
            none -= estimates[place]
            expected_none -= estimates[filled + place - at]
        none = max(none, LEAST_NONE)
        expected_none = max(expected_none, LEAST_NONE)
        for number in range(contexts):
            # Each of these contexts has one level, and that one row.
            step = first_step + levels + number
            found = lookups[layout.STEP_ROWS[step]]
            total = found[0]
            start = found[1]
            end = found[2]
            if total > 0:
                prior = layout.STEP_WEIGHTS[step]
                root = layout.CONTEXT_ROOTS[layout.CHAIN_CONTEXTS[chain] + number] != 0
                unseen = context_ratio(root, prior, 0, total, 1.0)
                common *= unseen
                for place in range(start, end, 2):
                    eta = counts.records[place + 1]
                    where = row[counts.records[place]]
                    if where > 0:
                        ratio = context_ratio(root, prior, eta, total, estimates[filled + where - 1])
                        estimates[at + where - 1] *= ratio / unseen
                none *= context_ratio(root, prior, unrelated(counts, total, start, end), total, expected_none)
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
