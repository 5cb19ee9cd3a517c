"""Whether the arrays of a tagger are such as its kernels may read, whoever wrote them.

The kernels look up a feature in its bucket, the weights in the feature's row and the tags of a word in the dictionary,
and add each weight to the score of its tag; they do not ask whether any of these places is inside its array.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, UInt32Array
from engine.common.checked_json import CheckedValue
from engine.tagger.tagger_layout import ATOMS, BUCKET_BITS, PARTS, TaggerTables

TYPES: Mapping[str, type[np.generic]] = {
    "templates": np.int16,
    "buckets": np.uint32,
    "keys": np.uint32,
    "row_starts": np.uint32,
    "row_tags": np.uint16,
    "row_weights": np.int16,
    "dictionary_hashes": np.uint64,
    "dictionary_classes": np.uint16,
    "dictionary_starts": np.uint32,
    "dictionary_tags": np.uint16,
}
MOST_TAGS, MOST_TEMPLATES, WIDEST_BEAM = 1000, 1000, 100
MOST_WORK = 1 << 20
"""Of one word: each history adds up the weights of all templates, for all tags, and is held against all others.

That of ``english`` is 4,700, and a million takes a millisecond or two."""
LARGEST_SCALE, LARGEST_MARGIN = 1e6, 1e12
"""Of the unit of the weights and of the margin: all sums of weights are numbers then."""
LONGEST_TAG = 1000
_TAG = re.compile(r"[^\s()]+", re.ASCII)


def check_types(arrays: Mapping[str, AnyArray]) -> None:
    """Raise :class:`ValueError` unless each array of a file has the type that a tagger's has."""
    for name, kind in TYPES.items():
        if arrays[name].dtype != kind or arrays[name].ndim != (2 if name == "templates" else 1):
            raise ValueError(f"its {name} have the wrong type or shape")


def check_metadata(stored: Mapping[str, Any], templates: int) -> None:
    """Raise :class:`ValueError` unless what is stored beside the arrays is what a tagger of so many templates needs."""
    value = CheckedValue(stored, "tagger")
    tags = value.member("tags").each(lambda tag: tag.text(LONGEST_TAG), MOST_TAGS)
    if not tags or len(set(tags)) != len(tags) or not all(map(_TAG.fullmatch, tags)):
        raise ValueError("its tags are none, or such as no tree can have")
    beam = value.member("beam").integer(1, WIDEST_BEAM)
    if len(tags) * beam * (templates + beam) > MOST_WORK:
        raise ValueError("it has too many tags and templates for its beam")
    value.member("margin").number(0.0, LARGEST_MARGIN)
    if value.member("scale").number(0.0, LARGEST_SCALE) == 0.0:
        raise ValueError("its scale is 0")
    if (training := value.optional("training")) is not None:
        training.member("words").integer(0)


def check_tables(tables: TaggerTables, tag_count: int) -> None:
    """Raise :class:`ValueError` unless every place that the kernels read is inside its array."""
    features, entries = len(tables.keys), len(tables.dictionary_hashes)
    templates = tables.templates
    if tag_count < 1:
        raise ValueError("it has no tags")
    if templates.ndim != 2 or templates.shape[1] != 1 + 2 * PARTS or len(templates) > MOST_TEMPLATES:
        raise ValueError("its templates have the wrong shape")
    if len(templates) and int(templates[:, 1::2].max()) >= ATOMS:
        raise ValueError("its templates name unknown atoms")
    _check_starts("buckets", tables.buckets, (1 << BUCKET_BITS) + 1, features)
    _check_starts("row_starts", tables.row_starts, features + 1, len(tables.row_tags))
    _check_starts("dictionary_starts", tables.dictionary_starts, entries + 1, len(tables.dictionary_tags))
    # A row adds to every tag at most once, and a word has every tag at most once.
    for starts in (tables.row_starts, tables.dictionary_starts):
        if int(np.diff(starts).max(initial=0)) > tag_count:
            raise ValueError("it gives a feature or a word more tags than there are")
    if len(tables.row_weights) != len(tables.row_tags) or len(tables.dictionary_classes) != entries:
        raise ValueError("its arrays differ in length")
    for tags in (tables.row_tags, tables.dictionary_tags):
        if int(tags.max(initial=0)) >= tag_count:
            raise ValueError("it uses more tags than it names")
    if bool(np.any(tables.dictionary_hashes[1:] <= tables.dictionary_hashes[:-1])):
        raise ValueError("its dictionary is not in order")
    rising = tables.keys[1:] > tables.keys[:-1]
    starts = np.zeros(features + 1, bool)
    starts[tables.buckets] = True
    if not np.all(rising | starts[1:features]):
        raise ValueError("its features are not in order")


def _check_starts(name: str, starts: UInt32Array, length: int, end: int) -> None:
    ascending = len(starts) == length and starts[0] == 0 and starts[-1] == end
    if not ascending or bool(np.any(starts[1:] < starts[:-1])):
        raise ValueError(f"{name} does not fit what it points into")
