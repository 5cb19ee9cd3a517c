"""Count tables: from a context to its count δ and the counts η of what happened in it.

A context (two words, two tags and Δ, say) is packed into one integer.  The packed keys are
multiplied by an odd number modulo 2^63, which only permutes them, and stored in sorted order; a small
index over the leading bits then leads to a bucket of a few keys.  Nothing is lost in
packing, so a count is never that of another context.
"""

from __future__ import annotations

from engine.jit import jit_for
from engine.kernels.data import MASK, MULTIPLIER, Counts

jit = jit_for(__name__)


@jit
def permute(key: int) -> int:
    """The key as it is stored."""
    return (int(key) * MULTIPLIER) & MASK


@jit
def find(counts: Counts, table: int, key: int) -> tuple[int, int, int]:
    """Look a context up: ``(δ, start, end)``, with its outcomes at ``start .. end``."""
    permuted = (int(key) * MULTIPLIER) & MASK
    bucket = counts.places[table, 0] + (permuted >> counts.places[table, 1])
    for place in range(counts.buckets[bucket], counts.buckets[bucket + 1]):
        if counts.keys[place] == permuted:
            value = int(counts.values[place])
            if value & 1:
                record = value >> 1
                return int(counts.totals[record]), int(counts.starts[record]), int(counts.starts[record + 1])
            return value >> 1, 0, 0
    return 0, 0, 0


@jit
def count_of(counts: Counts, start: int, end: int, outcome: int) -> int:
    """η of one outcome among those at ``start .. end``; 0 if it is not there."""
    while end - start > 4:
        middle = (start + end) >> 1
        if counts.outcomes[middle] <= outcome:
            start = middle
        else:
            end = middle
    for place in range(start, end):
        if counts.outcomes[place] == outcome:
            return int(counts.counts[place])
    return 0
