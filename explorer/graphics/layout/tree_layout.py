"""Where the nodes of a tree stand.

Leaves keep their columns.  A node stands over the middle of its first and last child, as far as its label stays
within its own columns: sub-trees side by side share no column, so no two labels on a level can overlap.  Levels count
from the words upwards (words on one base line) or from the root downwards (compact).  A branch runs along a bar right
below its parent and then falls straight down in its child's own columns, so that it crosses no label
and no other branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from explorer.graphics.drawing import Point, Segment
from explorer.graphics.layout.arc_layout import ROUND
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.selection import Id

STEM = 5.0
"""From a label down to the bar of its branches."""
BRANCH_RADIUS = 5.0


@dataclass(slots=True, eq=False)
class PlacedNode:
    """A constituent or word to be placed.

    Attributes
    ----------
    label
        What is written.
    start, end
        Its tokens.
    id
        What it stands for.
    children
        Sub-trees; none for a word, and for a folded constituent.
    head_child
        Index of the child that brings the head; −1 if there is none.
    folded
        Whether its inside is hidden: it stands for all its words.
    width
        Width of the label.
    x, level
        Where it stands: the middle of its label, and its level (0: the words).
    """

    label: str
    start: int
    end: int
    id: Id
    children: list[PlacedNode] = field(default_factory=list)
    head_child: int = -1
    folded: bool = False
    width: float = 0.0
    x: float = 0.0
    level: int = 0

    def walk(self) -> Iterator[PlacedNode]:
        """Yield this node and all below it, in pre-order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Branch:
    """A line from a parent to a child."""

    parent: PlacedNode
    child: PlacedNode
    heavy: bool


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """A placed tree.

    Attributes
    ----------
    root
        Its nodes, with `x` and `level` set.
    levels
        Number of levels, that of the words included.
    """

    root: PlacedNode
    levels: int

    def branches(self) -> Iterator[Branch]:
        """All branches, from the root downwards."""
        for node in self.root.walk():
            for index, child in enumerate(node.children):
                yield Branch(node, child, index == node.head_child)


def lay_tree(root: PlacedNode, columns: WordColumns, compact: bool = False) -> TreeLayout:
    """Place a tree over its columns: sets `x` and `level` of every node."""
    order = list(root.walk())
    for node in reversed(order):
        left, right = columns.edges[node.start], columns.edges[node.end]
        if node.children:
            middle = (node.children[0].x + node.children[-1].x) / 2
            node.level = 1 + max(child.level for child in node.children)
        elif node.folded or node.end - node.start != 1:
            middle = (left + right) / 2
            node.level = 1 if node.folded else 0
        else:
            node.x, node.level = columns.token_x(node.start), 0
            continue
        half = node.width / 2
        node.x = min(max(middle, left + half), right - half) if right - left >= node.width else (left + right) / 2
    levels = root.level + 1
    if compact:
        root.level = levels - 1
        for node in order:
            for child in node.children:
                child.level = node.level - 1
    return TreeLayout(root, levels)


def branch_line(branch: Branch, y_of: dict[int, float], top: float, bottom: float) -> tuple[Point, tuple[Segment, ...]]:
    """Start and segments of a branch; labels reach `top` above and `bottom` below their level's line."""
    parent, child = branch.parent, branch.child
    start = (parent.x, y_of[parent.level] + bottom)
    end = (child.x, y_of[child.level] - top)
    if abs(parent.x - child.x) < 0.5:
        return start, ((start[0], end[1]),)
    bar = start[1] + STEM
    way = 1.0 if child.x > parent.x else -1.0
    r = min(BRANCH_RADIUS, abs(child.x - parent.x), end[1] - bar)
    handle = r * (1 - ROUND)
    curve = (child.x - way * handle, bar, child.x, bar + handle, child.x, bar + r)
    return start, ((parent.x, bar), (child.x - way * r, bar), curve, end)
