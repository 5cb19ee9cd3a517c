"""Stepping and playing: through the steps of a stage, from stage to stage, along the chart's time line."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction

from explorer.document.session import Session
from explorer.document.stage_navigation import CHART
from explorer.stages.chart_stage import ChartStage

PLAY_MS = 900
REPLAY_MS = 60


class Player(QObject):
    """Steps through the stages of a session, by hand or by itself."""

    changed = Signal()

    def __init__(self, session: Session, chart: ChartStage, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._chart = chart
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
        if not self._session.step(forward):
            self.play(False)

    def play(self, on: bool) -> None:
        """Start or stop stepping by itself."""
        self._action.setChecked(on)
        if on:
            self._timer.start(REPLAY_MS if self._session.stage == CHART else PLAY_MS)
        else:
            self._timer.stop()
        self.changed.emit()

    def _on(self) -> None:
        session = self._session
        if session.stage == CHART and session.answer is not None and session.answer.parse.chart is not None:
            # A long chart is replayed in steps of many edges, so that it takes seconds and not hours.
            length = len(session.answer.parse.chart)
            at = session.chart_step if session.chart_step is not None else 0
            following = self._chart.cell_end(at + max(1, length // 300))
            if following < length:
                session.select(None)
                session.set_chart_step(following)
            else:
                session.chart_step = None
                session.set_stage(session.stage + 1)
        else:
            self.step(True)
        if self._timer.isActive():
            self._timer.setInterval(REPLAY_MS if session.stage == CHART else PLAY_MS)
