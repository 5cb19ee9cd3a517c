"""What is remembered of model files: which were checked before, and the copies of packed ones, unpacked once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError, ModelError
from engine.common.files import is_being_written, order_of_use, remove_abandoned_parts
from engine.counts.specifications_layout import TABLES
from engine.gate.array_file import MODEL_FORMAT, is_packed, read_arrays, read_prefix, write_arrays
from engine.gate.private_files import (
    cache_folder,
    is_others_to_change,
    note_problem,
    open_private,
    private_folder,
    usable_folder,
)
from engine.model.counts_file import unpacked

# Which model files were checked before: to look at every count takes longer than to open a file.
#
# A file is known by what the system says of it: its device and number, its size, and when its content and its status
# were changed.  Nobody can set the last of these, so a file that was changed in any way is another one.  (A digest of
# its content would tell it as well, but takes longer than the checks.)  What was checked is remembered in a folder
# that only this user can write to.

CHECKS = 1
"""The version of the checks: what an older program has found sound may not be so for a newer one.

Nor may it be for one with other tables: of a table that a program does not know it checks nothing that it does not use.
"""
KEPT_NAMES = 64
"""So many files are remembered, those that were checked last."""
LEAST_AGE_NS = 2_000_000_000
"""A file that was changed just now may be changed again without showing it: some systems note times in steps."""
_FOLDER = "checked-models"


class FileChecks:
    """Whether the counts of one model file were checked before.

    Parameters
    ----------
    path
        The file; it need not be there.

    Attributes
    ----------
    status
        What the system says of the file; ``None`` if it is not there.  Only of the file that has it anything is known.
    are_remembered
        Whether its counts were checked before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.status = _status_of(path)
        self._name = _name_of(self.status)
        self.are_remembered = self._name is not None and _is_remembered(self._name)

    def remember(self) -> None:
        """Remember that the file was checked, if it is still the same.

        Where that is impossible it will be checked again.
        """
        if self._name is None or self.are_remembered or _name_of(_status_of(self._path)) != self._name:
            return
        with contextlib.suppress(OSError, EngineError):
            folder = private_folder(private_folder(cache_folder()) / _FOLDER)
            for old in order_of_use(folder.iterdir())[KEPT_NAMES - 1 :]:
                old.unlink(missing_ok=True)
            os.close(os.open(folder / self._name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _status_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _name_of(status: os.stat_result | None) -> str | None:
    """The name under which a file is remembered; ``None`` if it is not to be."""
    if status is None or sys.platform == "win32":
        # There the second time is that of the file's making.
        return None
    if is_others_to_change(status):
        # Through a mapping, say, without a change of these times.
        return None
    # A time that is still to come is not this moment either: the clock was set back since.
    now = time.time_ns()
    if any(abs(now - changed) < LEAST_AGE_NS for changed in (status.st_mtime_ns, status.st_ctime_ns)):
        return None
    known = (CHECKS, TABLES, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return hashlib.sha256(repr(known).encode()).hexdigest()


def _is_remembered(name: str) -> bool:
    try:
        folder = private_folder(cache_folder() / _FOLDER)
        with open_private(folder / name):
            return True
    except (OSError, EngineError):
        return False


# Packed models are unpacked once: a copy in the cache folder holds their arrays as they are, to be mapped into memory.
#
# The copy is a model file like any other, with checksums of its own, which are looked at whenever it is opened: one
# that is cut short or altered is not used, and made anew.  Only this user can read it and can have written it.  Its
# name stands for the very file that it is a copy of: for its number, its size, the time of its last change, and that
# at which the system noted that change, which whoever made the file cannot choose.  (Its device has another name
# every time that an image is mounted.)  Where a copy cannot be written, the model is unpacked each time.

LEAST_BYTES = 1 << 23
"""A model with fewer bytes than this is unpacked in a moment, and needs no copy."""
KEPT_COPIES = 3
"""Those used last are kept, the others removed."""
ROOM = 4
"""A disk must have room for so many copies, or none is written."""
COPYING = "unpacked copy"
"""What the thread that writes a copy is called."""
_PREFIX, _SUFFIX = "unpacked-", ".model"


def read_model_file(path: str | Path, status: os.stat_result | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Open a model file as :func:`engine.gate.array_file.read_arrays` does; of a packed one its copy, if there is
    one.

    If there is none, a thread writes it while the model is already in use; a program that ends waits for it.  `status`
    is that of the file that is meant, ``None`` if there is none: not another's in its place, put there since.
    """
    path = Path(path)
    copy = place_of_copy(path, status)
    if copy is not None and os.path.exists(copy):
        # Whatever is wrong with a copy, the model itself is there.
        with contextlib.suppress(ModelError):
            opened = read_arrays(copy, private=True)
            with contextlib.suppress(OSError):
                os.utime(copy)
            return opened
    metadata, arrays = unpacked(*read_arrays(path, status=status))
    size = sum(array.nbytes for array in arrays.values())
    if copy is not None and size >= LEAST_BYTES and _is_packed(path):
        threading.Thread(target=_write_copy, args=(copy, metadata, arrays, size), name=COPYING).start()
    return metadata, arrays


def wait_for_copies() -> None:
    """Wait until the copies of models that were opened are written, or cannot be."""
    for thread in threading.enumerate():
        if thread.name == COPYING:
            thread.join()


def place_of_copy(path: Path, status: os.stat_result | None = None) -> Path | None:
    """Name the place of a model file's copy, whether it is there or not; ``None`` if there is no such model file."""
    try:
        status = path.stat() if status is None else status
        begin = read_prefix(path)
    except OSError:
        return None
    known = (MODEL_FORMAT, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    digest = hashlib.sha256(repr(known).encode() + begin)
    return cache_folder() / f"{_PREFIX}{digest.hexdigest()[:32]}{_SUFFIX}"


def _is_packed(path: Path) -> bool:
    try:
        return is_packed(path)
    except (OSError, ModelError):
        # It was replaced just now: there is nothing to copy.
        return False


def _write_copy(copy: Path, metadata: dict[str, Any], arrays: dict[str, Any], size: int) -> None:
    """Write a copy if that can be done; if not, nothing is lost but time."""
    if usable_folder(copy.parent) is None:
        return
    try:
        remove_abandoned_parts(copy.parent)
        _forget_copies(copy)
        # Another process may be at it.
        if is_being_written(copy):
            return
        if shutil.disk_usage(copy.parent).free < ROOM * size:
            note_problem(f"{copy.parent}: the disk has too little room for an unpacked model")
            return
        write_arrays(copy, metadata, arrays, private=True)
    except (OSError, ModelError) as error:
        note_problem(str(error))


def _forget_copies(newest: Path) -> None:
    """Remove the copies that were not used for longest; `newest` is about to come."""
    others = [other for other in newest.parent.glob(f"{_PREFIX}*{_SUFFIX}") if other != newest]
    for other in order_of_use(others)[KEPT_COPIES - 1 :]:
        # Another process may have removed it, or on some systems have it open.
        with contextlib.suppress(OSError):
            other.unlink()
