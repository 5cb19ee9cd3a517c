"""The cache of compiled kernels: which are there, and the child processes that fill it.

Compiling takes a minute, once per machine.  Until it is done kernels run interpreted (:mod:`engine.compiled.kernel`)
while children compile.  They do so in parts (:data:`PARTS`), those that parsing needs first, one process a core; a list
of the kernels that a part holds is written when it is done, and a running program takes them up within a moment.

The cache lives in the user's cache folder, so that a read-only installation works.  Its name is a digest of all that
decides whether compiled kernels may be used again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any

from engine.common.files import cache_folder, locked, replaced
from engine.compiled.kernel import compiled_kernels, use_cache

PARTS = ("chart", "tagger", "re-ranker", "training", "evidence")
"""What is compiled by one process at a time, in this order; the first three are what parsing needs."""
PARSING_PARTS = PARTS[:3]
COMPILERS = 2
"""How many processes compile at once: more would wait for the first part all the same."""
WARM_UP = "engine.warm_up"
"""The module that a child runs; it calls every kernel once, and so stands above them all."""
UNUSED_SECONDS = 30 * 24 * 3600.0
LOOK_SECONDS = 0.25
"""How often a program that runs interpreted looks whether more is compiled."""
_PACKAGE = Path(__file__).resolve().parents[1]

_compilers: list[subprocess.Popen[bytes]] = []
_ready: frozenset[str] = frozenset()
_looked = -LOOK_SECONDS


def kernel_sources() -> list[Path]:
    """The files whose contents are compiled: modules of kernels, and those that kernels take their constants from."""
    return sorted(path for pattern in ("*_kernel.py", "*_layout.py") for path in _PACKAGE.rglob(pattern))


@cache
def fingerprint() -> str:
    """A digest of everything that decides whether compiled kernels may be used again."""
    digest = hashlib.sha256()
    for path in (*kernel_sources(), Path(__file__).with_name("kernel.py")):
        digest.update(f"{path}:{path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    for part in (version("numba"), version("numpy"), sys.version, platform.machine(), platform.processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def _base() -> Path:
    """The common beginning of all files of this very source."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder()) / f"kernels-{fingerprint()}"


def numba_folder() -> Path:
    """The folder in which numba keeps the kernels of this very source."""
    return _base().with_suffix(".cache")


def _list_of(part: str) -> Path:
    """The file that says that a part is complete, and lists its kernels."""
    return _base().with_suffix(f".{part}")


def is_compiled(parts: tuple[str, ...] = PARTS) -> bool:
    """Whether the cache holds these parts."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1" or all(_list_of(part).exists() for part in parts)


def _is_ready(name: str) -> bool:
    """Whether the cache holds a kernel; looks into it now and then, and has it filled if need be."""
    global _ready, _looked
    now = time.monotonic()
    if now - _looked >= LOOK_SECONDS:
        _looked = now
        missing = []
        ready: set[str] = set()
        for part in PARTS:
            try:
                ready.update(json.loads(_list_of(part).read_text("utf-8")))
            except (OSError, ValueError):
                missing.append(part)
        _ready = frozenset(ready)
        if missing:
            _start_compiling()
    return name in _ready


def _compile(function: FunctionType, options: dict[str, Any]) -> Any:
    """Compile a kernel, or read it compiled."""
    from engine.compiled.cache_reading import compiled_by_numba

    return compiled_by_numba(function, options, numba_folder())


use_cache(_is_ready, _compile)


def load_compiler() -> None:
    """Import numba now if compiled kernels will be used, which nothing can do without it.

    To be called before Qt is imported, which looks into the source of every module that is imported after it.
    """
    if is_compiled(PARSING_PARTS) and os.environ.get("NUMBA_DISABLE_JIT") != "1":
        import numba  # noqa: F401


def compile_part(part: str, exercise: Callable[[], None], wait: bool = True) -> None:
    """Compile a part of the kernels into the cache, and write down that it is there.

    Only one process at a time does so: another one waits for it, or with ``wait=False`` leaves it to it.

    Parameters
    ----------
    part
        One of :data:`PARTS`.
    exercise
        Calls every kernel of the part once, with the types that real use has.
    wait
        Whether to wait for another process that compiles the part.
    """
    listed = _list_of(part)
    listed.parent.mkdir(parents=True, exist_ok=True)
    with locked(listed.with_suffix(f".{part}-lock"), wait) as ours:
        if not ours or listed.exists():
            return
        exercise()
        with replaced(listed) as beside:
            beside.write_text(json.dumps(compiled_kernels()), "utf-8")
    _forget_old_caches()


def _forget_old_caches() -> None:
    """Remove caches of other sources that nobody has completed or used for a month."""
    base = _base()
    for old in base.parent.glob("kernels-*"):
        if old.stem != base.stem and time.time() - old.stat().st_mtime > UNUSED_SECONDS:
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)


def _start_compiling() -> None:
    """Start the children that fill the cache, unless they are already at work or have failed."""
    if not _compilers:
        for _ in range(COMPILERS):
            with contextlib.suppress(OSError):
                _compilers.append(
                    subprocess.Popen(
                        [sys.executable, "-m", WARM_UP],
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                )


def compiling() -> bool:
    """Whether a child process of ours is filling the cache."""
    return any(compiler.poll() is None for compiler in _compilers)
