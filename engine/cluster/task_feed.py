"""Tasks in batches, sized by the time that tasks take, and cut where other files are needed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.worker_files import needed_files

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
        """The next tasks; ``None`` if there are none, or if a file that they need is still to be made."""
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
