"""Explanations of what no picture shows: a unary step, a feature of the re-ranker, all features, what-ifs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.chart.parse import Parse
from engine.estimates.factor_subjects import FeatureSubject, UnarySubject
from engine.estimates.ledger import Difference, Factor
from engine.structure.constituents import Constituent
from engine.structure.constraints import describe_constraint
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from explorer.explanations.unary_explanations import unary_blocks, unary_of
from explorer.graphics.number_text import log_text, signed, size

_LEAST_COST = 0.005
FEATURES_SHOWN = 40
_ABOUT_FEATURES = "The weights of these features are added to the score, each as many times as the tree has it."


def explain_features(result: ParseResult, parse: Parse) -> Explanation | None:
    """Explain what all features of the re-ranker say of the tree; ``None`` if there are none."""
    features = result.ledger(parse).features
    if not features:
        return None
    total = math.fsum(factor.log for factor in features)
    table = features_table(features, FEATURES_SHOWN)
    blocks: tuple[ExplanationBlock, ...] = (
        Heading("Weights", Section.FEATURES),
        table,
        Paragraph(_ABOUT_FEATURES, True),
    )
    return Explanation("The re-ranker's features", f"{size(len(features), 'feature')},  {signed(total, 3)}", blocks)


def features_table(features: tuple[Factor, ...], most: int) -> TableBlock:
    """The weightiest features and the sum of all."""
    shown, rest = features[:most], features[most:]
    rows = [(factor.what, signed(factor.log, 3)) for factor in shown]
    if rest:
        rows.append((f"{len(rest):,} more", signed(math.fsum(factor.log for factor in rest), 3)))
    rows.append(("sum", signed(math.fsum(factor.log for factor in features), 3)))
    return TableBlock(("feature", "weight"), tuple(rows), (1,), total=True)


def explain_factor(result: ParseResult, parse: Parse, number: int) -> Explanation | None:
    """Explain a factor by its number in the ledger: a unary step or a feature; ``None`` if it is neither."""
    ledger = result.ledger(parse)
    if not 0 <= number < len(ledger):
        return None
    factor = ledger.factors[number]
    match factor.subject:
        case UnarySubject(label=label, word=word) as subject:
            node = _node_of(parse, subject)
            blocks = tuple(unary_blocks(parse, node)) if node is not None else ()
            return Explanation(f"{label} ({word})", f"unary P̂,  log P̂ {log_text(factor.log, 4)}", blocks)
        case FeatureSubject(template=template, values=values, times=times):
            rows = (
                ("weight", signed(factor.log / times, 4)),
                ("times", f"{times:,}"),
                ("in the score", signed(factor.log, 4)),
            )
            table = TableBlock(("", ""), rows, (1,), total=True)
            remark = Paragraph(_ABOUT_FEATURES, True)
            return Explanation(f"{template}: {values}", "a feature of the re-ranker", (table, remark))
    return None


def _node_of(parse: Parse, subject: UnarySubject) -> Constituent | None:
    """The constituent that a unary step is over."""
    for root in parse.roots:
        for node in root.walk():
            if (node.label, node.head) == (subject.label, subject.head):
                factor = unary_of(parse, node)
                if factor is not None and factor.subject == subject:
                    return node
    return None


def explain_what_ifs(result: ParseResult) -> Explanation | None:
    """Explain what is forced or forbidden, and what each costs; ``None`` if nothing is."""
    what_ifs = result.request.line.what_ifs
    if not what_ifs:
        return None
    rows = []
    for constraint, price in zip(what_ifs, result.prices, strict=False):
        cost = "–" if price is None else signed(-price, 3)
        rows.append((describe_constraint(constraint, result.parse.sentence), cost))
    rows.append(("all together", signed(result.price, 3)))
    table = TableBlock(("what if", "in score"), tuple(rows), (1,), total=True)
    moved = tuple(
        (signed(line.difference, 3), line.first.what if line.first else "–", line.second.what if line.second else "–")
        for line in result.moved()[:FEATURES_SHOWN]
    )
    blocks: list[ExplanationBlock] = [table]
    if told := _what_costs_most(result.moved()):
        blocks.append(Paragraph(told))
    if moved:
        blocks += [
            Heading("What changed", Section.LEDGER),
            TableBlock(("change", "with it", "without it"), moved, (0,)),
        ]
    return Explanation("What if", size(len(what_ifs), "what-if"), tuple(blocks))


def _what_costs_most(moved: Sequence[Difference]) -> str:
    """Name the one factor that makes what-ifs costly, and what stood in its place; empty if none does."""
    worst = min(moved, key=lambda line: line.difference, default=None)
    if worst is None or worst.difference > -_LEAST_COST:
        return ""
    here, there = worst.first, worst.second
    told = here.what if here else f"the lack of {there.what}" if there else ""
    instead = f", instead of {there.what}" if here and there else ""
    return f"What costs most: {told}{instead} ({signed(worst.difference)})."
