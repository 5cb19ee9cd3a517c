"""How the program starts modules of its own in other processes, installed or in a bundle.

In a bundle (:mod:`tests.distribution.make_bundle`) the interpreter is the program itself, which knows no ``-m``; so it
is told by an argument of its own which module to run.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from importlib import import_module

RUN_MODULE = "--run-module"
"""The first argument of a bundled program that is to run one of its modules, which the second one names."""
GENERIC_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""What kernels of a bundle are compiled for, in numba's own variables: any processor of the family."""
_RUNNABLE = ("engine.", "explorer.")
_LIBRARY_PATH = "LD_LIBRARY_PATH"
"""What PyInstaller's starter changes; the system's loader has read it by now."""


def is_bundled() -> bool:
    """Return whether this is the bundle for people without Python, whose interpreter is the program itself."""
    return bool(getattr(sys, "frozen", False))


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the program in a process of its own, as ``python -m`` does."""
    return [sys.executable, RUN_MODULE if is_bundled() else "-m", module, *arguments]


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
