"""Patterns by their definitions alone: every relation said of two paths, every choice of nodes tried.

A path leads from the root to a node by numbers of children; a word is child 0 of its tag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

from engine.trees.tree import Tree

Path = tuple[int, ...]
Names = dict[str, Path]
LABELS = ("A", "B", "C")
WORDS = ("a", "b", "A")
HEAD_TABLE = "A left\n* right\n"


class Paths:
    """A tree as labels and words by path."""

    def __init__(self, tree: Tree) -> None:
        self.forms: dict[Path, str] = {}
        self.is_word: dict[Path, bool] = {}
        self.sizes: dict[Path, int] = {}
        self._add(tree, ())
        leaves = [path for path in self.forms if self.is_word[path]]
        self.leaves = {
            path: [number for number, leaf in enumerate(leaves) if leaf[: len(path)] == path] for path in self.forms
        }

    def _add(self, node: Tree, path: Path) -> None:
        self.forms[path], self.is_word[path] = node.label, False
        if node.word is not None:
            self.sizes[path] = 1
            self.forms[(*path, 0)], self.is_word[(*path, 0)], self.sizes[(*path, 0)] = node.word, True, 0
            return
        self.sizes[path] = len(node.children)
        for number, child in enumerate(node.children):
            self._add(child, (*path, number))

    def under(self, a: Path, b: Path) -> bool:
        """Whether the first dominates the second."""
        return len(b) > len(a) and b[: len(a)] == a

    def steps(self, a: Path, b: Path) -> Iterator[tuple[Path, int]]:
        """Yield every step from a node down to another: from where, and to which child."""
        for length in range(len(a), len(b)):
            yield b[:length], b[length]

    def chain(self, a: Path, b: Path, right: Callable[[Path, int], bool]) -> bool:
        """Whether the first dominates the second by steps each of which is right."""
        return self.under(a, b) and all(right(path, child) for path, child in self.steps(a, b))

    def is_last(self, path: Path, child: int) -> bool:
        """Whether a child is the last."""
        return child == self.sizes[path] - 1

    def is_head(self, path: Path, child: int) -> bool:
        """Whether a child is the head by :data:`HEAD_TABLE`."""
        return child == 0 if self.forms[path] == "A" else self.is_last(path, child)


Holds = Callable[[Paths, Path, Path], bool]


def _child(p: Paths, a: Path, b: Path) -> bool:
    return b != () and b[:-1] == a


def _sisters(p: Paths, a: Path, b: Path) -> bool:
    return a != b and a != () and b != () and a[:-1] == b[:-1]


def _before(p: Paths, a: Path, b: Path) -> bool:
    return p.leaves[a][-1] < p.leaves[b][0]


DOWN: dict[str, Holds] = {
    "<": _child,
    "<<": lambda p, a, b: p.under(a, b),
    "<,": lambda p, a, b: _child(p, a, b) and b[-1] == 0,
    "<-": lambda p, a, b: _child(p, a, b) and p.is_last(a, b[-1]),
    "<'": lambda p, a, b: _child(p, a, b) and p.is_last(a, b[-1]),
    "<1": lambda p, a, b: _child(p, a, b) and b[-1] == 0,
    "<2": lambda p, a, b: _child(p, a, b) and b[-1] == 1,
    "<-1": lambda p, a, b: _child(p, a, b) and p.is_last(a, b[-1]),
    "<-2": lambda p, a, b: _child(p, a, b) and b[-1] == p.sizes[a] - 2,
    "<:": lambda p, a, b: _child(p, a, b) and p.sizes[a] == 1,
    "<<,": lambda p, a, b: p.chain(a, b, lambda path, child: child == 0),
    "<<-": lambda p, a, b: p.chain(a, b, p.is_last),
    "<<'": lambda p, a, b: p.chain(a, b, p.is_last),
    "<<:": lambda p, a, b: p.chain(a, b, lambda path, child: p.sizes[path] == 1),
    "<#": lambda p, a, b: _child(p, a, b) and p.is_head(a, b[-1]),
    "<<#": lambda p, a, b: p.chain(a, b, p.is_head),
    "<+(B)": lambda p, a, b: p.under(a, b) and all(p.forms[path] == "B" for path, _ in p.steps(a, b) if path != a),
}
"""Relations that look down; each has one that looks up."""
ACROSS: dict[str, Holds] = {
    "$": _sisters,
    "$+": lambda p, a, b: _sisters(p, a, b) and b[-1] - a[-1] == 1,
    "$.": lambda p, a, b: _sisters(p, a, b) and b[-1] - a[-1] == 1,
    "$-": lambda p, a, b: _sisters(p, a, b) and a[-1] - b[-1] == 1,
    "$,": lambda p, a, b: _sisters(p, a, b) and a[-1] - b[-1] == 1,
    "$++": lambda p, a, b: _sisters(p, a, b) and a[-1] < b[-1],
    "$..": lambda p, a, b: _sisters(p, a, b) and a[-1] < b[-1],
    "$--": lambda p, a, b: _sisters(p, a, b) and a[-1] > b[-1],
    "$,,": lambda p, a, b: _sisters(p, a, b) and a[-1] > b[-1],
    ".": lambda p, a, b: _before(p, a, b) and p.leaves[a][-1] + 1 == p.leaves[b][0],
    ",": lambda p, a, b: _before(p, b, a) and p.leaves[b][-1] + 1 == p.leaves[a][0],
    "..": _before,
    ",,": lambda p, a, b: _before(p, b, a),
    "==": lambda p, a, b: a == b,
}


def _upwards(holds: Holds) -> Holds:
    return lambda p, a, b: holds(p, b, a)


RELATIONS: dict[str, Holds] = {
    **DOWN,
    **ACROSS,
    **{op.replace("<", ">"): _upwards(holds) for op, holds in DOWN.items()},
}


@dataclass(frozen=True)
class RandomNode:
    """A node of a random pattern: its description, name and conditions."""

    description: str
    name: str
    conditions: tuple[RandomCondition, ...]

    def __str__(self) -> str:
        name = f"={self.name}" if self.name else ""
        return f"{self.description}{name} {' '.join(map(str, self.conditions))}".strip()

    def solutions(self, paths: Paths, path: Path, names: Names) -> Iterator[Names]:
        """Yield the names with which the pattern is true at a path."""
        if not self._fits(paths, path, names):
            return
        found = [{**names, self.name: path} if self.name else names]
        for condition in self.conditions:
            found = [further for names in found for further in condition.solutions(paths, path, names)]
        yield from found

    def _fits(self, paths: Paths, path: Path, names: Names) -> bool:
        kind, rest = self.description[0], self.description[1:]
        if kind == "=":
            return names[rest] == path
        if kind == "~":
            other = names[rest]
            return paths.forms[other] == paths.forms[path] and paths.is_word[other] == paths.is_word[path]
        fitting = {
            "__": True,
            "_ROOT_": path == (),
            "/^[AB]$/": paths.forms[path] in "AB",
            "i@a": paths.forms[path] in "aA",
            "@A": paths.forms[path] == "A" and not paths.is_word[path],
            "!A": paths.forms[path] != "A",
            "A|b": paths.forms[path] in "Ab",
        }
        return fitting.get(self.description, paths.forms[path] == self.description)


@dataclass(frozen=True)
class RandomCondition:
    """A relation of a random pattern, or several of which one must hold."""

    mark: str
    operator: str
    nodes: tuple[RandomNode, ...]

    def __str__(self) -> str:
        ways = [f"{self.operator} ({node})" for node in self.nodes]
        return self.mark + (ways[0] if len(ways) == 1 else f"[{' | '.join(ways)}]")

    def solutions(self, paths: Paths, path: Path, names: Names) -> Iterator[Names]:
        """Yield the names with which it is true at a path."""
        holds = RELATIONS[self.operator]
        found = [
            solution
            for node in self.nodes
            for other in paths.forms
            if holds(paths, path, other)
            for solution in node.solutions(paths, other, names)
        ]
        if self.mark == "!":
            found = [] if found else [names]
        elif self.mark == "?" and not found:
            found = [names]
        yield from found


_NUMBERS = count()
DESCRIPTIONS = (*LABELS, *WORDS, "__", "__", "_ROOT_", "/^[AB]$/", "i@a", "@A", "!A", "A|b")


def random_pattern(random: Random, names: list[str], depth: int = 2, negated: bool = False) -> RandomNode:
    """A pattern whose references are to names that are sure to be given; `names` holds them, and gets the new ones."""
    description = random.choice(DESCRIPTIONS)
    if names and random.random() < 0.25:
        description = random.choice("=~") + random.choice(names)
    name = ""
    if not negated and description[0] != "=" and random.random() < 0.3:
        name = f"n{next(_NUMBERS)}"
        names.append(name)
    conditions = []
    for _ in range(random.randint(0 if depth < 2 else 1, 2) if depth else 0):
        mark = random.choice(["", "", "", "!", "?"])
        nodes = []
        for _ in range(random.choice([1, 1, 2])):
            inside = list(names)
            nodes.append(random_pattern(random, inside, depth - 1, negated or mark == "!"))
        if len(nodes) == 1 and not mark:
            names[:] = inside
        conditions.append(RandomCondition(mark, random.choice(list(RELATIONS)), tuple(nodes)))
    return RandomNode(description, name, tuple(conditions))


def random_tree(random: Random, depth: int = 3, words: tuple[str, ...] = WORDS) -> Tree:
    """A tree of a few nodes, which often repeat a label."""
    label = random.choice(LABELS)
    if not depth or random.random() < 0.25:
        return Tree(label, None, random.choice(words))
    return Tree(label, [random_tree(random, depth - 1, words) for _ in range(random.choice([1, 1, 2, 3]))])
