"""Counts as kernels see them: the tables of a model, the columns of a corpus, the contexts that are looked up.

No function is defined here, so that the readable side of the engine can use these names without
loading the compiler.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Int8Array, Int16Array, Int32Array, Int64Array, UInt32Array

MULTIPLIER = 0x1E3779B97F4A7C15
REMAINDER_BITS = 31
"""Bits of a key that its bucket does not tell, at most: they share a 64-bit number with the value."""
VALUE_BITS = 32
VALUE_MASK = (1 << VALUE_BITS) - 1


class Widths(NamedTuple):
    """Bits that a word, a tag and a label take in a key."""

    word: int
    tag: int
    label: int


class DeltaField(NamedTuple):
    """Where δ stands in the value of a context in which nothing was counted: so far to the left, under this mask."""

    shift: int
    mask: int


ONLY_DELTA = DeltaField(1, (1 << (VALUE_BITS - 1)) - 1)
"""δ of a model whose treebanks all count once."""
EXACT_DELTA = DeltaField(1, (1 << 15) - 1)
WEIGHTED_DELTA = DeltaField(16, (1 << 16) - 1)
"""δ as counted and δ as weighted, side by side, of a model whose treebanks have weights."""


class Counts(NamedTuple):
    """The count tables of a model, one after the other in the same arrays.

    Every count is the paper's: a tree counts once.  Preset (5) may weigh treebanks (:attr:`weighted`), which changes
    η and δ and nothing else, so that the same contexts serve both.

    Attributes
    ----------
    widths
        Bits that words, tags and labels take in keys.
    bits
        By field how many bits it takes in a key (:func:`engine.counts.contexts.field_bits`), as the widths have it.
    empty
        Where δ stands in the value of a context in which nothing was counted.
    places
        For every table where its part of `buckets` starts, how many trailing bits of a key its bucket does not
        tell, and how many bits a key has.
    buckets
        Where every bucket of contexts starts; one entry more at the end of each table.
    contexts
        For every context the trailing bits of its permuted key, and in the lower half its value: an even number
        with δ in it if nothing was counted (`empty`), else ``2 r + 1`` with r the place of its record.
    records
        One after the other: δ, the number of outcomes, then for each outcome its number and η, in
        increasing order.
    weighted_records
        The same with η and δ as weighted; the very same array where all treebanks count once.
    """

    widths: Widths
    bits: Int64Array
    empty: DeltaField
    places: Int64Array
    buckets: UInt32Array
    contexts: Int64Array
    records: Int32Array
    weighted_records: Int32Array

    @property
    def has_weights(self) -> bool:
        """Whether some treebank counts more than once in preset (5)."""
        return self.empty != ONLY_DELTA

    @property
    def weighted(self) -> Counts:
        """The same tables with every η and δ as preset (5) weighs its treebanks."""
        if not self.has_weights:
            return self
        return self._replace(empty=WEIGHTED_DELTA, records=self.weighted_records)


class ContextWord(NamedTuple):
    """A word as contexts see it, in numbers, or a column of each for many words.

    Attributes
    ----------
    word, tag
        Numbers of word and tag; a word that the model does not know is negative.
    before, after
        Its neighbours (preset 5).
    """

    word: int
    tag: int
    before: int
    after: int


COMMA_BITS = 1
"""Whether a comma stands between two words, as the keys of gaps hold it."""


class Switches(NamedTuple):
    """Settings as integers for the kernels: what the paper varies, and what preset (5) adds (:class:`Settings`).

    `further_backoff` is that of the pass in hand (:class:`engine.settings.FurtherBackoff`).
    """

    ignore_tags: int
    lexical: int
    order_only: int
    recursion: int = 0
    contexts: int = 0
    gap_contexts: int = 0
    unary_contexts: int = 0
    balanced: int = 0
    weighted: int = 0
    further_backoff: int = 0


# Heads of a corpus' words.
NOT_REDUCED = -2
"""Inside a baseNP and not its head: not a word of the reduced sentence."""
ROOT = -1

BETWEEN_BITS = 8
ORDER_BITS = 2
"""Order and adjacency in a key of their own."""
LENGTH_BITS = 3
"""The length of a span inside a baseNP."""
LONGEST_SPAN = 7
"""Spans longer than this look alike, and none longer than twice as much is a phrase."""
MOST_SPAN_TAGS = 7
"""So many tags of a span and beside it a key has room for."""
SAME_AS_MODIFIER, SAME_AS_HEAD = 64, 128
"""Bits of what lies between two words, after those of the classes of tags."""
BETWEEN_CLASSES = (
    ("CC",),
    ("IN", "TO"),
    ("NN", "NNS", "NNP", "NNPS", "PRP"),
    ("WDT", "WP", "WRB", "WP$"),
    ("VBD", "VBP", "VBZ", "MD"),
    ("VB", "VBG", "VBN"),
)
"""Kinds of words that may lie between two words, one bit each."""


class CorpusColumns(NamedTuple):
    """The words of a corpus: one row a word, punctuation left out.

    Attributes
    ----------
    starts
        First row of every sentence; one entry more at the end.
    words, tags
        Numbers of word and tag.
    commas
        'Commas' between the word and the one before it.
    first, last
        First and last word of the baseNP that the word heads or belongs to, counted from the
        sentence's start; the word itself if it belongs to none.
    chunk
        1 if the word belongs to a baseNP.
    heads
        Head position counted from the sentence's start; ``ROOT`` for the head of the sentence,
        ``NOT_REDUCED`` for a word that is not in the reduced sentence.
    relations
        Number of the triple, or of the root's label.
    verbs
        1 if the word's tag is a verb's.
    """

    starts: Int64Array
    words: Int32Array
    tags: Int16Array
    commas: Int16Array
    first: Int16Array
    last: Int16Array
    chunk: Int8Array
    heads: Int32Array
    relations: Int32Array
    verbs: Int8Array
