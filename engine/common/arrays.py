"""Short names for numpy arrays by what they hold, and the numbers that stand for strings in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

# Short names for numpy arrays by what they hold.

AnyArray: TypeAlias = npt.NDArray[Any]
Int8Array: TypeAlias = npt.NDArray[np.int8]
Int16Array: TypeAlias = npt.NDArray[np.int16]
Int32Array: TypeAlias = npt.NDArray[np.int32]
Int64Array: TypeAlias = npt.NDArray[np.int64]
UInt8Array: TypeAlias = npt.NDArray[np.uint8]
UInt16Array: TypeAlias = npt.NDArray[np.uint16]
UInt32Array: TypeAlias = npt.NDArray[np.uint32]
UInt64Array: TypeAlias = npt.NDArray[np.uint64]
Float32Array: TypeAlias = npt.NDArray[np.float32]
FloatArray: TypeAlias = npt.NDArray[np.float64]
"""Double precision, as numpy has it unless it is told otherwise."""
BoolArray: TypeAlias = npt.NDArray[np.bool_]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
"""Whole numbers of any width."""


def starts_of(sizes: Sequence[int] | IntArray) -> Int64Array:
    """Return where each of several pieces starts that stand end to end, and the end."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


# Numbers for strings, in the order in which they turn up.


class Numbers(dict[str, int]):
    """Numbers strings in the order in which they turn up."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number
