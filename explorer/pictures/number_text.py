"""Numbers and texts as the window writes them: three significant digits, a true minus, quotation marks."""

from __future__ import annotations

import math
import re

from engine.chart.parse import Parse
from engine.common.tables import number
from engine.common.tables import size as size

MINUS = "−"
ROUNDING = 1e-9
"""Differences up to this come from adding in another order."""
USUAL_DIGITS = 3
MOST_DIGITS = 6


_WORD_JOINER = "\u2060"
_MARKED = re.compile(r"<|!(?=\[)")


class NumberFormat:
    """How many significant digits numbers have at least; a preference, the same for all windows."""

    digits = USUAL_DIGITS


def significant(value: float, digits: int | None = None) -> str:
    """A number with so many significant digits: ``0.0421``, ``1.00``, ``3.2e−07`` as ``3.20 × 10⁻⁷``."""
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


def superscript(number: int) -> str:
    """A whole number as an exponent."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def probability_text(value: float) -> str:
    """A probability: ``0.982``, ``0.00213``, ``4.21×10⁻⁵``."""
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
    """The same where there is little room: ``.98``, ``.002``, ``4⁻⁵`` for 4 × 10⁻⁵."""
    if value == 0:
        return "0"
    if value >= 0.995:
        return "1"
    if value >= 0.01:
        return f"{value:.2f}".lstrip("0")
    if value >= 0.001:
        return f"{value:.3f}".lstrip("0")
    return "10" + superscript(math.floor(math.log10(value)))


ABOUT_ZERO = "≈ 0"
"""A number that rounds to zero and is not."""


def table_probability(value: float) -> str:
    """A probability in a table where most are 0 or 1: three significant digits, ``≈ 0`` for what would round to 0."""
    return ABOUT_ZERO if 0 < value < 0.0005 else probability_text(value)


def log_text(value: float, digits: int | None = None) -> str:
    """A log probability: ``−3.42``; ``≈ 0`` for what rounds to 0."""
    digits = max(digits or USUAL_DIGITS - 1, NumberFormat.digits - 1)
    if math.isfinite(value) and not round(value, digits):
        return ABOUT_ZERO if abs(value) > ROUNDING else "0"
    return number(value, digits)


def signed(value: float, digits: int | None = None) -> str:
    """A difference of logs with its sign: ``+0.31``, ``−3.42``; ``≈ 0`` for what rounds to 0."""
    digits = max(digits or USUAL_DIGITS - 1, NumberFormat.digits - 1)
    if math.isinf(value):
        return f"{MINUS}∞" if value < 0 else "+∞"
    rounded = round(value, digits) + 0.0
    if not rounded:
        return ABOUT_ZERO if abs(value) > ROUNDING else "0"
    return f"{rounded:+.{digits}f}".replace("-", MINUS)


def beam_text(beam: float) -> str:
    """β: ``1000``, ``3.5``, ``10⁶``, ``∞``."""
    if math.isinf(beam):
        return "∞"
    power = round(math.log10(beam))
    if power >= 4 and math.isclose(beam, 10.0**power, rel_tol=1e-9):
        return f"10{superscript(power)}"
    return f"{beam:,.0f}" if beam >= 100 else f"{beam:.3g}"


def duration(seconds: float) -> str:
    """A time: ``0.8 ms``, ``12 ms``, ``1.4 s``."""
    if seconds < 0.001:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def curly_quotes(text: str) -> str:
    """A message of the engine as the window shows it: words in quotation marks instead of back-ticks."""
    return re.sub(r"`([^`]*)`", r"‘\1’", text)


def long_words_cut(text: str, most: int = 48) -> str:
    """The text with words of more than `most` characters cut, so that one of them cannot fill the screen."""
    if len(text) <= most:
        return text
    return re.sub(rf"\S{{{most + 1},}}", lambda found: found[0][: most - 1] + "…", text)


def score_text(parse: Parse) -> str:
    """Log probability of a parse, and what it is ranked by where that is another number."""
    if parse.fallback:
        return "fragments"
    text = f"log P {log_text(parse.log_probability)}"
    if parse.score != parse.log_probability:
        text += f", score {log_text(parse.score)}"
    return f"{text}, with further back-off" if parse.further_backoff else text


def no_markup(text: str) -> str:
    """Text where Qt might take it for HTML, or where it stands for Markdown: without a tag or a picture in it.

    Qt reads the files of pictures that it is told of, and waits for a pipe in their place.  What is added takes no room
    and cannot be seen.
    """
    return _MARKED.sub(rf"\g<0>{_WORD_JOINER}", text)
