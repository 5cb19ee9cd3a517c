"""The middle of the window: the stages, or in their place the comparison."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from explorer.comparison.comparison_controller import ComparisonController
from explorer.stages.stage_view import StageView


class Workspaces(QStackedWidget):
    """Shows one workspace at a time, each with the whole room."""

    def __init__(self, stages: StageView, comparison: ComparisonController) -> None:
        super().__init__()
        self._stages = stages
        self._comparison = comparison
        self.addWidget(stages)
        self.addWidget(comparison.workspace)
        comparison.workspace_wanted.connect(self.show_comparison)

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
