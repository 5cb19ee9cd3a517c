"""The view state: stage, replay of the chart, selection, pointer and rank; no part of the document, never undone."""

from __future__ import annotations

import operator

from PySide6.QtCore import Signal

from engine.explain.changes import EarlierParse
from engine.explain.subjects import EdgeId, Subject
from engine.patterns.search import Found
from explorer.kit.state import Field, State, observed
from explorer.session.replay import ReplayChoice

CHART, PARSE = "chart", "parse"
"""The stages that a session knows of: the one that its replay is shown in, and the one that it begins with."""


class ViewState(State):
    """The view state: what is shown and selected; every view follows it, so that all pictures show the same thing.

    Attributes
    ----------
    stage
        The name of the stage that is shown (:data:`explorer.stages.stages.STAGES`).
    chart_step
        How many of the chart's edges are shown; ``None`` for all.
    replay
        Which edges the replay of the chart goes through, and how.
    selection
        What is selected.
    hover
        What the pointer is on.
    rank
        Which of the n best parses is shown, from 0.
    earlier
        What an earlier model made of the sentence: what the parse that is shown has otherwise is marked.
    found
        What a search by structure found in the sentence, to be marked in its trees.
    """

    stage_changed = Signal()
    chart_step_changed = Signal()
    replay_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    rank_changed = Signal()
    earlier_changed = Signal()
    found_changed = Signal()

    stage = observed(PARSE)
    chart_step: Field[int | None] = observed(None)
    replay = observed(ReplayChoice())
    selection: Field[Subject | None] = observed(None)
    hover: Field[Subject | None] = observed(None)
    rank = observed(0)
    earlier: Field[EarlierParse | None] = observed(None, same=operator.is_)
    found: Field[Found | None] = observed(None)

    @property
    def focus(self) -> Subject | None:
        """What is to be explained: the selection, or the edge that the chart's time line has reached."""
        if self.selection is None and self.stage == CHART and self.chart_step:
            return EdgeId(self.chart_step - 1)
        return self.selection

    def go_to(self, stage: str, chart_step: int | None = None) -> None:
        """Show a stage, and of the chart so many edges (``None``: all)."""
        with self.together():
            self.stage = stage
            self.chart_step = chart_step

    def set_stage(self, stage: str) -> None:
        """Show another stage."""
        self.stage = stage

    def set_chart_step(self, step: int | None) -> None:
        """Show the chart as it was after so many edges; ``None`` for the whole."""
        self.chart_step = step

    def set_replay(self, choice: ReplayChoice) -> None:
        """Replay the chart in another way."""
        self.replay = choice

    def select(self, id: Subject | None) -> None:
        """Select something, in all pictures at once."""
        self.selection = id

    def point_at(self, id: Subject | None) -> None:
        """Point at something, in all pictures at once."""
        self.hover = id

    def set_rank(self, rank: int) -> None:
        """Show another of the n best parses, with nothing selected in it."""
        if rank != self.rank:
            with self.together():
                self.selection = None
                self.rank = rank

    def show_best(self) -> None:
        """Show the best parse again; what is selected stays so."""
        self.rank = 0

    def set_earlier(self, earlier: EarlierParse | None) -> None:
        """Mark what differs from the parse of an earlier model, or nothing any more."""
        self.earlier = earlier

    def set_found(self, found: Found | None) -> None:
        """Mark what a search found in the sentence, or nothing any more."""
        self.found = found

    def leave_sentence(self) -> None:
        """Forget what was selected and found in the sentence before, and how far its chart was."""
        self.select(None)
        self.set_found(None)
        self.set_chart_step(None)
