"""Nodes of trees that can be edited, over the words that count, for :mod:`engine.analysis.comparison.tree_repairs`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.evaluation.parseval import EQUAL_LABELS
from engine.trees.tree import ROOT_LABELS, LabelledSpan, Tree


class Node:
    """A node of a tree that is being repaired; a word is a node without children."""

    __slots__ = ("children", "end", "label", "parent", "start")

    def __init__(self, label: str, start: int, end: int, children: list[Node]) -> None:
        self.label = label
        self.start = start
        self.end = end
        self.children = children
        self.parent: Node | None = None
        for child in children:
            child.parent = self

    @property
    def bracket(self) -> LabelledSpan:
        """The node as PARSEVAL counts it."""
        return EQUAL_LABELS.get(self.label, self.label), self.start, self.end

    def phrases(self) -> Iterator[Node]:
        """The node and all below it that are no words, in pre-order."""
        stack = [self] if self.children else []
        while stack:
            node = stack.pop()
            yield node
            stack.extend(child for child in reversed(node.children) if child.children)

    def above(self) -> Iterator[Node]:
        """The nodes over it, the lowest first; not the unlabelled top."""
        node = self.parent
        while node is not None and node.parent is not None:
            yield node
            node = node.parent


def grown(tree: Tree, kept: Sequence[bool]) -> Node:
    """A clean tree without the tokens that do not count, under an unlabelled top."""
    position = 0
    token = 0

    def build(tree: Tree) -> list[Node]:
        nonlocal position, token
        if tree.word is not None:
            token += 1
            if not kept[token - 1]:
                return []
            position += 1
            return [Node(tree.label, position - 1, position, [])]
        children = [node for child in tree.children for node in build(child)]
        if not children or tree.label in ROOT_LABELS:
            return children
        return [Node(tree.label, children[0].start, children[-1].end, children)]

    nodes = build(tree)
    return Node("", 0, position, nodes)


def phrases_below(top: Node) -> Iterator[Node]:
    """All nodes under the top that are no words."""
    for child in top.children:
        yield from child.phrases()


def labels_beside(node: Node) -> tuple[str, ...]:
    """Labels of the neighbours of a node."""
    siblings = node.parent.children if node.parent is not None else [node]
    place = siblings.index(node)
    return (
        siblings[place - 1].label if place else "",
        siblings[place + 1].label if place + 1 < len(siblings) else "",
    )


def children_of(node: Node) -> tuple[LabelledSpan, ...]:
    """Labels and spans of the children of a node."""
    return tuple((child.label, child.start, child.end) for child in node.children)


def is_over_a_word(node: Node) -> bool:
    """Whether a node has no child but a word."""
    return len(node.children) == 1 and not node.children[0].children


def makes_a_unary(node: Node, first: int, last: int) -> bool:
    """Whether a new node over some of the children of another would stand over the same words as one that is there."""
    is_whole = last - first == len(node.children) and node.parent is not None
    return is_whole or (last - first == 1 and bool(node.children[first].children))


def splice(node: Node) -> None:
    """Put the children of a node in its place."""
    parent = node.parent
    assert parent is not None
    place = parent.children.index(node)
    parent.children[place : place + 1] = node.children
    for child in node.children:
        child.parent = parent
    node.parent = None


def measure(node: Node) -> None:
    """Set the spans of nodes by those of the words below."""
    for child in node.children:
        if child.children:
            measure(child)
    if node.children:
        node.start, node.end = node.children[0].start, node.children[-1].end
