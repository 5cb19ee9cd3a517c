"""Pruning: a compact model leaves out contexts that hardly change an estimate (the manual tells what that costs).

By far the most contexts were seen once or twice and nothing was counted in them: two words that stood in one
sentence and had nothing to do with each other.  Such a context only says that its estimate is 0 with little weight;
without it the coarser level speaks alone.  So the estimates of a compact model are not the paper's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from engine.counts.coarser_tables import all_tables
from engine.counts.counted_table import CountedTable
from engine.counts.counts_layout import Counts
from engine.counts.specifications_layout import TABLES, Least
from engine.counts.table_contents import counted_table

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
