"""An estimate with its counts, λ, and the formula with the numbers in: the paper's (section 2.4), or preset (5)'s."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.analysis.evidence.counted import Counted
from engine.estimates.ledger import Factor, Level
from explorer.explanations.explanation_blocks import (
    CountLink,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from explorer.explanations.level_notation import (
    POOLED,
    SUBSCRIPT,
    latex_number,
    latex_symbol,
    level_name,
    nested,
    pooled,
    symbol,
    weight_text,
)
from explorer.explanations.product_explanations import is_product, product
from explorer.graphics.number_text import log_text, significant


def counts_table(factor: Factor, contexts: Sequence[str], sources: Sequence[Counted] = ()) -> TableBlock:
    """η, δ and E of every level, with what each is based on; those that are mixed are named.

    `sources` tell where the counts come from, so that each opens the training sentences which it counted.
    """
    rows: list[tuple[str, str, str, str, str]] = []
    links: list[tuple[int, int, CountLink]] = []

    def add(level: Level, context: str, counted: Sequence[Counted]) -> None:
        counted = tuple(one for one in counted if one.keys)
        if counted:
            links.append((len(rows), 2, CountLink(f"η of {symbol(level.name)}", counted)))
            links.append(
                (len(rows), 3, CountLink(f"δ of {symbol(level.name)}", tuple(one.of(None) for one in counted)))
            )
        rows.append(_row(level, context))

    by_name = {one.level: one for one in sources}
    for level, context in zip(factor.levels, contexts, strict=True):
        add(level, context, [by_name[level.name]] if level.name in by_name else [])
        if level.name == "E3" and POOLED in factor.used:
            both = pooled(factor.levels, POOLED)
            assert both is not None
            add(both, "E₂ and E₃ together", [by_name[name] for name in ("E2", "E3") if name in by_name])
    return TableBlock(("", "based on", "η", "δ", "E = η/δ"), tuple(rows), right=(2, 3, 4), links=tuple(links), aside=1)


def _row(level: Level, context: str) -> tuple[str, str, str, str, str]:
    estimate = significant(level.estimate) if level.delta else "–"
    return level_name(level.name), context, f"{level.eta:,}", f"{level.delta:,}", estimate


def mixture(factor: Factor, left: tuple[str, str]) -> list[ExplanationBlock]:
    """The formula of an estimate, then the same with this sentence's numbers.

    Parameters
    ----------
    factor
        The estimate.
    left
        Its left-hand side, in Unicode and in LaTeX.
    """
    if is_product(factor):
        return product(factor, left)
    used = [(name, pooled(factor.levels, name)) for name in factor.used]
    if not used or any(level is None for _, level in used) or len(factor.lambdas) != len(used) - 1:
        value = significant(factor.probability, 6)
        return [Formula(((f"{left[0]} = {value}", f"{left[1]} &= {latex_number(value)}"),))]
    levels = [level for _, level in used if level is not None]
    names = [symbol(name) for name, _ in used]
    latex_names = [latex_symbol(name) for name, _ in used]
    values = [significant(level.estimate, 4) for level in levels]
    weights = [weight_text(weight) for weight in factor.lambdas]
    lambdas = [_lambda(name, place) for place, (name, _) in enumerate(used[:-1])]
    latex_lambdas = [rf"\lambda_{{{_lambda_number(name, place)}}}" for place, (name, _) in enumerate(used[:-1])]
    latex_values, latex_weights = [*map(latex_number, values)], [*map(latex_number, weights)]
    result = significant(factor.probability, 6)
    lines = [
        (f"{left[0]} = {nested(names, lambdas)}", f"{left[1]} &= {nested(latex_names, latex_lambdas, True)}"),
        (f"= {nested(values, weights)}", f"&= {nested(latex_values, latex_weights, True)}"),
    ]
    log = rf", \quad \log = {factor.log:.4f}" if math.isfinite(factor.log) else ""
    lines.append(
        (f"= {result},  log {factor.kind.symbol} {log_text(factor.log, 4)}", f"&= {latex_number(result)}{log}")
    )
    blocks: list[ExplanationBlock] = [Formula(tuple(lines))]
    for weight, level, name, latex_name in zip(factor.lambdas, levels, lambdas, latex_lambdas, strict=False):
        if math.isclose(weight, level.delta / (level.delta + 1)):
            blocks.append(_weight(level, name, latex_name, weight_text(weight)))
    return blocks


def _weight(level: Level, name: str, latex_name: str, value: str) -> Formula:
    """λ = δ / (δ + 1), with the numbers in (section 2.4)."""
    index = level.name[1:] if level.name[:1] == "E" else f"({level.name})"
    delta = "(δ₂ + δ₃)" if level.name == POOLED else f"δ{index.translate(SUBSCRIPT)}"
    latex_delta = r"(\delta_2+\delta_3)" if level.name == POOLED else rf"\delta_{{\text{{{index}}}}}"
    text = f"{name} = {delta} / ({delta} + 1) = {level.delta:,} / {level.delta + 1:,} = {value}"
    latex = (
        rf"{latex_name} &= \frac{{{latex_delta}}}{{{latex_delta}+1}} = "
        rf"\frac{{{level.delta}}}{{{level.delta + 1}}} = {latex_number(value)}"
    )
    return Formula(((text, latex),))


def _lambda_number(name: str, place: int) -> int:
    """λ1 of E1, λ2 of E23 (equation 21), λ4 of E4 (further back-off); others by their place."""
    return {"E1": 1, POOLED: 2, "E4": 4}.get(name, place + 1)


def _lambda(name: str, place: int) -> str:
    return f"λ{str(_lambda_number(name, place)).translate(SUBSCRIPT)}"


def zero_reason(factor: Factor) -> list[ExplanationBlock]:
    """Why an estimate is zero, if it is."""
    return (
        [Heading("Why it is zero", Section.COSTS), Paragraph(factor.reason[:1].upper() + factor.reason[1:] + ".")]
        if factor.reason
        else []
    )
