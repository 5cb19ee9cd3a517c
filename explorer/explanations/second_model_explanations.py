"""The second model explained: what it says of the tree and of a constituent; one decision with counts and levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.analysis.vote_shares import bracket_text
from engine.chart.parse import Parse
from engine.estimates.counts_remark import second_model_remark
from engine.estimates.factor_subjects import Decision, GenerativeSubject
from engine.estimates.generative_factor import BASE_NAME, FLOOR, known_by_class, level_contexts
from engine.estimates.ledger import Factor, SecondModelSum, by_constituent, second_model_sum
from engine.structure.constituents import Constituent
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    END_OF_SECTION,
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_text,
)
from explorer.explanations.level_notation import latex_number, pooled
from explorer.explanations.product_explanations import mixed_steps, recursion_table
from explorer.graphics.number_text import log_text, signed, significant, size

DECISIONS_SHOWN = 10
ABOUT = (
    "A head-driven, generative model of whole trees (after Collins, 1997): it makes the tree from its root, in every "
    "constituent the head first, then a frame of complements on either side, then the modifiers outward until STOP. "
    "The re-ranker weighs its log probability with the parser's own."
)
_GLOSSES = {
    Decision.ROOT_LABEL: "Which label the whole tree has, given the tag of its head.",
    Decision.ROOT_WORD: "Which word heads the whole tree.",
    Decision.HEAD: "Which child is the head of the constituent.",
    Decision.FRAME: "Which complements the head takes on this side: its frame of subcategorisation.",
    Decision.MODIFIER: "What comes next on this side of the head, going outward; STOP if nothing does.",
    Decision.MODIFIER_TAG: "Which tag the head-word of the modifier has.",
    Decision.MODIFIER_WORD: "Which word heads the modifier.",
    Decision.BASE_TAG: "Which tag stands next in the baseNP, going outward from its head; STOP at its edge.",
    Decision.BASE_WORD: "Which word stands next in the baseNP.",
}


def sum_text(summed: SecondModelSum) -> str:
    """``−15.201 × 0.613 = −9.316``."""
    log, contribution = log_text(summed.log_probability, 3), log_text(summed.contribution, 3)
    return f"{log} × {summed.weight:.3g} = {contribution}"


def subject_of(factor: Factor) -> GenerativeSubject:
    """What a factor of the second model is about."""
    assert isinstance(factor.subject, GenerativeSubject)
    return factor.subject


def explain_second_model(result: ParseResult, parse: Parse) -> Explanation | None:
    """Explain what the second model says of the whole tree; ``None`` if it has no say."""
    second = result.ledger(parse).second_model
    if not second:
        return None
    summed = second_model_sum(second)
    words = parse.sentence.proper_words
    kinds: dict[Decision, list[Factor]] = {}
    for factor in second:
        kinds.setdefault(subject_of(factor).decision, []).append(factor)
    by_kind = [(kind.value, f"{len(factors):,}", _log(factors)) for kind, factors in kinds.items()]
    by_kind.append(("log P", f"{len(second):,}", log_text(summed.log_probability, 3)))
    constituents = []
    for group in by_constituent(second):
        subject = subject_of(group[0])
        where = bracket_text((subject.label, subject.start, subject.end), words)
        constituents.append((where, f"{len(group):,}", _log(group)))
    costly = sorted(second, key=lambda factor: factor.probability)[:DECISIONS_SHOWN]
    blocks: list[ExplanationBlock] = [
        Paragraph(ABOUT),
        _weighed(summed),
        Heading("By decision", Section.DECISIONS),
        TableBlock(("decision", "", "log P"), tuple(by_kind), (1, 2), total=True),
        Heading("What costs most", Section.COSTS),
        _decisions_table(costly),
        Heading("By constituent", Section.FACTORS),
        TableBlock(("constituent", "decisions", "log P"), tuple(constituents), (1, 2)),
        *_remarks(parse),
    ]
    return Explanation("Second model", f"{size(len(second), 'decision')},  {sum_text(summed)}", tuple(blocks))


def explain_constituent_decisions(result: ParseResult, parse: Parse, node: int) -> Explanation | None:
    """Explain what the second model says of one constituent; ``None`` if the tree has it not."""
    decisions = [factor for factor in result.ledger(parse).second_model if subject_of(factor).node == node]
    if not decisions:
        return None
    subject, summed = subject_of(decisions[0]), second_model_sum(decisions)
    inside = " ".join(parse.sentence.proper_words[subject.start : subject.end])
    blocks: list[ExplanationBlock] = [
        Paragraph(inside if len(inside) <= 80 else f"{inside[:79]}…"),
        _weighed(summed),
        Heading("Decisions", Section.DECISIONS),
        _decisions_table(decisions, total=True),
        *_remarks(parse),
    ]
    return Explanation(f"Second model: {subject.whole}", f"{sum_text(summed)} of the score", tuple(blocks))


def constituent_sum(result: ParseResult, parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """What the second model says of a constituent, in a line; nothing where it has no say."""
    decisions = [
        factor
        for factor in result.ledger(parse).second_model
        if (subject := subject_of(factor)).head == node.head
        and (subject.start, subject.end) == (node.start, node.end)
        and subject.label == (BASE_NAME if node.is_base else node.label)
    ]
    if not decisions:
        return []
    summed = second_model_sum(decisions)
    text = f"{size(len(decisions), 'decision')}, {sum_text(summed)} of the score; the ledger lists them."
    return [Heading("Second model", Section.SECOND_MODEL), Paragraph(text)]


def explain_decision(result: ParseResult, parse: Parse, number: int) -> Explanation | None:
    """Explain one decision: its counts, λ and levels of back-off in words; ``None`` if the tree has no such one."""
    second = result.ledger(parse).second_model
    if not 0 <= number < len(second):
        return None
    factor = second[number]
    subject, summed = subject_of(factor), second_model_sum([factor])
    blocks: list[ExplanationBlock] = [Paragraph(_GLOSSES[subject.decision])]
    if rare := known_by_class(subject):
        text = f"`{subject.outcome}` was met too rarely to be known by itself; it counts as any rare word {rare}."
        blocks.append(Paragraph(text))
    blocks += [Heading("Counts", Section.COUNTS), _counts(factor, parse)]
    if any(not level.delta for level in factor.levels):
        blocks.append(Paragraph("– : such a context was not met twice, and is passed over.", True))
    blocks += [Heading("Estimate", Section.ESTIMATE), *_estimate(factor)]
    where = f"{subject.whole}, words {subject.start + 1} to {subject.end}"
    blocks += [Paragraph(f"A decision of {where}.", True), *_remarks(parse)]
    return Explanation(subject.text, f"second model,  log P {sum_text(summed)}", tuple(blocks))


def _counts(factor: Factor, parse: Parse) -> TableBlock:
    """Every level: what it looks at, and how often that was met, with this outcome and with how many different ones."""
    rows = []
    contexts = level_contexts(subject_of(factor), parse.model.vocabulary)
    for level, different, context in zip(factor.levels, factor.distinct, contexts, strict=True):
        if level.name == FLOOR:
            rows.append((level.name, context, "", "", "", significant(level.estimate)))
        elif level.delta:
            numbers = (f"{level.eta:,}", f"{level.delta:,}", f"{different:,}", significant(level.estimate))
            rows.append((level.name, context, *numbers))
        else:
            rows.append((level.name, context, "–", "–", "–", "–"))
    return TableBlock(("level", "based on", "met", "n", "u", "E = met/n"), tuple(rows), (2, 3, 4, 5), aside=1)


def _estimate(factor: Factor) -> list[ExplanationBlock]:
    levels = [level for name in factor.used if (level := pooled(factor.levels, name)) is not None]
    steps = mixed_steps(levels, factor.lambdas)
    probability, log = significant(factor.probability, 5), math.log(factor.probability)
    weight = f"{factor.power:.3g}"
    formula = Formula(
        (
            ("m = λ × E + (1 − λ) × m′,  m′ that of the row below", r"m &= \lambda \times E + (1-\lambda) \times m'"),
            ("λ = n / (n + 4 u),  n times met with u different outcomes", r"\lambda &= \frac{n}{n + 4u}"),
            (
                f"P = {probability},  log P {log_text(log, 4)}",
                rf"P &= {latex_number(probability)}, \quad \log P = {log:.4f}",
            ),
            (
                f"in the score: {log_text(log, 4)} × {weight} = {log_text(factor.log, 4)}",
                rf"\text{{{latex_text('in the score')}}} &: {log:.4f} \times {weight} = {factor.log:.4f}",
            ),
        )
    )
    return [recursion_table(levels, factor.lambdas, steps), formula]


def _weighed(summed: SecondModelSum) -> Formula:
    log, contribution = summed.log_probability, summed.contribution
    weight = f"{summed.weight:.4g}"
    return Formula(
        (
            (
                f"w × log P = {weight} × {log_text(log, 4)} = {log_text(contribution, 4)}",
                rf"w \times \log P &= {weight} \times {log:.4f} = {contribution:.4f}",
            ),
        )
    )


def _decisions_table(decisions: Sequence[Factor], total: bool = False) -> TableBlock:
    rows = [(factor.what, log_text(math.log(factor.probability), 3), signed(factor.log, 3)) for factor in decisions]
    if total:
        summed = second_model_sum(decisions)
        rows.append(("sum", log_text(summed.log_probability, 3), signed(summed.contribution, 3)))
    return TableBlock(("decision", "log P", "in score"), tuple(rows), (1, 2), total=total)


def _log(factors: Sequence[Factor]) -> str:
    return log_text(second_model_sum(factors).log_probability, 3)


def _remarks(parse: Parse) -> list[ExplanationBlock]:
    remark = second_model_remark(parse.model)
    return [END_OF_SECTION, Paragraph(remark, True)] if remark else []
