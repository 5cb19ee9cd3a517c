"""Count tables for kernels: from a context to its key, to its count δ and the counts η of what happened in it."""

from __future__ import annotations

from engine.common.arrays import Int64Array, IntArray
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    BETWEEN_BITS,
    COMMA_BITS,
    MULTIPLIER,
    ORDER_BITS,
    SAME_AS_HEAD,
    SAME_AS_MODIFIER,
    VALUE_BITS,
    VALUE_MASK,
    Counts,
    GapContext,
    UnaryContext,
    Widths,
    WordPair,
)
from engine.counts.specifications_layout import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    CLASSES_BETWEEN,
    CONSTITUENT_CHILD,
    CONSTITUENT_FIRST_TAG,
    CONSTITUENT_TAG,
    CONSTITUENT_WORD,
    DISTANCE,
    DISTANCE_ADJACENCY,
    DISTANCE_ANY_COMMAS,
    DISTANCE_ORDER,
    HEAD_TAG,
    HEAD_WORD,
    LEADING_HEAD_WORD,
    LEFT_TAG,
    LEFT_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    ORDER_ADJACENCY,
    REDUCED_TAG,
    REDUCED_WORD,
    RIGHT_TAG,
    RIGHT_WORD,
    TABLE_FIELDS,
    TAG_AFTER,
    TAG_BEFORE,
)
from engine.structure.sentence_layout import (
    ADJACENT,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    COMMAS_SHIFT,
    DELTA_BITS,
    HEAD_FIRST,
    VERB_BETWEEN,
)

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
"""The bucket of a word that the model does not know: it holds nothing."""


@kernel(allocates=False, inlined=True)
def bucket_of(counts: Counts, table: int, key: int) -> Bucket:
    """Find the bucket in which a context must be.

    Buckets lie anywhere in memory.  Who looks up several contexts asks for all their buckets first, and then for what
    is in them (:func:`first_in`), so that these arrive together and not one after the other.
    """
    shift = int(counts.places[table, 1])
    permuted = (int(key) * MULTIPLIER) & ((1 << int(counts.places[table, 2])) - 1)
    bucket = counts.places[table, 0] + (permuted >> shift)
    return int(counts.buckets[bucket]), int(counts.buckets[bucket + 1]), permuted & ((1 << shift) - 1)


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


# Contexts as numbers, for kernels: the key of every table, packed from the fields of its specification.
#
# A table's number is known when a kernel is compiled, so that of the questions below none is left in it.


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
def any_commas(distance: int) -> int:
    """Δ with question 4 answered by whether there are commas between, not how many."""
    commas = (distance >> COMMAS_SHIFT) & 3
    return (distance & ~(3 << COMMAS_SHIFT)) | (((commas | (commas >> 1)) & 1) << COMMAS_SHIFT)


@kernel(allocates=False, inlined=True)
def order_adjacency(distance: int) -> int:
    """The answers to questions 1 and 2 in two bits."""
    return (distance & (HEAD_FIRST | ADJACENT)) // ADJACENT


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
def dependency_key(widths: Widths, table: int, pair: WordPair) -> int:
    """The key of two words in one table of dependencies; words that the table holds must be known."""
    fields = int(TABLE_FIELDS[table])
    key = 0
    if fields & LEADING_HEAD_WORD:
        key = pair.head_word
    if fields & MODIFIER_WORD:
        key = (key << widths.word) | pair.modifier_word
    if fields & MODIFIER_TAG:
        key = (key << widths.tag) | pair.modifier_tag
    if fields & HEAD_WORD:
        key = (key << widths.word) | pair.head_word
    if fields & HEAD_TAG:
        key = (key << widths.tag) | pair.head_tag
    if fields & DISTANCE:
        key = (key << DELTA_BITS) | pair.distance
    # Most tables have nothing more: counting, which does not know the table beforehand, is done with them here.
    if fields < DISTANCE_ANY_COMMAS:
        return key
    if fields & DISTANCE_ANY_COMMAS:
        key = (key << DELTA_BITS) | any_commas(pair.distance)
    if fields & DISTANCE_ADJACENCY:
        key = (key << DELTA_BITS) | (pair.distance & (HEAD_FIRST | ADJACENT))
    if fields & DISTANCE_ORDER:
        key = (key << DELTA_BITS) | (pair.distance & HEAD_FIRST)
    if fields & ORDER_ADJACENCY:
        key = (key << ORDER_BITS) | order_adjacency(pair.distance)
    if fields & AFTER_MODIFIER:
        key = (key << (widths.tag + 1)) | pair.modifier_after
    if fields & BEFORE_MODIFIER:
        key = (key << (widths.tag + 1)) | pair.modifier_before
    if fields & AFTER_HEAD:
        key = (key << (widths.tag + 1)) | pair.head_after
    if fields & BEFORE_HEAD:
        key = (key << (widths.tag + 1)) | pair.head_before
    if fields & CLASSES_BETWEEN:
        key = (key << BETWEEN_BITS) | pair.between
    return key


@kernel(allocates=False, inlined=True)
def gap_key(widths: Widths, table: int, gap: GapContext) -> int:
    """The key of a gap in one table of gaps; words that the table holds must be known."""
    fields = int(TABLE_FIELDS[table])
    key = 0
    if fields & LEFT_WORD:
        key = gap.left_word
    if fields & LEFT_TAG:
        key = (key << widths.tag) | gap.left_tag
    if fields & RIGHT_WORD:
        key = (key << widths.word) | gap.right_word
    if fields & RIGHT_TAG:
        key = (key << widths.tag) | gap.right_tag
    key = (key << COMMA_BITS) | gap.comma
    if fields & TAG_AFTER:
        key = (key << (widths.tag + 1)) | gap.after
    if fields & TAG_BEFORE:
        key = (key << (widths.tag + 1)) | gap.before
    return key


@kernel(allocates=False, inlined=True)
def unary_key(widths: Widths, table: int, over: UnaryContext) -> int:
    """The key of a constituent in one table of unaries; the word, where the table holds it, must be known."""
    fields = int(TABLE_FIELDS[table])
    key = over.label
    if fields & CONSTITUENT_TAG:
        key = (key << widths.tag) | over.tag
    if fields & CONSTITUENT_WORD:
        key = (key << widths.word) | over.word
    if fields & CONSTITUENT_CHILD:
        key = (key << widths.label) | over.child
    if fields & CONSTITUENT_FIRST_TAG:
        key = (key << widths.tag) | over.first_tag
    if fields & TAG_AFTER:
        key = (key << (widths.tag + 1)) | over.after
    if fields & TAG_BEFORE:
        key = (key << (widths.tag + 1)) | over.before
    return key


@kernel(allocates=False, inlined=True)
def root_key(widths: Widths, table: int, word: int, tag: int) -> int:
    """The key of a reduced word in one table of roots."""
    fields = int(TABLE_FIELDS[table])
    key = 0
    if fields & REDUCED_WORD:
        key = int(word)
    if fields & REDUCED_TAG:
        key = (key << widths.tag) | int(tag)
    return key
