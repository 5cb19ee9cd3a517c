"""A campaign: inputs for many targets, several children at once, a table at the end, failing inputs kept and shrunk."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz import workspace
from tests.fuzz.children import Child, Failure, Tally, judged
from tests.fuzz.target import Target

_SHRINKING_SECONDS = 10.0
_HEADER = ("target", "inputs", "read", "refused", "failures", "slowest")


def input_of(target: Target, seed: int, index: int) -> bytes:
    """One input of a target; the same seed and index make it again."""
    return target.make(Random(f"{seed}/{target.name}/{index}"))


def inputs_of(target: Target, seed: int) -> Callable[[int], bytes]:
    """The inputs of a target by index."""
    return lambda index: input_of(target, seed, index)


@dataclass(slots=True)
class Progress:
    """How far a campaign is with one target: what is begun, what is left of a child that died, and what came of it."""

    target: Target
    most: int | None
    begun: int = 0
    left: list[tuple[int, int]] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    def take(self) -> tuple[int, int] | None:
        """The next inputs to read, ``None`` if there are no more."""
        if self.left:
            return self.left.pop()
        if self.most is not None and self.begun >= self.most:
            return None
        first = self.begun
        # Where the time is what counts, no target may hold the others up.
        end = first + (self.target.batch if self.most is not None else max(1, self.target.batch // 10))
        self.begun = end if self.most is None else min(end, self.most)
        return first, self.begun


class Campaign:
    """Runs targets until the time is over or so many inputs were read.

    Parameters
    ----------
    targets
        What to fuzz.
    seed
        From which all inputs follow.
    inputs
        How many altogether, shared by the targets' weights; or
    seconds
        how long, shared equally.
    jobs
        How many children at a time.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        seed: int,
        inputs: int | None = None,
        seconds: float | None = None,
        jobs: int = 1,
    ) -> None:
        weights = sum(target.weight for target in targets)
        self.seed = seed
        self.progress = [
            Progress(target, None if inputs is None else max(1, round(inputs * target.weight / weights)))
            for target in targets
        ]
        self._seconds = seconds
        self._jobs = jobs

    @property
    def failures(self) -> list[Failure]:
        """All that failed, in the order of targets and inputs."""
        return [one for each in self.progress for one in sorted(each.failures, key=lambda failure: failure.index)]

    def run(self, tell: Callable[[Failure], None] = lambda failure: None) -> None:
        """Run it; `tell` hears of every failure as it is found."""
        workspace.begin()
        for each in self.progress:
            each.target.prepare()
        until = time.monotonic() + self._seconds if self._seconds is not None else None
        running: list[tuple[Child, Progress, float]] = []
        while True:
            while len(running) < self._jobs and (until is None or time.monotonic() < until):
                started = self._start()
                if started is None:
                    break
                running.append((*started, time.monotonic()))
            if not running:
                return
            select.select([child.pipe for child, _, _ in running], [], [], 0.05)
            for one in list(running):
                child, progress, since = one
                if child.finished():
                    running.remove(one)
                    progress.seconds += time.monotonic() - since
                    progress.tally.add(child.tally)
                    progress.failures += child.failures
                    if child.next < child.end:
                        progress.left.append((child.next, child.end))
                    for failure in child.failures:
                        tell(failure)

    def _start(self) -> tuple[Child, Progress] | None:
        # Whoever had the least time comes next.
        for progress in sorted(self.progress, key=lambda each: (each.seconds, each.begun)):
            taken = progress.take()
            if taken is not None:
                # Counted when it begins, so that the next child is another target's.
                progress.seconds += 1e-6
                return Child(progress.target, inputs_of(progress.target, self.seed), *taken), progress
        return None

    def table(self) -> str:
        """What became of all inputs, as a table of Markdown."""
        rows = [_HEADER, *(_row(each.target.name, each.tally) for each in self.progress)]
        if len(self.progress) > 1:
            total = Tally()
            for each in self.progress:
                total.add(each.tally)
            rows.append(_row("all", total))
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
        lines = [
            "| " + " | ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + " |" for row in rows
        ]
        lines.insert(
            1, "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
        )
        return "\n".join(lines)

    def keep(self, folder: Path) -> list[str]:
        """Write the first failing input of each kind to a file, shrunk; one line about each."""
        told = []
        known: set[tuple[str, str]] = set()
        targets = {each.target.name: each.target for each in self.progress}
        for failure in self.failures:
            if (failure.target, failure.kind) in known:
                continue
            known.add((failure.target, failure.kind))
            alike = sum((one.target, one.kind) == (failure.target, failure.kind) for one in self.failures)
            target = targets[failure.target]
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{failure.target}-{self.seed}-{failure.index}"
            path.write_bytes(shrunk(target, input_of(target, self.seed, failure.index), failure.kind))
            told.append(
                f"{failure.target}: {failure.kind}: {failure.message[:160]!r}; {alike} inputs, the first of them "
                f"--target {failure.target} --seed {self.seed} --index {failure.index}, shrunk in {path}"
            )
        return told


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    counts = (tally.inputs, tally.read, tally.refused, tally.failed)
    return (name, *(f"{count:,}" for count in counts), f"{tally.slowest:.2f} s")


def shrunk(target: Target, data: bytes, kind: str, seconds: float = _SHRINKING_SECONDS) -> bytes:
    """A shorter input that fails in the same way, found by leaving out pieces, as far as the time goes."""
    until = time.monotonic() + seconds
    size = len(data) // 2
    while size >= 1 and time.monotonic() < until:
        at = 0
        while at < len(data) and time.monotonic() < until:
            shorter = data[:at] + data[at + size :]
            failure = judged(target, shorter)
            if failure is not None and failure.kind == kind:
                data = shorter
            else:
                at += size
        size //= 2
    return data
