"""Keys of count tables, packed and taken apart again by the specification of each table.

What :mod:`engine.counts.keys_kernel` does for one context in a kernel, :func:`pack` does for one or for whole columns
of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import numpy as np

from engine.common.arrays import Int64Array
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import BETWEEN_BITS, COMMA_BITS, LENGTH_BITS, MOST_SPAN_TAGS, ORDER_BITS, Widths
from engine.counts.specifications_layout import FIELDS, TABLES, FieldKind
from engine.structure.structure_layout import DELTA_BITS

Value = TypeVar("Value", int, Int64Array)


def widths_of(vocabulary: Vocabulary) -> Widths:
    """Bits for each kind of number in a key, with room for the numbers that stand for the unknown and for edges."""
    return Widths(
        word=len(vocabulary.words).bit_length(),
        tag=(len(vocabulary.tags) + 2).bit_length(),
        label=(len(vocabulary.labels) + 1).bit_length(),
    )


def field_bits(widths: Widths, kind: FieldKind) -> int:
    """Count the bits that a number of this kind takes in a key."""
    return {
        FieldKind.WORD: widths.word,
        FieldKind.TAG: widths.tag,
        FieldKind.EDGE: widths.tag,
        FieldKind.EDGES: MOST_SPAN_TAGS * widths.tag,
        FieldKind.LABEL: widths.label,
        FieldKind.DELTA: DELTA_BITS,
        FieldKind.COMMA: COMMA_BITS,
        FieldKind.NEIGHBOUR: widths.tag + 1,
        FieldKind.ORDER: ORDER_BITS,
        FieldKind.CLASSES: BETWEEN_BITS,
        FieldKind.LENGTH: LENGTH_BITS,
        FieldKind.ANY: 1,
    }[kind]


def key_width(widths: Widths, table: int) -> int:
    """Count the bits of a table's keys."""
    return sum(field_bits(widths, FIELDS[field].kind) for field in TABLES[table].fields)


@cache
def widest_key(widths: Widths) -> int:
    """Count the bits of the widest key of all tables."""
    return max(key_width(widths, table) for table in range(len(TABLES)))


def field_places(widths: Widths, table: int) -> dict[int, tuple[int, int]]:
    """Where every field of a table stands in a key: how far to the left, and how many bits it has."""
    places: dict[int, tuple[int, int]] = {}
    shift = 0
    for field in reversed(TABLES[table].fields):
        bits = field_bits(widths, FIELDS[field].kind)
        places[field] = shift, bits
        shift += bits
    return places


def pack(widths: Widths, table: int, values: Mapping[int, Value]) -> Value:
    """Pack a context, or a column of them, into keys from the values of the table's fields."""
    first, *others = TABLES[table].fields
    key = values[first]
    for field in others:
        key = (key << field_bits(widths, FIELDS[field].kind)) | values[field]
    return key


def take_apart(widths: Widths, table: int, keys: Int64Array) -> dict[int, Int64Array]:
    """Take keys of a table apart into the numbers that they are made of, by their fields."""
    keys = np.asarray(keys, np.int64)
    return {field: (keys >> shift) & ((1 << bits) - 1) for field, (shift, bits) in field_places(widths, table).items()}


def unpack(widths: Widths, table: int, keys: Int64Array) -> dict[str, Int64Array]:
    """Take keys of a table apart as :func:`take_apart` does, by the names of their fields."""
    return {FIELDS[field].name: column for field, column in take_apart(widths, table, keys).items()}
