"""The stage strip, and stepping and playing: through the steps of a stage, from stage to stage, along the time line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from engine.chart.parse import Parse
from engine.explain.subjects import Subject
from explorer.kit.actions import GO, NamedActions, action
from explorer.kit.controls import action_button
from explorer.session.parse_service import ParseService
from explorer.session.replay import FASTEST, SPEEDS_MS, ChartReplay, cell_end
from explorer.session.session import ReplayNavigator
from explorer.session.view_state import ViewState
from explorer.stages.stage import Stage
from explorer.stages.stages import STAGES, number_of, stage_named

# Stepping: through the steps of each stage, and from stage to stage.
#
# Place 0 of a stage is its overview, with nothing selected; the chart has its replay in place of steps.


class Place(NamedTuple):
    """A place within the stages.

    Attributes
    ----------
    stage
        The name of a stage.
    selection
        What is selected.
    chart_step
        How many of the chart's edges are shown; ``None`` for all.
    """

    stage: str
    selection: Subject | None
    chart_step: int | None


def steps_of(parse: Parse | None, stage: type[Stage]) -> Sequence[Subject]:
    """The steps within a stage; none without a parse."""
    return stage.steps(parse) if parse is not None else ()


def following(place: Place, parse: Parse | None, replay: ChartReplay | None, forward: bool) -> Place | None:
    """The place one step on or back: the next thing within the stage, then the next stage.

    Parameters
    ----------
    place
        Where to step from.
    parse
        The parse that is shown.
    replay
        Where the replay of the chart stops; ``None`` if there is no chart.
    forward
        On, or back.

    Returns
    -------
    Place or None
        ``None`` before the first place and after the last.
    """
    by = 1 if forward else -1
    stage = stage_named(place.stage)
    if stage.replays and replay is not None:
        step = replay.after(place.chart_step) if forward else replay.before(place.chart_step)
        if step is not None:
            return place._replace(chart_step=step, selection=None)
    steps = steps_of(parse, stage)
    at = (steps.index(place.selection) + 1 if place.selection in steps else 0) + by
    if 0 <= at <= len(steps):
        return place._replace(selection=steps[at - 1] if at else None)
    beside = neighbour(place.stage, by)
    if beside is None:
        return None
    steps = steps_of(parse, beside)
    selection = steps[-1] if steps and not forward else None
    return Place(beside.name, selection, 0 if forward and beside.replays else None)


def neighbour(name: str, by: int) -> type[Stage] | None:
    """The stage after one (1), or before it (−1); ``None`` if there is none."""
    at = number_of(name) - 1 + by
    return STAGES[at] if 0 <= at < len(STAGES) else None


class StageNavigator(ReplayNavigator):
    """Steps a view state through the stages of the parse that is shown."""

    @property
    def stage(self) -> type[Stage]:
        """The stage that is shown."""
        return stage_named(self._view.stage)

    def steps(self) -> Sequence[Subject]:
        """The steps within the stage, each something that can be selected."""
        return steps_of(self._parses.shown, self.stage)

    def following(self, forward: bool) -> Place | None:
        """The place one step on or back; ``None`` if there is none."""
        here = Place(self._view.stage, self._view.selection, self._view.chart_step)
        return following(here, self._parses.shown, self.replay, forward)

    def step(self, forward: bool) -> bool:
        """Go one step on or back, to the next thing within the stage, then to the next stage; whether there is one."""
        there = self.following(forward)
        if there is None:
            return False
        self._view.go_to(there.stage, there.chart_step)
        self._view.select(there.selection)
        return True

    def show_neighbour(self, by: int) -> None:
        """Show the stage after this one (1), or before it (−1), if there is one."""
        beside = neighbour(self._view.stage, by)
        if beside is not None:
            self._view.set_stage(beside.name)

    def cell_end(self, step: int) -> int:
        """The first place of the replay from `step` on at which a cell is complete, if cells are large."""
        parse = self._parses.result.parse if self._parses.result is not None else None
        return cell_end(parse, step) if parse is not None else step


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

    def __init__(self, view: ViewState, navigator: StageNavigator, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._navigator = navigator
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

    @action("step-back", "Step back", GO, "Left", icon="previous", separated=True, stage_only=True)
    def step_back(self) -> None:
        """One step back, within the stage and then to the stage before."""
        self.step(False)

    @action("step-forward", "Step forward", GO, "Right", icon="next", stage_only=True)
    def step_on(self) -> None:
        """One step on, within the stage and then to the next stage."""
        self.step(True)

    @action("previous-stage", "Previous stage", GO, "Ctrl+PgUp")
    def previous_stage(self) -> None:
        """The stage before."""
        self._navigator.show_neighbour(-1)

    @action("next-stage", "Next stage", GO, "Ctrl+PgDown")
    def next_stage(self) -> None:
        """The stage after."""
        self._navigator.show_neighbour(1)

    @action("play", "Play", GO, "F5", icon="play", checkable=True)
    def play(self, on: bool) -> None:
        """Play all steps, one after the other."""
        self._action.setChecked(on)
        if on and self._navigator.stage.replays and self._view.chart_step is None:
            # The whole chart is there already: it is built anew.
            self._view.set_chart_step(0)
        if on:
            self._timer.start(self._interval)
        else:
            self._timer.stop()
        self.changed.emit()

    @property
    def _interval(self) -> int:
        return SPEEDS_MS[self._view.replay.speed] if self._navigator.stage.replays else PLAY_MS

    def _on(self) -> None:
        view, replay = self._view, self._navigator.replay
        if self._navigator.stage.replays and replay is not None:
            at = view.chart_step if view.chart_step is not None else replay.length
            if view.replay.speed == FASTEST:
                at = self._navigator.cell_end(at + max(1, len(replay.stops) // MOST_STOPS)) - 1
            following = replay.after(at)
            if following is not None:
                view.select(None)
                view.set_chart_step(following)
            elif self.within_stage:
                self.play(False)
            else:
                beside = neighbour(view.stage, 1)
                view.go_to(beside.name if beside is not None else view.stage)
        else:
            self.step(True)
        if self._timer.isActive():
            self._timer.setInterval(self._interval)


# The stage strip: the stages in the order of a sentence's walk, and the buttons that step and play.


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
        for number, stage in enumerate(STAGES, 1):
            if number > 1:
                arrow = QLabel("→")
                arrow.setObjectName("quiet")
                layout.addWidget(arrow)
            button = action_button(actions[f"stage-{number}"], stage.title)
            button.setAutoRaise(True)
            button.setAccessibleName(stage.title)
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
        if self._navigator.stage.replays:
            at, replay = self._view.chart_step, self._navigator.replay
            text = "" if replay is None or at is None else f"{replay.count(at):,} of {len(replay.stops):,}"
        else:
            steps = self._navigator.steps()
            text = f"{steps.index(self._view.selection) + 1} of {len(steps)}" if self._view.selection in steps else ""
        self.place.setText(text)
