"""From constituents back to a printed tree: helpers spliced away, baseNP-internal brackets and punctuation put back."""

from __future__ import annotations

from collections.abc import Sequence

from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import COMMA_TAGS, PUNCTUATION_TAGS, Tree

ROOT = "TOP"
"""The root over fragments, where no tree spans the sentence: one of the root labels, and no constituent."""


def assemble(roots: Sequence[Constituent], sentence: TaggedSentence) -> Tree:
    """The tree of one root, or of several fragments under the :data:`ROOT`, with every token in its place.

    Punctuation between two words goes to the lowest constituent that holds both; a comma
    that closes an apposition (``X , Y ,``) stays with the comma that opened it.  What comes before the
    first and after the last word goes under the root.
    """
    gaps: list[list[Tree]] = [[]]
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        if tag in PUNCTUATION_TAGS:
            gaps[-1].append(Tree(tag, None, word))
        else:
            gaps.append([])
    assembler = _Assembler(sentence, gaps)
    if len(roots) == 1 and not roots[0].label.endswith(JOINED):
        tree = assembler.trees(roots[0])[0]
        if tree.word is not None:
            tree = Tree(ROOT, [tree])
    elif roots:
        children: list[Tree] = []
        for root in roots:
            if children:
                assembler.put_gap(root.start, children)
            children.extend(assembler.trees(root))
        tree = Tree(ROOT, children)
    else:
        return Tree(ROOT, gaps[0])
    if len(gaps) > 1:
        tree.children[:0] = gaps[0]
        tree.children.extend(gaps[-1])
    return tree


class _Assembler:
    def __init__(self, sentence: TaggedSentence, gaps: list[list[Tree]]) -> None:
        self.words = sentence.words
        self.tags = sentence.tags
        self.positions = sentence.positions
        self.gaps = gaps

    def leaf(self, position: int) -> Tree:
        token = self.positions[position]
        return Tree(self.tags[token], None, self.words[token])

    def put_gap(self, position: int, children: list[Tree]) -> None:
        """Put the punctuation before word `position` at the end of `children`."""
        if self.gaps[position]:
            children.extend(self.gaps[position])
            self.gaps[position] = []

    def trees(self, node: Constituent) -> list[Tree]:
        """The trees of a constituent: one, or several where it is spliced into its parent."""
        if node.inside is not None:
            return [Tree(node.label, self.inside(node))]
        if not node.children:
            return [self.leaf(node.start)]
        children: list[Tree] = []
        previous: Constituent | None = None
        for index, child in enumerate(node.children):
            if previous is not None:
                self.close_apposition(previous, children)
                self.put_gap(child.start, children)
            if child.inside is not None and index == node.head_child and node.head_label == CORE:
                children.extend(self.inside(child))
            else:
                children.extend(self.trees(child))
            previous = child
        return children if node.label.endswith(JOINED) else [Tree(node.label, children)]

    def close_apposition(self, node: Constituent, trees: list[Tree]) -> None:
        """Move a comma after `node` into the constituent within it whose last child a comma precedes."""
        following = self.gaps[node.end]
        if not following or following[0].label not in COMMA_TAGS:
            return
        tree = trees[-1]
        while len(tree.children) > 1 or (tree.children and tree.children[0].children):
            if len(tree.children) > 2 and tree.children[-2].label in COMMA_TAGS:
                tree.children.append(following.pop(0))
                return
            tree = tree.children[-1]

    def inside(self, base: Constituent) -> list[Tree]:
        """The words of a baseNP under the brackets inside it."""
        result: list[Tree] = []
        open_: list[tuple[int, list[Tree]]] = [(base.end, result)]
        brackets = base.inside or ()
        at = 0
        for position in range(base.start, base.end):
            while open_[-1][0] <= position:
                open_.pop()
            if position > base.start:
                self.put_gap(position, open_[-1][1])
            while at < len(brackets) and brackets[at][1] == position:
                label, _, end = brackets[at]
                node = Tree(label, [])
                open_[-1][1].append(node)
                open_.append((end, node.children))
                at += 1
            open_[-1][1].append(self.leaf(position))
        return result
