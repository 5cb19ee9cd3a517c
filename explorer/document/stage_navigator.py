"""Stepping: from the view state and the parse that is shown to the next thing or stage."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.document.parse_service import ParseService
from explorer.document.stage_navigation import Place, following, steps_of
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

    def step(self, forward: bool) -> bool:
        """Go one step on or back, to the next thing within the stage, then to the next stage; whether there is one."""
        view, parses = self._view, self._parses
        chart = parses.result.parse.chart if parses.result is not None else None
        here = Place(view.stage, view.selection, view.chart_step)
        there = following(here, parses.shown, len(chart) if chart is not None else None, forward)
        if there is None:
            return False
        view.go_to(there.stage, there.chart_step)
        view.select(there.selection)
        return True
