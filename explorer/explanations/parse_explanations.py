"""A whole parse explained: its probability, the ledger that sums to it, and what a re-ranker makes of the tree."""

from __future__ import annotations

import math

from engine.chart.parse import Parse
from engine.estimates.factor_subjects import RERANKERS_KINDS, FactorKind
from engine.estimates.ledger import Factor, Ledger
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from explorer.explanations.factor_explanations import features_table
from explorer.explanations.vote_explanations import vote_blocks
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
    second, features = ledger.second_model, ledger.features
    reranked = bool(second or features)
    blocks: list[ExplanationBlock] = []
    if parse.note:
        blocks.append(Paragraph(f"{parse.note[:1].upper()}{parse.note[1:]}."))
    elif parse.widened:
        blocks.append(Paragraph(f"Nothing was found within β; the beam was widened to {beam_text(parse.beam)}."))
    elif parse.beam > parse.settings.beam:
        wider = f"the chart was filled with β = {beam_text(parse.beam)}"
        blocks.append(Paragraph(f"So that the re-ranker has parses to choose from, {wider}."))
    if parse.passes > 1:
        blocks.append(Paragraph(f"Found in pass {parse.passes}: {_passes(parse)}.", True))
    blocks += [Heading("Score", Section.SCORE), _score(parse, ledger), *_normalised(parse)]
    blocks += vote_blocks(result, parse)
    blocks += [Heading("Ledger", Section.LEDGER), _sums(ledger)]
    if features:
        blocks += _features(result, parse, features)
    costly = sorted(ledger.own, key=lambda factor: factor.log)[:FACTORS_SHOWN]
    rows = tuple((factor.what, log_text(factor.log, 3)) for factor in costly)
    blocks += [Heading("What costs most", Section.COSTS), TableBlock(("factor", "log"), rows, (1,))]
    words = len(parse.sentence.positions)
    score = f",  score {log_text(parse.score, 4)}" if reranked else ""
    subtitle = (
        f"log P = {log_text(parse.log_probability, 4)}{score},  {size(words, 'word')},  {len(parse.reduced)} in S̄"
    )  # fmt: skip
    return Explanation("This parse", subtitle, tuple(blocks))


def _passes(parse: Parse) -> str:
    """What made the passes more than one."""
    lowered = "each time the threshold was lowered or the beam widened"
    return f"{lowered}, then the estimates backed off further" if parse.further_backoff else lowered


def _score(parse: Parse, ledger: Ledger) -> Formula:
    """Equation (20) and its footnote with this parse's number; under a re-ranker also what it adds."""
    second, features = ledger.second_model, ledger.features
    log = parse.log_probability
    text = "P̂(B|S) × P̂(U|B,S) × N(D|S,B)"
    latex = r"\hat{P}(B|S) \times \hat{P}(U|B,S) \times \mathcal{N}(D|S,B)"
    if parse.distribution is not None:
        text += " × ∏ P(tᵢ|S)"
        latex += r" \times \prod_i P(t_i|S)"
    lines = [(f"{text} = exp({log_text(log, 4)})", rf"{latex} &= \exp({log:.4f})")]
    if second or features:
        shown, latex_shown, added = "score = log P", r"\text{score} &= \log P", []
        if second:
            shown, latex_shown = f"{shown} + w × second model", rf"{latex_shown} + w \log P_2"
            added.append(math.fsum(factor.log for factor in second))
        if features:
            shown, latex_shown = f"{shown} + weights of features", rf"{latex_shown} + \sum_f w_f"
            added.append(math.fsum(factor.log for factor in features))
        numbers = " ".join(f"{'+' if one >= 0 else '−'} {log_text(abs(one), 4)}" for one in added)
        latex_numbers = " ".join(f"{one:+.4f}" for one in added)
        lines.append(
            (
                f"{shown} = {log_text(log, 4)} {numbers} = {log_text(parse.score, 4)}",
                rf"{latex_shown} = {log:.4f} {latex_numbers} = {parse.score:.4f}",
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
    second, features = (kinds.pop(kind, []) for kind in RERANKERS_KINDS)
    rows = [(kind.with_symbol, f"{len(logs):,}", log_text(math.fsum(logs), 3)) for kind, logs in kinds.items()]
    logs = [log for each in kinds.values() for log in each]
    subtotals = (len(rows),) if second or features else ()
    rows.append(("subtotal: log P" if subtotals else "log P", f"{len(logs):,}", log_text(math.fsum(logs), 3)))
    if second:
        rows.append((FactorKind.GENERATIVE.value, f"{len(second):,}", signed(math.fsum(second), 3)))
    if features:
        rows.append(("feature", f"{len(features):,}", signed(math.fsum(features), 3)))
    if second or features:
        rows.append(("score", f"{len(ledger):,}", log_text(ledger.total, 3)))
    return TableBlock(("factors", "", "log"), tuple(rows), (1, 2), total=True, subtotals=subtotals)


def _features(result: ParseResult, parse: Parse, features: tuple[Factor, ...]) -> list[ExplanationBlock]:
    """What the re-ranker holds for and against the tree, and what that did to its place among the n best."""
    blocks: list[ExplanationBlock] = [
        Heading("The re-ranker's features", Section.FEATURES),
        features_table(features, FACTORS_SHOWN),
    ]
    others = result.parse.alternatives
    if parse in others and len(others) > 1:
        rank = others.index(parse) + 1
        by_probability = sorted(others, key=lambda one: -one.log_probability).index(parse) + 1
        order = "score" if parse.votes is None else "expected F1"
        by_score = sorted(others, key=lambda one: -one.score).index(parse) + 1
        scored = "" if parse.votes is None else f", number {by_score} by score"
        note = f"Number {rank} of the {len(others)} shown by {order}{scored}, number {by_probability} by log P alone."
        blocks.append(Paragraph(note, True))
    return blocks
