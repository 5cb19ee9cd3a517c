"""The counts in a model file: as the arrays that kernels look into, or packed (:mod:`engine.counts.packing`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.common.arrays import AnyArray
from engine.common.checked_json import CheckedValue
from engine.common.errors import DamagedPart
from engine.counts.corpus import Vocabulary
from engine.counts.counted_table import MOST_BUCKET_BITS, MOST_KEY_BITS
from engine.counts.counts_checks import check_counts
from engine.counts.counts_layout import EXACT_DELTA, ONLY_DELTA, REMAINDER_BITS, Counts, Widths
from engine.counts.keys import widest_key
from engine.counts.packing import pack_counts, unpack_counts
from engine.counts.specifications_layout import TABLES, UNNAMED_TABLES
from engine.counts.table_contents import known_tables

ARRAYS = ("places", "buckets", "contexts", "records")
WEIGHTED_ARRAY = "weighted_records"
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
    names = (*ARRAYS, WEIGHTED_ARRAY) if counts.has_weights else ARRAYS
    return {name: getattr(counts, name) for name in names}


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
    for name in (*ARRAYS, WEIGHTED_ARRAY) if weighted else ARRAYS:
        if name not in arrays:
            raise DamagedPart(f"the array {name} is missing")
    places, buckets, contexts, records = (arrays[name] for name in ARRAYS)
    weighted_records = arrays[WEIGHTED_ARRAY] if weighted else records
    delta = EXACT_DELTA if weighted else ONLY_DELTA
    counts = Counts(_read_widths(metadata), delta, places, buckets, contexts, records, weighted_records)
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
