"""Locks between processes: held while a process works on something, and let go by the system however it ends."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_SECONDS = 0.2
"""How often a process that waits for a lock tries again."""
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""Open the file of this name, not one that a link in its place points to, and for this process alone."""
PRIVATE_FILE = 0o600
"""Nobody else may read or write it."""


@contextmanager
def locked(path: Path, wait: bool) -> Iterator[bool]:
    """Hold a lock that one process at a time can have; false where another has it and there is no waiting.

    Whatever is in the lock's file stays in it.  A link in its place is an error (:class:`OSError`).
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
    try:
        # On a file system without locks the work is better done twice than not at all.
        while not (held := try_lock(descriptor) is not False) and wait:
            time.sleep(LOCK_SECONDS)
        yield held
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file or folder, without waiting; ``None`` where the system knows no locks for it.

    The lock lasts until the descriptor is closed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK) else None
    return True
