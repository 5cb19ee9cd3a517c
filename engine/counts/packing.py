"""Packing counts without loss, for a model file that is sent around, and unpacking them.

Most of what a model keeps in memory need not be stored:

* Coarser tables are sums of finer ones (:mod:`engine.counts.coarser_tables`) and are summed up again.
* Of two words that stood in one sentence each was a possible modifier of the other, at the same distance but for the
  order.  So every context of both words has a mirror image with the same δ, and half of them are enough.
* Contexts are sorted by their keys and stored field by field, each as its difference from the one before where all
  fields before it are equal.  Such columns are small numbers, mostly zeros, which LZMA packs to a few bits each.

The counts of a compact model are not sums of one another: its tables are stored one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, Int64Array
from engine.counts.coarser_tables import all_tables, counted_tables, mirror_fields, mirror_images
from engine.counts.counted_table import CountedTable, empty_table
from engine.counts.counts_layout import Counts, Widths
from engine.counts.keys import field_bits, pack, take_apart
from engine.counts.packed_checks import check_fields, check_memory, check_packed_table
from engine.counts.specifications_layout import FIELDS, TABLES
from engine.counts.table_contents import counted_table, same_counts
from engine.structure.structure_layout import HEAD_FIRST

_KEYS, _DELTAS, _WEIGHTED_DELTAS = "keys", "deltas", "weighted-deltas"
_SIZES, _OUTCOMES, _ETAS, _WEIGHTED_ETAS = "sizes", "outcomes", "etas", "weighted-etas"
_SMALL_TYPES = (np.uint8, np.uint16, np.uint32, np.uint64)


def pack_counts(counts: Counts, exact: bool) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Pack all tables; the result is a description, to be stored as JSON, and arrays that LZMA packs well.

    With `exact` they must be those of a corpus, nothing left out, or this raises :class:`ValueError`.
    """
    tables = counted_tables() if exact else list(range(len(TABLES)))
    arrays: dict[str, AnyArray] = {}
    for table in tables:
        arrays |= _pack_table(counted_table(counts, table), counts.widths, table, exact and _has_mirror(table))
    description = {
        "tables": [TABLES[table].name for table in tables],
        "exact": exact,
        "weighted": counts.has_weights,
    }
    if not same_counts(counts, unpack_counts(description, arrays, counts.widths)):
        raise ValueError("these counts are not those of a corpus: they cannot be packed as sums")
    return description, arrays


def unpack_counts(description: Mapping[str, Any], arrays: Mapping[str, AnyArray], widths: Widths) -> Counts:
    """Unpack what :func:`pack_counts` packed; a table that is not among it is summed up, or empty.

    Raise :class:`DamagedPart` if it cannot have been packed so, or would take too much memory, before it does; arrays
    that are missing raise :class:`KeyError`.
    """
    weighted, exact = bool(description["weighted"]), bool(description["exact"])
    stored = set(description["tables"])
    given: dict[int, Callable[[], CountedTable]] = {}
    sizes: dict[int, tuple[int, int]] = {}
    parts = (_DELTAS, _SIZES, _OUTCOMES, _ETAS, *((_WEIGHTED_DELTAS, _WEIGHTED_ETAS) if weighted else ()))
    for table in counted_tables() if exact else range(len(TABLES)):
        if TABLES[table].name in stored:
            mirrored = exact and _has_mirror(table)
            found = {part: arrays[_name(table, part)] for part in parts}
            check_packed_table(TABLES[table].name, _packed_keys(arrays, table), found, 1 + mirrored)
            sizes[table] = len(found[_SIZES]), len(found[_OUTCOMES])
            given[table] = partial(_unpack_table, arrays, widths, table, weighted, mirrored)
        else:
            given[table] = partial(empty_table, weighted)
    check_memory(sizes, sum(array.nbytes for array in arrays.values()), widths, weighted)
    return all_tables(given, widths)


def _has_mirror(table: int) -> bool:
    """Whether every context of a table has its mirror image in the same table."""
    return set(mirror_fields(table)) == set(TABLES[table].fields)


def _name(table: int, part: str) -> str:
    return f"{TABLES[table].name}/{part}"


def _pack_table(table: CountedTable, widths: Widths, number: int, mirrored: bool) -> dict[str, AnyArray]:
    order = np.argsort(table.keys)
    stored = len(order)
    if mirrored:
        halves = order[table.keys[order] & HEAD_FIRST != 0]
        images = mirror_images(take_apart(widths, number, table.keys[halves]), widths, number)
        stored = len(halves)
        order = np.concatenate([halves, _places_of(images, table.keys, order)])
    rank = np.full(len(table.keys), -1)
    rank[order] = np.arange(len(order))
    outcome_ranks = rank[table.places]
    outcome_order = np.lexsort((table.outcomes, outcome_ranks))
    deltas, etas = table.deltas[order[:stored]], table.etas[outcome_order]
    arrays: dict[str, AnyArray] = {
        _DELTAS: deltas,
        _SIZES: np.bincount(outcome_ranks, minlength=len(order)),
        _OUTCOMES: table.outcomes[outcome_order],
        _ETAS: etas,
    }
    if table.has_weights:
        # What weights add is nothing for most.
        arrays[_WEIGHTED_DELTAS] = table.weighted_deltas[order[:stored]] - deltas
        arrays[_WEIGHTED_ETAS] = table.weighted_etas[outcome_order] - etas
    columns = take_apart(widths, number, table.keys[order[:stored]])
    for place, column in enumerate(_differences([columns[field] for field in TABLES[number].fields])):
        arrays[f"{_KEYS}-{place}"] = column
    return {_name(number, part): _small(array) for part, array in arrays.items()}


def _packed_keys(arrays: Mapping[str, AnyArray], number: int) -> list[AnyArray]:
    return [arrays[_name(number, f"{_KEYS}-{place}")] for place in range(len(TABLES[number].fields))]


def _unpack_table(
    arrays: Mapping[str, AnyArray], widths: Widths, number: int, weighted: bool, mirrored: bool
) -> CountedTable:
    def part(name: str) -> Any:
        return arrays[_name(number, name)]

    fields = TABLES[number].fields
    columns = _values(_packed_keys(arrays, number))
    values = dict(zip(fields, columns, strict=True))
    check_fields(TABLES[number].name, columns, [field_bits(widths, FIELDS[field].kind) for field in fields])
    keys = pack(widths, number, values)
    deltas = part(_DELTAS).astype(np.int32)
    weighted_deltas = deltas + part(_WEIGHTED_DELTAS).astype(np.int32) if weighted else deltas
    if mirrored:
        keys = np.concatenate([keys, mirror_images(values, widths, number)])
        both = np.concatenate([deltas, deltas])
        weighted_deltas = np.concatenate([weighted_deltas, weighted_deltas]) if weighted else both
        deltas = both
    etas = part(_ETAS).astype(np.int32)
    return CountedTable(
        keys,
        deltas,
        weighted_deltas,
        np.repeat(np.arange(len(keys)), part(_SIZES).astype(np.int64)),
        part(_OUTCOMES).astype(np.int32),
        etas,
        etas + part(_WEIGHTED_ETAS).astype(np.int32) if weighted else etas,
    )


def _places_of(wanted: Int64Array, keys: Int64Array, order: Int64Array) -> Int64Array:
    """The places of some keys among others, which are sorted in this order; those that are not there raise."""
    sorted_keys = keys[order]
    at = np.minimum(np.searchsorted(sorted_keys, wanted), max(len(order) - 1, 0))
    if 2 * len(wanted) != len(keys) or not np.array_equal(sorted_keys[at], wanted):
        raise ValueError("these counts are not those of a corpus: contexts of two words lack their mirror images")
    return order[at]


def _differences(columns: Sequence[Int64Array]) -> Iterator[Int64Array]:
    """Columns of sorted rows as what has to be added to the row before, or to 0 where a column before has changed."""
    changed = np.zeros(len(columns[0]), bool)
    changed[:1] = True
    for column in columns:
        before = np.concatenate([column[:1] * 0, column[:-1]])
        yield np.where(changed, column, column - before)
        changed |= column != before


def _values(differences: Sequence[AnyArray]) -> list[Int64Array]:
    """The columns again from their differences."""
    columns: list[Int64Array] = []
    changed = np.zeros(len(differences[0]), bool)
    changed[:1] = True
    for difference in differences:
        sums = np.cumsum(difference, dtype=np.int64)
        starts = np.flatnonzero(changed)
        # What was summed up before the last change does not count.
        before = sums[starts] - difference[starts].astype(np.int64)
        column = sums - np.repeat(before, np.diff(starts, append=len(sums)))
        changed |= difference != 0
        columns.append(column)
    return columns


def _small(array: AnyArray) -> AnyArray:
    """Numbers, none of them negative, in as few bytes each as they need."""
    most = int(array.max()) if len(array) else 0
    return array.astype(next(kind for kind in _SMALL_TYPES if most <= np.iinfo(kind).max))
