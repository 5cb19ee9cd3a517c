"""Waiting until something is so, which fails when it takes too long: no test waits for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

MOMENT = 0.002
"""Seconds between two looks."""


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Look again and again, until the condition holds; a test in which it never does fails."""
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, f"still waiting after {seconds:g} s"
        time.sleep(MOMENT)


def has_processes(group: int) -> bool:
    """Whether a group of processes has any left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
