"""The terminal: command lines whose errors are one line, messages, and progress with the time left."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from engine.common.characters import one_line, unsteering

# Command lines whose errors are one line, for terminal and window.

WRONG = 2
"""The exit status of a command that could not be understood."""


class Arguments(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and stop."""
        self.exit(WRONG, f"{self.prog}: error: {message}; see `{self.prog} --help`\n")


# Messages and progress at the terminal, with the time left.
#
# All of it goes to standard error; the progress line only if that is a terminal.

_REDRAW_SECONDS = 0.1
_WIDEST_BAR = 30


class Console:
    """Standard error: one-sentence messages above an optional progress line."""

    def __init__(self, program: str = "parse-engine") -> None:
        self.program = program
        self.stream = sys.stderr
        try:
            self.live = self.stream.isatty()
        except (AttributeError, ValueError):
            self.live = False
        self._shown = 0
        self._drawn_at = 0.0

    def note(self, text: str) -> None:
        """Say something that is neither warning nor error."""
        # It may name a file, or quote a word.
        self._write(f"{self.program}: {one_line(text)}\n")

    def warning(self, text: str) -> None:
        """Say that a result may not be what was wanted."""
        self.note(f"warning: {text}")

    def error(self, text: str) -> None:
        """Say what is wrong with the input."""
        self.note(f"error: {text}")

    @contextmanager
    def bar(self, title: str, shown: bool = True) -> Iterator[Bar]:
        """Give a progress line for as long as the block runs, if it is to be shown at all."""
        bar = Bar(self, title, shown and self.live)
        try:
            yield bar
        finally:
            self._clear()

    def draw(self, line: str) -> None:
        """Put a line in place of the progress line, not more often than the eye can follow."""
        now = time.monotonic()
        if now - self._drawn_at < _REDRAW_SECONDS:
            return
        self._drawn_at = now
        line = unsteering(line)[: shutil.get_terminal_size().columns - 1]
        try:
            self.stream.write("\r" + line.ljust(self._shown))
            self.stream.flush()
        except (OSError, ValueError):
            self.live = False
        self._shown = len(line)

    def _write(self, text: str) -> None:
        self._clear()
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):
            # Nobody reads standard error any more; the work itself goes on.
            self.live = False

    def _clear(self) -> None:
        if self._shown:
            self._drawn_at = 0.0
            try:
                self.stream.write("\r" + " " * self._shown + "\r")
                self.stream.flush()
            except (OSError, ValueError):
                self.live = False
            self._shown = 0


class Bar:
    """The progress line of one piece of work, which may have several stages."""

    def __init__(self, console: Console, title: str, shown: bool) -> None:
        self._console = console
        self._title = title
        self._shown = shown
        self._started = time.monotonic()
        self._share = 0.0

    def stage(self, title: str, share: float) -> None:
        """Show a stage's progress; the time left is that of the stage.

        A stage that goes on where the one before it stopped, with a greater share, is a part of the same work under
        another title: the time left is then that of all of it.
        """
        if title != self._title and (not share or share < self._share):
            self._started = time.monotonic()
        self._title = title
        self._share = share
        self.update(share)

    def update(self, share: float | None, done: str = "") -> None:
        """Show how far the work is: a share from 0 to 1 if it is known, and what is done in words."""
        if not self._shown:
            return
        elapsed = time.monotonic() - self._started
        if share is None:
            self._console.draw(f"{self._title}  {done}  {clock(elapsed)}")
            return
        share = min(max(share, 0.0), 1.0)
        filled = round(_WIDEST_BAR * share)
        left = time_left(share, elapsed)
        bar = "=" * filled + "." * (_WIDEST_BAR - filled)
        self._console.draw("  ".join(filter(None, [self._title, f"[{bar}] {share:4.0%}", done, left])))


def time_left(share: float, elapsed: float, least: float = 0.5) -> str:
    """Return how long work still takes of which a share is done: ``0:12 left``; empty before `least` seconds."""
    return f"{clock(elapsed * (1 - share) / share)} left" if share > 0 and elapsed > least else ""


def clock(seconds: float) -> str:
    """Return a duration: ``0:07``, ``12:30``, ``1:02:03``."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
