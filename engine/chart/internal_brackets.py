"""Brackets inside baseNPs, restored after parsing (see :mod:`engine.estimates.internal_brackets_kernel`)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.structure.constituents import BASE_LABEL

Bracket = tuple[str, int, int]


def brackets_by_start(rows: Sequence[Sequence[int]], phrases: Sequence[str]) -> list[Bracket]:
    """Brackets of all baseNPs of a sentence in pre-order, from rows (phrase number from 1 or −1, start, end)."""
    found = [(phrases[number - 1] if number > 0 else BASE_LABEL, start, end) for number, start, end in rows]
    found.sort(key=lambda bracket: (bracket[1], -bracket[2]))
    return found
