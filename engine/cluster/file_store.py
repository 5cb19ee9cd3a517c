"""Files that a worker was sent, known by their contents: each is sent to a machine once, and found there again.

A file is in its place only when it is whole and its digest was checked.  A worker that sees the caller's very file, or
has it bundled with the program, needs no copy.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import sys
import time
from collections.abc import Iterator
from io import BufferedRandom
from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError
from engine.common.files import new_part, order_of_use, remove_abandoned_parts
from engine.common.private_files import cache_folder, private_folder
from engine.common.resources import bundled_models

KEPT_FILES = 12
"""Those used last are kept, the others removed when another comes: a training's ten parts have a model each."""
NOTED_SECONDS = 3600.0
"""How often it is noted that a file is in use."""
_SUFFIX = ".model"
_receiving: dict[tuple[str, str], tuple[Path, BufferedRandom]] = {}
"""Files on their way, by digest and sender: what is there of each, locked for as long as this process lives."""
_digests: dict[tuple[str, int, int], str] = {}
"""Digests of files by name, size and time of change: a file is read for its digest once in a process."""


class WorkFile(NamedTuple):
    """A file that work needs: what the caller calls it, and what is in it."""

    name: Path
    digest: str
    size: int


def work_file(path: Path) -> WorkFile:
    """Describe a file of ours."""
    return WorkFile(path, digest_of(path), path.stat().st_size)


def digest_of(path: Path) -> str:
    """A digest of a file's contents."""
    status = path.stat()
    key = (str(path), status.st_size, status.st_mtime_ns)
    found = _digests.get(key)
    if found is None:
        with path.open("rb") as file:
            found = _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def machine() -> str:
    """A name for all workers that share this store."""
    return f"{socket.gethostname()}:{store_folder()}"


def store_folder() -> Path:
    """Where files that were sent are kept."""
    return cache_folder() / "cluster"


def place_in_store(file: WorkFile) -> Path:
    """Where a file is, or would be, if it was sent."""
    return store_folder() / f"{file.digest}{_SUFFIX}"


def find(file: WorkFile) -> Path | None:
    """A file with the same contents on this machine, if there is one."""
    for place in _candidates(file):
        with contextlib.suppress(OSError):
            if place.stat().st_size == file.size and digest_of(place) == file.digest:
                if place.parent == store_folder() and _is_noted_long_ago(place):
                    os.utime(place)
                return place
    return None


def _candidates(file: WorkFile) -> Iterator[Path]:
    yield place_in_store(file)
    yield file.name
    yield from bundled_models().values()


def receive(file: WorkFile, sender: str, offset: int, data: bytes) -> None:
    """Take the next piece of a file from a sender; with the last one it is checked and put in its place."""
    place, key = place_in_store(file), (file.digest, sender)
    try:
        if offset == 0:
            _drop(key)
            private_folder(place.parent)
            remove_abandoned_parts(place.parent)
            _forget_files(place)
            _receiving[key] = new_part(place)
        if key not in _receiving:
            raise EngineError(f"{file.name.name} did not arrive at {machine()} from its beginning; start again")
        part, stream = _receiving[key]
        stream.seek(offset)
        stream.write(data)
        if offset + len(data) < file.size:
            return
        stream.flush()
        os.fsync(stream.fileno())
        stream.seek(0)
        if hashlib.file_digest(stream, "sha256").hexdigest() != file.digest:
            raise EngineError(f"{file.name.name} did not arrive at {machine()} as it was sent; start again")
        if sys.platform == "win32":
            # What is open there cannot be renamed.
            stream.close()
        part.replace(place)
        _drop(key)
    except OSError as error:
        _drop(key)
        raise EngineError(
            f"{file.name.name} cannot be kept at {machine()} ({error.strerror or error}); make room there, or set "
            "PARSE_ENGINE_CACHE for its workers"
        ) from error
    except EngineError:
        _drop(key)
        raise


def _drop(key: tuple[str, str]) -> None:
    """Remove what is there of a file on its way, if anything is."""
    part, stream = _receiving.pop(key, (None, None))
    if part is not None and stream is not None:
        with contextlib.suppress(OSError):
            stream.close()
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _is_noted_long_ago(path: Path) -> bool:
    """Whether the use noted last is some time off; also one still to come, for then the clock was set back."""
    return abs(time.time() - path.stat().st_mtime) > NOTED_SECONDS


def _forget_files(newest: Path) -> None:
    """Remove what was not used for longest; `newest` is about to come."""
    others = [other for other in newest.parent.glob(f"*{_SUFFIX}") if other != newest]
    for other in order_of_use(others)[KEPT_FILES - 1 :]:
        # Another process may have removed it, or on some systems have it open.
        with contextlib.suppress(OSError):
            other.unlink()
