"""Workers of a cluster: work is handed out in batches, and its results come in the order of the tasks."""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
import ssl
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from distributed import KilledWorker

from engine.cluster.batches import TaskFeed
from engine.cluster.worker import (
    Done,
    Order,
    Parcel,
    Presence,
    WorkFile,
    differences,
    forget,
    keep,
    misfit_sentence,
    run_batch,
    versions,
    work_file,
)
from engine.common.errors import Cancelled, EngineError, ModelError
from engine.common.parallel import AHEAD, Result, Task, Workers, needed_files
from engine.gate.array_file import size_in_memory
from engine.gate.files import open_file

# The connection to a cluster's scheduler: made, watched and closed without messages of dask's, and never waited
# for without end.

CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer, and the first worker to be there."""
WITHOUT_WORKERS_SECONDS = 60.0
"""How long work waits for a worker when all are gone."""
CALL_SECONDS = 120.0
"""How long workers may take to answer a question."""
CLOSE_SECONDS = 3.0
ASK_SECONDS = 0.1
"""How often it is asked whether to stop."""
_LOOK_SECONDS = 1.0
"""How often it is looked who is there."""
EXTRA = "pip install 'parse-explorer[cluster]'"
_NOISY = ("distributed", "tornado", "asyncio")
_ADDRESS = re.compile(r"([a-z]+://)?(\[[0-9a-fA-F:.]+\]|[^\s\[\]:/]+):([1-9]\d{0,4})/?", re.ASCII)
"""How an address is written; which of them there are is dask's to say."""


class SchedulerConnection:
    """A client of a scheduler.

    Parameters
    ----------
    address
        Where the scheduler is, for instance ``tcp://10.0.0.5:8786``, or ``tls://10.0.0.5:8786``.
    certificates
        The folder of the certificates for ``tls://``; without it those are taken that dask's configuration names.
    """

    def __init__(self, address: str, certificates: Path | None = None) -> None:
        self.address = address
        _Silence.begin()
        try:
            self.client = _connected(address, certificates)
        except BaseException:
            _Silence.end()
            raise
        self._looked = float("-inf")
        self._workers: list[str] = []
        self._alone_since: float | None = None
        self.closed = False

    def close(self) -> None:
        """Leave the cluster."""
        if not self.closed:
            self.closed = True
            with suppress(Exception):
                self.client.close(timeout=CLOSE_SECONDS)
            _Silence.end()

    def check(self, cancelled: Callable[[], bool] | None = None) -> None:
        """Raise if the work is cancelled, the scheduler is gone, or no worker has been there for long."""
        if cancelled is not None and cancelled():
            raise Cancelled("the work was cancelled")
        if self.client.status != "running":
            raise self.lost()
        if not self.workers() and self._alone_since is not None:
            gone = time.monotonic() - self._alone_since
            if gone > WITHOUT_WORKERS_SECONDS:
                raise EngineError(
                    f"all workers of the cluster at {self.address} have been gone for {gone:.0f} s; start some with "
                    f"`dask worker {self.address} --nthreads 1`, and the command again"
                )

    def lost(self) -> EngineError:
        """Say that the scheduler is gone."""
        return EngineError(
            f"the connection to the scheduler at {self.address} was lost in the middle of the work; see whether it "
            "still runs, and start the command again"
        )

    def workers(self) -> list[str]:
        """Return the addresses of those who are there, looked up now and then."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            try:
                self._workers = sorted(self.client.nthreads())
            except (OSError, TimeoutError, RuntimeError) as error:
                raise self.lost() from error
            self._looked = now
            if self._workers:
                self._alone_since = None
            elif self._alone_since is None:
                self._alone_since = now
        return self._workers

    def await_workers(self, cancelled: Callable[[], bool] | None = None) -> list[str]:
        """Wait a moment for the first worker."""
        until = time.monotonic() + CONNECT_SECONDS
        while not self.workers():
            self.check(cancelled)
            if time.monotonic() > until:
                raise EngineError(
                    f"the cluster at {self.address} has no workers; start some with "
                    f"`dask worker {self.address} --nthreads 1`"
                )
            time.sleep(ASK_SECONDS)
        return self._workers

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        workers: list[str] | None = None,
        cancelled: Callable[[], bool] | None = None,
        seconds: float = CALL_SECONDS,
    ) -> dict[str, Any]:
        """Call a function on workers, and give each one's answer, which may be an exception.

        A worker that is gone meanwhile gives none.
        """

        def call() -> dict[str, Any]:
            answers: dict[str, Any] = self.client.run(function, *arguments, workers=workers, on_error="return")
            return answers

        answers = self.patiently(call, cancelled, seconds)
        return {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}

    def patiently(self, call: Callable[[], Any], cancelled: Callable[[], bool] | None, seconds: float) -> Any:
        """Wait for a call to the cluster, unless all is cancelled, the scheduler is lost, or it takes too long."""
        found: list[Any] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(call())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=run, daemon=True, name="cluster call")
        thread.start()
        until = time.monotonic() + seconds
        while thread.is_alive():
            thread.join(ASK_SECONDS)
            self.check(cancelled)
            if time.monotonic() > until:
                raise EngineError(
                    f"the cluster at {self.address} has not answered for {seconds:.0f} s; see whether its machines "
                    "are overloaded, and start the command again"
                )
        if failed:
            self.check(cancelled)
            if isinstance(failed[0], OSError | TimeoutError):
                raise self.lost() from failed[0]
            raise failed[0]
        return found[0]


def _connected(address: str, certificates: Path | None) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise EngineError(
            f"--cluster needs dask.distributed, which is not installed; install it with {EXTRA}"
        ) from None
    # One that is half made takes long to give up.
    if not _ADDRESS.fullmatch(address):
        raise EngineError(
            f"--cluster: `{address}` is no address of a scheduler; write one like tcp://10.0.0.5:8786, or tls:// with "
            "--cluster-certificates"
        )
    options: dict[str, Any] = {}
    if certificates is not None:
        options["security"] = _security(address, certificates)
    found: list[Any] = []
    failed: list[Exception] = []

    def connect() -> None:
        try:
            found.append(Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="parse-engine", **options))
        except Exception as error:
            failed.append(error)

    # Whoever is there may take the connection and say nothing, and dask waits for that without end.
    thread = threading.Thread(target=connect, daemon=True, name="connecting to the cluster")
    thread.start()
    thread.join(CONNECT_SECONDS + CLOSE_SECONDS)
    if found:
        return found[0]
    error = failed[0] if failed else TimeoutError(f"it has said nothing for {CONNECT_SECONDS:.0f} s")
    if isinstance(error, ValueError | TypeError | KeyError):
        raise EngineError(
            f"--cluster: `{address}` is no address of a scheduler, or what is there is none ({_reason(error)}); write "
            "one like tcp://10.0.0.5:8786, or tls:// with --cluster-certificates"
        ) from error
    raise EngineError(
        f"there is no scheduler at {address}, or it cannot be reached ({_reason(error)}); start one with "
        "`dask scheduler`, or correct --cluster"
    ) from error


CERTIFICATES = ("ca.pem", "cert.pem", "key.pem")
"""Files of a folder of certificates: whose signatures are trusted, what we show, and the secret that belongs to it."""


def _security(address: str, folder: Path) -> Any:
    """Return what dask needs to speak with nobody who cannot show a certificate, and to nobody else."""
    from distributed.security import Security

    if not address.startswith("tls://"):
        raise EngineError(f"--cluster-certificates: `{address}` uses none; write tls:// in place of tcp://")
    trusted, shown, key = (folder / name for name in CERTIFICATES)
    for file in (trusted, shown, key):
        if not file.is_file():
            raise EngineError(f"--cluster-certificates: {file}: there is no such file; it takes {_listed()}")
    try:
        # Tried here, where it can be said what is wrong; of a key with a password nobody is asked for it.
        ssl.create_default_context(cafile=trusted).load_cert_chain(shown, key, password="")
    except (OSError, ValueError) as error:
        raise EngineError(
            f"--cluster-certificates: {folder}: these cannot be used ({_reason(error)}); it takes {_listed()} in PEM "
            "format, the key without a password"
        ) from error
    return Security(
        tls_ca_file=str(trusted), tls_client_cert=str(shown), tls_client_key=str(key), require_encryption=True
    )


def _listed() -> str:
    return f"a folder with {CERTIFICATES[0]}, {CERTIFICATES[1]} and {CERTIFICATES[2]}"


def danger_of(address: str) -> str:
    """Return what is to be said of an address at which others may answer, or read along; empty if there is nothing."""
    host = _ADDRESS.fullmatch(address)
    if host is None or address.startswith("tls://") or _is_own(host[2].strip("[]")):
        return ""
    return (
        f"the connection to {address} is not encrypted: whoever can reach the scheduler, or answer in its place, can "
        "run code on this machine and on the workers; use tls:// with --cluster-certificates, or a network you trust"
    )


def _is_own(host: str) -> bool:
    """Return whether a host is this machine."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _reason(error: BaseException) -> str:
    """Return what is wrong in a few words: the first line of the innermost reason."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


class _Silence:
    """Keeps dask's own messages off the terminal, where a progress line may stand, while a connection is open."""

    _depth = 0
    _levels: dict[str, int]
    _warnings: warnings.catch_warnings[None]

    @classmethod
    def begin(cls) -> None:
        with suppress(ImportError):
            # It sets up its messages when it is imported.
            import distributed  # noqa: F401
        cls._depth += 1
        if cls._depth > 1:
            return
        names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _NOISY]
        cls._levels = {name: logging.getLogger(name).level for name in names}
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        cls._warnings = warnings.catch_warnings()
        cls._warnings.__enter__()
        warnings.filterwarnings("ignore", module=r"(distributed|dask|tornado)(\..*)?")
        # One is told as if the caller had said it.
        warnings.filterwarnings("ignore", message="Sending large graph")

    @classmethod
    def end(cls) -> None:
        cls._depth -= 1
        if cls._depth:
            return
        for name, level in cls._levels.items():
            logging.getLogger(name).setLevel(level)
        cls._warnings.__exit__(None, None, None)


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
            if not isinstance(theirs, dict):
                raise _not_ours(worker)
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
            if not isinstance(presence, Presence) or not set(presence.missing) <= set(files):
                raise _not_ours(worker)
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


def _not_ours(worker: str) -> EngineError:
    return EngineError(
        f"worker {worker} answers what no worker of Parse Explorer does; see who runs it, or use another cluster"
    )


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
                found, problem = _opened(done, len(sent.tasks))
                feed.learn(len(found), done.seconds)
                traffic = self._members.traffic
                traffic.batches, traffic.tasks = traffic.batches + 1, traffic.tasks + len(found)
                traffic.seconds += done.seconds
                self._waiting.popleft()
                yield from found
                if problem is not None:
                    raise problem
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
                if not isinstance(done, Done) or not set(done.missing) <= set(sent.files):
                    raise _not_ours(str(getattr(done, "worker", "of the cluster")))
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


def _opened(done: Done, tasks: int) -> tuple[list[Any], EngineError | None]:
    """Return the results of a batch, and what kept the rest of it from being done, once it was seen that they are."""
    try:
        assert isinstance(done.results, Parcel)
        found, problem = done.results.data()
    except Exception as error:
        raise _not_ours(done.worker) from error
    is_whole = isinstance(found, list) and len(found) <= tasks and isinstance(done.seconds, float)
    if not is_whole or not (isinstance(problem, EngineError) if len(found) < tasks else problem is None):
        raise _not_ours(done.worker)
    return found, problem


# Workers of a cluster: work is handed out in batches, and its results come in the order of the tasks.
#
# Nothing is computed here: which tasks there are, what they do and what becomes of the results is the caller's, and the
# same as for one process.


class Cluster(Workers):
    """The workers of a dask scheduler.

    Parameters
    ----------
    address
        Where the scheduler is: ``tcp://host:port``, or ``tls://host:port``.  Whoever answers there can run code in this
        process.
    warn
        Told in a sentence what is not as it should be, while the work goes on.
    certificates
        A folder with ``ca.pem``, ``cert.pem`` and ``key.pem`` for ``tls://``; without it those are taken that dask's
        configuration names.
    """

    def __init__(
        self,
        address: str,
        warn: Callable[[str], None] = lambda sentence: None,
        certificates: str | Path | None = None,
    ) -> None:
        self._connection = SchedulerConnection(address, Path(certificates) if certificates is not None else None)
        if danger := danger_of(address):
            warn(danger)
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
