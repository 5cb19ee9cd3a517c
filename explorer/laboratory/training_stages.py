"""The stages of training: which are done, how long each took, how much time the one under way still needs; no Qt."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.common.progress import clock
from engine.training.training import COUNTING_STAGE, READING_STAGE, TAGGING_STAGE
from engine.training.training_run import WRITING_STAGE, TrainingOptions
from engine.training.training_summary import duration

RERANKER_STAGE = "training the re-ranker"
_LEAST_SECONDS = 0.5
_WAITING, _DONE = "", "✓"

StageRow = tuple[str, str, str]
"""A stage, how far it is, and its time."""


class TrainingStages:
    """Follows the stages of one training.

    Parameters
    ----------
    options
        What is trained, which tells the stages.
    now
        Tells the time.
    """

    def __init__(self, options: TrainingOptions, now: Callable[[], float] = time.monotonic) -> None:
        wanted = {TAGGING_STAGE: options.tagger, RERANKER_STAGE: options.rerank}
        every = (READING_STAGE, COUNTING_STAGE, TAGGING_STAGE, RERANKER_STAGE, WRITING_STAGE)
        self._titles = [stage for stage in every if wanted.get(stage, True)]
        self._now = now
        self._took: dict[str, float] = {}
        self._current, self._detail, self._share = "", "", 0.0
        self._since = now()

    @property
    def share(self) -> float:
        """How far the stage under way is."""
        return self._share

    @property
    def current(self) -> str:
        """The stage under way, with what it is at."""
        return f"{self._current}: {self._detail}" if self._detail else self._current

    def follow(self, stage: str, share: float) -> None:
        """The work tells where it is."""
        title, _, detail = stage.partition(": ")
        if title != self._current:
            self.finish()
            self._current, self._since = title, self._now()
            if title not in self._titles:
                self._titles.insert(len(self._took), title)
        self._detail, self._share = detail, share

    def finish(self) -> None:
        """The stage under way is done."""
        if self._current:
            self._took[self._current] = self._took.get(self._current, 0.0) + self._now() - self._since
        self._current = self._detail = ""

    def time_left(self) -> str:
        """How long the stage under way still takes; empty as long as nobody can tell."""
        elapsed = self._now() - self._since
        if not self._current or self._share <= 0 or elapsed < _LEAST_SECONDS:
            return ""
        return f"{clock(elapsed * (1 - self._share) / self._share)} left"

    def rows(self) -> list[StageRow]:
        """All stages."""
        found = []
        for title in self._titles:
            if title == self._current:
                what = f"{self._share:.0%}" + (f"  {self._detail}" if self._detail else "")
                found.append((title, what, self.time_left() or clock(self._now() - self._since)))
            elif title in self._took:
                found.append((title, _DONE, duration(self._took[title])))
            else:
                found.append((title, _WAITING, ""))
        return found
