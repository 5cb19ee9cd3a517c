"""Forests straight from brackets: the same as from trees, broken ones included, with the lines of the trees."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from engine.common.errors import TreeError
from engine.patterns.forest import Forest, forest_of_brackets, read_forest
from engine.trees.reading import read_brackets
from engine.trees.treebank import TreebankChunk

PIECES = ["(S", "(NP", "(", ")", " ", "\n", "(NN dog)", "(NN  é )", "word", "(A)", "()", "( X ", "\xa0", "(-NONE- *)"]
TWO = "( (S (NP (NN dog))\n (VP (VB runs))))\n\n(NP (NNS cats))\n"


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example(TWO)
@example("")
@example("(A (B" * 160 + " c" + "))" * 160)
def test_brackets_are_read_as_the_reader_of_trees_reads_them(text: str) -> None:
    items = list(read_brackets(text, "file"))
    trees = [item for item in items if not isinstance(item, TreeError)]
    errors: list[TreeError] = []
    read = read_forest(TreebankChunk(text.encode(), "file", 1), errors.append)
    assert [read.forest.tree(number) for number in range(read.forest.size)] == trees
    assert len(read.lines) == len(trees)
    assert [str(error) for error in errors] == [str(item) for item in items if isinstance(item, TreeError)]
    quick = forest_of_brackets(text.encode())
    assert (quick is None) == bool(errors)
    if quick is not None:
        slow = Forest.of(trees)
        assert [quick.form(node) for node in range(len(quick))] == [slow.form(node) for node in range(len(slow))]
        for array in ("parents", "ends", "depths", "is_word", "child_numbers", "child_counts", "roots"):
            assert getattr(quick, array).tolist() == getattr(slow, array).tolist()


def test_trees_keep_their_lines_before_and_after_a_broken_one() -> None:
    assert read_forest(TreebankChunk(TWO.encode(), "file", 5)).lines == [5, 8]
    errors: list[TreeError] = []
    broken = TWO + "(NP (NN x) oops)\n" + TWO
    read = read_forest(TreebankChunk(broken.encode(), "file", 1), errors.append)
    assert read.lines == [1, 4, 6, 9]
    assert [error.line for error in errors] == [5]
