"""Compiled kernels are read from numba's cache without making its compiler ready first.

Before numba reads one kernel from its cache it loads all that it knows about typing and lowering Python, which takes
longer than reading all the kernels of a parse.  Only compiling needs that, and whatever compiles loads it itself; to
run what was compiled once the memory of arrays is all that must be there.
"""

from __future__ import annotations

from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

_USED = ("load_overload", "_load_overload", "_guard_against_spurious_io_errors")
"""What is used of numba's own; a version without them reads its cache as it always does."""


class KernelCache(FunctionCache):
    """The cache of one kernel, whose reading does not load the compiler."""

    def load_overload(self, sig: object, target_context: Any) -> object:
        """The kernel compiled for these types; ``None`` if the cache does not have it."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None


def read_quickly(kernel: Any) -> bool:
    """Have a kernel's cache read without loading the compiler; false where this numba cannot do so."""
    cache = getattr(kernel, "_cache", None)
    if type(cache) is not FunctionCache or not all(hasattr(cache, name) for name in _USED):
        return False
    cache.__class__ = KernelCache
    return True
