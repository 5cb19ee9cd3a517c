"""Spans of words inside a baseNP, as they are counted: the context of each, and which of them are phrases."""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import INSIDE_EDGES, INSIDE_TAGS, INSIDE_WORDS, Corpus, Widths

LONGEST = 7
"""Spans longer than this look alike, and none longer than twice as much is a phrase."""


@kernel
def span_key(
    widths: Widths, level: int, words: np.ndarray, tags: np.ndarray, start: int, end: int, first: int, last: int
) -> int:
    """The context of the span ``first .. last`` (inclusive) in the baseNP ``start .. end`` at one level.

    Tags are counted from 1, 0 being the edge of the baseNP.
    """
    length = last - first + 1
    before = int(tags[first - 1]) + 1 if first > start else 0
    after = int(tags[last + 1]) + 1 if last + 1 < end else 0
    key = min(length, LONGEST)
    if level == INSIDE_WORDS:
        key = (key << widths.word) | int(words[first])
        key = (key << widths.word) | int(words[last])
        return (key << widths.tag) | after
    if level == INSIDE_TAGS:
        # All tags of a short span; of a longer one those at both ends.
        for step in range(min(length, 5)):
            at = first + step if length <= 5 or step < 3 else last - (4 - step)
            key = (key << widths.tag) | (int(tags[at]) + 1)
        return (((key << widths.tag) | before) << widths.tag) | after
    key = (key << widths.tag) | (int(tags[first]) + 1)
    key = (key << widths.tag) | (int(tags[last]) + 1)
    key = (key << widths.tag) | after
    if level == INSIDE_EDGES:
        key = (key << widths.tag) | before
    return key


@kernel
def span_barred(tags: np.ndarray, first: int, last: int, end: int, possessive: int) -> bool:
    """Whether a span cannot be a phrase: too long, or over the POS of a possessive."""
    if last - first >= 2 * LONGEST:
        return True
    for position in range(first, last + 1):
        if tags[position] == possessive and position + 1 < end:
            return True
    return False


@kernel
def mark_spans(rows: np.ndarray, ends: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Brackets as a sorted list: ``row * 64 + length`` of each, and its label; of two alike the outer one."""
    keys = rows * 64 + np.minimum(ends - rows, 63)
    order = np.argsort(keys, kind="mergesort")
    return keys[order], labels[order]


@kernel
def span_keys(
    corpus: Corpus,
    widths: Widths,
    level: int,
    marks: np.ndarray,
    mark_labels: np.ndarray,
    possessive: int,
    keys: np.ndarray,
    event_keys: np.ndarray,
    event_labels: np.ndarray,
) -> tuple[int, int]:
    """Write the context of every span within a baseNP, and of every phrase with its label; return how many.

    With no room in `keys` only the number of spans is found.
    """
    at = 0
    events = 0
    mark = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        base = corpus.starts[sentence]
        row = base
        while row < corpus.starts[sentence + 1]:
            end = base + corpus.last[row] + 1 if corpus.chunk[row] else row + 1
            if corpus.chunk[row] and end - row > 1:
                for first in range(row, end):
                    for last in range(first, end):
                        if span_barred(corpus.tags, first, last, end, possessive):
                            continue
                        name = first * 64 + (last - first + 1)
                        while mark < marks.shape[0] and marks[mark] < name:
                            mark += 1
                        if keys.shape[0] > 0:
                            key = span_key(widths, level, corpus.words, corpus.tags, row, end, first, last)
                            keys[at] = key
                            if mark < marks.shape[0] and marks[mark] == name:
                                event_keys[events] = key
                                event_labels[events] = mark_labels[mark]
                                events += 1
                        at += 1
            row = end
    return at, events
