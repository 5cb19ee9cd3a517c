"""The stage strip: six stages in the order of a sentence's walk, and the buttons that step and play."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.document.session import Session
from explorer.document.stage_navigation import CHART, STAGES
from explorer.widgets.action import NamedActions
from explorer.widgets.buttons import action_button


class StageStrip(QWidget):
    """Buttons for the stages, and for stepping through them."""

    def __init__(self, session: Session, actions: NamedActions) -> None:
        super().__init__()
        self.setObjectName("stage-strip")
        self._session = session
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
        self.place = QLabel()
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
        for signal in (session.stage_changed, session.selection_changed, session.answer_changed, session.rank_changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say at which step of how many we are."""
        session = self._session
        trace = session.answer.parse.chart if session.answer is not None else None
        if session.stage == CHART:
            at = session.chart_step
            said = "" if trace is None or at is None else f"{at:,} of {len(trace):,}"
        else:
            steps = session.steps()
            said = f"{steps.index(session.selection) + 1} of {len(steps)}" if session.selection in steps else ""
        self.place.setText(said)
