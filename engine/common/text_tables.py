"""Numbers and tables as the terminal prints them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence


def number(value: float, digits: int = 3) -> str:
    """A logarithm or any other number with a true minus sign, none before zero, and so many decimals."""
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")


def size(count: int, one: str, many: str = "") -> str:
    """A count with its noun: ``1 word``, ``2,400 words``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def ordinal(count: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count:,}{ending}"


def chance(value: float) -> str:
    """A probability, or F̂, with four decimals; where these would all be 0 with a power of ten."""
    return f"{value:.4f}" if value == 0 or value >= 0.00005 else f"{value:.1e}".replace("-", "−")


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: the hat of F̂ takes none."""
    return sum(not unicodedata.combining(character) for character in text)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Columns of text, left-aligned but for those named in `right`."""
    widths = [max(_columns(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [
            (" " * (width - _columns(cell)) + cell) if column in right else (cell + " " * (width - _columns(cell)))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
