"""Patterns over trees: what they match, and where gold tree and parse differ in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from unicodedata import normalize

import numpy as np

from engine.common.characters import is_text, made_text
from engine.common.errors import PatternError
from engine.patterns.forest import Forest, Mask
from engine.patterns.notation import Atom, Condition, Group, Node, PatternReader, Relation, names_in_order
from engine.patterns.operators import OPERATORS, Ground, Way
from engine.trees.head_rules import HeadRules
from engine.trees.tree import LabelledSpan, Tree, bare_label

# Which labels and words a node's description fits; each is asked about once.

LONGEST_REGEX = 500


class AtomTest(dict[str, bool]):
    """Whether an alternative of a description fits a form, remembered for every form that was asked about."""

    def __init__(self, atom: Atom) -> None:
        super().__init__()
        self.atom = atom
        self._fits = _test(atom)

    def __missing__(self, form: str) -> bool:
        """Ask about a form for the first time."""
        text = bare_label(form) if self.atom.basic else form
        # Letters and their accents are one character or two: that is nothing that a person sees.
        answer = self[form] = self._fits(text if text.isascii() else normalize("NFC", text))
        return answer

    def mask(self, forest: Forest) -> Mask:
        """Return the nodes of a forest that it fits."""
        if self.atom.kind == "any":
            return np.ones(len(forest), np.bool_)
        if self.atom.kind == "root":
            roots: Mask = forest.depths == 0
            return roots
        fitting = np.fromiter(map(self.__getitem__, forest.forms), np.bool_, len(forest.forms))
        found = fitting[forest.form_numbers]
        # A word has no category.
        return found & ~forest.is_word if self.atom.basic else found


def _test(atom: Atom) -> Callable[[str], bool]:
    if atom.kind == "regex":
        search = _regex_search(atom)
        # re2 reads UTF-8, which half a character has none of.
        return lambda form: search(made_text(form)) is not None
    text = normalize("NFC", atom.text)
    if atom.ignore_case:
        folded = text.casefold()
        return lambda form: form.casefold() == folded
    return text.__eq__


def _regex_search(atom: Atom) -> Callable[[str], object]:
    """Return what looks for an expression, in time that is linear in what it is tried on, whatever it says."""
    # Here, so that commands that search for nothing start without it.
    import re2

    if not is_text(atom.text):
        raise PatternError("the regular expression holds half a character; write it anew", atom.column)
    if len(atom.text) > LONGEST_REGEX:
        raise PatternError(f"the regular expression is longer than {LONGEST_REGEX} characters; shorten it", atom.column)
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not atom.ignore_case
    try:
        search: Callable[[str], object] = re2.compile(normalize("NFC", atom.text), options).search
        return search
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        reason = str(reason)[:60]
        raise PatternError(
            f"/{atom.text[:40]}/ is no regular expression that can be used here ({reason}); "
            "correct it, or write the label without / /",
            atom.column,
        ) from error


# Looking for a pattern in a forest: first everywhere at once, then, where nodes have names, match by match.

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
        """Return the nodes of the same tree that may match a node of the pattern."""
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


# Patterns over trees, and what they match.


class MatchedNode:
    """A node of a tree that a pattern, or a named part of it, matched.

    Where it is a word, `node` and `path` lead to the tag over it.

    Attributes
    ----------
    tree_number
        Which of the trees that were searched it is in, from 0 on.
    """

    __slots__ = ("_forest", "_number", "tree_number")

    def __init__(self, forest: Forest, number: int) -> None:
        self._forest = forest
        self._number = number
        self.tree_number = forest.tree_of(number)

    @property
    def is_word(self) -> bool:
        """Whether a word itself was matched, and not a tag or a constituent."""
        return self._forest.is_word.item(self._number)

    @property
    def label(self) -> str:
        """The label as it stands in the tree; of a word the word."""
        return self._forest.form(self._number)

    @property
    def path(self) -> tuple[int, ...]:
        """The numbers of the children that lead from the root to it, from 0 on."""
        return self._forest.path(self._number)

    @property
    def span(self) -> tuple[int, int]:
        """The first of its tokens and the end after the last; traces are no tokens."""
        return self._forest.span(self._number)

    @property
    def node(self) -> Tree:
        """The node of the tree."""
        node = self._forest.tree(self.tree_number)
        for step in self.path:
            node = node.children[step]
        return node

    @property
    def tree(self) -> Tree:
        """The whole tree that it is in."""
        return self._forest.tree(self.tree_number)

    @property
    def words(self) -> tuple[str, ...]:
        """Its words, traces left out."""
        return self._forest.words(self._number, self._forest.ends.item(self._number))

    @property
    def sentence(self) -> tuple[str, ...]:
        """The words of the whole tree, traces left out."""
        nodes = self._forest.nodes_of(self.tree_number)
        return self._forest.words(nodes.start, nodes.stop)

    @property
    def bracket(self) -> LabelledSpan:
        """Its bare label, without function tags and indices, and its span: what two trees can have in common."""
        label = self.label
        return (label if self.is_word else bare_label(label), *self.span)


class Match(MatchedNode):
    """What a pattern matched: the node at its top, and those with names.

    Attributes
    ----------
    captures
        The named nodes; one of an optional part that was not found, or of another alternative, is missing.
    """

    __slots__ = ("captures",)

    def __init__(self, forest: Forest, number: int, named: Mapping[str, int]) -> None:
        super().__init__(forest, number)
        self.captures: Mapping[str, MatchedNode] = MappingProxyType(
            {name: MatchedNode(forest, place) for name, place in named.items()}
        )

    def __repr__(self) -> str:
        return f"Match({self.label}, path {self.path}, span {self.span})"


class Pattern:
    """A pattern in the notation of Tregex and TGrep2, such as ``PP > (VP < /^VB/=verb)``.

    Parameters
    ----------
    text
        The pattern; :class:`PatternError` says what is wrong with one that cannot be understood.

    Attributes
    ----------
    text
        The pattern as it was written.
    names
        The names that it gives, in order.
    uses_heads
        Whether it asks for heads, and head rules make a difference.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._root = PatternReader(text).read()
        self._tests = {atom: AtomTest(atom) for atom in _atoms(self._root)}
        self.names = tuple(names_in_order(self._root))
        self.uses_heads = any("#" in relation.operator for relation in _relations(self._root))

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def __reduce__(self) -> tuple[type[Pattern], tuple[str]]:
        """Let the pattern travel between processes."""
        return Pattern, (self.text,)

    def matches(self, tree: Tree, head_rules: HeadRules | None = None) -> Iterator[Match]:
        """Yield the matches in a tree; see :meth:`search`."""
        return self.search(Forest.of([tree]), head_rules)

    def found_in(self, tree: Tree, head_rules: HeadRules | None = None) -> bool:
        """Return whether a tree has any match."""
        return next(self.matches(tree, head_rules), None) is not None

    def search(self, trees: Forest | Iterable[Tree], head_rules: HeadRules | None = None) -> Iterator[Match]:
        """Yield the matches in many trees, one tree after the other, from top to bottom and left to right.

        There is one match for each node, however many ways there are for the rest of the pattern to be true; where
        the pattern gives names, one for each node and each different choice of the named nodes.

        Parameters
        ----------
        trees
            The trees; as a :class:`Forest` they are searched again and again without being taken apart anew.
        head_rules
            What finds heads; the project's own rules without any.
        """
        forest = trees if isinstance(trees, Forest) else Forest.of(trees)
        matching = Matching(self._root, self._tests, forest, head_rules)
        plain = not self._root.names and not self._root.references
        for node in matching.nodes():
            if plain:
                yield Match(forest, node, {})
            else:
                yield from (Match(forest, node, named) for named in matching.solutions(node))


def _atoms(part: Node | Condition) -> Iterator[Atom]:
    if isinstance(part, Node):
        yield from part.atoms
        if part.condition is not None:
            yield from _atoms(part.condition)
    elif isinstance(part, Relation):
        yield from _atoms(part.node)
        if part.through is not None:
            yield from _atoms(part.through)
    else:
        for member in part.members:
            yield from _atoms(member)


def _relations(part: Node | Condition) -> Iterator[Relation]:
    if isinstance(part, Node):
        if part.condition is not None:
            yield from _relations(part.condition)
    elif isinstance(part, Relation):
        yield part
        yield from _relations(part.node)
    else:
        for member in part.members:
            yield from _relations(member)


# Where a pattern is found in the gold tree and not in the parse, and the other way round.


def missing(pattern: Pattern, gold: Tree, parse: Tree, head_rules: HeadRules | None = None) -> Iterator[Match]:
    """Yield the matches in the gold tree that the parse lacks.

    A match is lacking if no match in the other tree has its brackets: the bare label and the span of the matched node
    and of every named one.  Spans are counted in tokens, traces left out, so that the gold tree may be as published.
    """
    return lacking(pattern, Forest.of([gold]), Forest.of([parse]), head_rules)


def extra(pattern: Pattern, gold: Tree, parse: Tree, head_rules: HeadRules | None = None) -> Iterator[Match]:
    """Yield the matches in the parse that the gold tree lacks; see :func:`missing`."""
    return lacking(pattern, Forest.of([parse]), Forest.of([gold]), head_rules)


def lacking(
    pattern: Pattern, trees: Forest | Iterable[Tree], others: Forest | Iterable[Tree], rules: HeadRules | None = None
) -> Iterator[Match]:
    """Yield the matches in some trees that no match in the tree of the same number among the others has."""
    there = {(match.tree_number, *_brackets(match)) for match in pattern.search(others, rules)}
    for match in pattern.search(trees, rules):
        if (match.tree_number, *_brackets(match)) not in there:
            yield match


def _brackets(match: Match) -> tuple[LabelledSpan, tuple[tuple[str, LabelledSpan], ...]]:
    named = sorted((name, node.bracket) for name, node in match.captures.items())
    return match.bracket, tuple(named)
