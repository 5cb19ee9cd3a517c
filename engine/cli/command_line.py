"""The terminal command ``parse-engine``: what to run, and what a failure looks like.

Exit status 0: all went well; 1: some of the input was bad, and the rest was done; 2: a wrong command line, or
nothing could be done; 130 and 143: stopped with Ctrl-C or by the system; 141: nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from engine.cli import (
    cluster_cost,
    compare,
    convert,
    evaluate,
    experiment,
    explain,
    info,
    lookup,
    parse,
    search,
    survey,
    systems,
    tag,
    train,
)
from engine.cli.options import FATAL, take_changed_models
from engine.common.errors import EngineError
from engine.common.interrupts import INTERRUPTED, drop_output, protect_terminal
from engine.common.resources import program_version
from engine.common.terminal import Arguments, Console
from engine.gate.private_files import take_cache_problem
from engine.gate.text_stream import long_reading_told
from engine.model.file_cache import wait_for_copies

PROGRAM = "parse-engine"
BROKEN_PIPE, TERMINATED = 141, 143
_OF_OUTPUT = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Errors that name no file, and come of writing to standard output."""
DEBUG_VARIABLE = "PARSE_ENGINE_DEBUG"

_EPILOG = "Exit status: 0 on success, 1 if some input was bad, 2 if the command line is wrong or nothing could be done."

_COMMANDS = (
    train,
    survey,
    parse,
    tag,
    evaluate,
    compare,
    systems,
    explain,
    lookup,
    search,
    convert,
    info,
    experiment,
    cluster_cost,
)


class Terminated(BaseException):
    """The system asked us to end: raised so that half-written files are taken away and workers stopped."""


def arguments_parser() -> Arguments:
    """Return the parser of the command line."""
    parser = Arguments(
        PROGRAM, description="Collins's 1996 bigram dependency parser, with all its working shown.", epilog=_EPILOG
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {program_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in _COMMANDS:
        module.add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    _speak_utf8()
    protect_terminal()
    try:
        arguments = arguments_parser().parse_args(argv)
    except SystemExit as exit_:
        try:
            sys.stdout.flush()
        except OSError:
            # Help for somebody who does not read it.
            drop_output()
        return exit_.code if isinstance(exit_.code, int) else FATAL
    console = Console(PROGRAM)
    # What another command of this process met is not this one's.
    take_cache_problem()
    take_changed_models()
    try:
        return _run(arguments, console)
    finally:
        # Python would wait for them at its end: what becomes of them can be said before.
        wait_for_copies()
        for problem in filter(None, (*take_changed_models(), take_cache_problem())):
            console.warning(problem)


def _run(arguments: argparse.Namespace, console: Console) -> int:
    """Run the command, and say in one sentence what went wrong."""
    try:
        with _terminable(), long_reading_told(console.note):
            status: int = arguments.run(arguments, console)
            sys.stdout.flush()
            return status
    except EngineError as error:
        console.error(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        drop_output()
        return BROKEN_PIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else "standard output: " if error.errno in _OF_OUTPUT else ""
        console.error(f"{where}{error.strerror or error}")
        drop_output()
    except MemoryError:
        console.error("there is not enough memory for this")
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        console.error(
            f"{PROGRAM} failed through a fault of its own ({type(error).__name__}: {error}); "
            f"please report it with what {DEBUG_VARIABLE}=1 shows"
        )
    return FATAL


@contextmanager
def _terminable() -> Iterator[None]:
    """Turn the system's polite request to end into an exception."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _speak_utf8() -> None:
    """Trees and tables are UTF-8 wherever they go."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with suppress(OSError, ValueError):
                reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
