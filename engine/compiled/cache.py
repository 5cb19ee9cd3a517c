"""The cache of compiled kernels on this machine: where it is, which kernels it holds, how it is filled in the
background.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import EngineError
from engine.common.files import locked, remove_abandoned_parts, write_whole
from engine.common.this_program import GENERIC_PROCESSOR, is_bundled, module_command
from engine.gate.checked_json import ValueProblem, load_json
from engine.gate.private_files import NotPrivate, cache_folder, note_problem, open_private, usable_folder

# Kernels that come compiled with the bundle for people without Python: where they are, and when they are used.
#
# They were compiled for any processor of the family, by the program that reads them, when the bundle was made.  They
# are part of the installation, as its code is: trusted like it, only read, never written.  Their folder's name is the
# fingerprint of this program's kernels, libraries and target; under another name they are not used, and the user's
# cache takes their place.

PACKAGE = Path(__file__).resolve().parents[1]
FOLDER = PACKAGE.parent / "kernels"
"""Where a bundle has its compiled kernels."""


def bundled_folder(name: str, lists: Iterable[str]) -> Path | None:
    """Return the folder of that name if all files `lists` are in it; ``None`` without one, or without a bundle."""
    folder = FOLDER / name
    return folder if is_bundled() and all((folder / file).is_file() for file in lists) else None


def is_part_of_bundle(folder: Path) -> bool:
    """Return whether a folder of compiled kernels belongs to the installation, and not to the user's cache."""
    return is_bundled() and folder.parent == FOLDER


# The cache of compiled kernels on this machine: where it is, which kernels it holds, how it is filled.
#
# Compiling takes half a minute on two cores, once per machine.  It is done in parts (:data:`PARTS`), those that parsing
# needs first.  When a part is complete a file beside the compiled code lists its kernels; until then they run
# interpreted (:mod:`engine.compiled.kernel`).
#
# The cache lives in the user's cache folder, so that a read-only installation works, and nobody else can write to it.
# Its name is a digest of all that decides whether compiled kernels may be used again, and the lists stand within:
# whoever removes it removes both.  A file of a kernel that is damaged is removed, together with the lists that name
# it, so that its part is compiled again (:mod:`engine.compiled.compiler`).

PARTS = ("search", "tagger", "ranking", "explanation", "training")
"""What one process compiles at a time, in this order; the first three are what parsing needs."""
PARSING_PARTS = PARTS[:3]
KERNEL_SUFFIX = ".kernel"
ROOM = 1 << 26
"""Bytes that a disk must have left, or nobody starts to compile for it: a whole cache takes a third of them."""
UNUSED_SECONDS = 30 * 24 * 3600.0
_OTHER_SOURCES = (
    "compiled/cache.py",
    "compiled/compiler.py",
    "compiled/kernel.py",
    "warm_up.py",
)
"""What decides how kernels are compiled, and which."""
_REMARKS = re.compile(rb'^[ \t]*(?:#.*|"""(?s:.*?)""")?[ \t]*\n', re.MULTILINE)
"""Empty lines, and those with nothing but a comment or a docstring: nothing of them is compiled."""
_files: dict[str, set[str]] = {}
"""The files that each kernel was read from or kept in by this process, or should have been, by the kernel's name."""


class KernelDamaged(Exception):
    """The file of a compiled kernel was not as it should be, and is removed; the kernel has not run."""


class PartList(NamedTuple):
    """The kernels of a part that is complete, by name, and the files that they are in."""

    kernels: frozenset[str]
    files: frozenset[str]


def is_disabled() -> bool:
    """Return whether the environment forbids compiling (``NUMBA_DISABLE_JIT=1``, numba's own variable)."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1"


def kernel_sources() -> list[Path]:
    """Return the files whose contents are compiled: modules of kernels,
    and those that kernels take their constants from.
    """
    return sorted(path for pattern in ("*_kernel.py", "*_layout.py") for path in PACKAGE.rglob(pattern))


def code_of(path: Path) -> bytes:
    """Return what a module says to Python: without comments and docstrings, for which nothing is compiled anew."""
    return _REMARKS.sub(b"", path.read_bytes())


@cache
def fingerprint() -> str:
    """Return a digest of everything that decides whether compiled kernels may be used again."""
    digest = hashlib.sha256()
    for path in (*kernel_sources(), *(PACKAGE / name for name in _OTHER_SOURCES)):
        # Wherever it is: a folder may be copied and moved.
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(code_of(path))
    for part in (version("numba"), version("numpy"), sys.version, platform.machine(), _processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def _processor() -> str:
    """Return what the processor can do: a home folder may be shared by machines of several kinds."""
    if is_bundled():
        return str(GENERIC_PROCESSOR)
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        return "".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))
    return platform.processor()


def kernel_folder() -> Path:
    """Return the folder of what was compiled of this very source."""
    name = f"kernels-{fingerprint()}"
    return bundled_folder(name, map(_list_name, PARTS)) or cache_folder() / name


def is_usable() -> bool:
    """Return whether the folder came with the program, or is there or can be made, and is this user's alone."""
    return is_part_of_bundle(kernel_folder()) or can_be_kept()


def can_be_kept() -> bool:
    """Return whether more can be put into the folder: what came with the program is only read."""
    return not is_part_of_bundle(kernel_folder()) and usable_folder(kernel_folder()) is not None


def open_kernel_file(path: Path) -> BufferedReader:
    """Open a file of compiled kernels, which nobody else can have written, or which came with the program."""
    return path.open("rb") if is_part_of_bundle(path.parent) else open_private(path)


def _list_name(part: str) -> str:
    return f"{part}.json"


def _list_file(part: str) -> Path:
    """Return the file that says that a part is complete, and lists its kernels."""
    return kernel_folder() / _list_name(part)


def _lock_file(part: str) -> Path:
    return kernel_folder() / f"{part}.lock"


def is_compiled(parts: Iterable[str] = PARTS) -> bool:
    """Return whether the cache holds these parts, or nothing is to be compiled at all."""
    return is_disabled() or all(_read_list(part) is not None for part in parts)


def listed_kernels(part: str) -> frozenset[str] | None:
    """Return the kernels of a part, by name; ``None`` if it is not complete."""
    listed = _read_list(part)
    return None if listed is None else listed.kernels


def is_listed(file: str) -> bool:
    """Return whether a complete part has a file of this name."""
    return any(listed is not None and file in listed.files for listed in map(_read_list, PARTS))


def withdraw(file: str) -> bool:
    """Remove a file of a kernel that is damaged, and the lists that name it; whether they are gone."""
    if not can_be_kept():
        return False
    try:
        for part in PARTS:
            listed = _read_list(part)
            if listed is not None and file in listed.files:
                _list_file(part).unlink(missing_ok=True)
        (kernel_folder() / file).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def note_file(kernel: str, file: str) -> None:
    """Note that this process has read a kernel from a file, or should have kept it there."""
    _files.setdefault(kernel, set()).add(file)


def _read_list(part: str) -> PartList | None:
    try:
        with open_kernel_file(_list_file(part)) as file:
            found = load_json(file.read())
        kernels, files = (found.member(name) for name in PartList._fields)
        return PartList(*(frozenset(item.text() for item in names.items()) for names in (kernels, files)))
    except (OSError, NotPrivate, ValueProblem):
        return None


def free_parts() -> list[str]:
    """Return the parts that are not complete and that nobody is compiling; none where the cache cannot be written."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        missing = [part for part in PARTS if _read_list(part) is None]
        if not missing or not can_be_kept():
            return []
        if shutil.disk_usage(kernel_folder()).free < ROOM:
            note_problem(f"{kernel_folder().parent}: the disk has too little room for compiled inner loops")
            return []
        for part in missing:
            with locked(_lock_file(part), wait=False) as ours:
                if ours:
                    found.append(part)
    return found


def compile_part(part: str, exercise: Callable[[], Iterable[str]], wait: bool = True) -> None:
    """Compile a part of the kernels into the cache, and write down that it is there.

    Only one process at a time does so: another one waits for it, or with ``wait=False`` leaves it to it.  A process
    that dies lets go of the part.  Nothing is compiled where nothing can be kept.

    Parameters
    ----------
    part
        One of :data:`PARTS`.
    exercise
        Calls every kernel of the part once, with the types that real use has; the result are the names of those that
        Python calls.  What these call in turn is in their files.
    wait
        Whether to wait for another process that compiles the part.
    """
    if not can_be_kept():
        return
    try:
        with locked(_lock_file(part), wait) as ours:
            if not ours or _read_list(part) is not None:
                return
            remove_abandoned_parts(kernel_folder())
            kernels = sorted(exercise())
            files = sorted(set().union(*(_files.get(name, ()) for name in kernels)))
            # Every file is on the disk by now, and so a list never names one that a power cut takes away.  Where one
            # could not be written, a list would have the next start wait for the compiler.
            if all((kernel_folder() / file).is_file() for file in files):
                listed = {"kernels": kernels, "files": files}
                write_whole(_list_file(part), json.dumps(listed).encode(), private=True)
    except (OSError, EngineError) as error:
        note_problem(f"what was compiled cannot be kept ({error})")
    _forget_old_caches()


def keep_cache() -> None:
    """Note that the cache is in use, so that no other version of the program takes it for forgotten."""
    with contextlib.suppress(OSError):
        os.utime(kernel_folder())


def _forget_old_caches() -> None:
    """Remove caches of other sources that nobody has completed or used for a month."""
    ours = kernel_folder()
    for old in ours.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if old.name != ours.name and time.time() - old.stat().st_mtime > UNUSED_SECONDS:
                if old.is_dir():
                    shutil.rmtree(old, ignore_errors=True)
                else:
                    old.unlink(missing_ok=True)


def load_compiler() -> None:
    """Import numba now if compiled kernels will be used, which nothing can do without it.

    To be called before Qt is imported, which looks into the source of every module that is imported after it.
    """
    if not is_disabled() and is_compiled(PARSING_PARTS):
        import numba  # noqa: F401


# Compiling in the background: which kernels are there by now, and the child processes that compile the others.
#
# A program that runs interpreted looks into the cache now and then, and so takes compiled kernels up within a moment,
# whoever compiled them.  If a part is missing and nobody is at work on it, it starts children that compile; they go on
# when the program ends.  A child that dies, or another program's, leaves its part to the next one.

COMPILERS = 2
"""How many processes compile at once: more would wait for the first part all the same."""
MOST_COMPILERS = 6
"""How many children a program starts before it takes compiling to be impossible here."""
WARM_UP = "engine.warm_up"
"""The module that a child runs; it calls every kernel once, and so stands above them all."""
LOOK_SECONDS = 0.25
"""How often a program that runs interpreted looks whether more is compiled."""


class Availability:
    """The kernels that this machine's cache holds, as far as this process has seen, and the children that add to it.

    Attributes
    ----------
    compilers
        All children that it started.
    """

    def __init__(self) -> None:
        self._ready: frozenset[str] = frozenset()
        self._complete = False
        self._looked = -LOOK_SECONDS
        self._lock = threading.Lock()
        self.compilers: list[subprocess.Popen[bytes]] = []

    def is_ready(self, name: str) -> bool:
        """Return whether the cache holds a kernel; looks into it now and then, and has it filled if need be."""
        # A thread that finds another one looking goes on with what is known.
        if name not in self._ready and not self._complete and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return name in self._ready

    def look_again(self) -> None:
        """Look into the cache at the next question: something in it was damaged, and is gone."""
        with self._lock:
            self._ready, self._complete = frozenset(), False
            self._looked = -LOOK_SECONDS

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        if not is_usable():
            # Nor will it be while this program runs.
            self._complete = True
            return
        listed = [listed_kernels(part) for part in PARTS]
        self._ready = frozenset().union(*filter(None, listed))
        if None in listed:
            self.compile(COMPILERS)
        else:
            self._complete = True
            keep_cache()

    def compile(self, most: int) -> None:
        """Start children for the parts that nobody is at work on, unless ours are still running or keep failing."""
        if not self.compiling():
            for _ in free_parts()[: min(most, MOST_COMPILERS - len(self.compilers))]:
                with contextlib.suppress(OSError):
                    self.compilers.append(_start_compiler())

    def compiling(self) -> bool:
        """Return whether a child of ours is filling the cache."""
        return any(compiler.poll() is None for compiler in self.compilers)


def _start_compiler() -> subprocess.Popen[bytes]:
    # Ctrl-C is meant for the command, not for what it started.
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(
        module_command(WARM_UP),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **detached,
    )


AVAILABILITY = Availability()
"""The one of this process."""
