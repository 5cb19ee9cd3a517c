"""Compiling by numba: what numba makes of a kernel, and which types it compiles one for.

Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.
"""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types

from engine.compiled.kernel_cache import keep_compiled

NO_FUNCTION_POINTER = {"no_cfunc_wrapper": True}
"""Kernels are never passed as values."""
NO_PYTHON_CALLS = {"no_cpython_wrapper": True}
"""A kernel that others call needs no way in from Python; for the arrays of a chart it takes longer to compile than
the kernel itself."""


def entry_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """What Python calls: compiled at the first call, or read from the cache in `folder`."""
    return _dispatcher(function, options | NO_FUNCTION_POINTER, folder, is_entry=True)


def callee_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """What other kernels call: compiled as they are."""
    # A cache knows a function by its name and not by its options.
    inner = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    inner.__qualname__ = f"{function.__qualname__}-callee"
    inner.__module__ = function.__module__
    made = _dispatcher(inner, options | NO_FUNCTION_POINTER | NO_PYTHON_CALLS, folder, is_entry=False)
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


def _dispatcher(function: FunctionType, options: dict[str, Any], folder: Path, is_entry: bool) -> Any:
    made = numba.njit(**options)(function)
    keep_compiled(made, folder, is_entry)
    return made
