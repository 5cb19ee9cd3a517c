"""Tables as CSV or TSV that any spreadsheet opens and none takes for formulas; one convention for terminal and window.

A text that a spreadsheet would compute has an apostrophe before it: ``=1+1`` is written ``'=1+1``, and the word
``-LRB-`` is written ``'-LRB-``, because a spreadsheet shows an error in its place otherwise.  So that a reader can undo
this (:func:`cell_text`), a text that looks like that already, ``'=1+1``, gets one more.  Numbers are written as they
are, also those that come as text, and so is every other text: ``'s`` stays ``'s``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from engine.common.characters import made_text

CSV_DELIMITER, TSV_DELIMITER = ",", "\t"
Cell = str | int | float | None
_NUMBER = re.compile(r"[+-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?")
_FORMULA = re.compile(r"'*[\s\0]*[=+\-@\t\r\n＝＋－＠]")
"""What a spreadsheet takes for the beginning of a formula, and what looks like that with apostrophes before it."""


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = CSV_DELIMITER) -> str:
    """A table as CSV, or with tabs: its header and its rows, no cell of which is a formula."""
    return "".join(csv_line(row, delimiter) for row in (header, *rows))


def csv_line(row: Iterable[Cell], delimiter: str = CSV_DELIMITER) -> str:
    """One row of a table, with its line end."""
    line = io.StringIO()
    # A cell with one of the characters of a line's end is quoted.
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow([safe_cell(cell) for cell in row])
    return line.getvalue().removesuffix("\r\n") + "\n"


def clipboard_line(row: Iterable[Cell]) -> str:
    """One row as a spreadsheet takes it from the clipboard, where nothing is quoted: without its line end."""
    return "\t".join(" ".join(str(safe_cell(cell)).split()) for cell in row)


def safe_cell(cell: Cell) -> str | int | float:
    """A cell as it is written: numbers as they are, nothing as nothing, no text as a formula."""
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return cell
    text = made_text(cell)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def cell_text(written: str) -> str:
    """The text of a cell that was read from a table: the apostrophe taken off that :func:`safe_cell` put before it."""
    unquoted = written[1:]
    return unquoted if written.startswith("'") and safe_cell(unquoted) == written else written
