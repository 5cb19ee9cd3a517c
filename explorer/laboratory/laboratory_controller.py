"""The laboratory of one window: makes its parts, and gives each what it uses."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from explorer.comparison.comparison_controller import ComparisonController
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.knowledge.knowledge_controller import KnowledgeController
from explorer.laboratory.experiment_controller import ExperimentController
from explorer.laboratory.search_controller import SearchController
from explorer.laboratory.system_controller import SystemController
from explorer.laboratory.training_controller import TrainingController
from explorer.stages.stage_view import StageView
from explorer.treebank.sentence_list import SentenceList
from explorer.widgets.window_parts import WindowParts


class LaboratoryController(WindowParts):
    """The parts of the laboratory, made once for a window; their own windows are loaded when they are first wanted.

    Parameters
    ----------
    session, preferences
        The session of the window, and what is remembered from start to start.
    knowledge, comparison
        The evidence of models, and the workspace for comparing.
    sentences, stages
        The list of sentences, and the pictures.
    parent
        The window over which the laboratory's windows open.

    Attributes
    ----------
    training
        Trains models on treebanks of one's own.
    experiments
        Measures the paper's tables and grids of one's own.
    systems
        Compares parsers over one treebank.
    search
        Finds trees by their structure.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        knowledge: KnowledgeController,
        comparison: ComparisonController,
        sentences: SentenceList,
        stages: StageView,
        parent: QMainWindow,
    ) -> None:
        super().__init__(parent)
        self.training = TrainingController(session, preferences, knowledge, parent)
        self.experiments = ExperimentController(session, preferences, parent)
        self.systems = SystemController(session, preferences, comparison, sentences, parent)
        self.search = SearchController(session, preferences, stages, comparison, parent)
        self.parts = (self.training, self.experiments, self.systems, self.search)
