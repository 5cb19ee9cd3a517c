"""A process of the engine's beside the window: told and telling by JSON lines, and ended with the window at the latest.

Training, reading large treebanks and drawing plots hold Python's lock for longer than a window may wait, so they are
done elsewhere.  The process runs a module of the engine by its name, never this program: no second window can open.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.common.errors import EngineError
from engine.common.files import remove_abandoned_folders
from engine.common.this_program import module_command
from explorer.tasks.child_process import end_by_force

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
                facts = json.loads(line)
                self._said.put(Said(facts, out.read(facts.get("bytes", 0))))
        self._said.put(None)
