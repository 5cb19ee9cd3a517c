"""Workers of a cluster: work is handed out in batches, and its results come in the order of the tasks."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from distributed import KilledWorker

from engine.cluster.batches import TaskFeed
from engine.cluster.connection import ASK_SECONDS, CALL_SECONDS, CLOSE_SECONDS, SchedulerConnection
from engine.cluster.worker import (
    Done,
    Order,
    Parcel,
    WorkFile,
    differences,
    forget,
    keep,
    misfit_sentence,
    run_batch,
    versions,
    work_file,
)
from engine.common.errors import EngineError, ModelError
from engine.common.parallel import AHEAD, Result, Task, Workers, needed_files
from engine.gate.array_file import size_in_memory
from engine.gate.files import open_file

# The workers of a cluster, and what they must have before they are given work: versions, files, compiled loops.

PIECE_BYTES = 1 << 23
"""How much of a file is sent at a time."""
PROGRAM_BYTES = 300_000_000
"""What a worker takes beside the model."""
USABLE_SHARE = 0.95
"""A worker that uses more of its limit is ended by dask."""
COMPILE_SECONDS = 900.0
"""How long compiling may take on the slowest machine; it is about a minute."""


@dataclass(slots=True)
class Traffic:
    """What a cluster has done so far: for measurements.

    Attributes
    ----------
    batches, tasks
        How many were done.
    seconds
        Of work, over all workers.
    file_bytes
        Sent as files, counted once for every machine.
    """

    batches: int = 0
    tasks: int = 0
    seconds: float = 0.0
    file_bytes: int = 0


class ClusterMembers:
    """The workers that are there, and those who join.

    Parameters
    ----------
    connection
        To their scheduler.
    warn
        Told in a sentence what is not as it should be, while the work goes on.

    Attributes
    ----------
    traffic
        What was done so far.
    """

    def __init__(self, connection: SchedulerConnection, warn: Callable[[str], None]) -> None:
        self.connection = connection
        self._warn = warn
        self._misfits: set[str] = set()
        self.traffic = Traffic()

    def check_versions(self, cancelled: Callable[[], bool] | None) -> None:
        """See that every worker runs what we run."""
        for worker, theirs in self.connection.ask(versions, cancelled=cancelled).items():
            if isinstance(theirs, ImportError):
                raise EngineError(
                    f"worker {worker} does not run the same Parse Explorer ({theirs}); install the same version there"
                )
            if isinstance(theirs, Exception):
                raise theirs
            if differing := differences(versions(), theirs):
                raise EngineError(misfit_sentence(worker, differing))

    def provide(
        self, files: tuple[WorkFile, ...], workers: list[str] | None, cancelled: Callable[[], bool] | None
    ) -> None:
        """Send files to the machines that lack them, each once: to one worker of each.

        Parameters
        ----------
        files
            The models that work needs.
        workers
            Who needs them; ``None`` for all.
        cancelled
            Asked whether to stop.
        """
        if not files:
            return
        from engine.cluster.worker import look_for

        receivers: dict[WorkFile, dict[str, str]] = {}
        for worker, presence in self.connection.ask(look_for, files, workers=workers, cancelled=cancelled).items():
            if isinstance(presence, Exception):
                raise presence
            _check_memory(worker, presence.memory, files)
            for file in presence.missing:
                receivers.setdefault(file, {}).setdefault(presence.machine, worker)
        for file, machines in receivers.items():
            self._send(file, list(machines.values()), cancelled)

    def _send(self, file: WorkFile, workers: list[str], cancelled: Callable[[], bool] | None) -> None:
        from engine.cluster.worker import take

        sender = secrets.token_hex(8)
        with open_file(file.name) as stream:
            offset = 0
            while piece := stream.read(PIECE_BYTES):
                answers = self.connection.ask(take, file, sender, offset, piece, workers=workers, cancelled=cancelled)
                for answer in answers.values():
                    if isinstance(answer, Exception):
                        raise answer
                offset += len(piece)
                self.traffic.file_bytes += len(piece) * len(workers)

    def compile(self, cancelled: Callable[[], bool] | None) -> None:
        """Have the inner loops compiled on every machine that has not done so."""
        from engine.cluster.worker import compile_kernels

        for worker, problem in self.connection.ask(
            compile_kernels, cancelled=cancelled, seconds=COMPILE_SECONDS
        ).items():
            if isinstance(problem, Exception):
                self._warn(f"worker {worker} could not keep its compiled loops ({problem}), and starts more slowly")

    def warn_misfit(self, worker: str, differing: Sequence[str]) -> None:
        """Do without a worker that runs something else."""
        if worker not in self._misfits:
            self._misfits.add(worker)
            self._warn(f"{misfit_sentence(worker, list(differing))}; it is left out")

    def fitting(self) -> list[str] | None:
        """Return the workers to give work to; ``None`` for all."""
        if not self._misfits:
            return None
        fit = [worker for worker in self.connection.workers() if worker not in self._misfits]
        if not fit:
            raise EngineError(
                f"no worker of the cluster at {self.connection.address} runs the versions that are here; start some "
                "from the same environment"
            )
        return fit


def _check_memory(worker: str, limit: int | None, files: Sequence[WorkFile]) -> None:
    """See that models fit into a worker's memory."""
    largest = max(files, key=_size)
    needed = _size(largest)
    if limit and needed + PROGRAM_BYTES > USABLE_SHARE * limit:
        raise EngineError(
            f"{largest.name.name} takes {_megabytes(needed)} of memory and the program {_megabytes(PROGRAM_BYTES)}, "
            f"which is too much for worker {worker} with its limit of {_megabytes(limit)}; start it with a greater "
            "--memory-limit, or fewer workers on its machine"
        )


def _size(file: WorkFile) -> int:
    try:
        return size_in_memory(file.name)
    except ModelError:
        return file.size


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"


# One piece of work on a cluster: a bounded number of batches out at a time, and their results in order.

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
        """Yield the results of all tasks in order."""
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
        """Return the files of a batch, sent to all workers when they are first needed."""
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
        """Return the first batches that are done, and what came of them."""
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
        """Return an error of a batch, as a person is told of it."""
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


# Workers of a cluster: work is handed out in batches, and its results come in the order of the tasks.
#
# Nothing is computed here: which tasks there are, what they do and what becomes of the results is the caller's, and the
# same as for one process.


class Cluster(Workers):
    """The workers of a dask scheduler.

    Parameters
    ----------
    address
        Where the scheduler is.
    warn
        Told in a sentence what is not as it should be, while the work goes on.
    """

    def __init__(self, address: str, warn: Callable[[str], None] = lambda sentence: None) -> None:
        self._connection = SchedulerConnection(address)
        self._members = ClusterMembers(self._connection, warn)

    @property
    def traffic(self) -> Traffic:
        """What was done so far."""
        return self._members.traffic

    def __enter__(self) -> Cluster:
        """Use the cluster within a block."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Leave it."""
        self.close()

    def close(self) -> None:
        """Leave the cluster as it was."""
        self._connection.close()

    def ordered(
        self,
        make: Callable[[], Callable[[Task], Result]],
        tasks: Iterable[Task],
        batch: int = 1,
        cancelled: Callable[[], bool] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the result of every task in the order of the tasks; see :func:`engine.common.parallel.ordered`."""
        # Only now: it needs what a connection has found to be there.
        pass

        self._connection.await_workers(cancelled)
        self._members.check_versions(cancelled)
        files = tuple(map(work_file, needed_files(make)))
        self._members.provide(files, None, cancelled)
        self._members.compile(cancelled)
        job = ClusterJob(self._members, make, files, cancelled)
        try:
            yield from job.results(TaskFeed(tasks, batch))
        finally:
            job.end()
