"""Compiled or interpreted: the same kernels run either way, and nobody waits for the compiler.

Compiling the kernels takes two minutes, once per machine.  Until that is done
the package :mod:`engine.kernels` is loaded a second time, under the name
``engine._interpreted``, with a decorator that does nothing: the first sentence is parsed by
the very same source, slowly, while a child process fills numba's cache.  As soon as the cache
is complete :func:`kernels` answers with the compiled package.

The cache lives in the user's cache folder, so that a read-only installation works.
"""

from __future__ import annotations

import errno
import hashlib
import importlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPILED = "engine.kernels"
_INTERPRETED = "engine._interpreted"
UNUSED_SECONDS = 30 * 24 * 3600.0
LOCK_SECONDS = 0.2
"""How often a process that waits for another one's kernels looks whether they are there."""
_SOURCES = Path(__file__).with_name("kernels")


def cache_folder() -> Path:
    """The folder for compiled kernels: ``PARSE_ENGINE_CACHE``, or this user's cache folder."""
    chosen = os.environ.get("PARSE_ENGINE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "parse-explorer"


def jit_for(module: str, allocates: bool = True, inlined: bool = False) -> Callable[[Function], Function]:
    """The decorator for kernels of `module`: numba's, or for the interpreted twin none at all.

    A kernel that makes no array can do without counting references to those it gets, which in small functions
    with many arrays takes more time than their work: ``allocates=False``.  One that is called for every cell or
    proposal with all arrays of the chart, each of which is half a dozen arguments, spends much of its time on being
    called: ``inlined=True`` puts its code where it is called.
    """
    if module.startswith(_INTERPRETED) or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return lambda function: function
    import numba

    if not os.environ.get("NUMBA_CACHE_DIR"):
        # numba looks at one file's date only, and a kernel calls those of other files: the folder's
        # name stands for all of them.
        numba.config.CACHE_DIR = str(_marker().with_suffix(".cache"))  # type: ignore[attr-defined]
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": allocates,
        "forceinline": inlined,
    }
    from engine.reading_kernels import read_quickly

    decorate = numba.njit(**options)

    def kernel(function: Function) -> Function:
        compiled = decorate(function)
        read_quickly(compiled)
        return cast(Function, compiled)

    return kernel


@cache
def fingerprint() -> str:
    """A digest of everything that decides whether compiled kernels may be used again."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.glob("*.py")):
        digest.update(f"{path}:{path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    for part in (version("numba"), version("numpy"), sys.version, platform.machine(), platform.processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def _marker() -> Path:
    """The file that says that the cache of this very source is complete."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder()) / f"kernels-{fingerprint()}"


def is_compiled() -> bool:
    """Whether the cache holds every kernel of this very source."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1" or _marker().exists()


class Kernels:
    """The modules of the kernels, compiled or interpreted; loaded when first used."""

    def __init__(self, package: str) -> None:
        self.package = package

    @property
    def compiled(self) -> bool:
        """Whether these kernels are the compiled ones."""
        return self.package == _COMPILED

    def __getattr__(self, name: str) -> ModuleType:
        module = importlib.import_module(f"{self.package}.{name}")
        setattr(self, name, module)
        return module


_compiled = Kernels(_COMPILED)
_interpreted = Kernels(_INTERPRETED)
_use_compiled = False
_compiler: subprocess.Popen[bytes] | None = None


def kernels() -> Kernels:
    """The kernels to use now: compiled if the cache is complete, else interpreted while a child compiles."""
    global _use_compiled
    if not _use_compiled:
        if not is_compiled():
            _start_compiling()
            return _load_interpreted()
        _use_compiled = True
    return _compiled


def load_compiler() -> None:
    """Import numba now if the compiled kernels will be used, which nothing can do without it.

    To be called before Qt is imported, which looks into the source of every module that is imported after it.
    """
    if is_compiled() and os.environ.get("NUMBA_DISABLE_JIT") != "1":
        importlib.import_module("numba")


def use_compiled() -> None:
    """Use the compiled kernels from now on, compiling them in this process where need be."""
    global _use_compiled
    _use_compiled = True


def compile_now(wait: bool = True) -> None:
    """Compile every kernel into the cache, and mark the cache complete.

    Only one process at a time does so: another one waits for it, or with ``wait=False`` leaves it to it.
    """
    use_compiled()
    marker = _marker()
    marker.parent.mkdir(parents=True, exist_ok=True)
    with only_one(marker.with_suffix(".lock"), wait) as ours:
        if not ours or marker.exists():
            return
        from engine.warmup import exercise

        exercise()
        marker.touch()
    _forget_old_caches(marker)


@contextmanager
def only_one(path: Path, wait: bool) -> Iterator[bool]:
    """Hold a lock that one process at a time can have; false where another has it and there is no waiting.

    The system lets go of it when a process ends, however it ends.
    """
    with path.open("w") as file:
        while not (held := _locked(file)) and wait:
            time.sleep(LOCK_SECONDS)
        yield held


def _locked(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        # A file system without locks: better compiled twice than not at all.
    return True


def _forget_old_caches(marker: Path) -> None:
    """Remove caches of other sources that nobody has completed or used for a month."""
    for old in marker.parent.glob("kernels-*"):
        if old.stem != marker.stem and time.time() - old.stat().st_mtime > UNUSED_SECONDS:
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)


def _start_compiling() -> None:
    """Start the child that fills the cache, unless it is already at work or has failed."""
    global _compiler
    if _compiler is None:
        command = [sys.executable, "-c", "from engine.jit import compile_now; compile_now(wait=False)"]
        _compiler = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


def compiling() -> bool:
    """Whether a child process of ours is filling the cache."""
    return _compiler is not None and _compiler.poll() is None


def stop_compiling() -> None:
    """End the child that fills the cache, if there is one; its work is lost."""
    if _compiler is not None:
        _compiler.kill()
        _compiler.wait()


def _load_interpreted() -> Kernels:
    """Load the kernels' source a second time, under another name, to run uncompiled."""
    if _INTERPRETED not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            _INTERPRETED, _SOURCES / "__init__.py", submodule_search_locations=[str(_SOURCES)]
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[_INTERPRETED] = module
        spec.loader.exec_module(module)
    return _interpreted
