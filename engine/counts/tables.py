"""Count tables: counted and put into form, summed into coarser ones, taken apart into their contents, pruned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from engine.common.arrays import BoolArray, Int32Array, Int64Array, IntArray, UInt32Array
from engine.common.errors import EngineError
from engine.counts.contexts import field_bits, field_places, key_width, pack, widest_key, widths_of_sizes
from engine.counts.counts_layout import (
    EXACT_DELTA,
    MULTIPLIER,
    ONLY_DELTA,
    REMAINDER_BITS,
    VALUE_BITS,
    VALUE_MASK,
    WEIGHTED_DELTA,
    Counts,
    Widths,
)
from engine.counts.specifications_layout import (
    DISTANCE,
    FIELDS,
    HEAD_TAG,
    HEAD_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    NO_FIELD,
    TABLES,
    Least,
)
from engine.structure.sentence_layout import HEAD_FIRST
from engine.structure.tagged_sentence import shortened

# One count table on its own: every context with its δ, every outcome with its η, counted and put into form.
#
# Everything is done with numpy: a bundled model is unpacked before anything is compiled
# (:mod:`engine.model.counts_file`).

BUCKET = 4
"""How many contexts share a bucket, about."""
MOST_BUCKET_BITS = 26
MOST_KEY_BITS = _SORTED_BITS = 63
"""Keys are numbers of 64 bits, and none is negative."""
_MOST_COUNTED_BITS = MOST_BUCKET_BITS + REMAINDER_BITS
"""Bits of the widest key that a table can be looked up by: its bucket tells the first ones, a context the others."""
LARGEST_COUNT = 2**31 - 1
_RAREST = 10
"""So many tags are named where there are too many."""


def names_fit(widths: Widths) -> bool:
    """Whether the keys of all tables have room for so many words, tags and labels."""
    return widest_key(widths) <= _MOST_COUNTED_BITS


def most_tags() -> int:
    """How many tags a model can hold besides those of punctuation, if it has few words."""
    tags = 1
    while names_fit(widths_of_sizes(1, tags + 1, 1)):
        tags += 1
    return tags


def too_many_tags(counts: Mapping[str, int]) -> str:
    """Say of tags, with how often each occurs, that they are more than a model can hold; empty if they are not."""
    over = len(counts) - most_tags()
    if over <= 0:
        return ""
    rarest = sorted(counts.items(), key=lambda item: (item[1], item[0]))[:_RAREST]
    return (
        f"there are {len(counts):,} tags besides punctuation, and a model can hold {most_tags():,}; give rare ones the "
        f"names of others, for instance {', '.join(f'{shortened(tag)} ({count:,})' for tag, count in rarest)}"
    )


def too_many_names(words: int, labels: int, tags: Mapping[str, int]) -> str:
    """Say of a treebank's words and tags that they are more than a model can hold; empty if they are not.

    Parameters
    ----------
    words, labels
        How many different ones there are.
    tags
        All tags but those of punctuation, and how often each occurs.
    """
    widths = widths_of_sizes(words, len(tags), labels)
    if names_fit(widths):
        return ""
    bits = 0
    while names_fit(widths._replace(word=bits + 1)):
        bits += 1
    return too_many_tags(tags) or (
        f"the treebank has {words:,} different words, and with its {len(tags):,} tags a model can hold "
        f"{(1 << bits) - 1:,}; train on a part of it"
    )


class CountedTable(NamedTuple):
    """The contexts of one table, each once, and their outcomes.

    Attributes
    ----------
    keys
        The key of every context.
    deltas, weighted_deltas
        Its δ, and δ as preset (5) weighs treebanks; the same array where nothing has a weight.
    places, outcomes
        Of every outcome the place of its context among `keys`, and its number.
    etas, weighted_etas
        Its η, as counted and as weighted; the same array where nothing has a weight.
    """

    keys: Int64Array
    deltas: Int32Array
    weighted_deltas: Int32Array
    places: Int64Array
    outcomes: Int32Array
    etas: Int32Array
    weighted_etas: Int32Array

    @property
    def has_weights(self) -> bool:
        """Whether counts and weighted counts are kept apart."""
        return self.weighted_deltas is not self.deltas

    def only(self, kept: BoolArray) -> CountedTable:
        """The table with some of its contexts."""
        outcomes_kept = kept[self.places]
        moved = np.cumsum(kept) - 1
        deltas, etas = self.deltas[kept], self.etas[outcomes_kept]
        return CountedTable(
            self.keys[kept],
            deltas,
            self.weighted_deltas[kept] if self.has_weights else deltas,
            moved[self.places[outcomes_kept]],
            self.outcomes[outcomes_kept],
            etas,
            self.weighted_etas[outcomes_kept] if self.has_weights else etas,
        )


def empty_table(has_weights: bool) -> CountedTable:
    """A table in which nothing was counted."""
    nothing = np.empty(0, np.int32)
    weighted = np.empty(0, np.int32) if has_weights else nothing
    return CountedTable(np.empty(0, np.int64), nothing, weighted, np.empty(0, np.int64), nothing, nothing, weighted)


def sum_up(
    keys: Int64Array,
    width: int,
    deltas: tuple[Int32Array, Int32Array],
    places: IntArray,
    outcomes: Int32Array,
    etas: tuple[Int32Array, Int32Array],
) -> CountedTable:
    """Add up what has the same key, or the same key and outcome.

    Parameters
    ----------
    keys, width
        Keys, many of them more than once, and how many bits each has.
    deltas
        What each of them adds to δ: as counted, and as weighted (the same array where nothing has a weight).
    places, outcomes, etas
        Of every outcome the place of its key, its number, and what it adds to η.
    """
    order, starts = _grouped(permuted(keys, width), width)
    firsts = order[starts]
    exact, weighted = _sums(deltas, order, starts)
    groups = _groups_of(places, order, starts)
    del order
    event_order, event_starts = _grouped((groups << 32) | outcomes, 63)
    event_firsts = event_order[event_starts]
    exact_etas, weighted_etas = _sums(etas, event_order, event_starts)
    return CountedTable(
        keys[firsts], exact, weighted, groups[event_firsts], outcomes[event_firsts], exact_etas, weighted_etas
    )


def _groups_of(places: IntArray, order: Int32Array, starts: Int32Array) -> Int64Array:
    """The group of each of some places, groups being parts of an order that start where `starts` says."""
    wanted = np.zeros(len(order), bool)
    wanted[places] = True
    in_order = np.flatnonzero(wanted[order])
    group_of = np.empty(len(order), np.int32)
    group_of[order[in_order]] = np.searchsorted(starts, in_order, side="right") - 1
    groups: Int64Array = group_of[places].astype(np.int64)
    return groups


def _sums(
    values: tuple[Int32Array, Int32Array], order: Int32Array, starts: Int32Array
) -> tuple[Int32Array, Int32Array]:
    """Add up exact and weighted values group by group."""
    if not len(starts):
        nothing = np.empty(0, np.int32)
        return nothing, nothing if values[0] is values[1] else nothing.copy()
    exact = np.add.reduceat(values[0][order], starts, dtype=np.int32)
    if values[1] is values[0]:
        return exact, exact
    weighted = np.add.reduceat(values[1][order], starts, dtype=np.int64)
    if int(weighted.max()) > LARGEST_COUNT:
        raise EngineError(
            f"the weights are too large for so many trees: a count is above {LARGEST_COUNT:,}; give smaller weights"
        )
    return exact, weighted.astype(np.int32)


def _increasing(keys: Int64Array, width: int) -> tuple[Int32Array, Int64Array]:
    """The order in which keys of so many bits increase, equal ones as they stand, and the keys in it."""
    if bool((keys[1:] >= keys[:-1]).all()):
        # Tables that were summed up are in order already.
        return np.arange(len(keys), dtype=np.int32), keys.copy()
    index_bits = max(len(keys) - 1, 0).bit_length()
    left_out = max(width + index_bits - _SORTED_BITS, 0)
    # With its place in its last bits a key is sorted alone, which takes half the time of finding an order.
    packed = keys >> left_out
    packed <<= index_bits
    packed |= np.arange(len(keys), dtype=np.int32)
    packed.sort()
    order = (packed & ((1 << index_bits) - 1)).astype(np.int32)
    if not left_out:
        packed >>= index_bits
        return order, packed
    np.take(keys, order, out=packed)
    if not bool((packed[1:] >= packed[:-1]).all()):
        # Keys that only differ in the bits left out: hardly any of a table's are so.
        alike = np.zeros(len(keys) + 1, bool)
        np.equal(packed[1:] >> left_out, packed[:-1] >> left_out, out=alike[1:-1])
        some = np.flatnonzero(alike[1:] | alike[:-1])
        order[some] = order[some][np.lexsort((order[some], packed[some]))]
        np.take(keys, order, out=packed)
    return order, packed


def _grouped(keys: Int64Array, width: int) -> tuple[Int32Array, Int32Array]:
    """An order in which equal keys stand together, increasing, and where in it each group starts."""
    order, in_order = _increasing(keys, width)
    new = np.ones(len(keys), bool)
    np.not_equal(in_order[1:], in_order[:-1], out=new[1:])
    return order, np.flatnonzero(new).astype(np.int32)


def permuted(keys: Int64Array, width: int) -> Int64Array:
    """Keys as the tables keep them: multiplied modulo 2^w (:mod:`engine.counts.lookup_kernel`)."""
    with np.errstate(over="ignore"):
        product: Int64Array = keys * np.int64(MULTIPLIER)
    product &= np.int64((1 << width) - 1)
    return product


class TableForm(NamedTuple):
    """One count table as kernels look it up, before it is put beside the others: see :class:`Counts`."""

    width: int
    shift: int
    buckets: UInt32Array
    contexts: Int64Array
    records: Int32Array
    weighted_records: Int32Array


def table_form(table: CountedTable, width: int) -> TableForm:
    """Put a table into the form in which it is looked up; `width` is how many bits a key has."""
    keys = permuted(table.keys, width)
    size = len(keys)
    bits = min(width, max((size // BUCKET).bit_length(), width - REMAINDER_BITS))
    if bits > MOST_BUCKET_BITS:
        raise EngineError(f"the treebank has more contexts than a table can hold ({size:,}); train on a part of it")
    shift = width - bits
    order, keys = _increasing(keys, width)
    buckets = np.zeros((1 << bits) + 1, np.uint32)
    np.cumsum(np.bincount(keys >> shift, minlength=1 << bits), out=buckets[1:])
    rank = np.empty(size, np.int32)
    rank[order] = np.arange(size, dtype=np.int32)
    outcome_ranks = rank[table.places]
    outcome_order = np.lexsort((table.outcomes, outcome_ranks))
    outcome_ranks = outcome_ranks[outcome_order]
    numbers = np.bincount(outcome_ranks, minlength=size)
    deltas = table.deltas[order]
    weighted = table.weighted_deltas[order] if table.has_weights else deltas
    del order
    # What δ has no room for in a context gets a record without outcomes.
    with_record = numbers > 0
    keys &= (1 << shift) - 1
    keys <<= VALUE_BITS
    values = deltas.astype(np.int64)
    if table.has_weights:
        with_record |= (deltas > EXACT_DELTA.mask) | (weighted > WEIGHTED_DELTA.mask)
        values <<= EXACT_DELTA.shift
        values |= weighted.astype(np.int64) << WEIGHTED_DELTA.shift
    else:
        values <<= ONLY_DELTA.shift
    contexts = np.flatnonzero(with_record)
    sizes = 2 + 2 * numbers[contexts]
    heads = np.cumsum(sizes) - sizes
    values[contexts] = 2 * heads + 1
    # Where the record of an outcome's context starts, and which of its outcomes it is.
    numbers = numbers[contexts]
    first_outcome = np.cumsum(numbers) - numbers
    outcome_places = np.repeat(heads + 2 - 2 * first_outcome, numbers) + 2 * np.arange(len(outcome_order))

    def filled(totals: Int32Array, etas: Int32Array) -> Int32Array:
        records = np.empty(int(sizes.sum()), np.int32)
        records[heads] = totals[contexts]
        records[heads + 1] = numbers
        records[outcome_places] = table.outcomes[outcome_order]
        records[outcome_places + 1] = etas[outcome_order]
        return records

    records = filled(deltas, table.etas)
    return TableForm(
        width,
        shift,
        buckets,
        keys | values,
        records,
        filled(weighted, table.weighted_etas) if table.has_weights else records,
    )


def side_by_side(tables: Sequence[TableForm], widths: Widths) -> Counts:
    """Put tables one after the other into the same arrays."""
    has_weights = any(table.weighted_records is not table.records for table in tables)
    places = np.zeros((len(tables), 3), np.int64)
    buckets = np.empty(sum(len(table.buckets) for table in tables), np.uint32)
    contexts = np.empty(sum(len(table.contexts) for table in tables), np.int64)
    filled = first = records = 0
    for number, table in enumerate(tables):
        places[number] = filled, table.shift, table.width
        np.add(table.buckets, np.uint32(first), out=buckets[filled : filled + len(table.buckets)])
        part = contexts[first : first + len(table.contexts)]
        part[:] = table.contexts
        # Odd values name records, which move.
        part[part & 1 == 1] += 2 * records
        filled += len(table.buckets)
        first += len(table.contexts)
        records += len(table.records)
    joined = np.concatenate([table.records for table in tables])
    return Counts(
        widths,
        field_bits(widths),
        EXACT_DELTA if has_weights else ONLY_DELTA,
        places,
        buckets,
        contexts,
        joined,
        np.concatenate([table.weighted_records for table in tables]) if has_weights else joined,
    )


# Count tables that are sums of finer ones (the footnote to section 2.4: C over all words of the vocabulary).
#
# A table whose fields all follow from those of another table of the same factor need not be counted, nor kept in a
# packed model: its contexts are those of the finer table with some fields left out, and its η and δ are their sums.
# Which tables these are follows from the list of specifications (:mod:`engine.counts.specifications_layout`).

THREADS = 2
"""How many tables are summed up at a time; sorting leaves Python alone meanwhile, so that a window stays alive."""
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
    return field in fields or field == NO_FIELD or (bool(FIELDS[field].answers) and DISTANCE in fields)


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
        answers = np.array(FIELDS[field].answers, np.int64)
        return answers[self[DISTANCE]]

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


# Contents of a count table: every context with its δ, and every outcome of it with its η.
#
# A table keeps every key exactly (:mod:`engine.counts.lookup_kernel`), permuted by a multiplication that can be undone.


class TableContexts(NamedTuple):
    """The contexts of one table.

    Attributes
    ----------
    keys
        The key of every context.
    deltas
        Its δ.
    records
        Where its record is among those of the counts; −1 if it has none, for nothing was counted in it.
    """

    keys: Int64Array
    deltas: Int64Array
    records: Int64Array


class TableOutcomes(NamedTuple):
    """The outcomes of all contexts of one table: the place of the context among them, the outcome, and η."""

    places: Int64Array
    outcomes: Int32Array
    etas: Int32Array


def table_contexts(counts: Counts, table: int) -> TableContexts:
    """Take every context out of a table."""
    first, shift, width = counts.places[table].tolist()
    borders = counts.buckets[first : first + (1 << (width - shift)) + 1].astype(np.int64)
    part = counts.contexts[borders[0] : borders[-1]]
    buckets = np.repeat(np.arange(len(borders) - 1, dtype=np.int64), np.diff(borders))
    permuted = ((buckets << shift) | (part >> VALUE_BITS)).astype(np.uint64)
    with np.errstate(over="ignore"):
        keys = permuted * np.uint64(pow(MULTIPLIER, -1, 1 << 64))
    keys &= np.uint64((1 << width) - 1)
    values = part & VALUE_MASK
    counted = values & 1 == 1
    records = np.where(counted, values >> 1, -1)
    deltas = (values >> counts.empty.shift) & counts.empty.mask
    deltas[counted] = counts.records[records[counted]]
    return TableContexts(keys.astype(np.int64), deltas, records)


def table_outcomes(counts: Counts, found: TableContexts) -> TableOutcomes:
    """Take every outcome of these contexts out of their table."""
    places = np.flatnonzero(found.records >= 0)
    starts = found.records[places] + 2
    sizes = counts.records[starts - 1].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)])
    at = np.repeat(starts - 2 * first[:-1], sizes) + 2 * np.arange(first[-1])
    return TableOutcomes(np.repeat(places, sizes), counts.records[at], counts.records[at + 1])


def counted_table(counts: Counts, table: int) -> CountedTable:
    """Take a whole table out of the counts, as counted and as weighted."""
    contexts = table_contexts(counts, table)
    places, outcomes, etas = table_outcomes(counts, contexts)
    deltas = weighted_deltas = contexts.deltas.astype(np.int32)
    weighted_etas = etas
    if counts.has_weights:
        weighted_deltas = table_contexts(counts.weighted, table).deltas.astype(np.int32)
        weighted_etas = table_outcomes(counts.weighted, contexts).etas
    return CountedTable(contexts.keys, deltas, weighted_deltas, places, outcomes, etas, weighted_etas)


def same_counts(one: Counts, other: Counts) -> bool:
    """Tell whether the tables of two models are the same, as counted and as weighted."""
    arrays = ("places", "buckets", "contexts", "records", "weighted_records")
    return (one.widths, one.empty) == (other.widths, other.empty) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays
    )


def known_tables(counts: Counts, names: Sequence[str]) -> Counts:
    """The counts of a file that has tables of these names, with the tables of this program in their order.

    A table that the file does not have is empty, so that nothing was ever counted in it; one that this program does
    not know is left out.
    """
    own = [table.name for table in TABLES]
    rows = dict(zip(names, counts.places.tolist(), strict=True))
    if list(rows) == own:
        return counts
    # The last border of one table and the first of the next are the same: between them is nothing.
    nowhere = int(counts.places[1, 0]) - 1
    places = []
    for number, name in enumerate(own):
        width = key_width(counts.widths, number)
        places.append(rows.get(name, [nowhere, width, width]))
    return counts._replace(places=np.array(places, np.int64))


# Pruning: a compact model leaves out contexts that hardly change an estimate (the manual tells what that costs).
#
# By far the most contexts were seen once or twice and nothing was counted in them: two words that stood in one
# sentence and had nothing to do with each other.  Such a context only says that its estimate is 0 with little weight;
# without it the coarser level speaks alone.  So the estimates of a compact model are not the paper's.

COMPACT: Mapping[int, Least] = {number: table.compact for number, table in enumerate(TABLES)}
"""What a compact model keeps of every table."""
_EVERYTHING = Least(1, 1)


def prune(counts: Counts, least: Mapping[int, Least] = COMPACT) -> Counts:
    """The counts without the contexts that `least` does not keep."""
    kept = {table: partial(_pruned, counts, table, least.get(table, _EVERYTHING)) for table in range(len(TABLES))}
    return all_tables(kept, counts.widths)


def _pruned(counts: Counts, number: int, least: Least) -> CountedTable:
    table = counted_table(counts, number)
    counted = np.zeros(len(table.keys), bool)
    counted[table.places] = True
    return table.only(table.deltas >= np.where(counted, least.counted, least.without))
