"""Processes of this machine that are given tasks, each over a connection of its own.

When a worker is ended by force in the midst of a result its connection ends, which is seen at once.  Where workers
share one, as in :mod:`concurrent.futures`, whoever reads waits for the rest of that result without end.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any

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
