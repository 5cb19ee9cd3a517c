"""From constituents back to a printed tree: helpers spliced away, baseNP-internal brackets and punctuation put back."""

from __future__ import annotations

from collections.abc import Sequence

from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import COMMA_TAGS, PUNCTUATION_TAGS, Tree

ROOT = "TOP"
"""The root over fragments, where no tree spans the sentence: one of the root labels, and no constituent."""


def assemble(roots: Sequence[Constituent], sentence: TaggedSentence) -> Tree:
    """Return the tree of one root, or of several fragments under the :data:`ROOT`, with every token in its place.

    Punctuation between two words goes to the lowest constituent that holds both; a comma
    that closes an apposition (``X , Y ,``) stays with the comma that opened it.  What comes before the
    first and after the last word goes under the root.
    """
    leaves: list[Tree] = []
    gaps: dict[int, list[Tree]] = {}
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        if tag in PUNCTUATION_TAGS:
            gaps.setdefault(len(leaves), []).append(Tree(tag, None, word))
        else:
            leaves.append(Tree(tag, None, word))
    before = gaps.pop(0, [])
    if not roots:
        return Tree(ROOT, before)
    after = gaps.pop(len(leaves), [])
    assembler = _Assembler(leaves, gaps)
    children: list[Tree] = []
    for root in roots:
        if children:
            assembler.put_gap(root.start, children)
        assembler.add(root, children)
    if len(roots) == 1 and not roots[0].label.endswith(JOINED) and children[0].word is None:
        tree = children[0]
    else:
        tree = Tree(ROOT, children)
    tree.children[:0] = before
    tree.children.extend(after)
    return tree


class _Assembler:
    """Puts the trees of constituents together.

    Attributes
    ----------
    leaves
        The words.
    gaps
        The punctuation between two words that has not found its place yet, under the number of the second.
    """

    def __init__(self, leaves: list[Tree], gaps: dict[int, list[Tree]]) -> None:
        self.leaves = leaves
        self.gaps = gaps

    def put_gap(self, position: int, children: list[Tree]) -> None:
        """Put the punctuation before word `position` at the end of `children`."""
        if position in self.gaps:
            children.extend(self.gaps.pop(position))

    def add(self, node: Constituent, trees: list[Tree]) -> None:
        """Put the trees of a constituent at the end of `trees`: one, or several where it is spliced into its parent."""
        if node.inside is not None:
            trees.append(Tree(node.label, self.inside(node)))
            return
        if not node.children:
            trees.append(self.leaves[node.start])
            return
        children = trees if node.label.endswith(JOINED) else []
        previous: Constituent | None = None
        for index, child in enumerate(node.children):
            if previous is not None and self.gaps:
                self.close_apposition(previous, children)
                self.put_gap(child.start, children)
            if child.inside is not None and index == node.head_child and node.head_label == CORE:
                children.extend(self.inside(child))
            else:
                self.add(child, children)
            previous = child
        if children is not trees:
            trees.append(Tree(node.label, children))

    def close_apposition(self, node: Constituent, trees: list[Tree]) -> None:
        """Move a comma after `node` into the constituent within it whose last child a comma precedes."""
        following = self.gaps.get(node.end)
        if not following or following[0].label not in COMMA_TAGS:
            return
        tree = trees[-1]
        while len(tree.children) > 1 or (tree.children and tree.children[0].children):
            if len(tree.children) > 2 and tree.children[-2].label in COMMA_TAGS:
                tree.children.append(following.pop(0))
                return
            tree = tree.children[-1]

    def inside(self, base: Constituent) -> list[Tree]:
        """Return the words of a baseNP under the brackets inside it."""
        brackets = base.inside
        if not brackets and not any(base.start < position < base.end for position in self.gaps):
            return self.leaves[base.start : base.end]
        result: list[Tree] = []
        open_: list[tuple[int, list[Tree]]] = [(base.end, result)]
        at = 0
        for position in range(base.start, base.end):
            while open_[-1][0] <= position:
                open_.pop()
            if position > base.start:
                self.put_gap(position, open_[-1][1])
            while brackets and at < len(brackets) and brackets[at][1] == position:
                label, _, end = brackets[at]
                node = Tree(label, [])
                open_[-1][1].append(node)
                open_.append((end, node.children))
                at += 1
            open_[-1][1].append(self.leaves[position])
        return result
