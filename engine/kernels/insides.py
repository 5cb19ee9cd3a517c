"""What is inside a baseNP: a small sequence model over its words (not part of the paper's score).

The paper's baseNPs are flat.  Treebanks have phrases in them (``(NP (QP more than 50) cents)``), which the
model swallows and this one restores: every word of a baseNP gets a state, outside any phrase,
beginning one, or going on with one; the best sequence of states is found by Viterbi search.  A possessive
NP at the beginning needs no model: it ends at the POS.
"""

from __future__ import annotations

import numpy as np

from engine.jit import jit_for
from engine.kernels.data import (
    INSIDE_LEVELS,
    INSIDE_TAG,
    INSIDE_THREE,
    INSIDE_TWO,
    INSIDE_WORD,
    OUTSIDE,
    POSSESSIVE,
    START_STATE,
    Corpus,
    Counts,
    Widths,
)
from engine.kernels.layout import BASE

from .tables import find

jit = jit_for(__name__)

PRIOR = 2.0
"""Weight of the level below in every estimate, in events."""


@jit
def inside_key(
    widths: Widths, level: int, state: int, before: int, word: int, tag: int, after: int, second: int
) -> int:
    """The context of one back-off level; tags are counted from 1, 0 being the edge of the baseNP."""
    key = (int(state) << widths.tag) | int(tag)
    if level == INSIDE_TAG:
        return key
    key = (key << widths.tag) | int(after)
    if level == INSIDE_TWO:
        return key
    key = (key << widths.tag) | int(before)
    if level == INSIDE_THREE:
        return key
    if level == INSIDE_WORD:
        return (key << widths.word) | int(word)
    return (key << widths.tag) | int(second)


@jit
def neighbours(tags: np.ndarray, start: int, end: int, at: int, possessive: int) -> tuple[int, int, int, int]:
    """Tag before, own tag, and the two tags after a word within its baseNP; a possessive counts as an edge."""
    before = tags[at - 1] + 1 if at > start and tags[at - 1] != possessive else 0
    after = tags[at + 1] + 1 if at + 1 < end else 0
    second = tags[at + 2] + 1 if at + 2 < end else 0
    return before, tags[at] + 1, after, second


@jit
def inside_states(rows: np.ndarray, ends: np.ndarray, begins: np.ndarray, states: np.ndarray) -> None:
    """States of all words from the brackets inside baseNPs: the outermost phrase counts.

    `begins` holds for every bracket the state that begins its phrase (0: no state, a possessive).
    """
    states[:] = OUTSIDE
    for bracket in range(rows.shape[0]):
        if begins[bracket] == 0 or states[rows[bracket]] != OUTSIDE:
            continue
        states[rows[bracket]] = begins[bracket]
        for row in range(rows[bracket] + 1, ends[bracket]):
            states[row] = begins[bracket] + 1


@jit
def inside_keys(
    corpus: Corpus,
    widths: Widths,
    level: int,
    states: np.ndarray,
    possessive: int,
    keys: np.ndarray,
    outcomes: np.ndarray,
) -> int:
    """Write the context and the state of every word in a baseNP of two words or more."""
    at = 0
    for sentence in range(corpus.starts.shape[0] - 1):
        base = corpus.starts[sentence]
        for row in range(base, corpus.starts[sentence + 1]):
            start = base + corpus.first[row]
            end = base + corpus.last[row] + 1
            if not corpus.chunk[row] or end - start < 2:
                continue
            before, tag, after, second = neighbours(corpus.tags, start, end, row, possessive)
            previous = states[row - 1] if before > 0 else START_STATE
            keys[at] = inside_key(widths, level, previous, before, corpus.words[row], tag, after, second)
            outcomes[at] = states[row]
            at += 1
    return at


@jit
def inside_distribution(
    counts: Counts, state: int, before: int, word: int, tag: int, after: int, second: int, row: np.ndarray
) -> None:
    """P(state of a word | state before, words and tags around), from the coarsest level to the finest."""
    row[:] = 0.0
    row[OUTSIDE] = 1.0
    for step in range(INSIDE_LEVELS):
        level = INSIDE_TAG - step
        if level == INSIDE_WORD and word < 0:
            continue
        total, start, end = find(
            counts, level, inside_key(counts.widths, level, state, before, word, tag, after, second)
        )
        if total > 0:
            # The coarsest level stands alone: what it has not seen is not proposed.
            prior = PRIOR if step > 0 else 0.0
            for place in range(row.shape[0]):
                row[place] *= prior / (total + prior)
            for place in range(start, end, 2):
                row[counts.records[place]] += counts.records[place + 1] / (total + prior)


@jit
def decode(
    counts: Counts, words: np.ndarray, tags: np.ndarray, start: int, end: int, states: int, possessive: int
) -> np.ndarray:
    """The best sequence of states of the baseNP over words ``start .. end``."""
    size = end - start
    best = np.full((size, states), -np.inf)
    origin = np.zeros((size, states), np.int64)
    row = np.empty(states)
    for at in range(size):
        before, tag, after, second = neighbours(tags, start, end, start + at, possessive)
        if before == 0:
            # An edge: whatever came before, the state starts anew.
            previous_best = 0.0
            previous = START_STATE
            if at > 0:
                previous = int(np.argmax(best[at - 1]))
                previous_best = best[at - 1, previous]
            inside_distribution(counts, START_STATE, before, words[start + at], tag, after, second, row)
            for state in range(states):
                if row[state] > 0.0:
                    best[at, state] = previous_best + np.log(row[state])
                    origin[at, state] = previous
            continue
        for previous in range(states):
            if best[at - 1, previous] == -np.inf:
                continue
            inside_distribution(counts, previous, before, words[start + at], tag, after, second, row)
            for state in range(states):
                if row[state] > 0.0:
                    score = best[at - 1, previous] + np.log(row[state])
                    if score > best[at, state]:
                        best[at, state] = score
                        origin[at, state] = previous
    result = np.empty(size, np.int64)
    state = int(np.argmax(best[size - 1]))
    for at in range(size - 1, -1, -1):
        result[at] = state
        state = origin[at, state]
    return result


@jit
def decode_all(counts: Counts, tokens: np.ndarray, rows: np.ndarray, states: int, possessive: int) -> np.ndarray:
    """States of the words of all baseNPs of a derivation; −1 for a POS that ends a possessive NP."""
    words = tokens[:, 0]
    tags = tokens[:, 1]
    result = np.zeros(tokens.shape[0], np.int64)
    for row in range(rows.shape[0]):
        if rows[row, 0] != BASE or rows[row, 4] == rows[row, 5]:
            continue
        start = rows[row, 4]
        end = rows[row, 5] + 1
        found = decode(counts, words, tags, start, end, states, possessive)
        for at in range(end - start):
            result[start + at] = found[at]
            if tags[start + at] == possessive and start + at + 1 < end:
                result[start + at] = POSSESSIVE
    return result
