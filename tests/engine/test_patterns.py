"""Patterns over trees: what they match, in which order, with which names."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.common.errors import PatternError, TreeError
from engine.patterns.forest import Forest, forest_of_brackets, read_forest
from engine.patterns.pattern import Match, Pattern, extra, missing
from engine.trees.head_rules import parse_head_rules
from engine.trees.reading import read_brackets, read_tree
from engine.trees.tree import Tree
from engine.trees.treebank import TreebankChunk
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


# Search by structure against other ways to find the same: definitions alone, and NLTK's tgrep.


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


# Forests straight from brackets: the same as from trees, broken ones included, with the lines of the trees.


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


# Patterns that cannot be searched for: each ends soon, in a sentence that says where and what to write instead.


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
