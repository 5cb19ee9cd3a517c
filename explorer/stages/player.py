"""The stage strip, and stepping and playing: through the steps of a stage, from stage to stage, along the time line."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.kit.actions import GO, NamedActions, action
from explorer.kit.controls import action_button
from explorer.session.navigation import CHART, FASTEST, SPEEDS_MS, STAGES
from explorer.session.parse_service import ParseService
from explorer.session.session import StageNavigator
from explorer.session.view_state import ViewState
from explorer.stages.chart import ChartStage

# Stepping and playing: through the steps of a stage, from stage to stage, along the chart's time line.

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

    @action(
        "step-back",
        "Step back",
        GO,
        "Left",
        "One step back, within the stage and then to the stage before",
        "previous",
        separated=True,
        stage_only=True,
    )
    def step_back(self) -> None:
        """Take one step back."""
        self.step(False)

    @action(
        "step-forward",
        "Step forward",
        GO,
        "Right",
        "One step on, within the stage and then to the next stage",
        "next",
        stage_only=True,
    )
    def step_on(self) -> None:
        """Take one step on."""
        self.step(True)

    @action("previous-stage", "Previous stage", GO, "Ctrl+PgUp", "The stage before")
    def previous_stage(self) -> None:
        """Go to the stage before."""
        self._view.set_stage(self._view.stage - 1)

    @action("next-stage", "Next stage", GO, "Ctrl+PgDown", "The stage after")
    def next_stage(self) -> None:
        """Go to the stage after."""
        self._view.set_stage(self._view.stage + 1)

    @action("play", "Play", GO, "F5", "Play all steps, one after the other", "play", checkable=True)
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


# The stage strip: six stages in the order of a sentence's walk, and the buttons that step and play.


class StageStrip(QWidget):
    """Buttons for the stages, and for stepping through them."""

    def __init__(self, view: ViewState, parses: ParseService, navigator: StageNavigator, actions: NamedActions) -> None:
        super().__init__()
        self.setObjectName("stage-strip")
        self._view = view
        self._navigator = navigator
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 4)
        layout.setSpacing(6)
        self.buttons: list[QToolButton] = []
        for number, name in enumerate(STAGES, 1):
            if number > 1:
                arrow = QLabel("→")
                arrow.setObjectName("quiet")
                layout.addWidget(arrow)
            button = action_button(actions[f"stage-{number}"], name)
            button.setAutoRaise(True)
            button.setAccessibleName(name)
            self.buttons.append(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self.place = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.place.setObjectName("quiet")
        self.place.setMinimumWidth(96)
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.place)
        layout.addSpacing(4)
        for name in ("step-back", "play", "step-forward"):
            button = QToolButton()
            button.setDefaultAction(actions[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setAutoRaise(True)
            layout.addWidget(button)
        for signal in (
            view.stage_changed,
            view.chart_step_changed,
            view.replay_changed,
            view.selection_changed,
            view.rank_changed,
            parses.result_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say at which step of how many we are."""
        if self._view.stage == CHART:
            at, replay = self._view.chart_step, self._navigator.replay
            text = "" if replay is None or at is None else f"{replay.count(at):,} of {len(replay.stops):,}"
        else:
            steps = self._navigator.steps()
            text = f"{steps.index(self._view.selection) + 1} of {len(steps)}" if self._view.selection in steps else ""
        self.place.setText(text)
