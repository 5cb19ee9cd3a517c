"""Files for readers of files: a folder for each process, removed at its end or at that of its parent."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_root: Path | None = None
_owner = 0


def _folder() -> Path:
    global _root, _owner
    if _root is None:
        _root, _owner = Path(tempfile.mkdtemp(prefix="fuzz-")), os.getpid()
        atexit.register(_remove)
    own = _root / str(os.getpid())
    own.mkdir(exist_ok=True)
    return own


def _remove() -> None:
    if _root is not None and os.getpid() == _owner:
        shutil.rmtree(_root, ignore_errors=True)


def begin() -> None:
    """Make the folder of all children; to be called before they are forked."""
    _folder()


def end_child() -> None:
    """Remove the files of this child."""
    shutil.rmtree(_folder(), ignore_errors=True)


def input_file(data: bytes, name: str = "input") -> Path:
    """A file with these bytes; the next input of the same name takes its place."""
    path = _folder() / name
    path.write_bytes(data)
    return path


def folder_with(data: bytes, name: str) -> Path:
    """A folder that holds a file of this name and nothing else."""
    folder = _folder() / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / name).write_bytes(data)
    return folder
