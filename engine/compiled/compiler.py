"""Compiling by numba: what numba makes of a kernel, and the files in which compiled kernels are kept."""

from __future__ import annotations

import hashlib
import pickle
from functools import lru_cache
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.compiled.cache import (
    KERNEL_SUFFIX,
    KernelDamaged,
    can_be_kept,
    is_listed,
    is_usable,
    note_file,
    open_kernel_file,
    withdraw,
)
from engine.gate.private_files import NotPrivate, note_problem

# The files of compiled kernels: one for each kernel and its types, read only if it is whole and this user's own.
#
# numba keeps compiled code as pickles, which can do anything when they are read, and as machine code, of which a single
# changed bit can end the process.  So a file is read through :func:`engine.compiled.cache.open_kernel_file`, begins
# with a digest of the rest, and says what it was compiled for; the very bytes that were checked are unpickled.  What is
# not as it should be is removed, with the lists that name it, and compiled anew.
#
# numba's own cache also loads all that it knows about typing and lowering Python before it reads one kernel, which
# takes longer than reading all the kernels of a parse.  Only compiling needs that, and whatever compiles loads it
# itself; to run what was compiled once the memory of arrays is all that must be there.
#
# Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.

_BEGIN = b"PARSEKR\n"
_DIGEST_BYTES = hashlib.sha256().digest_size
_USED = {
    "load_overload": ["self", "sig", "target_context"],
    "save_overload": ["self", "sig", "data"],
}
"""What numba asks of a cache, with the parameters."""


class KernelCache(NullCache):  # type: ignore[misc]
    """The files of one kernel.

    Parameters
    ----------
    function
        What is compiled.
    folder
        Where files are, which nobody else can write to.
    is_entry
        Whether Python calls it.  What is damaged then raises :class:`KernelDamaged`, so that the kernel can run
        interpreted until it is compiled anew; what another kernel calls is compiled with that one.
    """

    def __init__(self, function: FunctionType, folder: Path, is_entry: bool) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._folder = folder
        self._is_entry = is_entry

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for these types; ``None`` if there is no file of it."""
        rtsys.initialize(target_context)
        key = self._key(sig, target_context.codegen())
        path = self._path(key)
        found = _read(path)
        if found is not None and found[0] == key:
            note_file(self._name, path.name)
            return CompileResult._rebuild(target_context, *found[1])
        if (found is not None or path.exists() or is_listed(path.name)) and withdraw(path.name) and self._is_entry:
            raise KernelDamaged(path.name)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; where that cannot be done, the process has it all the same."""
        if any(not one.can_cache for one in data.lifted) or data.library.has_dynamic_globals:
            return
        if not can_be_kept():
            return
        key = self._key(sig, data.codegen)
        content = dumps((key, data._reduce()))
        path = self._path(key)
        note_file(self._name, path.name)
        try:
            write_whole(path, _BEGIN + hashlib.sha256(content).digest() + content, private=True)
        except EngineError as error:
            note_problem(str(error))

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Return what a file must have been compiled for and from; the folder's name stands for
        the source as a whole.
        """
        return sig, codegen.magic_tuple(), hashlib.sha256(self._function.__code__.co_code).hexdigest()

    def _path(self, key: tuple[Any, ...]) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}{KERNEL_SUFFIX}"


def _read(path: Path) -> tuple[Any, Any] | None:
    """Return what was compiled for what; ``None`` if there is no such file, or it is not one that can be used."""
    try:
        with open_kernel_file(path) as file:
            whole = file.read()
    except (OSError, NotPrivate):
        return None
    start = len(_BEGIN) + _DIGEST_BYTES
    content = memoryview(whole)[start:]
    if whole[:start] != _BEGIN + hashlib.sha256(content).digest():
        return None
    try:
        key, data = pickle.loads(content)
    except Exception:
        # Whole, and yet of another numba: as good as none.
        return None
    return key, data


@lru_cache(maxsize=4)
def is_known(cache: type) -> bool:
    """Return whether numba's cache, and what it keeps, are as they are known here."""
    methods = {name: getattr(cache, name, None) for name in _USED}
    return all(
        method and list(signature(method).parameters) == _USED[name] for name, method in methods.items()
    ) and all(hasattr(CompileResult, name) for name in ("_reduce", "_rebuild"))


def keep_compiled(dispatcher: Any, folder: Path, is_entry: bool) -> None:
    """Have what is compiled of a kernel kept in a folder, and found there again; nothing is if it cannot be used."""
    if not is_usable():
        return
    if is_known(numba.core.dispatcher.FunctionCache):
        dispatcher._cache = KernelCache(dispatcher.py_func, folder, is_entry)
    else:
        # This numba keeps it in its own way: nobody else can write to the folder, but damage is not noticed.
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        dispatcher.enable_caching()


# Compiling by numba: what numba makes of a kernel, and which types it compiles one for.
#
# Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.

NO_FUNCTION_POINTER = {"no_cfunc_wrapper": True}
"""Kernels are never passed as values."""
NO_PYTHON_CALLS = {"no_cpython_wrapper": True}
"""A kernel that others call needs no way in from Python; for the arrays of a chart it takes longer to compile than
the kernel itself."""


def entry_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """Return what Python calls: compiled at the first call, or read from the cache in `folder`."""
    return _dispatcher(function, options | NO_FUNCTION_POINTER, folder, is_entry=True)


def callee_dispatcher(function: FunctionType, options: dict[str, Any], folder: Path) -> Any:
    """Return what other kernels call: compiled as they are."""
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
    """Return the type to compile a callee for, given an argument's type.

    Left to itself numba compiles a kernel anew for every constant that it is called with, and for every width of a
    whole number: that was half of all the time it took.
    """
    plain = types.unliteral(argument)
    return types.int64 if plain in (types.int8, types.int16, types.int32) else plain


def _dispatcher(function: FunctionType, options: dict[str, Any], folder: Path, is_entry: bool) -> Any:
    made = numba.njit(**options)(function)
    keep_compiled(made, folder, is_entry)
    return made
