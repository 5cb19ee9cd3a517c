"""Contents of a count table: every context with its δ, and every outcome of it with its η.

A table keeps every key exactly (:mod:`engine.counts.lookup_kernel`), permuted by a multiplication that can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int32Array, Int64Array
from engine.counts.counted_table import CountedTable
from engine.counts.counts_layout import MULTIPLIER, VALUE_BITS, VALUE_MASK, Counts
from engine.counts.keys import key_width
from engine.counts.specifications_layout import TABLES


class TableContexts(NamedTuple):
    """The contexts of one table.

    Attributes
    ----------
    keys
        The key of every context.
    deltas
        Its δ.
    records
        Where its record is among those of the counts; −1 if it has none, for nothing was counted in it.
    """

    keys: Int64Array
    deltas: Int64Array
    records: Int64Array


class TableOutcomes(NamedTuple):
    """The outcomes of all contexts of one table: the place of the context among them, the outcome, and η."""

    places: Int64Array
    outcomes: Int32Array
    etas: Int32Array


def table_contexts(counts: Counts, table: int) -> TableContexts:
    """Take every context out of a table."""
    first, shift, width = counts.places[table].tolist()
    borders = counts.buckets[first : first + (1 << (width - shift)) + 1].astype(np.int64)
    part = counts.contexts[borders[0] : borders[-1]]
    buckets = np.repeat(np.arange(len(borders) - 1, dtype=np.int64), np.diff(borders))
    permuted = ((buckets << shift) | (part >> VALUE_BITS)).astype(np.uint64)
    with np.errstate(over="ignore"):
        keys = permuted * np.uint64(pow(MULTIPLIER, -1, 1 << 64))
    keys &= np.uint64((1 << width) - 1)
    values = part & VALUE_MASK
    counted = values & 1 == 1
    records = np.where(counted, values >> 1, -1)
    deltas = (values >> counts.empty.shift) & counts.empty.mask
    deltas[counted] = counts.records[records[counted]]
    return TableContexts(keys.astype(np.int64), deltas, records)


def table_outcomes(counts: Counts, found: TableContexts) -> TableOutcomes:
    """Take every outcome of these contexts out of their table."""
    places = np.flatnonzero(found.records >= 0)
    starts = found.records[places] + 2
    sizes = counts.records[starts - 1].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)])
    at = np.repeat(starts - 2 * first[:-1], sizes) + 2 * np.arange(first[-1])
    return TableOutcomes(np.repeat(places, sizes), counts.records[at], counts.records[at + 1])


def counted_table(counts: Counts, table: int) -> CountedTable:
    """Take a whole table out of the counts, as counted and as weighted."""
    contexts = table_contexts(counts, table)
    places, outcomes, etas = table_outcomes(counts, contexts)
    deltas = weighted_deltas = contexts.deltas.astype(np.int32)
    weighted_etas = etas
    if counts.has_weights:
        weighted_deltas = table_contexts(counts.weighted, table).deltas.astype(np.int32)
        weighted_etas = table_outcomes(counts.weighted, contexts).etas
    return CountedTable(contexts.keys, deltas, weighted_deltas, places, outcomes, etas, weighted_etas)


def same_counts(one: Counts, other: Counts) -> bool:
    """Tell whether the tables of two models are the same, as counted and as weighted."""
    arrays = ("places", "buckets", "contexts", "records", "weighted_records")
    return (one.widths, one.empty) == (other.widths, other.empty) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays
    )


def known_tables(counts: Counts, names: Sequence[str]) -> Counts:
    """The counts of a file that has tables of these names, with the tables of this program in their order.

    A table that the file does not have is empty, so that nothing was ever counted in it; one that this program does
    not know is left out.
    """
    own = [table.name for table in TABLES]
    rows = dict(zip(names, counts.places.tolist(), strict=True))
    if list(rows) == own:
        return counts
    # The last border of one table and the first of the next are the same: between them is nothing.
    nowhere = int(counts.places[1, 0]) - 1
    places = []
    for number, name in enumerate(own):
        width = key_width(counts.widths, number)
        places.append(rows.get(name, [nowhere, width, width]))
    return counts._replace(places=np.array(places, np.int64))
