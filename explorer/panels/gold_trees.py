"""Gold trees: changed by hand, and as parses that the model scores; no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.explain.subjects import NodeId, PunctuationId, Subject, WordId
from engine.settings import FurtherBackoff
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import PUNCTUATION_TAGS, Tree

# A gold tree as a parse: scored by the model, so that pictures, ledgers and comparisons take it like any other.


def gold_parse(
    parser: Parser,
    tree: Tree,
    distribution: TagDistribution | None = None,
    further_backoff: FurtherBackoff = FurtherBackoff.NONE,
) -> Parse:
    """Return a gold tree as if it had been parsed: with the model's score, impossible though it may be.

    To be held against a parse with further back-off it is scored with the same.
    """
    scored = parser.score(tree, distribution, further_backoff)
    held = distribution if parser.settings.tag_distribution else None
    settings = parser.settings
    parse = Parse(
        parser.model,
        settings,
        scored.sentence,
        (scored.root,),
        scored.log_probability,
        1,
        settings.beam,
        held,
        further_backoff=further_backoff,
    )
    parse.score = scored.score
    # What is drawn is the tree itself, with what the model does not see of it.
    parse.tree = tree
    return parse


# Changing a gold tree by hand: relabel, add and remove a bracket, attach a constituent elsewhere.
#
# A node is named by its path: the numbers of the children that lead to it from the root.  Every change makes another
# tree over the same words in the same order; :class:`EditError` says in one sentence why something cannot be done.

LABELS = (
    "S",
    "SBAR",
    "SINV",
    "SQ",
    "SBARQ",
    "NP",
    "VP",
    "PP",
    "ADJP",
    "ADVP",
    "QP",
    "PRN",
    "PRT",
    "INTJ",
    "UCP",
    "FRAG",
)
"""Labels that are offered for constituents."""

Path = tuple[int, ...]
_LABEL = re.compile(r"[^\s()]+")


class EditError(EngineError):
    """A change of a tree that cannot be made, with the reason."""


def copy(tree: Tree) -> Tree:
    """Return another tree that is the same."""
    return Tree(tree.label, [copy(child) for child in tree.children], tree.word)


def node_at(tree: Tree, path: Path) -> Tree:
    """Return the node that a path leads to."""
    for step in path:
        tree = tree.children[step]
    return tree


def walk(tree: Tree) -> Iterator[tuple[Path, Tree, int, int]]:
    """Yield every node in pre-order, with its path and its tokens (end exclusive)."""

    def visit(node: Tree, path: Path, start: int) -> Iterator[tuple[Path, Tree, int, int]]:
        end = start + len(node.leaves())
        yield path, node, start, end
        for index, child in enumerate(node.children):
            yield from visit(child, (*path, index), start)
            start += len(child.leaves())

    return visit(tree, (), 0)


def ids(tree: Tree) -> dict[Subject, Path]:
    """Return where the pictures' ids (:mod:`explorer.pictures.drawing`) lead in a tree."""
    proper = [0]
    for tag in tree.tags():
        proper.append(proper[-1] + (tag not in PUNCTUATION_TAGS))
    found: dict[Subject, Path] = {}
    for path, node, start, end in walk(tree):
        if node.word is None:
            found.setdefault(NodeId(proper[start], proper[end], node.label, len(path)), path)
        elif node.label in PUNCTUATION_TAGS:
            found[PunctuationId(start)] = path
        else:
            found[WordId(proper[start])] = path
    return found


def relabel(tree: Tree, path: Path, label: str) -> Tree:
    """Return the tree with another label of a constituent, or another tag of a word."""
    label = _checked(label)
    changed = copy(tree)
    node_at(changed, path).label = label
    return changed


def bracket(tree: Tree, first: Path, last: Path, label: str) -> Tree:
    """Return the tree with a new bracket around the siblings from `first` to `last`."""
    label = _checked(label)
    if not first or not last:
        if first or last:
            raise EditError("a bracket goes around siblings; the root has none")
        return Tree(label, [copy(tree)])
    if first[:-1] != last[:-1]:
        raise EditError("a bracket goes around siblings: nodes with the same parent")
    low, high = sorted((first[-1], last[-1]))
    changed = copy(tree)
    parent = node_at(changed, first[:-1])
    parent.children[low : high + 1] = [Tree(label, parent.children[low : high + 1])]
    return changed


def unbracket(tree: Tree, path: Path) -> Tree:
    """Return the tree without a bracket; what it held takes its place."""
    changed = copy(tree)
    node = node_at(changed, path)
    if node.word is not None:
        raise EditError("a word cannot be removed from its gold tree")
    if not path:
        if len(node.children) != 1 or node.children[0].word is not None:
            raise EditError("the outermost bracket stays; give it another label instead")
        return node.children[0]
    parent = node_at(changed, path[:-1])
    parent.children[path[-1] : path[-1] + 1] = node.children
    return changed


def attach(tree: Tree, what: Path, target: Path, adjoin: bool | None = None) -> Tree:
    """Return the tree with a constituent or word attached elsewhere.

    Parameters
    ----------
    tree
        The tree.
    what
        The node that moves.
    target
        Its new parent.  The order of words stays: the target must end where the node begins, begin where it ends,
        or stand above it with the node at one edge of what is between them.
    adjoin
        Whether a new constituent of the target's label is made over target and node: ``(NP (NP the man) (PP …))``.
        ``None``: wherever the target holds nothing but words and is no ancestor.
    """
    if not what:
        raise EditError("the whole tree cannot be attached within itself")
    if target[: len(what)] == what:
        raise EditError("a constituent cannot be attached to itself or to a part of it")
    changed = copy(tree)
    node = node_at(changed, what)
    goal = node_at(changed, target)
    if goal.word is not None:
        raise EditError("attach it to a constituent; a word holds nothing")
    if what[:-1] == target:
        raise EditError(f"it is attached to that {goal.label} already")
    spans = {id(one): (start, end) for _, one, start, end in walk(changed)}
    start, end = spans[id(node)]
    if what[: len(target)] == target:
        _raise_to(changed, what, target, spans)
        return _pruned(changed)
    left, right = spans[id(goal)]
    if right != start and left != end:
        raise EditError(_between(tree, (start, end), (left, right), goal.label))
    parent = node_at(changed, what[:-1])
    at = _place(parent, node)
    del parent.children[at]
    if adjoin is None:
        adjoin = all(child.word is not None for child in goal.children)
    if adjoin:
        inner = Tree(goal.label, goal.children)
        goal.children = [inner, node] if right == start else [node, inner]
    elif right == start:
        goal.children.append(node)
    else:
        goal.children.insert(0, node)
    return _pruned(changed)


def _raise_to(changed: Tree, what: Path, target: Path, spans: dict[int, tuple[int, int]]) -> None:
    """Move a node up to an ancestor; it must stand at an edge of the ancestor's child above it."""
    node, goal = node_at(changed, what), node_at(changed, target)
    branch = goal.children[what[len(target)]]
    start, end = spans[id(node)]
    left, right = spans[id(branch)]
    if start != left and end != right:
        raise EditError(
            f"it stands in the middle of {branch.label}, so that raising it would cross its branches; "
            "raise what follows it first"
        )
    parent = node_at(changed, what[:-1])
    del parent.children[_place(parent, node)]
    at = _place(goal, branch)
    goal.children.insert(at + 1 if end == right else at, node)


def _place(parent: Tree, child: Tree) -> int:
    """Return which child of its parent a node is; trees are equal by their words, so that
    `index` would find another.
    """
    return next(index for index, one in enumerate(parent.children) if one is child)


def _pruned(tree: Tree) -> Tree:
    """Return the tree without constituents that hold nothing any more."""
    tree.children = [_pruned(child) for child in tree.children if child.word is not None or child.leaves()]
    return tree


def _between(tree: Tree, moved: tuple[int, int], goal: tuple[int, int], label: str) -> str:
    words = tree.words()
    gap = words[goal[1] : moved[0]] if goal[1] < moved[0] else words[moved[1] : goal[0]]
    shown = " ".join(gap[:4]) + (" …" if len(gap) > 4 else "")
    if not gap:
        return f"that {label} stands inside what would be moved past it; raise the constituent first"
    return f"‘{shown}’ stands between it and that {label}; attach that first, for words keep their order"


def _checked(label: str) -> str:
    label = label.strip()
    if not _LABEL.fullmatch(label):
        raise EditError("a label is one word without brackets: NP, VP, S …")
    return label
