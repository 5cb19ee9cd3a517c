"""The action that shows and hides a panel, with its key."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow


class PanelToggle(QAction):
    """Shows a panel in front of those that share its place, and if it is there, hides it and frees the place.

    Qt's own action would hide a panel that stands behind another one's tab, where nobody sees it go, and would leave
    its place to that other one.

    Parameters
    ----------
    dock
        The panel.
    keys
        The action's key.
    window
        The window around which the panel stands.
    """

    def __init__(self, dock: QDockWidget, keys: str, window: QMainWindow) -> None:
        super().__init__(dock.windowTitle(), window)
        self._dock = dock
        self._window = window
        self.setObjectName(f"show-{dock.objectName()}")
        self.setCheckable(True)
        self.setShortcut(keys)
        self.setStatusTip(f"Show or hide the panel {dock.windowTitle()}")
        # The signal alone knows whether a panel is behind another one's tab; to Qt it is visible there.
        dock.visibilityChanged.connect(self.setChecked)
        self.triggered.connect(self._toggle)

    def _toggle(self, wanted: bool) -> None:
        if wanted:
            self._dock.show()
            self._dock.raise_()
            return
        for dock in (self._dock, *self._window.tabifiedDockWidgets(self._dock)):
            dock.hide()
