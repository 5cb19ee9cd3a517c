"""The data of the kernels: tables, columns of a corpus, numbers that stand for things.

No function is defined here, so that the readable side of the engine can use these names without
loading the compiler.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MULTIPLIER = 0x1E3779B97F4A7C15
REMAINDER_BITS = 31
"""Bits of a key that its bucket does not tell, at most: they share a 64-bit number with the value."""
VALUE_BITS = 32
VALUE_MASK = (1 << VALUE_BITS) - 1


class Widths(NamedTuple):
    """How many bits a word, a tag and a label take in a key."""

    word: int
    tag: int
    label: int


class Counts(NamedTuple):
    """All count tables of a model, one after the other in the same arrays.

    Attributes
    ----------
    widths
        How contexts are packed into keys.
    places
        For every table where its part of `buckets` starts, how many trailing bits of a key its bucket does not
        tell, and how many bits a key has.
    buckets
        Where every bucket of contexts starts; one entry more at the end of each table.
    contexts
        For every context the trailing bits of its permuted key, and in the lower half its value: ``2 δ`` if
        nothing was counted in it, else ``2 r + 1`` with r the place of its record.
    records
        One after the other: δ, the number of outcomes, then for each outcome its number and η, in
        increasing order.
    """

    widths: Widths
    places: np.ndarray
    buckets: np.ndarray
    contexts: np.ndarray
    records: np.ndarray


COMMA_BITS = 1
"""Whether a comma stands between two words, as the keys of gaps hold it."""
GAP_LEVELS = 8
"""Rows of counts behind a gap: E1, E2, E3, E4, the comma alone; with neighbours before, after, both (preset 5)."""


class Switches(NamedTuple):
    """What the paper varies, as integers for the kernels; then what preset (5) adds (see :class:`Settings`)."""

    ignore_tags: int
    lexical: int
    order_only: int
    recursion: int = 0
    contexts: int = 0
    gap_contexts: int = 0
    unary_contexts: int = 0
    balanced: int = 0


# Heads of a corpus' words.
SWALLOWED = -2
ROOT = -1

# The tables.  Dependencies (2.2 to 2.4): both words and tags, modifier's word, head's word, tags alone;
# the first three with tags ignored where there are words (2.7); tags with question 1 alone (Table 4).
PAIR, MODIFIER, HEAD, TAGS, PAIR_PLAIN, MODIFIER_PLAIN, HEAD_PLAIN, TAGS_ORDER = range(8)
# Gaps (2.5): both words, left word, right word, tags alone, comma alone.
GAP_PAIR, GAP_LEFT, GAP_RIGHT, GAP_TAG_PAIR, GAP_COMMA = range(8, 13)
# Unaries: label and head tag, label alone.  Root: head-word and tag, tag alone, nothing.
UNARY_TAG, UNARY_LABEL, ROOT_WORD, ROOT_TAG, ROOT_ANY = range(13, 18)
# Insides of baseNPs, spans of words: first and last word, all tags, tags at the edges, tags at the ends.
INSIDE_WORDS, INSIDE_TAGS, INSIDE_EDGES, INSIDE_ENDS = range(18, 22)
# Preset (5).  Tags at reduced Δ: without the number of commas; order and adjacency alone.
TAGS_NEAR, TAGS_ADJACENT = range(22, 24)
# Tags, order and adjacency, with what stands beside the modifier, beside the head, and between them.
BESIDE_MODIFIER, BESIDE_HEAD, BETWEEN = range(24, 27)
# Gaps: tags with the neighbour before, the neighbour after, both.
GAP_BEFORE, GAP_AFTER, GAP_AROUND = range(27, 30)
# Unaries: label and head tag with the head-word, the neighbour after, the one before, both; with the head-child's
# label and the first tag.
UNARY_WORD, UNARY_AFTER, UNARY_BEFORE, UNARY_AROUND, UNARY_INNER = range(30, 35)
TABLES = 35

BETWEEN_BITS = 8
NEAR_BITS = 2
"""Order and adjacency, as the tables of contexts hold them."""
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


class Corpus(NamedTuple):
    """Columns of a treebank: one row a word, punctuation left out.

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
        ``SWALLOWED`` for a word that is not in the reduced sentence.
    relations
        Number of the triple, or of the root's label.
    verbs
        1 if the word's tag is a verb's.
    """

    starts: np.ndarray
    words: np.ndarray
    tags: np.ndarray
    commas: np.ndarray
    first: np.ndarray
    last: np.ndarray
    chunk: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    verbs: np.ndarray
