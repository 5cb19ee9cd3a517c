"""A worker of a cluster: what it must have of versions and files, and the batches of tasks that it does."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import io
import os
import pickle
import platform
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from io import BufferedRandom
from pathlib import Path
from typing import Any, NamedTuple

from distributed import get_worker

from engine.common.errors import EngineError
from engine.common.files import new_part, order_of_use, remove_abandoned_parts
from engine.common.parallel import away_from_home
from engine.common.resources import bundled_models
from engine.compiled.cache import is_compiled
from engine.gate import files
from engine.gate.private_files import cache_folder, private_folder
from engine.study.experiment_run import program_fingerprint
from engine.warm_up import compile_now

# Files that a worker was sent, known by their contents: each is sent to a machine once, and found there again.
#
# A file is in its place only when it is whole and its digest was checked.  A worker that sees the caller's very file,
# or has it bundled with the program, needs no copy.

KEPT_FILES = 12
"""Those used last are kept, the others removed when another comes: a training's ten parts have a model each."""
NOTED_SECONDS = 3600.0
"""How often it is noted that a file is in use."""
_SUFFIX = ".model"
_receiving: dict[tuple[str, str], tuple[Path, BufferedRandom]] = {}
"""Files on their way, by digest and sender: what is there of each, locked for as long as this process lives."""
_digests: dict[tuple[str, int, int], str] = {}
"""Digests of files by name, size and time of change: a file is read for its digest once in a process."""


class WorkFile(NamedTuple):
    """A file that work needs: what the caller calls it, and what is in it."""

    name: Path
    digest: str
    size: int


def work_file(path: Path) -> WorkFile:
    """Describe a file of ours."""
    return WorkFile(path, digest_of(path), path.stat().st_size)


def digest_of(path: Path) -> str:
    """Return a digest of a file's contents."""
    status = path.stat()
    key = (str(path), status.st_size, status.st_mtime_ns)
    found = _digests.get(key)
    if found is None:
        found = _digests[key] = files.digest_of(path)
    return found


def machine() -> str:
    """Return a name for all workers that share this store."""
    return f"{socket.gethostname()}:{store_folder()}"


def store_folder() -> Path:
    """Return where files that were sent are kept."""
    return cache_folder() / "cluster"


def place_in_store(file: WorkFile) -> Path:
    """Return where a file is, or would be, if it was sent."""
    return store_folder() / f"{file.digest}{_SUFFIX}"


def find(file: WorkFile) -> Path | None:
    """Return a file with the same contents on this machine, if there is one."""
    for place in _candidates(file):
        with contextlib.suppress(OSError):
            if place.stat().st_size == file.size and digest_of(place) == file.digest:
                if place.parent == store_folder() and _is_noted_long_ago(place):
                    os.utime(place)
                return place
    return None


def _candidates(file: WorkFile) -> Iterator[Path]:
    yield place_in_store(file)
    yield file.name
    yield from bundled_models().values()


def receive(file: WorkFile, sender: str, offset: int, data: bytes) -> None:
    """Take the next piece of a file from a sender; with the last one it is checked and put in its place."""
    place, key = place_in_store(file), (file.digest, sender)
    try:
        if offset == 0:
            _drop(key)
            private_folder(place.parent)
            remove_abandoned_parts(place.parent)
            _forget_files(place)
            _receiving[key] = new_part(place)
        if key not in _receiving:
            raise EngineError(f"{file.name.name} did not arrive at {machine()} from its beginning; start again")
        part, stream = _receiving[key]
        stream.seek(offset)
        stream.write(data)
        if offset + len(data) < file.size:
            return
        stream.flush()
        os.fsync(stream.fileno())
        stream.seek(0)
        if hashlib.file_digest(stream, "sha256").hexdigest() != file.digest:
            raise EngineError(f"{file.name.name} did not arrive at {machine()} as it was sent; start again")
        if sys.platform == "win32":
            # What is open there cannot be renamed.
            stream.close()
        part.replace(place)
        _drop(key)
    except OSError as error:
        _drop(key)
        raise EngineError(
            f"{file.name.name} cannot be kept at {machine()} ({error.strerror or error}); make room there, or set "
            "PARSE_ENGINE_CACHE for its workers"
        ) from error
    except EngineError:
        _drop(key)
        raise


def _drop(key: tuple[str, str]) -> None:
    """Remove what is there of a file on its way, if anything is."""
    part, stream = _receiving.pop(key, (None, None))
    if part is not None and stream is not None:
        with contextlib.suppress(OSError):
            stream.close()
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _is_noted_long_ago(path: Path) -> bool:
    """Return whether the use noted last is some time off; also one still to come, for then the clock was set back."""
    return abs(time.time() - path.stat().st_mtime) > NOTED_SECONDS


def _forget_files(newest: Path) -> None:
    """Remove what was not used for longest; `newest` is about to come."""
    others = [other for other in newest.parent.glob(f"*{_SUFFIX}") if other != newest]
    for other in order_of_use(others)[KEPT_FILES - 1 :]:
        # Another process may have removed it, or on some systems have it open.
        with contextlib.suppress(OSError):
            other.unlink()


# What must be the same on every machine for results to be those of one process: program, libraries, system.

PROGRAM = "Parse Explorer"
_DIGITS = 8


@cache
def versions() -> dict[str, str]:
    """Return what this process runs, by name."""
    try:
        program = version("parse-explorer")
    except PackageNotFoundError:
        program = "not installed"
    return {
        PROGRAM: f"{program} (source {program_fingerprint()[:_DIGITS]})",
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "the system": f"{platform.system()} {platform.machine()}",
    }


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """Return what another process has that is not what we have, in words; nothing if all is the same."""
    return [
        f"{name} {theirs.get(name, 'missing')} instead of {wanted}"
        for name, wanted in ours.items()
        if theirs.get(name) != wanted
    ]


def misfit_sentence(worker: str, differing: list[str]) -> str:
    """Say who differs, and what to do."""
    return (
        f"worker {worker} has {', '.join(differing)}; its results might differ, so install there what is here, "
        "or start the worker from the same environment"
    )


# What a worker of a cluster does: it tells what it is, takes files, and does batches of tasks.
#
# A batch that the worker cannot do (it runs other versions, or lacks a file) goes back undone with the reason: so
# workers that join later are treated like those that were there from the start.

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
        """Return what is in it."""
        return pickle.loads(self._sealed) if self._sealed is not None else self._content

    def data(self) -> Any:
        """Return what is in it, if that is data alone; raise an error if it asks for anything to be run.

        Whoever can send a parcel may have written it.
        """
        return _DataReader(io.BytesIO(self.seal())).load()

    def seal(self) -> bytes:
        """Return the bytes that travel."""
        if self._sealed is None:
            sealed = io.BytesIO()
            _Writer(sealed, protocol=pickle.HIGHEST_PROTOCOL).dump(self._content)
            self._sealed = sealed.getvalue()
            self._content = None
        return self._sealed

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as bytes."""
        return _sealed_parcel, (self.seal(),)


def _sealed_parcel(content: bytes) -> Parcel:
    parcel = Parcel(None)
    parcel._sealed = content
    return parcel


class _Writer(pickle.Pickler):
    """Writes errors of ours as data: dask has all errors pickled with where they happened, by functions of others."""

    def reducer_override(self, value: Any) -> Any:
        """Return how an error is written; anything else as usual."""
        return value.__reduce__() if isinstance(value, EngineError) else NotImplemented


_PLAIN = {
    "array": {"array", "_array_reconstructor"},
    "builtins": {"set", "frozenset", "bytearray", "complex", "slice", "range"},
    "collections": {"Counter", "OrderedDict", "deque"},
    "pathlib": {"PosixPath", "WindowsPath"},
    "numpy": {"ndarray", "dtype"},
}
"""Types of data that results may have beside our own, and what makes them."""
_ARRAY_MAKERS = {"_reconstruct", "scalar", "_frombuffer"}
"""Functions by which numpy has its arrays and numbers read."""


class _DataReader(pickle.Unpickler):
    """Reads pickled data, of our own types of values and a few of Python's and numpy's, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a type by its name, if it is one of data."""
        if name in _PLAIN.get(module, ()):
            return getattr(importlib.import_module(module), name)
        if module.split(".")[0] == "numpy" and name in _ARRAY_MAKERS:
            return super().find_class(module, name)
        if module.split(".")[0] == "engine":
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and found.__module__ == module and _is_of_data(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no type of data")


def _is_of_data(kind: type) -> bool:
    return is_dataclass(kind) or issubclass(kind, EngineError | Enum | dict) or hasattr(kind, "_fields")


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
