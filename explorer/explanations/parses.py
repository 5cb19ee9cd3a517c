"""Parses, constituents and the chart explained: ledger, vote, second model, features, cells, items and edges."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.chart.parse import Parse
from engine.chart.trace import ChartItem, Edge, Trace
from engine.common.numbers import beam_text, log_text, percent, share_text, signed, significant, size
from engine.estimates.counts_remark import second_model_remark
from engine.estimates.ledger import (
    RERANKERS_KINDS,
    Decision,
    Difference,
    Factor,
    FactorKind,
    FeatureSubject,
    GenerativeSubject,
    Ledger,
    SecondModelSum,
    UnarySubject,
    by_constituent,
    second_model_sum,
)
from engine.estimates.second_model import BASE_NAME, FLOOR, known_by_class, level_contexts
from engine.explain import constituents as edge_formula
from engine.structure.constituents import JOINED, Constituent
from engine.structure.constraints import describe_constraint
from engine.study.vote_shares import bracket_text, loses_by_score, strongest_others, vote_on, voted_choice, votes_of
from explorer.explanations.blocks import (
    END_OF_SECTION,
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_number,
    latex_text,
    pooled,
)
from explorer.explanations.estimates import explain_word, mixed_steps, recursion_table, unary_blocks, unary_of
from explorer.pictures.facts import PRUNING_REASON_TEXTS, facts_of
from explorer.session.parsing import ParseResult

# Explanations of what no picture shows: a unary step, a feature of the re-ranker, all features, what-ifs.

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


# The choice by expected F1 explained: shares of the vote, and why the highest score did not win.

CONTESTED_SHOWN = 6
ABOUT_VOTES = (
    "Every parse of the list votes for its constituents with its probability. Chosen is the parse that is most like "
    "all of them: the one of greatest expected F1."
)


def vote_blocks(result: ParseResult, parse: Parse) -> list[ExplanationBlock]:
    """What the vote says of a parse; nothing where parses are chosen by score."""
    votes = parse.votes
    if votes is None:
        return []
    words = parse.sentence.proper_words
    told = f"Expected F1 {percent(parse.expected_f1)} over a list of {votes.voters}."
    blocks: list[ExplanationBlock] = [Heading("Choice by expected F1", Section.VOTE), Paragraph(told)]
    highest = result.highest
    if parse is result.parse and highest is not None:
        blocks.append(Paragraph(voted_choice(parse, highest).text))
    elif parse is result.parse and not loses_by_score(parse):
        blocks.append(Paragraph("It has the highest score of the list, too."))
    contested = sorted((vote for vote in votes_of(parse) if vote.share < 0.995), key=lambda vote: vote.share)
    rows = [(bracket_text(vote.bracket, words), share_text(vote.share), "") for vote in contested[:CONTESTED_SHOWN]]
    rows += [
        (bracket_text(bracket, words), share_text(share), "not in it")
        for bracket, share in strongest_others(parse, CONTESTED_SHOWN)
    ]
    if rows:
        blocks.append(TableBlock(("contested constituent", "share of the vote", ""), tuple(rows), (1,)))
    blocks.append(Paragraph(ABOUT_VOTES, True))
    return blocks


def constituent_vote(parse: Parse, label: str, start: int, end: int) -> list[ExplanationBlock]:
    """What one constituent got of the vote; nothing where there was none, or of what is not in the printed tree."""
    if parse.votes is None or label.endswith(JOINED):
        return []
    text = vote_on(parse.votes, label, start, end).text(parse.sentence.proper_words)
    return [Heading("Vote", Section.VOTE), Paragraph(text)]


# The second model explained: what it says of the tree and of a constituent; one decision with counts and levels.

DECISIONS_SHOWN = 10
ABOUT_SECOND_MODEL = (
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
        Paragraph(ABOUT_SECOND_MODEL),
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


# A whole parse explained: its probability, the ledger that sums to it, and what a re-ranker makes of the tree.

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


# Explanations of constituents, and of cells, items and edges of the chart (sections 3 and 4.1).

ITEMS_SHOWN = 12


def find_constituent(parse: Parse, start: int, end: int, label: str) -> Constituent | None:
    """The constituent of the search that a node of the printed tree stands for."""
    for root in parse.roots:
        for node in root.walk():
            if (node.start, node.end) == (start, end) and node.label.rstrip("+*'") == label.rstrip("+*'"):
                return node
    return None


def explain_node(result: ParseResult, parse: Parse, start: int, end: int, label: str) -> Explanation:
    """Explain a constituent of the tree: head, children, every factor of its score, its distance to the beam."""
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    inside = " ".join(words[start:end])
    subtitle = inside if len(inside) <= 60 else inside[:59] + "…"
    node = find_constituent(parse, start, end, label)
    if node is None:
        if end - start == 1 and tags[start] == label:
            return explain_word(result, parse, start)
        note = "This bracket is restored after parsing; it is no part of the score."
        return Explanation(label, subtitle, (Paragraph(note),))
    blocks: list[ExplanationBlock] = [
        Paragraph(f"Head-word `{words[node.head]}`/{tags[node.head]}, words {start + 1} to {end}.")
    ]
    if node.is_base:
        blocks.append(Paragraph("A baseNP: the gap tags make it (section 2.5); its inside is restored afterwards."))
    elif node.children:
        rows = tuple(
            (child.label, " ".join(words[child.start : child.end])[:40], "head" if at == node.head_child else "")
            for at, child in enumerate(node.children)
        )
        blocks += [
            Heading("Children", Section.CHILDREN),
            TableBlock(("label", "words", ""), rows, marked=node.head_child),
        ]
    blocks += constituent_vote(parse, node.label, start, end)
    ledger = parse.explainer().ledger((node,), True)
    blocks += [Heading("Factors of its score", Section.FACTORS), ledger_table(ledger)]
    blocks += constituent_sum(result, parse, node)
    blocks += unary_blocks(parse, node)
    blocks += _in_the_chart(result.parse.chart, parse, node)
    return Explanation(label, subtitle, tuple(blocks))


def _in_the_chart(trace: Trace | None, parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """How far a constituent is from the best over its words, and from the edge of the beam."""
    if trace is None:
        return [Paragraph("The chart is being recorded …", True)]
    cell = trace.cell(node.start, node.end)
    if not cell.items:
        return []
    behind = behind_best(trace, node)
    if behind is None:
        return [Paragraph("No such item is in the chart of the best parse: this tree was found otherwise.", True)]
    slack = math.log(trace.beam) - behind
    note = "the best over these words" if behind < 1e-9 else f"{log_text(behind)} behind the best over these words"
    room = f"; β = {beam_text(trace.beam)} leaves {log_text(slack)} more"
    if slack < 0:
        room = f", further than β = {beam_text(trace.beam)} allows, by {log_text(-slack)}"
    elif math.isinf(slack):
        room = ""
    return [Heading("In the chart", Section.CHART), Paragraph(f"It is {note}{room}.")]


def behind_best(trace: Trace, node: Constituent) -> float | None:
    """How far a constituent is behind the best over its words, in nats; ``None`` if the chart has it not."""
    items = trace.cell(node.start, node.end).items
    mine = [item.done for item in items if item.label == node.label and item.head == node.head]
    return max(item.done for item in items) - max(mine) if mine else None


def explain_cell(result: ParseResult, parse: Parse, start: int, end: int) -> Explanation:
    """Explain a cell of the chart: its items, and how many edges were pruned for which reason."""
    words = parse.sentence.proper_words
    title = " ".join(words[start:end])
    title = title if len(title) <= 48 else title[:47] + "…"
    trace = result.parse.chart
    if trace is None:
        return Explanation(title, "a cell of the chart", (Paragraph("The chart is being recorded …", True),))
    cell = trace.cell(start, end)
    reasons = tuple(
        (PRUNING_REASON_TEXTS[reason], f"{count:,}") for reason, count in cell.reason_counts.items() if count
    )
    blocks: list[ExplanationBlock] = []
    if reasons:
        blocks += [
            Heading("Edges and why they were pruned", Section.EDGES),
            TableBlock(("kept or pruned", "edges"), reasons, (1,)),
        ]
    else:
        blocks.append(Paragraph("The parser built no edge over these words."))
    own = facts_of(parse).in_chart
    own_items = own.item_numbers if own is not None else frozenset()
    if cell.items:
        best = max(item.done for item in cell.items)
        # What the parse has comes first, the rest as the chart has it: the best first.
        items = sorted(cell.items, key=lambda item: item.number not in own_items)
        rows = tuple(
            (
                item.label,
                words[item.head],
                log_text(item.score),
                log_text(item.done - best),
                "in this parse" if item.number in own_items else "",
            )
            for item in items[:ITEMS_SHOWN]
        )
        order = "Items, that of the parse first" if own_items.intersection(item.number for item in items) else ""
        blocks.append(Heading(order or "Items, best first", Section.ITEMS))
        blocks.append(TableBlock(("label", "head", "log P", "to best", ""), rows, (2, 3)))
        if len(cell.items) > ITEMS_SHOWN:
            blocks.append(
                Paragraph(f"and {len(cell.items) - ITEMS_SHOWN:,} more; the table below the chart has all", True)
            )
    note = f"words {start + 1} to {end},  {sum(cell.reason_counts.values()):,} edges"
    return Explanation(title, note, tuple(blocks))


def explain_edge(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """Explain an edge: what it joins, its new factors, and whether it was kept or why it was pruned."""
    trace = result.parse.chart
    if trace is None or not 0 <= number < len(trace):
        return Explanation("An edge of the chart", "", (Paragraph("The chart is being recorded …", True),))
    edge = trace.edge(number)
    words = parse.sentence.proper_words
    inside = " ".join(words[edge.start : edge.end])
    blocks: list[ExplanationBlock] = [Paragraph(f"{_how_made(edge)} Head-word `{words[edge.head]}`/{edge.head_tag}.")]
    names = {
        edge_formula.GAPS: "gap tags",
        edge_formula.DEPENDENCY: f"F̂ of {edge.relation}" if edge.relation else "F̂",
        edge_formula.UNARY: "unaries",
        edge_formula.TAGS: "tags P(t|S)",
        edge_formula.FINISHED: "no unary over its parts",
    }
    rows: list[tuple[str, str]] = []
    for part in edge_formula.edge_parts(trace, edge):
        name = names.get(part.kind, "")
        if part.item >= 0:
            side = "left part" if part.item == edge.left else "right part"
            name = f"{side if edge.right >= 0 else 'its child'}: {_item_text(trace.item(part.item), words)}"
        rows.append((name, log_text(part.log, 3)))
    rows.append(("log P", log_text(edge.score, 3)))
    blocks += [Heading("Score", Section.FACTORS), TableBlock(("part", "log"), tuple(rows), (1,), total=True)]
    note = "Kept"
    if edge.pruning_reason != "kept":
        note = f"Pruned: {PRUNING_REASON_TEXTS[edge.pruning_reason]}"
        if edge.margin and math.isfinite(edge.margin):
            note += f", by {log_text(abs(edge.margin))}"
    if edge.pruning_reason == "dominated" and edge.item >= 0:
        winner = trace.item(edge.item)
        note += f"; item {winner.number}, {_item_text(winner, words)}, has {log_text(winner.score)}"
    blocks += [Heading("Kept or pruned", Section.EDGES), Paragraph(note + ".")]
    return Explanation(
        f"{edge.label or edge.head_tag}  {inside[:48]}",
        f"edge {number + 1:,} of {len(trace):,}",
        tuple(blocks),
    )


def _how_made(edge: Edge) -> str:
    return {
        "word": "A single word.",
        "baseNP": "A baseNP, made by the gap tags.",
        "unary": f"A unary production {edge.label} → {edge.head_label}.",
        "grow right": f"One more modifier on the right: {edge.relation}.",
        "start right": f"A first modifier, on the right: {edge.relation}.",
        "grow left": f"One more modifier on the left: {edge.relation}.",
        "start left": f"A first modifier, on the left: {edge.relation}.",
    }[edge.kind]


def _item_text(item: ChartItem, words: list[str]) -> str:
    inside = " ".join(words[item.start : item.end])
    return f"{item.label} `{inside if len(inside) <= 30 else inside[:29] + '…'}`"


def explain_item(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """Explain an item of the chart: the edge that made it."""
    trace = result.parse.chart
    if trace is None:
        return Explanation("A chart item", "", (Paragraph("The chart is being recorded …", True),))
    item = trace.item(number)
    for edge in trace.edges_in(item.start, item.end):
        if edge.pruning_reason == "kept" and edge.item == number:
            return explain_edge(result, parse, edge.number)
    inside = " ".join(parse.sentence.proper_words[item.start : item.end])
    note = Paragraph(
        f"Log probability {log_text(item.score, 4)}; {signed(item.done - item.score)} for no unary parent."
    )
    return Explanation(item.label, inside[:60], (note,))
