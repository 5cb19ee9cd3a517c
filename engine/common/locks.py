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


def lock_beside(path: Path) -> Path:
    """The lock that stands for a file, there only while it is held."""
    return path.with_name(f".{path.name}.lock")


@contextmanager
def locked_beside(path: Path) -> Iterator[None]:
    """Hold a lock that stands for a file, and leave nothing beside it afterwards; waits for whoever has it.

    Raise :class:`OSError` if nothing can be written beside the file.
    """
    lock = lock_beside(path)
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
        try:
            while try_lock(descriptor) is False:
                time.sleep(LOCK_SECONDS / 10)
            # Whoever had it has removed it, and somebody else may have made a new one meanwhile.
            if not _is_still(lock, descriptor):
                continue
            try:
                yield
            finally:
                if sys.platform != "win32":
                    lock.unlink(missing_ok=True)
            return
        finally:
            os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether an open file still has its name."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


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
