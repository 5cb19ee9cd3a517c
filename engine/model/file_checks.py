"""Which model files were checked before: to look at every count takes longer than to open a file.

A file is known by what the system says of it: its device and number, its size, and when its content and its status were
changed.  Nobody can set the last of these, so a file that was changed in any way is another one.  (A digest of its
content would tell it as well, but takes longer than the checks.)  What was checked is remembered in a folder that only
this user can write to.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import order_of_use
from engine.common.private_files import cache_folder, is_others_to_change, open_private, private_folder
from engine.counts.specifications_layout import TABLES

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
