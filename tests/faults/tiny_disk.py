"""A disk of a few pages, to be filled."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PAGE = 4096
"""What a file takes of such a disk at least."""
REST = "rest"
"""The file that fills it."""


@contextmanager
def mounted_disk(place: Path, size: int) -> Iterator[Path]:
    """A new disk of so many bytes; skips where it cannot be made."""
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", place], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root can mount a disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def fill(disk: Path, room: int = 0) -> None:
    """Fill a disk, so that only so many bytes are left."""
    rest = disk / REST
    rest.unlink(missing_ok=True)
    state = os.statvfs(disk)
    rest.write_bytes(bytes(state.f_bavail * state.f_frsize - room))
    state = os.statvfs(disk)
    assert state.f_bavail * state.f_frsize == room
