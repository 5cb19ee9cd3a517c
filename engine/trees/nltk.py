"""Trees of NLTK, to and from ours, without a need for NLTK to be installed.

Whatever has a method ``label`` and children to go through is taken for a tree of NLTK's: ``Tree``, ``ImmutableTree``,
``ParentedTree``, ``ProbabilisticTree`` and those of other packages that follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.common.arguments import short_repr
from engine.common.errors import EngineError
from engine.trees.reading import MAXIMUM_DEPTH
from engine.trees.tree import Tree, check_tree


def to_nltk(tree: Tree, make: Callable[[str, list[Any]], Any] | None = None) -> Any:
    """Make a tree of NLTK: words become strings under their tags, everything else stays as it is.

    Parameters
    ----------
    tree
        Any tree, with or without function tags and traces.
    make
        What makes a node of a label and children, in place of ``nltk.tree.Tree``: ``ImmutableTree``, for instance.

    Raises
    ------
    EngineError
        If NLTK is needed and not installed.
    """
    check_tree(tree)
    if make is None:
        try:
            from nltk.tree import Tree as NltkTree
        except ImportError as error:
            raise EngineError("NLTK is not installed; run `pip install nltk`, or give what makes a node") from error
        make = NltkTree
    return _made(tree, make)


def _made(tree: Tree, make: Callable[[str, list[Any]], Any]) -> Any:
    if tree.word is not None:
        return make(tree.label, [tree.word])
    return make(tree.label, [_made(child, make) for child in tree.children])


def from_nltk(tree: Any) -> Tree:
    """Make one of our trees of one of NLTK's.

    Parameters
    ----------
    tree
        A tree whose leaves are strings, each alone under its tag, or pairs of a word and its tag, as NLTK's chunkers
        give them.

    Returns
    -------
    Tree
        With the same labels, function tags and traces; probabilities and parents are left behind.

    Raises
    ------
    EngineError
        If a leaf has no tag, a node has no children, or brackets are nested too deep.
    """
    if not callable(getattr(tree, "label", None)):
        raise EngineError(f"{short_repr(tree)} is no tree of NLTK: it has no method label()")
    return _read(tree, 1)


def _read(node: Any, depth: int) -> Tree:
    if depth > MAXIMUM_DEPTH:
        raise EngineError(f"the tree is nested more than {MAXIMUM_DEPTH} deep")
    label = str(node.label())
    children = list(node)
    if not children:
        raise EngineError(f"the node {short_repr(label)} has neither a word nor children")
    if len(children) == 1 and isinstance(children[0], str):
        return Tree(label, None, _word(children[0], label))
    return Tree(label, list(_children(children, label, depth)))


def _children(children: list[Any], label: str, depth: int) -> Iterable[Tree]:
    for child in children:
        if callable(getattr(child, "label", None)):
            yield _read(child, depth + 1)
        elif isinstance(child, tuple) and len(child) == 2 and all(isinstance(part, str) for part in child):
            yield Tree(child[1], None, _word(child[0], child[1]))
        else:
            leaf, above = short_repr(child), short_repr(label)
            raise EngineError(f"the leaf {leaf} under {above} has no tag; put it under a node that is its tag")


def _word(word: str, tag: str) -> str:
    if not word:
        raise EngineError(f"the word under {short_repr(tag)} is empty")
    return str(word)


def nltk_source(tree: Tree) -> str:
    """Return the tree as NLTK prints it for Python to read: ``Tree('S', [Tree('NP', [Tree('NNP', ['Mary'])]), …])``."""
    if tree.word is not None:
        return f"Tree({tree.label!r}, [{tree.word!r}])"
    return f"Tree({tree.label!r}, [{', '.join(map(nltk_source, tree.children))}])"
