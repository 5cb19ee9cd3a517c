"""Columns for tree and arrows alone, as narrow as their words and labels need.

On the common ruler a word stands in the middle of its column.  Here only distances count: how far a word, an arrow's
end or a label must be from the next.  The narrowest places that keep all distances are the longest way through them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from explorer.graphics.layout.arc_layout import BESIDE_PILL
from explorer.graphics.layout.word_columns import PADDING, WordColumns


@dataclass(frozen=True, slots=True)
class Spacing:
    """How much space there is around words and labels.

    Attributes
    ----------
    word, mark
        Between words or labels side by side, and around a punctuation mark.
    beside_pill
        How much of an arc stays in sight on either side of its pill; below zero, how far the pill reaches beyond it.
    """

    word: float
    mark: float
    beside_pill: float


ROOMY = Spacing(PADDING, 8.0, BESIDE_PILL)
CLOSE = Spacing(8.0, 4.0, -2.0)
"""Where a sentence would otherwise not fit in one line."""


def lay_close_columns(
    sides: Sequence[tuple[float, float]],
    words: Sequence[int],
    spans: Iterable[tuple[int, int, float]] = (),
    links: Iterable[tuple[int, int, float]] = (),
) -> WordColumns:
    """The narrowest columns that keep all distances.

    What is left over beside a token is shared out to both sides of it.

    Parameters
    ----------
    sides
        How much room each token needs to the left and to the right of its middle.
    words
        Token numbers of the words proper.
    spans
        ``(start, end, width)``: columns from `start` up to `end` must together be so wide.
    links
        ``(first, second, distance)``: the middles of these two tokens must be so far apart.
    """
    # Places from left to right: an edge, the middle of a token, the next edge, and so on.
    before: list[list[tuple[int, int]]] = [[] for _ in range(2 * len(sides) + 1)]

    def keep(first: int, second: int, distance: float) -> None:
        before[second].append((first, math.ceil(distance - 1e-9)))

    for token, (left, right) in enumerate(sides):
        keep(2 * token, 2 * token + 1, left)
        keep(2 * token + 1, 2 * token + 2, right)
    for start, end, width in spans:
        keep(2 * start, 2 * end, width)
    for one, other, distance in links:
        keep(2 * min(one, other) + 1, 2 * max(one, other) + 1, distance)
    early = [0] * len(before)
    for place, distances in enumerate(before):
        early[place] = max((early[first] + distance for first, distance in distances), default=0)
    late = [early[-1]] * len(before)
    for place in reversed(range(len(before))):
        for first, distance in before[place]:
            late[first] = min(late[first], late[place] - distance)
    # Half-way between two ways to keep whole distances they are kept as well, also after rounding down.
    places = [float((one + other) // 2) for one, other in zip(early, late, strict=True)]
    return WordColumns(tuple(places[::2]), tuple(words), tuple(places[1::2]))


def fitting_columns(columns: Callable[[Spacing], WordColumns], width: float) -> WordColumns | None:
    """Columns no wider than this, as roomy as can be; ``None`` if even close ones are wider."""
    roomy = columns(ROOMY)
    if roomy.width <= width:
        return roomy
    close = columns(CLOSE)
    if close.width > width:
        return None
    # Part of the way from close columns to roomy ones all distances of the close ones are kept.
    share = (width - close.width) / (roomy.width - close.width)

    def mixed(some: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
        return tuple(float(math.floor(one + share * (other - one))) for one, other in zip(some, others, strict=True))

    return replace(close, edges=mixed(close.edges, roomy.edges), middles=mixed(close.middles, roomy.middles))
