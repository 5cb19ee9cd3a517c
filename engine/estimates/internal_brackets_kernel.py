"""Brackets inside a baseNP: a small model of the phrases in it (not part of the paper's score).

The paper's baseNPs are flat.  Treebanks have phrases in them (``(NP (QP more than 50) cents)``), which the
model swallows and this one restores.  Every span of words within a baseNP is a phrase of some label or
none, with a probability estimated from its words and tags and the tags beside it; the best set of phrases that do
not cross is found by a small chart.  A possessive NP at the beginning needs no model: it ends at the POS, and no
phrase reaches over a POS.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts
from engine.counts.lookup_kernel import find
from engine.counts.span_events_kernel import span_barred, span_key
from engine.counts.specifications_layout import SPAN_EDGES, SPAN_ENDS, SPAN_TAGS, SPAN_WORDS
from engine.structure.structure_layout import BASE

LEVELS = np.array((SPAN_ENDS, SPAN_EDGES, SPAN_TAGS, SPAN_WORDS), np.int64)
"""The tables from the coarsest level to the finest."""
NONE = 0
PRIOR = 2.0
"""Weight of the coarser level in every estimate, in events."""


@kernel
def span_estimates(
    counts: Counts, words: Int32Array, tags: Int32Array, start: int, end: int, first: int, last: int, row: FloatArray
) -> None:
    """P(label) of a span for every phrase label, from the coarsest level to the finest; the rest is none."""
    row[:] = 0.0
    for level in LEVELS:
        table = int(level)
        if table == SPAN_WORDS and (words[first] < 0 or words[last] < 0):
            continue
        key = span_key(counts.widths, table, words, tags, start, end, first, last)
        total, place, stop = find(counts, table, key)
        if total == 0:
            continue
        prior = 0.0 if table == SPAN_ENDS else PRIOR
        for label in range(row.shape[0]):
            row[label] *= prior / (total + prior)
        for at in range(place, stop, 2):
            row[counts.records[at]] += counts.records[at + 1] / (total + prior)


@kernel
def decode(
    counts: Counts, words: Int32Array, tags: Int32Array, start: int, end: int, labels: int, possessive: int
) -> tuple[Int64Array, Int64Array]:
    """The best phrases of one baseNP: by first and last word the label there, and the best split below."""
    size = end - start
    chosen = np.zeros((size, size), np.int64)
    splits = np.zeros((size, size), np.int64)
    gains = np.zeros((size, size))
    row = np.empty(labels)
    for length in range(1, size + 1):
        for first in range(size - length + 1):
            last = first + length - 1
            best = 0.0
            for middle in range(first, last):
                value = gains[first, middle] + gains[middle + 1, last]
                if value > best:
                    best = value
                    splits[first, last] = middle
            if not span_barred(tags, start + first, start + last, end, possessive):
                span_estimates(counts, words, tags, start, end, start + first, start + last, row)
                label = NONE
                none = 1.0
                for other in range(1, labels):
                    none -= row[other]
                    if row[other] > row[label]:
                        label = other
                if label != NONE and row[label] > none:
                    best += np.log(row[label]) - np.log(max(none, 1e-12))
                    chosen[first, last] = label
            gains[first, last] = best
    return chosen, splits


@kernel
def decode_all(
    counts: Counts, readings: Int32Array, chosen: Int32Array, rows: Int32Array, labels: int, possessive: int
) -> Int64Array:
    """Brackets inside all baseNPs of a derivation: rows (label or −1 for a possessive NP, start, end).

    `chosen` names the reading of every word in the derivation.
    """
    size = chosen.shape[0]
    words = np.empty(size, np.int32)
    tags = np.empty(size, np.int32)
    for position in range(size):
        words[position] = readings[chosen[position], 0]
        tags[position] = readings[chosen[position], 1]
    result = np.empty((4 * size, 3), np.int64)
    filled = 0
    stack = np.empty((2 * size + 2, 2), np.int64)
    for row in range(rows.shape[0]):
        start = rows[row, 4]
        end = rows[row, 5] + 1
        if rows[row, 0] != BASE or end - start < 2:
            continue
        for position in range(start, end - 1):
            if tags[position] == possessive:
                result[filled, 0] = -1
                result[filled, 1] = start
                result[filled, 2] = position + 1
                filled += 1
        labels_there, splits = decode(counts, words, tags, start, end, labels, possessive)
        stack[0, 0] = 0
        stack[0, 1] = end - start - 1
        depth = 1
        while depth > 0:
            depth -= 1
            first = stack[depth, 0]
            last = stack[depth, 1]
            if labels_there[first, last] > NONE:
                result[filled, 0] = labels_there[first, last]
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
