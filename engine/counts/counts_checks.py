"""Whether the counts of a model file are such as kernels may look into, whoever wrote the file.

Kernels look into these arrays without asking whether a place is inside them.  What they rely on is here, and is checked
once when a model is opened:

* The tables stand one after the other.  A key of w bits leads to one of 2^(w − shift) buckets, all of which are there,
  and every bucket to contexts that are there; no bucket holds more than a few hundred, however slow a look-up may be.
* No context is negative, and those of a bucket increase.
* Records stand one after the other in the order of the contexts that name them, so that each is inside and none
  overlaps another.
* The outcomes of a record increase and are all below the number of triples, labels, gap tags or phrases: rows of
  scratch have as many places.
* Every η is at least 1 and all of a record are at most δ, so that no estimate is more than 1 or no number at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.common.arrays import AnyArray, Int32Array, Int64Array
from engine.common.errors import DamagedPart
from engine.counts.corpus import Vocabulary
from engine.counts.counted_table import MOST_BUCKET_BITS, MOST_KEY_BITS
from engine.counts.counts_layout import REMAINDER_BITS, VALUE_BITS, VALUE_MASK, Counts, Widths
from engine.counts.keys import key_width, take_apart, widths_of
from engine.counts.specifications_layout import FIELDS, TABLES, CountedFactor, FieldKind
from engine.structure.structure_layout import GAP_TAGS

FULLEST_BUCKET = 256
"""Contexts in one bucket at most; the fullest of ``english`` has 16."""
MOST_OUTCOMES = 1024
"""Outcomes of one context at most; ``english`` has one with 72."""
_TYPES = {
    "places": np.int64,
    "buckets": np.uint32,
    "contexts": np.int64,
    "records": np.int32,
    "weighted_records": np.int32,
}
_PART = 1 << 20
"""So many contexts are looked at a time, which then stay in the processor's cache."""


def check_counts(counts: Counts, names: Sequence[str], vocabulary: Vocabulary) -> None:
    """Raise :class:`DamagedPart` unless kernels may look into these counts; `names` are those of their tables."""
    for name, kind in _TYPES.items():
        array: AnyArray = getattr(counts, name)
        if array.dtype != kind or array.ndim != (2 if name == "places" else 1):
            raise _damaged(name, "they have the wrong type or shape")
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
