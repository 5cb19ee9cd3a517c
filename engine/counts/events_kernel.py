"""Events for kernels: pairs of reduced words and spans inside baseNPs, with the key of each in its table (section
2.2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import BoolArray, Int32Array, Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts import specifications_layout as layout
from engine.counts.counts_layout import LONGEST_SPAN, MOST_SPAN_TAGS, NOT_REDUCED, ContextWord, CorpusColumns
from engine.counts.lookup_kernel import classes_between, delta_code, fill_pair, key_of
from engine.structure.sentence_layout import ADJACENT, HEAD_FIRST

# Pairs of reduced words: the key of each in a table of dependencies, and which of them are arrows (section 2.2).
#
# Counting wants the keys of all pairs; evidence wants to know which pairs have certain keys.  Both go through one loop,
# so that the sentences shown for a count are those that were counted.


class PairFeatures(NamedTuple):
    """Features of preset (5) beside two words: the neighbours of every row, and the class of every tag."""

    before: Int64Array
    after: Int64Array
    classes: Int64Array


class PairChoice(NamedTuple):
    """A choice of pairs to look at.

    Attributes
    ----------
    sentences
        The sentences.
    as_modifier, as_head
        For every row whether it may be the modifier, or the head; words that are not reduced are never looked at.
    keys
        The keys that a pair must have one of, sorted; none where any will do.
    """

    sentences: Int64Array
    as_modifier: BoolArray
    as_head: BoolArray
    keys: Int64Array


class PairSink(NamedTuple):
    """Arrays that pairs are written to; an array without room is left alone.

    Attributes
    ----------
    keys
        The key of every pair.
    rows
        The modifier and the head of every pair, as rows of the columns.
    arrow_keys, arrow_outcomes
        The key of every arrow, and its relation.
    """

    keys: Int64Array
    rows: Int64Array
    arrow_keys: Int64Array
    arrow_outcomes: Int32Array


@kernel
def count_pairs(columns: CorpusColumns) -> tuple[int, int]:
    """Count the pairs of different words of the same reduced sentence, and the arrows."""
    pairs = 0
    arrows = 0
    for sentence in range(columns.starts.shape[0] - 1):
        reduced = 0
        for row in range(columns.starts[sentence], columns.starts[sentence + 1]):
            if columns.heads[row] != NOT_REDUCED:
                reduced += 1
            if columns.heads[row] >= 0:
                arrows += 1
        pairs += reduced * (reduced - 1)
    return pairs, arrows


@kernel
def longest_sentence(columns: CorpusColumns) -> int:
    """Count the words of the longest sentence."""
    longest = 0
    for sentence in range(columns.starts.shape[0] - 1):
        longest = max(longest, columns.starts[sentence + 1] - columns.starts[sentence])
    return longest


@kernel
def read_reduced(
    columns: CorpusColumns, sentence: int, rows: Int64Array, verbs_before: Int64Array, commas_before: Int64Array
) -> int:
    """Write the rows of a sentence's reduced words, and the running sums that Δ needs; return how many words."""
    start = columns.starts[sentence]
    size = 0
    commas = 0
    for row in range(start, columns.starts[sentence + 1]):
        commas += columns.commas[row]
        commas_before[row - start] = commas
        if columns.heads[row] != NOT_REDUCED:
            rows[size] = row
            verbs_before[size + 1] = verbs_before[size] + columns.verbs[row]
            size += 1
    return size


@kernel
def pair_delta(
    columns: CorpusColumns,
    start: int,
    modifier: int,
    head: int,
    place_m: int,
    place_h: int,
    verbs_before: Int64Array,
    commas_before: Int64Array,
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
        1 if columns.commas[start + columns.last[first] + 1] > 0 else 0,
        1 if columns.commas[start + columns.first[second]] > 0 else 0,
    )


@kernel(allocates=False, inlined=True)
def context_word(columns: CorpusColumns, features: PairFeatures, row: int) -> ContextWord:
    """A word of a corpus as contexts see it."""
    return ContextWord(
        int(columns.words[row]), int(columns.tags[row]), int(features.before[row]), int(features.after[row + 1])
    )


@kernel
def among(keys: Int64Array, key: int) -> bool:
    """Tell whether a sorted array holds a key."""
    low = 0
    high = keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < keys.shape[0] and bool(keys[low] == key)


@kernel
def pair_events(
    columns: CorpusColumns, bits: Int64Array, table: int, features: PairFeatures, choice: PairChoice, sink: PairSink
) -> tuple[int, int]:
    """Write the pairs that are chosen, in the order of the sentences; return how many pairs and how many arrows.

    `bits` has how many every field takes in a key.
    """
    longest = longest_sentence(columns)
    rows = np.empty(longest, np.int64)
    verbs_before = np.zeros(longest + 1, np.int64)
    commas_before = np.zeros(longest + 1, np.int64)
    context = np.zeros(layout.CONTEXT_FIELDS, np.int64)
    # What takes long and the table does not hold is not looked for.
    all_answers = layout.HOLDS[table, layout.DISTANCE] or layout.HOLDS[table, layout.DISTANCE_ANY_COMMAS]
    with_classes = layout.HOLDS[table, layout.CLASSES_BETWEEN]
    only_some = choice.keys.shape[0] > 0
    between = 0
    pairs = 0
    arrows = 0
    for index in range(choice.sentences.shape[0]):
        sentence = choice.sentences[index]
        start = columns.starts[sentence]
        size = read_reduced(columns, sentence, rows, verbs_before, commas_before)
        for place_m in range(size):
            modifier = rows[place_m]
            if not choice.as_modifier[modifier]:
                continue
            word_m = context_word(columns, features, modifier)
            for place_h in range(size):
                head = rows[place_h]
                if place_h == place_m or not choice.as_head[head]:
                    continue
                word_h = context_word(columns, features, head)
                if all_answers:
                    delta = pair_delta(columns, start, modifier, head, place_m, place_h, verbs_before, commas_before)
                else:
                    adjacent = ADJACENT if abs(place_h - place_m) == 1 else 0
                    delta = adjacent | (HEAD_FIRST if head < modifier else 0)
                if with_classes:
                    first, last = min(modifier, head), max(modifier, head)
                    between = int(classes_between(columns.tags, features.classes, first, last, word_m.tag, word_h.tag))
                fill_pair(context, word_m, word_h, int(delta), between)
                key = key_of(bits, table, context)
                if only_some and not among(choice.keys, key):
                    continue
                if sink.keys.shape[0] > 0:
                    sink.keys[pairs] = key
                if sink.rows.shape[0] > 0:
                    sink.rows[pairs, 0] = modifier
                    sink.rows[pairs, 1] = head
                pairs += 1
                if sink.arrow_keys.shape[0] > 0 and columns.heads[modifier] == head - start:
                    sink.arrow_keys[arrows] = key
                    sink.arrow_outcomes[arrows] = columns.relations[modifier]
                    arrows += 1
    return pairs, arrows


# Spans of words inside baseNPs: the key of each in a table of spans.
#
# As for pairs of words, counting and evidence go through one loop.


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
def fill_span(
    context: Int64Array, bits: Int64Array, words: IntArray, tags: IntArray, start: int, end: int, first: int, last: int
) -> None:
    """Fill the fields of the span ``first .. last`` (inclusive) in the baseNP ``start .. end``.

    Tags are counted from 1, 0 being the edge of the baseNP.
    """
    length = last - first + 1
    before = int(tags[first - 1]) + 1 if first > start else 0
    after = int(tags[last + 1]) + 1 if last + 1 < end else 0
    # All tags of a short span right after its length; of a longer one those at both ends.
    tag_bits = bits[layout.SPAN_FIRST_TAG]
    all_tags = min(length, LONGEST_SPAN)
    for step in range(min(length, 5)):
        at = first + step if length <= 5 or step < 3 else last - (4 - step)
        all_tags = (all_tags << tag_bits) | (int(tags[at]) + 1)
    all_tags = (((all_tags << tag_bits) | before) << tag_bits) | after
    context[layout.SPAN_LENGTH_BEFORE_TAGS] = all_tags >> (MOST_SPAN_TAGS * tag_bits)
    context[layout.SPAN_ALL_TAGS] = all_tags & ((1 << (MOST_SPAN_TAGS * tag_bits)) - 1)
    context[layout.SPAN_LENGTH] = min(length, LONGEST_SPAN)
    context[layout.SPAN_FIRST_WORD] = words[first]
    context[layout.SPAN_LAST_WORD] = words[last]
    context[layout.SPAN_FIRST_TAG] = int(tags[first]) + 1
    context[layout.SPAN_LAST_TAG] = int(tags[last]) + 1
    context[layout.SPAN_AFTER] = after
    context[layout.SPAN_BEFORE] = before


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
    columns: CorpusColumns, bits: Int64Array, table: int, possessive: int, wanted: Int64Array, sink: SpanSink
) -> int:
    """Write the spans within baseNPs with one of the sorted keys `wanted`, or if there are none all of them.

    `possessive` is the number of the tag POS, −1 if there is none.  Returns how many spans there are.
    """
    spans = 0
    context = np.zeros(layout.CONTEXT_FIELDS, np.int64)
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
                        fill_span(context, bits, columns.words, columns.tags, row, end, first, last)
                        key = key_of(bits, table, context)
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
