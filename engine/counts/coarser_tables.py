"""Count tables that are sums of finer ones (the footnote to section 2.4: C over all words of the vocabulary).

A table whose fields all follow from those of another table of the same factor need not be counted, nor kept in a
packed model: its contexts are those of the finer table with some fields left out, and its η and δ are their sums.
Which tables these are follows from the list of specifications (:mod:`engine.counts.specifications_layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache, partial
from inspect import unwrap

import numpy as np

from engine.common.arrays import Int64Array
from engine.counts.counted_table import CountedTable, TableForm, side_by_side, sum_up, table_form
from engine.counts.counts_layout import Counts, Widths
from engine.counts.keys import field_places, key_width, pack
from engine.counts.keys_kernel import any_commas, order_adjacency
from engine.counts.specifications_layout import (
    DISTANCE,
    DISTANCE_ADJACENCY,
    DISTANCE_ANY_COMMAS,
    DISTANCE_ORDER,
    HEAD_TAG,
    HEAD_WORD,
    LEADING_HEAD_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    NO_FIELD,
    ORDER_ADJACENCY,
    TABLES,
)
from engine.structure.structure_layout import ADJACENT, HEAD_FIRST

THREADS = 2
"""How many tables are summed up at a time; sorting leaves Python alone meanwhile, so that a window stays alive."""
# Fields that follow from another one; the kernels' own functions take whole columns as well.
_FOLLOWING: Mapping[int, tuple[int, Callable[[Int64Array], Int64Array]]] = {
    LEADING_HEAD_WORD: (HEAD_WORD, lambda word: word),
    DISTANCE_ANY_COMMAS: (DISTANCE, unwrap(any_commas)),
    DISTANCE_ADJACENCY: (DISTANCE, lambda distance: distance & (HEAD_FIRST | ADJACENT)),
    DISTANCE_ORDER: (DISTANCE, lambda distance: distance & HEAD_FIRST),
    ORDER_ADJACENCY: (DISTANCE, unwrap(order_adjacency)),
}


_MIRRORED: Mapping[int, int] = {
    MODIFIER_WORD: HEAD_WORD,
    MODIFIER_TAG: HEAD_TAG,
    HEAD_WORD: MODIFIER_WORD,
    HEAD_TAG: MODIFIER_TAG,
    DISTANCE: DISTANCE,
}
"""The fields of a mirror image: of two words in one sentence each is a possible modifier of the other."""


def mirror_fields(table: int) -> list[int]:
    """The fields of a table's mirror images; none if it has a field that has none."""
    fields = TABLES[table].fields
    return [_MIRRORED[field] for field in fields] if all(field in _MIRRORED for field in fields) else []


def mirror_images(values: Mapping[int, Int64Array], widths: Widths, table: int) -> Int64Array:
    """Keys of a table that are the mirror images of others, from the values of their fields.

    Modifier and head are exchanged; Δ has the other answer to question 1, and the same to all others.
    """
    images = {field: values[_MIRRORED[field]] for field in TABLES[table].fields}
    images[DISTANCE] = images[DISTANCE] ^ HEAD_FIRST
    return pack(widths, table, images)


def _follows(field: int, fields: tuple[int, ...]) -> bool:
    """Tell whether a field is among others, or follows from one of them."""
    return field in fields or field == NO_FIELD or (field in _FOLLOWING and _FOLLOWING[field][0] in fields)


@cache
def _finer(table: int) -> tuple[int, ...]:
    """The tables that a table is a sum of."""
    own = TABLES[table]
    return tuple(
        number
        for number, other in enumerate(TABLES)
        if number != table and other.factor is own.factor and all(_follows(field, other.fields) for field in own.fields)
    )


@cache
def source_of(table: int) -> int | None:
    """The table that a table is summed up from: the coarsest of all finer ones; ``None`` for one that is counted."""
    return max(_finer(table), key=lambda other: (len(_finer(other)), -other), default=None)


@cache
def mirror_of(table: int) -> int | None:
    """The table, listed before it, whose contexts are the mirror images of a table's own, with the same δ."""
    wanted = set(mirror_fields(table))
    others = (other for other in range(table) if wanted == set(TABLES[other].fields))
    return next((other for other in others if source_of(other) == source_of(table)), None)


def counted_tables() -> list[int]:
    """The tables that are no sums of others."""
    return [table for table in range(len(TABLES)) if source_of(table) is None]


class FollowingFields(Mapping[int, Int64Array]):
    """The fields of a table's keys, and those that follow from them: each is made when it is asked for."""

    def __init__(self, widths: Widths, table: int, keys: Int64Array) -> None:
        self._places = field_places(widths, table)
        self._keys = keys

    def __getitem__(self, field: int) -> Int64Array:
        if field in self._places:
            shift, bits = self._places[field]
            column = self._keys >> shift
            column &= (1 << bits) - 1
            return column
        if field == NO_FIELD:
            return np.zeros(len(self._keys), np.int64)
        source, function = _FOLLOWING[field]
        return function(self[source])

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def coarser_table(finer: CountedTable, source: int, widths: Widths, table: int) -> CountedTable:
    """Sum a table up from a finer one, which has the number `source`."""
    keys = pack(widths, table, FollowingFields(widths, source, finer.keys))
    return sum_up(
        keys,
        key_width(widths, table),
        (finer.deltas, finer.weighted_deltas),
        finer.places,
        finer.outcomes,
        (finer.etas, finer.weighted_etas),
    )


def mirrored_table(
    image: CountedTable, image_number: int, finer: CountedTable, source: int, widths: Widths, table: int
) -> CountedTable:
    """Sum a table up of which another one is the mirror image: δ is there already, and only outcomes are summed up."""
    fields = FollowingFields(widths, image_number, image.keys)
    keys = mirror_images(fields, widths, table)
    outcome_keys = pack(widths, table, FollowingFields(widths, source, finer.keys[finer.places]))
    nothing = np.zeros(len(outcome_keys), np.int32)
    deltas = weighted = np.concatenate([image.deltas, nothing])
    if image.has_weights:
        weighted = np.concatenate([image.weighted_deltas, nothing])
    return sum_up(
        np.concatenate([keys, outcome_keys]),
        key_width(widths, table),
        (deltas, weighted),
        np.arange(len(keys), len(keys) + len(outcome_keys)),
        finer.outcomes,
        (finer.etas, finer.weighted_etas),
    )


def all_tables(
    given: Mapping[int, Callable[[], CountedTable]], widths: Widths, step: Callable[[float], None] = lambda share: None
) -> Counts:
    """All tables, side by side: those that are given, and the others as sums of them.

    Parameters
    ----------
    given
        What makes each of the tables that are no sums; called in one of several threads.
    widths
        How contexts are packed into keys.
    step
        Called with the share of the tables that are done.
    """
    forms: dict[int, TableForm] = {}
    sources: dict[int, CountedTable] = {}
    with ThreadPoolExecutor(THREADS) as pool:
        waiting: dict[Future[CountedTable | TableForm], int] = {}

        def known(table: int, counted: CountedTable) -> None:
            """Put a table into its form, and sum up those that wait for it."""
            for other in set(range(len(TABLES))).difference(given):
                source, mirror = source_of(other), mirror_of(other)
                if source == table and mirror is not None:
                    sources[other] = counted
                elif source == table:
                    waiting[pool.submit(partial(coarser_table, counted, table, widths, other))] = other
                elif mirror == table and source is not None:
                    finer = sources.pop(other)
                    work = partial(mirrored_table, counted, table, finer, source, widths, other)
                    waiting[pool.submit(work)] = other
            waiting[pool.submit(partial(table_form, counted, key_width(widths, table)))] = table

        try:
            for table, make in given.items():
                waiting[pool.submit(make)] = table
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    table, result = waiting.pop(future), future.result()
                    if isinstance(result, CountedTable):
                        known(table, result)
                    else:
                        forms[table] = result
                step(len(forms) / len(TABLES))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return side_by_side([forms[table] for table in range(len(TABLES))], widths)
