"""When Python looks for garbage: all of it only while nothing runs, for that holds up all threads."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from explorer.tasks.task_monitor import TaskMonitor

IDLE_MS = 3000
"""How long nothing has run when all garbage is collected."""
_NEVER = 1_000_000
"""After how many collections of younger garbage Python would collect all of it by itself."""


class GarbageCollection(QObject):
    """Collects all garbage a while after the last task.

    A full collection walks every tree and parse that is kept: a tenth of a second for a long list.

    Parameters
    ----------
    tasks
        The tasks of the window.
    parent
        Its owner.
    """

    def __init__(self, tasks: TaskMonitor, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._waiting = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._waiting.timeout.connect(self._collect)

    def start(self) -> None:
        """Begin: what is there by now is there to stay."""
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _NEVER)
        gc.enable()
        self._tasks.busy_changed.connect(self._waiting.start)

    def _collect(self) -> None:
        if self._tasks.idle:
            gc.collect()
        else:
            self._waiting.start()
