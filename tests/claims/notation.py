"""Numbers and words as sentences of the program write them, read back and held against what they should be."""

from __future__ import annotations

import math
import re

WORD = r"(?:`[^`]*`|“[^”]*”)"
NUMBER = r"[−+-]?(?:\d[\d,]*(?:\.\d+)?|∞)(?:(?: ?× ?|·)10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
AMOUNT = rf"(?:less than 0\.01|{NUMBER})"
CHANGE = rf"(?:the same|[+−](?:less than 0\.01|{NUMBER}))"
CHANCE = r"(?:under 0\.0001|over 0\.999|[01](?!\.?\d)|[01]\.\d+)(?: \(a little (?:more|less)\))?"
TIMES = rf"(?:about|more than a million times|{NUMBER} times) as probable"
COUNT = r"(?:once|twice|\d[\d,]* times)"
SHARE = r"(?:less than 1|more than 99|\d+) %"
_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
_PARTS = re.compile(r"([−+-]?)([\d,]+(?:\.\d+)?)(?:(?: ?× ?|·)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")
_SLACK = 1e-6
"""Of the last digit that is shown, for what rounding makes of a number that stands on the border."""


def value_of(text: str) -> tuple[float, float]:
    """A number as it is written, and what one more in its last digit would be."""
    if "∞" in text:
        return (-math.inf if text[0] in "−-" else math.inf), 0.0
    found = _PARTS.fullmatch(text.strip())
    assert found is not None, text
    sign, digits, power = found.groups()
    plain = digits.replace(",", "")
    scale = 10.0 ** int(power.translate(_DIGITS)) if power else 1.0
    unit = 10.0 ** -len(plain.partition(".")[2]) * scale
    value = float(plain) * scale
    return (-value if sign in ("−", "-") and sign else value), unit


def agrees(text: str, value: float) -> bool:
    """Whether a written number is the value, rounded to the digits that are shown."""
    text = text.strip()
    if text == "≈ 0":
        return 0 < abs(value) < 0.05
    if text == "–":
        return math.isnan(value)
    shown, unit = value_of(text)
    if math.isinf(shown) or math.isinf(value):
        return shown == value
    return abs(shown - value) <= unit * (0.5 + _SLACK) + 1e-9


def agrees_two_digits(text: str, value: float) -> bool:
    """Whether a number with two digits that count is the value."""
    shown, _ = value_of(text)
    if not shown:
        return False
    unit = 10.0 ** (math.floor(math.log10(abs(shown))) - 1)
    return abs(shown - value) <= unit * (0.5 + 1e-6)


def amounts_to(text: str, nats: float) -> bool:
    """``1.93`` or ``less than 0.01``: so many nats, whatever their sign."""
    return abs(nats) < 0.005 + 1e-9 if text == "less than 0.01" else agrees(text, abs(nats))


def changes_by(text: str, nats: float) -> bool:
    """``+1.90``, ``the same``: a difference with its sign."""
    if text == "the same":
        return abs(nats) < 0.005 + 1e-9
    return (text[0] == "+") == (nats > 0) and amounts_to(text[1:], nats)


def chances(text: str, value: float) -> bool:
    """``0.499``, ``under 0.0001``: a probability."""
    text = text.partition(" (")[0]
    match text:
        case "under 0.0001":
            return 0 < value < 1e-4 * (1 + 1e-9)
        case "over 0.999":
            return 0.9995 * (1 - 1e-9) <= value < 1
        case "1":
            return abs(value - 1) < 1e-9
        case "0":
            return value == 0
    return agrees(text, value)


def ratio_is(text: str, nats: float) -> bool:
    """``3.1 times as probable``: e to so many nats."""
    if text.startswith("about"):
        return abs(nats) < math.log(1.05) + 1e-9
    if text.startswith("more than a million"):
        return nats > math.log(1e6) - 1e-9
    return nats < 30 and agrees_two_digits(text.partition(" ")[0], math.exp(nats))


def count_of(text: str) -> int:
    """``once``, ``twice``, ``3 times``."""
    return {"once": 1, "twice": 2}.get(text) or int(text.partition(" ")[0].replace(",", ""))


def share_is(text: str, share: float) -> bool:
    """``98 %``, ``less than 1 %``."""
    match text:
        case "less than 1 %":
            return 0 < share < 0.005 + 1e-9
        case "more than 99 %":
            return 0.995 - 1e-9 <= share < 1
    return agrees(text.removesuffix(" %"), 100 * share)


BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
"""Words of a treebank that are shown as brackets."""


def is_word(text: str, word: str) -> bool:
    """Whether quoted text is this word; of a very long one its beginning."""
    inside = text[1:-1]
    if inside == word:
        return True
    word = BRACKETS.get(word, word)
    return inside == word or (inside.endswith("…") and len(word) > 40 and word.startswith(inside[:-1]))


def is_span(text: str, words: list[str]) -> bool:
    """Whether quoted text is these words; of many the first and the last."""
    inside = text[1:-1]
    words = [BRACKETS.get(word, word) for word in words]
    if inside == " ".join(words):
        return True
    if "…" not in inside:
        return False
    if " … " in inside:
        first, _, last = inside.partition(" … ")
        plain = " ".join(words)
        return len(words) > 7 and plain.startswith(first) and plain.endswith(last)
    return any(len(word) > 40 for word in words)
