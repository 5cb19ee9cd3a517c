"""``parse-explorer --install-desktop-entry``: the program in the menus of this user's desktop, and taken out again.

The files are those that a package of the system would install under ``share/`` (entry, icons, kinds of files); here
they go to the user's own folder for data, and the entry names the program by its whole path.  No Qt here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.common.resources import resources_folder
from engine.common.this_program import is_bundled

NAME = "parse-explorer"
PLACES = {
    f"{NAME}.desktop": "applications",
    f"{NAME}.svg": "icons/hicolor/scalable/apps",
    f"{NAME}.png": "icons/hicolor/48x48/apps",
    f"{NAME}.xml": "mime/packages",
}
"""The files, and the folders below ``share/`` or a user's own data that desktops look for them in."""
_DATABASES = {"update-mime-database": "mime", "update-desktop-database": "applications"}
"""What has to be told of new files, and the folder that it looks through."""
_RESERVED = ('"', "`", "$", "\\")
"""What has a meaning of its own within the quotes of a command in a desktop entry."""


def user_data_folder() -> Path:
    """Where this user's desktop looks for entries, icons and kinds of files."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def program_command() -> list[str]:
    """The command that starts the window as it was started now, by whole paths."""
    if is_bundled():
        return [sys.executable]
    script = Path(os.path.abspath(sys.argv[0]))
    return [str(script)] if script.stem == NAME else [sys.executable, "-m", "explorer"]


def quoted(words: Sequence[str]) -> str:
    """A command as a desktop entry has it after ``Exec=``: quoted, and then escaped as every text there is."""
    found = []
    for word in words:
        if any(ord(character) < 32 for character in word):
            raise EngineError(f"{word!r}: a desktop entry cannot name a path with control characters; move the program")
        inner = "".join(f"\\{character}" if character in _RESERVED else character for character in word)
        found.append('"' + inner.replace("\\", "\\\\").replace("%", "%%") + '"')
    return " ".join(found)


def entry_text(template: str, command: Sequence[str]) -> str:
    """The entry with the command in the place of the one that it has."""
    lines = template.splitlines()
    return "\n".join(f"Exec={quoted(command)} %F" if line.startswith("Exec=") else line for line in lines) + "\n"


def install_entry() -> list[Path]:
    """Put the program into the desktop's menus, and its files' kinds among those known; the files that were written."""
    _check_system()
    written = []
    for name, target in _targets().items():
        source = resources_folder() / "desktop" / name
        try:
            content = source.read_bytes()
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EngineError(f"{error.filename}: {error.strerror}; the desktop entry was not installed") from error
        if name.endswith(".desktop"):
            content = entry_text(content.decode("utf-8"), program_command()).encode("utf-8")
        write_whole(target, content)
        written.append(target)
    _tell_desktop()
    return written


def remove_entry() -> list[Path]:
    """Take away what :func:`install_entry` wrote; the files that were there."""
    _check_system()
    removed = []
    for target in _targets().values():
        try:
            target.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise EngineError(f"{target}: cannot be removed ({error.strerror})") from error
        removed.append(target)
    _tell_desktop()
    return removed


def _targets() -> dict[str, Path]:
    return {name: user_data_folder() / place / name for name, place in PLACES.items()}


def _check_system() -> None:
    if sys.platform in ("win32", "darwin"):
        raise EngineError("desktop entries are for desktops of Linux and BSD; on this system make a shortcut by hand")


def _tell_desktop() -> None:
    """Have databases made anew; a desktop without them looks at the files themselves."""
    for program, place in _DATABASES.items():
        found = shutil.which(program)
        folder = user_data_folder() / place
        if found and folder.is_dir():
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run([found, str(folder)], capture_output=True, timeout=60, check=False)
