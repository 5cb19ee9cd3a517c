"""Reading compiled kernels from numba's cache without making the compiler ready first.

Before numba reads one kernel from its cache it loads all that it knows about typing and lowering Python, which takes
longer than reading all the kernels of a parse.  Only compiling needs that, and whatever compiles loads it itself; to
run what was compiled once the memory of arrays is all that must be there.

Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.
"""

from __future__ import annotations

from functools import lru_cache
from inspect import signature
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

_USED = {
    "load_overload": ["self", "sig", "target_context"],
    "_load_overload": ["self", "sig", "target_context"],
    "_guard_against_spurious_io_errors": ["self"],
}
"""What is used of numba's own, with its parameters; a version that has it otherwise reads its cache in its own way."""


class KernelCache(FunctionCache):
    """The cache of one kernel, whose reading does not load the compiler."""

    def load_overload(self, sig: object, target_context: Any) -> object:
        """The kernel compiled for these types; ``None`` if the cache does not have it."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None


@lru_cache(maxsize=4)
def is_known(cache: type) -> bool:
    """Whether numba's cache is as it is known here."""
    methods = {name: getattr(cache, name, None) for name in _USED}
    return all(method and list(signature(method).parameters) == _USED[name] for name, method in methods.items())


def read_quickly(kernel: Any) -> bool:
    """Have a kernel's cache read without loading the compiler; false where this numba cannot do so."""
    cache = getattr(kernel, "_cache", None)
    if type(cache) is not FunctionCache or not is_known(FunctionCache):
        return False
    cache.__class__ = KernelCache
    return True
