"""The example trees of ``resources/examples``: all can be read, none comes twice, tags and labels are Penn's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.common.resources import resources_folder
from engine.trees.tree import PENN_TAGS, Tree, clean
from engine.trees.treebank import BadTrees, read_treebank

SIZES = {"classroom": 130, "everyday": 50, "everyday-train": 75, "everyday-test": 75, "everyday-more": 1151}
PENN_LABELS = frozenset(
    ("ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP")
).union(("S", "SBAR", "SBARQ", "SINV", "SQ", "X"), ("WHADJP", "WHADVP", "WHNP", "WHPP"))
"""The phrases and clauses of Bies et al. (1995), *Bracketing Guidelines for Treebank II Style*."""


def path(name: str) -> Path:
    return resources_folder() / "examples" / f"{name}.ptb"


def trees(name: str) -> list[Tree]:
    """The trees of a file as they are written, without the root that some have."""
    return [tree.children[0] if tree.label == "ROOT" else tree for tree in read_treebank([path(name)])]


def sentence(tree: Tree) -> tuple[str, ...]:
    return tuple(word.lower() for word in tree.words())


def constituents(tree: Tree) -> Iterator[Tree]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if not node.is_word:
            yield node
            stack.extend(node.children)


@pytest.mark.parametrize("name", SIZES)
def test_a_file_holds_its_trees_one_a_line(name: str) -> None:
    lines = path(name).read_text(encoding="utf-8").splitlines()
    assert len(lines) == SIZES[name]
    assert [tree.brackets() for tree in read_treebank([path(name)])] == lines


def test_no_sentence_comes_twice() -> None:
    counted = Counter(sentence(tree) for name in SIZES for tree in trees(name))
    assert [" ".join(words) for words, count in counted.items() if count > 1] == []
    assert len(counted) == sum(SIZES.values())


@pytest.mark.parametrize("name", SIZES)
def test_tags_and_labels_are_the_treebanks(name: str) -> None:
    seen = 0
    for tree in trees(name):
        assert set(tree.tags()) <= PENN_TAGS, tree
        for node in constituents(tree):
            seen += 1
            assert node.label in PENN_LABELS, tree
            assert [child.label for child in node.children] != [node.label], tree
    assert seen > 5 * SIZES[name]


@pytest.mark.parametrize("name", SIZES)
def test_a_sentence_begins_with_a_capital_and_ends_as_one(name: str) -> None:
    for tree in trees(name):
        leaves = [leaf for leaf in tree.leaves() if leaf.label not in ("``", "''")]
        assert (leaves[0].word or "")[0].isupper(), tree
        assert leaves[-1].label == ".", tree


@pytest.mark.slow
@pytest.mark.parametrize("treebank", ["gum-train", "gum-dev", "craft-train", "craft-dev"])
def test_no_sentence_is_a_treebanks(treebanks: Path, treebank: str) -> None:
    ours = {sentence(tree) for name in SIZES for tree in trees(name)}
    cleaned = (clean(tree) for tree in read_treebank([treebanks / f"{treebank}.ptb"], BadTrees()))
    theirs = [sentence(tree) for tree in cleaned if tree is not None]
    assert len(theirs) > 1500
    assert [" ".join(words) for words in theirs if words in ours] == []
