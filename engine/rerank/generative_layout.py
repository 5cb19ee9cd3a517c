"""The second model's events: their columns, the levels of back-off of each, and the arrays of its counts.

An event is one decision of the model, written as a row of numbers: its kind, its outcome, and whatever the decision
may depend on.  Which of these a level of back-off looks at is said here alone, for counting, scoring and explaining.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array

# Columns of an event.
(
    EVENT_KIND,
    OUTCOME,
    SIDE,
    PARENT,
    HEAD_CHILD,
    HEAD_TAG,
    HEAD_WORD,
    ABOVE,
    DISTANCE,
    FRAME,
    MARK,
    PREVIOUS,
    PREVIOUS_WORD,
    MODIFIER,
    MODIFIER_TAG,
    EVENT_NODE,
    EVENT_PLACE,
) = range(17)
EVENT_COLUMNS = 17

# Kinds of events.
(
    ROOT_LABEL,
    ROOT_WORD,
    HEAD,
    SUBCATEGORISATION,
    MODIFIER_LABEL,
    TAG_OF_MODIFIER,
    WORD_OF_MODIFIER,
    BASE_TAG,
    BASE_WORD,
) = range(9)
EVENT_KINDS = 9

STOP = -1
"""The outcome that no modifier follows."""
NO_FIELD = -1
NOTHING = -2
"""No value: above the root, before the first modifier."""
LEFT, RIGHT = 0, 1

FIRST_CLASS = -16
"""A rare word is known by its class: this number for the first class, one less for each further one."""

# Complements by label, for frames of subcategorisation: three bits count each.
NOT_COMPLEMENT, NP_COMPLEMENT, SBAR_COMPLEMENT, S_COMPLEMENT, VP_COMPLEMENT, PP_LABEL, OTHER_COMPLEMENT = range(7)
FRAME_BITS = 3
FRAME_MASK = (1 << FRAME_BITS) - 1
COMPLEMENT_NAMES = ("", "NP", "SBAR", "S", "VP", "PP", "other")

# Distance: bits for "next to the head" and "a verb lies between".
NEXT_TO_HEAD, VERB_BETWEEN = 2, 1

LEVELS = 4
"""At most so many levels of back-off."""

_HEAD_CHILD = (SIDE, PARENT, HEAD_CHILD)
BACKOFF: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...] = (
    # ROOT_LABEL
    (("root label of a tag", (HEAD_TAG,)), ("root label", ())),
    # ROOT_WORD
    (("root word", (MODIFIER, MODIFIER_TAG)), ("word of a tag", (MODIFIER_TAG,))),
    # HEAD
    (
        ("head of a word", (PARENT, HEAD_TAG, HEAD_WORD, ABOVE)),
        ("head of a tag above", (PARENT, HEAD_TAG, ABOVE)),
        ("head of a tag", (PARENT, HEAD_TAG)),
        ("head", (PARENT,)),
    ),
    # SUBCATEGORISATION
    (
        ("frame of a word", (*_HEAD_CHILD, HEAD_TAG, HEAD_WORD, ABOVE)),
        ("frame of a tag above", (*_HEAD_CHILD, HEAD_TAG, ABOVE)),
        ("frame of a tag", (*_HEAD_CHILD, HEAD_TAG)),
        ("frame", _HEAD_CHILD),
    ),
    # MODIFIER_LABEL
    (
        ("modifier of a word", (*_HEAD_CHILD, DISTANCE, HEAD_TAG, HEAD_WORD, FRAME, MARK, PREVIOUS)),
        ("modifier of a tag and frame", (*_HEAD_CHILD, DISTANCE, HEAD_TAG, FRAME, MARK, PREVIOUS)),
        ("modifier of a tag", (*_HEAD_CHILD, DISTANCE, HEAD_TAG, MARK)),
        ("modifier", _HEAD_CHILD),
    ),
    # TAG_OF_MODIFIER
    (
        ("modifier tag of a word", (*_HEAD_CHILD, MODIFIER, HEAD_TAG, HEAD_WORD)),
        ("modifier tag of a tag", (*_HEAD_CHILD, MODIFIER, HEAD_TAG)),
        ("modifier tag", (*_HEAD_CHILD, MODIFIER)),
        ("tag of a label", (MODIFIER,)),
    ),
    # WORD_OF_MODIFIER
    (
        ("modifier word of a word", (*_HEAD_CHILD, MODIFIER, MODIFIER_TAG, HEAD_TAG, HEAD_WORD)),
        ("modifier word of a tag", (*_HEAD_CHILD, MODIFIER, MODIFIER_TAG, HEAD_TAG)),
        ("word of a label and tag", (MODIFIER, MODIFIER_TAG)),
        ("word of a tag", (MODIFIER_TAG,)),
    ),
    # BASE_TAG
    (
        ("baseNP tag beside a word", (SIDE, PREVIOUS, PREVIOUS_WORD, HEAD_TAG)),
        ("baseNP tag beside a tag, with the head", (SIDE, PREVIOUS, HEAD_TAG)),
        ("baseNP tag beside a tag", (SIDE, PREVIOUS)),
    ),
    # BASE_WORD
    (
        ("baseNP word beside a word", (SIDE, MODIFIER_TAG, PREVIOUS, PREVIOUS_WORD)),
        ("baseNP word beside a tag", (SIDE, MODIFIER_TAG, PREVIOUS)),
        ("word of a tag", (MODIFIER_TAG,)),
    ),
)
"""Of every kind of event its levels, the finest first: the name of the table, and what it looks at."""

TABLE_NAMES = tuple(dict.fromkeys(name for levels in BACKOFF for name, _ in levels))
MOST_FIELDS = max(len(fields) for levels in BACKOFF for _, fields in levels)


def _level_fields() -> Int32Array:
    """By kind and level the table's number, then its fields, −1 for none; a table of −1 where there is no level."""
    rows = np.full((EVENT_KINDS, LEVELS, 1 + MOST_FIELDS), NO_FIELD, np.int32)
    for kind, levels in enumerate(BACKOFF):
        for level, (name, fields) in enumerate(levels):
            rows[kind, level, 0] = TABLE_NAMES.index(name)
            rows[kind, level, 1 : 1 + len(fields)] = fields
    return rows


LEVEL_FIELDS = _level_fields()

DISTINCT_FACTOR = 4.0
"""λ = n / (n + 4 u) of a context met n times with u distinct outcomes."""
LEAST_COUNT = 2
"""A context that was met less often is left out: it tells little, and most contexts are of this kind."""
FLOORS: FloatArray = np.array([1e-6, 1e-5, 1e-6, 1e-6, 1e-6, 1e-4, 1e-5, 1e-4, 1e-5])
"""By kind the probability below all levels."""

EVENT_MULTIPLIERS: Int64Array = np.array(
    [
        0x1C322BE2C448E077,
        0x022191803C4718AB,
        0x040BFE5F389C9F07,
        0x07165C11AB2D3223,
        0x188CEC4B63FA7C5D,
        0x0E11BF5754756769,
        0x07DFFCEEA4BC6D8B,
        0x1BC1843C3ABFCD8B,
    ],
    np.int64,
)
"""Random numbers: one for every two columns of an event that its probability may depend on."""

LEVEL_COLUMNS = 3
"""Of a level that is looked up: its hash, later its place; where its bucket starts and ends."""
STEP_MET, STEP_TOTAL, STEP_DISTINCT, STEP_WEIGHT = range(4)
STEP_COLUMNS = 4
"""Of a level that was mixed in: how often the outcome was met in the context, and the context; with how many different
outcomes; λ.  All are 0 where the context is not known."""
KNOWN_EVENTS = 1 << 14
KNOWN_EVENTS_MASK = KNOWN_EVENTS - 1
"""Places for events whose probability was looked up before."""


class GenerativeTree(NamedTuple):
    """A tree in numbers, as the second model sees it.

    Attributes
    ----------
    nodes
        Its constituents (:mod:`engine.structure.sentence_layout`).
    words, tags
        Of every word; a rare word is the number of its class.
    verbs
        How many verbs stand before each word; one number more, for the end.
    marks
        Kinds of punctuation before every word; one number more, for the end.
    complements
        By label its class among complements.
    """

    nodes: Int32Array
    words: Int32Array
    tags: Int32Array
    verbs: Int32Array
    marks: Int32Array
    complements: Int32Array


class GenerativeCounts(NamedTuple):
    """The second model's counts: contexts by their hash, and of each the outcomes in increasing order.

    Attributes
    ----------
    shift
        How many lower bits of a hash its bucket does not tell.
    buckets
        Where every bucket of contexts starts; one more at the end.
    contexts
        Hashes in increasing order.
    totals
        How often each context was met.
    starts
        Where the outcomes of each context start; one more at the end.
    outcomes, counts
        The outcomes and how often each was met.
    """

    shift: int
    buckets: Int32Array
    contexts: Int64Array
    totals: Int32Array
    starts: Int32Array
    outcomes: Int32Array
    counts: Int32Array


class KnownEvents(NamedTuple):
    """Events whose probability was looked up before.

    Attributes
    ----------
    keys, logs
        The two are the same memory: the key of an event in the first column, the logarithm of its probability in the
        second.  One event overwrites another.
    levels, steps
        Room to look up the levels of an event and to mix them.
    """

    keys: Int64Array
    logs: FloatArray
    levels: Int64Array
    steps: FloatArray
