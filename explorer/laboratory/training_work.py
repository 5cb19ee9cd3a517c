"""What training and the look at treebanks do in a process of their own, and its stages; no Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.common.errors import TreeError
from engine.common.terminal import clock, time_left
from engine.compiled.cache import is_compiled
from engine.counts.counting import table_sizes
from engine.training.summary import duration, run_lines, summary_lines
from engine.training.survey import TreebankSurvey, survey
from engine.training.train import (
    COUNTING_STAGE,
    READING_STAGE,
    TAGGING_STAGE,
    WRITING_STAGE,
    TrainingOptions,
    run_training,
)
from engine.trees.treebank import BadTrees

# The stages of training: which are done, how long each took, how much time the one under way still needs; no Qt.

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
        return time_left(self._share, elapsed, _LEAST_SECONDS) if self._current else ""

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


# What training and the look at treebanks do in a process of their own; no Qt here.

COMPILING_STAGE = "compiling for this machine, once"
MOST_TOLD = 200
"""So many broken trees are told one by one."""
_SEND_SECONDS = 0.05


class StageShare(NamedTuple):
    """How far a stage is."""

    stage: str
    share: float


class LeftOut(NamedTuple):
    """A broken tree that is left out, in a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What came of training.

    Attributes
    ----------
    output
        The model's file.
    lines
        The summary, as names and texts; of a list the first alone has a name.
    tables
        Every count table with its contexts, and those of them that were seen with an outcome.
    left_out
        How many broken trees were left out.
    """

    output: str
    lines: list[tuple[str, str]]
    tables: list[tuple[str, int, int]]
    left_out: int


class _Reporter:
    """Sends progress, not more often than a person can follow."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send
        self._stage = ""
        self._sent = 0.0

    def __call__(self, stage: str, share: float) -> None:
        now = time.monotonic()
        if stage != self._stage or now - self._sent >= _SEND_SECONDS or share >= 1.0:
            self._stage, self._sent = stage, now
            self._send(StageShare(stage, share))


def train_model(options: TrainingOptions, send: Callable[[Any], None], cancelled: Callable[[], bool]) -> TrainingResult:
    """Train a model as ``parse-engine train`` does, and tell what came of it."""
    report = _Reporter(send)
    if options.rerank and not is_compiled():
        # Every worker would compile what it needs for itself.
        from engine.warm_up import compile_now

        report(COMPILING_STAGE, 0.0)
        compile_now()
    bad = BadTrees()

    def on_bad(error: TreeError) -> None:
        bad(error)
        if len(bad) <= MOST_TOLD:
            send(LeftOut(str(error)))

    model = run_training(options, report, on_bad, cancelled)
    lines = [*summary_lines(model, bad), *run_lines(model)]
    return TrainingResult(options.output, lines, table_sizes(model.counts), len(bad))


def look_at(
    sources: tuple[str, ...], head_rules: str | None, send: Callable[[Any], None], cancelled: Callable[[], bool]
) -> TreebankSurvey:
    """Look at treebanks as ``parse-engine survey`` does."""
    return survey(sources, head_rules=head_rules, progress=_Reporter(send), cancelled=cancelled)
