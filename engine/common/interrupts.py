"""Ctrl-C at any moment (no traceback, exit status 130, no half-written file), and streams that are closed."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from engine.common.characters import unsteering

# Standard streams: what stands in the place of one that is closed, and what a terminal is given.
#
# Whoever starts the program may have closed one (``<&-``, ``>&-``, ``2>&-``).  Python then has ``None`` in its place,
# and the next file that is opened gets the stream's number: what another program writes to its standard output would
# end in it.

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


# Handling of Ctrl-C at any moment: no traceback, exit status 130, no half-written file.
#
# Importing the rest of the program takes a third of a second, in which Python would answer with a traceback; so
# this module comes first, and imports nothing that takes time.

INTERRUPTED = 130


def run_command(module: str, at_once: bool = False) -> int:
    """Run the function ``main`` of a module, which is imported only now; the result is the exit status.

    Ctrl-C is an exception, by which the command ends in good order, or ends it `at_once`: for one that runs in
    libraries which may lose an exception, as long as it has nothing of its own to see to.
    """

    def load() -> Callable[[], int]:
        main: Callable[[], int] = import_module(module).main
        return main

    fill_closed_streams()
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # Whoever started us wants us deaf, or sees to it himself.
        return load()()
    signal.signal(signal.SIGINT, leave)
    sys.excepthook = _quiet(sys.excepthook)
    sys.unraisablehook = _quiet(sys.unraisablehook)
    main = load()
    try:
        if not at_once:
            signal.signal(signal.SIGINT, _stop)
        status = main()
    except KeyboardInterrupt:
        leave()
    finally:
        # Python waits for threads at its end, and nothing could catch an exception any more.
        signal.signal(signal.SIGINT, leave)
    if status == INTERRUPTED:
        # At the end of a module Python kills itself by the signal if that came while code was run that had been text.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        leave()
    return status


def leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> NoReturn:
    """End at once: nothing is tidied up but half-written files and processes of ours."""
    files = sys.modules.get("engine.common.files")
    if files is not None:
        files.abandon()
    processes = sys.modules.get("multiprocessing")
    if processes is not None:
        for child in processes.active_children():
            child.kill()
    os._exit(INTERRUPTED)


def _stop(number: int, frame: FrameType | None) -> None:
    """The first time end in good order, and at once if that takes too long for whoever waits."""
    signal.signal(signal.SIGINT, leave)
    raise KeyboardInterrupt


def _quiet(say: Callable[..., Any]) -> Callable[..., Any]:
    """Return a hook for exceptions that nobody caught: an interrupt in a place that cannot pass
    it on ends the program.
    """

    def hook(*found: Any) -> None:
        kind = found[0] if isinstance(found[0], type) else found[0].exc_type
        if issubclass(kind, KeyboardInterrupt):
            leave()
        say(*found)

    return hook
