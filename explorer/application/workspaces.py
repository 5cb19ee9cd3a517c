"""The middle of the window: the stages, or in their place the comparison."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStackedWidget

from explorer.comparison.comparison_controller import ComparisonController
from explorer.stages.stage_view import StageView

_LEAST_PICTURE = 200
"""Where a panel below leaves a picture less height than this, the tables under the picture fold away."""


class Workspaces(QStackedWidget):
    """Shows one workspace at a time, each with the whole room."""

    def __init__(self, stages: StageView, comparison: ComparisonController) -> None:
        super().__init__()
        self._stages = stages
        self._comparison = comparison
        self.addWidget(stages)
        self.addWidget(comparison.workspace)
        comparison.workspace_wanted.connect(self.show_comparison)
        self._folded_for_panel = False
        self._make_room_later = QTimer(self, singleShot=True, interval=0)
        self._make_room_later.timeout.connect(self._make_room)
        comparison.errors_dock.visibilityChanged.connect(self._panel_below)

    @property
    def compares(self) -> bool:
        """Whether the comparison is shown."""
        return self.currentWidget() is self._comparison.workspace

    def show_comparison(self, shown: bool) -> None:
        """Show the comparison, or the stages again."""
        if shown == self.compares:
            return
        self.setCurrentWidget(self._comparison.workspace if shown else self._stages)
        (self._comparison.workspace if shown else self._stages.canvas).setFocus()

    def _panel_below(self, shown: bool) -> None:
        """Fold the tables where the panel below leaves no room for the picture, and unfold them when it goes."""
        if shown:
            # Once the window has given every part its place.
            self._make_room_later.start()
        elif self._folded_for_panel and self._comparison.errors_dock.isHidden():
            self._folded_for_panel = False
            self._stages.tabs.set_folded(False)

    def _make_room(self) -> None:
        tabs, picture = self._stages.tabs, self._stages.canvas
        if picture.isVisible() and picture.height() < _LEAST_PICTURE and not tabs.folded:
            self._folded_for_panel = True
            tabs.set_folded(True)
