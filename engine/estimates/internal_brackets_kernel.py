"""Brackets inside a baseNP: a small model of the phrases in it (not part of the paper's score).

The paper's baseNPs are flat.  Treebanks have phrases in them (``(NP (QP more than 50) cents)``), which the
model swallows and this one restores.  Every span of words within a baseNP is a phrase of some label or
none, with a probability estimated from its words and tags and the tags beside it; the best set of phrases that do
not cross is found by a small chart.  A possessive NP at the beginning needs no model: it ends at the POS, and no
phrase reaches over a POS.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts
from engine.counts.events_kernel import fill_span, span_barred
from engine.counts.lookup_kernel import look_into, note_bucket
from engine.counts.specifications_layout import CONTEXT_FIELDS, SPAN_EDGES, SPAN_ENDS, SPAN_TAGS, SPAN_WORDS
from engine.structure.sentence_layout import BASE

LEVELS = np.array((SPAN_ENDS, SPAN_EDGES, SPAN_TAGS, SPAN_WORDS), np.int64)
"""The tables from the coarsest level to the finest."""
NONE = 0
PRIOR = 2.0
"""Weight of the coarser level in every estimate, in events."""


class Decoding(NamedTuple):
    """Working memory of one baseNP after the other.

    Attributes
    ----------
    labels, splits, gains
        By first and last word of a span: its label, the last word of the left of the two spans that it is best split
        into, and by how many nats the phrases in it are more probable than none.
    estimates
        P(label) of one span.
    """

    labels: Int64Array
    splits: Int64Array
    gains: FloatArray
    estimates: FloatArray


@kernel(allocates=False, inlined=True)
def span_estimates(counts: Counts, lookups: Int64Array, found: int, row: FloatArray) -> None:
    """P(label) of a span for every phrase label, from the coarsest level to the finest; the rest is none."""
    row[:] = 0.0
    for level in range(LEVELS.shape[0]):
        total = lookups[found + level, 0]
        if total == 0:
            continue
        prior = 0.0 if level == 0 else PRIOR
        for label in range(row.shape[0]):
            row[label] *= prior / (total + prior)
        for at in range(lookups[found + level, 1], lookups[found + level, 2], 2):
            row[counts.records[at]] += counts.records[at + 1] / (total + prior)


@kernel(allocates=False, inlined=True)
def decode(
    counts: Counts,
    tags: Int32Array,
    start: int,
    end: int,
    possessive: int,
    lookups: Int64Array,
    found: int,
    decoding: Decoding,
) -> int:
    """Find the best phrases of one baseNP; what was looked up of it is from row `found` on.  Return the row after."""
    size = end - start
    row = decoding.estimates
    for length in range(1, size + 1):
        for first in range(size - length + 1):
            last = first + length - 1
            best = 0.0
            split = 0
            for middle in range(first, last):
                value = decoding.gains[first, middle] + decoding.gains[middle + 1, last]
                if value > best:
                    best = value
                    split = middle
            label = NONE
            if not span_barred(tags, start + first, start + last, end, possessive):
                span_estimates(counts, lookups, found, row)
                none = 1.0
                for other in range(1, row.shape[0]):
                    none -= row[other]
                    if row[other] > row[label]:
                        label = other
                if label != NONE and row[label] > none:
                    best += np.log(row[label]) - np.log(max(none, 1e-12))
                else:
                    label = NONE
            decoding.labels[first, last] = label
            decoding.splits[first, last] = split
            decoding.gains[first, last] = best
            found += LEVELS.shape[0]
    return found


@kernel(allocates=False, inlined=True)
def is_decoded(row: Int32Array) -> bool:
    """Whether a step of a derivation makes a baseNP that may hold brackets: one of several words."""
    return bool(row[0] == BASE and row[5] > row[4])


@kernel(allocates=False, inlined=True)
def look_up_spans(
    counts: Counts, words: Int32Array, tags: Int32Array, rows: Int32Array, context: Int64Array, lookups: Int64Array
) -> None:
    """Look every span of all baseNPs of a derivation up, those of a baseNP by length, on all levels."""
    asked = 0
    for row in range(rows.shape[0]):
        if is_decoded(rows[row]):
            start = rows[row, 4]
            end = rows[row, 5] + 1
            for length in range(1, end - start + 1):
                for first in range(start, end - length + 1):
                    fill_span(context, counts.bits, words, tags, start, end, first, first + length - 1)
                    for level in range(LEVELS.shape[0]):
                        asked = note_bucket(counts, int(LEVELS[level]), context, lookups, asked)
    look_into(counts, lookups, asked)


@kernel
def decode_all(
    counts: Counts, readings: Int32Array, chosen: Int32Array, rows: Int32Array, labels: int, possessive: int
) -> Int64Array:
    """Brackets inside all baseNPs of a derivation: rows (label or −1 for a possessive NP, start, end).

    `chosen` names the reading of every word in the derivation.
    """
    spans = 0
    longest = 0
    for row in range(rows.shape[0]):
        if is_decoded(rows[row]):
            length = int(rows[row, 5]) - int(rows[row, 4]) + 1
            spans += length * (length + 1) // 2
            longest = max(longest, length)
    size = chosen.shape[0] if longest > 0 else 0
    result = np.empty((4 * size, 3), np.int64)
    if longest == 0:
        return result
    words = np.empty(size, np.int32)
    tags = np.empty(size, np.int32)
    for position in range(size):
        words[position] = readings[chosen[position], 0]
        tags[position] = readings[chosen[position], 1]
    lookups = np.empty((spans * LEVELS.shape[0], 3), np.int64)
    look_up_spans(counts, words, tags, rows, np.zeros(CONTEXT_FIELDS, np.int64), lookups)
    found = 0
    there = np.empty((longest, longest), np.int64)
    splits = np.empty((longest, longest), np.int64)
    gains = np.empty((longest, longest))
    estimates = np.empty(labels)
    filled = 0
    stack = np.empty((2 * size + 2, 2), np.int64)
    for row in range(rows.shape[0]):
        if not is_decoded(rows[row]):
            continue
        start = rows[row, 4]
        end = rows[row, 5] + 1
        for position in range(start, end - 1):
            if tags[position] == possessive:
                result[filled, 0] = -1
                result[filled, 1] = start
                result[filled, 2] = position + 1
                filled += 1
        decoding = Decoding(there, splits, gains, estimates)
        found = decode(counts, tags, start, end, possessive, lookups, found, decoding)
        stack[0, 0] = 0
        stack[0, 1] = end - start - 1
        depth = 1
        while depth > 0:
            depth -= 1
            first = stack[depth, 0]
            last = stack[depth, 1]
            if there[first, last] > NONE:
                result[filled, 0] = there[first, last]
                result[filled, 1] = start + first
                result[filled, 2] = start + last + 1
                filled += 1
            if last > first:
                stack[depth, 0] = first
                stack[depth, 1] = splits[first, last] if splits[first, last] >= first else first
                stack[depth + 1, 0] = stack[depth, 1] + 1
                stack[depth + 1, 1] = last
                depth += 2
    return result[:filled]
