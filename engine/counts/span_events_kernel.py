"""Spans of words inside baseNPs: the key of each in a table of spans.

As for pairs of words, counting and evidence go through one loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import LONGEST_SPAN, CorpusColumns, Widths
from engine.counts.pair_events_kernel import among
from engine.counts.specifications_layout import (
    SPAN_AFTER,
    SPAN_ALL_TAGS,
    SPAN_BEFORE,
    SPAN_FIRST_TAG,
    SPAN_FIRST_WORD,
    SPAN_LAST_TAG,
    SPAN_LAST_WORD,
    TABLE_FIELDS,
)


class SpanSink(NamedTuple):
    """Arrays that spans are written to; an array without room is left alone.

    Attributes
    ----------
    keys
        The key of every span.
    rows
        First and last row of every span.
    """

    keys: Int64Array
    rows: Int64Array


@kernel(allocates=False, inlined=True)
def span_key(
    widths: Widths, table: int, words: IntArray, tags: IntArray, start: int, end: int, first: int, last: int
) -> int:
    """The key of the span ``first .. last`` (inclusive) in the baseNP ``start .. end`` in one table of spans.

    Tags are counted from 1, 0 being the edge of the baseNP.
    """
    fields = int(TABLE_FIELDS[table])
    length = last - first + 1
    before = int(tags[first - 1]) + 1 if first > start else 0
    after = int(tags[last + 1]) + 1 if last + 1 < end else 0
    key = min(length, LONGEST_SPAN)
    if fields & SPAN_FIRST_WORD:
        key = (key << widths.word) | int(words[first])
    if fields & SPAN_LAST_WORD:
        key = (key << widths.word) | int(words[last])
    if fields & SPAN_ALL_TAGS:
        # All tags of a short span; of a longer one those at both ends.
        for step in range(min(length, 5)):
            at = first + step if length <= 5 or step < 3 else last - (4 - step)
            key = (key << widths.tag) | (int(tags[at]) + 1)
        key = (((key << widths.tag) | before) << widths.tag) | after
    if fields & SPAN_FIRST_TAG:
        key = (key << widths.tag) | (int(tags[first]) + 1)
    if fields & SPAN_LAST_TAG:
        key = (key << widths.tag) | (int(tags[last]) + 1)
    if fields & SPAN_AFTER:
        key = (key << widths.tag) | after
    if fields & SPAN_BEFORE:
        key = (key << widths.tag) | before
    return key


@kernel(allocates=False, inlined=True)
def span_barred(tags: IntArray, first: int, last: int, end: int, possessive: int) -> bool:
    """Tell whether a span cannot be a phrase: too long, or over the POS of a possessive."""
    if last - first >= 2 * LONGEST_SPAN:
        return True
    for position in range(first, last + 1):
        if tags[position] == possessive and position + 1 < end:
            return True
    return False


def span_names(first: Int64Array, lengths: Int64Array) -> Int64Array:
    """Spans as numbers that sort by first row and length."""
    names: Int64Array = first * 64 + np.minimum(lengths, 63)
    return names


@kernel
def span_events(
    columns: CorpusColumns, widths: Widths, table: int, possessive: int, wanted: Int64Array, sink: SpanSink
) -> int:
    """Write the spans within baseNPs with one of the sorted keys `wanted`, or if there are none all of them.

    `possessive` is the number of the tag POS, −1 if there is none.  Returns how many spans there are.
    """
    spans = 0
    for sentence in range(columns.starts.shape[0] - 1):
        base = columns.starts[sentence]
        row = base
        while row < columns.starts[sentence + 1]:
            end = base + columns.last[row] + 1 if columns.chunk[row] else row + 1
            if columns.chunk[row] and end - row > 1:
                for first in range(row, end):
                    for last in range(first, end):
                        if span_barred(columns.tags, first, last, end, possessive):
                            continue
                        key = span_key(widths, table, columns.words, columns.tags, row, end, first, last)
                        if wanted.shape[0] > 0 and not among(wanted, key):
                            continue
                        if sink.keys.shape[0] > 0:
                            sink.keys[spans] = key
                        if sink.rows.shape[0] > 0:
                            sink.rows[spans, 0] = first
                            sink.rows[spans, 1] = last
                        spans += 1
            row = end
    return spans
