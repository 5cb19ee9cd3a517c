"""Search by structure in the window: what its actions do, and the window that they open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.comparison.comparison_controller import ComparisonController
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import LIGHT, Theme
from explorer.stages.stage_view import StageView
from explorer.treebank.sentence_list import SentenceList


class SearchController(QObject):
    """Finds trees by their structure: a part of the laboratory.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    sentences
        The list of sentences.
    stages
        The pictures.
    comparison
        Where a parse is held against its gold tree.
    parent
        The window over which its own opens.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        sentences: SentenceList,
        stages: StageView,
        comparison: ComparisonController,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._sentences = sentences
        self._stages = stages
        self._comparison = comparison
        self._parent = parent
        self._theme = LIGHT
        self.docks: Sequence[tuple[QDockWidget, str]] = ()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.search_actions` do."""
        return {}

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
