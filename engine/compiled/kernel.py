"""Kernels: functions over arrays that run compiled or interpreted, from the same source and with the same answers.

A kernel is a plain function under the decorator :func:`kernel`.  To tools (an editor, mypy) it stays that function.
Called from Python it runs

* *compiled* by numba, once the cache holds it (:mod:`engine.compiled.cache`), or where :func:`use_compiled` asks for
it;
* *interpreted* before that, so that nobody waits for the compiler.

The rule that keeps the two apart: **within one call all kernels are of one kind.**  A compiled kernel calls compiled
ones, because numba sees in every kernel its compiled form.  An interpreted one calls interpreted ones, because it runs
with a copy of its module's names in which every kernel is replaced by its uncompiled function.  Were they mixed, a
compiled kernel would be called with Python's own numbers, which are other types, and be compiled anew for them.

What follows from the rule: a kernel may use the arguments, numpy, constants and other kernels, and no name of its
module
that changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any, TypeVar, cast, overload

Function = TypeVar("Function", bound=Callable[..., Any])

AUTOMATIC, COMPILED, INTERPRETED = "automatic", "compiled", "interpreted"
"""How kernels run: compiled if the cache holds them, else interpreted; always compiled; always interpreted."""

_lock = RLock()
_kernels: dict[str, _Kernel] = {}
_uncompiled_names: dict[str, dict[str, Any]] = {}
_being_copied: dict[str, dict[str, Any]] = {}
_mode = INTERPRETED if os.environ.get("NUMBA_DISABLE_JIT") == "1" else AUTOMATIC


def _never_ready(name: str) -> bool:
    """Answer for a cache that nobody has set up."""
    return False


def _plain_numba(function: FunctionType, options: dict[str, Any]) -> Any:
    """Compile without a cache of our own."""
    import numba

    return numba.njit(**options)(function)


_is_ready: Callable[[str], bool] = _never_ready
_compiler: Callable[[FunctionType, dict[str, Any]], Any] = _plain_numba


class _Kernel:
    """A function with its compiled form; stands for it in the module, for callers and for numba alike."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._dispatcher: Any = None
        self._interpreted: Callable[..., Any] | None = None
        self._run: Callable[..., Any] = self._choose
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def _choose(self, *arguments: Any) -> Any:
        """Decide how to run; once it is compiled there is nothing more to decide."""
        if _mode == COMPILED or (_mode == AUTOMATIC and _is_ready(self.name)):
            self._run = self.dispatcher
        elif _mode == INTERPRETED:
            self._run = self.interpreted
        else:
            return self.interpreted(*arguments)
        return self._run(*arguments)

    def forget_choice(self) -> None:
        """Decide anew at the next call."""
        self._run = self._choose

    @property
    def interpreted(self) -> Callable[..., Any]:
        """The function uncompiled, and every kernel that it calls as well."""
        if self._interpreted is None:
            self._interpreted = self._with_names(_uncompiled(self.function))
        return self._interpreted

    def _with_names(self, names: dict[str, Any]) -> Callable[..., Any]:
        function = self.function
        return FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )  # fmt: skip

    @property
    def dispatcher(self) -> Any:
        """What numba makes of the function; it compiles it at the first call, or reads it from its cache."""
        if self._dispatcher is None:
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = _compiler(self.function, self.options)
        return self._dispatcher

    @property
    def was_compiled(self) -> bool:
        """Whether this process has compiled it, or read it compiled, for any types."""
        return self._dispatcher is not None and bool(self._dispatcher.signatures)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes a kernel for that another one calls."""
        from numba import types

        return types.Dispatcher(self.dispatcher)


def _uncompiled(function: FunctionType) -> dict[str, Any]:
    """The names of a function's module, every kernel among them replaced by its function uncompiled."""
    module = function.__module__
    if module in _uncompiled_names:
        return _uncompiled_names[module]
    with _lock:
        if module in _being_copied:
            # A kernel of the module calls another one of it: they share one copy.
            return _being_copied[module]
        names = _being_copied[module] = {}
        for name, value in list(function.__globals__.items()):
            names[name] = value.interpreted if isinstance(value, _Kernel) else value
        _uncompiled_names[module] = names
    return names


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(*, allocates: bool = True, inlined: bool = False) -> Callable[[Function], Function]: ...


def kernel(
    function: Callable[..., Any] | None = None, /, *, allocates: bool = True, inlined: bool = False
) -> Callable[..., Any]:
    """Make a kernel of a function.

    Parameters
    ----------
    function
        A plain function over arrays, named tuples of arrays, and numbers.
    allocates
        False for a kernel that makes no array: it can do without counting references to those that it gets, which in
        small functions with many arrays takes more time than their work.
    inlined
        True for one that is called for every cell or edge with all arrays of the chart, each of which is half a dozen
        arguments: its code is put where it is called, for being called would take much of its time.
    """
    options = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": allocates,
        "forceinline": inlined,
    }

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        made = _Kernel(cast(FunctionType, function), options)
        _kernels[made.name] = made
        return made

    return decorate if function is None else decorate(function)


def set_mode(mode: str) -> None:
    """Run kernels in this way from now on: ``AUTOMATIC``, ``COMPILED`` or ``INTERPRETED``."""
    global _mode
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        _mode = mode
        for one in list(_kernels.values()):
            one.forget_choice()


def mode() -> str:
    """How kernels run now."""
    return _mode


def use_compiled() -> None:
    """Run compiled kernels from now on, compiling in this process what the cache does not hold."""
    if _mode == AUTOMATIC:
        set_mode(COMPILED)


def use_cache(is_ready: Callable[[str], bool], compiler: Callable[[FunctionType, dict[str, Any]], Any]) -> None:
    """Have a cache tell which kernels it holds, by name, and compile or read them."""
    global _is_ready, _compiler
    _is_ready, _compiler = is_ready, compiler


def compiled_kernels() -> list[str]:
    """The names of the kernels that this process has compiled, or read compiled."""
    return sorted(name for name, one in list(_kernels.items()) if one.was_compiled)
