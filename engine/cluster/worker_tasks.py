"""What a worker of a cluster does: it tells what it is, takes files, and does batches of tasks.

A batch that the worker cannot do (it runs other versions, or lacks a file) goes back undone with the reason: so workers
that join later are treated like those that were there from the start.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from distributed import get_worker

from engine.cluster.file_store import WorkFile, find, machine, receive
from engine.cluster.worker_versions import differences, versions
from engine.common.errors import EngineError
from engine.common.worker_files import away_from_home
from engine.compiled.cache import is_compiled
from engine.warm_up import compile_now

KEPT_JOBS = 2
"""Of so many jobs a process keeps what it made, for instance a loaded model."""
KEPT_STOPS = 1000
_one_at_a_time = threading.Lock()
"""Python does one thing at a time, and kernels run for one thread: further threads of a worker wait."""
_works: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()
"""What does a job's tasks, by job, made when its first batch comes."""
_stopped: OrderedDict[str, None] = OrderedDict()
"""Jobs that are no longer wanted."""


class Parcel:
    """Something on its way to a worker or back, which the scheduler passes on without opening it."""

    def __init__(self, content: Any) -> None:
        self._content = content
        self._sealed: bytes | None = None

    def open(self) -> Any:
        """What is in it."""
        return pickle.loads(self._sealed) if self._sealed is not None else self._content

    def seal(self) -> bytes:
        """The bytes that travel."""
        if self._sealed is None:
            self._sealed = pickle.dumps(self._content, protocol=pickle.HIGHEST_PROTOCOL)
            self._content = None
        return self._sealed

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as bytes."""
        return _sealed_parcel, (self.seal(),)


def _sealed_parcel(content: bytes) -> Parcel:
    parcel = Parcel(None)
    parcel._sealed = content
    return parcel


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker must know of a batch: the job, what versions it must have, which files are needed."""

    job: str
    versions: Mapping[str, str]
    files: tuple[WorkFile, ...]


class Done(NamedTuple):
    """What comes back.

    Attributes
    ----------
    worker
        Who did it.
    results
        A parcel with the list of results, and the error that kept the rest of the batch from being done, if any.
    seconds
        How long it took.
    differing, missing
        Why nothing was done: versions that differ, files that the worker lacks.
    """

    worker: str
    results: Parcel | None = None
    seconds: float = 0.0
    differing: tuple[str, ...] = ()
    missing: tuple[WorkFile, ...] = ()


class Presence(NamedTuple):
    """Which machine a worker is on, which files that lacks, and how many bytes of memory the worker may have."""

    machine: str
    missing: tuple[WorkFile, ...]
    memory: int | None


def keep(job: Parcel) -> Parcel:
    """Hold what makes a job's function: as a task of the cluster it reaches each worker once, and is never lost."""
    return job


def run_batch(job: Parcel, order: Order, batch: Parcel) -> Done:
    """Do the tasks of a batch, or say why not."""
    address: str = get_worker().address
    differing = differences(order.versions, versions())
    if differing:
        return Done(address, differing=tuple(differing))
    places: dict[Path, Path] = {}
    missing = []
    for file in order.files:
        place = find(file)
        if place is None:
            missing.append(file)
        else:
            places[file.name] = place
    if missing:
        return Done(address, missing=tuple(missing))
    results: list[Any] = []
    problem: EngineError | None = None
    asked = partial(_stopped.__contains__, order.job)
    with _one_at_a_time, away_from_home(places, asked):
        started = time.perf_counter()
        try:
            work = _work_of(order.job, job)
            for task in batch.open():
                if asked():
                    break
                results.append(work(task))
        except EngineError as error:
            problem = error
        except MemoryError:
            problem = EngineError(
                f"worker {address} has not enough memory; start it with more, or fewer on its machine"
            )
        seconds = time.perf_counter() - started
    sealed = Parcel((results, problem))
    sealed.seal()
    return Done(address, sealed, seconds)


def _work_of(job: str, parcel: Parcel) -> Callable[[Any], Any]:
    work = _works.get(job)
    if work is None:
        while len(_works) >= KEPT_JOBS:
            _works.popitem(last=False)
        make: Callable[[], Callable[[Any], Any]] = parcel.open()
        work = _works[job] = make()
    return work


def forget(job: str) -> None:
    """Stop what is still done for a job, and keep nothing of it."""
    _stopped[job] = None
    while len(_stopped) > KEPT_STOPS:
        _stopped.popitem(last=False)
    _works.pop(job, None)


async def look_for(files: tuple[WorkFile, ...], dask_worker: Any = None) -> Presence:
    """Tell which files are missing here; dask fills in the worker."""

    def missing() -> tuple[WorkFile, ...]:
        return tuple(file for file in files if find(file) is None)

    return Presence(machine(), await asyncio.to_thread(missing), dask_worker.memory_manager.memory_limit)


async def take(file: WorkFile, sender: str, offset: int, data: bytes) -> None:
    """Take a piece of a file."""
    await asyncio.to_thread(receive, file, sender, offset, data)


async def compile_kernels() -> None:
    """Compile the parser's inner loops for this machine if that was not done; workers of one machine share them."""

    def compile_here() -> None:
        with _one_at_a_time:
            compile_now()

    if not is_compiled():
        await asyncio.to_thread(compile_here)
