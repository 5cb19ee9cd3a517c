"""Files that work needs, on machines where they may have another name or not be at all.

Work that reads a file names it as the caller does, and asks :func:`place_of` where it is.  On the caller's own machine
that is the same name.  Elsewhere whoever brought the file there says so, for as long as the work runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol, runtime_checkable

_places: ContextVar[Mapping[Path, Path] | None] = ContextVar("places", default=None)
_stop_asked: ContextVar[Callable[[], bool] | None] = ContextVar("stop_asked", default=None)


@runtime_checkable
class NeedsFiles(Protocol):
    """A task, or what makes the function that does tasks, that reads files of the caller's."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files, under the caller's names; those of a task may come into being by tasks before it."""


def needed_files(*things: object) -> tuple[Path, ...]:
    """The files that these need, each once."""
    return tuple(dict.fromkeys(file for thing in things if isinstance(thing, NeedsFiles) for file in thing.files))


def place_of(file: Path) -> Path:
    """Where a file of the caller's is on this machine."""
    return (_places.get() or {}).get(file, file)


def stop_asked() -> bool:
    """Whether the work that is being done is no longer wanted; processes of the caller's own are ended instead."""
    ask = _stop_asked.get()
    return ask is not None and ask()


@contextmanager
def away_from_home(places: Mapping[Path, Path], asked: Callable[[], bool]) -> Iterator[None]:
    """Do work of a caller elsewhere, whose files have these places here, and who may ask to stop."""
    before, asked_before = _places.set(places), _stop_asked.set(asked)
    try:
        yield
    finally:
        _places.reset(before)
        _stop_asked.reset(asked_before)
