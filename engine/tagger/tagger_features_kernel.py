"""The features of the maximum-entropy tagger (Ratnaparkhi 1996), and where they are found.

A word is first turned into a row of *atoms*: 64-bit hashes of its spelling, its endings, its shape ….
A *template* says which atoms, at which distance, and which of the two previous tags make up one
feature; the feature's name is a 48-bit hash of all that.  So a feature that was never seen in training
is simply not found in the table and costs nothing, and no string is ever stored.

Everything on hashes is ``uint64`` arithmetic modulo 2^64.  numpy warns of the overflow when this
source runs uncompiled; callers switch that warning off.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int16Array, Int64Array, UInt32Array, UInt64Array
from engine.compiled.kernel import kernel
from engine.tagger.tagger_layout import (
    ATOMS,
    CLASS,
    FORM,
    LONGEST_AFFIX,
    LOWER,
    LOWER_PREFIX,
    LOWER_SUFFIX,
    PARTS,
    PREVIOUS_TAG,
    SENTENCE_START,
    SHAPE,
    SUFFIX,
    TAG_BEFORE,
    WORD,
    CodePoints,
    TaggerTables,
)

ABSENT = np.uint64(0)
"""In place of a hash: the word has no such atom, and the template makes no feature."""

_SEED = np.uint64(0xD6E8FEB86659FD93)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_SPARE = np.uint64(16)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)

# What a character contributes to its word's shape; any other character stands for itself.
_DIGIT = np.int64(1)
_CAPITAL = np.int64(2)
_SMALL = np.int64(3)
_LONGEST_RUN = 4

_HAS_DIGIT = 1
_HAS_CAPITAL = 2
_STARTS_CAPITAL = 4
_HAS_HYPHEN = 8
_HAS_POINT = 16
_ALL_CAPITALS = 32
_NO_LETTERS = 64
_ONE_CHARACTER = 128


@kernel
def mix(digest: np.uint64, value: np.uint64) -> np.uint64:
    """Take `value` into the hash `digest`."""
    digest = (digest ^ value) * _MULTIPLIER
    return digest ^ (digest >> _HALF)


@kernel
def span_hash(codes: UInt32Array, start: int, end: int, kind: int) -> np.uint64:
    """Hash of the code points from `start` to `end`, never :data:`ABSENT`."""
    digest = _SEED ^ np.uint64(kind)
    for index in range(start, end):
        digest = mix(digest, np.uint64(codes[index]))
    return digest if digest != ABSENT else _ONE


@kernel
def span_hashes(codes: UInt32Array, starts: Int64Array, lengths: Int64Array) -> UInt64Array:
    """Hash of every word, as in the column `LOWER` if `codes` are lower-cased."""
    hashes = np.zeros(len(starts), np.uint64)
    for word in range(len(starts)):
        hashes[word] = span_hash(codes, starts[word], starts[word] + lengths[word], 0)
    return hashes


@kernel
def spelling(codes: UInt32Array, lower_codes: UInt32Array, start: int, end: int) -> tuple[np.uint64, np.uint64]:
    """Hashes of a word's shape (``Xxxx-dd``, runs cut at four) and of its form (a set of yes/no marks)."""
    shape = _SEED
    marks = 0
    run = 0
    last = np.int64(-1)
    capitals = 0
    letters = 0
    for index in range(start, end):
        code = np.int64(codes[index])
        if 48 <= code <= 57:
            kind = _DIGIT
            marks |= _HAS_DIGIT
        elif codes[index] != lower_codes[index]:
            kind = _CAPITAL
            marks |= _HAS_CAPITAL
            capitals += 1
            letters += 1
            if index == start:
                marks |= _STARTS_CAPITAL
        elif 97 <= code <= 122 or code >= 128:
            kind = _SMALL
            letters += 1
        else:
            kind = code + 256
            if code == 45:
                marks |= _HAS_HYPHEN
            elif code == 46:
                marks |= _HAS_POINT
        run = run + 1 if kind == last else 1
        last = kind
        if run <= _LONGEST_RUN:
            shape = mix(shape, np.uint64(kind))
    if letters == 0:
        marks |= _NO_LETTERS
    elif capitals == letters:
        marks |= _ALL_CAPITALS
    if end - start == 1:
        marks |= _ONE_CHARACTER
    return (shape if shape != ABSENT else _ONE), mix(_SEED, np.uint64(marks + 1))


@kernel
def dictionary_row(tables: TaggerTables, lower_hash: np.uint64) -> int:
    """The dictionary's row for a word, or -1."""
    hashes = tables.dictionary_hashes
    low = 0
    high = len(hashes)
    while low < high:
        middle = (low + high) >> 1
        if hashes[middle] < lower_hash:
            low = middle + 1
        else:
            high = middle
    return low if low < len(hashes) and hashes[low] == lower_hash else -1


@kernel
def word_atoms(tables: TaggerTables, text: CodePoints) -> tuple[UInt64Array, Int64Array]:
    """The atoms of every word, and its row in the dictionary or -1.

    A word outside the dictionary has its last two letters for an ambiguity class: that is what
    tells most about the tag of the word after the one to be tagged.
    """
    codes = text.codes
    lower_codes = text.lower_codes
    count = len(text.starts)
    atoms = np.zeros((count, ATOMS), np.uint64)
    rows = np.zeros(count, np.int64)
    for word in range(count):
        start = text.starts[word]
        end = start + text.lengths[word]
        atoms[word, WORD] = span_hash(codes, start, end, 0)
        atoms[word, LOWER] = span_hash(lower_codes, start, end, 0)
        for length in range(1, min(LONGEST_AFFIX, text.lengths[word]) + 1):
            column = length - 1
            atoms[word, LOWER_PREFIX + column] = span_hash(lower_codes, start, start + length, length)
            atoms[word, LOWER_SUFFIX + column] = span_hash(lower_codes, end - length, end, length)
            atoms[word, SUFFIX + column] = span_hash(codes, end - length, end, length)
        atoms[word, SHAPE], atoms[word, FORM] = spelling(codes, lower_codes, start, end)
        row = dictionary_row(tables, atoms[word, LOWER])
        rows[word] = row
        if row >= 0:
            atoms[word, CLASS] = mix(_SEED, np.uint64(tables.dictionary_classes[row]) + _ONE)
        else:
            atoms[word, CLASS] = mix(_SEED, atoms[word, LOWER_SUFFIX + 1])
    return atoms, rows


@kernel
def partial_hash(
    templates: Int16Array, template: int, atoms: UInt64Array, first: int, end: int, position: int
) -> np.uint64:
    """Hash of what a template says about the words; :data:`ABSENT` if some word lacks the atom.

    Parameters
    ----------
    first, end
        The rows of `atoms` that are the sentence; beyond lies a blank that differs left and right.
    """
    digest = mix(_SEED, np.uint64(template + 1))
    for part in range(PARTS):
        atom = templates[template, 1 + 2 * part]
        if atom < 0:
            break
        where = position + templates[template, 2 + 2 * part]
        if where < first:
            value = _ONE
        elif where >= end:
            value = _ONE + _ONE
        else:
            value = atoms[where, atom]
        if value == ABSENT:
            return ABSENT
        digest = mix(digest, value)
    if templates[template, 0] & SENTENCE_START:
        digest = mix(digest, np.uint64(1 if position == first else 2))
    return digest if digest != ABSENT else _ONE


@kernel
def feature_hash(digest: np.uint64, flags: int, previous: int, before: int) -> np.uint64:
    """A feature's 48 bits, from its partial hash and the tags it asks for (-1 before the sentence)."""
    if flags & PREVIOUS_TAG:
        digest = mix(digest, np.uint64(previous + 2))
    if flags & TAG_BEFORE:
        digest = mix(digest, np.uint64(before + 2) << _HALF)
    return mix(digest, _SEED) >> _SPARE


@kernel
def find_feature(buckets: UInt32Array, keys: UInt32Array, name: np.uint64) -> np.int64:
    """The row of the feature with this hash, or -1."""
    bucket = np.int64(name >> _HALF)
    key = np.int64(name & _LOW_HALF)
    low = np.int64(buckets[bucket])
    end = np.int64(buckets[bucket + 1])
    high = end
    while low < high:
        middle = (low + high) >> 1
        if np.int64(keys[middle]) < key:
            low = middle + 1
        else:
            high = middle
    return low if low < end and np.int64(keys[low]) == key else np.int64(-1)
