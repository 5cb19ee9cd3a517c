"""A target of fuzzing: a reader of text or of a file, how inputs for it are made, and which errors are refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.common.errors import EngineError

LONGEST_REFUSAL = 1000
"""Characters of a refusal; a longer one repeats the input."""

Make = Callable[[Random], bytes]
Run = Callable[[bytes], Any]


class Broken(Exception):
    """An input that was read, but not as the reader promises; or a refusal that is not one clear sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reader.

    Attributes
    ----------
    name
        By which the command line and the corpus call it.
    make
        Makes an input from a source of random numbers; the same numbers make the same input.
    run
        Reads an input and does with it what a user would; raises one of `refusals`, or returns.
    refusals
        What a user is shown as it is: one clear sentence.
    prepare
        Called once before children are forked: whatever is slow and the same for every input.
    examples
        Good inputs, which are read and not refused.
    batch
        Inputs that one child reads.
    weight
        How many inputs it gets, compared with others, where a number for all is given.
    seconds, megabytes
        What one input may take: seconds of the processor's time, and memory beside what the child begins with.
    """

    name: str
    make: Make
    run: Run
    refusals: tuple[type[Exception], ...] = (EngineError,)
    prepare: Callable[[], object] = field(default=lambda: None)
    examples: Sequence[bytes] = ()
    batch: int = 2000
    weight: float = 1.0
    seconds: float = 2.0
    megabytes: int = 1000


READ, REFUSED = "read", "refused"


def outcome(target: Target, data: bytes) -> str:
    """Read one input: :data:`READ` or :data:`REFUSED`; whatever else happens is raised."""
    try:
        target.run(data)
    except target.refusals as error:
        check_refusal(str(error))
        return REFUSED
    return READ


def check_refusal(message: str) -> None:
    """Raise :class:`Broken` unless a message is one sentence on one line."""
    if not message.strip() or len(message) > LONGEST_REFUSAL or len(message.splitlines()) != 1:
        raise Broken(f"the refusal is not one sentence: {message[:200]!r}")


def all_of(*steps: Callable[[], object]) -> None:
    """Take every step, whether or not one before it refuses; then raise the last refusal."""
    refused: EngineError | None = None
    for step in steps:
        try:
            step()
        except EngineError as error:
            check_refusal(str(error))
            refused = error
    if refused is not None:
        raise refused


def as_text(data: bytes) -> str:
    """An input as text, as the arguments of a command are: a byte that is no UTF-8 becomes half a character."""
    return data.decode("utf-8", "surrogateescape")
