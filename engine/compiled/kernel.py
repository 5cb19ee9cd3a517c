"""Kernels: functions over arrays that run compiled or interpreted, from the same source and with the same answers.

A kernel is a plain function under the decorator :func:`kernel`; to tools (an editor, mypy) it stays that function.
Called from Python it runs

* *compiled* by numba, as soon as this machine's cache holds it (:mod:`engine.compiled.cache`), or at once where
  :func:`use_compiled` asks for it;
* *interpreted* before that, so that nobody waits for the compiler.

The rule that keeps the two apart: **whatever a call from Python runs is of one kind.**  A compiled kernel calls
compiled kernels, because numba sees in each its compiled form.  An interpreted kernel calls interpreted ones, because
it runs with a copy of its module's names in which every kernel is replaced by its plain function.  If they were mixed,
compiled kernels would be called with Python's own numbers, which are other types, and be compiled anew for them.

For the rule to hold, a kernel

* uses its arguments, numpy, constants and other kernels, and no name of its module that ever changes: numba freezes
  what it compiles, and the interpreted copy is made once;
* stands in a module ``…_kernel.py``, which takes its constants and named tuples from modules ``…_layout.py``: the
  cache is known by the contents of these files, and a constant from elsewhere could change behind its back.

``tests/engine/test_kernel_rules.py`` checks both for every kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any, TypeVar, cast, overload

from engine.compiled.cache import AVAILABILITY, KernelDamaged, is_disabled, kernel_folder

Function = TypeVar("Function", bound=Callable[..., Any])

AUTOMATIC, COMPILED, INTERPRETED = "automatic", "compiled", "interpreted"
"""How kernels run: compiled if the cache holds them, else interpreted; always compiled; always interpreted."""

_lock = RLock()
_kernels: dict[str, _Kernel] = {}
_interpreted_names: dict[str, dict[str, Any]] = {}
_called: set[str] = set()
"""The kernels that were called compiled since :func:`run_compiled` began."""
_mode = INTERPRETED if is_disabled() else AUTOMATIC
_compiled_modules: frozenset[str] | None = None
"""The modules whose kernels run compiled if the mode says so; ``None`` for all."""


class _Kernel:
    """A function with its compiled forms; stands for it in the module, for callers and for numba alike."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._options = options
        self._entry: Any = None
        self._callee: Any = None
        self._interpreted: Callable[..., Any] | None = None
        self._run: Callable[..., Any] = self._choose
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self._run(*arguments)
        except KernelDamaged:
            return self._replaced(*arguments)
        except SystemError as error:
            raise _raised_meanwhile(error) from None

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def _choose(self, *arguments: Any) -> Any:
        """Decide how to run; once it is compiled there is nothing more to decide."""
        with _lock:
            if self._is_to_be_compiled():
                run = self._run = self.entry
                _called.add(self.name)
            else:
                run = self.interpreted
        return run(*arguments)

    def _replaced(self, *arguments: Any) -> Any:
        """Run without the file of the cache that was damaged, and is gone by now: as on a new machine."""
        if _mode == COMPILED:
            return self.entry(*arguments)
        self.forget_choice()
        AVAILABILITY.look_again()
        return self.interpreted(*arguments)

    def _is_to_be_compiled(self) -> bool:
        if _mode == COMPILED:
            return _compiled_modules is None or self.function.__module__ in _compiled_modules
        return _mode == AUTOMATIC and AVAILABILITY.is_ready(self.name)

    def forget_choice(self) -> None:
        """Decide anew at the next call."""
        self._run = self._choose

    @property
    def interpreted(self) -> Callable[..., Any]:
        """The function uncompiled, and every kernel that it calls as well."""
        # Under the lock also to read it: another thread may be filling the names that it runs with.
        with _lock:
            if self._interpreted is None:
                function = self.function
                names = _uncompiled(function)
                self._interpreted = FunctionType(
                    function.__code__, names, function.__name__, function.__defaults__, function.__closure__
                )
            return self._interpreted

    @property
    def entry(self) -> Any:
        """The compiled form that Python calls; numba compiles it at the first call, or it is read from the cache."""
        with _lock:
            if self._entry is None:
                from engine.compiled.compiler import entry_dispatcher

                self._entry = entry_dispatcher(self.function, self._options, kernel_folder())
        return self._entry

    @property
    def was_compiled(self) -> bool:
        """Whether this process has compiled it, or read it compiled, to be called from Python."""
        return self._entry is not None and bool(self._entry.signatures)

    @property
    def cache_misses(self) -> int:
        """How many times this process had to compile it, because the cache did not have it for some types."""
        return 0 if self._entry is None else sum(self._entry.stats.cache_misses.values())

    @property
    def _numba_type_(self) -> Any:
        """What numba takes a kernel for that another one calls."""
        from numba import types

        from engine.compiled.compiler import callee_dispatcher

        with _lock:
            if self._callee is None:
                self._callee = callee_dispatcher(self.function, self._options, kernel_folder())
        return types.Dispatcher(self._callee)


def _raised_meanwhile(error: BaseException) -> BaseException:
    """Return what a signal handler has raised while numba converted arguments or results: Ctrl-C, say.

    numba goes on all the same, and Python finds a result beside an exception, which it tells of by another.
    """
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _uncompiled(function: FunctionType) -> dict[str, Any]:
    """Return the names of a function's module, every kernel among them replaced by its function uncompiled."""
    module = function.__module__
    with _lock:
        if module not in _interpreted_names:
            # There before it is filled, because kernels of the module call one another and share it.
            names = _interpreted_names[module] = {}
            for name, value in list(function.__globals__.items()):
                names[name] = value.interpreted if isinstance(value, _Kernel) else value
        return _interpreted_names[module]


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
        True for one that is called for every cell, edge or look-up with all arrays of the chart or of the counts, each
        of which is half a dozen arguments: its code is put where it is called, for being called would take much of its
        time.
    """
    options = {
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


def set_mode(mode: str, modules: Iterable[str] | None = None) -> None:
    """Run kernels in this way from now on: ``AUTOMATIC``, ``COMPILED`` or ``INTERPRETED``.

    With `modules`, only their kernels run compiled in mode ``COMPILED``, and all others interpreted.
    """
    global _mode, _compiled_modules
    if not is_disabled():
        with _lock:
            _mode = mode
            _compiled_modules = None if modules is None else frozenset(modules)
            for one in _kernels.values():
                one.forget_choice()


@contextmanager
def running(mode: str, modules: Iterable[str] | None = None) -> Iterator[None]:
    """Run kernels in this way within the block; no other thread should run any meanwhile."""
    before, modules_before = _mode, _compiled_modules
    set_mode(mode, modules)
    try:
        yield
    finally:
        set_mode(before, modules_before)


def run_compiled(work: Callable[[], None], modules: Iterable[str] | None = None) -> list[str]:
    """Do some work with compiled kernels, or with those of `modules`; return the names of all that Python called so."""
    _called.clear()
    with running(COMPILED, modules):
        work()
    return sorted(_called)


def use_compiled() -> None:
    """Run compiled kernels from now on, compiling in this process what the cache does not hold."""
    if _mode == AUTOMATIC:
        set_mode(COMPILED)


def compiled_kernels() -> list[str]:
    """Return the names of the kernels that this process has compiled, or read compiled."""
    return sorted(name for name, one in list(_kernels.items()) if one.was_compiled)


def cache_misses() -> dict[str, int]:
    """Return how often this process had to compile kernels that it called, by name; those that
    it did not are left out.
    """
    return {name: one.cache_misses for name, one in list(_kernels.items()) if one.cache_misses}
