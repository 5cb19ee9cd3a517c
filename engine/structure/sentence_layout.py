"""Sentences, distances and derivations as numbers: the constants that all kernels share."""

from __future__ import annotations

# Sentences, distances and derivations as numbers: the constants that all kernels share.

# Δ in seven bits: the answers to questions 1 to 6.
DELTA_BITS = 7
HEAD_FIRST = 64
ADJACENT = 32
VERB_BETWEEN = 16
COMMAS_SHIFT = 2
COMMA_AFTER_FIRST = 2
COMMA_BEFORE_SECOND = 1

# Gap tags S C E B N.
GAP_START, GAP_CONTINUE, GAP_END, GAP_BETWEEN, GAP_NULL = range(5)
GAP_TAGS = 5

# Kinds of edges: how a chart item came about.
WORD, BASE, UNARY, GROW_RIGHT, START_RIGHT, GROW_LEFT, START_LEFT = range(7)

LONGEST_CHAIN = 8
"""Labels of a chain of unaries at most: what has more is not kept from training, and no derivation has room for it."""

NO_LABEL = -1
"""Where there is no label."""

READING_WORD, READING_TAG, READING_POSITION = range(3)
"""Columns of the readings of a sentence: a word under one of its tags."""
READING_BITS = 6
READING = (1 << READING_BITS) - 1
MOST_READINGS = 1 << READING_BITS
"""Tags of one word that the chart can tell apart."""

BEFORE, AFTER, OWN_TAG, PARTNER, ENDS_BEFORE = range(5)
"""Columns of the context features of a word."""
CONTEXT_FEATURES = 5


# A derivation laid out as nodes: the columns of a node, and punctuation as kernels see it.

# Columns of a node; the last is the step of the derivation that completes it.
(
    NODE_LABEL,
    NODE_START,
    NODE_END,
    NODE_HEAD,
    NODE_PARENT,
    NODE_FIRST,
    NODE_LAST,
    NODE_NEXT,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_STEP,
) = range(11)
NODE_COLUMNS = 11

# Punctuation between two words, one bit for each kind; the last bit is left out but at the sentence's end.
MARK_COMMA, MARK_COLON, MARK_QUOTE, MARK_STOP, MARK_QUESTION = 1, 2, 4, 8, 16
MARK_KINDS = 15
MARK_SIGNS = ',:".?'


# The hash under which features and contexts of whole trees are kept: its constants.

HASH_MULTIPLIER = 0x2545F4914F6CDD1D
HASH_BITS = 62
HASH_MASK = (1 << HASH_BITS) - 1
