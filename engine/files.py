"""Files that are written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import EngineError


@contextmanager
def replaced(
    path: str | Path, failure: type[Exception] = EngineError, problem: str = "cannot be written"
) -> Iterator[Path]:
    """A path beside `path` to write to, which takes its place at the end of the block.

    If the block fails nothing of it stays behind, and what was there before is still there; a failure to write
    is raised as `failure`, which tells the `problem`.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield beside
        beside.replace(target)
    except OSError as error:
        raise failure(f"{target}: {problem} ({error.strerror or error})") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
