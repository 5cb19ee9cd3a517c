"""The tally of a class: nothing that was counted is lost, and no spreadsheet computes what a person wrote."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.tables import csv_text, safe_cell
from explorer.classroom.answers import TALLY_HEADER as HEADER
from explorer.classroom.answers import TalliedQuestion, Tally
from explorer.classroom.lesson import LessonError

# CSV of any sort takes a lone carriage return for the end of a line; texts of lessons have none.
TEXTS = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=20)


@st.composite
def tallied(draw: st.DrawFn) -> TalliedQuestion:
    """A question with its hands."""
    options = tuple(draw(st.lists(TEXTS, min_size=2, max_size=5)))
    count = len(options)
    share = st.none() | st.floats(0, 1)
    return TalliedQuestion(
        draw(TEXTS),
        draw(st.integers(1, 50)),
        draw(TEXTS),
        options,
        tuple(draw(st.lists(share, min_size=count, max_size=count))),
        tuple(draw(st.lists(st.integers(0, 300), min_size=count, max_size=count))),
        draw(st.integers(0, count - 1)),
        draw(st.none() | st.integers(0, count - 1)),
    )


@given(st.lists(tallied(), max_size=6))
def test_the_file_has_every_option_with_its_hands(asked: list[TalliedQuestion]) -> None:
    tally = Tally()
    for one in asked:
        tally.record(one)
    rows = list(csv.reader(io.StringIO(tally.csv())))
    assert rows[0] == list(HEADER)
    expected = [(one, place) for one in tally.questions for place in range(len(one.options))]
    assert len(rows) - 1 == len(expected)
    for row, (one, place) in zip(rows[1:], expected, strict=True):
        assert int(row[4]) == one.hands[place]
        assert row[3] == safe_cell(one.options[place])
        assert (row[7] == "yes") == (place == one.answer)
        assert (row[8] == "yes") == (place == one.gold)
        if one.shares[place] is not None:
            assert float(row[6]) == one.shares[place]


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), max_size=4))
def test_no_cell_is_a_formula_and_nothing_else_is_changed(table: list[list[str]]) -> None:
    for row, cells in zip(list(csv.reader(io.StringIO(csv_text(["a"], table))))[1:], table, strict=True):
        # A row of one empty cell is an empty row to some readers.
        for written, cell in zip(row or [""], cells, strict=True):
            assert not written.startswith(("=", "+", "-", "@", "\t"))
            assert written in (cell, f"'{cell}")


@pytest.mark.parametrize("text", ["=1+1", "+a", "-LRB-", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x")'])
def test_what_a_spreadsheet_would_compute_is_quoted(text: str) -> None:
    assert csv_text(["a"], [[text]]).splitlines()[1].lstrip('"').startswith("'")


def test_numbers_stay_numbers() -> None:
    assert csv_text(["a", "b", "c"], [[-3, 0.5, None]]) == "a,b,c\n-3,0.5,\n"


def test_a_question_asked_again_takes_the_place_of_the_first() -> None:
    tally = Tally()
    first = TalliedQuestion("lesson", 2, "?", ("a", "b"), (None, None), (1, 2), 0)
    other = TalliedQuestion("lesson", 3, "?", ("a", "b"), (None, None), (5, 5), 1)
    again = TalliedQuestion("lesson", 2, "?", ("a", "b"), (None, None), (4, 0), 0)
    for one in (first, other, again):
        tally.record(one)
    assert tally.questions == (again, other)
    assert tally.hands_at("lesson", 2, "?") == (4, 0)
    assert tally.hands_at("lesson", 9, "?") == ()
    tally.clear()
    assert not len(tally)


def test_a_tally_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="every option"):
        TalliedQuestion("lesson", 1, "?", ("a", "b"), (None,), (1, 2), 0)
    with pytest.raises(ValueError, match="one of the options"):
        TalliedQuestion("lesson", 1, "?", ("a", "b"), (None, None), (1, 2), 2)


def test_a_file_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="cannot be written"):
        Tally().save(tmp_path / "missing" / "answers.csv")
