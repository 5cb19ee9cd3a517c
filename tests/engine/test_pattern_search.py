"""Search by structure against other ways to find the same: definitions alone, and NLTK's tgrep."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.patterns.forest import Forest
from engine.patterns.pattern import Match, Pattern
from engine.trees.head_rules import parse_head_rules
from tests.engine.brute_force_patterns import (
    DESCRIPTIONS,
    HEAD_TABLE,
    RELATIONS,
    Names,
    Path,
    Paths,
    random_pattern,
    random_tree,
)

RULES = parse_head_rules(HEAD_TABLE)
Answer = tuple[Path, tuple[tuple[str, Path], ...]]


def answer(match: Match) -> Answer:
    """A match as paths to nodes, words included."""

    def path(node: object) -> Path:
        assert hasattr(node, "path") and hasattr(node, "is_word")
        return (*node.path, 0) if node.is_word else tuple(node.path)

    return path(match), tuple(sorted((name, path(node)) for name, node in match.captures.items()))


def expected(found: list[tuple[Path, Names]]) -> Counter[Answer]:
    """Different solutions, each once."""
    return Counter({(path, tuple(sorted(names.items()))) for path, names in found})


@pytest.mark.parametrize("operator", RELATIONS)
def test_every_relation_is_what_it_says(operator: str) -> None:
    """Between all pairs of labels, set-wise and, with a name, pairwise."""
    random = Random(operator)
    trees = [random_tree(random, 4) for _ in range(25)]
    forest = Forest.of(trees)
    held = 0
    for left, right in [("__", "__"), ("A", "B"), ("B", "__"), ("a", "A"), ("__", "b")]:
        pairs: Counter[tuple[int, Answer]] = Counter()
        for number, tree in enumerate(trees):
            paths = Paths(tree)
            for a in paths.forms:
                for b in paths.forms:
                    fits = left in ("__", paths.forms[a]) and right in ("__", paths.forms[b])
                    if fits and RELATIONS[operator](paths, a, b):
                        pairs[number, (a, (("x", b),))] += 1
        named = Pattern(f"{left} {operator} {right}=x").search(forest, RULES)
        assert Counter((match.tree_number, answer(match)) for match in named) == pairs
        plain = Pattern(f"{left} {operator} {right}").search(forest, RULES)
        assert Counter((match.tree_number, answer(match)[0]) for match in plain) == Counter(
            {(number, path) for number, (path, _) in pairs}
        )
        held += pairs.total()
    assert held > 10


@given(st.randoms(use_true_random=False))
def test_random_patterns_match_what_their_definitions_say(random: Random) -> None:
    trees = [random_tree(random) for _ in range(3)]
    pattern = random_pattern(random, [])
    searched = list(Pattern(str(pattern)).search(trees, RULES))
    for number, tree in enumerate(trees):
        paths = Paths(tree)
        found = [(path, names) for path in paths.forms for names in pattern.solutions(paths, path, {})]
        here = [match for match in searched if match.tree_number == number]
        assert Counter(map(answer, here)) == expected(found)
        assert [answer(match)[0] for match in here] == sorted(answer(match)[0] for match in here)
        assert Pattern(str(pattern)).found_in(tree, RULES) == bool(found)


def test_random_patterns_are_not_all_in_vain() -> None:
    """The test above compares something: many of its patterns match, many have names and references."""
    random = Random(1)
    matched = named = 0
    for _ in range(100):
        trees = [random_tree(random) for _ in range(3)]
        pattern = Pattern(str(random_pattern(random, [])))
        matched += next(pattern.search(trees, RULES), None) is not None
        named += bool(pattern.names)
    assert matched > 30 and named > 30 and len(DESCRIPTIONS) > 10


TGREP = (
    *("A < B", "A > B", "A << B", "A >> B", "A <, B", "A >, B", "A <- B", "A >- B", "A <2 B", "A >2 B", "A <-2 B"),
    *("A >-2 B", "A <: B", "A >: B", "A <<: B", "A >>: B", "A $ B", "A $. B", "A $, B", "A $.. B", "A $,, B", "A . B"),
    *("A , B", "A .. B", "A ,, B", "A <<, B", "A <<' B", "A !< B", "A !<< B", "A [< B | < C]"),
    *("A < (B < C)", "A < B < C", "A|B > C", "/^[AB]$/ < C", "* < a", "A < B & > C", "A << a"),
)
"""Patterns that NLTK's tgrep has, too; not ``>>,`` and ``>>'``, for which it takes equal subtrees for one."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("text", TGREP)
def test_nltk_finds_the_same(text: str) -> None:
    nltk = pytest.importorskip("nltk")
    pytest.importorskip("pyparsing")
    tgrep = pytest.importorskip("nltk.tgrep")
    random = Random(7)
    compared = 0
    for _ in range(25):
        # To NLTK a word has no parent and no sister, so none may look like a label.
        tree = random_tree(random, 4, ("a", "b"))
        theirs = nltk.ParentedTree.fromstring(tree.brackets())
        (found,) = tgrep.tgrep_positions(text, [theirs])
        ours = [answer(match)[0] for match in Pattern(text.replace("*", "__")).search([tree])]
        assert sorted(set(ours)) == sorted(set(found))
        compared += len(ours)
    assert compared
