"""How an experiment is watched, paused and cancelled from another thread while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from engine.common.errors import Cancelled

Watch = Callable[[float, str], None]
"""Told the share of all work that is done, and what is being done."""
PAUSE, GO_ON = "pause", "go on"
"""What another process is told."""
_ASK_SECONDS = 0.05


class Supervision:
    """Asked by a run between two sentences; the other methods are for whoever supervises.

    Parameters
    ----------
    watch
        Told how far the work is.
    on_measured
        Told the number of a trial and its measures: now and then while it is under way, and when it is done.
    """

    def __init__(
        self,
        watch: Watch = lambda share, what: None,
        on_measured: Callable[[int, Mapping[str, Any], bool], None] = lambda trial, result, done: None,
    ) -> None:
        self.watch = watch
        self.on_measured = on_measured
        self._cancelled = threading.Event()
        self._going = threading.Event()
        self._going.set()

    def pause(self) -> None:
        """Have the run wait after the sentence in hand; processes finish the batches that they have."""
        self._going.clear()

    def go_on(self) -> None:
        """Let the run go on."""
        self._going.set()

    def cancel(self) -> None:
        """Have the run end; what was measured is kept."""
        self._cancelled.set()

    @property
    def paused(self) -> bool:
        """Whether the run waits, or will."""
        return not self._going.is_set()

    def cancelled(self) -> bool:
        """Whether the run is to end."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Wait while the run is paused; raise :class:`Cancelled` if it is to end."""
        while not self.cancelled() and not self._going.wait(_ASK_SECONDS):
            pass
        if self.cancelled():
            raise Cancelled("the experiment was cancelled")
