"""The laboratory of one window: makes its parts, and gives each what it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow

from explorer.comparison.comparison_controller import ComparisonController
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import Theme
from explorer.knowledge.knowledge_controller import KnowledgeController
from explorer.laboratory.experiment_controller import ExperimentController
from explorer.laboratory.search_controller import SearchController
from explorer.laboratory.system_controller import SystemController
from explorer.laboratory.training_controller import TrainingController
from explorer.stages.stage_view import StageView
from explorer.treebank.sentence_list import SentenceList


class LaboratoryPart(Protocol):
    """A part of the laboratory: training, experiments, systems compared, search by structure."""

    docks: Sequence[tuple[QDockWidget, str]]
    """Its panels, each with the key that shows it."""

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What its actions do, by their names."""
        ...

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        ...


class LaboratoryController(QObject):
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
        self._parts: tuple[LaboratoryPart, ...] = (self.training, self.experiments, self.systems, self.search)

    @property
    def docks(self) -> list[tuple[QDockWidget, str]]:
        """All panels, each with its key."""
        return [entry for part in self._parts for entry in part.docks]

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of the laboratory do."""
        return {name: call for part in self._parts for name, call in part.handlers().items()}

    def set_theme(self, theme: Theme) -> None:
        """Show the laboratory in other colours."""
        for part in self._parts:
            part.set_theme(theme)
