"""The chart's arrays, used again from sentence to sentence; what is full is made larger, and the search goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.chart import chart_layout as layout
from engine.chart.basenp_layout import KIND_COLUMNS, PREFIX_COLUMNS, PREFIX_RANGE
from engine.chart.chart_layout import Chart
from engine.common.arrays import Int32Array, UInt8Array
from engine.estimates.estimates_layout import SEEN_COLUMNS
from engine.model.model import Model

ITEMS, EDGES, ESTIMATES, CANDIDATES, PREFIXES = "items", "edges", "estimates", "candidates", "prefixes"
"""The parts of a chart that grow, each of one or several arrays."""
FIRST_ROOM = {ITEMS: 4096, ESTIMATES: 16384, CANDIDATES: 2048, PREFIXES: 4096, EDGES: 0}
FIRST_EDGES = 1 << 16
"""Rows of each part at first; room for edges is made when they are to be recorded."""
FULL_PARTS = {
    layout.ITEMS_FULL: ITEMS,
    layout.EDGES_FULL: EDGES,
    layout.ESTIMATES_FULL: ESTIMATES,
    layout.CANDIDATES_FULL: CANDIDATES,
    layout.PREFIXES_FULL: PREFIXES,
}


HASHES = ("slots", "kind_slots")
"""Arrays of these parts that are empty when a cell is begun."""


def empty_hash(room: int) -> Int32Array:
    """A hash for so many rows, at most half full, of a size that is a power of 2."""
    return np.zeros((1 << (2 * room - 1).bit_length(), 2), np.int32)


def part_of_chart(part: str, room: int) -> dict[str, NDArray[Any]]:
    """New arrays for a part of the chart, by their names."""
    if part == ITEMS:
        return {"items": np.empty((room, layout.COLUMNS), np.int32), "item_scores": np.empty((room, 2))}
    if part == EDGES:
        return {
            "edges": np.empty((room, layout.EDGE_COLUMNS), np.int32),
            "edge_factors": np.empty((room, layout.EDGE_FACTORS)),
        }
    if part == ESTIMATES:
        return {"estimate_relations": np.empty(room, np.int32), "estimates": np.empty(room)}
    if part == CANDIDATES:
        return {
            "candidates": np.empty((room, layout.COLUMNS), np.int32),
            "candidate_scores": np.empty(room),
            "candidate_nones": np.empty(room),
            "places": np.empty(room, np.int64),
            "order": np.empty(room, np.int64),
            "slots": empty_hash(room),
        }
    return {
        "prefixes": np.empty((room, PREFIX_COLUMNS), np.int32),
        "prefix_scores": np.empty((room, 2)),
        "prefix_kinds": np.empty((room, KIND_COLUMNS), np.int32),
        "prefix_links": np.empty(room, np.int32),
        "longer_kinds": np.empty(4 * room, np.int32),
        "kind_slots": empty_hash(room),
    }


class WorkingMemory:
    """A chart for sentences of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._words = self._readings = 0
        self._room = dict(FIRST_ROOM)
        self._chart: Chart | None = None
        self._never = np.zeros(1, np.uint8)

    @property
    def chart(self) -> Chart:
        """The chart as it is now."""
        assert self._chart is not None
        return self._chart

    def cancelled_by(self, flag: UInt8Array | None) -> Chart:
        """The chart, to be filled until this flag is raised."""
        flag = self._never if flag is None else flag
        if self.chart.cancel is not flag:
            self._chart = self.chart._replace(cancel=flag)
        return self.chart

    def make_room(self, words: int, readings: int, with_edges: bool) -> bool:
        """Have a chart for a sentence of so many words and readings; the result tells whether it is a new one."""
        enough = words <= self._words and readings <= self._readings
        if self._chart is not None and enough and (self._room[EDGES] or not with_edges):
            return False
        if with_edges and not self._room[EDGES]:
            self._room[EDGES] = FIRST_EDGES
        self._words, self._readings = max(words, self._words), max(readings, self._readings)
        # What was is let go before there is more.
        self._chart = None
        self._chart = self._new_chart()
        return True

    def grow(self, status: int) -> None:
        """Make the part of the chart that a search found full twice as large, with what is in it."""
        part = FULL_PARTS[status]
        self._room[part] *= 2
        grown = part_of_chart(part, self._room[part])
        for name, array in grown.items():
            if name not in HASHES:
                used = getattr(self.chart, name)
                array[: len(used)] = used
        self._chart = self.chart._replace(**grown)

    def _new_chart(self) -> Chart:
        words, vocabulary = self._words, self._model.vocabulary
        pairs = self._readings**2 << layout.ANSWER_BITS
        growing = {
            name: array for part, room in self._room.items() for name, array in part_of_chart(part, room).items()
        }
        return Chart(
            **growing,
            cells=np.zeros((words * words, 3), np.int32),
            comma_sums=np.empty(words, np.int64),
            estimate_ranges=np.empty((pairs, 2), np.int32),
            estimate_labels=np.empty((pairs, 2), np.int64),
            best_estimates=np.empty(pairs),
            dependency_scratch=np.zeros((3, max(len(vocabulary.triples), 1)), np.int32),
            unary_scratch=np.zeros((len(vocabulary.labels) + 1, SEEN_COLUMNS)),
            unary_seen=np.zeros(len(vocabulary.labels) + 1, np.int32),
            bounds=np.empty(layout.BOUNDS),
            prefix_ranges=np.empty((words, PREFIX_RANGE), np.int64),
            totals=np.zeros(layout.TOTALS, np.int64),
            before_cell=np.zeros(layout.TOTALS + PREFIX_RANGE, np.int64),
            best_score=np.zeros(1),
            cancel=self._never,
        )
