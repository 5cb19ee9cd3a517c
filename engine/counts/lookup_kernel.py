"""Count tables: from a context to its count δ and the counts η of what happened in it.

A context (two words, two tags and Δ, say) is packed into one number of w bits.  Multiplied by an odd
number modulo 2^w, which only permutes such numbers, the leading bits name a bucket of a few contexts,
and the trailing bits tell these apart.  Nothing is lost, so a count is never that of another context; and a
look-up touches two places in memory, a third if something was counted.
"""

from __future__ import annotations

from engine.common.arrays import Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import MULTIPLIER, VALUE_BITS, VALUE_MASK, Counts

Lookup = tuple[int, int, int]
"""What was found of a context: δ, and where its outcomes and their η start and end."""
Bucket = tuple[int, int, int]
"""Where a context must be, if it is counted: where its bucket starts and ends, and the trailing bits to look for."""
NO_BUCKET = (0, 0, 0)
"""The bucket of a word that the model does not know: it holds nothing."""


@kernel(allocates=False, inlined=True)
def bucket_of(counts: Counts, table: int, key: int) -> Bucket:
    """Find the bucket in which a context must be.

    Buckets lie anywhere in memory.  Who looks up several contexts asks for all their buckets first, and then for what
    is in them (:func:`first_in`), so that these arrive together and not one after the other.
    """
    shift = int(counts.places[table, 1])
    permuted = (int(key) * MULTIPLIER) & ((1 << int(counts.places[table, 2])) - 1)
    bucket = counts.places[table, 0] + (permuted >> shift)
    return int(counts.buckets[bucket]), int(counts.buckets[bucket + 1]), permuted & ((1 << shift) - 1)


@kernel(allocates=False, inlined=True)
def first_in(counts: Counts, bucket: Bucket) -> int:
    """The first context in a bucket, or whatever lies where it would be: never a negative number."""
    return int(counts.contexts[min(bucket[0], counts.contexts.shape[0] - 1)])


@kernel(allocates=False, inlined=True)
def find_in(counts: Counts, bucket: Bucket) -> Lookup:
    """Look a context up in its bucket: as :func:`find`."""
    for place in range(bucket[0], bucket[1]):
        context = counts.contexts[place]
        if context >> VALUE_BITS == bucket[2]:
            value = int(context & VALUE_MASK)
            if value & 1:
                record = value >> 1
                start = record + 2
                return int(counts.records[record]), start, start + 2 * int(counts.records[record + 1])
            return (value >> counts.empty.shift) & counts.empty.mask, 0, 0
    return 0, 0, 0


@kernel(allocates=False, inlined=True)
def look_into(counts: Counts, lookups: Int64Array, number: int) -> None:
    """Put what is found of contexts in the place of their buckets, so many rows of them.

    First the contexts of all buckets are asked for, then the records of all contexts: memory fetches them side by side,
    where one after the other each would be waited for.
    """
    fetched = 0
    for row in range(number):
        fetched |= first_in(counts, (lookups[row, 0], 0, 0))
    # No context is negative.
    for row in range(number if fetched >= 0 else 0):
        found = find_in(counts, (lookups[row, 0], lookups[row, 1], lookups[row, 2]))
        lookups[row, 0] = found[0]
        lookups[row, 1] = found[1]
        lookups[row, 2] = found[2]


@kernel(allocates=False, inlined=True)
def find(counts: Counts, table: int, key: int) -> Lookup:
    """Look a context up: ``(δ, start, end)``, with outcomes and their η by turns at ``start .. end``."""
    return find_in(counts, bucket_of(counts, table, key))


@kernel(allocates=False, inlined=True)
def count_of(counts: Counts, start: int, end: int, outcome: int) -> int:
    """η of one outcome among those at ``start .. end``; 0 if it is not there."""
    for place in range(start, end, 2):
        if counts.records[place] == outcome:
            return int(counts.records[place + 1])
    return 0


@kernel(allocates=False)
def level_counts(
    counts: Counts,
    tables: Int64Array,
    keys: Int64Array,
    levels: Int64Array,
    outcome: int,
    eta: Int64Array,
    delta: Int64Array,
) -> None:
    """Add η of one outcome and δ of some contexts, each given by table and key, to those of their levels."""
    for place in range(keys.shape[0]):
        total, start, end = find(counts, int(tables[place]), int(keys[place]))
        delta[levels[place]] += total
        eta[levels[place]] += count_of(counts, start, end, outcome)
