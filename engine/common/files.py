"""Files that are written as a whole or not at all, folders for a while, the cache folder, locks between processes."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import secrets
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.common.errors import EngineError

LOCK_SECONDS = 0.2
"""How often a process that waits for a lock tries again."""
_parts: set[Path] = set()
"""Files being written now."""
_folders: set[Path] = set()
"""Folders for a while that are there now."""


@contextmanager
def replaced(
    path: str | Path, failure: type[Exception] = EngineError, problem: str = "cannot be written"
) -> Iterator[Path]:
    """A path beside `path` to write to, which takes its place at the end of the block.

    If the block fails nothing of it stays behind, and what was there before is still there; a failure to write
    is raised as `failure`, which tells the `problem`.
    """
    target = Path(path)
    # Threads of one process may write the same file, too.
    beside = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}.part")
    _parts.add(beside)
    try:
        yield beside
        beside.replace(target)
    except OSError as error:
        raise failure(f"{target}: {problem} ({error.strerror or error})") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        _parts.discard(beside)


def abandon() -> None:
    """Remove what is half written or for a while, because the program ends without coming to it any more."""
    for beside in list(_parts):
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    for folder in list(_folders):
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, among the system's temporary files, that is gone at the end of the block, however it ends."""
    folder = None
    try:
        try:
            folder = Path(tempfile.gettempdir()) / f"parse-explorer-{os.getpid()}-{secrets.token_hex(8)}"
            # Known before it is there: an interrupt may come between the two.
            _folders.add(folder)
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise EngineError(f"no temporary folder can be made ({error.strerror or error})") from error
        yield folder
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
            _folders.discard(folder)


def remove_leftovers(process: int, beside: Iterable[Path] = ()) -> None:
    """Remove what a process that was ended by force left of its work: temporary folders, and files half written.

    Parameters
    ----------
    process
        The number of the process.
    beside
        The files that it may have been writing.
    """
    for path in beside:
        for part in path.parent.glob(f".{glob.escape(path.name)}.{process}-*.part"):
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    for folder in Path(tempfile.gettempdir()).glob(f"parse-explorer-{process}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def write_whole(path: str | Path, content: bytes, failure: type[Exception] = EngineError) -> None:
    """Write a file so that whoever reads it finds the old or the new one, never half of it."""
    with replaced(path, failure) as beside:
        beside.write_bytes(content)


def check_writable(path: Path) -> None:
    """Find out before the work whether its result can be written."""
    folder = path.parent
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder; name a file to write")
    if path.exists() and not path.is_file():
        raise EngineError(f"{path}: this is a device, not a file; name a file to write")
    if not folder.is_dir():
        raise EngineError(f"{path}: there is no folder {folder} to write it in")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise EngineError(f"{path}: you have no permission to write in the folder {folder}")


def cache_folder() -> Path:
    """The folder for what can be made again: ``PARSE_ENGINE_CACHE``, or this user's cache folder."""
    chosen = os.environ.get("PARSE_ENGINE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "parse-explorer"


@contextmanager
def locked(path: Path, wait: bool) -> Iterator[bool]:
    """Hold a lock that one process at a time can have; false where another has it and there is no waiting.

    The system lets go of it when a process ends, however it ends.
    """
    with path.open("w") as file:
        while not (held := _try_lock(file)) and wait:
            time.sleep(LOCK_SECONDS)
        yield held


def _try_lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        # A file system without locks: better done twice than not at all.
    return True
