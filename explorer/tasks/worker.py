"""Work off the GUI thread: one thread per kind of work, progress and cancel, results delivered on the GUI thread.

A result that is no longer wanted is dropped: each request has a number, and where only the newest counts, a
request makes all earlier ones outdated at once.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, Slot

from engine.chart.search import Control
from engine.common.errors import Cancelled

SWITCH_SECONDS = 0.0005
"""How long Python lets one thread run while another waits: a tenth of its default, so that the window stays alive."""
_LOOK_SECONDS = 0.02
"""How often work that waits for the window looks whether it is still wanted."""


class Job:
    """One request.

    Attributes
    ----------
    number
        Its number among the requests of its worker.
    control
        What the engine's searches take to be stopped.
    share, stage
        How far it is (``None``: not known), and what it does now; written by the work, read by the window.
    """

    def __init__(self, number: int, worker: Worker, work: Callable[[Job], Any]) -> None:
        self.number = number
        self.control = Control()
        self.stage = ""
        self._share: float | None = None
        self._worker = worker
        self._work = work
        self._unwanted = threading.Event()
        self.then: Callable[[Any], None] = lambda result: None
        self.failed: Callable[[Exception], None] = lambda error: None
        self.partly: Callable[[Any], None] = lambda result: None
        self.ended: Callable[[], None] = lambda: None

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants the result any more."""
        return bool(self.control.flag[0])

    @property
    def share(self) -> float | None:
        """How far it is, if that is known."""
        return self._share if self._share is not None else (self.control.share or None)

    def cancel(self) -> None:
        """Stop as soon as the work looks."""
        self.control.cancel()
        self._unwanted.set()

    def rest(self, seconds: float) -> None:
        """Called by the work: let the window show what was delivered before going on; raises as `report` does."""
        self._unwanted.wait(seconds)
        self.report(self._share)

    def let_window_go_first(self) -> None:
        """Called by the work: wait until the window has done what it has to do now; raises as `report` does.

        Every call of Qt lets other threads run and then waits for its turn again: a picture of hundreds of shapes takes
        many times as long while a thread works in Python beside it.
        """
        idle = threading.Event()
        self._worker.waiting.emit(idle)
        while not idle.wait(_LOOK_SECONDS):
            self.report(self._share)

    def report(self, share: float | None, stage: str = "") -> None:
        """Called by the work: how far it is; raises :class:`Cancelled` if it is to stop."""
        self._share = share
        self.stage = stage or self.stage
        if self.cancelled:
            raise Cancelled("the work was cancelled")

    def deliver(self, result: Any) -> None:
        """Called by the work: a part of the result, delivered to `partly`."""
        self._worker.delivered.emit(self, "partly", result)

    def run(self) -> None:
        """Do the work; whatever happens, the window is told."""
        try:
            self.report(self._share)
            result = self._work(self)
        except Cancelled:
            self._worker.delivered.emit(self, "cancelled", None)
        except Exception as error:
            # An error of any kind belongs to whoever asked; the thread must live on.
            self._worker.delivered.emit(self, "failed", error)
        else:
            self._worker.delivered.emit(self, "then", result)


class Worker(QObject):
    """A thread that does one job after the other.

    Parameters
    ----------
    name
        The thread's name.
    newest_only
        Whether a request makes all earlier ones outdated.
    """

    delivered = Signal(object, str, object)
    waiting = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, name: str, newest_only: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._newest_only = newest_only
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting: dict[int, Job] = {}
        self._numbers = 0
        self._thread: threading.Thread | None = None
        self.delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self.waiting.connect(self._wave_on, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a wanted result is still to come."""
        return any(not job.cancelled for job in self._waiting.values())

    @property
    def job(self) -> Job | None:
        """The newest job that is still wanted."""
        return next((job for job in reversed(self._waiting.values()) if not job.cancelled), None)

    def request(
        self,
        work: Callable[[Job], Any],
        then: Callable[[Any], None],
        failed: Callable[[Exception], None],
        partly: Callable[[Any], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> Job:
        """Have some work done.

        Parameters
        ----------
        work
            Called in the thread with the job.
        then, failed, partly
            Called on the GUI thread with the result, the error, or a part of the result; never once the job
            is outdated or cancelled.
        ended
            Called on the GUI thread when the job is over, whatever became of it.
        """
        if self._newest_only:
            self.cancel()
        self._numbers += 1
        job = Job(self._numbers, self, work)
        job.then, job.failed = then, failed
        job.partly = partly or job.partly
        job.ended = ended or job.ended
        was_busy = self.busy
        self._waiting[job.number] = job
        if self._thread is None:
            sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        self._jobs.put(job)
        if not was_busy:
            self.busy_changed.emit(True)
        return job

    def cancel(self) -> None:
        """Nobody wants any of the results that are still to come."""
        was_busy = self.busy
        for job in self._waiting.values():
            job.cancel()
        if was_busy:
            self.busy_changed.emit(False)

    def stop(self) -> None:
        """Cancel everything and end the thread."""
        self.cancel()
        self._end()

    def finish(self) -> None:
        """Wait until all that is wanted is done, end the thread, and deliver what came of it."""
        self._end()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)

    def _end(self) -> None:
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run()

    @Slot(object)
    def _wave_on(self, idle: threading.Event) -> None:
        # After what is to be painted, too, which Qt does last of all.
        QTimer.singleShot(0, self, idle.set)

    @Slot(object, str, object)
    def _deliver(self, job: Job, kind: str, value: object) -> None:
        if kind == "partly":
            if not job.cancelled:
                job.partly(value)
            return
        was_busy = self.busy
        wanted = not job.cancelled
        self._waiting.pop(job.number, None)
        if was_busy and not self.busy:
            self.busy_changed.emit(False)
        if wanted and kind == "then":
            job.then(value)
        elif wanted and kind == "failed" and isinstance(value, Exception):
            job.failed(value)
        job.ended()
