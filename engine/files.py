"""Files that are written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import EngineError

_parts: set[Path] = set()
"""Files being written now."""


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
    """Remove what is half written, because the program ends without coming to it any more."""
    for beside in list(_parts):
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def write_whole(path: str | Path, content: bytes, failure: type[Exception] = EngineError) -> None:
    """Write a file so that whoever reads it finds the old or the new one, never half of it."""
    with replaced(path, failure) as beside:
        beside.write_bytes(content)
