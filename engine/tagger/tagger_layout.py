"""The data of the tagger's kernels: the columns of its atoms, the form of its templates, its tables.

No function is defined here, so that the readable side of the tagger can use these names without
loading the compiler.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# The atoms of a word: columns of the array that `word_atoms` fills.
WORD = 0
LOWER = 1
LOWER_PREFIX = 2  # four columns, for the first 1, 2, 3 and 4 characters
LOWER_SUFFIX = 6  # four columns, for the last 1, 2, 3 and 4 characters
SUFFIX = 10  # four columns, the same with capitals kept
SHAPE = 14
FORM = 15
CLASS = 16
ATOMS = 17
LONGEST_AFFIX = 4

# A row of `templates`: flags, then up to three pairs (atom or -1, distance from the word).
PREVIOUS_TAG = 1
TAG_BEFORE = 2
HISTORY = PREVIOUS_TAG | TAG_BEFORE
SENTENCE_START = 4
PARTS = 3

BUCKET_BITS = 16
"""Of a feature's 48-bit hash the upper 16 choose a bucket, the lower 32 are searched for in it."""


class TaggerTables(NamedTuple):
    """A trained tagger as plain arrays, fit for a memory-mapped file."""

    templates: np.ndarray
    """int16, one row a template, see above."""
    buckets: np.ndarray
    """uint32, where each of the 65,536 buckets begins in `keys`, and the end."""
    keys: np.ndarray
    """uint32, lower halves of the known features' hashes, ascending in every bucket."""
    row_starts: np.ndarray
    """uint32, where each feature's weights begin, and the end."""
    row_tags: np.ndarray
    """uint16, the tag that each weight is for."""
    row_weights: np.ndarray
    """int16, the weights in units of the model's `scale`."""
    dictionary_hashes: np.ndarray
    """uint64, the `LOWER` atoms of the dictionary's words, ascending."""
    dictionary_classes: np.ndarray
    """uint16, the number of each word's ambiguity class: which tags it often has."""
    dictionary_starts: np.ndarray
    """uint32, where each word's tags begin; no tags means that the word may have any."""
    dictionary_tags: np.ndarray
    """uint16, the tags that the search considers for a word seen often."""
