"""How the chart is replayed: which edges, cell by cell or edge by edge, how fast, from the first or to the last."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSlider, QWidget

from explorer.document.chart_replay import FASTEST, REPLAY_TITLES
from explorer.document.stage_navigator import StageNavigator
from explorer.document.view_state import ViewState
from explorer.graphics.pictures.picture_options import REPLAYS
from explorer.widgets.buttons import text_button


class ReplayControls(QWidget):
    """Shows what was chosen about the replay, and lets a person choose again."""

    def __init__(self, view: ViewState, navigator: StageNavigator) -> None:
        super().__init__()
        self._view = view
        self._navigator = navigator
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.edges = QComboBox()
        self.edges.setAccessibleName("Edges of the replay")
        self.edges.setToolTip("Which edges the replay goes through: all, those that survive, those of this parse")
        for name in REPLAYS:
            self.edges.addItem(REPLAY_TITLES[name], name)
        self.edges.activated.connect(lambda at: navigator.choose_edges(REPLAYS[at]))
        self.steps = QComboBox()
        self.steps.setAccessibleName("Steps of the replay")
        self.steps.setToolTip("Where the replay stops: at every edge, or when a cell is complete")
        self.steps.addItems(["edge by edge", "cell by cell"])
        self.steps.activated.connect(lambda at: navigator.choose_by_cell(at == 1))
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setAccessibleName("Speed of the replay")
        self.speed.setToolTip("How fast it plays (F5), from one edge in three seconds to the whole chart in seconds")
        self.speed.setRange(0, FASTEST)
        self.speed.setPageStep(1)
        self.speed.setFixedWidth(80)
        self.speed.valueChanged.connect(navigator.choose_speed)
        layout.addWidget(self.edges)
        layout.addWidget(self.steps)
        layout.addWidget(self.speed)
        layout.addWidget(text_button("First", "The first edge of the replay (Alt+Home)", navigator.to_first))
        layout.addWidget(text_button("Last", "The last edge of the replay (Alt+End)", navigator.to_last))
        view.replay_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is chosen now."""
        choice = self._view.replay
        with QSignalBlocker(self.speed):
            self.speed.setValue(choice.speed)
        self.edges.setCurrentIndex(REPLAYS.index(choice.edges))
        self.steps.setCurrentIndex(int(choice.by_cell))
