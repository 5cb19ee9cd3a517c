"""Errors that a user can cause: one readable line, whatever they quote."""

from __future__ import annotations

import pickle

import pytest

from engine.common.characters import LONGEST_MESSAGE
from engine.common.errors import EngineError, PatternError, RowError, TreeError
from engine.patterns.pattern import Pattern
from engine.study.parseval import parse_parameters
from engine.trees.reading import read_tree
from engine.trees.tree import Tree


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a file, line 3: `dog` has no tag", "a file, line 3: `dog` has no tag"),
        ("one\ntwo\r\nthree\u2028four\x1cfive", "one two  three four five"),
        ("\x1b[2Jgone", " [2Jgone"),
        ("half \udcff a character", "half \ufffd a character"),
        ("right \u202eto left", "right to left"),
        ("naïve 日本語 e\u0301", "naïve 日本語 e\u0301"),
    ],
)
def test_a_message_is_one_readable_line(text: str, shown: str) -> None:
    assert str(EngineError(text)) == shown
    row = RowError(text, "a\nfile", 1)
    assert row.problem == shown and str(row) == f"a file, line 1: {shown}"
    for error in (row, TreeError(text, "file", 1, 2, 3), PatternError(text, 4)):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error) and len(str(again).splitlines()) == 1


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    shown = str(EngineError("file.txt, line 1: " + "x" * 100_000 + "; write it anew"))
    assert len(shown) == LONGEST_MESSAGE
    assert shown.startswith("file.txt, line 1: x") and shown.endswith("x; write it anew") and "…" in shown


def test_an_escape_sequence_in_a_tree_does_not_reach_the_terminal() -> None:
    with pytest.raises(TreeError) as raised:
        read_tree("(S (NN\x1b[2J))")
    assert str(raised.value).isprintable()


def test_half_a_character_can_be_searched_in_and_not_for() -> None:
    assert Pattern("/^d/").found_in(Tree("NN", None, "d\udcff"))
    with pytest.raises(PatternError, match="half a character"):
        Pattern("/\udcff/").found_in(Tree("NN", None, "dog"))


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1", "10001"])
def test_a_length_that_is_none_is_refused(number: str) -> None:
    with pytest.raises(RowError, match="line 1: "):
        parse_parameters([f"CUTOFF_LEN {number}"])
    with pytest.raises(PatternError):
        Pattern(f"NP <{number[:4900]}2345678 PP")
