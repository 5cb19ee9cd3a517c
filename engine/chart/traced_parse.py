"""A parse in a traced chart: the edges and items that stand for it, and what of it the chart has not (section 3).

The chart of a sentence is one, its parses are many: the most probable, the one that a re-ranker prefers, the n-th
best.  Each is found again in the chart by its derivation, step by step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.chart.derivation_steps import DerivationStep, derivation_steps
from engine.chart.trace import Trace
from engine.structure.constituents import Constituent

NOWHERE = -1
"""Stands for an edge or an item that the chart has not."""


@dataclass(frozen=True)
class TracedParse:
    """Where each step of a parse's derivation is in a chart.

    Attributes
    ----------
    steps
        The derivation, from the bottom up.
    edges
        For every step the number of its edge; :data:`NOWHERE` where the parser came upon none.
    items
        For every step the item that stands for what it builds: its own, or the better one of the same signature that
        dominates it; :data:`NOWHERE` where neither survived.
    """

    steps: tuple[DerivationStep, ...]
    edges: tuple[int, ...]
    items: tuple[int, ...]

    @cached_property
    def missing(self) -> tuple[DerivationStep, ...]:
        """The steps whose results are not in the chart, as it was last filled."""
        return tuple(step for step, item in zip(self.steps, self.items, strict=True) if item == NOWHERE)

    @cached_property
    def item_numbers(self) -> frozenset[int]:
        """The items of the parse."""
        return frozenset(self.items) - {NOWHERE}

    @cached_property
    def edges_by_span(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """By words ``start .. end`` the edges that build the items of the parse over them, the topmost first."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for step, edge, item in zip(self.steps, self.edges, self.items, strict=True):
            if item != NOWHERE:
                found[step.start, step.end].insert(0, edge)
        return {span: tuple(edges) for span, edges in found.items()}

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """For every item of the parse those that the parse builds it from."""
        return {
            item: tuple(self.items[side] for side in (step.left, step.right) if side >= 0)
            for step, item in zip(self.steps, self.items, strict=True)
            if item != NOWHERE
        }


def trace_parse(trace: Trace, roots: Sequence[Constituent], tags: Sequence[str]) -> TracedParse:
    """Find a parse in a chart of its sentence.

    Parameters
    ----------
    trace
        The chart.
    roots
        The constituent over the sentence, or the fragments of a cover.
    tags
        The tags that the words have in the parse, punctuation left out.
    """
    steps = tuple(derivation_steps(*roots))
    edges: list[int] = []
    items: list[int] = []
    for step in steps:
        sides = [items[side] for side in (step.left, step.right) if side >= 0]
        edge = NOWHERE
        if NOWHERE not in sides:
            edge = trace.find_edge(step, tags, *sides)
        edges.append(edge)
        items.append(trace.edge(edge).item if edge != NOWHERE else NOWHERE)
    return TracedParse(steps, tuple(edges), tuple(items))
