"""Chains of nodes from parent to child: along the left edge, the right edge, unary productions, or heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
Mask = NDArray[np.bool_]


def counted_before(mask: Mask) -> Numbers:
    """How many are true before each place, and, last, before the end."""
    counts = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=counts[1:], dtype=np.int32)
    return counts


@dataclass(frozen=True)
class Chains:
    """Nodes in an order in which those of a chain follow each other, the topmost first.

    Attributes
    ----------
    nodes, ranks
        The node at every place of the order, and the place of every node.
    tops, stops
        For every place where its chain starts, and where it ends.
    """

    nodes: Numbers
    ranks: Numbers
    tops: Numbers
    stops: Numbers

    @classmethod
    def along(cls, nodes: Numbers, linked: Mask) -> Chains:
        """The chains of an order in which every node that is `linked` to its parent comes right after it."""
        places = np.arange(len(nodes), dtype=np.int32)
        ranks = np.empty(len(nodes), np.int32)
        ranks[nodes] = places
        starts = ~linked[nodes]
        tops = np.maximum.accumulate(np.where(starts, places, 0))
        following = np.full(len(nodes), len(nodes), np.int32)
        following[:-1] = np.where(starts[1:], places[1:], len(nodes))
        return cls(nodes, ranks, tops, np.minimum.accumulate(following[::-1])[::-1])

    @classmethod
    def of_links(cls, parents: Numbers, depths: Numbers, linked: Mask) -> Chains:
        """The chains of nodes that are `linked` to their parents, whatever their order."""
        tops = np.where(linked, parents, np.arange(len(parents), dtype=np.int32))
        while not np.array_equal(further := tops[tops], tops):
            tops = further
        return cls.along(np.lexsort((depths, tops)).astype(np.int32), linked)

    def above(self, targets: Mask) -> Mask:
        """Which nodes have one of the targets above them in their chain."""
        counts = counted_before(targets[self.nodes])
        return ((counts[:-1] - counts[self.tops]) > 0)[self.ranks]

    def below(self, targets: Mask) -> Mask:
        """Which nodes have one of the targets below them in their chain."""
        counts = counted_before(targets[self.nodes])
        return ((counts[self.stops] - counts[1:]) > 0)[self.ranks]

    def holds(self, upper: int, lower: int) -> bool:
        """Whether the first is above the second in one chain."""
        above, below = self.ranks[upper], self.ranks[lower]
        return bool(above < below and self.tops[above] == self.tops[below])
