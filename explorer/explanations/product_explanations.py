"""An estimate of preset (5): all levels mixed in one recursion, times what each context says, divided by the sum.

The numbers are the engine's (:mod:`engine.estimates.mixtures`): P̂ = m × r₁ × r₂ … / w.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.estimates.ledger import Factor, Level, Ratio
from explorer.explanations.explanation_blocks import (
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_text,
)
from explorer.explanations.level_notation import (
    latex_number,
    latex_symbol,
    level_name,
    nested,
    pooled,
    symbol,
    weight_text,
)
from explorer.graphics.number_text import log_text, significant

DIGITS = 5


def is_product(factor: Factor) -> bool:
    """Whether a factor was estimated as preset (5) does: contexts multiply in, or a λ is not δ / (δ + 1)."""
    if factor.ratios:
        return True
    levels = [pooled(factor.levels, name) for name in factor.used]
    return any(
        level is not None and not math.isclose(weight, level.delta / (level.delta + 1))
        for level, weight in zip(levels, factor.lambdas, strict=False)
    )


def product(factor: Factor, left: tuple[str, str]) -> list[ExplanationBlock]:
    """The recursion, the contexts and the product with the numbers in; `left` is the left-hand side of the formula."""
    levels = [level for name in factor.used if (level := pooled(factor.levels, name)) is not None]
    steps = mixed_steps(levels, factor.lambdas)
    blocks: list[ExplanationBlock] = []
    if steps:
        blocks += [recursion_table(levels, factor.lambdas, steps), *_weights(levels, factor.lambdas)]
    for ratio in factor.ratios:
        blocks += _context(factor, ratio)
    blocks.append(Heading("Product", Section.ESTIMATE))
    blocks.append(_product(factor, left, steps[0] if steps else 0.0))
    if factor.ratios:
        note = "w is the sum of the same product over all outcomes, so that they remain probabilities."
        blocks.append(Paragraph(note, True))
    return blocks


def mixed_steps(levels: Sequence[Level], lambdas: Sequence[float]) -> list[float]:
    """What comes out at each level, finest first: m = λ E + (1 − λ) m′, m′ that of the level below it."""
    if not levels:
        return []
    steps = [levels[-1].estimate]
    for level, weight in reversed(list(zip(levels, lambdas, strict=False))):
        steps.insert(0, weight * level.estimate + (1 - weight) * steps[0])
    return steps


def recursion_table(levels: Sequence[Level], lambdas: Sequence[float], steps: Sequence[float]) -> TableBlock:
    """Every level with λ, E and what comes out there (:func:`mixed_steps`), the finest first."""
    rows = []
    for place, (level, step) in enumerate(zip(levels, steps, strict=True)):
        weight = weight_text(lambdas[place]) if place < len(lambdas) else ""
        rows.append((level_name(level.name), weight, significant(level.estimate, 4), significant(step, 4)))
    return TableBlock(("level", "λ", "E", "m"), tuple(rows), (1, 2, 3), marked=0)


def _weights(levels: Sequence[Level], lambdas: Sequence[float]) -> list[ExplanationBlock]:
    """How m and λ come about, with c of every level."""
    if not lambdas:
        return []
    constants = ", ".join(
        f"{level.delta * (1 - weight) / weight:.3g} for {symbol(level.name)}"
        for level, weight in zip(levels, lambdas, strict=False)
    )
    formula = Formula(
        (
            ("m = λ × E + (1 − λ) × m′,  m′ that of the row below", r"m &= \lambda \times E + (1-\lambda) \times m'"),
            ("λ = δ / (δ + c)", r"\lambda &= \frac{\delta}{\delta + c}"),
        )
    )
    return [formula, Paragraph(f"c is {constants}.", True)]


def _context(factor: Factor, ratio: Ratio) -> list[ExplanationBlock]:
    """What one context multiplies in: how much likelier it makes the outcome than it is expected to be without it."""
    estimate, expected = significant(ratio.estimate, DIGITS), significant(ratio.expected, DIGITS)
    value = significant(ratio.value, DIGITS)
    shown, numbers = "P′ / P", f"{estimate} / {expected}"
    latex, latex_numbers = r"\frac{P'}{P}", rf"\frac{{{latex_number(estimate)}}}{{{latex_number(expected)}}}"
    if ratio.power != 1:
        assert ratio.power == 0.5
        shown, numbers = f"√({shown})", f"√({numbers})"
        latex, latex_numbers = rf"\sqrt{{{latex}}}", rf"\sqrt{{{latex_numbers}}}"
    lines = [
        (
            f"r({ratio.name}) = {shown} = {numbers} = {value}",
            rf"r_{{\text{{{latex_text(ratio.name)}}}}} &= {latex} = {latex_numbers} = {latex_number(value)}",
        )
    ]
    levels = [level for one in ratio.used if (level := pooled(factor.levels, one)) is not None]
    if levels:
        weights = [weight_text(weight) for weight in ratio.lambdas]
        values = [*(significant(level.estimate, 4) for level in levels), expected]
        numbers = nested(values, weights)
        latex_numbers = nested([*map(latex_number, values)], [*map(latex_number, weights)], latex=True)
        symbols = [*(symbol(level.name) for level in levels), "P"]
        latex_symbols = [*(latex_symbol(level.name) for level in levels), "P"]
        lambdas = ["λ" if len(levels) == 1 else f"λ{'₁₂₃'[place]}" for place in range(len(levels))]
        latex_lambdas = [r"\lambda" if len(levels) == 1 else rf"\lambda_{place + 1}" for place in range(len(levels))]
        lines += [
            (f"P′ = {nested(symbols, lambdas)}", f"P' &= {nested(latex_symbols, latex_lambdas, latex=True)}"),
            (f"= {numbers}", f"&= {latex_numbers}"),
        ]
    return [Heading(_context_title(ratio.name), Section.ESTIMATE), Formula(tuple(lines))]


def _context_title(name: str) -> str:
    return {
        "neighbours": "Context: the tags before and after",
        "inside": "Context: the head-child and the first tag",
        "beside modifier": "Context: the tags beside the modifier",
        "beside head": "Context: the tags beside the head",
        "between": "Context: what lies between",
    }.get(name, f"Context: {name}")


def _product(factor: Factor, left: tuple[str, str], mixture: float) -> Formula:
    names = ["m", *(f"r({ratio.name})" for ratio in factor.ratios)]
    latex_names = ["m", *(rf"r_{{\text{{{latex_text(ratio.name)}}}}}" for ratio in factor.ratios)]
    values = [significant(mixture, DIGITS), *(significant(ratio.value, DIGITS) for ratio in factor.ratios)]
    latex_values = [*map(latex_number, values)]
    times = r" \times "
    shown, latex = " × ".join(names), times.join(latex_names)
    numbers, latex_numbers = " × ".join(values), times.join(latex_values)
    if factor.ratios:
        whole = significant(factor.whole, DIGITS)
        shown, latex = f"{shown} / w", f"{latex} / w"
        numbers, latex_numbers = f"{numbers} / {whole}", f"{latex_numbers} / {latex_number(whole)}"
    result = significant(factor.probability, DIGITS + 1)
    log = rf", \quad \log = {factor.log:.4f}" if math.isfinite(factor.log) else ""
    return Formula(
        (
            (f"{left[0]} = {shown}", f"{left[1]} &= {latex}"),
            (f"= {numbers}", f"&= {latex_numbers}"),
            (f"= {result},  log {factor.kind.symbol} {log_text(factor.log, 4)}", f"&= {latex_number(result)}{log}"),
        )
    )
