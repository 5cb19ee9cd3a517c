"""Count tables of a corpus (sections 2.2, 2.4 and 2.5): C(...) and C(R, ...) at every back-off level."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from engine.common.arrays import Int32Array, Int64Array
from engine.counts.coarser_tables import all_tables, counted_tables
from engine.counts.corpus import Corpus
from engine.counts.counted_table import MOST_KEY_BITS, CountedTable, sum_up, too_many_names
from engine.counts.counts_layout import VALUE_MASK, Counts
from engine.counts.events import CorpusEvents, Counting
from engine.counts.keys import key_width, widths_of
from engine.counts.specifications_layout import TABLES

_COUNTED_SHARE = 0.7
"""Share of the work that counting is; the rest is summing up."""


def count_table(counting: Counting, width: int, weights: Int64Array | None) -> CountedTable:
    """Count one table.

    Parameters
    ----------
    counting
        The key of every context each time that it occurred, and key and outcome of every event in one.
    width
        How many bits a key has.
    weights
        How many times every sentence counts in preset (5); ``None`` if each counts once.
    """
    # Each event is one more occurrence of its key, which adds nothing to δ.
    keys = np.concatenate([counting.keys, counting.event_keys])
    size, events = len(counting.keys), len(counting.event_keys)
    once = np.ones(size + events, np.int32)
    once[size:] = 0
    weighted = once
    etas = weighted_etas = np.ones(events, np.int32)
    if weights is not None:
        weighted = np.zeros(size + events, np.int32)
        weighted[:size] = weights[counting.sentences]
        weighted_etas = weights[counting.event_sentences].astype(np.int32)
    places = np.arange(size, size + events)
    outcomes: Int32Array = counting.event_outcomes.astype(np.int32)
    return sum_up(keys, width, (once, weighted), places, outcomes, (etas, weighted_etas))


def all_counts(
    corpus: Corpus, weights: Int64Array | None = None, step: Callable[[float], None] = lambda share: None
) -> Counts:
    """Count every table of a corpus.

    Parameters
    ----------
    corpus
        The sentences, each of which counts once.
    weights
        How many times every sentence counts in preset (5), if not once.
    step
        Called with the share of the work done.
    """
    widths = widths_of(corpus.vocabulary)
    if max(key_width(widths, table) for table in range(len(TABLES))) > MOST_KEY_BITS:
        raise too_many_names()
    events = CorpusEvents(corpus, widths)
    if weights is not None and bool((weights == 1).all()):
        weights = None
    counted: dict[int, Callable[[], CountedTable]] = {}
    tables = counted_tables()
    for table in tables:
        made = count_table(events.counting(table), key_width(widths, table), weights)
        counted[table] = partial(_given, made)
        step(_COUNTED_SHARE * len(counted) / len(tables))
    return all_tables(counted, widths, lambda share: step(_COUNTED_SHARE + (1 - _COUNTED_SHARE) * share))


def _given(table: CountedTable) -> CountedTable:
    return table


def table_sizes(counts: Counts) -> list[tuple[str, int, int]]:
    """List the titles of all tables, how many contexts each holds, and in how many of them something was counted."""
    sizes = []
    for table, (first, shift, width) in zip(TABLES, counts.places.tolist(), strict=True):
        part = counts.contexts[counts.buckets[first] : counts.buckets[first + (1 << (width - shift))]]
        records = (part[part & 1 == 1] & VALUE_MASK) >> 1
        sizes.append((table.title, len(part), int((counts.records[records + 1] > 0).sum())))
    return sizes
