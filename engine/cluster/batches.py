"""Tasks in batches, sized by the time that tasks take, and what a corpus takes in them on a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.parallel import needed_files

# Tasks in batches, sized by the time that tasks take, and cut where other files are needed.

BATCH_SECONDS = 0.5
"""How long a batch should take: far longer than handing it over, and little to do again if its worker dies."""
LARGEST_BATCH = 1024
_FASTEST_GROWTH = 2.0


class Batch(NamedTuple):
    """Tasks to hand out together, the number of the first from 1 on, and the files that all of them need."""

    tasks: list[Any]
    first: int
    files: tuple[Path, ...]


class TaskFeed:
    """Reads tasks, no further than asked.

    Parameters
    ----------
    tasks
        The tasks; an error in reading them is kept for when those before it are done.
    size
        How many make a batch until it is known how long they take.

    Attributes
    ----------
    failure
        What kept further tasks from being read.
    """

    def __init__(self, tasks: Iterable[Any], size: int) -> None:
        self._tasks = iter(tasks)
        self._size = size
        self._read = 0
        self._held: list[Any] = []
        self.failure: Exception | None = None

    def take(self) -> Batch | None:
        """Return the next tasks; ``None`` if there are none, or if a file that they need is still to be made."""
        taken: list[Any] = []
        files: tuple[Path, ...] = ()
        while len(taken) < self._size:
            if not self._held and not self._hold():
                break
            needed = needed_files(self._held[0])
            if taken and needed != files:
                break
            if not all(file.exists() for file in needed):
                break
            taken.append(self._held.pop())
            files = needed
        if not taken:
            return None
        self._read += len(taken)
        return Batch(taken, self._read - len(taken) + 1, files)

    @property
    def lacking(self) -> Path | None:
        """The file that the next task needs and that is not there."""
        return next((file for task in self._held for file in needed_files(task) if not file.exists()), None)

    def _hold(self) -> bool:
        """Read one task; false at the end."""
        if self.failure is not None:
            return False
        try:
            self._held.append(next(self._tasks))
        except StopIteration:
            return False
        except Exception as error:
            self.failure = error
            return False
        return True

    def learn(self, tasks: int, seconds: float) -> None:
        """Take note of how long tasks took, for the size of batches to come."""
        if tasks and seconds > 0:
            wanted = tasks * BATCH_SECONDS / seconds
            wanted = min(max(wanted, self._size / _FASTEST_GROWTH), self._size * _FASTEST_GROWTH)
            self._size = round(min(max(wanted, 1), LARGEST_BATCH))


# What a corpus takes on a cluster: a model of cost from a few measured figures.
#
# Workers, client, scheduler and wire are at work at the same time, so the slowest of them decides.  Workers share
# their part; one client reads and writes all sentences, one scheduler hands out all batches, and all bytes go through
# its link.

GIGABIT = 125e6
"""Bytes a second of a link of one gigabit."""
WORKERS, CLIENT, SCHEDULER, WIRE, CORES = "the workers", "the client", "the scheduler", "the network", "the cores"
"""What decides how long it takes."""


class Prediction(NamedTuple):
    """What work takes.

    Attributes
    ----------
    workers
        How many there are.
    seconds
        From start to end.
    limit
        What decides it, one of the names above.
    wire_bytes
        Between client and scheduler, and once more between scheduler and workers; the model is in it.
    """

    workers: int
    seconds: float
    limit: str
    wire_bytes: float


@dataclass(frozen=True, slots=True)
class ClusterCost:
    """Measured figures: ``tests/benchmarks/cluster_cost.py`` prints them for a treebank, preset and machine.

    Attributes
    ----------
    words_per_sentence
        Of the corpus.
    worker_ms, client_ms
        Processor time for a sentence: to parse it; to read it, hand it out, take its parse and print it.
    scheduler_ms
        Processor time of the scheduler for a batch.
    sent_bytes, received_bytes
        On the wire for a sentence.
    model_bytes
        The model's file.
    start_seconds
        Until the first sentence is parsed, without the model's way.
    """

    words_per_sentence: float = 18.0
    worker_ms: float = 1.74
    client_ms: float = 0.03
    scheduler_ms: float = 1.2
    sent_bytes: float = 145.0
    received_bytes: float = 316.0
    model_bytes: float = 20e6
    start_seconds: float = 5.0

    def predict(
        self, words: float, workers: int, per_machine: int = 8, link: float = GIGABIT, cores: int | None = None
    ) -> Prediction:
        """Say what a corpus takes.

        Parameters
        ----------
        words
            Of the corpus.
        workers, per_machine
            How many there are, and how many of them on a machine; each has a core.
        link
            Bytes a second of the scheduler's link.
        cores
            If scheduler, client and workers share one machine: its cores.
        """
        sentences = words / self.words_per_sentence
        work = sentences * self.worker_ms / 1e3
        client = sentences * self.client_ms / 1e3
        batches = work / BATCH_SECONDS
        scheduler = batches * self.scheduler_ms / 1e3
        machines = ceil(workers / per_machine)
        passed = sentences * (self.sent_bytes + self.received_bytes)
        shares = {WORKERS: work / workers, CLIENT: client, SCHEDULER: scheduler}
        model = 0.0
        if cores is None:
            shares[WIRE] = passed / link
            model = self.model_bytes * machines
        else:
            shares[CORES] = (work + client + scheduler) / cores
        limit = max(shares, key=lambda name: shares[name])
        seconds = self.start_seconds + model / link + shares[limit]
        return Prediction(workers, seconds, limit, passed + model)
