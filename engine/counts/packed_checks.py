"""Whether packed counts can be unpacked in bounded memory, whoever packed them.

Unpacking is done with numpy, which stays inside its arrays; but it repeats contexts as often as `sizes` says, and sums
every coarser table up from a finer one.  What comes of it is checked like any other counts
(:mod:`engine.counts.counts_checks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.common.arrays import AnyArray
from engine.common.errors import DamagedPart
from engine.counts.coarser_tables import source_of
from engine.counts.counts_layout import REMAINDER_BITS, Widths
from engine.counts.keys import key_width
from engine.counts.specifications_layout import TABLES

LARGEST_COUNTS = 1 << 33
COUNTS_RATIO, COUNTS_ALWAYS = 32, 1 << 28
"""All tables together may have so many bytes in memory, as far as that can be told beforehand: so many times those of
the arrays that they are made from, and as many as the last number in any case.

Of ``english`` 10 times as many are expected, and half of that comes of it."""
_TYPES = (np.uint8, np.uint16, np.uint32, np.uint64)


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
        if array.dtype not in _TYPES or array.ndim != 1:
            raise _damaged(name, "they have the wrong type or shape")
    stored, outcomes = len(keys[0]), len(parts["outcomes"])
    lengths = {"deltas": stored, "sizes": images * stored, "outcomes": outcomes, "etas": outcomes}
    wanted = [lengths[part.rpartition("-")[2]] for part in parts]
    if [len(array) for array in parts.values()] != wanted or any(len(column) != stored for column in keys):
        raise _damaged(name, "their arrays differ in length")
    largest = np.iinfo(np.int32).max
    if any(int(parts[part].max(initial=0)) > largest for part in parts):
        raise _damaged(name, "they have numbers that are too large")
    sizes = parts["sizes"]
    if int(sizes.max(initial=0)) > outcomes or int(sizes.sum(dtype=np.uint64)) != outcomes:
        raise _damaged(name, "their sizes do not fit their outcomes")


def check_fields(name: str, columns: Sequence[AnyArray], bits: Sequence[int]) -> None:
    """Raise :class:`DamagedPart` unless every field of a table's keys has no more than its bits."""
    for column, width in zip(columns, bits, strict=True):
        if len(column) and not 0 <= int(column.min()) <= int(column.max()) < 1 << width:
            raise _damaged(name, "their keys have too many bits")


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


def _damaged(name: str, problem: str) -> DamagedPart:
    return DamagedPart(f"its packed counts of {name} are damaged: {problem}")
