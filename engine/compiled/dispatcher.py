"""Compiling by numba: what numba makes of a kernel, and which types it compiles one for.

Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.
"""

from __future__ import annotations

import os
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types

from engine.common.this_program import is_bundled
from engine.compiled.bundled_kernels import is_part_of_bundle
from engine.compiled.cache_reading import read_quickly

NO_FUNCTION_POINTER = {"no_cfunc_wrapper": True}
"""Kernels are never passed as values."""
NO_PYTHON_CALLS = {"no_cpython_wrapper": True}
"""A kernel that others call needs no way in from Python; for the arrays of a chart it takes longer to compile than
the kernel itself."""


def entry_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """What Python calls: compiled at the first call, or read from the cache in `folder`."""
    return _dispatcher(function, options | NO_FUNCTION_POINTER, folder)


def callee_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """What other kernels call: compiled as they are."""
    # numba's cache knows a function by its name and not by its options.
    inner = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    inner.__qualname__ = f"{function.__qualname__}-callee"
    inner.__module__ = function.__module__
    made = _dispatcher(inner, options | NO_FUNCTION_POINTER | NO_PYTHON_CALLS, folder)
    ask = made.get_call_template
    if list(signature(ask).parameters) == ["args", "kws"]:
        made.get_call_template = lambda args, kws: ask(tuple(map(common_type, args)), kws)
    return made


def common_type(argument: Any) -> Any:
    """The type to compile a callee for, given an argument's type.

    Left to itself numba compiles a kernel anew for every constant that it is called with, and for every width of a
    whole number: that was half of all the time it took.
    """
    plain = types.unliteral(argument)
    return types.int64 if plain in (types.int8, types.int16, types.int32) else plain


def _dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    if is_bundled():
        # Not every numba that the program can be installed with has what this uses.
        from engine.compiled.bundle_locator import use_bundle

        use_bundle(folder)
    elif not os.environ.get("NUMBA_CACHE_DIR"):
        # numba looks at one file's date only, and a kernel calls those of other files: the folder's
        # name stands for all of them.
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    made = numba.njit(**options)(function)
    read_quickly(made)
    if is_part_of_bundle(folder):
        # What belongs to the installation is only read, whatever types a kernel is called with.
        made._cache.save_overload = lambda sig, data: None
    return made
