"""Work in another process: the window keeps its own time and memory, and whatever was begun can be ended at once.

No Qt here: the process that works need not load it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import Popen
from typing import Any

from engine.common.errors import Cancelled, EngineError
from engine.common.files import remove_abandoned, remove_abandoned_folders

_POLL_SECONDS = 0.05
_GRACE_SECONDS = 0.05
"""How long a process that was asked to stop, or is done, may take before it is ended by force.

A person who cancels waits for it, and nothing is lost: what it wrote is whole or not there, and is tidied up here.
"""
NICE = 5
"""How much the process stands back behind the window."""
_MESSAGE, _RESULT, _ERROR = "message", "result", "error"

Work = Callable[..., Any]
"""Called in the other process with its arguments, what sends messages, and what tells whether to stop."""


def run_in_child(
    work: Work,
    arguments: Sequence[Any],
    on_message: Callable[[Any], None],
    check: Callable[[], None],
    writes: Sequence[Path] = (),
) -> Any:
    """Do some work in a process of its own, and return its result.

    Parameters
    ----------
    work, arguments
        A function that can be imported by name, and what it is called with.
    on_message
        Called with whatever the work sends meanwhile.
    check
        Called several times a second; if it raises, the process and all that it started are ended, and nothing of what
        it was writing stays.
    writes
        The files that the work may be writing.

    Raises
    ------
    EngineError
        The error of the work; or that the process ended before its work was done.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work, tuple(arguments)), daemon=False)
    process.start()
    there.close()
    done = False
    try:
        while True:
            check()
            if not here.poll(_POLL_SECONDS):
                continue
            try:
                kind, value = here.recv()
            except (EOFError, ConnectionError):
                raise EngineError(
                    "the process that did the work ended unexpectedly; if memory ran out, use fewer jobs"
                ) from None
            if kind == _MESSAGE:
                on_message(value)
                continue
            done = True
            if kind == _ERROR:
                raise value
            return value
    finally:
        _end(process, here, done)
        remove_abandoned_folders(process.pid)
        for path in writes:
            remove_abandoned(path, process.pid)
        here.close()


def _end(process: BaseProcess, connection: Connection, done: bool) -> None:
    """Have the process end: by itself if it does so soon, else by force, with all that it started."""
    if not done and process.is_alive():
        # It may be gone, or going.
        with contextlib.suppress(OSError, ValueError):
            connection.send(None)
    process.join(_GRACE_SECONDS)
    if process.is_alive():
        end_by_force(process)
        process.join()


def end_by_force(process: BaseProcess | Popen[bytes]) -> None:
    """End a process at once, and the whole group where it leads one."""
    if sys.platform == "win32" or process.pid is None:
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        # It had not come to lead a group of its own yet.
        process.kill()


def _serve(connection: Connection, work: Work, arguments: tuple[Any, ...]) -> None:
    """Do the work, in the other process."""
    if hasattr(os, "setsid"):
        # What it starts is of its group, and ends with it.
        os.setsid()
        # The window goes first where both want the processor.
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        if sys.platform != "win32":
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()

    def send(message: Any) -> None:
        connection.send((_MESSAGE, message))

    try:
        result = work(*arguments, send, connection.poll)
    except Cancelled:
        return
    except (BrokenPipeError, ConnectionError):
        # Nobody waits any more.
        return
    except EngineError as error:
        connection.send((_ERROR, error))
    except Exception as error:
        connection.send((_ERROR, RuntimeError(f"{type(error).__name__}: {error}")))
    else:
        connection.send((_RESULT, result))
