"""Numbers and tables as the terminal prints them."""

from __future__ import annotations

import math
from collections.abc import Sequence


def number(value: float, digits: int = 3) -> str:
    """A logarithm or any other number with a true minus sign, none before zero, and so many decimals."""
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Columns of text, left-aligned but for those named in `right`."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
