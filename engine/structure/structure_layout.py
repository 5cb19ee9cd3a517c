"""Sentences, distances and derivations as numbers: the constants that all kernels share."""

from __future__ import annotations

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
