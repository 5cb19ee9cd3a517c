"""Files that anybody may have written, opened and read: never a pipe or a device, and no more than a limit of them."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from engine.common.errors import EngineError
from engine.gate.private_files import open_private

BLOCK = 1 << 20
"""So many bytes are copied at a time."""


def open_file(path: Path) -> BufferedReader:
    """Open a file to read; raise :class:`OSError` at once for a pipe or device in its place, which may have no end."""
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is a pipe or a device; name a file", str(path))
    return file


def read_bytes(
    path: Path,
    most: int,
    kind: str,
    failure: type[EngineError] = EngineError,
    *,
    name: str = "",
    private: bool = False,
) -> bytes:
    """Read a whole file.

    Parameters
    ----------
    path
        The file.
    most
        How many bytes it may have; of one that has more nothing is kept.
    kind
        What it should be, for the error: ``a session file``.
    failure
        What is raised, with one sentence.
    name
        What the error calls the file, if not by its path.
    private
        Whether only a file is read that nobody but this user can have written.
    """
    name = name or str(path)
    try:
        with open_private(path) if private else open_file(path) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise failure(f"{name}: cannot be read ({error.strerror or error})") from error
    except EngineError as error:
        raise failure(str(error)) from error
    if len(content) > most:
        raise failure(f"{name}: this is too long for {kind}")
    return content


def read_beginning(path: Path, size: int) -> bytes:
    """Read the first bytes of a file, by which its kind is known; raise :class:`OSError` if it cannot be read."""
    with open_file(path) as file:
        return file.read(size)


def digest_of(path: Path, private: bool = False) -> str:
    """Work out the SHA-256 digest of a file; raise :class:`OSError` if it cannot be read, and as `private` asks."""
    with open_private(path) if private else open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def copy_file(file: BufferedReader, copy: Path, size: int) -> None:
    """Write the first bytes of an open file to another; on some disks the two then share them, and take no time."""
    with copy.open("wb") as target:
        copied = 0
        if hasattr(os, "copy_file_range"):
            # Not between all kinds of disks: the rest is copied in the ordinary way.
            with suppress(OSError):
                while copied < size and (
                    done := os.copy_file_range(file.fileno(), target.fileno(), size - copied, copied)
                ):
                    copied += done
        file.seek(copied)
        target.seek(copied)
        while copied < size and (part := file.read(min(size - copied, BLOCK))):
            copied += target.write(part)


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
