"""Building a count table from sorted keys."""

from __future__ import annotations

from engine.common.arrays import Int32Array, Int64Array, IntArray, UInt32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import VALUE_BITS


@kernel
def different(keys: Int64Array) -> int:
    """Count the different keys of a sorted array."""
    found = 0
    for place in range(keys.shape[0]):
        if place == 0 or keys[place] != keys[place - 1]:
            found += 1
    return found


@kernel
def fill_table(
    keys: Int64Array,
    event_keys: Int64Array,
    event_outcomes: IntArray,
    shift: int,
    buckets: UInt32Array,
    contexts: Int64Array,
    records: Int32Array,
) -> int:
    """Turn sorted keys and sorted (key, outcome) events into a table; see :class:`Counts`.

    Places of contexts and records count from 0; returns how much of `records` is used.
    """
    remainders = (1 << shift) - 1
    at = 0
    event = 0
    written = 0
    place = 0
    bucket = 0
    while place < keys.shape[0]:
        key = keys[place]
        total = 0
        while place < keys.shape[0] and keys[place] == key:
            total += 1
            place += 1
        while bucket <= key >> shift:
            buckets[bucket] = at
            bucket += 1
        value = 2 * total
        if event < event_keys.shape[0] and event_keys[event] == key:
            value = 2 * written + 1
            outcomes = 0
            first = written + 2
            while event < event_keys.shape[0] and event_keys[event] == key:
                outcome = event_outcomes[event]
                count = 0
                while event < event_keys.shape[0] and event_keys[event] == key and event_outcomes[event] == outcome:
                    count += 1
                    event += 1
                records[first + 2 * outcomes] = outcome
                records[first + 2 * outcomes + 1] = count
                outcomes += 1
            records[written] = total
            records[written + 1] = outcomes
            written = first + 2 * outcomes
        contexts[at] = ((key & remainders) << VALUE_BITS) | value
        at += 1
    while bucket < buckets.shape[0]:
        buckets[bucket] = at
        bucket += 1
    return written
