"""A forked child that does some work and is killed: at its n-th use of a file, or after some seconds."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

EVENTS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.utime", "shutil.rmtree"})
"""What Python says before it does it, of all that changes files."""
FAILED = 99


def run_child(work: Callable[[], object], temporary: Path, at: int = 0, after: float = 0.0) -> int:
    """Do work in a forked child; its exit status, or the negative number of the signal that ended it.

    Parameters
    ----------
    work
        What to do.
    temporary
        Its folder for temporary files.
    at
        At which use of a file it is killed; 0 for none.
    after
        After how many seconds it is killed; 0 for never.
    """
    child = os.fork()
    if not child:
        status = FAILED
        try:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            tempfile.tempdir = str(temporary)
            if at:
                _die_at(at)
            result = work()
            status = result if isinstance(result, int) else 0
        finally:
            os._exit(status)
    if after:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _die_at(number: int) -> None:
    left = number

    def step() -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in EVENTS and not (event == "open" and _only_reads(arguments)):
            step()

    sync = os.fsync

    def dying_sync(fd: Any) -> None:
        step()
        sync(fd)
        step()

    os.fsync = dying_sync
    sys.addaudithook(hook)


def _only_reads(arguments: tuple[object, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
