"""What keeps the program from using its cache, said once in the window: it works without, and takes longer."""

from __future__ import annotations

from engine.common.private_files import take_cache_problem
from explorer.document.messages import Messages
from explorer.tasks.task_monitor import TaskMonitor


def show_cache_problems(tasks: TaskMonitor, messages: Messages) -> None:
    """Show what was noted about the cache whenever a task has ended.

    Parameters
    ----------
    tasks
        The tasks of a window: opening models, parsing and reading treebanks use the cache.
    messages
        Where it is shown.
    """

    def tell() -> None:
        if not tasks.busy and (problem := take_cache_problem()):
            messages.show(problem, True)

    tasks.busy_changed.connect(tell)
