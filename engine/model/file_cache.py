"""What is remembered of model files: which were checked before, and the copies that are used in their place."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import EngineError, ModelError
from engine.common.files import is_being_written, locked_beside, order_of_use, remove_abandoned_parts, replaced
from engine.common.resources import bundled_models
from engine.common.this_program import is_bundled
from engine.counts.specifications_layout import TABLES
from engine.gate.array_file import (
    MODEL_FORMAT,
    header_digest,
    is_packed,
    read_arrays,
    replaced_meanwhile,
    write_arrays,
)
from engine.gate.files import copy_file, open_file
from engine.gate.private_files import (
    cache_folder,
    is_others_to_change,
    is_unchanged,
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


# Models are used from copies in the cache folder, which hold their arrays as they are, to be mapped into memory.
#
# A packed model is unpacked once.  One that is not packed is copied as it is, for its own file may be changed at any
# time by whoever can write to it: a mapping of a file that is cut short ends the process, and one of a file that is
# written over is no longer what was checked.
#
# The copy is a model file like any other, with checksums of its own, which are looked at whenever it is opened: one
# that is cut short or altered is not used, and made anew.  Only this user can read it and can have written it.  Its
# name stands for the very file that it is a copy of: for its header, its number, its size, the time of its last change,
# and that at which the system noted that change, which whoever made the file cannot choose.  (Its device has another
# name every time that an image is mounted.)  Where a copy cannot be written, the model is read into memory each time.

LEAST_BYTES = 1 << 23
"""A model with fewer bytes than this is read and unpacked in a moment, and needs no copy."""
KEPT_COPIES = 3
"""Those used last are kept of each kind, the others removed."""
ROOM = 4
"""A disk must have room for so many copies, or none is written."""
COPYING = "unpacked copy"
"""What the thread that writes a copy is called."""
_UNPACKED, _SAME, _SUFFIX = "unpacked-", "same-", ".model"


class ModelFile(NamedTuple):
    """The file that a model was opened from.

    Attributes
    ----------
    path
        Where it was.
    digest
        What tells it from files with other contents (:func:`engine.gate.array_file.header_digest`).
    status
        What the system said of it.
    """

    path: Path
    digest: str
    status: os.stat_result

    @property
    def is_changed(self) -> bool:
        """Whether something else is there now, or nothing."""
        now = _status_of(self.path)
        return now is None or not is_unchanged(self.status, now)


def read_model_file(path: Path, status: os.stat_result | None) -> tuple[dict[str, Any], dict[str, Any], ModelFile]:
    """Open a model file as :func:`engine.gate.array_file.read_arrays` does, by its copy if there is one.

    If there is none of a packed one, a thread writes it while the model is already in use; a program that ends waits
    for it.  `status` is that of the file that is meant, ``None`` if there is none: not another's in its place, put
    there since.
    """
    file = _identified(path, status)
    for prefix in (_UNPACKED, _SAME):
        if (opened := _opened_copy(_place(file, prefix))) is not None:
            return *opened, file
    is_installed = is_bundled() and path in bundled_models().values()
    kind = _kind_of(path, file.status)
    if kind == _SAME and not is_installed and (opened := _copied(file)) is not None:
        return *opened, file
    metadata, arrays = unpacked(*read_arrays(path, status=file.status, installed=is_installed))
    size = sum(array.nbytes for array in arrays.values())
    if kind == _UNPACKED and size >= LEAST_BYTES:
        copy = _place(file, _UNPACKED)
        threading.Thread(target=_write_copy, args=(copy, metadata, arrays, size), name=COPYING).start()
    return metadata, arrays, file


def _identified(path: Path, status: os.stat_result | None) -> ModelFile:
    """Return what tells a file from others; raise :class:`ModelError` if it cannot be read."""
    try:
        # Before the status is asked for: of what is a pipe or a folder that is said first.
        digest = header_digest(path)
        return ModelFile(path, digest, path.stat() if status is None else status)
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such model file") from None
    except OSError as error:
        raise ModelError(f"{path}: the model cannot be read ({error.strerror or error})") from error


def _opened_copy(copy: Path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Open a copy if there is one; whatever is wrong with it, the model itself is there."""
    if not os.path.exists(copy):
        return None
    with contextlib.suppress(ModelError):
        opened = read_arrays(copy, private=True)
        with contextlib.suppress(OSError):
            os.utime(copy)
        return opened
    return None


def wait_for_copies() -> None:
    """Wait until the copies of models that were opened are written, or cannot be."""
    for thread in threading.enumerate():
        if thread.name == COPYING:
            thread.join()


def place_of_copy(path: Path, status: os.stat_result | None = None) -> Path:
    """Name the place of the unpacked copy of a model file, whether it is there or not."""
    return _place(_identified(path, status), _UNPACKED)


def _place(file: ModelFile, prefix: str) -> Path:
    status = file.status
    known = (MODEL_FORMAT, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, file.digest)
    return cache_folder() / f"{prefix}{hashlib.sha256(repr(known).encode()).hexdigest()[:32]}{_SUFFIX}"


def _kind_of(path: Path, status: os.stat_result) -> str:
    """Of what kind a copy of a file is: of a packed one unpacked, of a large one the same; empty if it has none."""
    try:
        if is_packed(path):
            return _UNPACKED
    except (OSError, ModelError):
        # What is wrong with it is told when it is opened.
        return ""
    return _SAME if status.st_size >= LEAST_BYTES else ""


def _copied(file: ModelFile) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Copy a file that is not packed, and open the copy; ``None`` if none can be kept.

    Processes that open it at the same time have one copy together.
    """
    copy = _place(file, _SAME)
    if usable_folder(copy.parent) is None:
        return None
    try:
        with locked_beside(copy):
            if (opened := _opened_copy(copy)) is not None:
                return opened
            if not _has_room(copy, file.status.st_size):
                return None
            # What a power cut would leave of it is no sound copy, and made anew.
            with replaced(copy, OSError, private=True, lasting=False) as beside, open_file(file.path) as original:
                copy_file(original, beside, file.status.st_size)
                if not is_unchanged(file.status, os.fstat(original.fileno())):
                    raise replaced_meanwhile(file.path)
    except OSError as error:
        note_problem(f"{copy}: {error.strerror or error}")
        return None
    try:
        return read_arrays(copy, private=True, name=file.path)
    except ModelError:
        # The file itself is not as it should be.
        with contextlib.suppress(OSError):
            copy.unlink()
        raise


def _has_room(copy: Path, size: int) -> bool:
    """Make room for a copy among the others; whether the disk has enough, too."""
    remove_abandoned_parts(copy.parent)
    _forget_copies(copy)
    if shutil.disk_usage(copy.parent).free < ROOM * size:
        note_problem(f"{copy.parent}: the disk has too little room for copies of models")
        return False
    return True


def _write_copy(copy: Path, metadata: dict[str, Any], arrays: dict[str, Any], size: int) -> None:
    """Write a copy if that can be done; if not, nothing is lost but time."""
    if usable_folder(copy.parent) is None:
        return
    try:
        # Another process may be at it.
        if _has_room(copy, size) and not is_being_written(copy):
            write_arrays(copy, metadata, arrays, private=True)
    except (OSError, ModelError) as error:
        note_problem(str(error))


def _forget_copies(newest: Path) -> None:
    """Remove the copies of a kind that were not used for longest; `newest` is about to come."""
    kind = newest.name.partition("-")[0]
    others = [other for other in newest.parent.glob(f"{kind}-*{_SUFFIX}") if other != newest]
    for other in order_of_use(others)[KEPT_COPIES - 1 :]:
        # Another process may have removed it, or on some systems have it open.
        with contextlib.suppress(OSError):
            other.unlink()
