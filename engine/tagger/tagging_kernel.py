"""The maximum-entropy tagger's probabilities, and the search for the best sequence of tags.

Ratnaparkhi (1996), "A Maximum Entropy Model for Part-Of-Speech Tagging", gives every tag t of a word
in its history h (the words around it and the two tags before it) the probability

    P(t | h) = exp(sum of w[f, t] over the features f of h) / the same summed over all tags.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int64Array, UInt64Array
from engine.compiled.kernel import kernel
from engine.tagger.tagger_features_kernel import ABSENT, feature_hash, find_feature, partial_hash, word_atoms
from engine.tagger.tagger_layout import HISTORY, CodePoints, TaggerTables, TagSearch


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
    """What does not depend on tags: scores from the words alone, and the other features' partial hashes."""
    count = len(atoms)
    templates = tables.templates
    scores = np.zeros((count, tag_count), np.int64)
    partial = np.zeros((count, len(templates)), np.uint64)
    for position in range(count):
        for template in range(len(templates)):
            digest = partial_hash(templates, template, atoms, 0, count, position)
            if digest == ABSENT:
                continue
            if templates[template, 0] & HISTORY:
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
    """The most probable sequence of tags that a beam finds (Ratnaparkhi 1996).

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
