"""Diagnosis: what a report of a fault needs to know, and whether a window can be opened here; found out before Qt is
loaded.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from pathlib import Path

from engine.common.interrupts import drop_output
from engine.common.this_program import module_command
from engine.gate.checked_json import read_message

# Whether a window can be opened here, and what to install where it cannot; found out before Qt is loaded.

APT = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0"
APT_SCREEN = "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0"
# qputenv would do as well, but the platform must be known before Qt is loaded.
PLATFORM = "QT_QPA_PLATFORM"


def screen_problem() -> str:
    """Why no window can be opened here; empty if one can, as far as can be told."""
    if not sys.platform.startswith("linux") or os.environ.get(PLATFORM):
        return ""
    wayland = os.environ.get("WAYLAND_DISPLAY")
    if not os.environ.get("DISPLAY") and not wayland:
        return (
            "there is no screen to open a window on; set DISPLAY, or use "
            "`--export FILE`, `--snapshot FOLDER` or `--handout FILE`, which need none"
        )
    if not wayland:
        try:
            ctypes.CDLL("libxcb-cursor.so.0")
        except OSError:
            return (
                f"Qt needs a library that is missing (libxcb-cursor.so.0); install it with `apt install {APT_SCREEN}`"
            )
    return ""


def library_problem(error: ImportError) -> str:
    """What to install when Qt cannot be loaded."""
    text = str(error)
    if "cannot open shared object file" in text:
        missing = text.partition(":")[0]
        return f"Qt needs a library that is missing ({missing}); install it with `apt install {APT}`"
    if "PySide6" in text:
        return f"the window needs PySide6 ({text}); install it with `pip install 'PySide6-Essentials>=6.9,<6.12'`"
    return f"the program is not installed as a whole ({text}); install it anew with `pip install parse-explorer`"


# Diagnosis: what a report of a fault needs to know of the program, the machine and the user's folders.
#
# Whatever is broken is told in its own line, and the others are there all the same; so nothing is imported before the
# line that needs it.  No sentence, no name of a file of the user's is among them.

OPTION, JSON_OPTION, SCREEN_OPTION = "--diagnose", "--json", "--screen"
_PARTS = (
    ("PySide6-Essentials", "PySide6.QtWidgets"),
    ("numpy", "numpy"),
    ("llvmlite", "llvmlite.binding"),
    ("numba", "numba"),
    ("networkx", "networkx"),
    ("matplotlib", "matplotlib"),
)
"""What the program stands on: distributions, and the module that shows whether each works."""
_VARIABLES = ("PARSE_", "QT_", "NUMBA_", "LANG", "LC_", "XDG_", "DISPLAY", "WAYLAND_DISPLAY")
_CHILD_SECONDS = 60

Fact = tuple[str, str]


def main() -> int:
    """Run ``parse-explorer --diagnose``; the result is the exit status."""
    return run(sys.argv[1:])


def run(options: Sequence[str]) -> int:
    """Print the facts, line by line or as JSON."""
    found = screen_facts() if SCREEN_OPTION in options else facts()
    try:
        if JSON_OPTION in options:
            print(json.dumps(dict(found), indent=1, ensure_ascii=False))
        else:
            for name, value in found:
                # At once: what comes next may end the process.
                print(f"{name}: {value}", flush=True)
        sys.stdout.flush()
    except (BrokenPipeError, UnicodeEncodeError):
        # Whoever reads has enough, or a terminal knows no such letters.
        drop_output()
        return 1
    except OSError as error:
        drop_output()
        print(f"parse-explorer: error: standard output: {error.strerror or error}", file=sys.stderr)
        return 2
    return 0


def facts() -> Iterator[Fact]:
    """Everything, the screen as a program of its own sees it: Qt ends the one that cannot open its display."""
    yield from installation()
    yield from _told_by_child()
    yield from _each(("Cache", _cache), ("Compiled kernels", _kernels), ("Preferences", _preferences))
    yield from _models()


def facts_of_this_process() -> Iterator[Fact]:
    """What can be told at once where the program runs, without looking into models."""
    yield from installation()
    yield from screen_facts(running=True)
    yield from _each(("Cache", _cache), ("Compiled kernels", _kernels), ("Preferences", _preferences))


def installation() -> Iterator[Fact]:
    """Versions, and whether each part can be loaded."""
    yield from _each(
        ("Parse Explorer", lambda: metadata.version("parse-explorer")),
        ("Python", lambda: f"{platform.python_version()} ({platform.python_implementation()})"),
        ("System", lambda: f"{platform.system()} {platform.release()}, {platform.machine()}, {os.cpu_count()} cores"),
        ("Program", lambda: f"{abbreviated(__file__)}{', frozen' if getattr(sys, 'frozen', False) else ''}"),
    )
    for distribution, module in _PARTS:
        yield from _each((distribution, lambda name=distribution, used=module: _part(name, used)))  # type: ignore[misc]
    yield from _each(("Environment", _environment))


def screen_facts(running: bool = False) -> Iterator[Fact]:
    """Platform, screens and fonts as Qt has them; a program that is not `running` yet is made for it."""
    from PySide6.QtCore import qVersion
    from PySide6.QtGui import QFontDatabase, QGuiApplication

    application = QGuiApplication.instance() or (None if running else QGuiApplication(["parse-explorer"]))
    yield "Qt", str(qVersion())
    if application is None:
        return
    yield "Platform plugin", QGuiApplication.platformName()
    for number, screen in enumerate(QGuiApplication.screens(), 1):
        size = screen.geometry()
        yield (
            f"Screen {number}",
            f"{size.width()}x{size.height()}, scale {screen.devicePixelRatio():g}, "
            f"{screen.logicalDotsPerInch():.0f} dots per inch",
        )
    families = QFontDatabase.families()
    general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    yield "Fonts", f"{len(families)} families, that of the interface {general.family()} {general.pointSizeF():g} pt"
    yield from _each(("DejaVu", _bundled_fonts))


def abbreviated(name: str) -> str:
    """A file's name that says nothing of who the user is: from the program's own folder, or from home."""
    path = Path(name)
    for root, shown in ((Path(__file__).resolve().parents[2], ""), (Path(sys.prefix), "…"), (_home(), "~")):
        if root is not None and path.is_relative_to(root):
            return str(Path(shown) / path.relative_to(root))
    return name


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def _each(*asked: tuple[str, Callable[[], str]]) -> Iterator[Fact]:
    """Every fact in its own line, or what stands in its way."""
    for name, ask in asked:
        try:
            value = ask()
        except Exception as error:
            # Whatever it is: the next line may be the one that tells.
            value = problem(error)
        yield name, value


def problem(error: BaseException) -> str:
    """An error in a line."""
    return f"PROBLEM: {type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _part(distribution: str, module: str) -> str:
    try:
        found = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        found = "of unknown version"
    import_module(module)
    return found


def _environment() -> str:
    known = sorted(name for name in os.environ if name.startswith(_VARIABLES))
    home = _home()

    def shown(value: str) -> str:
        # A list of folders may name home several times.
        return value.replace(str(home), "~") if home is not None and len(home.parts) > 1 else value

    return ", ".join(f"{name}={shown(os.environ[name])}" for name in known) or "nothing set"


def _told_by_child() -> Iterator[Fact]:
    """What :func:`screen_facts` says in a process of its own."""
    environment = dict(os.environ)
    try:
        pass

        missing = screen_problem()
    except Exception as error:
        missing = problem(error)
    if missing:
        yield "Screen", f"none ({missing})"
        environment["QT_QPA_PLATFORM"] = "offscreen"
    try:
        child = subprocess.run(
            module_command("explorer.__main__", OPTION, SCREEN_OPTION, JSON_OPTION),
            env=environment,
            capture_output=True,
            timeout=_CHILD_SECONDS,
            check=False,
        )
        told = read_message(child.stdout) if child.returncode == 0 else None
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        yield "Qt", problem(error)
        return
    if told is None:
        said = child.stderr.decode(errors="replace").strip().splitlines()
        ended = f"with {signal.Signals(-child.returncode).name}" if child.returncode < 0 else f"({child.returncode})"
        yield "Qt", f"PROBLEM: it ends {ended}: {said[-1][:300] if said else 'it says nothing'}"
        return
    yield from told.items()


def _bundled_fonts() -> str:
    from explorer.kit.fonts import font_files

    return f"{len(font_files())} files in matplotlib's wheel"


def _cache() -> str:
    from engine.gate.private_files import cache_folder

    return _folder(cache_folder())


def _kernels() -> str:
    from engine.compiled.cache import PARTS, is_compiled, is_disabled

    if is_disabled():
        return "switched off (NUMBA_DISABLE_JIT)"
    return ", ".join(f"{part} {'compiled' if is_compiled((part,)) else 'not yet'}" for part in PARTS)


def _preferences() -> str:
    from explorer.session.preferences import home

    folder = home()
    counts = {
        "recovery files": len(list(folder.glob("recovery-*.json"))),
        "earlier sessions": len(list(folder.glob("earlier/*.json"))),
        "crash reports": len(list(folder.glob("crash-*.txt"))),
    }
    return f"{_folder(folder)}; " + ", ".join(f"{count} {what}" for what, count in counts.items())


def _models() -> Iterator[Fact]:
    try:
        from engine.common.resources import bundled_models

        found = bundled_models()
    except Exception as error:
        yield "Models", problem(error)
        return
    if not found:
        yield "Models", "PROBLEM: none came with the program"
    for name, path in found.items():
        yield from _each((f"Model {name}", lambda path=path: _model(path)))  # type: ignore[misc]


def _model(path: Path) -> str:
    from engine.model.model import Model
    from engine.study.provenance import fingerprint

    model = Model.load(path)
    with_parts = [name for name in ("tagger", "reranker") if getattr(model, name) is not None]
    return f"opens, {path.stat().st_size / 1e6:.1f} MB, fingerprint {fingerprint(model):08x}, " + (
        f"with {' and '.join(with_parts)}" if with_parts else "counts alone"
    )


def _folder(folder: Path) -> str:
    """Where a folder is, who may use it, and how much is in it."""
    shown = abbreviated(str(folder))
    if not folder.exists():
        return f"{shown}, not there yet"
    status = folder.stat()
    owner = "yours" if not hasattr(os, "geteuid") or status.st_uid == os.geteuid() else "ANOTHER USER'S"
    sizes = [file.lstat().st_size for file in folder.rglob("*") if not file.is_dir()]
    use = f"{stat.S_IMODE(status.st_mode):o}, {'writable' if os.access(folder, os.W_OK) else 'NOT WRITABLE'}"
    return f"{shown}, {owner}, {use}, {sum(sizes) / 1e6:.1f} MB in {len(sizes)} files"
