"""How long the window's thread was held up."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer


class Heart:
    """A timer that notes the longest time between two of its beats, and how much of it this thread worked.

    Attributes
    ----------
    longest, most_work
        Seconds between two beats, by the clock and of this thread's own work.
    last
        When it beat last, by the clock.
    """

    def __init__(self) -> None:
        self.reset()
        self._timer = QTimer(interval=2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def reset(self) -> None:
        """Forget what was."""
        self.longest = self.most_work = 0.0
        self.last, self._work = time.perf_counter(), time.thread_time()

    def stop(self) -> float:
        """Beat once more; the longest work of this thread without the event loop turning."""
        self._beat()
        self._timer.stop()
        return self.most_work

    def _beat(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, now - self.last)
        self.most_work = max(self.most_work, work - self._work)
        self.last, self._work = now, work
