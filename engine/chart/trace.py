"""The whole chart: every edge ever added, in order, with its children and factors, why it was pruned, and which of it
stand for a parse.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Chart
from engine.chart.derivation import EDGE_KINDS, WORD_STEP, DerivationStep, derivation_steps
from engine.chart.search import Outcome
from engine.common.arrays import Int32Array
from engine.counts.corpus import Vocabulary
from engine.structure.constituents import Constituent
from engine.structure.dependencies import Relation
from engine.structure.sentence_layout import READING, UNARY
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import Readings

if TYPE_CHECKING:
    import networkx


# The whole chart: every edge ever added, in order, with its children and factors, and why it was pruned if it was.

PRUNING_REASONS = ("kept", "dominated", "out of beam", "under threshold", "comma rule", "constraint")
"""Why an edge was pruned; the first stands for one that was not."""


class ChartItem(NamedTuple):
    """A constituent that survived in the chart.

    Attributes
    ----------
    number
        Its number; children always name items by number.
    start, end, label, head, head_tag, head_label
        Words ``start .. end``, label, head-word and its tag, head-child's label as triples write it.
    score, done
        Log probability, without and with the price of having no unary parent.
    """

    number: int
    start: int
    end: int
    label: str
    head: int
    head_tag: str
    head_label: str
    score: float
    done: float


class Edge(NamedTuple):
    """A way to build a constituent that the parser came upon.

    Attributes
    ----------
    number
        Its place in the order in which edges were added.
    kind
        One of :data:`engine.chart.derivation.EDGE_KINDS`.
    left, right
        Items it joins (a unary has `left` only; words and baseNPs have none, −1).
    relation
        The triple of its dependency, if it is a join.
    gap, dependency, unary, tag
        Log of its new factors: gap tags, F̂, the unary step, and P(t|S) of its words.
    score
        Log probability of the constituent that it builds.
    pruning_reason, margin
        One of :data:`PRUNING_REASONS`; by how many nats it lost, where it did.
    item
        The chart item that it builds, or that dominated it; −1 if neither survived.
    """

    number: int
    start: int
    end: int
    label: str
    head: int
    head_tag: str
    head_label: str
    kind: str
    left: int
    right: int
    relation: Relation | None
    gap: float
    dependency: float
    unary: float
    tag: float
    score: float
    pruning_reason: str
    margin: float
    item: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One span of the chart: its surviving items, best first, and how many edges were pruned for which reason."""

    start: int
    end: int
    items: tuple[ChartItem, ...]
    reason_counts: dict[str, int]


class Overview(NamedTuple):
    """One span of the chart in brief: the best of its survivors, how many there are, how many were pruned and why.

    Attributes
    ----------
    start, end
        Its words ``start .. end``.
    first, reason_counts
        Number of its first edge, and how many of its edges met each of :data:`PRUNING_REASONS`.
    survivors
        How many items it has.
    label, head, score
        Those of the best of them; empty, −1 and 0 if nothing survived.
    """

    start: int
    end: int
    first: int
    reason_counts: tuple[int, ...]
    survivors: int
    label: str
    head: int
    score: float


class Trace:
    """The chart of the last pass of a traced parse."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        sentence: TaggedSentence,
        readings: Readings,
        chart: Chart,
        outcome: Outcome,
    ) -> None:
        items = int(chart.totals[layout.T_ITEMS])
        edges = int(chart.totals[layout.T_EDGES])
        self.size = len(sentence.positions)
        self.sentence = sentence
        self.readings = readings
        self.threshold = outcome.threshold
        self.beam = outcome.beam
        self.passes = outcome.passes
        self._vocabulary = vocabulary
        # Items name their head-word by its reading: the word under one of its tags.
        self._readings = [(position, tag) for position, tags in enumerate(readings) for tag, _ in tags]
        self._items = chart.items[:items].copy()
        self._scores = chart.item_scores[:items].copy()
        self._cells = chart.cells[: self.size * self.size].copy()
        self._edges = chart.edges[:edges].copy()
        self._factors = chart.edge_factors[:edges].copy()

    def __len__(self) -> int:
        return len(self._edges)

    def edge(self, number: int) -> Edge:
        """Return the edge of this number."""
        row = self._edges[number]
        factors = self._factors[number]
        kind = int(row[layout.E_KIND])
        joined = kind >= UNARY
        triple = int(row[layout.E_RELATION])
        head, head_tag = self._readings[row[layout.E_HEAD]]
        return Edge(
            number,
            int(row[layout.E_START]),
            int(row[layout.E_END]),
            self._label(row[layout.E_LABEL]),
            head,
            head_tag,
            self._label(row[layout.E_HEAD_LABEL]),
            EDGE_KINDS[kind],
            int(row[layout.E_LEFT]) if joined else -1,
            int(row[layout.E_RIGHT]) if joined else -1,
            Relation(*self._vocabulary.triples[triple]) if triple >= 0 else None,
            float(factors[layout.EF_GAP]),
            float(factors[layout.EF_DEPENDENCY]),
            float(factors[layout.EF_UNARY]),
            float(factors[layout.EF_TAG]),
            float(factors[layout.EF_SCORE]),
            PRUNING_REASONS[row[layout.E_REASON]],
            float(factors[layout.EF_MARGIN]),
            int(row[layout.E_ITEM]),
        )

    def __iter__(self) -> Iterator[Edge]:
        return map(self.edge, range(len(self)))

    def item(self, number: int) -> ChartItem:
        """Return the surviving item of this number."""
        row = self._items[number]
        start, end = self._spans[number]
        head, head_tag = self._readings[row[layout.HEAD]]
        return ChartItem(
            number,
            int(start),
            int(end),
            self._label(row[layout.LABEL]),
            head,
            head_tag,
            self._label(row[layout.HEAD_LABEL]),
            float(self._scores[number, layout.SCORE]),
            float(self._scores[number, layout.DONE]),
        )

    @property
    def item_count(self) -> int:
        """How many items survived."""
        return len(self._items)

    @property
    def items(self) -> list[ChartItem]:
        """All surviving items in the order in which their cells were closed."""
        return [self.item(number) for number in range(len(self._items))]

    def cell(self, start: int, end: int) -> Cell:
        """Return the cell over words ``start .. end``."""
        first, usable, _ = self._cells[start * self.size + end - 1]
        low, high = self._edge_ranges.get((start, end), (0, 0))
        counts = np.bincount(self._edges[low:high, layout.E_REASON], minlength=len(PRUNING_REASONS))
        return Cell(
            start,
            end,
            tuple(self.item(number) for number in range(first, first + usable)),
            {reason: int(count) for reason, count in zip(PRUNING_REASONS, counts, strict=True)},
        )

    def overview(self) -> Iterator[Overview]:
        """Yield all cells in brief: those that edges were added to in order, then the others, shortest first."""
        size = self.size
        cells = self._cells.tolist()
        tops = np.minimum(self._cells[:, 0], max(len(self._items) - 1, 0))
        rows = self._items[tops] if len(self._items) else np.zeros((len(cells), layout.HEAD_LABEL + 1), np.int32)
        labels, heads = rows[:, layout.LABEL].tolist(), rows[:, layout.HEAD].tolist()
        scores = self._scores[tops, layout.SCORE].tolist() if len(self._scores) else [0.0] * len(cells)

        def brief(start: int, end: int, first: int, reason_counts: Sequence[int]) -> Overview:
            place = start * size + end - 1
            survivors = cells[place][1]
            if not survivors:
                return Overview(start, end, first, tuple(reason_counts), 0, "", -1, 0.0)
            head, _ = self._readings[heads[place]]
            return Overview(
                start, end, first, tuple(reason_counts), survivors, self._label(labels[place]), head, scores[place]
            )

        spans = list(self._edge_ranges)
        lows = [low for low, _ in self._edge_ranges.values()]
        counts = np.diff([*lows, len(self)])
        numbers = np.repeat(np.arange(len(spans)) * len(PRUNING_REASONS), counts) + self._edges[:, layout.E_REASON]
        found = (
            np.bincount(numbers, minlength=len(spans) * len(PRUNING_REASONS)).reshape(-1, len(PRUNING_REASONS)).tolist()
        )
        for (start, end), low, reason_counts in zip(spans, lows, found, strict=True):
            yield brief(start, end, low, reason_counts)
        nothing = (0,) * len(PRUNING_REASONS)
        for length in range(1, size + 1):
            for start in range(size - length + 1):
                if (start, start + length) not in self._edge_ranges:
                    yield brief(start, start + length, len(self), nothing)

    @cached_property
    def kept_edges(self) -> list[int]:
        """The numbers of the edges that were kept, in the order in which they were added."""
        found: list[int] = np.flatnonzero(self._edges[:, layout.E_REASON] == PRUNING_REASONS.index("kept")).tolist()
        return found

    def edges_in(self, start: int, end: int) -> list[Edge]:
        """Return all edges over words ``start .. end``, in order."""
        low, high = self._edge_ranges.get((start, end), (0, 0))
        return [self.edge(number) for number in range(low, high)]

    def find_edge(self, step: DerivationStep, tags: Sequence[str], left: int = -1, right: int = -1) -> int:
        """Number of the edge that takes a step of a tree's derivation; −1 if the parser came upon none.

        Parameters
        ----------
        step
            The step.
        tags
            The tags of the tree's words.
        left, right
            The items that stand for what it joins; −1 for none.
        """
        low, high = self._edge_ranges.get((step.start, step.end), (0, 0))
        head = self._reading_numbers.get((step.head, tags[step.head]))
        if head is None:
            return -1
        rows = self._edges[low:high]
        kind = EDGE_KINDS.index(step.kind)
        alike = (rows[:, layout.E_KIND] == kind) & (rows[:, layout.E_HEAD] == head)
        if step.kind != WORD_STEP:
            # A tag that the model does not know has no label.
            alike &= rows[:, layout.E_LABEL] == self._label_numbers.get(step.label, layout.ANY_LABEL)
        if kind >= UNARY:
            alike &= (rows[:, layout.E_LEFT] == left) & (rows[:, layout.E_RIGHT] == right)
            if step.head_label:
                alike &= rows[:, layout.E_HEAD_LABEL] == self._label_numbers.get(step.head_label, layout.ANY_LABEL)
        else:
            # Taggings of a baseNP that differ in between have one signature; the best stands for all.
            ends = ((step.start, layout.FIRST_READING_SHIFT), (step.end - 1, layout.LAST_READING_SHIFT))
            for position, shift in ends:
                names = [tag for tag, _ in self.readings[position]]
                if tags[position] not in names:
                    return -1
                alike &= (rows[:, layout.E_STATE] >> shift & READING) == names.index(tags[position])
        found = np.flatnonzero(alike)
        if not len(found):
            return -1
        return int(low + found[np.argmax(self._factors[low:high][found, layout.EF_SCORE])])

    @cached_property
    def _reading_numbers(self) -> dict[tuple[int, str], int]:
        return {reading: number for number, reading in enumerate(self._readings)}

    @cached_property
    def _label_numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self._vocabulary.labels)}

    def children(self, number: int) -> tuple[int, ...]:
        """Items that an item is built from."""
        row = self._items[number]
        kind = row[layout.KIND]
        if kind < UNARY:
            return ()
        if kind == UNARY:
            return (int(row[layout.LEFT]),)
        return (int(row[layout.LEFT]), int(row[layout.RIGHT]))

    def graph(self) -> networkx.DiGraph:
        """Return what is built from what: an arc from every item to each item whose best derivation uses it."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(self._items)))
        for number in range(len(self._items)):
            graph.add_edges_from((child, number) for child in self.children(number))
        return graph

    @cached_property
    def _spans(self) -> Int32Array:
        spans = np.zeros((len(self._items), 2), np.int32)
        cells = self._cells.tolist()
        for start in range(self.size):
            for last in range(start, self.size):
                first, _, end = cells[start * self.size + last]
                spans[first:end] = start, last + 1
        return spans

    @cached_property
    def _edge_ranges(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Edges of one cell stand together: for every span the first and one past the last."""
        spans = self._edges[:, [layout.E_START, layout.E_END]]
        if not len(spans):
            return {}
        borders = np.flatnonzero(np.any(spans[1:] != spans[:-1], axis=1)) + 1
        starts = [0, *borders.tolist()]
        return {
            (start, end): (low, high)
            for (start, end), low, high in zip(
                spans[starts].tolist(), starts, [*borders.tolist(), len(spans)], strict=True
            )
        }

    def _label(self, number: int) -> str:
        return self._vocabulary.labels[number] if 0 <= number < len(self._vocabulary.labels) else ""


# A parse in a traced chart: the edges and items that stand for it, and what of it the chart has not (section 3).
#
# The chart of a sentence is one, its parses are many: the most probable, the one that a re-ranker prefers, the n-th
# best.  Each is found again in the chart by its derivation, step by step.

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
