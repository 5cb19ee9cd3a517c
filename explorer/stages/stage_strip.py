"""The stage strip: six stages in the order of a sentence's walk, and the buttons that step and play."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.document.parse_service import ParseService
from explorer.document.stage_navigation import CHART, STAGES
from explorer.document.stage_navigator import StageNavigator
from explorer.document.view_state import ViewState
from explorer.widgets.action import NamedActions
from explorer.widgets.buttons import action_button


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
