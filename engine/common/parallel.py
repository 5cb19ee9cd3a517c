"""Work spread over processes: the same answers in the same order as one process would give.

Work is done here, by processes of this machine, or by whatever else :class:`Workers` stands for (a cluster of
machines, :mod:`engine.cluster`); whoever has work to do says which, and is otherwise the same.

Processes of this machine are started afresh ("spawn"), so what they are given must be importable by name; a script
that asks for several jobs needs the usual ``if __name__ == "__main__":`` guard.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from engine.common.errors import Cancelled, EngineError
from engine.common.worker_processes import Done, WorkerEnded, WorkerProcesses

Task = TypeVar("Task")
Result = TypeVar("Result")

SENTENCES_AT_ONCE = 16
"""How many sentences a worker is given at a time: some tenths of a second's work."""
AHEAD = 4
"""How many tasks for every worker may be waiting or done before the first of them is taken away."""
_ASK_SECONDS = 0.1
"""How often it is asked whether to stop."""


class Workers(ABC):
    """Processes that are not this machine's, or not this program's, to give work to."""

    @abstractmethod
    def ordered(
        self,
        make: Callable[[], Callable[[Task], Result]],
        tasks: Iterable[Task],
        batch: int,
        cancelled: Callable[[], bool] | None,
    ) -> Generator[Result, None, None]:
        """Do what :func:`ordered` says; `make` and tasks may name files (:mod:`engine.common.worker_files`)."""


def in_this_process(jobs: int | Workers) -> bool:
    """Whether work is done in the caller's own process, which can be asked to stop within a task."""
    return jobs == 1


def sees_our_files(jobs: int | Workers) -> bool:
    """Whether workers can read and write files of this machine under the same names."""
    return isinstance(jobs, int)


def _batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Tasks in lists of `size`, read no further than the list in hand; an error in reading comes after the last."""
    batch: list[Task] = []
    try:
        for task in tasks:
            batch.append(task)
            if len(batch) == size:
                yield batch
                batch = []
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def ordered(
    make: Callable[[], Callable[[Task], Result]],
    tasks: Iterable[Task],
    jobs: int | Workers = 1,
    batch: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> Generator[Result, None, None]:
    """Yield the result of every task in the order of the tasks.

    Parameters
    ----------
    make
        Makes the function that does a task; called once in every process, when its first task comes, so that
        what is costly (a model) is loaded once.  With several jobs it must be picklable.
    tasks
        Read only as far ahead as keeps the workers busy.  An error in reading them is raised after the
        results of the tasks before it.
    jobs
        Number of processes; with one the work is done in this very process, task by task.  Or other workers.
    batch
        How many tasks a worker is given at a time: several where handing one over takes as long as doing it.  Workers
        of a cluster are given more or fewer, by the time that tasks take.
    cancelled
        Asked several times a second, while workers are waited for, whether to stop; :class:`Cancelled` is raised then.
    """
    if isinstance(jobs, Workers):
        yield from jobs.ordered(make, tasks, batch, cancelled)
        return
    if jobs < 1:
        raise EngineError(f"the number of jobs must be at least 1, not {jobs}")
    if jobs == 1:
        work = make()
        for task in tasks:
            yield work(task)
        return
    workers = WorkerProcesses(make, jobs)
    try:
        for results, problem in _in_order(workers, _batches(tasks, batch), AHEAD * jobs, cancelled):
            yield from results
            if problem is not None:
                raise problem
    except BaseException as error:
        workers.stop()
        if isinstance(error, WorkerEnded):
            raise EngineError("a worker process ended unexpectedly; if memory ran out, use fewer jobs") from None
        raise
    finally:
        workers.close()


def _in_order(
    workers: WorkerProcesses,
    batches: Iterator[list[Any]],
    ahead: int,
    cancelled: Callable[[], bool] | None,
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    failure: Exception | None = None
    more = True
    while True:
        while more and len(waiting) < ahead and not (waiting and waiting[0].done()):
            try:
                batch = next(batches)
            except StopIteration:
                more = False
            except Exception as error:
                failure, more = error, False
            else:
                waiting.append(workers.submit(batch))
        if not waiting:
            break
        yield _awaited(waiting.popleft(), cancelled)
    if failure is not None:
        raise failure


def _awaited(future: Future[Done], cancelled: Callable[[], bool] | None) -> Done:
    """The result, waited for unless all is cancelled meanwhile."""
    while cancelled is not None and not wait([future], _ASK_SECONDS).done:
        if cancelled():
            raise Cancelled("the work was cancelled")
    return future.result()
