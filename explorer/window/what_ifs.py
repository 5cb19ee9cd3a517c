"""What-ifs about what is selected, and the search for the smallest β that keeps a tree."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QObject

from engine.chart.parse import Parse
from engine.common.numbers import beam_text
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    GapId,
    GapTagId,
    MatrixCellId,
    NodeId,
    RootId,
    Subject,
    TagId,
    WordId,
)
from engine.structure.constraints import ROOT_HEAD, Attachment, Bracket, Constraint, FixedTag, GapTag
from explorer.kit.actions import SETTINGS, WHAT_IF, action
from explorer.kit.features import Feature
from explorer.kit.messages import Messages
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.parsing import ParserPool
from explorer.session.view_state import ViewState

BISECTIONS = 18
LEAST, MOST = 1.01, 1e9
_CANCELLED = "Finding the smallest β was cancelled; β is as it was."


class WhatIfActions(Feature):
    """Turns a selection into a what-if, and finds the smallest β that keeps a tree."""

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
        tasks: TaskMonitor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._worker = tasks.watch(Worker("smallest beam", newest_only=True, parent=self), _CANCELLED)

    @action("force", "Force what is selected", WHAT_IF, "Ctrl+I", icon="what-if")
    def force_selected(self) -> None:
        """The parse must have the selected arrow, gap tag or constituent."""
        self.set_selected(False)

    @action("forbid", "Forbid what is selected", WHAT_IF, "Ctrl+Shift+I")
    def forbid_selected(self) -> None:
        """The parse must do without the selected arrow, gap tag or constituent."""
        self.set_selected(True)

    @action("lift-all", "Remove all what-ifs", WHAT_IF, "Ctrl+Shift+L", separated=True)
    def lift_all(self) -> None:
        """Parse without any what-if again."""
        self._editor.lift(self._editor.line.what_ifs)

    def set_selected(self, forbid: bool) -> None:
        """Force or forbid what is selected."""
        parse = self._parses.shown
        constraint = constraint_on(parse, self._view.selection, forbid) if parse is not None else None
        if constraint is None:
            self._messages.show("Select an arrow, a gap, a tag or a constituent first")
        else:
            self._editor.add_what_if(constraint)

    @action("smallest-beam", "Smallest β that keeps this tree", SETTINGS, "Ctrl+Shift+[", after="no-beam")
    def find_smallest_beam(self) -> None:
        """Find how narrow the beam can be before this tree is lost."""
        parse, result = self._parses.shown, self._parses.result
        if parse is None or result is None:
            return
        wanted = (self._parses.gold or parse.tree).brackets()
        request = result.request
        sentence, what_ifs = result.reading.sentence, request.line.what_ifs

        def work(job: Job) -> float | None:
            parsers = ParserPool()

            def kept(beam: float) -> bool:
                settings = replace(request.settings, beam=beam)
                found: Parse = parsers.parser(request.model, settings).parse(
                    sentence, constraints=what_ifs, control=job.control
                )
                return found.tree.brackets() == wanted

            job.report(0.0, "Finding the smallest β")
            low, high = math.log(LEAST), math.log(MOST)
            if not kept(MOST):
                return None
            if kept(LEAST):
                return LEAST
            for turn in range(BISECTIONS):
                job.report((turn + 1) / BISECTIONS)
                middle = (low + high) / 2
                low, high = (low, middle) if kept(math.exp(middle)) else (middle, high)
            return math.exp(high)

        def on_result(beam: float | None) -> None:
            what = "the gold tree" if self._parses.gold is not None else "this tree"
            if beam is None:
                self._messages.show(f"No β keeps {what}: under these settings another tree is more probable.", True)
            else:
                rounded = float(f"{beam * 1.0005:.4g}")
                self._editor.set_settings(beam=max(rounded, LEAST))
                self._messages.show(f"β = {beam_text(rounded)} is about the smallest that keeps {what}")

        self._worker.request(work, on_result, self._messages.show_error)


def constraint_on(parse: Parse, id: Subject | None, forbid: bool) -> Constraint | None:
    """The constraint that forces or forbids a thing of the parse; ``None`` for what cannot be forced."""
    match id:
        case ArrowId(modifier):
            head = parse.heads().get(modifier)
            return Attachment(modifier, head, None, forbid) if head is not None else None
        case MatrixCellId(modifier, head):
            return Attachment(modifier, head, None, forbid)
        case CandidateId(modifier, head, relation):
            return Attachment(modifier, head, relation, forbid)
        case RootId():
            return Attachment(parse.roots[0].head, ROOT_HEAD, None, forbid) if parse.roots else None
        case GapId(position):
            return GapTag(position, parse.gap_tags[position - 1], forbid)
        case GapTagId(position, letter):
            return GapTag(position, letter, forbid)
        case TagId(position, tag):
            return FixedTag(position, tag, forbid)
        case WordId(position):
            return FixedTag(position, parse.sentence.proper_tags[position], forbid)
        case NodeId(start, end, label):
            return Bracket(start, end, label, forbid)
        case ChartCellId(start, end):
            return Bracket(start, end, None, forbid)
        case _:
            return None
