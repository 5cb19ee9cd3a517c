"""Workers of a cluster: work is handed out in batches, and its results come in the order of the tasks.

Nothing is computed here: which tasks there are, what they do and what becomes of the results is the caller's, and the
same as for one process.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

from engine.cluster.cluster_members import ClusterMembers, Traffic
from engine.cluster.file_store import work_file
from engine.cluster.scheduler_connection import SchedulerConnection
from engine.cluster.task_feed import TaskFeed
from engine.common.parallel import Result, Task, Workers
from engine.common.worker_files import needed_files


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
        from engine.cluster.cluster_job import ClusterJob

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
