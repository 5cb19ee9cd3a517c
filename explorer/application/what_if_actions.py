"""What-ifs about what is selected, and the search for the smallest β that keeps a tree."""

from __future__ import annotations

import math
from typing import assert_never

from engine.chart.parse import Parse
from engine.settings import Settings
from engine.structure.constraints import ROOT_HEAD, Attachment, Bracket, Constraint, FixedTag, GapTag
from explorer.document.parse_service import Parsers
from explorer.document.session import Session
from explorer.graphics.number_text import beam_text
from explorer.graphics.selection import (
    ArrowId,
    CandidateId,
    ChartCellId,
    EdgeId,
    GapId,
    GapTagId,
    Id,
    ItemId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    TagId,
    WordId,
)
from explorer.stages.stage_view import StageView
from explorer.tasks.worker import Job

BISECTIONS = 18
LEAST, MOST = 1.01, 1e9


class WhatIfActions:
    """Turns a selection into a what-if."""

    def __init__(self, session: Session, view: StageView) -> None:
        self._session = session
        self._view = view

    def set_selected(self, forbid: bool) -> None:
        """Force or forbid what is selected."""
        session, parse = self._session, self._session.parse
        constraint = constraint_on(parse, session.selection, forbid) if parse is not None else None
        if constraint is None:
            session.message.emit("Select an arrow, a gap, a tag or a constituent first", False)
        else:
            session.add_what_if(constraint)

    def find_smallest_beam(self) -> None:
        """Find the smallest β under which the parser still gives the tree that is shown, or the gold tree."""
        session, parse, answer = self._session, self._session.parse, self._session.answer
        if parse is None or answer is None:
            return
        wanted = (session.gold or parse.tree).brackets()
        question = answer.question
        sentence, what_ifs = answer.reading.sentence, question.line.what_ifs

        def work(job: Job) -> float | None:
            parsers = Parsers()

            def kept(beam: float) -> bool:
                settings = _with_beam(question.settings, beam)
                found: Parse = parsers.parser(question.model, settings).parse(
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

        def then(beam: float | None) -> None:
            what = "the gold tree" if session.gold is not None else "this tree"
            if beam is None:
                session.message.emit(f"No β keeps {what}: under these settings another tree is more probable.", True)
            else:
                rounded = float(f"{beam * 1.0005:.4g}")
                session.set_settings(beam=max(rounded, LEAST))
                session.message.emit(f"β = {beam_text(rounded)} is about the smallest that keeps {what}", False)

        session.loading.request(work, then, lambda error: session.message.emit(str(error), True))


def constraint_on(parse: Parse, id: Id | None, forbid: bool) -> Constraint | None:
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
        case None | PunctuationId() | EdgeId() | ItemId():
            return None
        case other:
            assert_never(other)


def _with_beam(settings: Settings, beam: float) -> Settings:
    from dataclasses import replace

    return replace(settings, beam=beam)
