"""Repairs that turn a parse into the gold tree, one by one.

Four repairs are known: move one or several neighbouring subtrees to another parent, relabel a node, remove one, add
one.  Each must leave fewer wrong brackets than there were, and of several the one that mends most is taken, moves
first; so what is one mistake to a reader, a phrase attached in the wrong place, is one repair, whatever number of
brackets it has spoilt (after Kummerfeld, Hall, Curran and Klein 2012).  Any extra bracket can be removed, and when none
is left every missing one can be added, so the end is always the gold tree.

What a move leaves behind or needs at its new place is a part of it, unaries apart: a node more or less over the same
words is wrong wherever the moved phrase hangs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from engine.analysis.comparison.editable_nodes import (
    Node,
    children_of,
    is_over_a_word,
    labels_beside,
    makes_a_unary,
    measure,
    phrases_below,
    splice,
)
from engine.trees.tree import LabelledSpan

LEAST_MOVED = 2
"""Brackets that a move must mend to be preferred to adding and removing."""
WIDE_MOVE = 3
"""Brackets that a move must mend to be preferred to a relabelling."""


class RepairKind(StrEnum):
    """What one repair does to a tree."""

    MOVE = "move"
    RELABEL = "relabel"
    REMOVE = "remove"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class TreeRepair:
    """One repair.

    Attributes
    ----------
    kind
        What is done.
    labels
        Of the nodes moved; of the node that was relabelled, removed or added.
    start, end
        Words that they cover.
    before, after
        Brackets of the parent before and after a move; of a relabelled node what it was and what it is; of a node
        removed or added the bracket of its parent, twice.
    siblings
        Labels beside what was moved, removed or added: on the left and right in its old place, then in its new one.
    children, over_word
        Of a node removed or added: labels and spans of its children; whether it has no child but a word.
    mended, spoilt
        Brackets that were wrong and no longer are, and the other way round; with how often, as a multiset.
    """

    kind: RepairKind
    labels: tuple[str, ...]
    start: int
    end: int
    before: LabelledSpan
    after: LabelledSpan
    siblings: tuple[str, ...] = ()
    children: tuple[LabelledSpan, ...] = ()
    over_word: bool = False
    mended: Counter[LabelledSpan] = field(default_factory=Counter)
    spoilt: Counter[LabelledSpan] = field(default_factory=Counter)
    follows: bool = False
    """Whether it only finishes what the repair before it began."""


class _Move(NamedTuple):
    parent: Node
    first: int
    last: int
    target: Node
    place: int
    """Where among the children of the target: before the child of this number, the moved ones not counted."""


_Change = tuple[LabelledSpan, LabelledSpan | None]
"""A node's bracket before and after a move; none if the node goes."""


class Repairs:
    """Repairs a parse step by step until it has the brackets of gold."""

    def __init__(self, parse: Node, gold: Node) -> None:
        self.top = parse
        self.wanted = Counter(node.bracket for child in gold.children for node in child.phrases())
        self.held = Counter(node.bracket for node in self._phrases())
        # In pre-order, so that of several on the same words the higher one is added first.
        self._order = {node.bracket: place for place, node in enumerate(phrases_below(gold))}
        self._origins: dict[LabelledSpan, list[LabelledSpan]] = {}
        """Which brackets of the parse the extra ones were before moves changed their words."""

    def _phrases(self) -> Iterator[Node]:
        return phrases_below(self.top)

    @property
    def wrong(self) -> Counter[LabelledSpan]:
        """Brackets that are wrong, missing and extra ones together."""
        return (self.held - self.wanted) + (self.wanted - self.held)

    def run(self) -> Iterator[TreeRepair]:
        """Repair until nothing is wrong."""
        while self.held != self.wanted:
            move, gain = self._best_move()
            if move is not None and gain >= WIDE_MOVE:
                yield from self._moved(move)
                continue
            pair = self._mislabelled()
            if pair is not None:
                yield self._relabel(*pair)
            elif move is not None and gain >= LEAST_MOVED:
                yield from self._moved(move)
            else:
                yield self._remove_or_add()

    # Moves.

    def _best_move(self) -> tuple[_Move | None, int]:
        best: tuple[int, int, int, int] | None = None
        chosen = None
        if not self.held - self.wanted:
            return None, 0
        missing = [bracket[1:] for bracket in self.wanted - self.held]
        edges = {edge for span in missing for edge in span}
        for move in self._moves(edges):
            gain, spoilt = self._gain(self._changes(move))
            if gain < 1:
                continue
            gain += self._following(move, missing)
            if gain < LEAST_MOVED:
                continue
            size = move.last - move.first
            words = move.parent.children[move.last - 1].end - move.parent.children[move.first].start
            rank = (gain, -spoilt, -size, -words)
            if best is None or rank > best:
                best, chosen = rank, move
        return chosen, best[0] if best is not None else 0

    def _moves(self, edges: set[int]) -> Iterator[_Move]:
        """Every way to hang a run of sisters on another node with the words in their order.

        What a move brings begins or ends where the run does, so one of its `edges` is that of a missing bracket.
        """
        for parent in list(self._phrases()):
            count = len(parent.children)
            for first in range(count):
                for last in range(first + 1, count + 1):
                    run_edges = (parent.children[first].start, parent.children[last - 1].end)
                    if last - first < count and (run_edges[0] in edges or run_edges[1] in edges):
                        yield from self._destinations(parent, first, last)

    def _destinations(self, parent: Node, first: int, last: int) -> Iterator[_Move]:
        count = len(parent.children)
        left = parent.children[first - 1] if first else None
        right = parent.children[last] if last < count else None
        if right is None:
            node = parent
            while node.parent is not None and node.parent.parent is not None:
                place = node.parent.children.index(node) + 1
                node = node.parent
                yield _Move(parent, first, last, node, place)
                if place < len(node.children):
                    right = node.children[place]
                    break
        if left is None:
            node = parent
            while node.parent is not None and node.parent.parent is not None:
                place = node.parent.children.index(node)
                node = node.parent
                yield _Move(parent, first, last, node, place)
                if place:
                    left = node.children[place - 1]
                    break
        while left is not None and left.children:
            yield _Move(parent, first, last, left, len(left.children))
            left = left.children[-1]
        while right is not None and right.children:
            yield _Move(parent, first, last, right, 0)
            right = right.children[0]

    def _changes(self, move: _Move) -> list[_Change]:
        """The nodes whose words a move changes: what their brackets are before and after it."""
        parent, first, last, target, _ = move
        start, end = parent.children[first].start, parent.children[last - 1].end
        over = [target, *target.above()]
        changes: list[_Change] = []
        for node in (parent, *parent.above()):
            if node in over:
                break
            label = node.bracket[0]
            if node is parent and self._leaves_its_twin(move):
                changes.append((node.bracket, None))
            else:
                rest = (label, end, node.end) if node.start == start else (label, node.start, start)
                changes.append((node.bracket, rest))
        under = [parent, *parent.above()]
        for node in over:
            if node in under:
                break
            changes.append((node.bracket, (node.bracket[0], min(start, node.start), max(end, node.end))))
        return changes

    @staticmethod
    def _leaves_its_twin(move: _Move) -> bool:
        """Whether a move out of a node leaves it with nothing but one of its own label, which then takes its place."""
        parent = move.parent
        rest = parent.children[: move.first] + parent.children[move.last :]
        twin = len(rest) == 1 and bool(rest[0].children) and rest[0].label == parent.label
        return twin and parent not in (move.target, *move.target.above())

    def _gain(self, changes: Sequence[_Change]) -> tuple[int, int]:
        """How many wrong brackets fewer there are after a change, and how many it makes wrong."""
        changed = Counter(after for _, after in changes if after is not None)
        changed.subtract(before for before, _ in changes)
        gain = spoilt = 0
        for bracket, number in changed.items():
            before = abs(self.held[bracket] - self.wanted[bracket])
            after = abs(self.held[bracket] + number - self.wanted[bracket])
            gain += before - after
            spoilt += max(after - before, 0)
        return gain, spoilt

    @staticmethod
    def _following(move: _Move, missing: Sequence[tuple[int, int]]) -> int:
        """How many missing brackets could be added around the new place of what is moved."""
        run = move.parent.children[move.first : move.last]
        start, end = run[0].start, run[-1].end
        target = move.target
        inner = {(child.start, child.end) for child in target.children if child.children}
        borders = {start, end, *(child.start for child in target.children), *(child.end for child in target.children)}
        low, high = min(target.start, start), max(target.end, end)
        return sum(
            low <= first and last <= high and last - first < high - low and (first, last) not in inner
            for first, last in missing
            if {first, last} & {start, end} and first in borders and last in borders and (first, last) != (start, end)
        )

    def _moved(self, move: _Move) -> Iterator[TreeRepair]:
        """Make a move, and what it entails: a parent left without purpose goes, a level over the new place comes."""
        parent, first, last, target, place = move
        wrong, extra = self.wrong, self.held - self.wanted
        run = parent.children[first:last]
        start, end = run[0].start, run[-1].end
        siblings = (
            parent.children[first - 1].label if first else "",
            parent.children[last].label if last < len(parent.children) else "",
            target.children[place - 1].label if place else "",
            target.children[place].label if place < len(target.children) else "",
        )
        before = parent.bracket
        changes = self._changes(move)
        leaves_its_twin = self._leaves_its_twin(move)
        del parent.children[first:last]
        target.children[place:place] = run
        for node in run:
            node.parent = target
        if leaves_its_twin:
            splice(parent)
        for gone, come in changes:
            self.held[gone] -= 1
            if come is not None:
                self.held[come] += 1
        measure(self.top)
        labels = tuple(node.label for node in run)
        repair = TreeRepair(RepairKind.MOVE, labels, start, end, before, target.bracket, siblings)
        yield self._noted(repair, wrong, [change for change in changes if extra[change[0]]])
        if parent.parent is not None and is_over_a_word(parent) and self._is_extra(parent):
            yield self._remove(parent, follows=True)
        for bracket in sorted(self.wanted - self.held, key=self._order.__getitem__):
            touches = bracket[1] in (start, end) or bracket[2] in (start, end)
            around = self._home(bracket)
            if touches and around is not None and around[0] is target and not makes_a_unary(*around):
                yield self._add(bracket, follows=True)

    # Single nodes.

    def _is_extra(self, node: Node) -> bool:
        return self.held[node.bracket] > self.wanted[node.bracket]

    def _mislabelled(self) -> tuple[Node, LabelledSpan] | None:
        """A node in the place of a missing one."""
        missing = self.wanted - self.held
        spans: dict[tuple[int, int], LabelledSpan] = {}
        for bracket in missing:
            spans.setdefault(bracket[1:], bracket)
        for node in self._phrases():
            wanted = spans.get((node.start, node.end))
            if wanted is not None and self._is_extra(node):
                return node, wanted
        return None

    def _relabel(self, node: Node, wanted: LabelledSpan) -> TreeRepair:
        wrong = self.wrong
        before = node.bracket
        siblings = labels_beside(node)
        self.held[before] -= 1
        node.label = wanted[0]
        self.held[wanted] += 1
        return self._noted(
            TreeRepair(
                RepairKind.RELABEL, (wanted[0],), node.start, node.end, before, wanted, siblings, children_of(node)
            ),
            wrong,
        )

    def _remove_or_add(self) -> TreeRepair:
        extra = [node for node in self._phrases() if self._is_extra(node)]
        # Small ones first: they are what larger ones are made of.
        if extra:
            return self._remove(min(extra, key=lambda node: node.end - node.start))
        missing = sorted(self.wanted - self.held, key=lambda one: (one[2] - one[1], -self._order[one]))
        return self._add(missing[0])

    def _remove(self, node: Node, follows: bool = False) -> TreeRepair:
        wrong = self.wrong
        above = node.parent.bracket if node.parent is not None else ("", 0, 0)
        noted = self._of_one_node(RepairKind.REMOVE, node, above, follows)
        self.held[node.bracket] -= 1
        splice(node)
        return self._noted(noted, wrong)

    def _home(self, bracket: LabelledSpan) -> tuple[Node, int, int] | None:
        """Where a bracket fits: the node that would hold it, and which of its children it would take."""
        _, start, end = bracket
        node = self.top
        while True:
            inner = next((child for child in node.children if child.start <= start and end <= child.end), None)
            if inner is None or not inner.children:
                break
            # On the same words gold says which stands above.
            if (inner.start, inner.end) == (start, end) and self._order[bracket] < self._order.get(inner.bracket, -1):
                break
            node = inner
        places = [place for place, child in enumerate(node.children) if start <= child.start and child.end <= end]
        if not places or node.children[places[0]].start != start or node.children[places[-1]].end != end:
            return None
        return node, places[0], places[-1] + 1

    def _add(self, bracket: LabelledSpan, follows: bool = False) -> TreeRepair:
        wrong = self.wrong
        home = self._home(bracket)
        assert home is not None, "no bracket is extra, so every missing one fits"
        parent, first, last = home
        node = Node(bracket[0], bracket[1], bracket[2], parent.children[first:last])
        parent.children[first:last] = [node]
        node.parent = parent
        self.held[bracket] += 1
        return self._noted(self._of_one_node(RepairKind.ADD, node, parent.bracket, follows), wrong)

    @staticmethod
    def _of_one_node(kind: RepairKind, node: Node, above: LabelledSpan, follows: bool) -> TreeRepair:
        """What is noted of a node that is added or removed."""
        span = (node.start, node.end)
        beside, children = labels_beside(node), children_of(node)
        over_word = is_over_a_word(node)
        return TreeRepair(kind, (node.label,), *span, above, above, beside, children, over_word, follows=follows)

    def _noted(self, repair: TreeRepair, before: Counter[LabelledSpan], moved: Sequence[_Change] = ()) -> TreeRepair:
        """Note what a repair mended and spoilt; `moved` are extra nodes that it changed, not mended if extra still."""
        after = self.wrong
        mended, spoilt = before - after, after - before
        for old, new in moved:
            if new is not None and mended[old] > 0 and spoilt[new] > 0 and self.held[new] > self.wanted[new]:
                mended[old] -= 1
                spoilt[new] -= 1
                self._origins.setdefault(new, []).append(self._origin(old))
        repair.mended.update(map(self._origin, mended.elements()))
        repair.spoilt.update(spoilt.elements())
        return repair

    def _origin(self, bracket: LabelledSpan) -> LabelledSpan:
        """What a bracket that is mended was in the parse."""
        origins = self._origins.get(bracket)
        return origins.pop() if origins else bracket
