"""Stepping and playing: through the steps of a stage, from stage to stage, along the chart's time line."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction

from explorer.document.chart_replay import FASTEST, SPEEDS_MS
from explorer.document.stage_navigation import CHART
from explorer.document.stage_navigator import StageNavigator
from explorer.document.view_state import ViewState
from explorer.stages.chart_stage import ChartStage

PLAY_MS = 900
MOST_STOPS = 300
"""A replay at full speed makes about so many stops, however long the chart: it takes seconds and not hours."""


class Player(QObject):
    """Steps through the stages, by hand or by itself.

    Attributes
    ----------
    within_stage
        Whether it stops where the replay of the chart ends.

    Signals
    -------
    changed
        It began to play, or stopped.
    """

    changed = Signal()

    def __init__(self, view: ViewState, navigator: StageNavigator, chart: ChartStage, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._navigator = navigator
        self._chart = chart
        self.within_stage = False
        self._action = QAction(self)
        self._timer = QTimer(self, interval=PLAY_MS)
        self._timer.timeout.connect(self._on)

    def show_in(self, action: QAction) -> None:
        """Show in the check mark of this action whether it plays."""
        self._action = action

    @property
    def playing(self) -> bool:
        """Whether it runs by itself."""
        return self._timer.isActive()

    def step(self, forward: bool) -> None:
        """Take one step on or back."""
        if not self._navigator.step(forward):
            self.play(False)

    def play(self, on: bool) -> None:
        """Start or stop stepping by itself."""
        self._action.setChecked(on)
        if on and self._view.stage == CHART and self._view.chart_step is None:
            # The whole chart is there already: it is built anew.
            self._view.set_chart_step(0)
        if on:
            self._timer.start(self._interval)
        else:
            self._timer.stop()
        self.changed.emit()

    @property
    def _interval(self) -> int:
        return SPEEDS_MS[self._view.replay.speed] if self._view.stage == CHART else PLAY_MS

    def _on(self) -> None:
        view, replay = self._view, self._navigator.replay
        if view.stage == CHART and replay is not None:
            at = view.chart_step if view.chart_step is not None else replay.length
            if view.replay.speed == FASTEST:
                at = self._chart.cell_end(at + max(1, len(replay.stops) // MOST_STOPS)) - 1
            following = replay.after(at)
            if following is not None:
                view.select(None)
                view.set_chart_step(following)
            elif self.within_stage:
                self.play(False)
            else:
                view.go_to(view.stage + 1)
        else:
            self.step(True)
        if self._timer.isActive():
            self._timer.setInterval(self._interval)
