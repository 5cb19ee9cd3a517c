"""Marks for what a search by structure found: the node that matches and those that its pattern names.

The match has a solid frame, every named node a dashed one with its name beside it, in a colour of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.graphics.drawing import Box, Rect
from explorer.graphics.layout.tree_layout import PlacedNode
from explorer.graphics.pictures.parse_facts import Facts
from explorer.graphics.pictures.sheet import Sheet, middle
from explorer.graphics.selection import Id, NodeId

FOUND = "found"
"""The role of the marks' colour, and what the legend calls the match."""
NAMED = "named in the pattern"
_WEIGHT = 2.0
_PADDING = 6.0


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node of a match.

    Attributes
    ----------
    name
        By which the pattern calls it; empty for the match itself.
    path
        Numbers of the children on the way from the root.
    label, start, end
        Its label, its first token and the one after the last.
    """

    name: str
    path: tuple[int, ...]
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """What a search by structure found in a sentence.

    Attributes
    ----------
    tree
        The tree in which it was found, in brackets.
    words
        The words of the sentence.
    nodes
        The match, then the nodes that the pattern names.
    place
        What the tree is: ``gold tree`` or ``parse``.
    """

    tree: str
    words: tuple[str, ...]
    nodes: tuple[FoundNode, ...]
    place: str


def found_ids(facts: Facts, match: FoundMatch | None) -> tuple[tuple[Id, str], ...]:
    """The marks of a tree that is drawn: by a node's id ``found`` for the match itself, and its names.

    In another tree of the same words than the one in which the match was found, those of its nodes are marked that have
    the same label and the same words.
    """
    if match is None or tuple(facts.sentence.words) != match.words:
        return ()
    root = facts.tree_nodes()
    same = facts.tree.brackets() == match.tree
    marks: dict[Id, str] = {}
    for wanted in match.nodes:
        node = _at(root, wanted.path) if same else _like(root, wanted)
        if node is not None:
            marks[node.id] = f"{marks.get(node.id, '')} {_shown(wanted)}".strip()
    return tuple(marks.items())


def _shown(node: FoundNode) -> str:
    return f"={node.name}" if node.name else FOUND


def _at(root: PlacedNode, path: tuple[int, ...]) -> PlacedNode | None:
    node = root
    for number in path:
        if number >= len(node.children):
            return None
        node = node.children[number]
    return node


def _like(root: PlacedNode, wanted: FoundNode) -> PlacedNode | None:
    key = (wanted.label, wanted.start, wanted.end)
    return next((node for node in root.walk() if (node.label, node.start, node.end) == key), None)


def draw_frame(sheet: Sheet, rect: Rect, mark: str, id: Id) -> None:
    """Draw the frame of a node, with the names that it has in the pattern; no other mark changes its colour."""
    edge, names = rect.grown(_PADDING), mark.removeprefix(FOUND).strip()
    sheet.add(Box(*edge, "", FOUND, _WEIGHT, "solid" if mark.startswith(FOUND) else "dash", 5.0))
    if names and isinstance(id, NodeId):
        sheet.text(edge.right + 4, rect.y + 4, names, "small-bold", FOUND, "start")
    elif names:
        # Beside a word there is another one: its name stands above it, beside its branch.
        sheet.text(rect.centre[0] + 5, edge.y - 5, names, "small-bold", FOUND, "start")


def found_legend(sheet: Sheet, found: tuple[tuple[Id, str], ...], x: float, y: float) -> float:
    """What the frames say; the x where it ends."""
    for used, title, dash in (
        (any(mark.startswith(FOUND) for _, mark in found), FOUND, "solid"),
        (any(not mark.startswith(FOUND) for _, mark in found), NAMED, "dash"),
    ):
        if used:
            sheet.add(Box(x, y - 7, 24, 14, "", FOUND, _WEIGHT, dash, 5.0))
            x = sheet.text(x + 32, y + middle(sheet.metrics, "tag"), title, "tag", "muted", "start").right + 20
    return x


def found_twin(facts: Facts, found: tuple[tuple[Id, str], ...]) -> Iterator[str]:
    """The marks as lines of text."""
    marks = dict(found)
    for node in facts.tree_nodes().walk():
        if node.id in marks:
            yield f"{marks[node.id]}: {node.label} over {' '.join(facts.tokens[node.start : node.end])}"
