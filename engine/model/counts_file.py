"""The counts in a model file, as the arrays that kernels look into or packed, and their checks, whoever wrote the
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, Int32Array, Int64Array
from engine.common.errors import DamagedPart
from engine.counts.contexts import field_bits, key_width, pack, take_apart, widest_key, widths_of
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import EXACT_DELTA, ONLY_DELTA, REMAINDER_BITS, VALUE_BITS, VALUE_MASK, Counts, Widths
from engine.counts.specifications_layout import FIELDS, TABLES, UNNAMED_TABLES, CountedFactor, FieldKind
from engine.counts.tables import (
    MOST_BUCKET_BITS,
    MOST_KEY_BITS,
    CountedTable,
    all_tables,
    counted_table,
    counted_tables,
    empty_table,
    known_tables,
    mirror_fields,
    mirror_images,
    same_counts,
    source_of,
)
from engine.gate.checked_json import CheckedValue, ValueProblem
from engine.gate.stored_arrays import StoredArray, check_types
from engine.structure.sentence_layout import GAP_TAGS, HEAD_FIRST

# Whether the counts of a model file are such as kernels may look into, whoever wrote the file.
#
# Kernels look into these arrays without asking whether a place is inside them.  What they rely on is here, and is
# checked once when a model is opened:
#
# * The tables stand one after the other.  A key of w bits leads to one of 2^(w − shift) buckets, all of which are
#   there,
#   and every bucket to contexts that are there; no bucket holds more than a few hundred, however slow a look-up may be.
# * No context is negative, and those of a bucket increase.
# * Records stand one after the other in the order of the contexts that name them, so that each is inside and none
#   overlaps another.
# * The outcomes of a record increase and are all below the number of triples, labels, gap tags or phrases: rows of
#   scratch have as many places.
# * Every η is at least 1 and all of a record are at most δ, so that no estimate is more than 1 or no number at all.

FULLEST_BUCKET = 256
"""Contexts in one bucket at most; the fullest of ``english`` has 16."""
MOST_OUTCOMES = 1024
"""Outcomes of one context at most; ``english`` has one with 72."""
ARRAYS = (
    StoredArray("places", np.int64, "where the buckets of every table start, and how wide its keys are", dimensions=2),
    StoredArray("buckets", np.uint32, "where the contexts of every bucket start"),
    StoredArray("contexts", np.int64, "of every context the rest of its key, and δ or the place of its record"),
    StoredArray("records", np.int32, "δ of a context, its outcomes and their η"),
    StoredArray("weighted_records", np.int32, "the same as preset (5) weighs treebanks", optional=True),
)
"""The arrays of the counts in a model file, and in :class:`engine.counts.counts_layout.Counts`."""
_PART = 1 << 20
"""So many contexts are looked at a time, which then stay in the processor's cache."""


def check_counts(counts: Counts, names: Sequence[str], vocabulary: Vocabulary) -> None:
    """Raise :class:`DamagedPart` unless kernels may look into these counts; `names` are those of their tables."""
    try:
        check_types(ARRAYS, counts_arrays(counts))
    except ValueProblem as problem:
        raise DamagedPart(f"its counts are damaged: {problem}") from problem
    if counts.widths != widths_of(vocabulary):
        raise _damaged("widths", "they are not those of its words, tags and labels")
    if len(set(names)) != len(names) or len(names) < 2 or counts.places.shape != (len(names), 3):
        raise _damaged("places", "there are not as many as tables")
    tables = _table_borders(counts, names)
    _check_buckets(counts, tables)
    heads, head_borders = _record_heads(counts, tables)
    outcomes = _check_records("records", counts.records, heads, head_borders, names, vocabulary)
    if counts.has_weights:
        weighted = _check_records("weighted_records", counts.weighted_records, heads, head_borders, names, vocabulary)
        if not np.array_equal(outcomes, weighted):
            raise _damaged("weighted_records", "their outcomes are not those of the records")


def check_names(widths: Widths, table: int, keys: Int64Array, vocabulary: Vocabulary) -> None:
    """Raise :class:`DamagedPart` unless words, tags and labels of all keys of a table are the vocabulary's.

    For who is going to name them.  Kernels never do: a key that no sentence has is never found.
    """
    tags = len(vocabulary.tags)
    limits = {
        FieldKind.WORD: len(vocabulary.words),
        FieldKind.TAG: tags,
        FieldKind.EDGE: tags + 1,
        FieldKind.LABEL: len(vocabulary.labels),
        FieldKind.NEIGHBOUR: 2 * tags + 2,
    }
    for field, column in take_apart(widths, table, keys).items():
        limit = limits.get(FIELDS[field].kind)
        if limit is not None and len(column) and int(column.max()) >= limit:
            raise _damaged("contexts", f"one of the table {TABLES[table].name} names what the model does not know")


def _damaged(name: str, problem: str) -> DamagedPart:
    return DamagedPart(f"its counts are damaged ({name}: {problem})")


def _table_borders(counts: Counts, names: Sequence[str]) -> Int64Array:
    """Where the buckets of every table start, and where those of the last end."""
    known = {table.name: number for number, table in enumerate(TABLES)}
    borders = [0]
    for name, (first, shift, width) in zip(names, counts.places.tolist(), strict=True):
        bits = width - shift
        wanted = key_width(counts.widths, known[name]) if name in known else width
        fits = 0 <= shift <= REMAINDER_BITS and 0 <= bits <= MOST_BUCKET_BITS and width <= MOST_KEY_BITS
        if first != borders[-1] or not fits or width != wanted:
            raise _damaged("places", f"they do not fit the table {name}")
        borders.append(first + (1 << bits) + 1)
    if borders[-1] != len(counts.buckets):
        raise _damaged("buckets", "there are more or fewer than its tables have")
    return np.array(borders, np.int64)


def _check_buckets(counts: Counts, tables: Int64Array) -> None:
    buckets = counts.buckets
    # Differences of unsigned numbers: where they do not increase the difference is very large.
    if buckets[0] != 0 or buckets[-1] != len(counts.contexts) or bool(np.any(np.diff(buckets) > FULLEST_BUCKET)):
        raise _damaged("buckets", "they do not fit its contexts")
    # Where one table ends the next begins.
    if not np.array_equal(buckets[tables[1:-1] - 1], buckets[tables[1:-1]]):
        raise _damaged("buckets", "they do not fit its tables")


def _record_heads(counts: Counts, tables: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Where the records start that contexts name, and which of them is the first of every table."""
    contexts = counts.contexts
    if not len(contexts):
        raise _damaged("contexts", "there are none")
    starts = np.zeros(len(contexts) + 1, bool)
    starts[counts.buckets] = True
    borders = np.append(counts.buckets[tables[:-1]], len(contexts)).tolist()
    heads: list[Int64Array] = [np.empty(0, np.int64)]
    found = 0
    head_borders = [0]
    for table, shift in enumerate(counts.places[:, 1].tolist()):
        for begin in range(borders[table], borders[table + 1], _PART):
            # One more than its own, so that every two side by side are compared.
            part = contexts[begin : min(begin + _PART + 1, borders[table + 1])]
            remainders = part >> VALUE_BITS
            if int(remainders.min()) < 0 or int(remainders.max()) >> shift:
                raise _damaged("contexts", "they have other bits than their table")
            rising = remainders[1:] > remainders[:-1]
            rising |= starts[begin + 1 : begin + len(part)]
            if not rising.all():
                raise _damaged("contexts", "those of a bucket do not increase")
            values = part[:_PART]
            named = values[values & 1 == 1] & VALUE_MASK
            named >>= 1
            heads.append(named)
            found += len(named)
        head_borders.append(found)
    return np.concatenate(heads), np.array(head_borders, np.int64)


def _check_records(
    name: str,
    records: Int32Array,
    heads: Int64Array,
    head_borders: Int64Array,
    names: Sequence[str],
    vocabulary: Vocabulary,
) -> Int32Array:
    """Check the records that start where `heads` says; return what is not counted in them: sizes and outcomes."""
    whole = len(records)
    if whole % 2 or bool(np.any(heads & 1)) or bool(np.any(heads[1:] <= heads[:-1])):
        raise _damaged(name, "their places do not increase")
    if bool(len(heads)) != bool(whole) or (whole and (heads[0] != 0 or heads[-1] >= whole)):
        raise _damaged(name, "their places are outside")
    # By twos: δ and the number of outcomes first, then each outcome and its η.
    pairs = records.reshape(-1, 2)
    heads = heads >> 1
    ends = np.append(heads[1:], len(pairs))
    sizes = pairs[heads, 1]
    if int(sizes.max(initial=0)) > MOST_OUTCOMES or not np.array_equal(heads + 1 + sizes, ends):
        raise _damaged(name, "their sizes do not fit")
    is_head = np.zeros(len(pairs), bool)
    is_head[heads] = True
    outcomes: Int32Array = pairs[:, 0].copy()
    etas: Int32Array = pairs[:, 1].copy()
    deltas = outcomes[heads]
    etas[heads] = 1
    if len(etas) and int(etas.min()) < 1:
        raise _damaged(name, "a count is not positive")
    etas[heads] = 0
    sums = np.concatenate([[0], np.cumsum(etas, dtype=np.int64)])
    if bool(np.any(sums[ends] - sums[heads] > deltas)):
        raise _damaged(name, "outcomes were counted more often than their context")
    rising = outcomes[1:] > outcomes[:-1]
    rising |= is_head[1:]
    rising |= is_head[:-1]
    if not rising.all():
        raise _damaged(name, "the outcomes of a context do not increase")
    limits = _outcome_limits(vocabulary)
    borders = np.append(heads, len(pairs))[head_borders].tolist()
    for number, table in enumerate(names):
        first, end = borders[number], borders[number + 1]
        lowest, limit = limits.get(table, (0, np.iinfo(np.int32).max))
        part = np.where(is_head[first:end], lowest, outcomes[first:end])
        if len(part) and not lowest <= int(part.min()) <= int(part.max()) <= max(limit - 1, lowest):
            raise _damaged(name, f"an outcome of the table {table} is none that the model knows")
        if limit <= lowest and not is_head[first:end].all():
            raise _damaged(name, f"the table {table} has outcomes of which the model knows none")
    outcomes[heads] = sizes
    return outcomes


def _outcome_limits(vocabulary: Vocabulary) -> dict[str, tuple[int, int]]:
    """By name of a table its lowest outcome, and one more than its highest."""
    limits = {
        CountedFactor.DEPENDENCY: (0, len(vocabulary.triples)),
        CountedFactor.GAP: (0, GAP_TAGS),
        CountedFactor.UNARY: (0, len(vocabulary.labels)),
        CountedFactor.ROOT: (0, len(vocabulary.labels)),
        CountedFactor.SPAN: (1, 1 + len(vocabulary.phrases)),
    }
    return {table.name: limits[table.factor] for table in TABLES}


# Whether packed counts can be unpacked in bounded memory, whoever packed them.
#
# Unpacking is done with numpy, which stays inside its arrays; but it repeats contexts as often as `sizes` says, and
# sums every coarser table up from a finer one.  What comes of it is checked like any other counts
# (:mod:`engine.model.counts_file`).

LARGEST_COUNTS = 1 << 33
COUNTS_RATIO, COUNTS_ALWAYS = 32, 1 << 28
"""All tables together may have so many bytes in memory, as far as that can be told beforehand: so many times those of
the arrays that they are made from, and as many as the last number in any case.

Of ``english`` 10 times as many are expected, and half of that comes of it."""
_PACKED_TYPES = (np.uint8, np.uint16, np.uint32, np.uint64)


def check_packed_table(name: str, keys: Sequence[AnyArray], parts: Mapping[str, AnyArray], images: int) -> None:
    """Raise :class:`DamagedPart` unless the arrays of one table belong together.

    Parameters
    ----------
    name
        What the table is called.
    keys
        The columns of its keys.
    parts
        ``deltas``, ``sizes``, ``outcomes`` and ``etas``; those that weights add have names that end in these.
    images
        How many contexts there are for each that is stored: 2 if it has its mirror image, else 1.
    """
    for array in (*keys, *parts.values()):
        if array.dtype not in _PACKED_TYPES or array.ndim != 1:
            raise _packed_wrongly(name, "they have the wrong type or shape")
    stored, outcomes = len(keys[0]), len(parts["outcomes"])
    lengths = {"deltas": stored, "sizes": images * stored, "outcomes": outcomes, "etas": outcomes}
    wanted = [lengths[part.rpartition("-")[2]] for part in parts]
    if [len(array) for array in parts.values()] != wanted or any(len(column) != stored for column in keys):
        raise _packed_wrongly(name, "their arrays differ in length")
    largest = np.iinfo(np.int32).max
    if any(int(parts[part].max(initial=0)) > largest for part in parts):
        raise _packed_wrongly(name, "they have numbers that are too large")
    sizes = parts["sizes"]
    if int(sizes.max(initial=0)) > outcomes or int(sizes.sum(dtype=np.uint64)) != outcomes:
        raise _packed_wrongly(name, "their sizes do not fit their outcomes")


def check_fields(name: str, columns: Sequence[AnyArray], bits: Sequence[int]) -> None:
    """Raise :class:`DamagedPart` unless every field of a table's keys has no more than its bits."""
    for column, width in zip(columns, bits, strict=True):
        if len(column) and not 0 <= int(column.min()) <= int(column.max()) < 1 << width:
            raise _packed_wrongly(name, "their keys have too many bits")


def check_memory(contexts: Mapping[int, tuple[int, int]], stored: int, widths: Widths, weighted: bool) -> None:
    """Raise :class:`DamagedPart` if the tables would take more memory than they may.

    `contexts` has how many contexts and outcomes the stored tables have, of `stored` bytes in all; a table that is
    summed up has no more.
    """
    size = 0
    for table in range(len(TABLES)):
        source: int | None = table
        while source is not None and source not in contexts:
            source = source_of(source)
        number, outcomes = contexts[source] if source is not None else (0, 0)
        width = key_width(widths, table)
        # There are no more contexts than keys.
        number = min(number, 1 << width)
        size += 4 << max(width - REMAINDER_BITS, 0)
        size += 12 * number + 8 * (min(number, outcomes) + outcomes) * (1 + weighted)
    if size > min(LARGEST_COUNTS, max(COUNTS_ALWAYS, COUNTS_RATIO * stored)):
        raise DamagedPart(f"its counts would take {size:,} bytes of memory, far more than those of a treebank")


def _packed_wrongly(name: str, problem: str) -> DamagedPart:
    return DamagedPart(f"its packed counts of {name} are damaged: {problem}")


# Packing counts without loss, for a model file that is sent around, and unpacking them.
#
# Most of what a model keeps in memory need not be stored:
#
# * Coarser tables are sums of finer ones (:mod:`engine.counts.tables`) and are summed up again.
# * Of two words that stood in one sentence each was a possible modifier of the other, at the same distance but for the
#   order.  So every context of both words has a mirror image with the same δ, and half of them are enough.
# * Contexts are sorted by their keys and stored field by field, each as its difference from the one before where all
#   fields before it are equal.  Such columns are small numbers, mostly zeros, which LZMA packs to a few bits each.
#
# The counts of a compact model are not sums of one another: its tables are stored one by one.

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
    check_fields(TABLES[number].name, columns, field_bits(widths)[list(fields)].tolist())
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


# The counts in a model file: as the arrays that kernels look into, or packed (:mod:`engine.model.counts_file`).

_PACKED_PREFIX = "counts/"
_WIDTHS, _PACKED, _WEIGHTED, _TABLES = "widths", "packed_counts", "weighted", "tables"


def stored_counts(counts: Counts, packed: bool, exact: bool) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Metadata and arrays of a model file that hold the counts; `exact` if nothing was left out of them."""
    metadata: dict[str, Any] = {_WIDTHS: counts.widths}
    if packed:
        metadata[_PACKED], arrays = pack_counts(counts, exact)
        return metadata, {_PACKED_PREFIX + name: array for name, array in arrays.items()}
    if counts.has_weights:
        metadata[_WEIGHTED] = True
    names = [table.name for table in TABLES]
    if names != list(UNNAMED_TABLES):
        metadata[_TABLES] = names
    return metadata, counts_arrays(counts)


def counts_arrays(counts: Counts) -> dict[str, AnyArray]:
    """The arrays of the counts by name."""
    return {one.name: getattr(counts, one.name) for one in ARRAYS if counts.has_weights or not one.optional}


def unpacked(metadata: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Metadata and arrays of the same model with its counts unpacked, if they were packed.

    Raise :class:`DamagedPart` if they cannot be.
    """
    if _PACKED not in metadata:
        return dict(metadata), dict(arrays)
    widths = _read_widths(metadata)
    description = CheckedValue(metadata[_PACKED], _PACKED)
    description.member("tables").each(CheckedValue.text)
    for name in ("exact", "weighted"):
        description.member(name).flag()
    packed = {name.removeprefix(_PACKED_PREFIX): arrays[name] for name in arrays if name.startswith(_PACKED_PREFIX)}
    # Only the tables are of interest here: all of them are there now.
    try:
        counts = unpack_counts(metadata[_PACKED], packed, widths)
    except KeyError as missing:
        raise DamagedPart(f"the array {missing} is missing") from missing
    stored, stored_arrays = stored_counts(counts, False, True)
    others = {name: array for name, array in arrays.items() if not name.startswith(_PACKED_PREFIX)}
    kept = {name: value for name, value in metadata.items() if name != _PACKED}
    return kept | stored, others | stored_arrays


def read_counts(metadata: Mapping[str, Any], arrays: Mapping[str, AnyArray], vocabulary: Vocabulary | None) -> Counts:
    """The counts of a model file that is not packed.

    Raise :class:`DamagedPart` if they are not those of this vocabulary; without one, for a file that was checked
    before, they are not looked at.
    """
    stored = CheckedValue(metadata)
    weighted = (flag := stored.optional(_WEIGHTED)) is not None and flag.flag()
    names = UNNAMED_TABLES
    if (tables := stored.optional(_TABLES)) is not None:
        names = tables.each(CheckedValue.text)
    own: dict[str, Any] = {}
    for one in ARRAYS:
        if weighted or not one.optional:
            if one.name not in arrays:
                raise DamagedPart(f"the array {one.name} is missing")
            own[one.name] = arrays[one.name]
    delta = EXACT_DELTA if weighted else ONLY_DELTA
    widths = _read_widths(metadata)
    counts = Counts(widths, field_bits(widths), delta, **{"weighted_records": own["records"], **own})
    if vocabulary is not None:
        check_counts(counts, names, vocabulary)
    return known_tables(counts, names)


def _read_widths(metadata: Mapping[str, Any]) -> Widths:
    """The widths of the keys, if all tables can be looked up by keys of such widths."""
    value = CheckedValue(metadata).member(_WIDTHS)
    widths = Widths(*(width.integer(0, MOST_KEY_BITS) for width in value.items(3, 3)))
    if widest_key(widths) > REMAINDER_BITS + MOST_BUCKET_BITS:
        value.fail("such that keys have room for them")
    return widths
