"""The panels and the features of one window: made once, each with what it uses of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QMainWindow

from explorer.classroom.controller import ClassroomController
from explorer.compare.controller import ComparisonController
from explorer.kit.features import Feature
from explorer.knowledge.controller import KnowledgeController
from explorer.laboratory.controller import LaboratoryController
from explorer.output.export import ExportController
from explorer.panels.inspector import Inspector
from explorer.panels.sentence_bar import SentenceBar
from explorer.panels.sentence_list import SentenceList
from explorer.panels.settings import ModelSummary
from explorer.panels.stage_view import StageView
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.stages.stages import SentenceStage
from explorer.window.printing import PrintController
from explorer.window.what_ifs import WhatIfActions


class Panels(NamedTuple):
    """What every window consists of, whatever its features."""

    stages: StageView
    inspector: Inspector
    summary: ModelSummary
    sentences: SentenceList
    sentence_bar: SentenceBar


def make_panels(session: Session, preferences: Preferences) -> Panels:
    """Make the panels over a session."""
    editor, view, parses, messages = session.editor, session.view, session.parses, session.messages
    panels = Panels(
        StageView(editor, view, parses, messages),
        Inspector(parses, view, messages, preferences),
        ModelSummary(editor, parses),
        SentenceList(editor, parses, session.statuses, messages),
        SentenceBar(editor, view, parses, session.loader),
    )
    # The arrow keys step through the stages as soon as there is something to step through.
    panels.sentence_bar.entered.connect(panels.stages.canvas.setFocus)
    panels.inspector.headline_changed.connect(panels.stages.set_headline)
    panels.stages.picture.of(SentenceStage).tags_wanted.connect(panels.sentence_bar.open_tags)
    return panels


class Features:
    """The features, as a list in the order of their menus and panels.

    Parameters
    ----------
    session, preferences
        The session of the window, and what is remembered from start to start.
    panels
        What features add to.
    window
        The window.

    Attributes
    ----------
    export, print, what_if, knowledge, comparison, laboratory, classroom
        The features one by one.
    output, asking, rooms
        Those that take something out, those that ask the model, and those that have menus of their own.
    """

    def __init__(self, session: Session, preferences: Preferences, panels: Panels, window: QMainWindow) -> None:
        editor, view, parses = session.editor, session.view, session.parses
        messages, tasks = session.messages, session.tasks
        stages, sentences = panels.stages, panels.sentences
        self.export = ExportController(parses, view, stages.canvas, preferences, messages, window)
        self.what_if = WhatIfActions(editor, view, parses, messages, tasks, window)
        self.knowledge = KnowledgeController(editor, view, parses, preferences, messages, tasks, window)
        self.comparison = ComparisonController(session, preferences, sentences, window)
        self.print = PrintController(parses, stages, panels.inspector, self.comparison, preferences, messages, window)
        self.laboratory = LaboratoryController(session, preferences, self.knowledge, self.comparison, stages, window)
        self.classroom = ClassroomController(session, preferences, window)
        self.output: Sequence[Feature] = (self.export, self.print)
        self.asking: Sequence[Feature] = (self.what_if, self.knowledge)
        self.rooms: Sequence[Feature] = (self.comparison, self.laboratory, self.classroom)
        for feature in self:
            if feature.explains:
                panels.inspector.also_explain(feature.explains, feature.explanations_changed)
        look_up, open_count = self.knowledge.look_up, self.knowledge.open_count
        for panel in (panels.inspector, sentences):
            panel.looked_up.connect(look_up)
        for counting in (panels.inspector, self.comparison):
            counting.count_opened.connect(open_count)
        rooms, asking = ([feature.choices for feature in some] for some in (self.rooms, self.asking))
        stages.more_choices += [*rooms, panels.sentence_bar.tag_choices, *asking]
        self.comparison.more_choices += [*asking, *rooms]
        panels.sentence_bar.more_choices += asking

    def __iter__(self) -> Iterator[Feature]:
        yield from (*self.output, *self.asking, *self.rooms)
