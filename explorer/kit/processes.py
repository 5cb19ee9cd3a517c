"""Work in other processes: the window keeps its own time and memory, and whatever was begun can be ended."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple

from engine.common.errors import Cancelled, EngineError
from engine.common.files import remove_abandoned, remove_abandoned_folders
from engine.common.this_program import module_command, safe_start
from engine.gate.checked_json import read_message

# Work in another process: the window keeps its own time and memory, and whatever was begun can be ended at once.
#
# No Qt here: the process that works need not load it.

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
    with safe_start():
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


# A process of the engine's beside the window: told and telling by JSON lines, and ended with the window at the latest.
#
# Training, reading large treebanks and drawing plots hold Python's lock for longer than a window may wait, so they are
# done elsewhere.  The process runs a module of the engine by its name, never this program: no second window can open.

_END_SECONDS = 0.1
"""How long a process that is told to end is waited for; it takes some hundredths of a second, once it listens."""


class Said(NamedTuple):
    """What the process has said: an object, and the bytes that followed it."""

    facts: dict[str, Any]
    data: bytes = b""


class EngineProcess:
    """Starts a module of the engine, and listens to it.

    Parameters
    ----------
    module
        The module's name.
    """

    def __init__(self, module: str) -> None:
        hidden: dict[str, Any] = {}
        if sys.platform == "win32":
            hidden = {"creationflags": subprocess.CREATE_NO_WINDOW}
        self._process = subprocess.Popen(
            module_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # What it starts is of its group, and ends with it.
            start_new_session=True,
            **hidden,
        )
        self._said: queue.SimpleQueue[Said | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="child", daemon=True)
        self._reader.start()

    @property
    def id(self) -> int:
        """The system's number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def tell(self, text: str) -> None:
        """Write a line to the process; one that has ended hears nothing, which shows when it is listened to."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(text.encode() + b"\n")
            self._process.stdin.flush()

    def ask(self, value: Mapping[str, Any]) -> None:
        """Write an object to the process."""
        self.tell(json.dumps(value))

    def hear(self, seconds: float) -> Said | None:
        """What it says next; ``None`` if it is silent for so long.  Raises :class:`EngineError` if it has ended."""
        try:
            said = self._said.get(timeout=seconds)
        except queue.Empty:
            return None
        if said is None:
            raise EngineError("a process beside the window ended unexpectedly; if memory ran out, use fewer processes")
        return said

    def stop(self) -> None:
        """End the process, and all that it has started."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            end_by_force(self._process)
            self._process.wait()
            remove_abandoned_folders(self._process.pid)
        self._reader.join()
        self._process.stdout.close()

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        with contextlib.suppress(OSError, ValueError):
            while line := out.readline():
                facts = read_message(line)
                self._said.put(Said(facts, out.read(facts.get("bytes", 0))))
        self._said.put(None)
