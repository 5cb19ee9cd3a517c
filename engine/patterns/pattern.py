"""Patterns over trees, and what they match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from engine.patterns.forest import Forest
from engine.patterns.label_test import AtomTest
from engine.patterns.matching import Matching
from engine.patterns.pattern_reader import PatternReader
from engine.patterns.pattern_syntax import Atom, Condition, Node, Relation, names_in_order
from engine.trees.head_rules import HeadRules
from engine.trees.tree import LabelledSpan, Tree
from engine.trees.tree_normalisation import bare_label


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
        """Whether a tree has any match."""
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
