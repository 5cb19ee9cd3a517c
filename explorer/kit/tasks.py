"""Background work: a thread for each kind of work, what of it runs, and faults that it meets."""

from __future__ import annotations

import gc
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, Slot

from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from explorer.kit.actions import GO, action

# Faults of the program itself, wherever they happen: each is told to whoever keeps reports of them.

_listeners: list[Callable[[BaseException], None]] = []


def listen_to_faults(listener: Callable[[BaseException], None]) -> None:
    """Have every fault told to a function, which is called in the thread where it happened."""
    _listeners.append(listener)


def stop_listening(listener: Callable[[BaseException], None]) -> None:
    """Tell it no more."""
    _listeners.remove(listener)


def tell_fault(error: BaseException) -> None:
    """Tell of an error, unless a user or a file has caused it, or there was too little memory."""
    if not isinstance(error, EngineError | MemoryError):
        for listener in list(_listeners):
            listener(error)


# Background work: one thread per kind of work, progress and cancelling, results delivered on the GUI thread.
#
# A result that is no longer wanted is dropped: each request has a number, and where only the newest counts, a
# request makes all earlier ones outdated at once.

Item = TypeVar("Item")
SWITCH_SECONDS = 0.0005
"""How long Python lets one thread run while another waits: a tenth of its default, so that the window stays alive."""
_POLL_SECONDS = 0.02
"""How often work that waits for the window checks whether it is still wanted."""
TURN_SECONDS = 0.006
"""How long work in Python goes on before it lets the window have a turn."""


class _Event(Enum):
    """What the thread tells the GUI thread about a job."""

    PROGRESS = auto()
    RESULT = auto()
    ERROR = auto()
    CANCELLED = auto()


@dataclass(frozen=True, slots=True)
class _Callbacks:
    """What is called on the GUI thread."""

    on_result: Callable[[Any], None]
    on_error: Callable[[Exception], None]
    on_progress: Callable[[Any], None] | None
    on_finished: Callable[[], None] | None


class Job:
    """One request to a worker.

    Attributes
    ----------
    number
        Its number among the requests of its worker.
    control
        What the engine's searches take to be stopped.
    share, activity
        How far it is (``None``: not known), and what it does now; written by the work, read by the window.
    """

    def __init__(self, number: int, worker: Worker, work: Callable[[Job], Any], callbacks: _Callbacks) -> None:
        self.number = number
        self.control = Control()
        self.activity = ""
        self._share: float | None = None
        self._worker = worker
        self._work = work
        self._callbacks = callbacks
        self._unwanted = threading.Event()
        self._turn_began = 0.0

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants the result any more."""
        return bool(self.control.flag[0])

    @property
    def share(self) -> float | None:
        """How far it is, if that is known."""
        return self._share if self._share is not None else (self.control.share or None)

    def cancel(self) -> None:
        """Ask the work to stop; it does when it next reports."""
        self.control.cancel()
        self._unwanted.set()

    def rest(self, seconds: float) -> None:
        """Pause the work so that the window can show what was delivered; raises as `report` does."""
        self._unwanted.wait(seconds)
        self.report(self._share)

    def let_window_go_first(self) -> None:
        """Pause the work until the window has done what it has to do now; raises as `report` does.

        Every call of Qt lets other threads run and then waits for its turn again: a picture of hundreds of shapes takes
        many times as long while a thread works in Python beside it.
        """
        idle = threading.Event()
        self._worker.waiting.emit(idle)
        while not idle.wait(_POLL_SECONDS):
            self.report(self._share)

    def take_turns(self) -> None:
        """Let the window have a turn now and then, from work in Python that calls this often; raises as `report` does.

        However long the work takes, the window then waits for it some milliseconds at most.
        """
        # The time that this thread works is what the window waits for, not that in which other programs do.
        if time.thread_time() - self._turn_began > TURN_SECONDS:
            self.let_window_go_first()
            self._turn_began = time.thread_time()

    def in_turns(self, items: Iterable[Item]) -> Iterator[Item]:
        """Go through some items, letting the window have its turns; raises as `report` does."""
        for item in items:
            self.take_turns()
            yield item

    def report(self, share: float | None, activity: str = "") -> None:
        """Report from the work how far it is; raise :class:`Cancelled` if it is to stop."""
        self._share = share
        self.activity = activity or self.activity
        if self.cancelled:
            raise Cancelled("the work was cancelled")

    def deliver(self, result: Any) -> None:
        """Deliver a part of the result from the work to `on_progress`."""
        self._worker.delivered.emit(self, _Event.PROGRESS, result)

    def run(self) -> None:
        """Do the work in the thread, and deliver what came of it."""
        try:
            self.report(self._share)
            result = self._work(self)
        except Cancelled:
            self._worker.delivered.emit(self, _Event.CANCELLED, None)
        except Exception as error:
            # An error of any kind belongs to whoever asked; the thread must live on.
            tell_fault(error)
            self._worker.delivered.emit(self, _Event.ERROR, error)
        else:
            self._worker.delivered.emit(self, _Event.RESULT, result)

    def call_back(self, event: _Event, value: Any, wanted: bool) -> None:
        """Call what was given for an event, on the GUI thread; of a job that is not wanted only its end is reported."""
        calls = self._callbacks
        if event is _Event.PROGRESS:
            if wanted and calls.on_progress is not None:
                calls.on_progress(value)
            return
        try:
            if wanted and event is _Event.RESULT:
                calls.on_result(value)
            elif wanted and event is _Event.ERROR:
                calls.on_error(value)
        finally:
            # Whoever waits for the end must not wait for ever if what was done with the result went wrong.
            if calls.on_finished is not None:
                calls.on_finished()


class Worker(QObject):
    """A thread that does one job after the other.

    Parameters
    ----------
    name
        The thread's name.
    newest_only
        Whether a request makes all earlier ones outdated.

    Signals
    -------
    busy_changed
        There is work to wait for, or none any more.
    delivered, waiting
        From the thread to the GUI thread; for :class:`Job` alone.
    """

    delivered = Signal(object, object, object)
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
        self._closed = False
        self.delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self.waiting.connect(self._wave_on, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a wanted result is still to come."""
        return any(not job.cancelled for job in self._waiting.values())

    @property
    def idle(self) -> bool:
        """Whether no job is left, not even a cancelled one that has yet to stop."""
        return not self._waiting

    @property
    def job(self) -> Job | None:
        """The newest job that is still wanted."""
        return next((job for job in reversed(self._waiting.values()) if not job.cancelled), None)

    def request(
        self,
        work: Callable[[Job], Any],
        on_result: Callable[[Any], None],
        on_error: Callable[[Exception], None],
        on_progress: Callable[[Any], None] | None = None,
        on_finished: Callable[[], None] | None = None,
    ) -> Job:
        """Have some work done.

        Parameters
        ----------
        work
            Called in the thread with the job.
        on_result, on_error, on_progress
            Called on the GUI thread with the result, the error, or a part of the result; never once the job
            is outdated or cancelled.
        on_finished
            Called on the GUI thread when the job is over, whatever became of it.
        """
        if self._newest_only:
            self.cancel()
        self._numbers += 1
        job = Job(self._numbers, self, work, _Callbacks(on_result, on_error, on_progress, on_finished))
        if self._closed:
            # What is asked for while the window closes nobody will see.
            job.cancel()
            return job
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
        """Drop all results that are still to come."""
        was_busy = self.busy
        for job in self._waiting.values():
            job.cancel()
        if was_busy:
            self.busy_changed.emit(False)

    def stop(self) -> None:
        """Cancel everything and end the thread."""
        self.cancel()
        self._end()

    def close(self) -> None:
        """The same for good: whatever is asked for later is not begun."""
        self._closed = True
        self.stop()

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

    @Slot(object, object, object)
    def _deliver(self, job: Job, event: _Event, value: object) -> None:
        wanted = not job.cancelled
        if event is not _Event.PROGRESS:
            was_busy = self.busy
            self._waiting.pop(job.number, None)
            if was_busy and not self.busy:
                self.busy_changed.emit(False)
        job.call_back(event, value, wanted)


# The long tasks of a window: which of them run, how far they are, and how to cancel them all.


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

    @action("cancel", "Cancel work", GO, "Ctrl+.", icon="cancel", separated=True)
    def cancel(self) -> None:
        """Stop parsing or loading; what is shown stays."""
        for watched in self._watched:
            if watched.worker.busy:
                watched.cancel()
                self.cancelled.emit(watched.cancelled_message)


# When Python looks for garbage: all of it only while nothing runs, for that holds up all threads.

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
