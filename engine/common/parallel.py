"""Work spread over processes: the same answers in the same order as one process would give."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar, runtime_checkable

from engine.common.errors import Cancelled, EngineError
from engine.common.this_program import safe_start

# Files that work needs, on machines where they may have another name or not be at all.
#
# Work that reads a file names it as the caller does, and asks :func:`place_of` where it is.  On the caller's own
# machine that is the same name.  Elsewhere whoever brought the file there says so, for as long as the work runs.

_places: ContextVar[Mapping[Path, Path] | None] = ContextVar("places", default=None)
_stop_asked: ContextVar[Callable[[], bool] | None] = ContextVar("stop_asked", default=None)


@runtime_checkable
class NeedsFiles(Protocol):
    """A task, or what makes the function that does tasks, that reads files of the caller's."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files, under the caller's names; those of a task may come into being by tasks before it."""


def needed_files(*things: object) -> tuple[Path, ...]:
    """Return the files that these need, each once."""
    return tuple(dict.fromkeys(file for thing in things if isinstance(thing, NeedsFiles) for file in thing.files))


def place_of(file: Path) -> Path:
    """Return where a file of the caller's is on this machine."""
    return (_places.get() or {}).get(file, file)


def stop_asked() -> bool:
    """Return whether the work that is being done is no longer wanted; processes of the caller's
    own are ended instead.
    """
    ask = _stop_asked.get()
    return ask is not None and ask()


@contextmanager
def away_from_home(places: Mapping[Path, Path], asked: Callable[[], bool]) -> Iterator[None]:
    """Do work of a caller elsewhere, whose files have these places here, and who may ask to stop."""
    before, asked_before = _places.set(places), _stop_asked.set(asked)
    try:
        yield
    finally:
        _places.reset(before)
        _stop_asked.reset(asked_before)


# Processes of this machine that are given tasks, each over a connection of its own.
#
# When a worker is ended by force in the midst of a result its connection ends, which is seen at once.  Where workers
# share one, as in :mod:`concurrent.futures`, the reader waits for the rest of that result for ever.

Make = Callable[[], Callable[[Any], Any]]
"""Makes the function that does a task; called once in every process, when its first task comes."""
Done = tuple[list[Any], Exception | None]
"""The results of a batch of tasks, and what kept the rest of it from being done."""


class WorkerEnded(Exception):
    """A worker ended before its work was done."""


class WorkerProcesses:
    """Workers, started when there is work for them.

    Parameters
    ----------
    make
        What every worker makes its work from; picklable.
    most
        How many workers there are, at most.
    """

    def __init__(self, make: Make, most: int) -> None:
        self._make = make
        self._most = most
        self._processes: list[BaseProcess] = []
        self._connections: list[Connection] = []
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        self._first: list[Future[Done]] = []
        if sys.platform != "win32":
            # Otherwise the first worker starts it, and Ctrl-C reaches that worker: starting it unblocks the signal.
            with safe_start():
                resource_tracker.ensure_running()
        # A thread waits for each worker, so that one which is done has its next batch whatever the caller is at.
        self._threads = ThreadPoolExecutor(most)

    def submit(self, batch: list[Any]) -> Future[Done]:
        """Give a batch of tasks to the next idle worker; if that ends, the future's error is :class:`WorkerEnded`."""
        with _interrupt_blocked():
            if len(self._processes) < self._most:
                if sum(not future.done() for future in self._first) >= len(self._processes):
                    self._start()
                self._first.append(future := self._threads.submit(self._done, batch))
                return future
            return self._threads.submit(self._done, batch)

    def stop(self) -> None:
        """End the workers at once, whatever they are at."""
        for process in self._processes:
            process.kill()

    def close(self) -> None:
        """Let the workers end, and wait until they have; what was not begun is not done."""
        self._threads.shutdown(cancel_futures=True)
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.join()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self._make))
        with safe_start():
            process.start()
        # Nobody but the worker has this end now.
        there.close()
        self._processes.append(process)
        self._connections.append(here)
        self._idle.put(here)

    def _done(self, batch: list[Any]) -> Done:
        """Have some worker do a batch; in a thread that waits for it."""
        connection = self._idle.get()
        try:
            connection.send(batch)
            done: Done = connection.recv()
        except (EOFError, OSError):
            raise WorkerEnded from None
        finally:
            self._idle.put(connection)
        return done


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Let workers be born whole, and deaf to Ctrl-C, which is for the parent alone: it stops them.

    The mask is what the workers inherit.  It does not keep a signal from the other threads of this process, of
    whose arrival Python tells the main thread; so that waits, too, until a worker has all that it is told at its birth.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda sent, frame: came.append(sent))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for stopped, handler in handlers.items():
            signal.signal(stopped, handler)
        if came:
            signal.raise_signal(came[0])


def _serve(connection: Connection, make: Make) -> None:
    """Be a worker: do batches of tasks until there are no more, or until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    work: Callable[[Any], Any] | None = None

    def do(batch: list[Any]) -> Done:
        nonlocal work
        results: list[Any] = []
        try:
            work = work or make()
            for task in batch:
                results.append(work(task))
        except Exception as error:
            error.add_note(traceback.format_exc())
            return results, error
        return results, None

    # No more work, or nobody who waits for it.
    with suppress(EOFError, ConnectionError):
        while True:
            done = do(connection.recv())
            try:
                connection.send(done)
            except (pickle.PicklingError, MemoryError) as error:
                # Nothing of it was sent yet.
                connection.send(([], error))


# Work spread over processes: the same answers in the same order as one process would give.
#
# Work is done here, by processes of this machine, or by whatever else :class:`Workers` stands for (a cluster of
# machines, :mod:`engine.cluster`).  The caller says which; nothing else in it differs.
#
# Processes of this machine are started afresh ("spawn"), so what they are given must be importable by name; a script
# that asks for several jobs needs the usual ``if __name__ == "__main__":`` guard.

Task = TypeVar("Task")
Result = TypeVar("Result")

SENTENCES_AT_ONCE = 16
"""How many sentences a worker is given at a time: some tenths of a second's work."""
AHEAD = 4
"""How many tasks for every worker may be waiting or done before the first of them is taken away."""
_ASK_SECONDS = 0.1
"""How often it is asked whether to stop."""


class Workers(ABC):
    """Processes that are not this machine's, or not this program's, to give work to."""

    @abstractmethod
    def ordered(
        self,
        make: Callable[[], Callable[[Task], Result]],
        tasks: Iterable[Task],
        batch: int,
        cancelled: Callable[[], bool] | None,
    ) -> Generator[Result, None, None]:
        """Do what :func:`ordered` says; `make` and tasks may name files (:mod:`engine.common.parallel`)."""


def in_this_process(jobs: int | Workers) -> bool:
    """Return whether work is done in the caller's own process, which can be asked to stop within a task."""
    return jobs == 1


def sees_our_files(jobs: int | Workers) -> bool:
    """Return whether workers can read and write files of this machine under the same names."""
    return isinstance(jobs, int)


def _batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Tasks in lists of `size`, read no further than the list in hand; an error in reading comes after the last."""
    batch: list[Task] = []
    try:
        for task in tasks:
            batch.append(task)
            if len(batch) == size:
                yield batch
                batch = []
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def ordered(
    make: Callable[[], Callable[[Task], Result]],
    tasks: Iterable[Task],
    jobs: int | Workers = 1,
    batch: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> Generator[Result, None, None]:
    """Yield the result of every task in the order of the tasks.

    Parameters
    ----------
    make
        Makes the function that does a task; called once in every process, when its first task comes, so that
        what is costly (a model) is loaded once.  With several jobs it must be picklable.
    tasks
        Read only as far ahead as keeps the workers busy.  An error in reading them is raised after the
        results of the tasks before it.
    jobs
        Number of processes; with one the work is done in this very process, task by task.  Or other workers.
    batch
        How many tasks a worker is given at a time: several where handing one over takes as long as doing it.  Workers
        of a cluster are given more or fewer, by the time that tasks take.
    cancelled
        Asked several times a second, while workers are waited for, whether to stop; :class:`Cancelled` is raised then.
    """
    if isinstance(jobs, Workers):
        yield from jobs.ordered(make, tasks, batch, cancelled)
        return
    if jobs < 1:
        raise EngineError(f"the number of jobs must be at least 1, not {jobs}")
    if jobs == 1:
        work = make()
        for task in tasks:
            yield work(task)
        return
    workers = WorkerProcesses(make, jobs)
    try:
        for results, problem in _in_order(workers, _batches(tasks, batch), AHEAD * jobs, cancelled):
            yield from results
            if problem is not None:
                raise problem
    except BaseException as error:
        workers.stop()
        if isinstance(error, WorkerEnded):
            raise EngineError("a worker process ended unexpectedly; if memory ran out, use fewer jobs") from None
        raise
    finally:
        workers.close()


def _in_order(
    workers: WorkerProcesses,
    batches: Iterator[list[Any]],
    ahead: int,
    cancelled: Callable[[], bool] | None,
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    failure: Exception | None = None
    more = True
    while True:
        while more and len(waiting) < ahead and not (waiting and waiting[0].done()):
            try:
                batch = next(batches)
            except StopIteration:
                more = False
            except Exception as error:
                failure, more = error, False
            else:
                waiting.append(workers.submit(batch))
        if not waiting:
            break
        yield _awaited(waiting.popleft(), cancelled)
    if failure is not None:
        raise failure


def _awaited(future: Future[Done], cancelled: Callable[[], bool] | None) -> Done:
    """Return the result, waited for unless all is cancelled meanwhile."""
    while cancelled is not None and not wait([future], _ASK_SECONDS).done:
        if cancelled():
            raise Cancelled("the work was cancelled")
    return future.result()


# Memory that a process and its workers take, where the system tells.

_KILO = 1024


class MemoryWatch:
    """Notes the most memory that this process and its workers took together.

    Attributes
    ----------
    most
        In bytes, as far as was looked; ``None`` where the system does not tell.
    """

    def __init__(self) -> None:
        self.most: int | None = None

    def look(self) -> None:
        """Note what is taken now; more than was taken by this process alone before is not forgotten."""
        own, peak = _status("self", "VmRSS"), peak_bytes()
        if peak is None:
            return
        workers = sum(_status(str(child.pid), "VmRSS") for child in multiprocessing.active_children())
        self.most = max(self.most or 0, own + workers, peak)


def peak_bytes() -> int | None:
    """Return the most memory that this process has taken; ``None`` where the system does not tell."""
    # Not by getrusage where there is another way: on Linux it counts what the starting process had, too.
    peak = _status("self", "VmHWM")
    if peak or sys.platform in ("win32", "linux"):
        return peak or None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * _KILO


def _status(process: str, field: str) -> int:
    """Return a number of bytes of a process; 0 where there is none."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * _KILO for line in lines if line.startswith(field + ":")), 0)
