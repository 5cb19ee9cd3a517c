"""Looking for a pattern in a forest: first everywhere at once, then, where nodes have names, match by match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from engine.common.errors import PatternError
from engine.patterns.chains import Mask
from engine.patterns.forest import Forest
from engine.patterns.label_test import AtomTest
from engine.patterns.operators import OPERATORS, Ground, Way
from engine.patterns.pattern_syntax import Atom, Condition, Group, Node, Relation
from engine.trees.head_rules import HeadRules

MOST_STEPS = 50_000
"""How many pairs of nodes are looked at in one tree before the search is given up."""

Named = Mapping[str, int]
"""The nodes that have names."""
Tests = Mapping[Atom, AtomTest]


class Matching:
    """One search of one forest.

    Parameters
    ----------
    pattern
        What to look for.
    tests
        What decides which forms each alternative of a description fits.
    forest
        Where to look.
    rules
        The head rules; the project's own without any.

    Notes
    -----
    Every part of the pattern gets the set of nodes of which it may be true.  Without names that is the answer.
    Where a part refers to a named node, the set has all nodes of which it is true for *some* choice of that node, so it
    may hold too many; :meth:`solutions` then goes through the choices, among these nodes only.
    """

    def __init__(self, pattern: Node, tests: Tests, forest: Forest, rules: HeadRules | None) -> None:
        self._pattern = pattern
        self._tests = tests
        self._forest = forest
        self._ground = Ground(forest, rules)
        # By identity, as two equal parts may stand at different places; the pattern keeps its parts alive.
        self._sets: dict[int, Mask] = {}
        self._ways: dict[int, Way] = {}
        self._candidates: dict[int, list[int]] = {}
        self._steps = 0
        self._tree = -1

    def nodes(self) -> Iterator[int]:
        """Yield the nodes that may match, in order; those that do, if the pattern refers to no names."""
        if len(self._forest):
            yield from np.flatnonzero(self._node_set(self._pattern)).tolist()

    def solutions(self, node: int) -> Iterator[dict[str, int]]:
        """Yield every different choice of the named nodes with which the pattern is true of a node."""
        seen: set[tuple[tuple[str, int], ...]] = set()
        for named in self._solve(self._pattern, node, {}):
            key = tuple(sorted(named.items()))
            if key not in seen:
                seen.add(key)
                yield dict(named)

    # Everywhere at once.

    def _node_set(self, node: Node) -> Mask:
        found = self._sets.get(id(node))
        if found is None:
            found = self._described(node)
            if node.condition is not None:
                found = found & self._condition_set(node.condition)
            self._sets[id(node)] = found
        return found

    def _described(self, node: Node) -> Mask:
        if not node.atoms:
            return np.ones(len(self._forest), np.bool_)
        found = self._tests[node.atoms[0]].mask(self._forest)
        for atom in node.atoms[1:]:
            found = found | self._tests[atom].mask(self._forest)
        return ~found if node.negated else found

    def _condition_set(self, condition: Condition) -> Mask:
        found = self._sets.get(id(condition))
        if found is None:
            found = self._sets[id(condition)] = self._find_condition_set(condition)
        return found

    def _find_condition_set(self, condition: Condition) -> Mask:
        if isinstance(condition, Relation):
            targets = self._node_set(condition.node)
            found = OPERATORS[condition.operator].everywhere(self._ground, targets, self._way(condition))
        else:
            sets = [self._condition_set(member) for member in condition.members]
            found = (np.logical_or if condition.any else np.logical_and).reduce(sets)
        if condition.optional or (condition.negated and condition.references):
            return np.ones(len(self._forest), np.bool_)
        return ~found if condition.negated else found

    def _way(self, relation: Relation) -> Way:
        found = self._ways.get(id(relation))
        if found is None:
            through = None if relation.through is None else self._node_set(relation.through)
            found = self._ways[id(relation)] = Way(relation.number, through)
        return found

    # Match by match.

    def _solve(self, node: Node, place: int, named: Named) -> Iterator[Named]:
        """Yield the names with which a node of the pattern is true at a place, given those chosen so far."""
        if not self._node_set(node)[place]:
            return
        if node.same_node and named[node.same_node] != place:
            return
        if node.same_form and not self._same_form(named[node.same_form], place):
            return
        if node.name:
            named = {**named, node.name: place}
        if node.condition is None:
            yield named
        else:
            yield from self._satisfy(node.condition, place, named)

    def _same_form(self, one: int, other: int) -> bool:
        forest = self._forest
        return bool(
            forest.form_numbers[one] == forest.form_numbers[other] and forest.is_word[one] == forest.is_word[other]
        )

    def _satisfy(self, condition: Condition, place: int, named: Named) -> Iterator[Named]:
        if not condition.names and not condition.references:
            if self._condition_set(condition)[place]:
                yield named
            return
        if isinstance(condition, Relation):
            found = self._relate(condition, place, named)
        else:
            found = self._group(condition, place, named)
        if condition.negated:
            if next(found, None) is None:
                yield named
            return
        none = True
        for solution in found:
            none = False
            yield solution
        if none and condition.optional:
            yield named

    def _relate(self, relation: Relation, place: int, named: Named) -> Iterator[Named]:
        holds, way = OPERATORS[relation.operator].holds, self._way(relation)
        for other in self._candidates_of(relation.node, place):
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise PatternError(
                    "it can match in too many ways in one tree; name fewer nodes, or describe them more closely"
                )
            if holds(self._ground, place, other, way):
                yield from self._solve(relation.node, other, named)

    def _candidates_of(self, node: Node, place: int) -> list[int]:
        """The nodes of the same tree that may match a node of the pattern."""
        tree = int(self._forest.tree_numbers[place])
        if tree != self._tree:
            self._tree, self._steps, self._candidates = tree, 0, {}
        found = self._candidates.get(id(node))
        if found is None:
            nodes = self._forest.nodes_of(tree)
            places = np.flatnonzero(self._node_set(node)[nodes.start : nodes.stop]) + nodes.start
            found = self._candidates[id(node)] = places.tolist()
        return found

    def _group(self, group: Group, place: int, named: Named) -> Iterator[Named]:
        if group.any:
            for member in group.members:
                yield from self._satisfy(member, place, named)
        else:
            yield from self._every(group.members, place, named)

    def _every(self, members: tuple[Condition, ...], place: int, named: Named) -> Iterator[Named]:
        if not members:
            yield named
            return
        for solution in self._satisfy(members[0], place, named):
            yield from self._every(members[1:], place, solution)
