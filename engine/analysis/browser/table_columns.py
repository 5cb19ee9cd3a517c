"""The tables of a model as columns, taken apart once: what questions to it are answered from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.analysis.browser.browser_query import Term
from engine.analysis.browser.findings import Cell, FoundTable, cells_of
from engine.analysis.evidence.counted import Counted
from engine.common.arrays import BoolArray, Int64Array, IntArray
from engine.counts.counts_checks import check_names
from engine.counts.keys import unpack
from engine.counts.table_contents import TableContexts, table_contexts, table_outcomes
from engine.model.model import Model

MOST_ROWS = 2000
"""A table holds no more rows than this, the most frequent ones."""
NEVER = -2


@dataclass(frozen=True)
class TableColumns:
    """One count table: its contexts, and what was counted in them.

    Attributes
    ----------
    table
        Its number.
    contexts
        Keys, δ and records.
    parts
        The numbers in every key, by name (:data:`engine.counts.specifications_layout.FIELDS`).
    places, outcomes, etas
        For every event its context, its outcome and η.
    """

    table: int
    contexts: TableContexts
    parts: dict[str, Int64Array]
    places: IntArray
    outcomes: IntArray
    etas: IntArray

    def where(self, **wanted: int | None) -> BoolArray:
        """The contexts whose parts are these; ``None`` for any.  Blanks in names are written as ``_``."""
        mask = np.ones(len(self.contexts.keys), bool)
        for name, number in wanted.items():
            if number is not None:
                mask &= self.parts[name.replace("_", " ")] == number
        return mask


def table_columns(model: Model, table: int) -> TableColumns:
    """Take one table apart; raise :class:`ModelError` if it names what the model does not know."""
    found = table_contexts(model.counts, table)
    check_names(model.counts.widths, table, found.keys, model.vocabulary)
    counted = table_outcomes(model.counts, found)
    parts = unpack(model.counts.widths, table, found.keys)
    return TableColumns(table, found, parts, counted.places, counted.outcomes, counted.etas.astype(np.int64))


def number_of(numbers: dict[str, int], value: str | None) -> int | None:
    """A word's or tag's number; ``None`` for any, and one that nothing has for one that is not there."""
    return None if value is None else numbers.get(value, NEVER)


def numbers_of(model: Model, term: Term) -> tuple[int | None, int | None]:
    """Word and tag of a term as numbers."""
    return number_of(model.word_numbers, term.word), number_of(model.tag_numbers, term.tag)


class Grouped:
    """Counts added up over equal values of some columns, the greatest first.

    Parameters
    ----------
    columns
        Numbers that tell the groups apart, not negative.
    counts
        What is added up.
    """

    def __init__(self, columns: Sequence[IntArray], counts: IntArray) -> None:
        joint = np.zeros(len(counts), np.int64)
        for column in columns:
            joint = joint * (int(column.max(initial=0)) + 1) + column
        self._joint = joint
        values, first, inverse = np.unique(joint, return_index=True, return_inverse=True)
        sums = np.bincount(inverse, counts, len(values)).astype(np.int64)
        # Equal counts stay in the order of the numbers, which is that of the alphabet.
        order = np.argsort(-sums, kind="stable")
        self.total = len(values)
        self.order = order[:MOST_ROWS]
        self.sums = sums[self.order]
        self._first = first[self.order]
        self._values = values[self.order]

    def column(self, values: IntArray) -> list[int]:
        """The value that a column has in every group."""
        found: list[int] = values[self._first].tolist()
        return found

    def members(self, row: int) -> IntArray:
        """The places of one group."""
        return np.flatnonzero(self._joint == self._values[row])

    def summed(self, counts: IntArray) -> list[int]:
        """Other counts added up over the same groups."""
        _, inverse = np.unique(self._joint, return_inverse=True)
        sums: list[int] = np.bincount(inverse, counts, self.total).astype(np.int64)[self.order].tolist()
        return sums


def grouped_table(
    name: str,
    header: Sequence[str],
    grouped: Grouped,
    columns: Sequence[Sequence[Cell]],
    counted: Callable[[IntArray], Counted | None],
    note: str = "",
) -> FoundTable:
    """A table of groups; `counted` makes a group's count from its members."""

    def source(row: int) -> Counted | None:
        return counted(grouped.members(row))

    return FoundTable(name, tuple(header), cells_of(columns), grouped.total, note, source)
