"""Room for the comparison: where there is little, the tables under the stages give way to it and come back after it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter

from explorer.document.preferences import Preferences

_HEIGHT, _SHARE = 320, 0.4
_TABLES = "tables-under-comparison"
_LITTLE = 480
"""Where the stages have less height than this, there is no room for their tables beside a comparison."""


class ComparisonSpace(QObject):
    """Gives the comparison's dock its height, and hides the tables under the stages where that leaves too little.

    Parameters
    ----------
    window
        Whose height is shared.
    dock
        The dock of the comparison.
    splitter
        The stages above, their tables below.
    preferences
        Remembers how high the tables were: the window may be closed with the comparison open.
    """

    def __init__(self, window: QMainWindow, dock: QDockWidget, splitter: QSplitter, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._dock = dock
        self._splitter = splitter
        self._preferences = preferences
        # Height of the tables that have given way; 0 if they have not.
        self._tables = round(preferences.number(_TABLES, 0))
        self._sized = False
        dock.visibilityChanged.connect(self._make_room)

    def keep_height(self) -> None:
        """Keep the height that the comparison had the last time, if it was open."""
        self._sized = not self._dock.isHidden()

    def _make_room(self, shown: bool) -> None:
        if shown and not self._sized:
            self._sized = True
            height = max(_HEIGHT, round(self._window.height() * _SHARE))
            self._window.resizeDocks([self._dock], [height], Qt.Orientation.Vertical)
        if shown:
            # How much is left for the stages is known when the window has been laid out anew.
            QTimer.singleShot(0, self, self._give_way)
        elif self._tables and self._window.isVisible() and not self._window.isMinimized():
            self._splitter.setSizes([self._splitter.height() - self._tables, self._tables])
            self._keep_tables(0)

    def _give_way(self) -> None:
        tables = self._splitter.sizes()[1]
        if self._dock.isVisible() and tables and self._splitter.height() < _LITTLE:
            self._splitter.setSizes([self._splitter.height(), 0])
            self._keep_tables(tables)

    def _keep_tables(self, height: int) -> None:
        self._tables = height
        self._preferences.keep(_TABLES, height)
