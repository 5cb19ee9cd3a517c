"""Standard streams: what stands in the place of one that is closed, and what a terminal is given.

Whoever starts the program may have closed one (``<&-``, ``>&-``, ``2>&-``).  Python then has ``None`` in its place, and
the next file that is opened gets the stream's number: what another program writes to its standard output would end in
it.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from engine.common.characters import unsteering

_HOW = ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY))
"""A stream that is closed cannot be read or written, and must say so; of messages nobody wants to know."""


def fill_closed_streams() -> None:
    """Put something in the place of each closed stream: reading or writing fails with an error of the system's."""
    for number, name, flags in _HOW:
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flags)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


def drop_output() -> None:
    """Let what is still to be written to standard output go nowhere, so that the interpreter ends in peace."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class TerminalOutput(io.TextIOWrapper):
    """Standard output where it is a terminal: words from files do not steer that."""

    def write(self, text: str) -> int:
        """Write text without what would move the cursor, or do anything else than show letters."""
        return super().write(unsteering(text))


def protect_terminal() -> None:
    """See that nothing in the output steers the terminal that shows it; a file or pipe gets everything as it is."""
    stream = sys.stdout
    with suppress(AttributeError, OSError, ValueError):
        if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, TerminalOutput) and stream.isatty():
            stream.flush()
            # The stream of before stays open as `sys.__stdout__`.
            sys.stdout = TerminalOutput(
                stream.buffer, encoding="utf-8", errors="backslashreplace", line_buffering=stream.line_buffering
            )
