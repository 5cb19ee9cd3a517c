"""Levels, weights and numbers as an explanation writes them: in Unicode, and in LaTeX."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.estimates.ledger import Level
from explorer.explanations.explanation_blocks import latex_text

SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
POOLED = "E23"
_POOLS = {POOLED: ("E2", "E3"), "before, after": ("before", "after")}
"""Levels whose counts are taken together, and of which two (section 2.4 and preset 5)."""


def _numbered(name: str) -> bool:
    return name[:1] == "E" and name[1:].isdigit()


def symbol(name: str) -> str:
    """``E23`` as the paper writes it: E₂₃; other levels by their names."""
    return f"E{name[1:].translate(SUBSCRIPT)}" if _numbered(name) else f"E({name})"


def level_name(name: str) -> str:
    """A level where nothing but levels is named: E₂₃, but ``label + tag`` for E(label+tag)."""
    return symbol(name) if _numbered(name) else name.replace("+", " + ")


def latex_symbol(name: str) -> str:
    """The same in LaTeX."""
    return f"E_{{{name[1:]}}}" if _numbered(name) else rf"E_{{\text{{{latex_text(name)}}}}}"


def pooled(levels: Sequence[Level], name: str) -> Level | None:
    """The level of this name; some are two of the others taken together."""
    if name in _POOLS:
        first, second = (next((level for level in levels if level.name == one), None) for one in _POOLS[name])
        if first is not None and second is not None:
            return Level(name, first.eta + second.eta, first.delta + second.delta)
    return next((level for level in levels if level.name == name), None)


def nested(names: Sequence[str], weights: Sequence[str], latex: bool = False) -> str:
    """λ × E + (1 − λ) × (…), as deep as there are weights."""
    if not weights:
        return names[0]
    rest = nested(names[1:], weights[1:], latex)
    inner = f"({rest})" if len(weights) > 1 else rest
    minus, times = ("-", r"\times") if latex else ("−", "×")
    return f"{weights[0]} {times} {names[0]} + (1 {minus} {weights[0]}) {times} {inner}"


def weight_text(weight: float) -> str:
    """A weight λ with so many digits that 1 − λ, too, has four that count."""
    rest = 1.0 - weight
    decimals = 3 - math.floor(math.log10(rest)) if rest > 0 else 4
    return f"{weight:.{max(4, min(decimals, 12))}f}"


def latex_number(text: str) -> str:
    """A number as :func:`explorer.graphics.number_text.significant` writes it, in LaTeX."""
    power = {"⁻": "-", **{character: str(value) for value, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}}
    plain = text.replace("−", "-").replace("–", r"\text{--}").replace("∞", r"\infty")
    if " × 10" in plain:
        mantissa, exponent = plain.split(" × 10")
        return rf"{mantissa} \times 10^{{{''.join(power.get(one, one) for one in exponent)}}}"
    return plain
