"""Reading, writing and cleaning Penn brackets."""

import pytest

from engine.errors import TreeError
from engine.trees import bare_label, clean, read_brackets, read_tree


def test_one_tree_over_many_lines_and_several_on_one():
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
def test_a_broken_tree_says_where_and_what(text, line, column, problem):
    error = next(item for item in read_brackets(text, "f.ptb") if isinstance(item, TreeError))
    assert (error.name, error.line, error.column) == ("f.ptb", line, column)
    assert problem in str(error)


def test_reading_goes_on_after_a_broken_tree():
    items = list(read_brackets("(S (NN a)\n(S (NN b) x)\n(S (NN c))\n"))
    assert isinstance(items[0], TreeError)
    assert str(items[-1]) == "(S (NN c))"


def test_unicode_spaces_are_part_of_a_word():
    assert read_tree("(NN Xpd\u2009†)").words() == ["Xpd\u2009†"]


@pytest.mark.parametrize(
    ("label", "bare"),
    [("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("ADVP|PRT", "ADVP"), ("-LRB-", "-LRB-"), ("PRP$", "PRP$"), ("", "")],
)
def test_bare_label(label, bare):
    assert bare_label(label) == bare


def test_clean_drops_traces_function_tags_root_and_x_over_x():
    tree = read_tree("((S (NP-SBJ-1 (NP (NN rain))) (VP (VBZ seems) (S (NP-SBJ (-NONE- *-1)) (VP (VB fall)))) (. .)))")
    cleaned = clean(tree)
    assert str(cleaned) == "(S (NP (NN rain)) (VP (VBZ seems) (S (VP (VB fall)))) (. .))"
    assert clean(read_tree("(S (-NONE- *))")) is None
