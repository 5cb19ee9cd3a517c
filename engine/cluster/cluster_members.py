"""The workers of a cluster, and what they must have before they are given work: versions, files, compiled loops."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cluster.file_store import WorkFile
from engine.cluster.scheduler_connection import SchedulerConnection
from engine.cluster.worker_versions import differences, misfit_sentence, versions
from engine.common.array_file import size_in_memory
from engine.common.errors import EngineError, ModelError

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
        from engine.cluster.worker_tasks import look_for

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
        from engine.cluster.worker_tasks import take

        sender = secrets.token_hex(8)
        with file.name.open("rb") as stream:
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
        from engine.cluster.worker_tasks import compile_kernels

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
        """The workers to give work to; ``None`` for all."""
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
