"""Tables for spreadsheets: no cell is a formula, every cell can be read again, numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.characters import made_text
from engine.common.tables import (
    CSV_DELIMITER,
    TSV_DELIMITER,
    Block,
    Column,
    Table,
    cell_text,
    clipboard_line,
    csv_text,
    safe_cell,
)

FORMULAS = (
    "=cmd()",
    "+1+1",
    "-LRB-",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "－1+1",
    "＝1",
    "-2+3+cmd|' /C calc'!A0",
)
STARTS = tuple("=+-@\t\r\n＝＋－＠")
texts = st.one_of(
    st.sampled_from(FORMULAS),
    st.text(),
    st.builds(str.__add__, st.sampled_from(["'", "''", "=", "-", "'="]), st.text()),
)


@given(rows=st.lists(st.lists(texts, min_size=2, max_size=3), min_size=1, max_size=4), tabs=st.booleans())
def test_cells_come_back_and_none_is_a_formula(rows: list[list[str]], tabs: bool) -> None:
    delimiter = TSV_DELIMITER if tabs else CSV_DELIMITER
    written = list(csv.reader(io.StringIO(csv_text(["a"], rows, delimiter), newline=""), delimiter=delimiter))[1:]
    assert [[cell_text(cell) for cell in row] for row in written] == [[made_text(cell) for cell in row] for row in rows]
    for cell in (cell for row in written for cell in row):
        assert not cell.startswith(STARTS) or (cell[1:2].isdecimal() and "(" not in cell), cell


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_compute_has_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}" and cell_text(f"'{text}") == text
    assert safe_cell(f"'{text}") == f"''{text}" and cell_text(f"''{text}") == f"'{text}"


@pytest.mark.parametrize("text", ["-3.2", "−3.2", "+5", "-1e-05", "-12.5%", "1,466", "'s", "''", "", "a=b", "x-y"])
def test_numbers_and_other_words_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text == cell_text(text)


def test_the_tables_of_the_terminal_and_rows_for_the_clipboard_are_safe() -> None:
    table = Table("T", (Column("name", "name"), Column("n", "n")), (Block("=b", (("=cmd()", -3.2),)),))
    assert table.csv().split("\n")[1] == "'=b,'=cmd(),-3.2"
    assert clipboard_line(["=1", "a\tb\nc", -3, None]) == "'=1\ta b c\t-3\t"
