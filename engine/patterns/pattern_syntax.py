"""What a pattern consists of, once it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Atom:
    """One alternative of a description: a label or word as it is, a regular expression, or any node.

    Attributes
    ----------
    text
        The form, or the regular expression; empty for any node.
    kind
        ``form``, ``regex``, ``any`` or ``root``.
    basic
        Whether function tags and indices are left out before it is compared (``@NP``).
    ignore_case
        Whether upper and lower case are one.
    column
        Where it stands in the pattern.
    """

    text: str
    kind: str
    basic: bool = False
    ignore_case: bool = False
    column: int = 1


@dataclass(frozen=True)
class Node:
    """A node of a pattern: how it looks, what it is called, how it stands to others.

    Attributes
    ----------
    atoms
        The alternatives of its description; none where it is only a reference.
    negated
        Whether it must have none of them.
    same_node
        The name of the node that it must be (``=x``).
    same_form
        The name of the node whose label or word it must have (``~x``).
    name
        What it is called.
    condition
        What must hold of it.
    """

    atoms: tuple[Atom, ...]
    negated: bool = False
    same_node: str = ""
    same_form: str = ""
    name: str = ""
    condition: Condition | None = None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that are given in it."""
        inside = self.condition.names if self.condition else frozenset[str]()
        return inside | {self.name} if self.name else inside

    @cached_property
    def references(self) -> frozenset[str]:
        """The names that it refers to."""
        here = frozenset(filter(None, (self.same_node, self.same_form)))
        return here | self.condition.references if self.condition else here


@dataclass(frozen=True)
class Relation:
    """That a node stands in some relation to another.

    Attributes
    ----------
    operator
        Which relation, as :data:`engine.patterns.operators.OPERATORS` names it.
    number
        The number in ``<3``; 0 where there is none.
    through
        The nodes on the way, of ``<+(VP)``.
    """

    operator: str
    node: Node
    number: int = 0
    through: Node | None = None
    negated: bool = False
    optional: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that are given in it."""
        return self.node.names

    @cached_property
    def references(self) -> frozenset[str]:
        """The names that it refers to."""
        return self.node.references


@dataclass(frozen=True)
class Group:
    """Conditions of which all, or any, must hold."""

    members: tuple[Condition, ...]
    any: bool = False
    negated: bool = False
    optional: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that are given in it."""
        return frozenset[str]().union(*(member.names for member in self.members))

    @cached_property
    def references(self) -> frozenset[str]:
        """The names that it refers to."""
        return frozenset[str]().union(*(member.references for member in self.members))


Condition = Relation | Group


def names_in_order(node: Node) -> Iterator[str]:
    """Yield the names that are given in a pattern as they stand in it, each once."""
    yield from dict.fromkeys(_names(node))


def _names(part: Node | Condition) -> Iterator[str]:
    if isinstance(part, Node):
        if part.name:
            yield part.name
        if part.condition is not None:
            yield from _names(part.condition)
    elif isinstance(part, Relation):
        yield from _names(part.node)
    else:
        for member in part.members:
            yield from _names(member)
