"""Count tables of a corpus (sections 2.2, 2.4 and 2.5): C(...) and C(R, ...) at every back-off level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, UInt32Array
from engine.common.errors import EngineError
from engine.counts import counting_kernel
from engine.counts.corpus import Corpus
from engine.counts.counts_layout import MULTIPLIER, REMAINDER_BITS, Counts, Widths
from engine.counts.events import CorpusEvents, Counting
from engine.counts.keys import key_width, widths_of
from engine.counts.specifications_layout import TABLES

BUCKET = 4
"""How many contexts share a bucket, about."""
MOST_BUCKET_BITS = 26


class CountTable(NamedTuple):
    """One count table before it is put beside the others: see :class:`Counts`."""

    width: int
    shift: int
    buckets: UInt32Array
    contexts: Int64Array
    records: Int32Array


def build_table(counted: Counting, width: int) -> CountTable:
    """Build a table from the key of every occurrence of a context, and of every event in one.

    Parameters
    ----------
    counted
        One key for every time a context occurred, permuted and sorted in place; key and outcome of every event, whose
        context must be among them.
    width
        How many bits a key has.
    """
    keys, event_outcomes = counted.keys, counted.event_outcomes
    event_keys = counted.event_keys.copy()
    for array in (keys, event_keys):
        with np.errstate(over="ignore"):
            array *= np.int64(MULTIPLIER)
        array &= np.int64((1 << width) - 1)
    keys.sort()
    order = np.lexsort((event_outcomes, event_keys))
    event_keys, event_outcomes = event_keys[order], event_outcomes[order]
    size = counting_kernel.different(keys)
    bits = min(width, max((size // BUCKET).bit_length(), width - REMAINDER_BITS))
    if bits > MOST_BUCKET_BITS:
        raise EngineError("the treebank has more words and tags than a model can hold (about 400,000 words)")
    buckets = np.empty((1 << bits) + 1, np.uint32)
    contexts = np.empty(size, np.int64)
    records = np.empty(4 * len(event_keys), np.int32)
    used = counting_kernel.fill_table(keys, event_keys, event_outcomes, width - bits, buckets, contexts, records)
    return CountTable(width, width - bits, buckets, contexts, records[:used].copy())


def all_counts(corpus: Corpus, step: Callable[[float], None] = lambda done: None) -> Counts:
    """Count every table of a corpus; `step` is called with the share of the work done."""
    widths = widths_of(corpus.vocabulary)
    events = CorpusEvents(corpus, widths)
    tables: list[CountTable] = []
    for number in range(len(TABLES)):
        tables.append(build_table(events.counting(number), key_width(widths, number)))
        step(len(tables) / len(TABLES))
    return side_by_side(tables, widths)


def side_by_side(tables: Sequence[CountTable], widths: Widths) -> Counts:
    """Put tables one after the other into the same arrays."""
    places = np.zeros((len(tables), 3), np.int64)
    buckets = []
    filled = contexts = records = 0
    for number, table in enumerate(tables):
        places[number] = filled, table.shift, table.width
        buckets.append(table.buckets + np.uint32(contexts))
        # Odd values name records, which move.
        table.contexts[table.contexts & 1 == 1] += 2 * records
        filled += len(table.buckets)
        contexts += len(table.contexts)
        records += len(table.records)
    return Counts(
        widths,
        places,
        np.concatenate(buckets),
        np.concatenate([table.contexts for table in tables]),
        np.concatenate([table.records for table in tables]),
    )


def table_sizes(counts: Counts) -> list[tuple[str, int, int]]:
    """List the titles of all tables, how many contexts each holds, and in how many of them something was counted."""
    sizes = []
    for table, (first, shift, width) in zip(TABLES, counts.places.tolist(), strict=True):
        part = counts.contexts[counts.buckets[first] : counts.buckets[first + (1 << (width - shift))]]
        sizes.append((table.title, len(part), int((part & 1).sum())))
    return sizes
