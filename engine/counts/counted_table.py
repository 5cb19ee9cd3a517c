"""One count table on its own: every context with its δ, every outcome with its η, counted and put into form.

Everything is done with numpy: a bundled model is unpacked before anything is compiled (:mod:`engine.counts.packing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.common.arrays import BoolArray, Int32Array, Int64Array, IntArray, UInt32Array
from engine.common.errors import EngineError
from engine.counts.counts_layout import (
    EXACT_DELTA,
    MULTIPLIER,
    ONLY_DELTA,
    REMAINDER_BITS,
    VALUE_BITS,
    WEIGHTED_DELTA,
    Counts,
    Widths,
)

BUCKET = 4
"""How many contexts share a bucket, about."""
MOST_BUCKET_BITS = 26
MOST_KEY_BITS = _SORTED_BITS = 63
"""Keys are numbers of 64 bits, and none is negative."""
LARGEST_COUNT = 2**31 - 1


def too_many_names() -> EngineError:
    """What to say of a treebank whose words, tags and labels do not fit into keys."""
    return EngineError("the treebank has more words or tags than a model can hold (about 400,000 words, 120 tags)")


class CountedTable(NamedTuple):
    """The contexts of one table, each once, and their outcomes.

    Attributes
    ----------
    keys
        The key of every context.
    deltas, weighted_deltas
        Its δ, and δ as preset (5) weighs treebanks; the same array where nothing has a weight.
    places, outcomes
        Of every outcome the place of its context among `keys`, and its number.
    etas, weighted_etas
        Its η, as counted and as weighted; the same array where nothing has a weight.
    """

    keys: Int64Array
    deltas: Int32Array
    weighted_deltas: Int32Array
    places: Int64Array
    outcomes: Int32Array
    etas: Int32Array
    weighted_etas: Int32Array

    @property
    def has_weights(self) -> bool:
        """Whether counts and weighted counts are kept apart."""
        return self.weighted_deltas is not self.deltas

    def only(self, kept: BoolArray) -> CountedTable:
        """The table with some of its contexts."""
        outcomes_kept = kept[self.places]
        moved = np.cumsum(kept) - 1
        deltas, etas = self.deltas[kept], self.etas[outcomes_kept]
        return CountedTable(
            self.keys[kept],
            deltas,
            self.weighted_deltas[kept] if self.has_weights else deltas,
            moved[self.places[outcomes_kept]],
            self.outcomes[outcomes_kept],
            etas,
            self.weighted_etas[outcomes_kept] if self.has_weights else etas,
        )


def empty_table(has_weights: bool) -> CountedTable:
    """A table in which nothing was counted."""
    nothing = np.empty(0, np.int32)
    weighted = np.empty(0, np.int32) if has_weights else nothing
    return CountedTable(np.empty(0, np.int64), nothing, weighted, np.empty(0, np.int64), nothing, nothing, weighted)


def sum_up(
    keys: Int64Array,
    width: int,
    deltas: tuple[Int32Array, Int32Array],
    places: IntArray,
    outcomes: Int32Array,
    etas: tuple[Int32Array, Int32Array],
) -> CountedTable:
    """Add up what has the same key, or the same key and outcome.

    Parameters
    ----------
    keys, width
        Keys, many of them more than once, and how many bits each has.
    deltas
        What each of them adds to δ: as counted, and as weighted (the same array where nothing has a weight).
    places, outcomes, etas
        Of every outcome the place of its key, its number, and what it adds to η.
    """
    order, starts = _grouped(permuted(keys, width), width)
    firsts = order[starts]
    exact, weighted = _sums(deltas, order, starts)
    groups = _groups_of(places, order, starts)
    del order
    event_order, event_starts = _grouped((groups << 32) | outcomes, 63)
    event_firsts = event_order[event_starts]
    exact_etas, weighted_etas = _sums(etas, event_order, event_starts)
    return CountedTable(
        keys[firsts], exact, weighted, groups[event_firsts], outcomes[event_firsts], exact_etas, weighted_etas
    )


def _groups_of(places: IntArray, order: Int32Array, starts: Int32Array) -> Int64Array:
    """The group of each of some places, groups being parts of an order that start where `starts` says."""
    wanted = np.zeros(len(order), bool)
    wanted[places] = True
    in_order = np.flatnonzero(wanted[order])
    group_of = np.empty(len(order), np.int32)
    group_of[order[in_order]] = np.searchsorted(starts, in_order, side="right") - 1
    groups: Int64Array = group_of[places].astype(np.int64)
    return groups


def _sums(
    values: tuple[Int32Array, Int32Array], order: Int32Array, starts: Int32Array
) -> tuple[Int32Array, Int32Array]:
    """Add up exact and weighted values group by group."""
    if not len(starts):
        nothing = np.empty(0, np.int32)
        return nothing, nothing if values[0] is values[1] else nothing.copy()
    exact = np.add.reduceat(values[0][order], starts, dtype=np.int32)
    if values[1] is values[0]:
        return exact, exact
    weighted = np.add.reduceat(values[1][order], starts, dtype=np.int64)
    if int(weighted.max()) > LARGEST_COUNT:
        raise EngineError(
            f"the weights are too large for so many trees: a count is above {LARGEST_COUNT:,}; give smaller weights"
        )
    return exact, weighted.astype(np.int32)


def _increasing(keys: Int64Array, width: int) -> tuple[Int32Array, Int64Array]:
    """The order in which keys of so many bits increase, equal ones as they stand, and the keys in it."""
    if bool((keys[1:] >= keys[:-1]).all()):
        # Tables that were summed up are in order already.
        return np.arange(len(keys), dtype=np.int32), keys.copy()
    index_bits = max(len(keys) - 1, 0).bit_length()
    left_out = max(width + index_bits - _SORTED_BITS, 0)
    # With its place in its last bits a key is sorted alone, which takes half the time of finding an order.
    packed = keys >> left_out
    packed <<= index_bits
    packed |= np.arange(len(keys), dtype=np.int32)
    packed.sort()
    order = (packed & ((1 << index_bits) - 1)).astype(np.int32)
    if not left_out:
        packed >>= index_bits
        return order, packed
    np.take(keys, order, out=packed)
    if not bool((packed[1:] >= packed[:-1]).all()):
        # Keys that only differ in the bits left out: hardly any of a table's are so.
        alike = np.zeros(len(keys) + 1, bool)
        np.equal(packed[1:] >> left_out, packed[:-1] >> left_out, out=alike[1:-1])
        some = np.flatnonzero(alike[1:] | alike[:-1])
        order[some] = order[some][np.lexsort((order[some], packed[some]))]
        np.take(keys, order, out=packed)
    return order, packed


def _grouped(keys: Int64Array, width: int) -> tuple[Int32Array, Int32Array]:
    """An order in which equal keys stand together, increasing, and where in it each group starts."""
    order, in_order = _increasing(keys, width)
    new = np.ones(len(keys), bool)
    np.not_equal(in_order[1:], in_order[:-1], out=new[1:])
    return order, np.flatnonzero(new).astype(np.int32)


def permuted(keys: Int64Array, width: int) -> Int64Array:
    """Keys as the tables keep them: multiplied modulo 2^w (:mod:`engine.counts.lookup_kernel`)."""
    with np.errstate(over="ignore"):
        product: Int64Array = keys * np.int64(MULTIPLIER)
    product &= np.int64((1 << width) - 1)
    return product


class TableForm(NamedTuple):
    """One count table as kernels look it up, before it is put beside the others: see :class:`Counts`."""

    width: int
    shift: int
    buckets: UInt32Array
    contexts: Int64Array
    records: Int32Array
    weighted_records: Int32Array


def table_form(table: CountedTable, width: int) -> TableForm:
    """Put a table into the form in which it is looked up; `width` is how many bits a key has."""
    keys = permuted(table.keys, width)
    size = len(keys)
    bits = min(width, max((size // BUCKET).bit_length(), width - REMAINDER_BITS))
    if bits > MOST_BUCKET_BITS:
        raise too_many_names()
    shift = width - bits
    order, keys = _increasing(keys, width)
    buckets = np.zeros((1 << bits) + 1, np.uint32)
    np.cumsum(np.bincount(keys >> shift, minlength=1 << bits), out=buckets[1:])
    rank = np.empty(size, np.int32)
    rank[order] = np.arange(size, dtype=np.int32)
    outcome_ranks = rank[table.places]
    outcome_order = np.lexsort((table.outcomes, outcome_ranks))
    outcome_ranks = outcome_ranks[outcome_order]
    numbers = np.bincount(outcome_ranks, minlength=size)
    deltas = table.deltas[order]
    weighted = table.weighted_deltas[order] if table.has_weights else deltas
    del order
    # What δ has no room for in a context gets a record without outcomes.
    with_record = numbers > 0
    keys &= (1 << shift) - 1
    keys <<= VALUE_BITS
    values = deltas.astype(np.int64)
    if table.has_weights:
        with_record |= (deltas > EXACT_DELTA.mask) | (weighted > WEIGHTED_DELTA.mask)
        values <<= EXACT_DELTA.shift
        values |= weighted.astype(np.int64) << WEIGHTED_DELTA.shift
    else:
        values <<= ONLY_DELTA.shift
    contexts = np.flatnonzero(with_record)
    sizes = 2 + 2 * numbers[contexts]
    heads = np.cumsum(sizes) - sizes
    values[contexts] = 2 * heads + 1
    # Where the record of an outcome's context starts, and which of its outcomes it is.
    numbers = numbers[contexts]
    first_outcome = np.cumsum(numbers) - numbers
    outcome_places = np.repeat(heads + 2 - 2 * first_outcome, numbers) + 2 * np.arange(len(outcome_order))

    def filled(totals: Int32Array, etas: Int32Array) -> Int32Array:
        records = np.empty(int(sizes.sum()), np.int32)
        records[heads] = totals[contexts]
        records[heads + 1] = numbers
        records[outcome_places] = table.outcomes[outcome_order]
        records[outcome_places + 1] = etas[outcome_order]
        return records

    records = filled(deltas, table.etas)
    return TableForm(
        width,
        shift,
        buckets,
        keys | values,
        records,
        filled(weighted, table.weighted_etas) if table.has_weights else records,
    )


def side_by_side(tables: Sequence[TableForm], widths: Widths) -> Counts:
    """Put tables one after the other into the same arrays."""
    has_weights = any(table.weighted_records is not table.records for table in tables)
    places = np.zeros((len(tables), 3), np.int64)
    buckets = np.empty(sum(len(table.buckets) for table in tables), np.uint32)
    contexts = np.empty(sum(len(table.contexts) for table in tables), np.int64)
    filled = first = records = 0
    for number, table in enumerate(tables):
        places[number] = filled, table.shift, table.width
        np.add(table.buckets, np.uint32(first), out=buckets[filled : filled + len(table.buckets)])
        part = contexts[first : first + len(table.contexts)]
        part[:] = table.contexts
        # Odd values name records, which move.
        part[part & 1 == 1] += 2 * records
        filled += len(table.buckets)
        first += len(table.contexts)
        records += len(table.records)
    joined = np.concatenate([table.records for table in tables])
    return Counts(
        widths,
        EXACT_DELTA if has_weights else ONLY_DELTA,
        places,
        buckets,
        contexts,
        joined,
        np.concatenate([table.weighted_records for table in tables]) if has_weights else joined,
    )
