"""Tables as CSV or TSV that any spreadsheet opens, and none takes for formulas; no Qt."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""
Cell = str | int | float | None


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> str:
    """A table as CSV, or with tabs; a text that a spreadsheet would compute has an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def safe_cell(cell: Cell) -> str | int | float:
    """A cell as it is written: numbers as they are, nothing as nothing, no text as a formula."""
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
