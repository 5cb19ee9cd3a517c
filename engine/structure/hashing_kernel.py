"""The hash under which features and contexts of whole trees are kept."""

from __future__ import annotations

from engine.compiled.kernel import kernel
from engine.structure.hashing_layout import HASH_MASK, HASH_MULTIPLIER


@kernel(allocates=False)
def mix(mixed: int, number: int) -> int:
    """Mix one number more into a hash of 62 bits."""
    mixed = ((mixed ^ (number + 1024)) * HASH_MULTIPLIER) & HASH_MASK
    return mixed ^ (mixed >> 31)
