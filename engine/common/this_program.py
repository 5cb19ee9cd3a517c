"""How the program starts modules of its own in other processes, installed or in a bundle.

No process of the program takes a module from the folder that it works in: a file ``random.py`` that lies there is not
ours.  Python looks there first when it is asked to run a module (``-m``) or a command (``-c``), unless it is told not
to (``-P``).  What ``PYTHONPATH`` and its like name is the user's own choice.

In a bundle (:mod:`tests.distribution.make_bundle`) the interpreter is the program itself, which knows no ``-m``; so it
is told by an argument of its own which module to run.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Lock

RUN_MODULE = "--run-module"
"""The first argument of a bundled program that is to run one of its modules, which the second one names."""
GENERIC_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""What kernels of a bundle are compiled for, in numba's own variables: any processor of the family."""
_ABOVE_PACKAGES = Path(__file__).resolve().parents[2]
_RUNNABLE = ("engine.", "explorer.")
_SAFE_PATH = "PYTHONSAFEPATH"
"""Python's own variable, to the same end as ``-P``."""
_starting = Lock()
_LIBRARY_PATH = "LD_LIBRARY_PATH"
"""What PyInstaller's starter changes; the system's loader has read it by now."""


def is_bundled() -> bool:
    """Return whether this is the bundle for people without Python, whose interpreter is the program itself."""
    return bool(getattr(sys, "frozen", False))


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the program in a process of its own, as ``python -m`` does."""
    return [sys.executable, *([RUN_MODULE] if is_bundled() else ["-P", "-m"]), module, *arguments]


@contextmanager
def safe_start() -> Iterator[None]:
    """Have the processes that :mod:`multiprocessing` starts in this block take no module from the working folder.

    It runs a command of Python's, without ``-P`` unless its own process has it.  Then it hands on the path of its own
    process, where a script's folder may stand, but what a command imports before that would come from the folder.
    """
    with _starting:
        before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = before


def forget_working_folder() -> None:
    """Take the working folder off the path, where ``python -m`` has put it; not if the program itself lies there."""
    with suppress(OSError):
        # A folder that is gone holds no modules.
        folder = os.getcwd()
        if sys.path and sys.path[0] == folder and not sys.flags.safe_path and Path(folder) != _ABOVE_PACKAGES:
            del sys.path[0]


def run_bundled(command: str) -> int:
    """Run what a bundled program was started for: a module for its parent, or else `command`, the module of a command.

    Returns
    -------
    int
        The exit status.
    """
    os.environ.update(GENERIC_PROCESSOR)
    _spare_other_programs()
    if sys.argv[1:2] == [RUN_MODULE] and len(sys.argv) > 2 and sys.argv[2].startswith(_RUNNABLE):
        module = sys.argv[2]
        sys.argv[1:3] = []
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    main: Callable[[], int] = import_module(command).main
    return main()


def _spare_other_programs() -> None:
    """Let programs that are started from here (a browser, say) find the system's libraries, and not the bundle's."""
    before = os.environ.pop(f"{_LIBRARY_PATH}_ORIG", None)
    if before is not None:
        os.environ[_LIBRARY_PATH] = before
    else:
        os.environ.pop(_LIBRARY_PATH, None)
