"""Pruning: a compact model leaves out contexts that hardly change an estimate (the manual tells what that costs).

By far the most contexts were seen once or twice and nothing was counted in them: two words that stood in one
sentence and had nothing to do with each other.  Such a context only says that its estimate is 0 with little weight;
without it the coarser level speaks alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, UInt32Array
from engine.counts.counts_layout import VALUE_MASK, Counts
from engine.counts.specifications_layout import TABLES, Least

COMPACT: Mapping[int, Least] = {number: table.compact for number, table in enumerate(TABLES)}
"""What a compact model keeps of every table."""


def prune(counts: Counts, least: Mapping[int, Least] = COMPACT) -> Counts:
    """The counts without the contexts that `least` does not keep."""
    places = counts.places.copy()
    buckets: list[UInt32Array] = []
    contexts: list[Int64Array] = []
    records: list[Int32Array] = []
    context_total = bucket_total = record_total = 0
    for table, (first, shift, width) in enumerate(counts.places.tolist()):
        borders = counts.buckets[first : first + (1 << (width - shift)) + 1].astype(np.int64)
        part = counts.contexts[borders[0] : borders[-1]]
        value = part & VALUE_MASK
        counted = value & 1 == 1
        place = value >> 1
        delta = np.where(counted, 0, place)
        delta[counted] = counts.records[place[counted]]
        need = least.get(table, Least(1, 1))
        kept = np.where(counted, delta >= need.counted, delta >= need.without)
        before = np.concatenate([[0], np.cumsum(kept)])
        moved, rows = _records(counts.records, place[kept & counted])
        chosen = part[kept].copy()
        odd = counted[kept]
        chosen[odd] = (chosen[odd] & ~np.int64(VALUE_MASK)) | (2 * (moved + record_total) + 1)
        places[table, 0] = bucket_total
        buckets.append((before[borders - borders[0]] + context_total).astype(np.uint32))
        contexts.append(chosen)
        records.append(rows)
        bucket_total += len(borders)
        context_total += len(chosen)
        record_total += len(rows)
    return Counts(counts.widths, places, np.concatenate(buckets), np.concatenate(contexts), np.concatenate(records))


def _records(records: Int32Array, places: Int64Array) -> tuple[Int64Array, Int32Array]:
    """The records at these places one after the other, and where each of them is then."""
    sizes = 2 + 2 * records[places + 1].astype(np.int64)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    total = int(ends[-1]) if len(ends) else 0
    # Every number of a record: where it was.
    sources = np.arange(total) + np.repeat(places - starts, sizes)
    return starts, records[sources]
