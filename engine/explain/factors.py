"""Factors of the score in words, and those that no picture shows: unaries, the second model, features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from engine.chart.parse import Parse
from engine.common.numbers import (
    adds,
    amount,
    change,
    log_probability,
    log_text,
    ordinal,
    probability,
    signed,
    significant,
    size,
    times,
)
from engine.estimates.counts_remark import second_model_remark
from engine.estimates.ledger import (
    Decision,
    DependencySubject,
    Factor,
    FactorSubject,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    Ledger,
    RootSubject,
    SecondModelSum,
    TagSubject,
    UnarySubject,
    by_constituent,
    second_model_sum,
)
from engine.estimates.second_model import FLOOR, known_by_class, level_contexts
from engine.explain.attachments import unary_reason
from engine.explain.chart import words_and_cell
from engine.explain.context import ParseContext
from engine.explain.differences import difference_name
from engine.explain.estimates import latex_number, mixed_steps, pooled, recursion_table, unary_blocks, unary_of
from engine.explain.explanation import (
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
from engine.explain.subjects import DecisionId, DecisionsId, FactorId, FeaturesId, SecondModelId, Subject, WordId
from engine.explain.topics import Topic, Topics
from engine.explain.wording import Headline, capital, how_often, quoted, span_text, tag_text, with_article
from engine.structure.constituents import Constituent
from engine.study.vote_shares import bracket_text

# Factors of the score in words: what a row of a ledger is about, without its symbols.


def factor_text(factor: Factor) -> str:
    """What a factor is about: ``that `with` modifies `saw` as <PP,VP,VBD>``."""
    relation = f" as {factor.subject.relation}" if isinstance(factor.subject, DependencySubject) else ""
    return f"that {factor_clause(factor.subject)}{relation}"


GAPS = {
    "S": "a baseNP starts",
    "C": "a baseNP goes on",
    "E": "a baseNP ends",
    "B": "one baseNP ends and the next starts",
    "N": "there is no baseNP on either side",
}
"""What is so in a gap that has this tag."""


def factor_clause(subject: FactorSubject) -> str:
    """What a factor says of the tree, as a clause."""
    match subject:
        case TagSubject(word=word, tag=tag):
            return f"{quoted(word)} is tagged {tag_text(tag)}"
        case GapSubject(left=left, tag=tag, right=right):
            return f"{GAPS[tag]} between {quoted(left)} and {quoted(right)}"
        case DependencySubject(modifier_word=modifier, head_word=head):
            return f"{quoted(modifier)} modifies {quoted(head)}"
        case RootSubject(word=word, label=label):
            return f"{quoted(word)} heads the sentence, {with_article(label)}"
        case UnarySubject(word=word, label=label, parent=parent):
            if parent:
                return f"{with_article(parent)} stands over the {label} of {quoted(word)} and nothing else"
            return f"no unary production stands over the {label} of {quoted(word)}"
        case GenerativeSubject(text=text):
            return f"for the second model {plain(text)}"
        case FeatureSubject():
            return f"there is the feature “{subject.text}”"
        case other:
            assert_never(other)


# Headlines of factors that no picture shows: unaries, decisions of the second model, features of the re-ranker.


def unary_headline(context: ParseContext, factor: Factor) -> Headline:
    """What stands over a constituent, or that nothing does, and what that costs."""
    subject = factor.subject
    assert isinstance(subject, UnarySubject)
    headed = f"the {subject.label} headed by {quoted(subject.word)}"
    if subject.parent:
        what = f"{subject.parent} stands over {headed}, by a unary production."
    else:
        what = f"No unary production stands over {headed}."
    told = f"Probability {probability(factor.probability)}{_cost(factor.log)}."
    return Headline(f"{what} {told}", (unary_reason(context.training, factor),) if factor.levels else ())


def _cost(log: float) -> str:
    if not math.isfinite(log):
        return ": impossible"
    return ", which costs nothing worth naming" if log > -0.005 else f", which costs {amount(log)} in log P"


def second_model_headline(context: ParseContext, it: SecondModelId) -> Headline | None:
    """What the second model says of the tree, and of the next best one; ``None`` if it has no say."""
    second = context.ledger.second_model
    if not second:
        return None
    summed = second_model_sum(second)
    told = (
        f"The second model gives the tree the log probability {log_probability(summed.log_probability)}, in "
        f"{size(summed.decisions, 'decision')}. By its weight that {adds(summed.contribution)}."
    )
    reasons = []
    rival = context.rival(lambda one: False)
    if rival is not None:
        others = context.explainer.generative.log_probability(rival.parse.roots[0]) if rival.parse.roots else None
        same_tags = rival.parse.sentence.tags == context.parse.sentence.tags
        if others is not None and same_tags and not rival.parse.fallback:
            lead = summed.contribution - summed.weight * others
            best = "the next best parse" if context.is_chosen else f"the {ordinal(rival.rank)} of the list"
            reasons.append(_prefers(lead, f"{best} ({difference_name(rival.parse, context.parse)})"))
    dearest = min(second, key=lambda factor: factor.probability)
    reasons.append(f"Its least likely decision: {plain(dearest.what)}, probability {probability(dearest.probability)}.")
    return Headline(told, tuple(reasons))


def plain(text: str) -> str:
    """A decision's text with an empty frame in words."""
    return text.replace("{}", "no complement")


def _prefers(lead: float, other: str) -> str:
    if abs(lead) < 0.005:
        return f"It likes this tree and {other} alike."
    return f"It prefers {'this tree to ' + other if lead > 0 else other + ' to this tree'}, by {amount(lead)} in score."


def decisions_headline(context: ParseContext, it: DecisionsId) -> Headline | None:
    """What the second model says of one constituent; ``None`` if it decides nothing there."""
    decisions = _decisions_in(context.ledger, it.node)
    if not decisions:
        return None
    subject = decisions[0].subject
    assert isinstance(subject, GenerativeSubject)
    summed = second_model_sum(decisions)
    words = span_text(context.words, subject.start, subject.end)
    told = (
        f"In the {subject.label} {words} the second model makes {size(len(decisions), 'decision')}. "
        f"All in all that {adds(summed.contribution)}."
    )
    dearest = min(decisions, key=lambda factor: factor.probability)
    return Headline(
        told, (f"The least likely: {plain(dearest.what)}, probability {probability(dearest.probability)}.",)
    )


def decision_headline(context: ParseContext, factor: Factor) -> Headline:
    """How probable a decision of the second model is, and how often the like was met."""
    subject = factor.subject
    assert isinstance(subject, GenerativeSubject)
    told = (
        f"{capital(plain(subject.text))}: the second model gives this the probability "
        f"{probability(factor.probability)}. That {adds(factor.log)}."
    )
    contexts = level_contexts(subject, context.parse.model.vocabulary)
    reasons = []
    for level, known in zip(factor.levels, contexts, strict=True):
        if level.delta and level.name != FLOOR:
            based = f"in this context ({plain(known)})" if known != "nothing" else "whatever the context"
            weighted = bool(second_model_remark(context.parse.model))
            reasons.append(how_often("In training", f"{based} it was so", level, weighted))
            break
    else:
        reasons.append("No such context was met in training; the estimate is the least there is.")
    return Headline(told, tuple(reasons))


def features_headline(context: ParseContext, it: FeaturesId) -> Headline | None:
    """What all features of the re-ranker together say of the tree; ``None`` if there are none."""
    features = context.ledger.features
    if not features:
        return None
    good = [factor for factor in features if factor.log > 0]
    bad = [factor for factor in features if factor.log < 0]
    total = math.fsum(factor.log for factor in features)
    told = (
        f"The re-ranker looks at {size(len(features), 'feature')} of the tree: {len(good):,} for it, "
        f"{len(bad):,} against it. All in all that {adds(total)}."
    )
    reasons = []
    for one, word in ((max(good, key=_log, default=None), "for"), (min(bad, key=_log, default=None), "against")):
        if one is not None:
            reasons.append(f"Most speaks {word} it: {one.what}, {change(one.log)}.")
    return Headline(told, tuple(reasons))


def _log(factor: Factor) -> float:
    return factor.log


def feature_headline(context: ParseContext, factor: Factor) -> Headline:
    """What one feature adds, how heavy it is among the others, and how many of the n best have it."""
    subject = factor.subject
    assert isinstance(subject, FeatureSubject)
    count = times(subject.times)
    verb = "for" if factor.log > 0 else "against"
    told = (
        f"The feature “{subject.template}: {subject.values}” speaks {verb} the tree, which has it {count}. "
        f"It {adds(factor.log)}."
    )
    if abs(factor.log) < 0.005:
        told = (
            f"The feature “{subject.template}: {subject.values}”, which the tree has {count}, "
            "makes hardly any difference to the score."
        )
    features = context.ledger.features
    reasons = []
    if factor in features and len(features) > 1:
        reasons.append(f"It is the {ordinal(features.index(factor) + 1)} of {len(features):,} by weight.")
    return Headline(told, tuple(reasons))


# Pages of factors that no picture shows: a unary step, a feature of the re-ranker, all features.

FEATURES_SHOWN = 40
_ABOUT_FEATURES = "The weights of these features are added to the score, each as many times as the tree has it."


def _features_page(context: ParseContext, it: FeaturesId) -> Explanation | None:
    """Explain what all features of the re-ranker say of the tree; ``None`` if there are none."""
    features = context.ledger.features
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


def _factor_page(context: ParseContext, it: FactorId) -> Explanation | None:
    """Explain a factor by its number in the ledger: a unary step or a feature; ``None`` if it is neither."""
    parse, ledger = context.parse, context.ledger
    if not 0 <= it.number < len(ledger):
        return None
    factor = ledger.factors[it.number]
    match factor.subject:
        case UnarySubject(label=label, word=word):
            node = _node_of(parse, factor)
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


def _node_of(parse: Parse, factor: Factor) -> Constituent | None:
    """The constituent that a unary step is over: of several with one label and head the one with these counts."""
    nodes = (node for root in parse.roots for node in root.walk())
    return next((node for node in nodes if unary_of(parse, node) == factor), None)


# Pages of the second model: what it says of the tree and of a constituent; one decision with counts and levels.

_DECISIONS_SHOWN = 10
_ABOUT_SECOND_MODEL = (
    "A head-driven, generative model of whole trees (after Collins, 1997): it makes the tree from its root, in every "
    "constituent the head first, then a frame of complements on either side, then the modifiers outward until STOP. "
    "The re-ranker weighs its log probability with the parser's own."
)
_DECISIONS = {
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


def _second_model_page(context: ParseContext, it: SecondModelId) -> Explanation | None:
    """Explain what the second model says of the whole tree; ``None`` if it has no say."""
    second = context.ledger.second_model
    if not second:
        return None
    summed = second_model_sum(second)
    words = context.words
    kinds: dict[Decision, list[Factor]] = {}
    for factor in second:
        kinds.setdefault(subject_of(factor).decision, []).append(factor)
    by_kind = [(kind.value, f"{len(factors):,}", _sum(factors)) for kind, factors in kinds.items()]
    by_kind.append(("log P", f"{len(second):,}", log_text(summed.log_probability, 3)))
    constituents = []
    for group in by_constituent(second):
        subject = subject_of(group[0])
        where = bracket_text((subject.label, subject.start, subject.end), words)
        constituents.append((where, f"{len(group):,}", _sum(group)))
    costly = sorted(second, key=lambda factor: factor.probability)[:_DECISIONS_SHOWN]
    blocks: list[ExplanationBlock] = [
        Paragraph(_ABOUT_SECOND_MODEL),
        _weighed(summed),
        Heading("By decision", Section.DECISIONS),
        TableBlock(("decision", "", "log P"), tuple(by_kind), (1, 2), total=True),
        Heading("What costs most", Section.COSTS),
        _decisions_table(costly),
        Heading("By constituent", Section.FACTORS),
        TableBlock(("constituent", "decisions", "log P"), tuple(constituents), (1, 2)),
        *_remarks(context.parse),
    ]
    return Explanation("Second model", f"{size(len(second), 'decision')},  {sum_text(summed)}", tuple(blocks))


def _decisions_page(context: ParseContext, it: DecisionsId) -> Explanation | None:
    """Explain what the second model says of one constituent; ``None`` if the tree has it not."""
    decisions = _decisions_in(context.ledger, it.node)
    if not decisions:
        return None
    subject, summed = subject_of(decisions[0]), second_model_sum(decisions)
    inside = " ".join(context.words[subject.start : subject.end])
    blocks: list[ExplanationBlock] = [
        Paragraph(inside if len(inside) <= 80 else f"{inside[:79]}…"),
        _weighed(summed),
        Heading("Decisions", Section.DECISIONS),
        _decisions_table(decisions, total=True),
        *_remarks(context.parse),
    ]
    return Explanation(f"Second model: {subject.whole}", f"{sum_text(summed)} of the score", tuple(blocks))


def _decision_page(context: ParseContext, it: DecisionId) -> Explanation | None:
    """Explain one decision: its counts, λ and levels of back-off in words; ``None`` if the tree has no such one."""
    second = context.ledger.second_model
    if not 0 <= it.number < len(second):
        return None
    factor = second[it.number]
    subject, summed = subject_of(factor), second_model_sum([factor])
    blocks: list[ExplanationBlock] = [Paragraph(_DECISIONS[subject.decision])]
    if rare := known_by_class(subject):
        text = f"`{subject.outcome}` was met too rarely to be known by itself; it counts as any rare word {rare}."
        blocks.append(Paragraph(text))
    blocks += [Heading("Counts", Section.COUNTS), _counts(factor, context.parse)]
    if any(not level.delta for level in factor.levels):
        blocks.append(Paragraph("– : such a context was not met twice, and is passed over.", True))
    blocks += [Heading("Estimate", Section.ESTIMATE), *_estimate(factor)]
    where = f"{subject.whole}, words {subject.start + 1} to {subject.end}"
    blocks += [Paragraph(f"A decision of {where}.", True), *_remarks(context.parse)]
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


def _sum(factors: Sequence[Factor]) -> str:
    return log_text(second_model_sum(factors).log_probability, 3)


def _remarks(parse: Parse) -> list[ExplanationBlock]:
    remark = second_model_remark(parse.model)
    return [END_OF_SECTION, Paragraph(remark, True)] if remark else []


def ledger_table(ledger: Ledger) -> TableBlock:
    """Every factor, and their sum."""
    rows = [(factor.kind.with_symbol, factor.what, log_text(factor.log, 3)) for factor in ledger]
    rows.append(("", "sum", log_text(ledger.total, 3)))
    return TableBlock(("factor", "what", "log"), tuple(rows), (2,), total=True)


# What is said of factors that no picture shows.


def _decisions_in(ledger: Ledger, node: int) -> list[Factor]:
    """The decisions of the second model in a constituent, by its number."""
    return [factor for factor in ledger.second_model if subject_of(factor).node == node]


def _decision_headline(context: ParseContext, it: DecisionId) -> Headline | None:
    decisions = context.ledger.second_model
    return decision_headline(context, decisions[it.number]) if 0 <= it.number < len(decisions) else None


def _factor_headline(context: ParseContext, it: FactorId) -> Headline | None:
    """What a unary step or a feature says; of other factors their own subjects tell."""
    if not 0 <= it.number < len(context.ledger):
        return None
    factor = context.ledger.factors[it.number]
    match factor.subject:
        case UnarySubject():
            return unary_headline(context, factor)
        case FeatureSubject():
            return feature_headline(context, factor)
    return None


def _decided(parse: Parse, it: DecisionsId) -> set[Subject]:
    """The words of the constituent, and its cell of the chart."""
    decisions = _decisions_in(parse.ledger(), it.node)
    return words_and_cell(subject_of(decisions[0]).start, subject_of(decisions[0]).end) if decisions else set()


def _words_decided(parse: Parse, it: DecisionId) -> set[Subject]:
    """The head of the constituent, and the word that the decision is about."""
    decisions = parse.ledger().second_model
    if not 0 <= it.number < len(decisions):
        return set()
    decided = subject_of(decisions[it.number])
    return {WordId(decided.head), WordId(decided.place)}


def _word_under(parse: Parse, it: FactorId) -> set[Subject]:
    """The word that a unary step is over; features are about no one place."""
    factors = parse.ledger().factors
    about = factors[it.number].subject if 0 <= it.number < len(factors) else None
    return {WordId(about.head)} if isinstance(about, UnarySubject) else set()


TOPICS: Topics = {
    SecondModelId: Topic[SecondModelId](
        headline=second_model_headline,
        page=_second_model_page,
        forms=("second model",),
        shows_counts=False,
    ),
    DecisionsId: Topic[DecisionsId](
        headline=decisions_headline,
        page=_decisions_page,
        related=_decided,
        forms=("decisions {node:number}",),
        shows_counts=False,
    ),
    DecisionId: Topic[DecisionId](
        headline=_decision_headline,
        page=_decision_page,
        related=_words_decided,
        forms=("decision {number:number}",),
        shows_counts=False,
    ),
    FeaturesId: Topic[FeaturesId](
        headline=features_headline,
        page=_features_page,
        forms=("features",),
        shows_counts=False,
    ),
    FactorId: Topic[FactorId](
        headline=_factor_headline,
        page=_factor_page,
        related=_word_under,
        forms=("factor {number:number}",),
    ),
}
