"""The data of the tagger's kernels: the columns of its atoms, the form of its templates, its tables."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Int16Array, Int64Array, UInt16Array, UInt32Array, UInt64Array

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

    templates: Int16Array
    """One row a template, see above."""
    buckets: UInt32Array
    """Where each of the 65,536 buckets begins in `keys`, and the end."""
    keys: UInt32Array
    """Lower halves of the known features' hashes, ascending in every bucket."""
    row_starts: UInt32Array
    """Where each feature's weights begin, and the end."""
    row_tags: UInt16Array
    """The tag that each weight is for."""
    row_weights: Int16Array
    """The weights in units of the model's `scale`."""
    dictionary_hashes: UInt64Array
    """The `LOWER` atoms of the dictionary's words, ascending."""
    dictionary_classes: UInt16Array
    """The number of each word's ambiguity class: which tags it often has."""
    dictionary_starts: UInt32Array
    """Where each word's tags begin; no tags means that the word may have any."""
    dictionary_tags: UInt16Array
    """The tags that the search considers for a word seen often."""


class CodePoints(NamedTuple):
    """Words laid end to end: their code points, also in lower case, and where each word is."""

    codes: UInt32Array
    lower_codes: UInt32Array
    starts: Int64Array
    lengths: Int64Array


class TagSearch(NamedTuple):
    """How the best sequence of tags is searched for.

    Attributes
    ----------
    scale
        The unit of the weights, which are whole numbers.
    beam
        How many histories are kept after every word.
    margin
        A history whose log-probability is further than this below the best one's is not continued.
    """

    scale: float
    beam: int
    margin: float
