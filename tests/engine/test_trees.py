"""Reading, writing and cleaning Penn brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import TreeError
from engine.trees.reading import read_brackets, read_tree
from engine.trees.tree import bare_label, clean


def test_one_tree_over_many_lines_and_several_on_one() -> None:
    text = "(ROOT\n  (S (NP (PRP it))\n (VP (VBZ rains))))\n((NP (NN a))) (NP (NN b))\n"
    assert [str(tree) for tree in read_brackets(text)] == [
        "(ROOT (S (NP (PRP it)) (VP (VBZ rains))))",
        "( (NP (NN a)))",
        "(NP (NN b))",
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("(S (NP (NN a))", 1, 1, "lacks 1 closing"),
        ("\n(S (NP (NN a))))", 2, 16, "closes nothing"),
        ("(S (NP a b))", 1, 8, "without a tag"),
        ("stray", 1, 1, "outside any bracket"),
        ("(S (NP))", 1, 4, "neither a word nor children"),
        ("(" * 400, 1, 301, "nested more than"),
    ],
)
def test_a_broken_tree_says_where_and_what(text: str, line: int, column: int, problem: str) -> None:
    error = next(item for item in read_brackets(text, "f.ptb") if isinstance(item, TreeError))
    assert (error.name, error.line, error.column) == ("f.ptb", line, column)
    assert problem in str(error)


def test_reading_goes_on_after_a_broken_tree() -> None:
    items = list(read_brackets("(S (NN a)\n(S (NN b) x)\n(S (NN c))\n"))
    assert isinstance(items[0], TreeError)
    assert str(items[-1]) == "(S (NN c))"


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3), st.booleans()), max_size=30))
def test_a_tree_that_lacks_brackets_takes_no_other_with_it(trees: list[tuple[int, int, bool]]) -> None:
    """Each is so deep, lacks so many of its brackets, and may hold a word without a tag."""
    lines, good, broken = [], [], []
    for number, (depth, lacking, stray) in enumerate(trees):
        lacking = min(lacking, depth)
        line = "(X " * depth + f"(NN w{number})" + " oops" * stray + ")" * (depth - lacking)
        lines.append(line)
        if stray:
            broken.append((number + 1, line.index("oops") + 1, "without a tag"))
        elif lacking:
            broken.append((number + 1, 1, f"lacks {lacking} closing )"))
        else:
            good.append(line)
    found = list(read_brackets("\n".join(lines)))
    assert [str(item) for item in found if not isinstance(item, TreeError)] == good
    errors = [item for item in found if isinstance(item, TreeError)]
    assert [(error.line, error.column) for error in errors] == [(line, column) for line, column, _ in broken]
    assert all(problem in str(error) for error, (_, _, problem) in zip(errors, broken, strict=True))


def test_many_trees_that_lack_a_bracket_are_read_once() -> None:
    """Each was read to the end of the file: this text took hours."""
    text = "(S (NP (DT a) (NN dog)) (VP (VBD ran))\n(S (NN b))\n" * 20_000
    found = list(read_brackets(text))
    assert len(found) == 40_000 and all(isinstance(item, TreeError) for item in found[::2])
    last = found[-2]
    assert isinstance(last, TreeError) and last.line == 39_999 and str(found[-1]) == "(S (NN b))"


def test_unicode_spaces_are_part_of_a_word() -> None:
    assert read_tree("(NN Xpd\u2009†)").words() == ["Xpd\u2009†"]


@pytest.mark.parametrize(
    ("label", "bare"),
    [("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("ADVP|PRT", "ADVP"), ("-LRB-", "-LRB-"), ("PRP$", "PRP$"), ("", "")],
)
def test_bare_label(label: str, bare: str) -> None:
    assert bare_label(label) == bare


def test_clean_drops_traces_function_tags_root_and_x_over_x() -> None:
    tree = read_tree("((S (NP-SBJ-1 (NP (NN rain))) (VP (VBZ seems) (S (NP-SBJ (-NONE- *-1)) (VP (VB fall)))) (. .)))")
    cleaned = clean(tree)
    assert str(cleaned) == "(S (NP (NN rain)) (VP (VBZ seems) (S (VP (VB fall)))) (. .))"
    assert clean(read_tree("(S (-NONE- *))")) is None
