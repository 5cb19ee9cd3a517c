"""Children that read inputs: forked, with bounded memory and time, so that a signal or a loop without end is seen.

A child says in shared memory which input it is at and what it counted, and through a pipe what failed.  Whoever waits
for it kills it when an input takes too long, and goes on behind the input at which a child died.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import workspace
from tests.fuzz.target import READ, Target, outcome

_STATE = struct.Struct("<qdqqdq")
_PATIENCE = 10.0
"""Seconds of the clock beyond those of the processor after which an input has no end; the machine may be busy."""
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that was neither read nor refused in one sentence.

    Attributes
    ----------
    target, index
        Which input: seed, target and index make it again.
    kind
        The error's type and where it was raised, the signal, or that it took too long: what it has in common with
        other failures of the same cause.
    message
        What the error said.
    """

    target: str
    index: int
    kind: str
    message: str


@dataclass(slots=True)
class Tally:
    """What became of some inputs of one target."""

    read: int = 0
    refused: int = 0
    failed: int = 0
    slowest: float = 0.0
    slowest_index: int = -1

    @property
    def inputs(self) -> int:
        """How many there were."""
        return self.read + self.refused + self.failed

    def add(self, other: Tally) -> None:
        """Count others, too."""
        self.read += other.read
        self.refused += other.refused
        self.failed += other.failed
        if other.slowest > self.slowest:
            self.slowest, self.slowest_index = other.slowest, other.slowest_index


class Child:
    """A child that reads the inputs `first` to `end` of a target.

    Attributes
    ----------
    tally, failures
        What became of them; complete when it has finished.
    next
        The input to go on with, if the child died before its end.
    """

    def __init__(self, target: Target, make: Callable[[int], bytes], first: int, end: int) -> None:
        self.target = target
        self.end = end
        self.next = first
        self.tally = Tally()
        self.failures: list[Failure] = []
        self._state = mmap.mmap(-1, _STATE.size)
        self._state[:] = _STATE.pack(first, time.monotonic(), 0, 0, 0.0, -1)
        reading, writing = os.pipe()
        self._received = b""
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(reading)
                _work(target, make, first, end, self._state, writing)
            finally:
                os._exit(1)
        os.close(writing)
        self.pipe = reading

    def finished(self) -> bool:
        """Hear what it has to say; true once it has ended, was ended, or died."""
        data = os.read(self.pipe, 1 << 16) if select.select([self.pipe], [], [], 0)[0] else None
        if data:
            self._received += data
            return False
        index, since, *_ = _STATE.unpack(self._state[:])
        endless = time.monotonic() - since > self.target.seconds + _PATIENCE
        if data is None and not endless:
            return False
        if data is None:
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.pipe)
        _, status = os.waitpid(self.pid, 0)
        self._close(index, status, endless)
        return True

    def _close(self, index: int, status: int, endless: bool) -> None:
        for line in self._received.splitlines():
            self.failures.append(Failure(self.target.name, *json.loads(line)))
        self.next = self.end
        if endless or status:
            self.next = index + 1
            kind = "no end"
            if not endless:
                kind = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "the process ended"
            self.failures.append(Failure(self.target.name, index, kind, ""))
        _, _, read, refused, slowest, slowest_index = _STATE.unpack(self._state[:])
        self.tally = Tally(read, refused, len(self.failures), slowest, slowest_index)
        self._state.close()


def _work(
    target: Target, make: Callable[[int], bytes], first: int, end: int, state: mmap.mmap, report: int
) -> None:  # pragma: no cover - in a child
    """Read inputs one after the other; ends the process."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    # A signal is told by whoever waits.
    faulthandler.disable()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    _bound_memory(target.megabytes << 20)
    read = refused = 0
    slowest, slowest_index = 0.0, -1
    for index in range(first, end):
        state[:] = _STATE.pack(index, time.monotonic(), read, refused, slowest, slowest_index)
        kind = message = ""
        begun = time.process_time()
        try:
            data = make(index)
            begun = time.process_time()
            if outcome(target, data) == READ:
                read += 1
            else:
                refused += 1
        except BaseException as error:
            kind, message = _kind(error), str(error)[:300]
        took = time.process_time() - begun
        if took > slowest:
            slowest, slowest_index = took, index
        if took > target.seconds and not kind:
            kind, message = "too slow", f"{took:.1f} s"
            # It was counted as read or refused, and fails all the same.
            read, refused = (read - 1, refused) if read else (read, refused - 1)
        if kind:
            os.write(report, json.dumps([index, kind, message]).encode() + b"\n")
    state[:] = _STATE.pack(end, time.monotonic(), read, refused, slowest, slowest_index)
    workspace.end_child()
    os._exit(0)


def _bound_memory(size: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    limit = pages * resource.getpagesize() + size
    if pages:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _kind(error: BaseException) -> str:
    """The type of an error and the last place in the project that it came through."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(str(ROOT)) and "/.venv/" not in frame.filename:
            place = f"{Path(frame.filename).relative_to(ROOT)}:{frame.name}"
    return f"{type(error).__name__} in {place}"


def judged(target: Target, data: bytes) -> Failure | None:
    """Read one input in a child: how it fails, or ``None`` if it is read or refused."""
    workspace.begin()
    child = Child(target, lambda index: data, 0, 1)
    while not child.finished():
        select.select([child.pipe], [], [], 0.05)
    return child.failures[0] if child.failures else None
