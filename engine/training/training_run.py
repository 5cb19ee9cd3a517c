"""One run of training, as terminal and window do it: treebanks in, a model file with a record of the run out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.common.errors import Cancelled
from engine.common.files import check_writable
from engine.common.memory import MemoryWatch
from engine.common.parallel import Workers
from engine.common.resources import program_version
from engine.model.model import RUN_RECORD, Model
from engine.training.training import Progress, train
from engine.trees.treebank import OnBad, corpus_name

WRITING_STAGE = "writing"
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What is trained on, how, and where the model goes.

    Attributes
    ----------
    treebanks, output
        Files and folders of trees, and the file to write.
    head_rules
        A table of head rules to use in place of the project's own.
    skip_bad
        Whether to leave broken trees out; without it the first ends the training.
    credits
        Lines of credit to keep in the model.
    weights
        How many times the trees of each treebank count in preset (5), one number a treebank; none for once.
    tagger, rerank, compact, packed
        Whether there is a tagger, a re-ranker, only contexts that matter, and a small file.
    jobs
        Number of processes.
    record
        Whether the model keeps a record of the run: with it no two files are the same.
    """

    treebanks: tuple[str, ...]
    output: str
    head_rules: str | None = None
    skip_bad: bool = False
    credits: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()
    tagger: bool = True
    rerank: bool = False
    compact: bool = False
    packed: bool = False
    jobs: int = 1
    record: bool = True


class RunRecord:
    """Notes how long every stage takes, and how much memory.

    Parameters
    ----------
    progress
        Told of the progress in turn.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._seconds: dict[str, float] = {}
        self._memory = MemoryWatch()
        self._stage = ""
        self._since = self._looked = self._started = time.monotonic()

    def __call__(self, stage: str, share: float) -> None:
        """Note where the work is."""
        now = time.monotonic()
        if stage != self._stage:
            self._end(now)
            self._stage = stage
        if now - self._looked >= _LOOK_SECONDS:
            self._memory.look()
            self._looked = now
        self._progress(stage, share)

    def _end(self, now: float) -> None:
        if self._stage:
            self._seconds[self._stage] = self._seconds.get(self._stage, 0.0) + now - self._since
        self._since = now

    def as_dict(self, options: TrainingOptions) -> dict[str, Any]:
        """What a model keeps of its training."""
        now = time.monotonic()
        self._end(now)
        self._memory.look()
        return {
            "program": program_version(),
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(now - self._started, 3),
            "stages": {stage: round(seconds, 3) for stage, seconds in self._seconds.items()},
            "memory_bytes": self._memory.most,
            "jobs": options.jobs,
            "options": {
                "head_rules": corpus_name(options.head_rules) if options.head_rules else "built-in",
                "left_out_broken_trees": options.skip_bad,
                "tagger": options.tagger,
                "re_ranker": options.rerank,
                "compact": options.compact,
                "packed": options.packed or options.compact,
            },
        }


def run_training(
    options: TrainingOptions,
    progress: Progress,
    on_bad: OnBad | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    workers: int | Workers | None = None,
) -> Model:
    """Train a model and write its file; nothing is written before the model is complete.

    Parameters
    ----------
    options
        What to do.
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.
    on_bad
        Told of every broken tree that is left out, if the options want them left out.
    workers
        What does the work, if not as many processes as the options name.

    Raises
    ------
    TreeError
        For the first broken tree, if broken ones are not to be left out.
    Cancelled
        If it was cancelled.
    """
    output = Path(options.output)
    check_writable(output)
    record = RunRecord(progress)
    model = train(
        options.treebanks,
        head_rules=options.head_rules,
        on_bad=_told(on_bad) if options.skip_bad else None,
        credits=options.credits,
        weights=options.weights,
        tagger=options.tagger,
        rerank=options.rerank,
        compact=options.compact,
        jobs=options.jobs if workers is None else workers,
        progress=record,
        cancelled=cancelled,
    )
    if options.record:
        model.metadata[RUN_RECORD] = record.as_dict(options)
    if cancelled():
        raise Cancelled("training was cancelled")
    progress(WRITING_STAGE, 0.0)
    model.save(output, packed=options.packed or options.compact)
    return model


def _told(on_bad: OnBad | None) -> OnBad:
    """Whoever is told of broken trees, or nobody; one that counts them is false while it has none."""
    return on_bad if on_bad is not None else lambda error: None
