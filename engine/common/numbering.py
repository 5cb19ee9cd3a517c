"""Numbers for strings, in the order in which they turn up."""

from __future__ import annotations


class Numbers(dict[str, int]):
    """Numbers strings in the order in which they turn up."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number
