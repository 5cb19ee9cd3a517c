"""The hash under which features and contexts of whole trees are kept: its constants."""

from __future__ import annotations

HASH_MULTIPLIER = 0x2545F4914F6CDD1D
HASH_BITS = 62
HASH_MASK = (1 << HASH_BITS) - 1
