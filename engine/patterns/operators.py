"""The relations that a pattern can ask for: how each is written, and two ways to find out where it holds.

*Set-wise*: from the nodes that match the right-hand side, all nodes of a forest that stand in the relation to one of
them, by a few operations on whole arrays.  *Pairwise*: whether it holds of two nodes, where matches are told apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from engine.patterns.forest import Chains, Forest, Mask, counted_before
from engine.trees.head_rules import HeadRules, load_head_rules


@cache
def _own_head_rules() -> HeadRules:
    return load_head_rules()


@dataclass
class Ground:
    """Where relations are looked for: a forest, and the head rules if any are asked for."""

    forest: Forest
    rules: HeadRules | None = None

    @cached_property
    def is_head(self) -> Mask:
        """Whether each node is the head-child of its parent."""
        return self.forest.is_head(self._head_rules)

    @cached_property
    def head_chains(self) -> Chains:
        """Chains of head-children."""
        return Chains.of_links(self.forest.parents, self.forest.depths, self.is_head)

    @property
    def _head_rules(self) -> HeadRules:
        return self.rules if self.rules is not None else _own_head_rules()


@dataclass(frozen=True)
class Way:
    """What else a relation says: the number of ``<3``, the nodes on the way of ``<+(VP)``."""

    number: int = 0
    through: Mask | None = None


SetWise = Callable[[Ground, Mask, Way], Mask]
PairWise = Callable[[Ground, int, int, Way], bool]


@dataclass(frozen=True)
class Operator:
    """A relation.

    Attributes
    ----------
    meaning
        What ``A … B`` says, in words.
    everywhere
        Which nodes A have a B among the targets.
    holds
        Whether it holds of a node A and a node B.
    """

    meaning: str
    everywhere: SetWise
    holds: PairWise


def _parents_of(ground: Ground, children: Mask) -> Mask:
    """Return the parents of some nodes."""
    forest = ground.forest
    found = np.zeros(len(forest), np.bool_)
    found[forest.parents[children & (forest.parents >= 0)]] = True
    return found


def _children_of(ground: Ground, parents: Mask) -> Mask:
    """Return the children of some nodes."""
    forest = ground.forest
    return (forest.parents >= 0) & parents[forest.parents]


def _below(ground: Ground, targets: Mask, way: Way) -> Mask:
    counts = counted_before(targets)
    found: Mask = counts[ground.forest.ends] > counts[1:]
    return found


def _above(ground: Ground, targets: Mask, way: Way) -> Mask:
    size = len(targets)
    tops = np.flatnonzero(targets)
    begun = np.bincount(tops + 1, minlength=size + 1)
    ended = np.bincount(ground.forest.ends[tops], minlength=size + 1)
    found: Mask = np.cumsum(begun - ended)[:size] > 0
    return found


def _is_nth(ground: Ground, number: int) -> Mask:
    """Return which nodes are the n-th child of their parents, from the last one if negative."""
    forest = ground.forest
    place = forest.child_numbers if number > 0 else forest.child_numbers - forest.sister_counts
    found: Mask = (forest.parents >= 0) & (place == (number - 1 if number > 0 else number))
    return found


def _nth(ground: Ground, child: int, number: int) -> bool:
    forest = ground.forest
    place = forest.child_numbers[child] - (0 if number > 0 else forest.sister_counts[child])
    return bool(place == (number - 1 if number > 0 else number))


def _is_child(ground: Ground, upper: int, lower: int) -> bool:
    return bool(ground.forest.parents[lower] == upper)


def _is_under(ground: Ground, upper: int, lower: int) -> bool:
    return bool(upper < lower < ground.forest.ends[upper])


def _only(ground: Ground) -> Mask:
    """Return which nodes are only children."""
    found: Mask = (ground.forest.parents >= 0) & (ground.forest.sister_counts == 1)
    return found


def _sisters(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    inside = forest.parents >= 0
    counts = np.bincount(forest.parents[targets & inside], minlength=len(forest))
    found: Mask = inside & (counts[forest.parents] > targets)
    return found


def _are_sisters(ground: Ground, one: int, other: int) -> bool:
    parents = ground.forest.parents
    return bool(one != other and parents[one] == parents[other] >= 0)


def _has_next(ground: Ground) -> Mask:
    """Return which nodes have a sister to their right, which is where they end."""
    forest = ground.forest
    found: Mask = (forest.parents >= 0) & (forest.ends < forest.ends[forest.parents])
    return found


def _before_next_sister(ground: Ground, targets: Mask, way: Way) -> Mask:
    return _has_next(ground) & targets[np.minimum(ground.forest.ends, len(targets) - 1)]


def _after_next_sister(ground: Ground, targets: Mask, way: Way) -> Mask:
    found = np.zeros(len(targets), np.bool_)
    found[ground.forest.ends[targets & _has_next(ground)]] = True
    return found


def _before_sister(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    inside = forest.parents >= 0
    places = np.flatnonzero(targets & inside)
    last = np.full(len(targets), -1, np.int64)
    # Of several with one parent the one assigned last stays.
    last[forest.parents[places]] = places
    found: Mask = inside & (last[forest.parents] > np.arange(len(targets)))
    return found


def _after_sister(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    inside = forest.parents >= 0
    places = np.flatnonzero(targets & inside)[::-1]
    first = np.full(len(targets), len(targets), np.int64)
    first[forest.parents[places]] = places
    found: Mask = inside & (first[forest.parents] < np.arange(len(targets)))
    return found


def _right_before(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    starts = np.zeros(int(forest.leaves_before[-1]) + 1, np.bool_)
    starts[forest.first_leaves[targets]] = True
    roots = forest.roots[forest.tree_numbers]
    return starts[forest.last_leaves] & (forest.last_leaves < forest.last_leaves[roots])


def _right_after(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    stops = np.zeros(int(forest.leaves_before[-1]) + 1, np.bool_)
    stops[forest.last_leaves[targets]] = True
    roots = forest.roots[forest.tree_numbers]
    return stops[forest.first_leaves] & (forest.first_leaves > forest.first_leaves[roots])


def _before(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    starts = np.where(targets, forest.first_leaves, -1)
    latest = np.maximum.reduceat(starts, forest.roots)
    found: Mask = latest[forest.tree_numbers] >= forest.last_leaves
    return found


def _after(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    stops = np.where(targets, forest.last_leaves, np.iinfo(np.int32).max)
    earliest = np.minimum.reduceat(stops, forest.roots)
    found: Mask = earliest[forest.tree_numbers] <= forest.first_leaves
    return found


def _precedes(ground: Ground, one: int, other: int, at_once: bool) -> bool:
    forest = ground.forest
    end, start = forest.last_leaves[one], forest.first_leaves[other]
    near = end == start if at_once else end <= start
    return bool(near and forest.tree_numbers[one] == forest.tree_numbers[other])


def _same_tree(ground: Ground, targets: Mask, way: Way) -> Mask:
    forest = ground.forest
    return np.logical_or.reduceat(targets, forest.roots)[forest.tree_numbers]


def _below_through(ground: Ground, targets: Mask, way: Way) -> Mask:
    assert way.through is not None
    found = np.zeros(len(targets), np.bool_)
    for level in reversed(ground.forest.levels[1:]):
        reached = targets[level] | (way.through[level] & found[level])
        found[ground.forest.parents[level[reached]]] = True
    return found


def _above_through(ground: Ground, targets: Mask, way: Way) -> Mask:
    assert way.through is not None
    found = np.zeros(len(targets), np.bool_)
    for level in ground.forest.levels[1:]:
        above = ground.forest.parents[level]
        found[level] = targets[above] | (way.through[above] & found[above])
    return found


def _is_under_through(ground: Ground, upper: int, lower: int, way: Way) -> bool:
    assert way.through is not None
    if not _is_under(ground, upper, lower):
        return False
    node = ground.forest.parents[lower]
    while node != upper and way.through[node]:
        node = ground.forest.parents[node]
    return bool(node == upper)


OPERATORS = {
    "<": Operator("A is the parent of B", lambda g, t, w: _parents_of(g, t), lambda g, a, b, w: _is_child(g, a, b)),
    ">": Operator("A is a child of B", lambda g, t, w: _children_of(g, t), lambda g, a, b, w: _is_child(g, b, a)),
    "<<": Operator("A dominates B", _below, lambda g, a, b, w: _is_under(g, a, b)),
    ">>": Operator("A is dominated by B", _above, lambda g, a, b, w: _is_under(g, b, a)),
    "<N": Operator(
        "B is the N-th child of A",
        lambda g, t, w: _parents_of(g, t & _is_nth(g, w.number)),
        lambda g, a, b, w: _is_child(g, a, b) and _nth(g, b, w.number),
    ),
    ">N": Operator(
        "A is the N-th child of B",
        lambda g, t, w: _children_of(g, t) & _is_nth(g, w.number),
        lambda g, a, b, w: _is_child(g, b, a) and _nth(g, a, w.number),
    ),
    "<:": Operator(
        "B is the only child of A",
        lambda g, t, w: _parents_of(g, t & _only(g)),
        lambda g, a, b, w: _is_child(g, a, b) and bool(g.forest.sister_counts[b] == 1),
    ),
    ">:": Operator(
        "A is the only child of B",
        lambda g, t, w: _children_of(g, t) & _only(g),
        lambda g, a, b, w: _is_child(g, b, a) and bool(g.forest.sister_counts[a] == 1),
    ),
    "<<,": Operator(
        "B is a left-most descendant of A",
        lambda g, t, w: g.forest.left_chains.below(t),
        lambda g, a, b, w: g.forest.left_chains.holds(a, b),
    ),
    ">>,": Operator(
        "A is a left-most descendant of B",
        lambda g, t, w: g.forest.left_chains.above(t),
        lambda g, a, b, w: g.forest.left_chains.holds(b, a),
    ),
    "<<-": Operator(
        "B is a right-most descendant of A",
        lambda g, t, w: g.forest.right_chains.below(t),
        lambda g, a, b, w: g.forest.right_chains.holds(a, b),
    ),
    ">>-": Operator(
        "A is a right-most descendant of B",
        lambda g, t, w: g.forest.right_chains.above(t),
        lambda g, a, b, w: g.forest.right_chains.holds(b, a),
    ),
    "<<:": Operator(
        "A dominates B by only children",
        lambda g, t, w: g.forest.unary_chains.below(t),
        lambda g, a, b, w: g.forest.unary_chains.holds(a, b),
    ),
    ">>:": Operator(
        "A is dominated by B by only children",
        lambda g, t, w: g.forest.unary_chains.above(t),
        lambda g, a, b, w: g.forest.unary_chains.holds(b, a),
    ),
    "<#": Operator(
        "B is the head-child of A",
        lambda g, t, w: _parents_of(g, t & g.is_head),
        lambda g, a, b, w: _is_child(g, a, b) and bool(g.is_head[b]),
    ),
    ">#": Operator(
        "A is the head-child of B",
        lambda g, t, w: _children_of(g, t) & g.is_head,
        lambda g, a, b, w: _is_child(g, b, a) and bool(g.is_head[a]),
    ),
    "<<#": Operator(
        "B is a head of A, at whatever depth",
        lambda g, t, w: g.head_chains.below(t),
        lambda g, a, b, w: g.head_chains.holds(a, b),
    ),
    ">>#": Operator(
        "A is a head of B, at whatever depth",
        lambda g, t, w: g.head_chains.above(t),
        lambda g, a, b, w: g.head_chains.holds(b, a),
    ),
    "$": Operator("A and B are sisters", _sisters, lambda g, a, b, w: _are_sisters(g, a, b)),
    "$+": Operator(
        "B is the next sister to the right of A",
        _before_next_sister,
        lambda g, a, b, w: _are_sisters(g, a, b) and bool(g.forest.ends[a] == b),
    ),
    "$-": Operator(
        "B is the next sister to the left of A",
        _after_next_sister,
        lambda g, a, b, w: _are_sisters(g, a, b) and bool(g.forest.ends[b] == a),
    ),
    "$++": Operator(
        "B is a sister to the right of A", _before_sister, lambda g, a, b, w: _are_sisters(g, a, b) and a < b
    ),
    "$--": Operator(
        "B is a sister to the left of A", _after_sister, lambda g, a, b, w: _are_sisters(g, a, b) and b < a
    ),
    ".": Operator("A immediately precedes B", _right_before, lambda g, a, b, w: _precedes(g, a, b, True)),
    ",": Operator("A immediately follows B", _right_after, lambda g, a, b, w: _precedes(g, b, a, True)),
    "..": Operator("A precedes B", _before, lambda g, a, b, w: _precedes(g, a, b, False)),
    ",,": Operator("A follows B", _after, lambda g, a, b, w: _precedes(g, b, a, False)),
    "<+": Operator(
        "A dominates B, and all nodes between them match C",
        _below_through,
        lambda g, a, b, w: _is_under_through(g, a, b, w),
    ),
    ">+": Operator(
        "A is dominated by B, and all nodes between them match C",
        _above_through,
        lambda g, a, b, w: _is_under_through(g, b, a, w),
    ),
    "==": Operator("A and B are the same node", lambda g, t, w: t, lambda g, a, b, w: a == b),
    ":": Operator(
        "A and B are in the same tree",
        _same_tree,
        lambda g, a, b, w: bool(g.forest.tree_numbers[a] == g.forest.tree_numbers[b]),
    ),
}
"""Every relation by its canonical spelling, which is Tregex's."""

SYNONYMS: dict[str, tuple[str, int]] = {
    "<,": ("<N", 1),
    ">,": (">N", 1),
    **{"<" + last: ("<N", -1) for last in "-'`"},
    **{">" + last: (">N", -1) for last in "-'`"},
    **{"<<" + last: ("<<-", 0) for last in "'`"},
    **{">>" + last: (">>-", 0) for last in "'`"},
    "$.": ("$+", 0),
    "$,": ("$-", 0),
    "$..": ("$++", 0),
    "$,,": ("$--", 0),
}
"""Other spellings, of Tregex or TGrep2, with the relation that each is and its number."""
