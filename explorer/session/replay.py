"""The replay of a chart: which of its edges it goes through, and where it stops; no Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from engine.chart.parse import Parse
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.options import ALL_EDGES, PARSE_EDGES, REPLAYS, SURVIVING_EDGES

# A place of the replay is a number of edges of the whole chart, in the order in which the parser added them, whatever
# the replay leaves out: the edge that was reached is always the one before that place.

REPLAY_TITLES = {ALL_EDGES: "all edges", SURVIVING_EDGES: "survivors only", PARSE_EDGES: "this parse only"}
"""What menus call each of :data:`REPLAYS`."""
SPEEDS_MS = (3000, 1500, 700, 250, 60)
"""Milliseconds from stop to stop when the replay runs by itself, from the slowest speed to the fastest."""
FASTEST = len(SPEEDS_MS) - 1


@dataclass(frozen=True, slots=True)
class ReplayChoice:
    """What a person has chosen about the replay.

    Attributes
    ----------
    edges
        One of :data:`REPLAYS`: every edge, those that were kept, those of the parse that is shown.
    by_cell
        Whether it stops only where a cell is complete.
    speed
        One of :data:`SPEEDS_MS`, by its number.
    """

    edges: str = ALL_EDGES
    by_cell: bool = False
    speed: int = FASTEST

    def __post_init__(self) -> None:
        if self.edges not in REPLAYS or not 0 <= self.speed <= FASTEST:
            raise ValueError(f"there is no replay of {self.edges} at speed {self.speed}")


class ChartReplay:
    """The replay of one chart.

    Parameters
    ----------
    edges
        The numbers of the edges that it goes through, ascending.
    ends
        Where the cells of the chart are complete, ascending: the number of the edge after the last.
    length
        How many edges the whole chart has.
    by_cell
        Whether it stops only where a cell is complete.
    """

    def __init__(self, edges: Sequence[int], ends: Sequence[int], length: int, by_cell: bool = False) -> None:
        self.edges = edges
        self.length = length
        stops: Sequence[int] = range(1, length + 1) if isinstance(edges, range) else [edge + 1 for edge in edges]
        if by_cell:
            reached = (bisect_right(stops, end) for end in ends)
            stops = sorted({stops[count - 1] for count in reached if count})
        self.stops = stops

    def after(self, place: int | None) -> int | None:
        """Return the next stop; ``None`` behind the last one. The whole chart (``None``) is behind the last, too."""
        if place is None:
            return None
        at = bisect_right(self.stops, place)
        return self.stops[at] if at < len(self.stops) else None

    def before(self, place: int | None) -> int | None:
        """Return the stop before a place, or 0 for the empty chart; ``None`` if the chart is empty already."""
        if place is None:
            # The whole chart and the last stop of a replay of all edges are one picture.
            whole = bool(self.stops) and self.stops[-1] == self.length
            return self.before(self.length) if whole else (self.stops[-1] if self.stops else None)
        if place <= 0:
            return None
        at = bisect_left(self.stops, place)
        return self.stops[at - 1] if at else 0

    def at_or_before(self, place: int) -> int:
        """Return the last stop that is not behind a place; 0 if there is none."""
        at = bisect_right(self.stops, place)
        return self.stops[at - 1] if at else 0

    def count(self, place: int | None) -> int:
        """Return how many stops there are up to a place."""
        return len(self.stops) if place is None else bisect_right(self.stops, place)

    def edge_count(self, place: int | None) -> int | None:
        """Return how many of its edges are shown at a place; :meth:`place` leads back to it."""
        return None if place is None else bisect_left(self.edges, place)

    def place(self, count: int | None) -> int | None:
        """Return where the replay is after so many of its edges; ``None`` for the whole chart."""
        if count is None:
            return None
        if count <= 0 or not self.edges:
            return 0
        return self.edges[min(count, len(self.edges)) - 1] + 1


def replay_of(parse: Parse, choice: ReplayChoice) -> ChartReplay | None:
    """Return the replay of a parse's chart; ``None`` if no chart was kept."""
    facts = facts_of(parse)
    if facts.trace is None:
        return None
    key = ("replay", choice.edges, choice.by_cell)
    kept = facts.pictures.get(key)
    if not isinstance(kept, ChartReplay):
        length = len(facts.trace)
        ends = sorted({cell.first + cell.count for cell in facts.chart if cell.count}) if choice.by_cell else []
        kept = facts.pictures[key] = ChartReplay(edge_numbers(facts, choice.edges), ends, length, choice.by_cell)
    return kept


def edge_numbers(facts: Facts, edges: str) -> Sequence[int]:
    """Return the numbers of the edges that a replay goes through, in the order in which they were added."""
    assert facts.trace is not None
    if edges == SURVIVING_EDGES:
        return facts.trace.kept_edges
    if edges == PARSE_EDGES:
        return sorted({edge.number for edges in facts.chart_edges.values() for edge in edges})
    return range(len(facts.trace))


SMALL_CHART = 2000
"""Up to so many edges a replay at full speed stops within cells, too."""


def cell_end(parse: Parse, step: int) -> int:
    """Return the first place of the replay from `step` on at which a cell is complete, if cells are large."""
    facts = facts_of(parse)
    if facts.trace is None or len(facts.trace) <= SMALL_CHART:
        return step
    return min((end for one in facts.chart if (end := one.first + one.count) >= step), default=step)
