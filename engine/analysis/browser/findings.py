"""Answers of the model browser: named tables of counts, and how they are written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.analysis.evidence.counted import Counted
from engine.common.csv_text import CSV_DELIMITER, csv_line, csv_text
from engine.common.text_tables import text_table

Cell = str | int
"""A cell of a table: words, or a count."""


def _nothing(row: int) -> Counted | None:
    return None


@dataclass(frozen=True)
class FoundTable:
    """One table, the most frequent first.

    Attributes
    ----------
    name
        Its title: ``Heads of with``.
    header, rows
        Columns and cells; counts are numbers, so that a column sorts as it should.
    total
        How many rows there are in all: `rows` holds the most frequent of them.
    note
        What is to be known of its counts.
    source
        For a row's number the count behind it, whose training sentences can be shown; ``None`` if it has none.
    """

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int = 0
    note: str = ""
    source: Callable[[int], Counted | None] = field(default=_nothing, compare=False, repr=False)

    @property
    def right(self) -> tuple[int, ...]:
        """Columns of numbers."""
        return tuple(
            column
            for column in range(len(self.header))
            if self.rows and all(isinstance(row[column], int) for row in self.rows)
        )

    def first(self, most: int) -> FoundTable:
        """The table with its first rows alone."""
        return replace(self, rows=self.rows[:most], total=max(self.total, len(self.rows)))

    def text(self) -> str:
        """Write the table as aligned text."""
        cells = [tuple(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) for row in self.rows]
        lines = [self.name, "-" * len(self.name), text_table(self.header, cells, self.right)]
        left = max(self.total, len(self.rows)) - len(self.rows)
        if left:
            lines.append(f"… and {left:,} more")
        if self.note:
            lines.append(f"({self.note})")
        return "\n".join(lines)

    def separated(self, delimiter: str = CSV_DELIMITER) -> str:
        """Write the table as comma- or tab-separated values with a header."""
        return csv_text(self.header, self.rows, delimiter)

    def as_object(self) -> dict[str, object]:
        """Make an object for JSON."""
        return {
            "table": self.name,
            "rows": [dict(zip(self.header, row, strict=True)) for row in self.rows],
            "of": max(self.total, len(self.rows)),
            **({"note": self.note} if self.note else {}),
        }


@dataclass(frozen=True)
class Findings:
    """The answer to one question."""

    title: str
    remarks: tuple[str, ...]
    tables: tuple[FoundTable, ...]

    def first(self, most: int) -> Findings:
        """The same with the first rows of every table alone."""
        return replace(self, tables=tuple(table.first(most) for table in self.tables))

    def text(self) -> str:
        """Write the answer as text."""
        return "\n\n".join(["\n".join([self.title, *self.remarks]), *(table.text() for table in self.tables)])

    def as_object(self) -> dict[str, object]:
        """Make an object for JSON."""
        return {
            "asked": self.title,
            "remarks": list(self.remarks),
            "tables": [table.as_object() for table in self.tables],
        }

    def separated(self, delimiter: str = CSV_DELIMITER) -> str:
        """Write all tables, each after a line with its name and before an empty line."""
        return "\n".join(csv_line([table.name], delimiter) + table.separated(delimiter) for table in self.tables)


def cells_of(columns: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Columns as rows."""
    return tuple(zip(*columns, strict=True))
