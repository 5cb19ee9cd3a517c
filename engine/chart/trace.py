"""The whole chart: every constituent ever proposed, in order, with its children, factors and fate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Chart
from engine.chart.search import Outcome
from engine.counts.corpus import Vocabulary
from engine.structure.dependencies import Relation
from engine.structure.structure_layout import UNARY
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import Readings

if TYPE_CHECKING:
    import networkx


FATES = ("kept", "dominated", "out of beam", "under threshold", "comma rule", "constraint")
KINDS = ("word", "baseNP", "unary", "grow right", "start right", "grow left", "start left")


class Entry(NamedTuple):
    """A constituent that survived in the chart.

    Attributes
    ----------
    number
        Its number; children always name entries by number.
    start, end, label, head, head_tag, head_label
        Words ``start .. end``, label, head-word and its tag, head-child's label as triples write it.
    score, done
        Log probability, and the same with the price of having no unary parent.
    on_best
        Whether it is part of the best parse.
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
    on_best: bool


class Proposal(NamedTuple):
    """A constituent that was proposed.

    Attributes
    ----------
    number
        Its place in the order of proposals.
    kind
        One of :data:`KINDS`.
    left, right
        Entries it joins (a unary has `left` only; words and baseNPs have none, −1).
    relation
        The triple of its dependency, if it is a join.
    gap, dependency, unary, tag
        Log of its new factors: gap tags, F̂, the unary step, and P(t|S) of its words.
    score
        Its log probability.
    fate, margin
        One of :data:`FATES`; by how many nats it lost, where it did.
    entry
        The entry that it is, or that dominated it; −1 if neither survived.
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
    fate: str
    margin: float
    entry: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One span of the chart: its surviving entries, best first, and how many proposals met which fate."""

    start: int
    end: int
    entries: tuple[Entry, ...]
    fates: dict[str, int]


class Overview(NamedTuple):
    """One span of the chart in brief: the best of its survivors, how many there are, how many fell by which fate.

    Attributes
    ----------
    start, end
        Its words ``start .. end``.
    first, fates
        Number of its first proposal, and how many of its proposals met each of :data:`FATES`.
    survivors
        How many entries it has.
    label, head, score
        Those of the best of them; empty, −1 and 0 if nothing survived.
    """

    start: int
    end: int
    first: int
    fates: tuple[int, ...]
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
        best: int,
        outcome: Outcome,
    ) -> None:
        entries = int(chart.totals[layout.T_ENTRIES])
        records = int(chart.totals[layout.T_RECORDS])
        self.size = len(sentence.positions)
        self.sentence = sentence
        self.readings = readings
        self.threshold = outcome.threshold
        self.beam = outcome.beam
        self.passes = outcome.passes
        self.best = best
        self._vocabulary = vocabulary
        # Entries name their head-word by its reading: the word under one of its tags.
        self._readings = [(position, tag) for position, tags in enumerate(readings) for tag, _ in tags]
        self._entries = chart.entries[:entries].copy()
        self._scores = chart.scores[:entries].copy()
        self._cells = chart.cells[: self.size * self.size].copy()
        self._records = chart.records[:records].copy()
        self._factors = chart.record_factors[:records].copy()

    def __len__(self) -> int:
        return len(self._records)

    def proposal(self, number: int) -> Proposal:
        """The proposal of this number."""
        row = self._records[number]
        factors = self._factors[number]
        kind = int(row[layout.R_KIND])
        joined = kind >= UNARY
        triple = int(row[layout.R_RELATION])
        head, head_tag = self._readings[row[layout.R_HEAD]]
        return Proposal(
            number,
            int(row[layout.R_START]),
            int(row[layout.R_END]),
            self._label(row[layout.R_LABEL]),
            head,
            head_tag,
            self._label(row[layout.R_HEAD_LABEL]),
            KINDS[kind],
            int(row[layout.R_LEFT]) if joined else -1,
            int(row[layout.R_RIGHT]) if joined else -1,
            Relation(*self._vocabulary.triples[triple]) if triple >= 0 else None,
            float(factors[layout.RF_GAP]),
            float(factors[layout.RF_DEPENDENCY]),
            float(factors[layout.RF_UNARY]),
            float(factors[layout.RF_TAG]),
            float(factors[layout.RF_SCORE]),
            FATES[row[layout.R_FATE]],
            float(factors[layout.RF_MARGIN]),
            int(row[layout.R_ENTRY]),
        )

    def __iter__(self) -> Iterator[Proposal]:
        return map(self.proposal, range(len(self)))

    def entry(self, number: int) -> Entry:
        """The surviving entry of this number."""
        row = self._entries[number]
        start, end = self._spans[number]
        head, head_tag = self._readings[row[layout.HEAD]]
        return Entry(
            number,
            int(start),
            int(end),
            self._label(row[layout.LABEL]),
            head,
            head_tag,
            self._label(row[layout.HEAD_LABEL]),
            float(self._scores[number, layout.SCORE]),
            float(self._scores[number, layout.DONE]),
            number in self.best_entries,
        )

    @property
    def entries(self) -> list[Entry]:
        """All surviving entries in the order in which their cells were closed."""
        return [self.entry(number) for number in range(len(self._entries))]

    def cell(self, start: int, end: int) -> Cell:
        """The cell over words ``start .. end``."""
        first, usable, _ = self._cells[start * self.size + end - 1]
        low, high = self._record_ranges.get((start, end), (0, 0))
        counts = np.bincount(self._records[low:high, layout.R_FATE], minlength=len(FATES))
        return Cell(
            start,
            end,
            tuple(self.entry(number) for number in range(first, first + usable)),
            {fate: int(count) for fate, count in zip(FATES, counts, strict=True)},
        )

    def overview(self) -> Iterator[Overview]:
        """All cells in brief: those that something was proposed for in order, then the others, shortest first."""
        size = self.size
        cells = self._cells.tolist()
        tops = np.minimum(self._cells[:, 0], max(len(self._entries) - 1, 0))
        rows = self._entries[tops] if len(self._entries) else np.zeros((len(cells), layout.HEAD_LABEL + 1), np.int32)
        labels, heads = rows[:, layout.LABEL].tolist(), rows[:, layout.HEAD].tolist()
        scores = self._scores[tops, layout.SCORE].tolist() if len(self._scores) else [0.0] * len(cells)

        def brief(start: int, end: int, first: int, fates: Sequence[int]) -> Overview:
            place = start * size + end - 1
            survivors = cells[place][1]
            if not survivors:
                return Overview(start, end, first, tuple(fates), 0, "", -1, 0.0)
            head, _ = self._readings[heads[place]]
            return Overview(start, end, first, tuple(fates), survivors, self._label(labels[place]), head, scores[place])

        spans = list(self._record_ranges)
        lows = [low for low, _ in self._record_ranges.values()]
        counts = np.diff([*lows, len(self)])
        numbers = np.repeat(np.arange(len(spans)) * len(FATES), counts) + self._records[:, layout.R_FATE]
        found = np.bincount(numbers, minlength=len(spans) * len(FATES)).reshape(-1, len(FATES)).tolist()
        for (start, end), low, fates in zip(spans, lows, found, strict=True):
            yield brief(start, end, low, fates)
        nothing = (0,) * len(FATES)
        for length in range(1, size + 1):
            for start in range(size - length + 1):
                if (start, start + length) not in self._record_ranges:
                    yield brief(start, start + length, len(self), nothing)

    @cached_property
    def best_spans(self) -> frozenset[tuple[int, int]]:
        """The spans of the entries of the best parse."""
        return frozenset((start, end) for start, end in self._spans[list(self.best_entries)].tolist())

    def proposals_in(self, start: int, end: int) -> list[Proposal]:
        """Everything proposed over words ``start .. end``, in order."""
        low, high = self._record_ranges.get((start, end), (0, 0))
        return [self.proposal(number) for number in range(low, high)]

    @cached_property
    def best_entries(self) -> frozenset[int]:
        """Numbers of the entries of the best parse."""
        found: set[int] = set()
        stack = [self.best] if self.best >= 0 else []
        while stack:
            number = stack.pop()
            found.add(number)
            stack.extend(self.children(number))
        return frozenset(found)

    def children(self, number: int) -> tuple[int, ...]:
        """Entries that an entry is built from."""
        row = self._entries[number]
        kind = row[layout.KIND]
        if kind < UNARY:
            return ()
        if kind == UNARY:
            return (int(row[layout.LEFT]),)
        return (int(row[layout.LEFT]), int(row[layout.RIGHT]))

    def graph(self) -> networkx.DiGraph:
        """What is built from what: an edge from every entry to each entry whose best derivation uses it."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(self._entries)))
        for number in range(len(self._entries)):
            graph.add_edges_from((child, number) for child in self.children(number))
        return graph

    @cached_property
    def _spans(self) -> np.ndarray:
        spans = np.zeros((len(self._entries), 2), np.int32)
        cells = self._cells.tolist()
        for start in range(self.size):
            for last in range(start, self.size):
                first, _, end = cells[start * self.size + last]
                spans[first:end] = start, last + 1
        return spans

    @cached_property
    def _record_ranges(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Records of one cell stand together: for every span the first and one past the last."""
        spans = self._records[:, [layout.R_START, layout.R_END]]
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
