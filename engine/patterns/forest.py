"""Many trees as arrays, in which a pattern is looked for everywhere at once.

Nodes are numbered in pre-order, one tree after the other.  Words are nodes of their own here, each the only child
of its tag, because a pattern may ask for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engine.patterns.chains import Chains, Mask, Numbers, counted_before
from engine.trees.head_rules import HeadRules
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from engine.trees.tree_normalisation import bare_label

TRACE_TAG = "-NONE-"


class Vocabulary(dict[Any, int]):
    """Numbers for labels and words, given out as they are met."""

    def __missing__(self, form: Any) -> int:
        """The next number."""
        number = self[form] = len(self)
        return number


class Forest:
    """Trees as arrays over all their nodes.

    Parameters
    ----------
    forms
        Every label and word once.
    form_numbers
        For every node which of the forms it has.
    depths
        How many nodes are above it.
    is_word
        Whether it is a word.
    trees
        The trees themselves, where they are at hand.
    """

    def __init__(
        self, forms: Sequence[str], form_numbers: Numbers, depths: Numbers, is_word: Mask, trees: Sequence[Tree] = ()
    ) -> None:
        self.forms = forms
        self.form_numbers = form_numbers
        self.depths = depths
        self.is_word = is_word
        self._trees = trees
        self.parents, self.ends = _links(depths)
        self.roots = np.flatnonzero(depths == 0).astype(np.int32)

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> Forest:
        """The forest of some trees."""
        kept = list(trees)
        vocabulary = Vocabulary()
        numbers: list[int] = []
        depths: list[int] = []
        words: list[bool] = []
        for tree in kept:
            stack = [(tree, 0)]
            while stack:
                node, depth = stack.pop()
                numbers.append(vocabulary[node.label])
                depths.append(depth)
                words.append(False)
                if node.word is not None:
                    numbers.append(vocabulary[node.word])
                    depths.append(depth + 1)
                    words.append(True)
                else:
                    stack.extend((child, depth + 1) for child in reversed(node.children))
        return cls(
            list(vocabulary), np.array(numbers, np.int32), np.array(depths, np.int32), np.array(words, np.bool_), kept
        )

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.depths)

    @property
    def size(self) -> int:
        """How many trees there are."""
        return len(self.roots)

    def tree_of(self, node: int) -> int:
        """Which tree a node is in."""
        return self.tree_numbers.item(node)

    def nodes_of(self, tree: int) -> range:
        """The nodes of a tree."""
        root = self.roots.item(tree)
        return range(root, self.ends.item(root))

    def form(self, node: int) -> str:
        """The label or the word of a node."""
        return self.forms[self.form_numbers.item(node)]

    def path(self, node: int) -> tuple[int, ...]:
        """The numbers of the children that lead from the root to a node; to a word's tag, where it is a word."""
        parents, numbers = self.parents.item, self.child_numbers.item
        if self.is_word.item(node):
            node = parents(node)
        steps: list[int] = []
        while (parent := parents(node)) >= 0:
            steps.append(numbers(node))
            node = parent
        return tuple(reversed(steps))

    def tree(self, number: int) -> Tree:
        """A tree: the very one that the forest was made of, or else one made anew."""
        return self._trees[number] if self._trees else self.subtree(int(self.roots[number]))

    def subtree(self, node: int) -> Tree:
        """The tree under a node; under a word's tag, where it is a word."""
        if self.is_word[node]:
            node = int(self.parents[node])
        made: dict[int, Tree] = {}
        for place in range(node, int(self.ends[node])):
            form, parent = self.form(place), int(self.parents[place])
            if self.is_word[place]:
                made[parent].word = form
                continue
            made[place] = Tree(form)
            if place != node:
                made[parent].children.append(made[place])
        return made[node]

    def words(self, first: int, end: int) -> tuple[str, ...]:
        """The words among the nodes of a range, traces left out."""
        before = self._tokens_before.item
        forms = self.forms
        return tuple([forms[number] for number in self._token_forms[before(first) : before(end)].tolist()])

    @cached_property
    def child_numbers(self) -> Numbers:
        """Which child of its parent each node is, from 0 on; 0 for a root."""
        order = np.argsort(self.parents, kind="stable")
        parents = self.parents[order]
        places = np.arange(len(order), dtype=np.int32)
        first = np.ones(len(order), np.bool_)
        first[1:] = parents[1:] != parents[:-1]
        numbers = np.empty(len(order), np.int32)
        numbers[order] = places - np.maximum.accumulate(np.where(first, places, 0))
        numbers[self.parents < 0] = 0
        return numbers

    @cached_property
    def child_counts(self) -> Numbers:
        """How many children each node has."""
        below = self.parents[self.parents >= 0]
        return np.bincount(below, minlength=len(self)).astype(np.int32)

    @cached_property
    def sister_counts(self) -> Numbers:
        """How many children the parent of each node has; 1 for a root."""
        return np.where(self.parents >= 0, self.child_counts[self.parents], 1).astype(np.int32)

    @cached_property
    def is_trace(self) -> Mask:
        """Whether each node is a word that stands for nothing: one with the tag ``-NONE-``."""
        trace = self.forms.index(TRACE_TAG) if TRACE_TAG in self.forms else -1
        found: Mask = self.is_word & (self.form_numbers[self.parents] == trace)
        return found

    @cached_property
    def is_token(self) -> Mask:
        """Whether each node is a word that is no trace."""
        return self.is_word & ~self.is_trace

    @cached_property
    def leaves_before(self) -> Numbers:
        """How many words stand before each node in the forest, traces counted; one more number than there are nodes."""
        return counted_before(self.is_word)

    @cached_property
    def first_leaves(self) -> Numbers:
        """The number of the first word under each node, traces counted."""
        return self.leaves_before[:-1]

    @cached_property
    def last_leaves(self) -> Numbers:
        """The number after that of the last word under each node, traces counted."""
        return self.leaves_before[self.ends]

    @cached_property
    def _token_forms(self) -> Numbers:
        """For every token which of the forms it has."""
        return self.form_numbers[self.is_token]

    @cached_property
    def _tokens_before(self) -> Numbers:
        return counted_before(self.is_token)

    def span(self, node: int) -> tuple[int, int]:
        """The first token of a node in its sentence and the end after the last; traces are no tokens."""
        before = self._tokens_before.item
        offset = before(self.roots.item(self.tree_of(node)))
        return before(node) - offset, before(self.ends.item(node)) - offset

    @cached_property
    def tree_numbers(self) -> Numbers:
        """Which tree each node is in."""
        return np.cumsum(self.depths == 0, dtype=np.int32) - np.int32(1)

    @cached_property
    def levels(self) -> list[Numbers]:
        """The nodes of every depth, in order."""
        order = np.argsort(self.depths.astype(np.uint16), kind="stable").astype(np.int32)
        return np.split(order, np.cumsum(np.bincount(self.depths))[:-1])

    @cached_property
    def left_chains(self) -> Chains:
        """Chains of first children."""
        places = np.arange(len(self), dtype=np.int32)
        return Chains.along(places, (self.parents >= 0) & (self.parents == places - 1))

    @cached_property
    def right_chains(self) -> Chains:
        """Chains of last children."""
        last = (self.parents >= 0) & (self.ends == self.ends[self.parents])
        # Children from right to left, after their parents: the reverse of post-order.
        mirrored = len(self) - 1 - (self.ends - 1 - self.depths)
        nodes = np.empty(len(self), np.int32)
        nodes[mirrored] = np.arange(len(self), dtype=np.int32)
        return Chains.along(nodes, last)

    @cached_property
    def unary_chains(self) -> Chains:
        """Chains of only children."""
        return Chains.along(np.arange(len(self), dtype=np.int32), (self.parents >= 0) & (self.sister_counts == 1))

    def head_chains(self, rules: HeadRules) -> Chains:
        """Chains of head-children."""
        return Chains.of_links(self.parents, self.depths, self.is_head(rules))

    def is_head(self, rules: HeadRules) -> Mask:
        """Whether each node is the head-child of its parent."""
        marked = np.zeros(len(self), np.bool_)
        heads = self.head_children(rules)
        marked[heads[heads >= 0]] = True
        return marked

    def head_children(self, rules: HeadRules) -> Numbers:
        """The node of each node's head-child by a table of head rules; −1 for a word.

        A tag's head is its word.  Punctuation and traces head nothing, unless there is nothing else.
        """
        heads = np.full(len(self), -1, np.int32)
        tags = self.parents[self.is_word]
        heads[tags] = tags + 1
        forms = [bare_label(form) for form in self.forms]
        silent = [form in PUNCTUATION_TAGS or form == TRACE_TAG for form in forms]
        numbers, ends = self.form_numbers.tolist(), self.ends.tolist()
        empty = (counted_before(self.is_token)[self.ends] == counted_before(self.is_token)[:-1]).tolist()
        for node in np.flatnonzero(~self.is_word & (heads < 0) & (self.ends > np.arange(1, len(self) + 1))).tolist():
            children = []
            child = node + 1
            while child < ends[node]:
                children.append(child)
                child = ends[child]
            heard = [child for child in children if not silent[numbers[child]] and not empty[child]] or children
            heads[node] = heard[rules.head_index(forms[numbers[node]], [forms[numbers[child]] for child in heard])]
        return heads


def _links(depths: Numbers) -> tuple[Numbers, Numbers]:
    """From depths in pre-order the parent of every node, −1 for a root, and the end of the nodes under it."""
    parents = np.full(len(depths), -1, np.int32)
    ends = np.full(len(depths), len(depths), np.int32)
    above = np.empty(0, np.int32)
    order = np.argsort(depths.astype(np.uint16), kind="stable").astype(np.int32)
    start = 0
    for stop in np.cumsum(np.bincount(depths)).tolist():
        level = order[start:stop]
        if start:
            parents[level] = above[np.searchsorted(above, level) - 1]
            ends[level] = ends[parents[level]]
        ends[level[:-1]] = np.minimum(ends[level[:-1]], level[1:])
        above, start = level, stop
    return parents, ends
