"""Compiling in the background: which kernels are there by now, and the child processes that compile the others.

A program that runs interpreted looks into the cache now and then, and so takes compiled kernels up within a moment,
whoever compiled them.  If a part is missing and nobody is at work on it, it starts children that compile; they go on
when the program ends.  A child that dies, or another program's, leaves its part to the next one.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from typing import Any

from engine.common.this_program import module_command
from engine.compiled import cache

COMPILERS = 2
"""How many processes compile at once: more would wait for the first part all the same."""
MOST_COMPILERS = 6
"""How many children a program starts before it takes compiling to be impossible here."""
WARM_UP = "engine.warm_up"
"""The module that a child runs; it calls every kernel once, and so stands above them all."""
LOOK_SECONDS = 0.25
"""How often a program that runs interpreted looks whether more is compiled."""


class Availability:
    """The kernels that this machine's cache holds, as far as this process has seen, and the children that add to it.

    Attributes
    ----------
    compilers
        All children that it started.
    """

    def __init__(self) -> None:
        self._ready: frozenset[str] = frozenset()
        self._complete = False
        self._looked = -LOOK_SECONDS
        self._lock = threading.Lock()
        self.compilers: list[subprocess.Popen[bytes]] = []

    def is_ready(self, name: str) -> bool:
        """Whether the cache holds a kernel; looks into it now and then, and has it filled if need be."""
        # A thread that finds another one looking goes on with what is known.
        if name not in self._ready and not self._complete and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return name in self._ready

    def look_again(self) -> None:
        """Look into the cache at the next question: something in it was damaged, and is gone."""
        with self._lock:
            self._ready, self._complete = frozenset(), False
            self._looked = -LOOK_SECONDS

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        if not cache.is_usable():
            # Nor will it be while this program runs.
            self._complete = True
            return
        listed = [cache.listed_kernels(part) for part in cache.PARTS]
        self._ready = frozenset().union(*filter(None, listed))
        if None in listed:
            self.compile(COMPILERS)
        else:
            self._complete = True
            cache.keep_cache()

    def compile(self, most: int) -> None:
        """Start children for the parts that nobody is at work on, unless ours are still running or keep failing."""
        if not self.compiling():
            for _ in cache.free_parts()[: min(most, MOST_COMPILERS - len(self.compilers))]:
                with contextlib.suppress(OSError):
                    self.compilers.append(_start_compiler())

    def compiling(self) -> bool:
        """Whether a child of ours is filling the cache."""
        return any(compiler.poll() is None for compiler in self.compilers)


def _start_compiler() -> subprocess.Popen[bytes]:
    # Ctrl-C is meant for the command, not for what it started.
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(
        module_command(WARM_UP),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **detached,
    )


AVAILABILITY = Availability()
"""The one of this process."""
