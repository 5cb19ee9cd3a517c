"""The cache of compiled kernels on this machine: where it is, which kernels it holds, how it is filled.

Compiling takes half a minute on two cores, once per machine.  It is done in parts (:data:`PARTS`), those that parsing
needs first.  When a part is complete a file beside the compiled code lists its kernels; until then they run
interpreted (:mod:`engine.compiled.kernel`).

The cache lives in the user's cache folder, so that a read-only installation works.  Its name is a digest of all that
decides whether compiled kernels may be used again, and the lists stand within: whoever removes it removes both.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from engine.common.files import cache_folder, locked, replaced
from engine.common.this_program import GENERIC_PROCESSOR, is_bundled
from engine.compiled.bundled_kernels import bundled_folder

PARTS = ("search", "tagger", "ranking", "explanation", "training")
"""What one process compiles at a time, in this order; the first three are what parsing needs."""
PARSING_PARTS = PARTS[:3]
UNUSED_SECONDS = 30 * 24 * 3600.0
_PACKAGE = Path(__file__).resolve().parents[1]
_OTHER_SOURCES = ("compiled/cache.py", "compiled/dispatcher.py", "compiled/kernel.py", "warm_up.py")
"""What decides how kernels are compiled, and which."""


def is_disabled() -> bool:
    """Whether the environment forbids compiling (``NUMBA_DISABLE_JIT=1``, numba's own variable)."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1"


def kernel_sources() -> list[Path]:
    """The files whose contents are compiled: modules of kernels, and those that kernels take their constants from."""
    return sorted(path for pattern in ("*_kernel.py", "*_layout.py") for path in _PACKAGE.rglob(pattern))


@cache
def fingerprint() -> str:
    """A digest of everything that decides whether compiled kernels may be used again."""
    digest = hashlib.sha256()
    for path in (*kernel_sources(), *(_PACKAGE / name for name in _OTHER_SOURCES)):
        # A bundle's folder may be copied and moved; nobody changes its sources.
        known = path.relative_to(_PACKAGE).as_posix() if is_bundled() else f"{path}:{path.stat().st_mtime_ns}"
        digest.update(known.encode())
        digest.update(path.read_bytes())
    for part in (version("numba"), version("numpy"), sys.version, platform.machine(), _processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:32]


def _processor() -> str:
    """What the processor can do: a home folder may be shared by machines of several kinds."""
    if is_bundled():
        return str(GENERIC_PROCESSOR)
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        return "".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))
    return platform.processor()


def kernel_folder() -> Path:
    """The folder of what was compiled of this very source."""
    name = f"kernels-{fingerprint()}"
    own = bundled_folder(name, map(_list_name, PARTS))
    return own or Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder()) / name


def _list_name(part: str) -> str:
    return f"{part}.json"


def _list_file(part: str) -> Path:
    """The file that says that a part is complete, and lists its kernels."""
    return kernel_folder() / _list_name(part)


def _lock_file(part: str) -> Path:
    return kernel_folder() / f"{part}.lock"


def is_compiled(parts: Iterable[str] = PARTS) -> bool:
    """Whether the cache holds these parts, or nothing is to be compiled at all."""
    return is_disabled() or all(listed_kernels(part) is not None for part in parts)


def listed_kernels(part: str) -> frozenset[str] | None:
    """The kernels of a part, by name; ``None`` if it is not complete."""
    try:
        return frozenset(json.loads(_list_file(part).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def free_parts() -> list[str]:
    """The parts that are not complete and that nobody is compiling; none where the cache cannot be written."""
    found = []
    for part in PARTS:
        if listed_kernels(part) is None:
            with contextlib.suppress(OSError):
                kernel_folder().mkdir(parents=True, exist_ok=True)
                with locked(_lock_file(part), wait=False) as ours:
                    if ours:
                        found.append(part)
    return found


def compile_part(part: str, exercise: Callable[[], Iterable[str]], wait: bool = True) -> None:
    """Compile a part of the kernels into the cache, and write down that it is there.

    Only one process at a time does so: another one waits for it, or with ``wait=False`` leaves it to it.  A process
    that dies lets go of the part.

    Parameters
    ----------
    part
        One of :data:`PARTS`.
    exercise
        Calls every kernel of the part once, with the types that real use has; the result are their names.
    wait
        Whether to wait for another process that compiles the part.
    """
    listed = _list_file(part)
    listed.parent.mkdir(parents=True, exist_ok=True)
    with locked(_lock_file(part), wait) as ours:
        if not ours or listed_kernels(part) is not None:
            return
        names = sorted(exercise())
        with replaced(listed) as beside:
            beside.write_text(json.dumps(names), "utf-8")
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
