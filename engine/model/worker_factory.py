"""What a worker process is given: where the model is, and what to make of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from engine.common.parallel import Result, Task
from engine.common.worker_files import place_of
from engine.compiled.kernel import use_compiled
from engine.model.model import Model


@dataclass(frozen=True, slots=True)
class WorkerFactory(Generic[Task, Result]):
    """Makes the function that does a process's tasks, for :func:`engine.common.parallel.ordered`.

    Attributes
    ----------
    model
        The model's file; every process opens it for itself.
    make
        Makes the function from the loaded model; importable by name, or a ``partial`` of what is.
    """

    model: Path
    make: Callable[[Model], Callable[[Task], Result]]

    @property
    def files(self) -> tuple[Path, ...]:
        """What workers elsewhere must be given."""
        return (self.model,)

    def __call__(self) -> Callable[[Task], Result]:
        """Load the model; called once in every process, after the kernels were compiled."""
        use_compiled()
        return self.make(Model.load(place_of(self.model)))
