"""What the window remembers from start to start: texts, numbers, switches and the places of windows, by name."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from engine.common.characters import is_text
from engine.common.files import NO_FOLLOW, PRIVATE_FILE
from engine.gate.private_files import NotPrivate, is_others_to_change, private_folder

_LONGEST_TEXT = 4096
_MOST_NAMES = 1000


class Store:
    """Values by name, kept in a file; whatever stands in it, what is read from it is of the kind that is asked for.

    Parameters
    ----------
    file
        Where they are kept, unless others could have written it or may read it.
    """

    def __init__(self, file: Path) -> None:
        self._stored = QSettings(str(file), QSettings.Format.IniFormat) if _is_own(file) else _Unkept()

    def bytes(self, name: str) -> QByteArray:
        """A preference that is geometry, or the state of docks or a splitter."""
        value = self._stored.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def text(self, name: str, default: str = "") -> str:
        """A preference that is text; the default where something else is stored, or what no file's name can have."""
        value = self._stored.value(name, default)
        text = str(value) if isinstance(value, str | float | int) else default
        return text if _is_usable(text) else default

    def number(self, name: str, default: float, least: float = -math.inf, most: float = math.inf) -> float:
        """A preference that is a number; the default where something else is stored, or one beyond the limits."""
        try:
            value = float(str(self._stored.value(name, default)))
        except ValueError:
            return default
        return value if math.isfinite(value) and least <= value <= most else default

    def flag(self, name: str) -> bool:
        """A preference that is a switch."""
        return self.text(name) == "true"

    def keep(self, name: str, value: QByteArray | str | float | bool) -> None:
        """Remember something."""
        self._stored.setValue(name, str(value).lower() if isinstance(value, bool) else value)

    def names(self, name: str) -> list[str]:
        """A preference that is a list of names."""
        value = self._stored.value(name)
        names = [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []
        return [one for one in names[:_MOST_NAMES] if isinstance(one, str) and one and _is_usable(one)]

    def keep_names(self, name: str, names: Sequence[str]) -> None:
        """Remember a list of names."""
        self._stored.setValue(name, list(names))

    def write(self) -> None:
        """Write what was remembered to the disk now."""
        self._stored.sync()


def _is_usable(text: str) -> bool:
    return len(text) <= _LONGEST_TEXT and "\0" not in text and is_text(text)


class _Unkept:
    """Preferences that are not kept for the next start, because others could have written the file or may read it."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def value(self, name: str, default: Any = None) -> Any:
        """What was remembered since the start."""
        return self._values.get(name, default)

    def setValue(self, name: str, value: Any) -> None:
        """Remember something until the end."""
        self._values[name] = value

    def sync(self) -> None:
        """Nothing is written."""


def _is_own(path: Path) -> bool:
    """Whether preferences can be in a file: in a folder of this user's, and nothing that others could have written.

    Folder and file are made, before Qt makes them, which would let others read them.
    """
    try:
        with suppress(OSError):
            private_folder(path.parent)
            _make_private_file(path)
        # It may be a link, which in such a folder is the user's own.
        status = path.stat()
    except (OSError, NotPrivate):
        return False
    return stat.S_ISREG(status.st_mode) and not is_others_to_change(status)


def _make_private_file(path: Path) -> None:
    """Make a file that nobody else can read, or close the one that is there to others; Qt keeps its mode."""
    opened = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(opened, PRIVATE_FILE)
    finally:
        os.close(opened)
