"""What a person types, and what is said about it while it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.errors import SentenceError
from explorer.reading import is_tree, problems, read_line, split_text


@pytest.fixture(scope="module")
def model(classroom_path: Path) -> engine.Model:
    return engine.load(classroom_path)


@pytest.mark.parametrize(
    ("text", "offending", "part"),
    [
        ("John/NNP left/VBD res/", "res/", "no tag after the slash"),
        ("John/NNP /VBD", "/VBD", "no word before the slash"),
        ("(S (NP (NNP John)) left)", "left)", "'left' stands inside"),
        ("(S (NP (NNP John))", "(S", "lacks 1 closing"),
    ],
)
def test_the_offending_token_is_pointed_at(model: engine.Model, text: str, offending: str, part: str) -> None:
    problem = problems(text, model)[0]
    assert text[problem.start : problem.end] == offending
    assert part in problem.message
    with pytest.raises(SentenceError):
        read_line(text, model)


def test_a_tree_is_read_with_its_gold(model: engine.Model) -> None:
    reading = read_line("(ROOT (S (NP-SBJ (NNP John)) (VP (VBD left)) (. .)))", model)
    assert str(reading.tagged) == "John/NNP left/VBD ./."
    assert reading.gold is not None and reading.gold.brackets().startswith("(S (NP (NNP John))")


def test_unknown_tags_are_named(model: engine.Model) -> None:
    assert read_line("John/NNP left/XYZ ./.", model).unknown == (1,)


def test_brackets_that_are_no_tree_are_words() -> None:
    assert not is_tree("( see below )") and not is_tree("(sic)")
    assert is_tree("(S (NP (NN x)))") and is_tree("((S (NN x)))") and is_tree("( (S (NN x)))")


def test_several_trees_and_lines_are_split(model: engine.Model) -> None:
    assert len(split_text("(S (NN a))\n(S\n (NN b))\n", model)) == 2
    lines = split_text("a/DT b/NN\n\n c/NN\n", model, "f.txt")
    assert [(line.text, line.place) for line in lines] == [("a/DT b/NN", "f.txt, line 1"), ("c/NN", "f.txt, line 3")]
