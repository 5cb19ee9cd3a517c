"""Files and folders of one user: made so that nobody else can read them, and read only if nobody else could write them.

What is kept for the next start (compiled kernels, unpacked models, an index, a session before a crash) is used without
a question, so it must not be something that another user of the machine has put there.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from io import BufferedReader
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import NO_FOLLOW

CACHE_VARIABLE = "PARSE_ENGINE_CACHE"
PRIVATE_FOLDER = 0o700
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_problem = ""


class NotPrivate(EngineError):
    """A file or folder that another user owns or can write to."""


def cache_folder() -> Path:
    """Return the folder for what can be made again: ``PARSE_ENGINE_CACHE``, or this user's cache folder.

    Under a folder that several users can write to each has one of his own.  This only names it: :func:`private_folder`
    makes and checks it.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        folder = Path(chosen)
        return folder / f"user-{os.geteuid()}" if _is_shared(folder) else folder
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = _home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or _home() / ".cache")
    return base / "parse-explorer"


def private_folder(folder: Path) -> Path:
    """Make a folder that only this user can use, if it is not there, and see that it is one.

    One of this user's that is open to others is closed to them.  For a folder within the cache, the cache's own is
    looked at first.  Raise :class:`NotPrivate` if it is another user's, and :class:`OSError` if it cannot be made.
    """
    cache = cache_folder()
    for one in (cache, folder) if cache in folder.parents else (folder,):
        _make_private(one)
    return folder


def usable_folder(folder: Path) -> Path | None:
    """Make and check a folder of the cache; ``None`` if it cannot be used: :func:`take_cache_problem` tells why."""
    try:
        return private_folder(folder)
    except NotPrivate as error:
        note_problem(str(error))
    except OSError as error:
        note_problem(f"{folder}: this folder cannot be made ({error.strerror or error})")
    return None


def note_problem(problem: str) -> None:
    """Remember why something cannot be kept for the next start; only the first reason counts."""
    global _problem
    _problem = _problem or problem


def take_cache_problem() -> str:
    """Return why this process works without a cache, in one sentence, to be said once; empty if it does not."""
    global _problem
    problem, _problem = _problem, ""
    return f"{problem}; the program works without its cache, and takes longer" if problem else ""


def open_private(path: Path) -> BufferedReader:
    """Open a file to read that nobody but this user can have written.

    Raise :class:`NotPrivate` if somebody else could, and :class:`OSError` if it cannot be opened: a link in its place
    is not followed.
    """
    file = open(path, "rb", opener=_open_itself)  # noqa: SIM115
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode) or (
        sys.platform != "win32" and (status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE)
    ):
        file.close()
        raise NotPrivate(f"{path}: another user could have written this file, so it is not used; remove it")
    return file


def is_others_to_change(status: os.stat_result) -> bool:
    """Return whether somebody but this user and the system's own can change a file at any time,
    also while it is in use.
    """
    if sys.platform == "win32":
        return False
    # A group with the number of a user is that user's own on most systems, and his files are open to it.
    others = stat.S_IWOTH if status.st_gid == status.st_uid else _OTHERS_WRITE
    return status.st_uid not in (0, os.geteuid()) or bool(status.st_mode & others)


def is_unchanged(status: os.stat_result, now: os.stat_result) -> bool:
    """Return whether a file is the one that it was, and nothing has been done to it since."""
    marks = [(one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in (status, now)]
    return os.path.samestat(status, now) and marks[0] == marks[1]


def _open_itself(name: str, flags: int) -> int:
    # Without waiting, too: a pipe in the place of a file has no end.
    return os.open(name, flags | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))


def _make_private(folder: Path) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        # One by one: those above it that mkdir() makes would be open to whom the user's other folders are open.
        one.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if sys.platform == "win32":
        return
    # Through a link of the user's own to another disk, too; that of another would lead to any folder of this user's.
    if folder.lstat().st_uid not in (0, os.geteuid()) and folder.is_symlink():
        raise NotPrivate(
            f"{folder}: this is a link of another user, so nothing in it is used; set {CACHE_VARIABLE} to a folder of "
            "your own"
        )
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if status.st_uid != os.geteuid():
        raise NotPrivate(
            f"{folder}: this folder belongs to another user, so nothing in it is used; set {CACHE_VARIABLE} to a "
            "folder of your own"
        )
    # A folder that the user has chosen may serve other ends, too; nobody else can write to it (cache_folder).
    if stat.S_IMODE(status.st_mode) & 0o077 and folder != Path(os.environ.get(CACHE_VARIABLE, "")):
        folder.chmod(PRIVATE_FOLDER)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        # A user whom the system does not know, and no HOME: nothing can be made here, and that is said.
        return Path(os.devnull)


def _is_shared(folder: Path) -> bool:
    """Return whether a folder is another user's, or others can write to it."""
    if sys.platform == "win32":
        return False
    try:
        status = folder.stat()
    except OSError:
        return False
    return status.st_uid != os.geteuid() or bool(status.st_mode & _OTHERS_WRITE)
