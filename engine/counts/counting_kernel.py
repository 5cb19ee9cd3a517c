"""Counting a treebank: one key for every co-occurrence of two words of a reduced sentence (section 2.2).

The columns of a corpus hold one row a word, sentence after sentence; see :mod:`engine.counts.corpus`.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    BESIDE_MODIFIER,
    BETWEEN,
    COMMA_BITS,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    HEAD,
    HEAD_PLAIN,
    MODIFIER,
    MODIFIER_PLAIN,
    PAIR,
    PAIR_PLAIN,
    SWALLOWED,
    VALUE_BITS,
    Corpus,
    Widths,
)
from engine.counts.keys_kernel import (
    between,
    context_key,
    delta_code,
    first_key,
    pair_key,
    reduced_delta,
    second_key,
    tag_key,
    words_key,
)
from engine.structure.structure_layout import ADJACENT, DELTA_BITS, HEAD_FIRST


@kernel
def count_pairs(corpus: Corpus) -> tuple[int, int]:
    """How many pairs of different words of the same reduced sentence there are, and how many arrows."""
    pairs = 0
    arrows = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        reduced = 0
        for row in range(corpus.starts[sentence], corpus.starts[sentence + 1]):
            if corpus.heads[row] != SWALLOWED:
                reduced += 1
            if corpus.heads[row] >= 0:
                arrows += 1
        pairs += reduced * (reduced - 1)
    return pairs, arrows


@kernel
def longest_sentence(corpus: Corpus) -> int:
    """How many words the longest sentence has."""
    longest = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        longest = max(longest, corpus.starts[sentence + 1] - corpus.starts[sentence])
    return longest


@kernel
def read_reduced(
    corpus: Corpus, sentence: int, rows: np.ndarray, verbs_before: np.ndarray, commas_before: np.ndarray
) -> int:
    """Write the rows of a sentence's reduced words, and the running sums that Δ needs; return how many words."""
    start = corpus.starts[sentence]
    size = 0
    commas = 0
    for row in range(start, corpus.starts[sentence + 1]):
        commas += corpus.commas[row]
        commas_before[row - start] = commas
        if corpus.heads[row] != SWALLOWED:
            rows[size] = row
            verbs_before[size + 1] = verbs_before[size] + corpus.verbs[row]
            size += 1
    return size


@kernel
def pair_delta(
    corpus: Corpus,
    start: int,
    modifier: int,
    head: int,
    place_m: int,
    place_h: int,
    verbs_before: np.ndarray,
    commas_before: np.ndarray,
) -> int:
    """Δ between two reduced words (section 2.3).

    `modifier` and `head` are rows; `place_m`, `place_h` their places in the reduced sentence;
    the last two arguments are running sums over reduced words and over words.
    """
    head_first = 1 if head < modifier else 0
    first, second = (head, modifier) if head_first else (modifier, head)
    low, high = (place_h, place_m) if head_first else (place_m, place_h)
    return delta_code(
        head_first,
        1 if high - low == 1 else 0,
        1 if verbs_before[high] - verbs_before[low + 1] > 0 else 0,
        commas_before[second - start] - commas_before[first - start],
        1 if corpus.commas[start + corpus.last[first] + 1] > 0 else 0,
        1 if corpus.commas[start + corpus.first[second]] > 0 else 0,
    )


@kernel
def level_key(widths: Widths, level: int, word_m: int, tag_m: int, word_h: int, tag_h: int, delta: int) -> int:
    """The key of one back-off level's context."""
    if level == PAIR:
        key = pair_key(widths, word_m, tag_m, word_h, tag_h)
    elif level == MODIFIER:
        key = first_key(widths, word_m, tag_m, tag_h)
    elif level == HEAD:
        key = second_key(widths, tag_m, word_h, tag_h)
    elif level == PAIR_PLAIN:
        key = words_key(widths, word_m, word_h)
    elif level == MODIFIER_PLAIN:
        key = tag_key(widths, word_m, tag_h)
    elif level == HEAD_PLAIN:
        key = tag_key(widths, word_h, tag_m)
    else:
        key = tag_key(widths, tag_m, tag_h)
    return (key << DELTA_BITS) | reduced_delta(level, delta)


@kernel
def pair_keys(
    corpus: Corpus, widths: Widths, level: int, keys: np.ndarray, arrow_keys: np.ndarray, arrow_outcomes: np.ndarray
) -> None:
    """Write the key of every co-occurrence, and of every arrow with its relation."""
    longest = longest_sentence(corpus)
    rows = np.empty(longest, np.int64)
    verbs_before = np.zeros(longest + 1, np.int64)
    commas_before = np.zeros(longest + 1, np.int64)
    at = 0
    arrow = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        start = corpus.starts[sentence]
        size = read_reduced(corpus, sentence, rows, verbs_before, commas_before)
        for place_m in range(size):
            modifier = rows[place_m]
            for place_h in range(size):
                if place_h == place_m:
                    continue
                head = rows[place_h]
                delta = pair_delta(corpus, start, modifier, head, place_m, place_h, verbs_before, commas_before)
                key = level_key(
                    widths,
                    level,
                    corpus.words[modifier],
                    corpus.tags[modifier],
                    corpus.words[head],
                    corpus.tags[head],
                    delta,
                )
                keys[at] = key
                at += 1
                if corpus.heads[modifier] == head - start:
                    arrow_keys[arrow] = key
                    arrow_outcomes[arrow] = corpus.relations[modifier]
                    arrow += 1


@kernel
def context_keys(
    corpus: Corpus,
    widths: Widths,
    level: int,
    beside: np.ndarray,
    classes: np.ndarray,
    keys: np.ndarray,
    arrow_keys: np.ndarray,
    arrow_outcomes: np.ndarray,
) -> None:
    """Write the key of every co-occurrence in its context, and of every arrow with its relation (preset 5).

    `beside` holds both neighbours of every word, `classes` the bit of every tag.
    """
    longest = longest_sentence(corpus)
    rows = np.empty(longest, np.int64)
    at = 0
    arrow = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        start = corpus.starts[sentence]
        size = 0
        for row in range(start, corpus.starts[sentence + 1]):
            if corpus.heads[row] != SWALLOWED:
                rows[size] = row
                size += 1
        for place_m in range(size):
            modifier = rows[place_m]
            tag_m = corpus.tags[modifier]
            for place_h in range(size):
                if place_h == place_m:
                    continue
                head = rows[place_h]
                tag_h = corpus.tags[head]
                delta = HEAD_FIRST if head < modifier else 0
                if abs(place_h - place_m) == 1:
                    delta |= ADJACENT
                if level == BETWEEN:
                    context = between(corpus.tags, classes, min(modifier, head), max(modifier, head), tag_m, tag_h)
                else:
                    context = beside[modifier if level == BESIDE_MODIFIER else head]
                key = context_key(widths, level, tag_m, tag_h, delta, context)
                keys[at] = key
                at += 1
                if corpus.heads[modifier] == head - start:
                    arrow_keys[arrow] = key
                    arrow_outcomes[arrow] = corpus.relations[modifier]
                    arrow += 1


@kernel
def gap_key(widths: Widths, level: int, word_l: int, tag_l: int, word_r: int, tag_r: int, comma: int) -> int:
    """The key of one back-off level's context of a gap."""
    if level == GAP_PAIR:
        key = pair_key(widths, word_l, tag_l, word_r, tag_r)
    elif level == GAP_LEFT:
        key = first_key(widths, word_l, tag_l, tag_r)
    elif level == GAP_RIGHT:
        key = second_key(widths, tag_l, word_r, tag_r)
    elif level == GAP_TAG_PAIR:
        key = tag_key(widths, tag_l, tag_r)
    else:
        key = 0
    return (key << COMMA_BITS) | comma


@kernel
def gap_keys(corpus: Corpus, widths: Widths, level: int, keys: np.ndarray, outcomes: np.ndarray) -> int:
    """Write the key and the tag (S C E B N as 0 to 4) of every gap between words (section 2.5)."""
    at = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        for row in range(corpus.starts[sentence] + 1, corpus.starts[sentence + 1]):
            left = row - 1
            if corpus.chunk[left] and corpus.chunk[row]:
                outcome = 1 if corpus.first[left] == corpus.first[row] else 3
            elif corpus.chunk[row]:
                outcome = 0
            else:
                outcome = 2 if corpus.chunk[left] else 4
            comma = 1 if corpus.commas[row] > 0 else 0
            keys[at] = gap_key(
                widths, level, corpus.words[left], corpus.tags[left], corpus.words[row], corpus.tags[row], comma
            )
            outcomes[at] = outcome
            at += 1
    return at


@kernel
def different(keys: np.ndarray) -> int:
    """How many different keys a sorted array holds."""
    found = 0
    for place in range(keys.shape[0]):
        if place == 0 or keys[place] != keys[place - 1]:
            found += 1
    return found


@kernel
def fill_table(
    keys: np.ndarray,
    event_keys: np.ndarray,
    event_outcomes: np.ndarray,
    shift: int,
    buckets: np.ndarray,
    contexts: np.ndarray,
    records: np.ndarray,
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
