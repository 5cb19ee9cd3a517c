"""Patterns over trees: what they match, in which order, with which names."""

from __future__ import annotations

import pytest

from engine.patterns.forest import Forest
from engine.patterns.pattern import Pattern, extra, missing
from engine.trees.reading import read_tree

TREE = read_tree(
    "(S (NP-SBJ (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope))))) (. .))"
)
TRACED = read_tree("( (S (NP-SBJ-1 (PRP She)) (VP (VBD tried) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go)))))))")

MATCHES = {
    "NP": [(1, 1), (1, 1, 0), (1, 1, 1, 1)],
    "@NP": [(0,), (1, 1), (1, 1, 0), (1, 1, 1, 1)],
    "NP < PP": [(1, 1)],
    "PP > (NP > VP)": [(1, 1, 1)],
    "NP << telescope": [(1, 1), (1, 1, 1, 1)],
    "NP << /^tele/": [(1, 1), (1, 1, 1, 1)],
    "NP << /^TELE/i": [(1, 1), (1, 1, 1, 1)],
    "NP << i@TeleScope": [(1, 1), (1, 1, 1, 1)],
    "__ < saw": [(1, 0)],
    'S < "."': [()],
    "S <3 /\\./ <-2 VP": [()],
    "NP <<, DT !<< PP": [(1, 1, 0), (1, 1, 1, 1)],
    "NP [< PP | <, DT]": [(1, 1), (1, 1, 0), (1, 1, 1, 1)],
    "NP !< PP|DT": [],
    "NP !< !PP|NP": [(1, 1)],
    "NP < PP & > VP": [(1, 1)],
    "VP <# VBD <<# saw": [(1,)],
    "VP <+(NP) PP": [(1,)],
    "PP >+(NP) VP": [(1, 1, 1)],
    "PP >+(DT) VP": [],
    "_ROOT_": [()],
    "NP : SBAR": [],
    "PP : VBD": [(1, 1, 1)],
}


@pytest.mark.parametrize("text", MATCHES)
def test_matches_come_in_the_order_of_the_tree(text: str) -> None:
    assert [match.path for match in Pattern(text).matches(TREE)] == MATCHES[text]
    assert Pattern(text).found_in(TREE) == bool(MATCHES[text])


def test_a_match_says_where_it_is_and_what_was_named() -> None:
    (match,) = Pattern("NP=whole < (PP=modifier < (IN < __=preposition)) ?< SBAR=clause").matches(TREE)
    assert match.node is TREE.children[1].children[1]
    assert (match.label, match.span, match.is_word) == ("NP", (2, 7), False)
    assert match.words == ("the", "man", "with", "a", "telescope")
    assert {name: (node.label, node.path, node.span) for name, node in match.captures.items()} == {
        "whole": ("NP", (1, 1), (2, 7)),
        "modifier": ("PP", (1, 1, 1), (4, 7)),
        "preposition": ("with", (1, 1, 1, 0), (4, 5)),
    }
    word = match.captures["preposition"]
    assert word.is_word and word.node is TREE.children[1].children[1].children[1].children[0]


def test_every_choice_of_named_nodes_is_a_match_of_its_own() -> None:
    assert len(list(Pattern("NP << NP").matches(TREE))) == 1
    found = [match.captures["inner"].path for match in Pattern("NP << NP=inner").matches(TREE)]
    assert found == [(1, 1, 0), (1, 1, 1, 1)]


def test_back_references_are_the_same_node_or_the_same_label() -> None:
    assert [match.path for match in Pattern("NP=a < (NP $ (PP > =a))").matches(TREE)] == [(1, 1)]
    assert [match.path for match in Pattern("__=a < ~a").matches(TREE)] == [(1, 1)]
    assert [match.path for match in Pattern("NP=a !<< ~a").matches(TREE)] == [(1, 1, 0), (1, 1, 1, 1)]


def test_traces_are_nodes_but_no_tokens() -> None:
    (match,) = Pattern("@NP < -NONE-").matches(TRACED)
    assert match.span == (2, 2) and match.words == ()
    (match,) = Pattern("VP < TO").matches(TRACED)
    assert match.span == (2, 4)


def test_many_trees_are_searched_as_one() -> None:
    forest = Forest.of([TREE, TRACED, TREE])
    found = [(match.tree_number, match.path) for match in Pattern("VP < /^VB/").search(forest)]
    assert found == [(0, (1,)), (1, (0, 1)), (1, (0, 1, 1, 1, 1)), (2, (1,))]
    assert next(Pattern("VP").search(forest)).tree is TREE
    assert list(Pattern("VP").search([])) == []


def test_missing_and_extra_are_what_one_tree_has_alone() -> None:
    parse = read_tree(
        "(S (NP (NNP John)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope)))) (. .))"
    )
    pattern = Pattern("PP > __=parent")
    assert [match.captures["parent"].label for match in missing(pattern, TREE, parse)] == ["NP"]
    assert [match.captures["parent"].label for match in extra(pattern, TREE, parse)] == ["VP"]
    assert list(missing(Pattern("@NP"), TREE, TREE)) == []
    assert [match.span for match in missing(Pattern("@NP"), TREE, parse)] == [(2, 7)]
