"""The notation of patterns, that of Tregex and TGrep2: read by recursive descent into what a pattern consists of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from engine.common.errors import PatternError
from engine.patterns.operators import OPERATORS, SYNONYMS

# What a pattern consists of, once it is read.


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


# Reading of patterns in the notation of Tregex and TGrep2, by recursive descent.
#
# The grammar, where a space may stand between any two parts::
#
#     pattern     = node { ":" node }
#     node        = ( description | "(" node ")" ) [ conditions ]
#     conditions  = all { "|" all }
#     all         = one { [ "&" ] one }
#     one         = [ "!" | "?" ] ( operator operand | "[" conditions "]" )
#     operand     = description | "(" node ")"
#     description = [ "!" ] choice { "|" choice } [ "=" name ]  |  "=" name  |  "~" name [ "=" name ]
#     choice      = { "@" | "i@" } ( label | '"' form '"' | "/" regex "/" [ "i" ] | "__" | "_ROOT_" )

LONGEST_PATTERN = 5000
_LONGEST_NUMBER = 10
DEEPEST_PATTERN = 50
LARGEST_NUMBER = 1000
ANY, ROOT = "__", "_ROOT_"

_SPACE = re.compile(r"\s*")
_OPERATOR = re.compile(
    r"[<>]\+(?=\()|<<[,\-'`:#]?|>>[,\-'`:#]?|[<>]-?\d+|[<>][,\-'`:#]?"
    r"|\$(?:\+\+|--|\.\.|,,|[+\-.,])?|\.\.?|,,?|=="
)
_LABEL = re.compile(
    r"(?:PRP|WP)\$(?![+\-.,])|[^\s()/|@!#&=?\[\]<>~$:;{}\".,](?:[^\s()/|@!#&=?\[\]<>~$:;{}\".,]|,(?=[^\s()\[\],|&=]))*"
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)+)"', re.DOTALL)
_REGEX = re.compile(r"/((?:[^/\\]|\\.)+)/(i?)", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")
_FOREIGN = {
    "<=": "`<=` is not supported here; write [== B | < B]",
    "%": "`%` is not supported here; write $ for sisters",
    ";": "`;` is not supported here; search for one pattern at a time",
    "{": "`{` is not supported here; write one relation after the other, as in S <1 NP <2 VP",
    "#": '`#` stands for heads only after < or >, as in VP <# VBD; write the tag as "#"',
    "*": "write __ for any node",
}


class PatternReader:
    """Reads one pattern; :meth:`read` gives its topmost node."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0
        self._negations = 0
        # Names that a reference may use here, and all names given so far on the way here.
        self._bound: frozenset[str] = frozenset()
        self._given: frozenset[str] = frozenset()

    def read(self) -> Node:
        """Read the pattern; raise :class:`PatternError` for one that cannot be understood."""
        if len(self._text) > LONGEST_PATTERN:
            raise PatternError(f"it has {len(self._text):,} characters; write one of at most {LONGEST_PATTERN:,}")
        if not self._text.strip():
            raise PatternError("it is empty; write a label, as in NP, or labels and a relation, as in NP < PP")
        first = self._node()
        others: list[Condition] = []
        while self._take(":"):
            others.append(Relation(":", self._node()))
        if self._rest():
            raise self._unexpected()
        if not others:
            return first
        before = (first.condition,) if first.condition is not None else ()
        return _with_condition(first, Group((*before, *others)))

    def _node(self) -> Node:
        """Return a node with its conditions."""
        node = self._operand()
        if not self._condition_follows():
            return node
        condition = self._conditions()
        if node.condition is not None:
            condition = Group((node.condition, condition))
        return _with_condition(node, condition)

    def _operand(self) -> Node:
        """Return a node without conditions, or one in brackets with them."""
        self._skip()
        start = self._place
        if not self._take("("):
            return self._description()
        self._deeper(start)
        node = self._node()
        if not self._take(")"):
            if self._rest():
                raise self._unexpected()
            raise PatternError("the ( that opens here is never closed; write a ) where it ends", start + 1)
        self._depth -= 1
        return node

    def _deeper(self, start: int) -> None:
        self._depth += 1
        if self._depth > DEEPEST_PATTERN:
            raise PatternError(f"brackets are nested more than {DEEPEST_PATTERN} deep; write fewer", start + 1)

    def _conditions(self) -> Condition:
        """Conditions with ``|`` between them, of which each may be several."""
        bound, given = self._bound, self._given
        ways: list[Condition] = []
        ends: list[frozenset[str]] = []
        all_given = given
        while True:
            self._bound, self._given = bound, given
            ways.append(self._all())
            ends.append(self._bound)
            all_given |= self._given
            if not self._take("|"):
                break
        # A name is sure to be given only if every alternative gives it.
        self._bound, self._given = frozenset.intersection(*ends), all_given
        return ways[0] if len(ways) == 1 else Group(tuple(ways), any=True)

    def _all(self) -> Condition:
        found = [self._one()]
        while self._take("&") or self._condition_follows():
            found.append(self._one())
        return found[0] if len(found) == 1 else Group(tuple(found))

    def _condition_follows(self) -> bool:
        rest = self._rest()
        return rest[:1] in ("[", "!", "?") or _OPERATOR.match(rest) is not None

    def _one(self) -> Condition:
        """One relation, or a group in square brackets, perhaps negated or optional."""
        self._skip()
        negated, optional = self._take("!"), False
        if not negated:
            optional = self._take("?")
        self._negations += negated
        bound = self._bound
        self._skip()
        start = self._place
        if self._take("["):
            self._deeper(start)
            inside = self._conditions()
            if not self._take("]"):
                if self._rest():
                    raise self._unexpected()
                raise PatternError("the [ that opens here is never closed; write a ] where it ends", start + 1)
            self._depth -= 1
            found: Condition = Group((inside,), negated=negated, optional=optional)
        else:
            found = self._relation(negated, optional)
        self._negations -= negated
        if negated or optional:
            self._bound = bound
        return found

    def _relation(self, negated: bool, optional: bool) -> Relation:
        start = self._place
        if self._rest().startswith("<="):
            raise PatternError(_FOREIGN["<="], start + 1)
        match = _OPERATOR.match(self._text, self._place)
        if match is None:
            raise self._unexpected()
        self._place = match.end()
        operator, number = SYNONYMS.get(match[0], (match[0], 0))
        if operator not in OPERATORS:
            # Python refuses to read numbers of thousands of digits.
            operator, number = operator[0] + "N", int(operator[1:]) if len(operator) < _LONGEST_NUMBER else 0
            if not 0 < abs(number) <= LARGEST_NUMBER:
                raise PatternError(f"children are numbered 1 to {LARGEST_NUMBER}, or -1 for the last", start + 1)
        through = None
        if operator.endswith("+") and operator[0] != "$":
            self._take("(")
            through = self._description()
            if through.name or through.references:
                raise PatternError(f"the nodes on the way of {operator}( ) can have no name", start + 1)
            if not self._take(")"):
                raise PatternError(f"the ( of {operator}( ) is never closed; write {operator}(VP) B", start + 1)
        if not self._rest():
            raise PatternError(f"after {match[0]} a node is missing; write a label, or __ for any node", start + 1)
        return Relation(operator, self._operand(), number, through, negated, optional)

    def _description(self) -> Node:
        """Return how a node looks, and its name."""
        self._skip()
        start = self._place
        if self._take("="):
            return Node((), same_node=self._reference())
        if self._take("~"):
            form = self._reference()
            return Node((), same_form=form, name=self._given_name())
        negated = self._take("!")
        atoms = [self._atom()]
        while self._atom_follows_bar():
            self._take("|")
            atoms.append(self._atom())
        if not atoms:
            raise PatternError("a label is missing here; write one, or __ for any node", start + 1)
        return Node(tuple(atoms), negated, name=self._given_name())

    def _atom_follows_bar(self) -> bool:
        """Return whether ``|`` follows with another alternative of the description, and not with another relation."""
        rest = self._rest()
        return rest.startswith("|") and re.match(r"(?:i?@)*[\"/]|i?@|" + _LABEL.pattern, rest[1:].lstrip()) is not None

    def _atom(self) -> Atom:
        self._skip()
        start = self._place
        basic = ignore_case = False
        while True:
            if self._text.startswith("i@", self._place):
                ignore_case, self._place = True, self._place + 2
            elif self._text.startswith("@", self._place):
                basic, self._place = True, self._place + 1
            else:
                break
        rest = self._text[self._place :]
        column = start + 1
        if match := _QUOTED.match(rest):
            self._place += match.end()
            return Atom(re.sub(r"\\(.)", r"\1", match[1]), "form", basic, ignore_case, column)
        if match := _REGEX.match(rest):
            self._place += match.end()
            return Atom(match[1].replace(r"\/", "/"), "regex", basic, ignore_case or bool(match[2]), column)
        if rest[:1] in ('"', "/"):
            what = "regular expression" if rest[0] == "/" else "quotation"
            if rest[1:2] == rest[0]:
                raise PatternError(f"the {what} is empty; write something in it, or __ for any node", column)
            raise PatternError(f"the {what} that opens here is never closed; write a {rest[0]} at its end", column)
        match = _LABEL.match(rest)
        if match is None:
            raise self._unexpected(node=True)
        self._place += match.end()
        if match[0] in (ANY, ROOT):
            return Atom("", "any" if match[0] == ANY else "root", column=column)
        return Atom(match[0], "form", basic, ignore_case, column)

    def _given_name(self) -> str:
        """Return the name after a description, if there is one."""
        rest = self._rest()
        if not rest.startswith("=") or rest.startswith("=="):
            return ""
        column = self._place + 1
        self._take("=")
        name = self._name()
        if name in self._given:
            raise PatternError(f"the name {name} is given twice; write ={name} alone for the same node", column)
        if self._negations:
            raise PatternError(
                f"a node that is not there cannot be named {name}; take the name out of the negation", column
            )
        self._bound |= {name}
        self._given |= {name}
        return name

    def _reference(self) -> str:
        column = self._place
        name = self._name()
        if name not in self._bound:
            known = f"; names given before are {', '.join(sorted(self._bound))}" if self._bound else ""
            raise PatternError(
                f"no node is certain to be named {name} here; name one first, as in NP={name}{known}", column
            )
        return name

    def _name(self) -> str:
        match = _NAME.match(self._text, self._place)
        if match is None:
            raise PatternError("a name is missing after = or ~; write letters, as in NP=subject", self._place + 1)
        self._place = match.end()
        return match[0]

    def _rest(self) -> str:
        """Return what is still to be read."""
        self._skip()
        return self._text[self._place :]

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._place)
        assert match is not None
        self._place = match.end()

    def _take(self, sign: str) -> bool:
        """Go past a sign, if it comes next."""
        self._skip()
        if not self._text.startswith(sign, self._place):
            return False
        self._place += len(sign)
        return True

    def _unexpected(self, node: bool = False) -> PatternError:
        rest = self._rest()
        column = self._place + 1
        if not rest:
            return PatternError("it ends where a node is missing; write a label, or __ for any node", column)
        for sign, advice in _FOREIGN.items():
            if rest.startswith(sign):
                return PatternError(advice, column)
        if rest[0] in ")]":
            opening = "(" if rest[0] == ")" else "["
            if node:
                return PatternError(f"before this {rest[0]} a node is missing; write a label", column)
            return PatternError(f"this {rest[0]} closes nothing; take it away, or write {opening} before", column)
        if node:
            return PatternError(
                f"a node cannot begin with {rest[0]}; write a label, /regex/, __ for any node, "
                f'or the sign in quotes, as in "{rest[0]}"',
                column,
            )
        shown = rest.split()[0][:20]
        return PatternError(f"{shown} follows without a relation; write one before it, as in NP < {shown}", column)


def _with_condition(node: Node, condition: Condition) -> Node:
    return Node(node.atoms, node.negated, node.same_node, node.same_form, node.name, condition)
