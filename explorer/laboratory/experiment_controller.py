"""Experiments in the window: what its actions do, and the window that they open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import LIGHT, Theme

if TYPE_CHECKING:
    from explorer.laboratory.experiment_window import ExperimentWindow


class ExperimentController(QObject):
    """Measures the paper's tables and grids of one's own: a part of the laboratory.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    parent
        The window over which its own opens.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._parent = parent
        self._theme = LIGHT
        self.docks: Sequence[tuple[QDockWidget, str]] = ()
        self.window: ExperimentWindow | None = None

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.experiment_actions` do."""
        return {"experiments": self.open}

    def open(self) -> None:
        """Show the window of experiments, which is loaded when it is first wanted."""
        from explorer.laboratory.experiment_window import ExperimentWindow

        if self.window is None:
            session = self._session
            self.window = ExperimentWindow(session.editor, session.tasks, self._preferences, self._theme, self._parent)
        self.window.refresh_kept()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        if self.window is not None:
            self.window.set_theme(theme)
