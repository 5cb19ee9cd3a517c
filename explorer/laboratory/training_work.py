"""What training and the look at treebanks do in a process of their own; no Qt here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.common.errors import TreeError
from engine.compiled.cache import is_compiled
from engine.counts.counting import table_sizes
from engine.training.survey_results import TreebankSurvey
from engine.training.training_run import TrainingOptions, run_training
from engine.training.training_summary import run_lines, summary_lines
from engine.training.treebank_survey import survey
from engine.trees.treebank import BadTrees

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
