"""What the tables of gaps, unaries and roots count: the key of every occurrence in a treebank.

Counting (:mod:`engine.counts.counting`) and evidence (:mod:`engine.analysis.evidence`) both take their keys from here
and from the
kernels of counting, so that the sentences shown for a count are those that were counted.
"""

from __future__ import annotations

import numpy as np

from engine.counts import counting_kernel
from engine.counts import counts_layout as data
from engine.counts.context_features import neighbours_of_rows
from engine.counts.corpus import Treebank
from engine.counts.counts_layout import Corpus, Widths

Neighbours = tuple[np.ndarray, np.ndarray]
"""The neighbours of what begins at every row, and of what ends before it: :func:`neighbours_of_rows`."""


def gap_rows(corpus: Corpus) -> np.ndarray:
    """The row after every gap, in the order of the occurrences: every word but the first of its sentence."""
    inner = np.ones(len(corpus.words), bool)
    inner[corpus.starts[:-1]] = False
    return np.flatnonzero(inner)


def gap_occurrences(
    corpus: Corpus, widths: Widths, level: int, neighbours: Neighbours | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Key and tag (S C E B N as 0 to 4) of every gap in one table (section 2.5; with neighbours preset 5)."""
    gaps = len(corpus.words) - (len(corpus.starts) - 1)
    keys = np.empty(gaps, np.int64)
    outcomes = np.empty(gaps, np.int32)
    in_context = data.GAP_BEFORE <= level <= data.GAP_AROUND
    counting_kernel.gap_keys(corpus, widths, data.GAP_TAG_PAIR if in_context else level, keys, outcomes)
    if in_context:
        before, after = neighbours or neighbours_of_rows(corpus)
        right = gap_rows(corpus)
        beside = widths.tag + 1
        if level != data.GAP_BEFORE:
            keys = (keys << beside) | after[right + 1]
        if level != data.GAP_AFTER:
            keys = (keys << beside) | before[right - 1]
    return keys, outcomes


def unary_occurrences(
    treebank: Treebank, widths: Widths, level: int, neighbours: Neighbours | None = None
) -> np.ndarray:
    """Key of every constituent in one table of unaries; what happened is its `unary_parents`."""
    corpus = treebank.corpus
    labels = treebank.unary_labels.astype(np.int64)
    if level == data.UNARY_LABEL:
        return labels
    keys: np.ndarray = (labels << widths.tag) | corpus.tags[treebank.unary_rows]
    if level == data.UNARY_WORD:
        return (keys << widths.word) | corpus.words[treebank.unary_rows]
    if level == data.UNARY_INNER:
        keys = (keys << widths.label) | treebank.unary_children
        return (keys << widths.tag) | corpus.tags[treebank.unary_first]
    if level != data.UNARY_TAG:
        before, after = neighbours or neighbours_of_rows(corpus)
        beside = widths.tag + 1
        if level != data.UNARY_BEFORE:
            keys = (keys << beside) | after[treebank.unary_ends]
        if level != data.UNARY_AFTER:
            keys = (keys << beside) | before[treebank.unary_first]
    return keys


def root_occurrences(corpus: Corpus, widths: Widths, level: int) -> np.ndarray:
    """Key of every word in one table of roots; only those of reduced sentences are counted."""
    tags = corpus.tags.astype(np.int64)
    if level == data.ROOT_ANY:
        return np.zeros_like(tags)
    return tags if level == data.ROOT_TAG else (corpus.words.astype(np.int64) << widths.tag) | tags


def beside_rows(corpus: Corpus, widths: Widths) -> np.ndarray:
    """Both neighbours of every word as one number, for the contexts of dependencies (preset 5)."""
    before, after = neighbours_of_rows(corpus)
    beside: np.ndarray = (after[1:] << (widths.tag + 1)) | before[:-1]
    return beside
