"""The view state: stage, replay of the chart, selection, pointer and rank; no part of the document, never undone."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.explain.subjects import EdgeId, Subject
from engine.patterns.search import Found
from explorer.session.navigation import CHART, PARSE, STAGES, ReplayChoice
from explorer.session.parsing import EarlierParse


class ViewState(QObject):
    """The view state: what is shown and selected; every view follows it, so that all pictures show the same thing.

    Signals
    -------
    stage_changed, chart_step_changed, replay_changed, selection_changed, hover_changed, rank_changed, earlier_changed,
    found_changed
        Something of that name is another one now.
    """

    stage_changed = Signal()
    chart_step_changed = Signal()
    replay_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    rank_changed = Signal()
    earlier_changed = Signal()
    found_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stage = PARSE
        self._chart_step: int | None = None
        self._replay = ReplayChoice()
        self._selection: Subject | None = None
        self._hover: Subject | None = None
        self._rank = 0
        self._earlier: EarlierParse | None = None
        self._found: Found | None = None

    @property
    def stage(self) -> int:
        """The stage that is shown, by its number in :data:`STAGES`."""
        return self._stage

    @property
    def chart_step(self) -> int | None:
        """How many of the chart's edges are shown; ``None`` for all."""
        return self._chart_step

    @property
    def replay(self) -> ReplayChoice:
        """Which edges the replay of the chart goes through, and how."""
        return self._replay

    @property
    def selection(self) -> Subject | None:
        """What is selected."""
        return self._selection

    @property
    def hover(self) -> Subject | None:
        """What the pointer is on."""
        return self._hover

    @property
    def rank(self) -> int:
        """Which of the n best parses is shown, from 0."""
        return self._rank

    @property
    def earlier(self) -> EarlierParse | None:
        """What an earlier model made of the sentence: what the parse that is shown has otherwise is marked."""
        return self._earlier

    @property
    def found(self) -> Found | None:
        """What a search by structure found in the sentence, to be marked in its trees."""
        return self._found

    @property
    def focus(self) -> Subject | None:
        """What is to be explained: the selection, or the edge that the chart's time line has reached."""
        if self._selection is None and self._stage == CHART and self._chart_step:
            return EdgeId(self._chart_step - 1)
        return self._selection

    def set_stage(self, stage: int) -> None:
        """Show another stage."""
        self.go_to(stage, self._chart_step)

    def go_to(self, stage: int, chart_step: int | None = None) -> None:
        """Show a stage, and of the chart so many edges (``None``: all)."""
        stage = max(0, min(stage, len(STAGES) - 1))
        other_stage, other_step = stage != self._stage, chart_step != self._chart_step
        self._stage, self._chart_step = stage, chart_step
        if other_stage:
            self.stage_changed.emit()
        if other_step:
            self.chart_step_changed.emit()

    def set_chart_step(self, step: int | None) -> None:
        """Show the chart as it was after so many edges; ``None`` for the whole."""
        self.go_to(self._stage, step)

    def set_replay(self, choice: ReplayChoice) -> None:
        """Replay the chart in another way."""
        if choice != self._replay:
            self._replay = choice
            self.replay_changed.emit()

    def select(self, id: Subject | None) -> None:
        """Select something, in all pictures at once."""
        if id != self._selection:
            self._selection = id
            self.selection_changed.emit()

    def point_at(self, id: Subject | None) -> None:
        """Point at something, in all pictures at once."""
        if id != self._hover:
            self._hover = id
            self.hover_changed.emit()

    def set_rank(self, rank: int) -> None:
        """Show another of the n best parses, with nothing selected in it."""
        if rank != self._rank:
            self._rank = rank
            self.select(None)
            self.rank_changed.emit()

    def show_best(self) -> None:
        """Show the best parse again; what is selected stays so."""
        if self._rank:
            self._rank = 0
            self.rank_changed.emit()

    def set_earlier(self, earlier: EarlierParse | None) -> None:
        """Mark what differs from the parse of an earlier model, or nothing any more."""
        if earlier is not self._earlier:
            self._earlier = earlier
            self.earlier_changed.emit()

    def set_found(self, found: Found | None) -> None:
        """Mark what a search found in the sentence, or nothing any more."""
        if found != self._found:
            self._found = found
            self.found_changed.emit()

    def leave_sentence(self) -> None:
        """Forget what was selected and found in the sentence before, and how far its chart was."""
        self.select(None)
        self.set_found(None)
        self.set_chart_step(None)
