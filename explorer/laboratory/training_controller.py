"""Training in the window: what its actions do, and the window that they open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import LIGHT, Theme
from explorer.knowledge.knowledge_controller import KnowledgeController


class TrainingController(QObject):
    """Trains models on treebanks of one's own: a part of the laboratory.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    knowledge
        Links a model with the treebank it was counted in.
    parent
        The window over which its own opens.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        knowledge: KnowledgeController,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._knowledge = knowledge
        self._parent = parent
        self._theme = LIGHT
        self.docks: Sequence[tuple[QDockWidget, str]] = ()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.training_actions` do."""
        return {}

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
