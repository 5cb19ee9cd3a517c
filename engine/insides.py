"""Brackets inside baseNPs, restored after parsing (see :mod:`engine.kernels.insides`)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.constituents import BASE_LABEL
from engine.kernels.data import FIRST_PHRASE_STATE, POSSESSIVE

Bracket = tuple[str, int, int]


def brackets_inside(start: int, end: int, states: Sequence[int], labels: Sequence[str]) -> tuple[Bracket, ...]:
    """Brackets inside the baseNP over words ``start .. end``, in pre-order.

    Every POS that is not the last word ends a possessive NP that starts where the baseNP does; phrases come
    from the states.
    """
    found: list[Bracket] = []
    for position in range(start, end):
        if states[position] == POSSESSIVE:
            found.append((BASE_LABEL, start, position + 1))
    position = start
    while position < end:
        state = states[position]
        first = position
        position += 1
        if state >= FIRST_PHRASE_STATE and (state - FIRST_PHRASE_STATE) % 2 == 0:
            while position < end and states[position] == state + 1:
                position += 1
            found.append((labels[(state - FIRST_PHRASE_STATE) // 2], first, position))
    found.sort(key=lambda bracket: (bracket[1], -bracket[2]))
    return tuple(found)
