"""Patterns that cannot be searched for: each ends soon, in a sentence that says where and what to write instead."""

from __future__ import annotations

import time

import pytest

from engine.common.errors import PatternError
from engine.patterns.pattern import Pattern
from engine.trees.reading import read_tree
from engine.trees.tree import Tree

WRONG = {
    "": (0, "is empty"),
    "   ": (0, "is empty"),
    "NP <": (4, "a node is missing"),
    "(NP": (1, "never closed"),
    "NP )": (4, "closes nothing"),
    "NP < (PP": (6, "never closed"),
    "NP [< PP": (4, "never closed"),
    "NP < (PP]": (9, "closes nothing"),
    "NP ()": (4, "without a relation"),
    "NP PP": (4, "without a relation"),
    "NP < /(/": (6, "no regular expression"),
    "NP < /(?!a)b/": (6, "no regular expression"),
    "NP < //": (6, "is empty"),
    '"NP': (1, "never closed"),
    "/NP": (1, "never closed"),
    "=x": (1, "no node is certain to be named x"),
    "NP ?< PP=x < =x": (14, "no node is certain to be named x"),
    "NP [< PP=x | < VP] < =x": (22, "no node is certain to be named x"),
    "NP=x < PP=x": (10, "given twice"),
    "NP !< PP=x": (9, "a node that is not there cannot be named"),
    "NP=": (4, "a name is missing"),
    "< NP": (1, "a node cannot begin with <"),
    "NP < $": (6, "in quotes"),
    "NP <0 PP": (4, "numbered 1 to"),
    "NP <99999999999 PP": (4, "numbered 1 to"),
    "NP <= PP": (4, "is not supported here"),
    "NP % PP": (4, "is not supported here"),
    "NP < {": (6, "is not supported here"),
    "NP <+(VP PP": (4, "never closed"),
    "NP <+(=x) PP": (7, "no node is certain to be named x"),
    "NP |": (4, ""),
    "NP < PP &": (10, "it ends where"),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said_with_its_column(text: str) -> None:
    column, words = WRONG[text]
    with pytest.raises(PatternError) as caught:
        Pattern(text)
    assert words in str(caught.value)
    assert caught.value.column == column
    assert "\n" not in str(caught.value)


HOSTILE = (
    *("(" * 4000, "(" * 40 + "NP" + ")" * 39, "NP < (" * 800, "[" * 3000, "!" * 4000, "NP " * 1500, "NP <" * 1200),
    *(
        "A" * 6000,
        "NP" + " < PP" * 20000,
        "/" + "(" * 499 + "/",
        "/" + "(a{100})" * 60 + "/",
        "/(((a{99}){99}){99}){99}/",
    ),
    *(
        "/" + "(a*)*" * 90 + "$/ < x",
        "/(a|aa)+$/",
        "/(x+x+)+y/",
        "=" * 500,
        "@" * 4000,
        "NP=" + "x" * 4000,
        "NP |" * 900,
    ),
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patterns_end_soon(text: str) -> None:
    tree = Tree("NP", [Tree("a" * 200 + "b", None, "x" * 200)])
    started = time.process_time()
    try:
        list(Pattern(text).matches(tree))
    except PatternError as error:
        assert len(str(error)) < 300
    assert time.process_time() - started < 2


def test_a_pattern_true_in_too_many_ways_is_given_up() -> None:
    tree = read_tree("(S " + "(NP (NN dog)) " * 60 + ")")
    started = time.process_time()
    with pytest.raises(PatternError, match="too many ways"):
        list(Pattern("S < NP=a < NP=b < NP=c < NP=d").matches(tree))
    assert time.process_time() - started < 20
    assert len(list(Pattern("S < NP < NP < NP < NP").matches(tree))) == 1
