"""The ruler: where the words of a sentence stand from left to right, the same in every picture.

Each token has a column.  Columns are as wide as anything that any picture sets in them: words and tags, labels of
constituents over a span, pills on arcs between two words.  So words need not move from stage to stage.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

GRID = 4.0
"""Everything stands on a grid of 4 px."""
PICTURE_MARGIN = 24.0
LEAST_WORD = 44.0
"""Width of a word's column at least: room for a gap's letter and number, and for a cell of the chart."""
LEAST_MARK = 16.0
"""Width of a punctuation mark's column at least."""
PADDING = 12.0
"""Space between neighbouring words."""


@dataclass(frozen=True)
class WordColumns:
    """Columns of the tokens of a sentence.

    Attributes
    ----------
    edges
        The n + 1 edges of the n columns; the first is 0.
    words
        Token numbers of the words proper; all others are punctuation.
    middles
        Where the tokens stand, if not in the middle of their columns.
    margins
        Room that pictures have beside the columns, left and right.
    tallest
        Height of the tallest of the pictures; 0 if that is not known.
    """

    edges: tuple[float, ...]
    words: tuple[int, ...]
    middles: tuple[float, ...] = ()
    margins: tuple[float, float] = (PICTURE_MARGIN, PICTURE_MARGIN)
    tallest: float = 0.0

    @property
    def width(self) -> float:
        """Width of all columns."""
        return self.edges[-1]

    @property
    def frame(self) -> tuple[float, float]:
        """Left and right end of pictures over this ruler."""
        return -self.margins[0], self.width + self.margins[1]

    def token_x(self, token: int) -> float:
        """Where a token stands: the middle of its text."""
        return self.middles[token] if self.middles else (self.edges[token] + self.edges[token + 1]) / 2

    def x(self, position: int) -> float:
        """Where a word stands: the middle of its text."""
        return self.token_x(self.words[position])

    def left(self, position: int) -> float:
        """Left edge of a word's column."""
        return self.edges[self.words[position]]

    def right(self, position: int) -> float:
        """Right edge of a word's column."""
        return self.edges[self.words[position] + 1]

    def gap_x(self, position: int) -> float:
        """Middle of the gap before a word: between the two columns, or of the marks that stand there."""
        return (self.right(position - 1) + self.left(position)) / 2

    @cached_property
    def borders(self) -> tuple[float, ...]:
        """Where each word's share of the line begins, marks shared out to their neighbours; and where the last ends."""
        if not self.words:
            return (0.0,)
        inner = (self.gap_x(position) for position in range(1, len(self.words)))
        return (self.left(0), *inner, self.right(len(self.words) - 1))


def lay_columns(
    needs: Sequence[float],
    words: Sequence[int],
    spans: Iterable[tuple[int, int, float]] = (),
    links: Iterable[tuple[int, int, float]] = (),
) -> WordColumns:
    """Columns that are wide enough.

    Parameters
    ----------
    needs
        Width of the text in each token's column.
    words
        Token numbers of the words proper.
    spans
        ``(start, end, width)``: columns from `start` up to `end` must together be so wide.
    links
        ``(first, second, distance)``: the middles of these two columns must be so far apart.
    """
    proper = set(words)
    least = [
        on_grid(max(need + PADDING, LEAST_WORD)) if token in proper else on_grid(max(need + 8.0, LEAST_MARK))
        for token, need in enumerate(needs)
    ]
    demands = [_Demand({token: 1.0 for token in range(start, end)}, width) for start, end, width in spans]
    for first, second, distance in links:
        low, high = sorted((first, second))
        # Of the two outer columns one half each lies between the middles.
        demands.append(
            _Demand({token: 0.5 if token in (low, high) else 1.0 for token in range(low, high + 1)}, distance)
        )
    # Columns only grow: what there is room for already asks for nothing.
    demands = [demand for demand in demands if demand.missing(least) > 0]
    widths = list(least)
    for demand in sorted(demands, key=lambda one: len(one.shares)):
        missing = demand.missing(widths)
        if missing > 0:
            share = on_grid(missing / sum(demand.shares.values()))
            for token in demand.shares:
                widths[token] += share
    _narrow(widths, least, demands)
    return WordColumns((0.0, *accumulate(widths)), tuple(words))


@dataclass(frozen=True, slots=True)
class _Demand:
    """So wide must columns be together, each counted with its share."""

    shares: dict[int, float]
    width: float

    def missing(self, widths: Sequence[float]) -> float:
        """How much is missing to it; below zero, how much there is to spare."""
        return self.width - sum(share * widths[token] for token, share in self.shares.items())


def _narrow(widths: list[float], least: Sequence[float], demands: Sequence[_Demand]) -> None:
    """Take back what no demand needs: what one asked for, another one beside it may have been given as well."""
    about: dict[int, list[_Demand]] = {}
    for demand in demands:
        for token in demand.shares:
            about.setdefault(token, []).append(demand)
    # First the columns of which the fewest demands make use.
    for token in sorted(about, key=lambda token: (len(about[token]), token)):
        spare = min(-demand.missing(widths) / demand.shares[token] for demand in about[token])
        spare = min(GRID * math.floor(spare / GRID + 1e-9), widths[token] - least[token])
        if spare > 0:
            widths[token] -= spare


def on_grid(width: float) -> float:
    """The next width on the grid."""
    return GRID * math.ceil(width / GRID - 1e-9)
