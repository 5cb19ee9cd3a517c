"""What a person looks at: stage, step of the chart, selection, pointer, rank; no change, and nothing to undo."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from explorer.document.stage_navigation import CHART, PARSE, STAGES
from explorer.graphics.selection import EdgeId, Id


class Looking(QObject):
    """Where the looking is; every view follows it, so that all pictures show the same thing.

    Signals
    -------
    stage_changed, selection_changed, hover_changed, rank_changed
        Something else is looked at; another step of the chart counts as another stage.
    """

    stage_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    rank_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stage = PARSE
        self.chart_step: int | None = None
        self.selection: Id | None = None
        self.hover: Id | None = None
        self.rank = 0

    @property
    def focus(self) -> Id | None:
        """What is to be explained: the selection, or the proposal that the chart's time line has reached."""
        if self.selection is None and self.stage == CHART and self.chart_step:
            return EdgeId(self.chart_step - 1)
        return self.selection

    def set_stage(self, stage: int) -> None:
        """Look at another stage."""
        stage = max(0, min(stage, len(STAGES) - 1))
        if stage != self.stage:
            self.stage = stage
            self.stage_changed.emit()

    def set_chart_step(self, step: int | None) -> None:
        """Show the chart as it was after so many proposals; ``None`` for the whole."""
        if step != self.chart_step:
            self.chart_step = step
            self.stage_changed.emit()

    def select(self, id: Id | None) -> None:
        """Select something, in all pictures at once."""
        if id != self.selection:
            self.selection = id
            self.selection_changed.emit()

    def point_at(self, id: Id | None) -> None:
        """Point at something, in all pictures at once."""
        if id != self.hover:
            self.hover = id
            self.hover_changed.emit()

    def set_rank(self, rank: int) -> None:
        """Show another of the n best parses."""
        if rank != self.rank:
            self.rank = rank
            self.select(None)
            self.rank_changed.emit()
