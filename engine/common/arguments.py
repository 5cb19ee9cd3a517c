"""What is handed to the engine from Python: of the right kind, or one sentence that says what it should be.

Compiled loops believe what they are given, so it is looked at before, where it comes in.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from types import UnionType

from engine.common.errors import EngineError

_MOST_SHOWN = 40


class ArgumentError(EngineError, TypeError):
    """An argument of the wrong kind."""


def expect(value: object, kinds: type | UnionType, what: str) -> None:
    """Raise :class:`ArgumentError` unless a value is of one of these kinds; `what` says what it is to be."""
    if not isinstance(value, kinds):
        raise ArgumentError(f"{what}, not {shown(value)}")


def expect_texts(values: Iterable[object], what: str) -> None:
    """Raise :class:`ArgumentError` unless all values are text; `what` says what they are to be."""
    # Nearly always all are, and then that is seen at once.
    if set(map(type, values)) - {str}:
        for value in values:
            expect(value, str, what)


def number(value: object, what: str) -> float:
    """Return the value as a number that is not NaN; `what` is its name."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ArgumentError(f"{what} is a number, not {shown(value)}")
    try:
        found = float(value)
    except OverflowError:
        raise EngineError(f"{what} is a number of at most 1e308, not {shown(value)}") from None
    if math.isnan(found):
        raise EngineError(f"{what} is a number, not NaN")
    return found


def whole(value: object, least: int, most: int, what: str) -> int:
    """Return the value as a whole number within limits; `what` is its name."""
    if type(value) is int and least <= value <= most:
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ArgumentError(f"{what} is a whole number, not {shown(value)}")
    found = int(value)
    if not least <= found <= most:
        raise EngineError(f"{what} is from {least:,} to {most:,}, not {shown(found)}")
    return found


def flag(value: object, what: str) -> None:
    """Raise :class:`ArgumentError` unless a value is true or false, or 1 or 0; `what` is its name."""
    if not isinstance(value, int) or value not in (0, 1):
        raise ArgumentError(f"{what} is True or False, not {shown(value)}")


def shown(value: object) -> str:
    """Return a value as an error shows it, or what kind of thing it is."""
    return (
        short_repr(value) if isinstance(value, int | float | str | None) else f"a value of type {type(value).__name__}"
    )


def short_repr(value: object) -> str:
    """Return how Python would print a value, cut short."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
