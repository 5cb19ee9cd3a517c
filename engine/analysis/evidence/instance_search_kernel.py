"""Finding what was counted: the places in a treebank at which a context has one of some keys.

The loops are those of :mod:`engine.counts.counting_kernel` and :mod:`engine.estimates.internal_brackets_kernel`, and
so are the keys; here
only the words that a key names are looked at, and the places are kept.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counting_kernel import level_key, longest_sentence, pair_delta, read_reduced
from engine.counts.counts_layout import BESIDE_HEAD, BESIDE_MODIFIER, BETWEEN, Corpus, Widths
from engine.counts.internal_spans_kernel import span_barred, span_key
from engine.counts.keys_kernel import between, context_key


@kernel
def among(keys: np.ndarray, key: int) -> bool:
    """Whether a sorted array holds a key."""
    low = 0
    high = keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < keys.shape[0] and keys[low] == key


@kernel
def matching_pairs(
    corpus: Corpus,
    widths: Widths,
    level: int,
    beside: np.ndarray,
    classes: np.ndarray,
    sentences: np.ndarray,
    as_modifier: np.ndarray,
    as_head: np.ndarray,
    keys: np.ndarray,
    found: np.ndarray,
) -> int:
    """Write modifier and head of every co-occurrence in a context with one of the sorted `keys`; return how many.

    Parameters
    ----------
    beside, classes
        Both neighbours of every word, and the bit of every tag, for the contexts of preset (5).
    sentences
        The sentences to look at.
    as_modifier, as_head
        For every row whether it may be the modifier, or the head, in such a context.
    found
        Two rows for each place, with room for every pair of a possible modifier and a possible head.
    """
    longest = longest_sentence(corpus)
    rows = np.empty(longest, np.int64)
    verbs_before = np.zeros(longest + 1, np.int64)
    commas_before = np.zeros(longest + 1, np.int64)
    at = 0
    for index in range(sentences.shape[0]):
        sentence = sentences[index]
        start = corpus.starts[sentence]
        size = read_reduced(corpus, sentence, rows, verbs_before, commas_before)
        for place_m in range(size):
            modifier = rows[place_m]
            if not as_modifier[modifier]:
                continue
            tag_m = corpus.tags[modifier]
            for place_h in range(size):
                head = rows[place_h]
                if place_h == place_m or not as_head[head]:
                    continue
                tag_h = corpus.tags[head]
                delta = pair_delta(corpus, start, modifier, head, place_m, place_h, verbs_before, commas_before)
                if level == BETWEEN:
                    kinds = between(corpus.tags, classes, min(modifier, head), max(modifier, head), tag_m, tag_h)
                    key = context_key(widths, level, tag_m, tag_h, delta, kinds)
                elif level == BESIDE_MODIFIER or level == BESIDE_HEAD:
                    context = beside[modifier if level == BESIDE_MODIFIER else head]
                    key = context_key(widths, level, tag_m, tag_h, delta, context)
                else:
                    key = level_key(widths, level, corpus.words[modifier], tag_m, corpus.words[head], tag_h, delta)
                if among(keys, key):
                    found[at, 0] = modifier
                    found[at, 1] = head
                    at += 1
    return at


@kernel
def matching_spans(
    corpus: Corpus, widths: Widths, level: int, possessive: int, keys: np.ndarray, found: np.ndarray
) -> int:
    """Write first and last row of every span within a baseNP whose context is among the sorted `keys`.

    `found` has room for every span; returns how many there are.
    """
    at = 0
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
                        if among(keys, span_key(widths, level, corpus.words, corpus.tags, row, end, first, last)):
                            found[at, 0] = first
                            found[at, 1] = last
                            at += 1
            row = end
    return at
