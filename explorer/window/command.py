"""The command ``parse-explorer``: the window, or without a screen a picture, snapshots or a handout."""

from __future__ import annotations

import argparse
import builtins
import contextlib
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.common.interrupts import drop_output
from engine.common.resources import resources_folder
from engine.common.terminal import Arguments
from engine.common.this_program import is_bundled
from engine.compiled.cache import load_compiler
from engine.settings import PRESETS, preset_title
from explorer.window.diagnosis import PLATFORM, library_problem, screen_problem

# ``parse-explorer --install-desktop-entry``: the program in the menus of this user's desktop, and taken out again.
#
# The files are those that a package of the system would install under ``share/`` (entry, icons, kinds of files); here
# they go to the user's own folder for data, and the entry names the program by its whole path.  No Qt here.

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
    return [str(script)] if script.stem == NAME else [sys.executable, "-P", "-m", "explorer"]


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


# The command ``parse-explorer``: the window, or without a screen a picture, snapshots or a handout.

FAILED = 2


def arguments() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = Arguments(
        prog="parse-explorer",
        description="A window in which every number behind a parse can be looked at (Collins 1996).",
        epilog="Without arguments the last session comes back; at the very first start the paper's own sentence.",
    )
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a model, a session, a lesson, a file of sentences or trees, or a sentence",
    )
    parser.add_argument("--model", metavar="FILE", help="the model to use (a file, or the name of a bundled one)")
    parser.add_argument("--preset", type=int, metavar="N", help=", ".join(map(preset_title, PRESETS)))
    parser.add_argument("--beam", type=float, metavar="β", help="the beam of section 4.1")
    parser.add_argument(
        "--export", metavar="FILE", help="write one picture or text (by its ending) and stop; needs no screen"
    )
    parser.add_argument(
        "--what",
        default="parse",
        metavar="PICTURE",
        help="what --export draws: parse, tree, arrows, or the picture of a stage; a name that is none lists all",
    )
    parser.add_argument(
        "--format", default="", metavar="NAME", help="a text format of the engine for --export, whatever the ending"
    )
    parser.add_argument("--scale", type=float, help="size of the exported picture (2 for an image, else 1)")
    parser.add_argument(
        "--snapshot",
        metavar="FOLDER",
        help="write a PNG of every stage and one of the window, and stop; needs no screen",
    )
    parser.add_argument(
        "--exercise", metavar="LESSON", help="open the questions of a lesson's file as an exercise for one student"
    )
    parser.add_argument(
        "--handout",
        metavar="FILE",
        help="write a handout (PDF) from a lesson, or from sentences, and stop; needs no screen",
    )
    parser.add_argument("--paper", default="", metavar="SIZE", help="of a handout: a4 or letter (that of your country)")
    parser.add_argument(
        "--key", default="no", metavar="WHICH", help="whether a handout has the answers: no, with or only (no)"
    )
    parser.add_argument(
        "--ask",
        default="",
        metavar="NAMES",
        help="what a handout asks about every sentence: arrows, gaps, chart, counts, with commas between",
    )
    parser.add_argument("--size", default="1280x800", metavar="WxH", help="size of the window")
    parser.add_argument(
        "--theme", default="", metavar="NAME", help="light, dark, contrast, contrast-dark, colourless or system"
    )
    parser.add_argument(
        "--install-desktop-entry",
        action="store_true",
        help="put the program into the menus of your desktop, have its files open with it, and stop",
    )
    parser.add_argument("--remove-desktop-entry", action="store_true", help="take it out of the menus again, and stop")
    parser.add_argument(
        "--diagnose",
        action="store_true",
        help="say what a report of a fault needs to know: versions, screen, fonts, cache, models; needs no screen",
    )
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    parser.add_argument("--version", action="store_true", help="say which version this is")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    try:
        options = arguments().parse_args(argv)
    except SystemExit:
        try:
            sys.stdout.flush()
        except OSError:
            # Help for somebody who does not read it.
            drop_output()
        raise
    if options.version:
        from importlib.metadata import version

        return say(f"parse-explorer {version('parse-explorer')}")
    if options.install_desktop_entry or options.remove_desktop_entry:
        return change_desktop_entry(options.install_desktop_entry)
    if options.diagnose:
        from explorer.window import diagnosis

        return diagnosis.run([diagnosis.JSON_OPTION] if options.json else [])
    headless = bool(options.export or options.snapshot or options.handout)
    if headless:
        os.environ[PLATFORM] = "offscreen"
    try:
        problem = screen_problem() if not headless else ""
        if problem:
            return fail(problem)
        # What a start makes it keeps: looking through it for garbage again and again takes a tenth of the time.
        gc.disable()
        load_compiler()
        try:
            load_qt()
            from explorer.window import start
        except ImportError as error:
            return fail(library_problem(error))
        return start.run(options)
    except EngineError as error:
        return fail(str(error))
    finally:
        gc.enable()


def change_desktop_entry(install: bool) -> int:
    """Install the desktop entry or remove it, and say which files that were."""
    pass

    try:
        files = install_entry() if install else remove_entry()
    except EngineError as error:
        return fail(str(error))
    return say("\n".join(map(str, files)) or "there is no desktop entry to remove")


def load_qt() -> None:
    """Load Qt, and leave importing as it was.

    Qt puts a function of its own in the place of Python's, which reads the source of every module that is imported
    later to see whether it wants ``snake_case`` names from Qt.  No module here does, and there are hundreds of them.
    """
    importing = builtins.__import__
    import PySide6.QtCore  # noqa: F401

    builtins.__import__ = importing


def say(text: str) -> int:
    """Print what was asked for; the result is the exit status."""
    try:
        print(text, flush=True)
    except OSError as error:
        drop_output()
        return fail(f"standard output: {error.strerror or error}")
    return 0


def fail(message: str) -> int:
    """Say in one sentence why nothing was done."""
    print(f"parse-explorer: error: {message}", file=sys.stderr)
    return FAILED
