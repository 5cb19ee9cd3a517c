"""Many trees as arrays, in which a pattern is looked for everywhere at once; read straight from Penn brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.common.errors import TreeError
from engine.trees.head_rules import HeadRules
from engine.trees.reading import MAXIMUM_DEPTH, MOST_TREE_CHARACTERS, MOST_WORDS
from engine.trees.tree import PUNCTUATION_TAGS, Tree, bare_label
from engine.trees.treebank import TreebankChunk, cuts

# Chains of nodes from parent to child: along the left edge, the right edge, unary productions, or heads.

Numbers = NDArray[np.int32]
Mask = NDArray[np.bool_]


def counted_before(mask: Mask) -> Numbers:
    """Return how many are true before each place, and, last, before the end."""
    counts = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=counts[1:], dtype=np.int32)
    return counts


@dataclass(frozen=True)
class Chains:
    """Nodes in an order in which those of a chain follow each other, the topmost first.

    Attributes
    ----------
    nodes, ranks
        The node at every place of the order, and the place of every node.
    tops, stops
        For every place where its chain starts, and where it ends.
    """

    nodes: Numbers
    ranks: Numbers
    tops: Numbers
    stops: Numbers

    @classmethod
    def along(cls, nodes: Numbers, linked: Mask) -> Chains:
        """Return the chains of an order in which every node that is `linked` to its parent comes right after it."""
        places = np.arange(len(nodes), dtype=np.int32)
        ranks = np.empty(len(nodes), np.int32)
        ranks[nodes] = places
        starts = ~linked[nodes]
        tops = np.maximum.accumulate(np.where(starts, places, 0))
        following = np.full(len(nodes), len(nodes), np.int32)
        following[:-1] = np.where(starts[1:], places[1:], len(nodes))
        return cls(nodes, ranks, tops, np.minimum.accumulate(following[::-1])[::-1])

    @classmethod
    def of_links(cls, parents: Numbers, depths: Numbers, linked: Mask) -> Chains:
        """Return the chains of nodes that are `linked` to their parents, whatever their order."""
        tops = np.where(linked, parents, np.arange(len(parents), dtype=np.int32))
        while not np.array_equal(further := tops[tops], tops):
            tops = further
        return cls.along(np.lexsort((depths, tops)).astype(np.int32), linked)

    def above(self, targets: Mask) -> Mask:
        """Return which nodes have one of the targets above them in their chain."""
        counts = counted_before(targets[self.nodes])
        return ((counts[:-1] - counts[self.tops]) > 0)[self.ranks]

    def below(self, targets: Mask) -> Mask:
        """Return which nodes have one of the targets below them in their chain."""
        counts = counted_before(targets[self.nodes])
        return ((counts[self.stops] - counts[1:]) > 0)[self.ranks]

    def holds(self, upper: int, lower: int) -> bool:
        """Return whether the first is above the second in one chain."""
        above, below = self.ranks[upper], self.ranks[lower]
        return bool(above < below and self.tops[above] == self.tops[below])


# Many trees as arrays, in which a pattern is looked for everywhere at once.
#
# Nodes are numbered in pre-order, one tree after the other.  Words are nodes of their own here, each the only child
# of its tag, because a pattern may ask for them.

TRACE_TAG = "-NONE-"


class Vocabulary(dict[Any, int]):
    """Numbers for labels and words, given out as they are met."""

    def __missing__(self, form: Any) -> int:
        """Return the next number."""
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
        """Return the forest of some trees."""
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
        """Return how many nodes there are."""
        return len(self.depths)

    @property
    def size(self) -> int:
        """How many trees there are."""
        return len(self.roots)

    def tree_of(self, node: int) -> int:
        """Return which tree a node is in."""
        return self.tree_numbers.item(node)

    def nodes_of(self, tree: int) -> range:
        """Return the nodes of a tree."""
        root = self.roots.item(tree)
        return range(root, self.ends.item(root))

    def form(self, node: int) -> str:
        """Return the label or the word of a node."""
        return self.forms[self.form_numbers.item(node)]

    def path(self, node: int) -> tuple[int, ...]:
        """Return the numbers of the children that lead from the root to a node; to a word's tag, where it is a word."""
        parents, numbers = self.parents.item, self.child_numbers.item
        if self.is_word.item(node):
            node = parents(node)
        steps: list[int] = []
        while (parent := parents(node)) >= 0:
            steps.append(numbers(node))
            node = parent
        return tuple(reversed(steps))

    def tree(self, number: int) -> Tree:
        """Return a tree: the very one that the forest was made of, or else one made anew."""
        return self._trees[number] if self._trees else self.subtree(int(self.roots[number]))

    def subtree(self, node: int) -> Tree:
        """Return the tree under a node; under a word's tag, where it is a word."""
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
        """Return the words among the nodes of a range, traces left out."""
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
        """Whether each node is a word and not a trace."""
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
        """Return the first token of a node in its sentence and the end after the last; traces are no tokens."""
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
        """Return whether each node is the head-child of its parent."""
        marked = np.zeros(len(self), np.bool_)
        heads = self.head_children(rules)
        marked[heads[heads >= 0]] = True
        return marked

    def head_children(self, rules: HeadRules) -> Numbers:
        """Return the node of each node's head-child by a table of head rules; −1 for a word.

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


# Forests straight from Penn brackets, without a tree in between: what makes the search of a large treebank fast.

OPEN, CLOSE = 0, 1
"""The numbers of the brackets among the pieces of a text."""


@dataclass(frozen=True)
class ReadForest:
    """The trees of a chunk of a treebank.

    Attributes
    ----------
    forest
        The trees.
    chunk
        Where they come from.
    errors
        What is wrong with those that were left out.
    known_lines
        The lines on which the trees open, where they were found in reading.
    """

    forest: Forest
    chunk: TreebankChunk
    errors: tuple[TreeError, ...] = ()
    known_lines: tuple[int, ...] | None = None

    @cached_property
    def lines(self) -> list[int]:
        """The lines on which the trees open; after a broken tree, those on which the reader went on."""
        if self.known_lines is not None:
            return list(self.known_lines)
        opens, depths = _bracket_depths(self.chunk.data)
        line_ends = np.flatnonzero(np.frombuffer(self.chunk.data, np.uint8) == ord("\n"))
        found: list[int] = (
            np.searchsorted(line_ends, np.flatnonzero((depths == 1) & opens)) + self.chunk.first_line
        ).tolist()
        return found


def read_forest(chunk: TreebankChunk, on_bad: Callable[[TreeError], None] | None = None) -> ReadForest:
    """Read the trees of a chunk; the first broken one raises its error, or is left out if `on_bad` takes the errors."""
    forest = forest_of_brackets(chunk.data) if not chunk.problem else None
    if forest is not None:
        return ReadForest(forest, chunk)
    trees: list[Tree] = []
    lines: list[int] = []
    errors: list[TreeError] = []
    line = chunk.first_line
    # Tree by tree, so that the good ones keep their lines.
    for start, end in cuts(chunk.data, 1) if not chunk.problem else [(0, 0)]:
        for item in chunk._replace(data=chunk.data[start:end], first_line=line).trees():
            if not isinstance(item, TreeError):
                trees.append(item)
                lines.append(line)
            elif on_bad is None:
                raise item
            else:
                on_bad(item)
                errors.append(item)
        line += chunk.data.count(b"\n", start, end)
    return ReadForest(Forest.of(trees), chunk, tuple(errors), tuple(lines))


def forest_of_brackets(data: bytes) -> Forest | None:
    """Return the forest of a text in UTF-8; ``None`` if anything is wrong with it,
    which the reader of trees then tells.
    """
    vocabulary = Vocabulary({b"(": OPEN, b")": CLOSE})
    texts = data.replace(b"(", b" ( ").replace(b")", b" ) ").split()
    pieces = np.fromiter(map(vocabulary.__getitem__, texts), np.int32, len(texts))
    if not len(pieces):
        return Forest.of([])
    opens = pieces == OPEN
    closes = pieces == CLOSE
    texts_at = ~opens & ~closes
    before, after = _shifted(opens, 1), _shifted(closes, -1)
    labels = texts_at & before
    words = texts_at & _shifted(labels, 1) & after
    depths = np.cumsum(opens.astype(np.int8) - closes.astype(np.int8), dtype=np.int32)
    # A bracket that closes right after one that opens, or after its label, holds nothing.
    empty = closes & (_shifted(opens, 1) | _shifted(labels, 1))
    if (
        depths.min() < 0
        or depths[-1] != 0
        or not np.array_equal(texts_at, labels | words)
        or empty.any()
        or depths.max() > MAXIMUM_DEPTH
        or b"\0" in data
        or _has_large_tree(data, words, opens & (depths == 1))
    ):
        return None
    try:
        forms = [form.decode() for form in vocabulary]
    except UnicodeDecodeError:
        return None
    forms[OPEN] = ""
    nodes = opens | words
    places = np.flatnonzero(nodes).astype(np.int32)
    is_word = words[places]
    numbers = np.where(is_word, pieces[places], _labels(pieces, labels, places))
    return Forest(forms, numbers.astype(np.int32), (depths[places] - 1 + is_word).astype(np.int32), is_word)


def _has_large_tree(data: bytes, words: Mask, roots: Mask) -> bool:
    """Return whether a tree has more words or characters than the reader of trees takes."""
    if np.add.reduceat(words, np.flatnonzero(roots), dtype=np.int64).max() > MOST_WORDS:
        return True
    if len(data) <= MOST_TREE_CHARACTERS:
        return False
    opens, depths = _bracket_depths(data)
    ends = np.flatnonzero((depths == 0) & (np.frombuffer(data, np.uint8) == ord(")")))
    return bool((ends - np.flatnonzero((depths == 1) & opens)).max() >= MOST_TREE_CHARACTERS)


def _bracket_depths(data: bytes) -> tuple[Mask, Numbers]:
    """For every byte whether it opens a bracket, and how many brackets are open after it."""
    codes = np.frombuffer(data, np.uint8)
    opens = codes == ord("(")
    return opens, np.cumsum(opens.astype(np.int8) - (codes == ord(")")).astype(np.int8), dtype=np.int32)


def _labels(pieces: Numbers, labels: Mask, places: Numbers) -> Numbers:
    """For every place the piece after it if that is a label, else no label."""
    following = np.minimum(places + 1, len(pieces) - 1)
    return np.where(labels[following], pieces[following], OPEN).astype(np.int32)


def _shifted(mask: Mask, by: int) -> Mask:
    """Return the mask moved to the right by one, or to the left."""
    moved = np.zeros_like(mask)
    if by > 0:
        moved[1:] = mask[:-1]
    else:
        moved[:-1] = mask[1:]
    return moved
