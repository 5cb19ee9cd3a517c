"""The maximum-entropy tagger (Ratnaparkhi 1996): its features, its probabilities, and the search for the best sequence
of tags.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int16Array, Int64Array, UInt32Array, UInt64Array
from engine.compiled.kernel import kernel
from engine.tagger import tagger_layout as layout
from engine.tagger.tagger_layout import CodePoints, TaggerTables, TagSearch

# The features of the maximum-entropy tagger (Ratnaparkhi 1996), and where they are found.
#
# A word is first turned into a row of *atoms*: 64-bit hashes of its spelling, its endings, its shape ….
# A *template* says which atoms, at which distance, and which of the two previous tags make up one
# feature; the feature's name is a 48-bit hash of all that.  So a feature that was never seen in training
# is simply not found in the table and costs nothing, and no string is ever stored.
#
# Everything on hashes is ``uint64`` arithmetic modulo 2^64.  numpy warns of the overflow when this
# source runs uncompiled; callers switch that warning off.

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
    """Return the dictionary's row for a word, or -1."""
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
    """Return the atoms of every word, and its row in the dictionary or -1.

    A word outside the dictionary has its last two letters for an ambiguity class: that is what
    tells most about the tag of the word after the one to be tagged.
    """
    codes = text.codes
    lower_codes = text.lower_codes
    count = len(text.starts)
    atoms = np.zeros((count, layout.ATOMS), np.uint64)
    rows = np.zeros(count, np.int64)
    for word in range(count):
        start = text.starts[word]
        end = start + text.lengths[word]
        atoms[word, layout.WORD] = span_hash(codes, start, end, 0)
        atoms[word, layout.LOWER] = span_hash(lower_codes, start, end, 0)
        for length in range(1, min(layout.LONGEST_AFFIX, text.lengths[word]) + 1):
            column = length - 1
            atoms[word, layout.LOWER_PREFIX + column] = span_hash(lower_codes, start, start + length, length)
            atoms[word, layout.LOWER_SUFFIX + column] = span_hash(lower_codes, end - length, end, length)
            atoms[word, layout.SUFFIX + column] = span_hash(codes, end - length, end, length)
        atoms[word, layout.SHAPE], atoms[word, layout.FORM] = spelling(codes, lower_codes, start, end)
        row = dictionary_row(tables, atoms[word, layout.LOWER])
        rows[word] = row
        if row >= 0:
            atoms[word, layout.CLASS] = mix(_SEED, np.uint64(tables.dictionary_classes[row]) + _ONE)
        else:
            atoms[word, layout.CLASS] = mix(_SEED, atoms[word, layout.LOWER_SUFFIX + 1])
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
    for part in range(layout.PARTS):
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
    if templates[template, 0] & layout.SENTENCE_START:
        digest = mix(digest, np.uint64(1 if position == first else 2))
    return digest if digest != ABSENT else _ONE


@kernel
def feature_hash(digest: np.uint64, flags: int, previous: int, before: int) -> np.uint64:
    """Return a feature's 48 bits, from its partial hash and the tags it asks for (-1 before the sentence)."""
    if flags & layout.PREVIOUS_TAG:
        digest = mix(digest, np.uint64(previous + 2))
    if flags & layout.TAG_BEFORE:
        digest = mix(digest, np.uint64(before + 2) << _HALF)
    return mix(digest, _SEED) >> _SPARE


@kernel
def find_feature(buckets: UInt32Array, keys: UInt32Array, name: np.uint64) -> np.int64:
    """Return the row of the feature with this hash, or -1."""
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


# The maximum-entropy tagger's probabilities, and the search for the best sequence of tags.
#
# Ratnaparkhi (1996), "A Maximum Entropy Model for Part-Of-Speech Tagging", gives every tag t of a word
# in its history h (the words around it and the two tags before it) the probability
#
#     P(t | h) = exp(sum of w[f, t] over the features f of h) / the same summed over all tags.


@kernel
def add_feature(tables: TaggerTables, name: np.uint64, scores: Int64Array) -> None:
    """Add a feature's weights, if it is known, to the scores of the tags."""
    row = find_feature(tables.buckets, tables.keys, name)
    if row >= 0:
        tags = tables.row_tags
        weights = tables.row_weights
        for index in range(np.int64(tables.row_starts[row]), np.int64(tables.row_starts[row + 1])):
            scores[tags[index]] += weights[index]


@kernel
def word_scores(tables: TaggerTables, atoms: UInt64Array, tag_count: int) -> tuple[Int64Array, UInt64Array]:
    """Return what does not depend on tags: scores from the words alone, and the other features' partial hashes."""
    count = len(atoms)
    templates = tables.templates
    scores = np.zeros((count, tag_count), np.int64)
    partial = np.zeros((count, len(templates)), np.uint64)
    for position in range(count):
        for template in range(len(templates)):
            digest = partial_hash(templates, template, atoms, 0, count, position)
            if digest == ABSENT:
                continue
            if templates[template, 0] & layout.HISTORY:
                partial[position, template] = digest
            else:
                add_feature(tables, feature_hash(digest, 0, 0, 0), scores[position])
    return scores, partial


@kernel
def log_probabilities(
    tables: TaggerTables,
    scores: Int64Array,
    partial: UInt64Array,
    previous: int,
    before: int,
    scale: float,
    total: Int64Array,
    result: FloatArray,
) -> None:
    """Log P(t | h) of every tag t, for one word in one history of tags.

    The weights are added up as whole numbers, so that their order does not matter.
    """
    tag_count = len(scores)
    for tag in range(tag_count):
        total[tag] = scores[tag]
    templates = tables.templates
    for template in range(len(templates)):
        if partial[template] != ABSENT:
            add_feature(tables, feature_hash(partial[template], templates[template, 0], previous, before), total)
    highest = total[0]
    for tag in range(1, tag_count):
        highest = max(highest, total[tag])
    mass = 0.0
    for tag in range(tag_count):
        result[tag] = (total[tag] - highest) * scale
        mass += np.exp(result[tag])
    normaliser = np.log(mass)
    for tag in range(tag_count):
        result[tag] -= normaliser


@kernel
def allowed_tags(tables: TaggerTables, row: int, fixed: int, choices: Int64Array) -> int:
    """Write the tags that a word may have into `choices`; return how many there are.

    Parameters
    ----------
    row
        The word's row in the dictionary, or -1.
    fixed
        The tag that it must have, or -1.
    """
    if fixed >= 0:
        choices[0] = fixed
        return 1
    if row >= 0:
        begin = np.int64(tables.dictionary_starts[row])
        seen = np.int64(tables.dictionary_starts[row + 1]) - begin
        if seen > 0:
            for index in range(seen):
                choices[index] = tables.dictionary_tags[begin + index]
            return int(seen)
    for tag in range(len(choices)):
        choices[tag] = tag
    return len(choices)


@kernel
def best_sequence(
    tables: TaggerTables,
    scores: Int64Array,
    partial: UInt64Array,
    rows: Int64Array,
    fixed: Int64Array,
    limits: TagSearch,
) -> Int64Array:
    """Return the most probable sequence of tags that a beam finds (Ratnaparkhi 1996).

    Two histories that end in the same two tags have the same future, so only the better one is
    kept; with as many places as there are pairs of tags the search is therefore exact.

    Parameters
    ----------
    rows
        Every word's row in the dictionary, or -1.
    fixed
        For every word the tag it must have, or -1.
    """
    beam = limits.beam
    count, tag_count = scores.shape
    values = np.full((count + 1, beam), -np.inf)
    last_tags = np.full((count + 1, beam), -1, np.int64)
    tags_before = np.full((count + 1, beam), -1, np.int64)
    origins = np.zeros((count + 1, beam), np.int64)
    kept = np.zeros(count + 1, np.int64)
    kept[0] = 1
    values[0, 0] = 0.0
    total = np.zeros(tag_count, np.int64)
    logs = np.zeros(tag_count)
    choices = np.zeros(tag_count, np.int64)

    for position in range(count):
        choice_count = allowed_tags(tables, rows[position], fixed[position], choices)
        following = position + 1
        threshold = values[position].max() - limits.margin
        for origin in range(kept[position]):
            if values[position, origin] < threshold:
                continue
            previous = last_tags[position, origin]
            log_probabilities(
                tables,
                scores[position],
                partial[position],
                previous,
                tags_before[position, origin],
                limits.scale,
                total,
                logs,
            )
            for choice in range(choice_count):
                tag = choices[choice]
                value = values[position, origin] + logs[tag]
                place = -1
                weakest = 0
                for other in range(kept[following]):
                    if last_tags[following, other] == tag and tags_before[following, other] == previous:
                        place = other
                    if values[following, other] < values[following, weakest]:
                        weakest = other
                if place < 0:
                    if kept[following] < beam:
                        place = kept[following]
                        kept[following] += 1
                    else:
                        place = weakest
                if value > values[following, place]:
                    values[following, place] = value
                    last_tags[following, place] = tag
                    tags_before[following, place] = previous
                    origins[following, place] = origin

    best = np.zeros(count, np.int64)
    place = int(values[count].argmax())
    for position in range(count, 0, -1):
        best[position - 1] = last_tags[position, place]
        place = origins[position, place]
    return best


@kernel
def distributions(
    tables: TaggerTables, scores: Int64Array, partial: UInt64Array, fixed: Int64Array, best: Int64Array, scale: float
) -> FloatArray:
    """P(t | S) of every word, the two words before it tagged as in `best` (Collins 1996, section 2.7)."""
    count, tag_count = scores.shape
    matrix = np.zeros((count, tag_count))
    total = np.zeros(tag_count, np.int64)
    for position in range(count):
        row = matrix[position]
        if fixed[position] >= 0:
            row[fixed[position]] = 1.0
            continue
        previous = best[position - 1] if position >= 1 else -1
        before = best[position - 2] if position >= 2 else -1
        log_probabilities(tables, scores[position], partial[position], previous, before, scale, total, row)
        mass = 0.0
        for tag in range(tag_count):
            row[tag] = np.exp(row[tag])
            mass += row[tag]
        for tag in range(tag_count):
            row[tag] /= mass
    return matrix


@kernel
def decode(
    tables: TaggerTables, text: CodePoints, fixed: Int64Array, tag_count: int, limits: TagSearch, in_full: bool
) -> tuple[Int64Array, FloatArray]:
    """Tag one sentence: the best sequence, and if `in_full` every word's distribution (else no rows)."""
    atoms, rows = word_atoms(tables, text)
    scores, partial = word_scores(tables, atoms, tag_count)
    best = best_sequence(tables, scores, partial, rows, fixed, limits)
    if in_full:
        return best, distributions(tables, scores, partial, fixed, best, limits.scale)
    return best, np.zeros((0, tag_count))
