"""Folding what two trees of a sentence have in common, so that what differs has room.

A constituent that is the same in both, down to its words, is drawn as a triangle over its first and last word.
"""

from __future__ import annotations

from engine.chart.parse import Parse
from explorer.graphics.layout.tree_folding import Span
from explorer.graphics.layout.tree_layout import PlacedNode
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import Id


def equal_spans(first: Parse, second: Parse, opened: frozenset[Span] = frozenset()) -> frozenset[Span]:
    """The largest constituents of at least two words that both trees have, equal in everything below them.

    Trees that are equal as a whole are not folded, and nothing is that a person has `opened`.
    """
    mine, theirs = (facts_of(parse).tree_nodes() for parse in (first, second))
    ours, others = _shapes(mine), _shapes(theirs)
    if ours == others:
        return frozenset()
    found: set[Span] = set()
    stack = [mine]
    while stack:
        node = stack.pop()
        span = (node.start, node.end)
        if node.children and node.end - node.start > 1 and span not in opened and others.get(span) == ours[span]:
            found.add(span)
        else:
            stack.extend(node.children)
    return frozenset(found)


def _shapes(root: PlacedNode) -> dict[Span, str]:
    """For every constituent's span all that a tree has over it, as brackets."""
    found: dict[Span, str] = {}
    # From below: of several constituents over the same words the upper one comes last, with the others in it.
    for node in reversed(list(root.walk())):
        inside = " ".join(found[child.start, child.end] for child in node.children) or str(node.start)
        found[node.start, node.end] = f"({node.label} {inside})"
    return found


def differing_part(first: Parse, second: Parse) -> tuple[Id, Id] | None:
    """The lowest constituent of either tree in which everything is that differs; nothing if that is the whole tree."""
    mine, theirs = (facts_of(parse).tree_nodes() for parse in (first, second))
    ours, others = _shapes(mine), _shapes(theirs)
    lowest: tuple[Id, Id] | None = None
    while mine.children and [(one.start, one.end) for one in mine.children] == [
        (one.start, one.end) for one in theirs.children
    ]:
        differing = [
            pair
            for pair in zip(mine.children, theirs.children, strict=True)
            if ours[pair[0].start, pair[0].end] != others[pair[1].start, pair[1].end]
        ]
        if len(differing) != 1 or differing[0][0].label != differing[0][1].label or not differing[0][0].children:
            break
        # Over the same words as its parent a child would be taken for it.
        if (mine.start, mine.end) == (differing[0][0].start, differing[0][0].end):
            break
        mine, theirs = differing[0]
        lowest = (mine.id, theirs.id)
    return lowest
