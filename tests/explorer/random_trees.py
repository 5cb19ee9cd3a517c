"""Random trees and projective dependencies, from a seed."""

from __future__ import annotations

import itertools
import random

from engine.explain.subjects import NodeId, WordId
from explorer.pictures.layout import Arc, PlacedNode

LABELS = ("S", "NP", "VP", "PP", "SBAR", "ADJP", "ADVP", "WHADVP", "SBARQ", "QP", "FRAG", "PRN", "UCP", "CONJP")
TAGS = ("NN", "DT", "VBD", "PRP$", "IN", "NNPS", "-LRB-", "JJ")
WORDS = ("a", "of", "the", "IBM", "resignation", "I", "incomprehensibilities", "is", "—", "naïve", "50%")


def random_tree(seed: int, most: int = 60) -> tuple[PlacedNode, list[str]]:
    """A tree of 1 to `most` words and its words; nodes of one child, and of many, occur."""
    dice = random.Random(seed)
    length = dice.randint(1, most)

    def grow(start: int, end: int, depth: int) -> PlacedNode:
        if end - start == 1 and ((depth > 0 and dice.random() < 0.6) or depth > 30):
            return PlacedNode(dice.choice(TAGS), start, end, WordId(start))
        node = PlacedNode(dice.choice(LABELS), start, end, NodeId(start, end, "", depth))
        if end - start == 1:
            node.children = [grow(start, end, depth + 1)]
        else:
            cuts = sorted(dice.sample(range(start + 1, end), dice.randint(1, min(4, end - start - 1))))
            edges = [start, *cuts, end]
            node.children = [grow(low, high, depth + 1) for low, high in itertools.pairwise(edges)]
        node.head_child = dice.randrange(len(node.children))
        return node

    return grow(0, length, 0), [dice.choice(WORDS) for _ in range(length)]


def arcs_of(root: PlacedNode) -> list[Arc]:
    """The dependencies of a tree by its head-children: projective, as the paper's are."""
    heads: dict[int, int] = {}

    def head(node: PlacedNode) -> int:
        if not node.children:
            return node.start
        found = [head(child) for child in node.children]
        for index, word in enumerate(found):
            if index != node.head_child:
                heads[word] = found[node.head_child]
        return found[node.head_child]

    heads[head(root)] = -1
    return [Arc(modifier, heads[modifier]) for modifier in sorted(heads)]


def brackets_of(root: PlacedNode, words: list[str]) -> str:
    """The tree in Penn brackets."""
    if not root.children:
        return f"({root.label} {words[root.start]})"
    return f"({root.label} {' '.join(brackets_of(child, words) for child in root.children)})"
