"""Stepping: from the view state and the parse that is shown to the next thing or stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.document.chart_replay import FASTEST, ChartReplay, replay_of
from explorer.document.parse_service import ParseService
from explorer.document.stage_navigation import CHART, Place, following, steps_of
from explorer.document.view_state import ViewState
from explorer.graphics.selection import Id


class StageNavigator:
    """Steps a view state through the stages of the parse that is shown."""

    def __init__(self, view: ViewState, parses: ParseService) -> None:
        self._view = view
        self._parses = parses

    def steps(self) -> Sequence[Id]:
        """The steps within the stage, each something that can be selected; the chart has its time line instead."""
        return steps_of(self._parses.shown, self._view.stage)

    @property
    def replay(self) -> ChartReplay | None:
        """The replay of the chart that was chosen; ``None`` while there is no chart."""
        parse = self._parses.shown
        return replay_of(parse, self._view.replay) if parse is not None else None

    def choose_edges(self, edges: str) -> None:
        """Replay every edge of the chart, those that were kept, or those of the parse that is shown."""
        self._view.set_replay(replace(self._view.replay, edges=edges))
        self._to_stop()

    def choose_by_cell(self, by_cell: bool) -> None:
        """Replay the chart cell by cell, or edge by edge."""
        self._view.set_replay(replace(self._view.replay, by_cell=by_cell))
        self._to_stop()

    def choose_speed(self, speed: int) -> None:
        """Replay faster or slower; beyond the ends of the scale nothing changes."""
        self._view.set_replay(replace(self._view.replay, speed=max(0, min(speed, FASTEST))))

    def to_first(self) -> None:
        """Go to the first edge of the replay."""
        replay = self.replay
        if replay is not None and replay.stops:
            self._view.select(None)
            self._view.go_to(CHART, replay.stops[0])

    def to_last(self) -> None:
        """Go to the last edge of the replay."""
        replay = self.replay
        if replay is not None and replay.stops:
            self._view.select(None)
            self._view.go_to(CHART, replay.stops[-1])

    def _to_stop(self) -> None:
        """Stay within the replay: where it does not stop, go back to where it does."""
        replay, step = self.replay, self._view.chart_step
        if replay is not None and step is not None:
            self._view.set_chart_step(replay.at_or_before(step))

    def step(self, forward: bool) -> bool:
        """Go one step on or back, to the next thing within the stage, then to the next stage; whether there is one."""
        view, parses = self._view, self._parses
        here = Place(view.stage, view.selection, view.chart_step)
        there = following(here, parses.shown, self.replay, forward)
        if there is None:
            return False
        view.go_to(there.stage, there.chart_step)
        view.select(there.selection)
        return True
