"""One piece of work on a cluster: a bounded number of batches out at a time, and their results in order."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from distributed import KilledWorker

from engine.cluster.cluster_members import ClusterMembers
from engine.cluster.file_store import WorkFile, work_file
from engine.cluster.scheduler_connection import ASK_SECONDS, CALL_SECONDS, CLOSE_SECONDS
from engine.cluster.task_feed import TaskFeed
from engine.cluster.worker_tasks import Done, Order, Parcel, forget, keep, run_batch
from engine.cluster.worker_versions import versions
from engine.common.errors import EngineError
from engine.common.parallel import AHEAD

GATHER_SECONDS = 600.0
"""How long results may be on their way."""
MOST_AT_ONCE = 16
"""Batches whose results are fetched together."""
MOST_RETURNS = 5
"""How often a batch may come back undone before something is wrong."""


@dataclass(slots=True)
class _Sent:
    """A batch that is out."""

    tasks: list[Any]
    first: int
    files: tuple[WorkFile, ...]
    future: Any = None
    returns: int = 0


class ClusterJob:
    """One piece of work on a cluster.

    Parameters
    ----------
    members
        Who does it.
    make
        Makes the function that does the tasks.
    files
        What every batch needs; all workers have it.
    cancelled
        Asked whether to stop.
    """

    def __init__(
        self,
        members: ClusterMembers,
        make: Callable[[], Callable[[Any], Any]],
        files: tuple[WorkFile, ...],
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._members = members
        self._connection = members.connection
        self._client = members.connection.client
        self._cancelled = cancelled
        self._name = f"parse-engine-{secrets.token_hex(8)}"
        self._files = files
        self._known: dict[Path, WorkFile] = {}
        self._number = 0
        self._waiting: deque[_Sent] = deque()
        self._job = self._client.submit(keep, Parcel(make), key=self._name, pure=False)

    def results(self, feed: TaskFeed) -> Generator[Any, None, None]:
        """The results of all tasks in order."""
        while True:
            ahead = AHEAD * max(len(self._connection.workers()), 1)
            while len(self._waiting) < ahead and not (self._waiting and self._waiting[0].future.done()):
                taken = feed.take()
                if taken is None:
                    break
                self._waiting.append(_Sent(taken.tasks, taken.first, self._described(taken.files)))
                self._submit(self._waiting[-1])
            if not self._waiting:
                break
            for sent, done in self._fetched():
                assert done.results is not None
                found, problem = done.results.open()
                feed.learn(len(found), done.seconds)
                traffic = self._members.traffic
                traffic.batches, traffic.tasks = traffic.batches + 1, traffic.tasks + len(found)
                traffic.seconds += done.seconds
                self._waiting.popleft()
                yield from found
                if problem is not None:
                    raise problem
                assert len(found) == len(sent.tasks)
        if feed.lacking is not None:
            raise EngineError(f"{feed.lacking}: this file, which the work needs, was never made; start again")
        if feed.failure is not None:
            raise feed.failure

    def _described(self, files: tuple[Path, ...]) -> tuple[WorkFile, ...]:
        """The files of a batch, sent to all workers when they are first needed."""
        new = tuple(work_file(file) for file in files if file not in self._known)
        if new:
            self._members.provide(new, None, self._cancelled)
            self._known.update((file.name, file) for file in new)
        return (*self._files, *(self._known[file] for file in files))

    def _submit(self, sent: _Sent) -> None:
        self._number += 1
        sent.future = self._client.submit(
            run_batch,
            self._job,
            Order(self._name, versions(), sent.files),
            Parcel(sent.tasks),
            key=f"{self._name}-{self._number}",
            workers=self._members.fitting(),
            pure=False,
        )

    def _fetched(self) -> list[tuple[_Sent, Done]]:
        """The first batches that are done, and what came of them."""
        while True:
            first = self._waiting[0]
            self._await(first)
            ready = [first]
            for sent in list(self._waiting)[1:MOST_AT_ONCE]:
                if sent.future.status != "finished":
                    break
                ready.append(sent)
            gather = partial(self._client.gather, [sent.future for sent in ready])
            try:
                found = self._connection.patiently(gather, self._cancelled, GATHER_SECONDS)
            except Exception as error:
                # Whoever had the result died just now: it is computed again, unless the batch is to blame.
                if isinstance(error, EngineError) or first.future.status in ("error", "finished"):
                    raise self._told(first, error) from error
                continue
            whole = []
            for sent, done in zip(ready, found, strict=True):
                if done.results is None:
                    self._return(sent, done)
                    break
                whole.append((sent, done))
            if whole:
                return whole

    def _await(self, sent: _Sent) -> None:
        ended = threading.Event()
        sent.future.add_done_callback(lambda future: ended.set())
        while sent.future.status == "pending":
            ended.wait(ASK_SECONDS)
            self._connection.check(self._cancelled)
        if sent.future.status == "error":
            error = sent.future.exception(timeout=CALL_SECONDS)
            raise self._told(sent, error) from error
        if sent.future.status != "finished":
            raise self._connection.lost()

    def _return(self, sent: _Sent, done: Done) -> None:
        """Give a batch out again that a worker could not do."""
        sent.returns += 1
        if sent.returns > MOST_RETURNS:
            raise EngineError(f"worker {done.worker} does not keep the files that it is sent; check its cache folder")
        if done.differing:
            self._members.warn_misfit(done.worker, done.differing)
        if done.missing:
            self._members.provide(done.missing, [done.worker], self._cancelled)
        self._submit(sent)

    def _told(self, sent: _Sent, error: BaseException) -> BaseException:
        """An error of a batch, as a person is told of it."""
        if isinstance(error, KilledWorker):
            last = sent.first + len(sent.tasks) - 1
            which = f"item {sent.first}" if last == sent.first else f"one of the items {sent.first} to {last}"
            return EngineError(
                f"every worker that was given {which} of the input died, {error.allowed_failures + 1} in all (the last "
                f"was {getattr(error.last_worker, 'address', error.last_worker)}); see whether memory ran out there, "
                "and try these alone"
            )
        if isinstance(error, ImportError):
            return EngineError(
                f"a worker does not run the same Parse Explorer ({error}); install the same version there"
            )
        return error

    def end(self) -> None:
        """Take back what is still out, and have workers forget the job; a scheduler that is gone is left alone."""
        if self._connection.closed or self._client.status != "running":
            return
        futures = [self._job, *(sent.future for sent in self._waiting if sent.future is not None)]
        self._waiting.clear()
        with suppress(Exception):
            self._connection.patiently(lambda: self._client.cancel(futures, force=True), None, CLOSE_SECONDS)
        with suppress(Exception):
            self._connection.ask(forget, self._name, seconds=CLOSE_SECONDS)
