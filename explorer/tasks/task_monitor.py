"""The long tasks of a window: which of them run, how far they are, and how to cancel them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from explorer.tasks.worker import Job, Worker


@dataclass(frozen=True, slots=True)
class _Watched:
    """A worker, how it is cancelled, and what to say then."""

    worker: Worker
    cancel: Callable[[], None]
    cancelled_message: str


class TaskMonitor(QObject):
    """Watches the workers whose tasks a person may wait for.

    The owners of long tasks register their workers here; the status bar shows what the monitor knows, and the action
    "Cancel" stops everything that it watches.

    Signals
    -------
    busy_changed
        A task began or ended.
    cancelled
        A task was cancelled: what to say about it.
    """

    busy_changed = Signal()
    cancelled = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watched: list[_Watched] = []

    def watch(self, worker: Worker, cancelled_message: str, cancel: Callable[[], None] | None = None) -> Worker:
        """Show the tasks of a worker while they run.

        Parameters
        ----------
        worker
            The worker.
        cancelled_message
            What to say when its task was cancelled.
        cancel
            How to cancel it, where its owner has more to do than to stop the worker.

        Returns
        -------
        Worker
            The worker itself.
        """
        watched = _Watched(worker, cancel or worker.cancel, cancelled_message)
        self._watched.append(watched)
        worker.busy_changed.connect(self.busy_changed)
        worker.destroyed.connect(lambda: self._watched.remove(watched))
        return worker

    @property
    def busy(self) -> bool:
        """Whether some watched task runs."""
        return any(watched.worker.busy for watched in self._watched)

    @property
    def idle(self) -> bool:
        """Whether no watched task runs, not even a cancelled one that has yet to stop."""
        return all(watched.worker.idle for watched in self._watched)

    @property
    def job(self) -> Job | None:
        """The task to show: of several the one that began to be watched last."""
        return next((watched.worker.job for watched in reversed(self._watched) if watched.worker.job is not None), None)

    def cancel(self) -> None:
        """Cancel every watched task that runs."""
        for watched in self._watched:
            if watched.worker.busy:
                watched.cancel()
                self.cancelled.emit(watched.cancelled_message)
