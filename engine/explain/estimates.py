"""How an estimate is explained: its counts, λ and formula, with this sentence's numbers in (sections 2.2 to 2.6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.common.numbers import log_text, significant
from engine.counts.specifications_layout import (
    CONSTITUENT_CHILD,
    CONSTITUENT_FIRST_TAG,
    CONSTITUENT_LABEL,
    CONSTITUENT_TAG,
    CONSTITUENT_WORD,
    TABLES,
    TAG_AFTER,
    TAG_BEFORE,
)
from engine.estimates.estimates_layout import EVEN
from engine.estimates.ledger import Factor, Level, Ratio, UnarySubject
from engine.explain.explanation import (
    CountLink,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_text,
)
from engine.structure.constituents import CORE, Constituent
from engine.study.counted import Counted, Sources

# Levels, weights and numbers as an explanation writes them: in Unicode, and in LaTeX.

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
    """A number as :func:`engine.common.numbers.significant` writes it, in LaTeX."""
    power = {"⁻": "-", **{character: str(value) for value, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}}
    plain = text.replace("−", "-").replace("–", r"\text{--}").replace("∞", r"\infty")
    if " × 10" in plain:
        mantissa, exponent = plain.split(" × 10")
        return rf"{mantissa} \times 10^{{{''.join(power.get(one, one) for one in exponent)}}}"
    return plain


# An estimate of preset (5): all levels mixed in one recursion, times what each context says, divided by the sum.
#
# The numbers are the engine's (:mod:`engine.estimates.factors`): P̂ = m × r₁ × r₂ … / w.

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


# An estimate with its counts, λ, and the formula with the numbers in: the paper's (section 2.4), or preset (5)'s.


class Basis(NamedTuple):
    """What the fields of count tables stand for in one place of a sentence, to tell what a level is based on.

    Attributes
    ----------
    groups
        Fields that are told together, as ``word/TAG``, with what each is here.
    others
        What is told besides if a table has all of some fields.
    nothing
        What is told of a table with none of these fields.
    even
        What is told of the level under all tables, if there is one.
    """

    groups: tuple[Mapping[int, str], ...]
    others: tuple[tuple[tuple[int, ...], str], ...] = ()
    nothing: str = ""
    even: str = ""

    def of(self, level: str, table: int) -> str:
        """Tell what a level with this table is based on: ``with/IN, VBD, in this order``."""
        if level == EVEN:
            return self.even
        left = set(TABLES[table].fields)
        parts = ["/".join(words[field] for field in words if field in left) for words in self.groups]
        for fields, words in self.others:
            if left.issuperset(fields):
                left.difference_update(fields)
                parts += [words] if words not in parts else []
        return ", ".join(filter(None, parts)) or self.nothing


def counts_table(factor: Factor, basis: Basis, sources: Sequence[Counted]) -> TableBlock:
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
    for level in factor.levels:
        source = by_name[level.name]
        add(level, basis.of(level.name, source.table), [source])
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


# Unary productions explained: what stands over a constituent, or that nothing does (footnote to section 2.6).


def unary_of(parse: Parse, node: Constituent) -> Factor | None:
    """The factor of what stands over a constituent of the parse; ``None`` where none is paid: the core of a phrase."""
    parent = next(
        (above for root in parse.roots for above in root.walk() if any(child is node for child in above.children)),
        None,
    )
    if parent is None or len(parent.children) > 1:
        if parent is not None and parent.head_label == CORE and parent.children[parent.head_child] is node:
            return None
        return parse.explainer().unary(node, None)
    return parse.explainer().unary(node, parent.label)


def unary_blocks(parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """The estimate behind what stands over a constituent, in full."""
    factor = unary_of(parse, node)
    heading = Heading("Unary (footnote to section 2.6)", Section.UNARY)
    if factor is None:
        return [heading, Paragraph("It is the core of a phrase, which settles what stands over it.", True)]
    word, tag = parse.sentence.proper_words[node.head], parse.sentence.proper_tags[node.head]
    parent = factor.subject.parent if isinstance(factor.subject, UnarySubject) else None
    note = f"Over it stands {parent}, by a unary production." if parent else "No unary production stands over it."
    blocks: list[ExplanationBlock] = [heading, Paragraph(note)]
    basis = Basis(
        ({CONSTITUENT_LABEL: node.label}, {CONSTITUENT_WORD: word, CONSTITUENT_TAG: tag}),
        (
            ((TAG_BEFORE, TAG_AFTER), "both tags beside it"),
            ((TAG_BEFORE,), "the tag before it"),
            ((TAG_AFTER,), "the tag after it"),
            ((CONSTITUENT_CHILD,), "head-child"),
            ((CONSTITUENT_FIRST_TAG,), "first tag"),
        ),
    )
    if factor.levels:
        blocks.append(counts_table(factor, basis, Sources(parse.explainer()).unary(node, parent)))
    outcome = parent or "none"
    left = (
        f"P̂({outcome} | {node.label}, {word}/{tag})",
        rf"\hat{{P}}(\text{{{latex_text(outcome)}}} \mid \text{{{latex_text(node.label)}}}, "
        rf"\text{{{latex_text(f'{word}/{tag}')}}})",
    )
    estimate = [
        replace(block, section=Section.UNARY) if isinstance(block, Heading) else block
        for block in mixture(factor, left)
    ]
    return [*blocks, *estimate]
