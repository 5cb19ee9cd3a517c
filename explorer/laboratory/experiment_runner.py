"""Running an experiment beside the window: begin, pause, stop, go on; what comes of it as it comes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.common.errors import EngineError
from engine.common.progress import clock
from engine.evaluation.experiments.experiment import ExperimentOptions
from engine.evaluation.experiments.result_table import ResultTable
from engine.evaluation.experiments.supervision import GO_ON, PAUSE
from explorer.document.messages import as_sentence, error_text
from explorer.tasks.engine_process import EngineProcess
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker

_MODULE = "engine.cli.experiment_process"
_HEAR_SECONDS = 0.05
_STOPPED = "The experiment was stopped; what was measured is kept."


class ExperimentRunner(QObject):
    """One experiment at a time, in a process of its own.

    Attributes
    ----------
    options
        What was asked for last.
    results, done
        What is measured, by the numbers of trials, and the trials that are complete.
    title, test_title
        What rows and pictures are called.
    share, message
        How far it is, and what is said about it.

    Signals
    -------
    results_changed
        There are other results.
    state_changed
        It began, paused, went on, came further or ended.
    """

    results_changed = Signal()
    state_changed = Signal()

    def __init__(self, tasks: TaskMonitor, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = Worker("experiment", parent=self)
        tasks.watch(self._worker, _STOPPED, self.stop)
        self._child: EngineProcess | None = None
        self._job: Job | None = None
        self._begun = self._waited = 0.0
        self._first_share: float | None = None
        self._not_kept = ""
        self.options: ExperimentOptions | None = None
        self.results: dict[int, Mapping[str, Any]] = {}
        self.done: set[int] = set()
        self.title = self.test_title = ""
        self.share = 0.0
        self.message = ""
        self.paused = False

    @property
    def running(self) -> bool:
        """Whether something is being measured, or paused."""
        return self._job is not None

    @property
    def finished(self) -> bool:
        """Whether everything that was asked for is measured."""
        return self.options is not None and len(self.done) == len(self.options.definition.plan(self.options)) > 0

    @property
    def process_id(self) -> int | None:
        """The number of the process that measures, while there is one."""
        child = self._child
        return child.id if child is not None else None

    def start(self, options: ExperimentOptions, folder: Path) -> None:
        """Begin, or go on with what was begun: what the journals in a folder have is not measured again."""
        if self.running:
            return
        try:
            options.checked()
        except EngineError as error:
            self._say(as_sentence(error_text(error)))
            return
        if options != self.options:
            self.show(options, "", "")
        self.share, self._first_share, self.paused = 0.0, None, False
        self._begun, self._waited = time.monotonic(), 0.0
        self.message = "Reading the trees …"
        self._job = self._worker.request(
            lambda job: self._work(job, options, folder), self._finished, self._failed, self._heard, self._ended
        )
        self.state_changed.emit()

    def show(self, options: ExperimentOptions, title: str, test_title: str) -> None:
        """Show an experiment of which nothing is known yet."""
        self.options, self.title, self.test_title = options, title, test_title
        self.results, self.done = {}, set()
        self.message, self.share = "", 0.0
        self.results_changed.emit()

    def pause(self, paused: bool) -> None:
        """Have it wait after the sentences in hand, or go on."""
        # The thread forgets the process when that has ended.
        child = self._child
        if child is None or paused == self.paused:
            return
        self.paused = paused
        child.tell(PAUSE if paused else GO_ON)
        now = time.monotonic()
        self._waited += -now if paused else now
        self.state_changed.emit()

    def stop(self) -> None:
        """End it; what was measured is kept."""
        if self._job is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End it, and the thread."""
        self._worker.stop()

    @property
    def time_left(self) -> str:
        """How long it will take at this pace; empty while that cannot be said."""
        first = self._first_share
        if not self.running or self.paused or first is None or self.share - first < 0.02:
            return ""
        seconds = time.monotonic() - self._begun - self._waited
        return clock(seconds * (1 - self.share) / (self.share - first))

    def table(self) -> ResultTable | None:
        """The results as far as they are known, beside the paper's."""
        options = self.options
        if options is None:
            return None
        return options.definition.live_table(options, self.results, self.title or "this treebank")

    # In the thread

    def _work(self, job: Job, options: ExperimentOptions, folder: Path) -> None:
        child = self._child = EngineProcess(_MODULE)
        try:
            child.ask({**options.as_dict(), "folder": str(folder)})
            while True:
                job.report(self.share, f"Experiment: {self.message}")
                said = child.hear(_HEAR_SECONDS)
                if said is None:
                    continue
                event = said.facts["event"]
                if event == "failed":
                    raise EngineError(said.facts["message"])
                job.deliver(said.facts)
                if event == "finished":
                    return
        finally:
            self._child = None
            child.stop()

    # In the window

    def _heard(self, facts: Mapping[str, Any]) -> None:
        event = facts["event"]
        if event == "opened":
            self.title, self.test_title = facts["title"], facts["test_title"]
            self.message = "Measuring"
            self._begun = time.monotonic()
            self.results_changed.emit()
        elif event == "measured":
            self.results[facts["trial"]] = facts["result"]
            if facts["done"]:
                self.done.add(facts["trial"])
            self.results_changed.emit()
        elif event == "progress":
            self.share = facts["share"]
            self._first_share = self.share if self._first_share is None else self._first_share
            self.message = as_sentence(facts["what"]).rstrip(".")
        elif event == "finished":
            self._not_kept = facts["problem"]
        self.state_changed.emit()

    def _finished(self, nothing: None) -> None:
        self.share, self.message = 1.0, "Everything is measured."
        if self._not_kept:
            self.message += f" {as_sentence(f'But it could not be kept: {self._not_kept}')}"

    def _failed(self, error: Exception) -> None:
        self.message = as_sentence(error_text(error))

    def _ended(self) -> None:
        if self._job is not None and self._job.cancelled:
            self.message = _STOPPED
        self._job, self.paused = None, False
        self.state_changed.emit()

    def _say(self, text: str) -> None:
        self.message = text
        self.state_changed.emit()
