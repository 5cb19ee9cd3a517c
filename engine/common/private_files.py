"""Files and folders of one user: made so that nobody else can read them, and read only if nobody else could write them.

What is kept for the next start (compiled kernels, unpacked models, an index, a session before a crash) is used without
a question, so it must not be something that another user of the machine has put there.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from engine.common.errors import EngineError
from engine.common.locks import NO_FOLLOW

CACHE_VARIABLE = "PARSE_ENGINE_CACHE"
PRIVATE_FOLDER = 0o700
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NotPrivate(EngineError):
    """A file or folder that another user owns or can write to."""


def cache_folder() -> Path:
    """The folder for what can be made again: ``PARSE_ENGINE_CACHE``, or this user's cache folder.

    Under a folder that several users share each has one of his own.  This only names it: :func:`private_folder` makes
    and checks it.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        folder = Path(chosen)
        return folder / f"user-{os.geteuid()}" if _is_anothers(folder) else folder
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "parse-explorer"


def private_folder(folder: Path) -> Path:
    """Make a folder that only this user can use, if it is not there, and see that it is one.

    One of this user's that is open to others is closed to them.  Raise :class:`NotPrivate` if it is another user's, and
    :class:`OSError` if it cannot be made.
    """
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if sys.platform != "win32":
        # Through a link of the user's own to another disk, too.
        status = folder.stat()
        if status.st_uid != os.geteuid():
            raise NotPrivate(
                f"{folder}: this folder belongs to another user, so nothing in it is used; set {CACHE_VARIABLE} to a "
                "folder of your own"
            )
        if stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(PRIVATE_FOLDER)
    return folder


def open_private(path: Path) -> BinaryIO:
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


def _open_itself(name: str, flags: int) -> int:
    # Without waiting, too: a pipe in the place of a file has no end.
    return os.open(name, flags | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))


def _is_anothers(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return folder.stat().st_uid != os.geteuid()
    except OSError:
        return False
