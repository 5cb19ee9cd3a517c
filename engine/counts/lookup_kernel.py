"""Count tables for kernels: from a context to its key, to its count δ and the counts η of what happened in it."""

from __future__ import annotations

from engine.common.arrays import Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts import specifications_layout as layout
from engine.counts.counts_layout import (
    MULTIPLIER,
    SAME_AS_HEAD,
    SAME_AS_MODIFIER,
    VALUE_BITS,
    VALUE_MASK,
    ContextWord,
    Counts,
)
from engine.structure.sentence_layout import (
    ADJACENT,
    AFTER,
    BEFORE,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    COMMAS_SHIFT,
    HEAD_FIRST,
    READING_TAG,
    READING_WORD,
    VERB_BETWEEN,
)

# Contexts as numbers: their fields are filled, and the key of every table is made of those that its entry names.
#
# Counting, parsing and explaining all go through these functions, so that what is looked up is what was counted.
# Everything below but the look-up itself takes columns of many contexts as well, run as plain Python
# (:func:`engine.counts.contexts.columns_of`).


@kernel(allocates=False, inlined=True)
def key_of(bits: Int64Array, table: int, context: Int64Array) -> int:
    """The key of a context in one table; a negative number if it has a word there that the model does not know.

    Such a word is a negative number, so that all leading bits are set, and a key has fewer bits than a number.
    """
    key = 0
    for place in range(layout.TABLE_STARTS[table], layout.TABLE_STARTS[table + 1]):
        field = layout.TABLE_FIELDS[place]
        key = (key << bits[field]) | context[field]
    return key


KeyRange = tuple[int, int, int]
"""Contexts of one table that are counted together: its number, the first key, and how many keys there are."""
NO_KEYS = (0, 0, 0)
"""Those of a word that the model does not know."""


@kernel(allocates=False)
def key_range(bits: Int64Array, table: int, context: Int64Array, order_only: int) -> KeyRange:
    """Name what is looked up of a context in one table: one key, or with question 1 alone all Δ of the same order."""
    key = int(key_of(bits, table, context))
    if key < 0:
        return NO_KEYS
    if order_only and layout.HOLDS[table, layout.DISTANCE]:
        # Δ is the last field, and the order its leading bit.
        return table, key & ~(HEAD_FIRST - 1), HEAD_FIRST
    return table, key, 1


@kernel(allocates=False, inlined=True)
def delta_code(head_first: int, adjacent: int, verb: int, commas: int, after_first: int, before_second: int) -> int:
    """Δ as one number: the answers to questions 1 to 6 (section 2.3)."""
    code = min(commas, 3) << COMMAS_SHIFT
    if head_first:
        code |= HEAD_FIRST
    if adjacent:
        code |= ADJACENT
    if verb:
        code |= VERB_BETWEEN
    if after_first:
        code |= COMMA_AFTER_FIRST
    if before_second:
        code |= COMMA_BEFORE_SECOND
    return code


@kernel(allocates=False, inlined=True)
def classes_between(tags: IntArray, classes: Int64Array, first: int, second: int, tag_m: int, tag_h: int) -> int:
    """The classes of the words between two words, as bits: classes of tags, the modifier's tag, the head's tag."""
    found = 0
    for place in range(first + 1, second):
        tag = tags[place]
        found |= classes[tag]
        if tag == tag_m:
            found |= SAME_AS_MODIFIER
        if tag == tag_h:
            found |= SAME_AS_HEAD
    return found


@kernel(allocates=False, inlined=True)
def reading_in_context(readings: IntArray, reading: int, features: IntArray, position: int) -> ContextWord:
    """A word of a sentence under one of its tags as contexts see it."""
    return ContextWord(
        int(readings[reading, READING_WORD]),
        int(readings[reading, READING_TAG]),
        int(features[position, BEFORE]),
        int(features[position, AFTER]),
    )


@kernel(allocates=False, inlined=True)
def fill_pair(context: Int64Array, modifier: ContextWord, head: ContextWord, distance: int, between: int) -> None:
    """Fill the fields of a dependency: two words of a reduced sentence, Δ, and the classes between them (preset 5)."""
    context[layout.MODIFIER_WORD] = modifier.word
    context[layout.MODIFIER_TAG] = modifier.tag
    context[layout.BEFORE_MODIFIER] = modifier.before
    context[layout.AFTER_MODIFIER] = modifier.after
    context[layout.HEAD_WORD] = head.word
    context[layout.HEAD_TAG] = head.tag
    context[layout.BEFORE_HEAD] = head.before
    context[layout.AFTER_HEAD] = head.after
    context[layout.CLASSES_BETWEEN] = between
    context[layout.DISTANCE] = distance
    for number in range(layout.FROM_DISTANCE.shape[0]):
        context[layout.FROM_DISTANCE[number]] = layout.DISTANCE_ANSWERS[number, distance & (layout.DELTAS - 1)]


@kernel(allocates=False, inlined=True)
def fill_gap(context: Int64Array, left: ContextWord, right: ContextWord, comma: int) -> None:
    """Fill the fields of a gap: two words side by side, and whether a comma is between (section 2.5)."""
    context[layout.LEFT_WORD] = left.word
    context[layout.LEFT_TAG] = left.tag
    context[layout.RIGHT_WORD] = right.word
    context[layout.RIGHT_TAG] = right.tag
    context[layout.COMMA_BETWEEN] = comma
    context[layout.TAG_BEFORE] = left.before
    context[layout.TAG_AFTER] = right.after


@kernel(allocates=False, inlined=True)
def fill_constituent(context: Int64Array, label: int, head: ContextWord, child: int, first_tag: int) -> None:
    """Fill the fields of a constituent (footnote to section 2.6).

    Of its head the neighbours are those of the whole; `child` is the label of its head-child, 0 for a word or baseNP,
    and `first_tag` the tag of its first word (preset 5).
    """
    context[layout.CONSTITUENT_LABEL] = label
    context[layout.CONSTITUENT_TAG] = head.tag
    context[layout.CONSTITUENT_WORD] = head.word
    context[layout.CONSTITUENT_CHILD] = child
    context[layout.CONSTITUENT_FIRST_TAG] = first_tag
    context[layout.TAG_BEFORE] = head.before
    context[layout.TAG_AFTER] = head.after


@kernel(allocates=False, inlined=True)
def fill_root(context: Int64Array, word: int, tag: int) -> None:
    """Fill the fields of a word that may be the head of the sentence (footnote 5)."""
    context[layout.REDUCED_WORD] = word
    context[layout.REDUCED_TAG] = tag
    context[layout.NO_FIELD] = 0


# Count tables: from a context to its count δ and the counts η of what happened in it.
#
# A context (two words, two tags and Δ, say) is packed into one number of w bits.  Multiplied by an odd
# number modulo 2^w, which only permutes such numbers, the leading bits name a bucket of a few contexts,
# and the trailing bits tell these apart.  Nothing is lost, so a count is never that of another context; and a
# look-up touches two places in memory, a third if something was counted.

Lookup = tuple[int, int, int]
"""What was found of a context: δ, and where its outcomes and their η start and end."""
Bucket = tuple[int, int, int]
"""Where a context must be, if it is counted: where its bucket starts and ends, and the trailing bits to look for."""
NO_BUCKET = (0, 0, 0)
"""The bucket of a context with a word that the model does not know: it holds nothing."""


@kernel(allocates=False, inlined=True)
def bucket_of(counts: Counts, table: int, key: int) -> Bucket:
    """Find the bucket in which the context with a key must be; none if the model does not know a word of it.

    Buckets lie anywhere in memory.  Who looks up several contexts asks for all their buckets first, and then for what
    is in them (:func:`first_in`), so that these arrive together and not one after the other.
    """
    if key < 0:
        return NO_BUCKET
    shift = int(counts.places[table, 1])
    permuted = (int(key) * MULTIPLIER) & ((1 << int(counts.places[table, 2])) - 1)
    bucket = counts.places[table, 0] + (permuted >> shift)
    return int(counts.buckets[bucket]), int(counts.buckets[bucket + 1]), permuted & ((1 << shift) - 1)


@kernel(allocates=False, inlined=True)
def note_bucket(counts: Counts, table: int, context: Int64Array, lookups: Int64Array, row: int) -> int:
    """Write the bucket of a context into a row of what is looked up (:func:`look_into`); return the row after it."""
    bucket = bucket_of(counts, table, key_of(counts.bits, table, context))
    lookups[row, 0] = bucket[0]
    lookups[row, 1] = bucket[1]
    lookups[row, 2] = bucket[2]
    return row + 1


@kernel(allocates=False, inlined=True)
def first_in(counts: Counts, bucket: Bucket) -> int:
    """The first context in a bucket, or whatever lies where it would be: never a negative number."""
    return int(counts.contexts[min(bucket[0], counts.contexts.shape[0] - 1)])


@kernel(allocates=False, inlined=True)
def find_in(counts: Counts, bucket: Bucket) -> Lookup:
    """Look a context up in its bucket: as :func:`find`."""
    for place in range(bucket[0], bucket[1]):
        context = counts.contexts[place]
        if context >> VALUE_BITS == bucket[2]:
            value = int(context & VALUE_MASK)
            if value & 1:
                record = value >> 1
                start = record + 2
                return int(counts.records[record]), start, start + 2 * int(counts.records[record + 1])
            return (value >> counts.empty.shift) & counts.empty.mask, 0, 0
    return 0, 0, 0


@kernel(allocates=False, inlined=True)
def look_into(counts: Counts, lookups: Int64Array, number: int) -> None:
    """Put what is found of contexts in the place of their buckets, so many rows of them.

    First the contexts of all buckets are asked for, then the records of all contexts: memory fetches them side by side,
    where one after the other each would be waited for.
    """
    fetched = 0
    for row in range(number):
        fetched |= first_in(counts, (lookups[row, 0], 0, 0))
    # No context is negative.
    for row in range(number if fetched >= 0 else 0):
        found = find_in(counts, (lookups[row, 0], lookups[row, 1], lookups[row, 2]))
        lookups[row, 0] = found[0]
        lookups[row, 1] = found[1]
        lookups[row, 2] = found[2]


@kernel(allocates=False, inlined=True)
def find(counts: Counts, table: int, key: int) -> Lookup:
    """Look a context up: ``(δ, start, end)``, with outcomes and their η by turns at ``start .. end``."""
    return find_in(counts, bucket_of(counts, table, key))


@kernel(allocates=False, inlined=True)
def count_of(counts: Counts, start: int, end: int, outcome: int) -> int:
    """η of one outcome among those at ``start .. end``; 0 if it is not there."""
    for place in range(start, end, 2):
        if counts.records[place] == outcome:
            return int(counts.records[place + 1])
    return 0


@kernel(allocates=False)
def level_counts(
    counts: Counts,
    tables: Int64Array,
    keys: Int64Array,
    levels: Int64Array,
    outcome: int,
    eta: Int64Array,
    delta: Int64Array,
) -> None:
    """Add η of one outcome and δ of some contexts, each given by table and key, to those of their levels."""
    for place in range(keys.shape[0]):
        total, start, end = find(counts, int(tables[place]), int(keys[place]))
        delta[levels[place]] += total
        eta[levels[place]] += count_of(counts, start, end, outcome)
