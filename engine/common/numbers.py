"""Numbers as the program writes them, one rule each: in tables and pictures, in sentences, of terminal and window.

====================================  ==========================================================================
what                                  how
====================================  ==========================================================================
:func:`number`                        so many decimals, always; logarithms of the terminal have three
:func:`log_text`, :func:`signed`      two decimals or more (:class:`NumberFormat`); what rounds to 0 is not written 0
:func:`significant`                   three digits that count, or more; powers of ten at both ends
:func:`probability_text`              a probability by the same rule, closer set
:func:`chance`                        a probability with four decimals, for columns of the terminal
:func:`probability`, :func:`amount`   for sentences: never a number that rounds to zero, never an empty slot
====================================  ==========================================================================

All have a true minus sign.
"""

from __future__ import annotations

import math

MINUS = "−"
ROUNDING = 1e-9
"""Differences up to this come from adding in another order."""
ABOUT_ZERO = "≈ 0"
"""A number that rounds to zero and is not."""
USUAL_DIGITS = 3
MOST_DIGITS = 6
LEAST_NATS = 0.005
"""What is less is no difference to name in a sentence: it would be written 0.00."""
_LARGEST_RATIO = 1e6
_ALL = 1 - 1e-9
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class NumberFormat:
    """How many significant digits numbers have at least; a preference, the same for all windows."""

    digits = USUAL_DIGITS


# Counts.


def size(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: ``1 word``, ``2,400 words``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def ordinal(count: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count:,}{ending}"


def times(count: int) -> str:
    """``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def superscript(number: int) -> str:
    """Return a whole number as an exponent."""
    return str(number).translate(_SUPERSCRIPTS)


# Logarithms and differences of them.


def number(value: float, digits: int = 3) -> str:
    """Return a logarithm or any other number with so many decimals, and no minus sign before zero."""
    if math.isinf(value):
        return f"{MINUS}∞" if value < 0 else "∞"
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", MINUS)


def log_text(value: float, digits: int | None = None) -> str:
    """Return a log probability: ``−3.42``; ``≈ 0`` for what rounds to 0."""
    digits = max(digits or USUAL_DIGITS - 1, NumberFormat.digits - 1)
    if math.isfinite(value) and not round(value, digits):
        return ABOUT_ZERO if abs(value) > ROUNDING else "0"
    return number(value, digits)


def signed(value: float, digits: int | None = None) -> str:
    """Return a difference of logs with its sign: ``+0.31``, ``−3.42``; ``≈ 0`` for what rounds to 0."""
    digits = max(digits or USUAL_DIGITS - 1, NumberFormat.digits - 1)
    if math.isinf(value):
        return f"{MINUS}∞" if value < 0 else "+∞"
    rounded = round(value, digits) + 0.0
    if not rounded:
        return ABOUT_ZERO if abs(value) > ROUNDING else "0"
    return f"{rounded:+.{digits}f}".replace("-", MINUS)


# Probabilities, and other numbers of any size.


def significant(value: float, digits: int | None = None) -> str:
    """Return a number with so many significant digits: ``0.0421``, ``1.00``, ``3.2e−07`` as ``3.20 × 10⁻⁷``."""
    digits = max(digits or USUAL_DIGITS, NumberFormat.digits)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if value == 0:
        return "0"
    # The power of what is written: 0.9996 is written 1.00, not 1.000.
    power = int(f"{abs(value):.{digits - 1}e}".partition("e")[2])
    if power < -4 or power > 6:
        mantissa = f"{value:.{digits - 1}e}".partition("e")[0]
        return mantissa.replace("-", MINUS) + f" × 10{superscript(power)}"
    return f"{value:.{max(digits - 1 - power, 0)}f}".replace("-", MINUS)


def probability_text(value: float) -> str:
    """Return a probability: ``0.982``, ``0.00213``, ``4.21×10⁻⁵``."""
    if value == 0:
        return "0"
    after = NumberFormat.digits - 1
    mantissa, _, exponent_text = f"{value:.{after}e}".partition("e")
    exponent = int(exponent_text)
    if exponent >= 0:
        return f"{1:.{after}f}"
    if exponent >= -3:
        return f"{value:.{after - exponent}f}"
    return f"{mantissa}×10{superscript(exponent)}"


def short_probability_text(value: float) -> str:
    """Return a probability where there is little room: ``.98``, ``.002``, ``4⁻⁵`` for 4 × 10⁻⁵."""
    if value == 0:
        return "0"
    if value >= 0.995:
        return "1"
    if value >= 0.01:
        return f"{value:.2f}".lstrip("0")
    if value >= 0.001:
        return f"{value:.3f}".lstrip("0")
    return "10" + superscript(math.floor(math.log10(value)))


def table_probability(value: float) -> str:
    """Return a probability in a table where most are 0 or 1: three significant digits,
    ``≈ 0`` for what would round to 0.
    """
    return ABOUT_ZERO if 0 < value < 0.0005 else probability_text(value)


def chance(value: float) -> str:
    """Return a probability, or F̂, with four decimals; where these would all be 0 with a power of ten."""
    return f"{value:.4f}" if value == 0 or value >= 0.00005 else f"{value:.1e}".replace("-", MINUS)


# Numbers in sentences: never one that rounds to zero.


def probability(value: float) -> str:
    """Return a probability or F̂ with three digits: ``0.499``, ``0.0213``;
    ``under 0.0001`` and ``over 0.999`` at the ends.
    """
    if value <= 0:
        return "0"
    if value < 1e-4:
        return "under 0.0001"
    if 0.9995 <= value < 1 - 1e-12:
        return "over 0.999"
    if value >= 1 - 1e-12:
        return "1"
    power = int(f"{value:.2e}".partition("e")[2])
    return f"{value:.{2 - power}f}"


def amount(nats: float) -> str:
    """So many nats without a sign: ``1.93``; what rounds to zero is ``less than 0.01``."""
    size = abs(nats)
    if size < LEAST_NATS:
        return "less than 0.01"
    return number(size, 2) if size < 99.95 else number(size, 0)


def change(nats: float) -> str:
    """Return a difference of two scores with its sign: ``+1.90``, ``−0.44``; ``the same`` where none is seen."""
    if abs(nats) < LEAST_NATS:
        return "the same"
    return f"{'+' if nats > 0 else MINUS}{amount(nats)}"


def adds(nats: float) -> str:
    """Return what a part of the score does to it: ``adds 1.93 to the score``, ``takes 0.44 from the score``."""
    if abs(nats) < LEAST_NATS:
        return "leaves the score as it is"
    return f"{'adds' if nats > 0 else 'takes'} {amount(nats)} {'to' if nats > 0 else 'from'} the score"


def log_probability(value: float) -> str:
    """Return a log probability: ``−3.42``; ``about 0`` where it rounds to that."""
    return number(value, 2) if abs(value) >= LEAST_NATS else "about 0"


def times_as_probable(nats: float) -> str:
    """Return how many times as probable something is that is so many nats ahead: ``1.6 times as probable``."""
    ratio = math.exp(min(nats, 700.0))
    if ratio < 1.05:
        return "about as probable"
    if ratio >= _LARGEST_RATIO:
        return "more than a million times as probable"
    ratio = float(f"{ratio:.2g}")
    return f"{ratio:,.0f} times as probable" if ratio >= 10 else f"{ratio:.1f} times as probable"


# Shares.


def share_text(share: float) -> str:
    """Return a share of the vote in per cent; all of it, or none, only where that is so."""
    if 0 < share < 0.005:
        return "less than 1 %"
    if 0.995 <= share < _ALL:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def percent(expected_f1: float | None, digits: int = 2) -> str:
    """Return an expected F1 in per cent with two decimals, as F1 is told everywhere."""
    return "–" if expected_f1 is None else f"{100 * expected_f1:.{digits}f} %"


def percents_told_apart(first: float | None, second: float | None) -> tuple[str, str]:
    """Two expected F1 with as many decimals as it takes to tell them apart."""
    pairs = ((percent(first, digits), percent(second, digits)) for digits in (2, 4, 6, 9))
    return next((pair for pair in pairs if pair[0] != pair[1]), (percent(first), percent(second)))


# Settings and times.


def beam_text(beam: float) -> str:
    """β: ``1000``, ``3.5``, ``10⁶``, ``∞``."""
    if math.isinf(beam):
        return "∞"
    power = round(math.log10(beam))
    if power >= 4 and math.isclose(beam, 10.0**power, rel_tol=1e-9):
        return f"10{superscript(power)}"
    return f"{beam:,.0f}" if beam >= 100 else f"{beam:.3g}"


def duration(seconds: float) -> str:
    """Return a time: ``0.8 ms``, ``12 ms``, ``1.4 s``."""
    if seconds < 0.001:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
