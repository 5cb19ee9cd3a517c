"""Training in the window: what its actions do, and the window that they open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import Theme
from explorer.knowledge.knowledge_controller import KnowledgeController

if TYPE_CHECKING:
    from explorer.laboratory.training_window import TrainingWindow


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

    Attributes
    ----------
    window
        The training window, once it was wanted.
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
        self.window: TrainingWindow | None = None
        self.docks: Sequence[tuple[QDockWidget, str]] = ()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.training_actions` do."""
        return {"train-model": self.show}

    def set_theme(self, theme: Theme) -> None:
        """Its window has no colours of its own, and follows the program's."""

    def show(self) -> None:
        """Show the training window."""
        if self.window is None:
            # Loaded when it is wanted: the program starts sooner.
            from explorer.laboratory.training_window import TrainingWindow

            session = self._session
            self.window = TrainingWindow(
                self._preferences, session.tasks, session.messages, self.open_model, self._parent
            )
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def open_model(self, path: Path, treebanks: tuple[str, ...]) -> None:
        """Use a model in the main window; every count of it then opens the sentences of its treebanks."""
        self._knowledge.link.remember(path, treebanks)
        self._session.loader.open_model(path)
        self._parent.activateWindow()
