"""A whole parse explained: its probability, the ledger that sums to it, and what a re-ranker makes of the tree."""

from __future__ import annotations

import math

from engine.chart.parse import Parse
from engine.estimates.factor_subjects import FactorKind
from engine.estimates.ledger import Factor, Ledger
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    TableBlock,
)
from explorer.graphics.number_text import beam_text, log_text, signed, size
from explorer.graphics.pictures.parse_facts import facts_of

FACTORS_SHOWN = 12


def ledger_table(ledger: Ledger) -> TableBlock:
    """Every factor, and their sum."""
    rows = [(factor.kind.with_symbol, factor.what, log_text(factor.log, 3)) for factor in ledger]
    rows.append(("", "sum", log_text(ledger.total, 3)))
    return TableBlock(("factor", "what", "log"), tuple(rows), (2,), total=True)


def explain_parse(result: ParseResult, parse: Parse) -> Explanation:
    """The whole parse: its score and the ledger that sums to it."""
    ledger = result.ledger(parse)
    features = [factor for factor in ledger if factor.kind is FactorKind.FEATURE]
    blocks: list[ExplanationBlock] = [_score(parse, bool(features)), *_normalised(parse)]
    if parse.note:
        blocks.append(Paragraph(f"{parse.note[:1].upper()}{parse.note[1:]}."))
    elif parse.beam > result.request.settings.beam:
        blocks.append(Paragraph(f"Nothing was found within β; the beam was widened to {beam_text(parse.beam)}."))
    if parse.passes > 1:
        blocks.append(Paragraph(f"Found in pass {parse.passes}: {_passes(parse)}.", True))
    blocks += [Heading("Ledger"), _sums(ledger)]
    if features:
        blocks += _features(result, parse, features)
    costly = sorted(
        (factor for factor in ledger if factor.kind is not FactorKind.FEATURE), key=lambda factor: factor.log
    )[:FACTORS_SHOWN]
    rows = tuple((factor.what, log_text(factor.log, 3)) for factor in costly)
    blocks += [Heading("What costs most"), TableBlock(("factor", "log"), rows, (1,))]
    words = len(parse.sentence.positions)
    score = f",  score {log_text(parse.score, 4)}" if features else ""
    subtitle = (
        f"log P = {log_text(parse.log_probability, 4)}{score},  {size(words, 'word')},  {len(parse.reduced)} in S̄"
    )  # fmt: skip
    return Explanation("This parse", subtitle, tuple(blocks))


def _passes(parse: Parse) -> str:
    """What made the passes more than one."""
    lowered = "each time the threshold was lowered or the beam widened"
    return f"{lowered}, then the estimates backed off further" if parse.further_backoff else lowered


def _score(parse: Parse, reranked: bool) -> Formula:
    """Equation (20) and its footnote with this parse's number; under a re-ranker also what it adds."""
    log = parse.log_probability
    text = "P̂(B|S) × P̂(U|B,S) × N(D|S,B)"
    latex = r"\hat{P}(B|S) \times \hat{P}(U|B,S) \times \mathcal{N}(D|S,B)"
    if parse.distribution is not None:
        text += " × ∏ P(tᵢ|S)"
        latex += r" \times \prod_i P(t_i|S)"
    lines = [(f"{text} = exp({log_text(log, 4)})", rf"{latex} &= \exp({log:.4f})")]
    if reranked:
        bonus = parse.score - log
        sign = "+" if bonus >= 0 else "−"
        lines.append(
            (
                f"score = log P + weights of features = {log_text(log, 4)} {sign} {log_text(abs(bonus), 4)} = "
                f"{log_text(parse.score, 4)}",
                rf"\text{{score}} &= \log P + \sum_f w_f = {log:.4f} {bonus:+.4f} = {parse.score:.4f}",
            )
        )
    return Formula(tuple(lines))


def _normalised(parse: Parse) -> list[ExplanationBlock]:
    """P(D|S,B) of equation (9), beside the score that leaves its denominators out."""
    log = facts_of(parse).log_probability_of_dependencies
    if log is None:
        return []
    exponent = f"{log:.4f}" if math.isfinite(log) else r"-\infty"
    line = (
        f"P(D|S,B) = ∏ P(AF(j)|S,B) = exp({log_text(log, 4)})",
        rf"P(D|S,B) &= \prod_j P(AF(j)|S,B) = \exp({exponent})",
    )
    note = "The dependencies alone, each F̂ divided by its sum over all heads and relations of the word (equation 8)."
    return [Formula((line,)), Paragraph(note, True)]


def _sums(ledger: Ledger) -> TableBlock:
    kinds: dict[FactorKind, list[float]] = {}
    for factor in ledger:
        kinds.setdefault(factor.kind, []).append(factor.log)
    features = kinds.pop(FactorKind.FEATURE, [])
    rows = [(kind.with_symbol, f"{len(logs):,}", log_text(math.fsum(logs), 3)) for kind, logs in kinds.items()]
    logs = [log for each in kinds.values() for log in each]
    rows.append(("log P", f"{len(logs):,}", log_text(math.fsum(logs), 3)))
    if features:
        rows.append(("feature", f"{len(features):,}", signed(math.fsum(features), 3)))
        rows.append(("score", f"{len(ledger):,}", log_text(ledger.total, 3)))
    return TableBlock(("factors", "", "log"), tuple(rows), (1, 2), total=True)


def _features(result: ParseResult, parse: Parse, features: list[Factor]) -> list[ExplanationBlock]:
    """What the re-ranker holds for and against the tree, and what that did to its place among the n best."""
    shown, rest = features[:FACTORS_SHOWN], features[FACTORS_SHOWN:]
    rows = [(factor.what, signed(factor.log, 3)) for factor in shown]
    if rest:
        rows.append((f"{len(rest):,} more", signed(math.fsum(factor.log for factor in rest), 3)))
    rows.append(("sum", signed(math.fsum(factor.log for factor in features), 3)))
    blocks: list[ExplanationBlock] = [
        Heading("The re-ranker's features"),
        TableBlock(("feature", "weight"), tuple(rows), (1,), total=True),
    ]
    others = result.parse.alternatives
    if parse in others and len(others) > 1:
        rank = others.index(parse) + 1
        by_probability = sorted(others, key=lambda one: -one.log_probability).index(parse) + 1
        note = f"Number {rank} of the {len(others)} shown by score, number {by_probability} of them by log P alone."
        blocks.append(Paragraph(note, True))
    return blocks
