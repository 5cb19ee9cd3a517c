"""Which characters are text: one answer for input, output and the window."""

from __future__ import annotations


def is_control(character: str) -> bool:
    """Whether a character has no shape of its own, breaks lines, or cannot be written as UTF-8."""
    number = ord(character)
    return number < 0x20 or 0x7F <= number < 0xA0 or number in (0x2028, 0x2029) or 0xD800 <= number < 0xE000
