"""Compiled or interpreted: the same kernels run either way, and nobody waits for the compiler.

Compiling the kernels takes the better part of a minute, once per machine.  Until that is done
the package :mod:`engine.kernels` is loaded a second time, under the name
``engine._interpreted``, with a decorator that does nothing: the first sentence is parsed by
the very same source, slowly, while a child process fills numba's cache.  As soon as the cache
is complete :func:`kernels` answers with the compiled package.

The cache lives in the user's cache folder, so that a read-only installation works.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPILED = "engine.kernels"
_INTERPRETED = "engine._interpreted"
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


def jit_for(module: str) -> Callable[[Function], Function]:
    """The decorator for kernels of `module`: numba's, or for the interpreted twin none at all."""
    if module.startswith(_INTERPRETED) or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return lambda function: function
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "numba"))
    import numba

    decorator: Callable[[Function], Function] = numba.njit(cache=True, nogil=True, error_model="numpy")
    return decorator


def fingerprint() -> str:
    """A digest of everything that decides whether compiled kernels may be used again."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.glob("*.py")):
        status = path.stat()
        digest.update(f"{path}:{status.st_mtime_ns}:{status.st_size}:".encode())
    for part in (version("numba"), version("numpy"), sys.version, platform.machine(), platform.processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def _marker() -> Path:
    return cache_folder() / f"compiled-{fingerprint()}"


def is_compiled() -> bool:
    """Whether the cache holds every kernel of this very source."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1" or _marker().exists()
