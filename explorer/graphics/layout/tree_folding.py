"""Which constituents of a long sentence's tree are folded, so that the rest can be read.

From the root downwards constituents are opened while there is room: first those around what is looked at, then those
nearest to it.  What is left closed is a triangle with its words, all of them or the first and the last.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from explorer.graphics.layout.tree_layout import PlacedNode
from explorer.graphics.selection import Id

Span = tuple[int, int]
"""First token of a constituent, and the one after its last."""


def hides(folded: Span, focus: Iterable[Span]) -> bool:
    """Whether a folded constituent hides one of these spans: it is the span itself, or an end of it is inside."""
    first, last = folded
    return any(folded == (start, end) or first < start < last or first < end < last for start, end in focus)


def choose_folded(
    root: PlacedNode, limit: float, width: Callable[[PlacedNode], float], focus: Sequence[Span] = ()
) -> frozenset[Id]:
    """The ids of the constituents to fold, so that the tree is no wider than `limit`.

    Parameters
    ----------
    root
        The whole tree; what a person has folded has no children.
    limit
        How wide the words may be altogether.
    width
        How wide a word is, or the words of a constituent while it is folded.
    focus
        Spans that are looked at.  They are in sight even where that is wider than the limit.
    """
    order = count()
    total = width(root)
    opened: set[Id] = set()
    waiting: list[tuple[tuple[int, int, float], int, int, PlacedNode]] = []
    shown: list[PlacedNode] = []

    def offer(node: PlacedNode, away: int) -> None:
        if not node.children:
            return
        shown.append(node)
        wanted = hides((node.start, node.end), focus)
        far = min((abs(node.start + node.end - start - end) / 2 for start, end in focus), default=0.0)
        near = 0 if wanted else away
        # A small constituent costs little room and says much: of equally near ones it comes first.
        heapq.heappush(waiting, ((0 if wanted else 1, near, far + (node.end - node.start)), next(order), near, node))

    offer(root, 1)
    while waiting:
        (rank, _, _), _, near, node = heapq.heappop(waiting)
        more = sum(width(child) for child in node.children) - width(node)
        if rank and total + more > limit:
            continue
        total += more
        opened.add(node.id)
        for child in node.children:
            offer(child, near + 1)
    return frozenset(node.id for node in shown if node.id not in opened)
