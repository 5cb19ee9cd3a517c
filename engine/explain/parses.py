"""Whole parses: the best one, the n-th best, what in them is least sure, and what-ifs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.chart.parse import Parse
from engine.common.numbers import (
    amount,
    beam_text,
    change,
    log_probability,
    log_text,
    ordinal,
    percent,
    percents_told_apart,
    share_text,
    signed,
    size,
    times_as_probable,
)
from engine.estimates.ledger import RERANKERS_KINDS, ROOT, Difference, Factor, FactorKind, Ledger, align
from engine.explain.attachments import arrow_headline
from engine.explain.context import CLEAR_NATS, TIE_NATS, ParseContext, Rival, own_factors
from engine.explain.differences import difference_name, differences
from engine.explain.explanation import (
    Explanation,
    ExplanationBlock,
    Formula,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from engine.explain.factors import factor_text, features_table
from engine.explain.paper_readings import PaperReading
from engine.explain.subjects import WhatIfId
from engine.explain.topics import Topic, Topics
from engine.explain.wording import Closeness, DecidedBy, Headline, capital, joined
from engine.explain.words import gap_headline
from engine.structure.constraints import Constraint, describe_constraint
from engine.study.vote_shares import TOLERANCE, bracket_text, loses_by_score, strongest_others, voted_choice, votes_of

# Headlines of whole parses: the best one, the n-th best, and what in it is least sure.

MOST_UNSURE = 3
_ORDER = (Closeness.UNLIKELIER, Closeness.TIE, Closeness.LIKELIER)


def parse_headline(context: ParseContext) -> Headline:
    """What a parse is among the n best: chosen by how much, over what, and by what; or how far behind."""
    if context.parse.fallback:
        return _fragments(context)
    if not context.is_chosen:
        return _alternative(context)
    parse, rival = context.parse, context.rival(lambda one: False)
    reasons = _remarks(context)
    if rival is None:
        # Asked for one parse alone, or there is no other.
        told = f"This is the best parse, with log P {log_probability(parse.log_probability)}."
        return Headline(told, tuple((*reasons, *_costs(context))[:3]), None, None)
    choice = context.choice(lambda one: False, True, tie=True)
    name = difference_name(rival.parse, parse)
    by_log = choice.rival
    assert by_log is not None
    match choice.decided_by:
        case DecidedBy.VOTE:
            own, others = _percents(parse.expected_f1, rival.parse.expected_f1)
            told = (
                f"This parse was voted for, with expected F1 {own}. Another ({name}) scores {amount(rival.score)} "
                f"higher, but its expected F1 is {others}."
            )
            how_close = Closeness.TIE if rival.score < TIE_NATS else Closeness.UNLIKELIER
        case DecidedBy.RERANKER:
            named = difference_name(by_log.parse, parse)
            ahead = f"another one is {amount(by_log.log)} ahead"
            if by_log.log < TIE_NATS:
                ahead = "another one is nearly a tie"
            told = f"The re-ranker chose this parse. By log P alone {ahead}: {named}."
            how_close = Closeness.UNLIKELIER if by_log.log > TIE_NATS else Closeness.TIE
        case _:
            how_close, told = _ahead(rival, name)
    reasons += _turning_point(context, rival)
    if parse.expected_f1 is not None and choice.decided_by is not DecidedBy.VOTE:
        reasons.append(f"Its expected F1 over the list is {percent(parse.expected_f1)}, the highest of all.")
    return Headline(told, tuple((*reasons, *_costs(context))[:3]), how_close, choice.decided_by)


def _ahead(rival: Rival, name: str) -> tuple[Closeness, str]:
    lead = -rival.score
    how = f"{amount(lead)} ahead in score of" if rival.reranked else f"{times_as_probable(lead)} as"
    if lead < TIE_NATS:
        return Closeness.TIE, f"This is the best parse, but nearly a tie: it is {how} the next ({name})."
    if lead < CLEAR_NATS:
        return Closeness.LIKELIER, f"This is the best parse. It is {how} the next ({name})."
    return Closeness.CLEAR, f"This is clearly the best parse. It is {how} the next ({name})."


def _alternative(context: ParseContext) -> Headline:
    """The n-th best: how it differs from the best, and how far it is behind."""
    parse, best = context.parse, context.chosen
    named = "chosen" if best.votes is not None else "best"
    told = (
        f"This is the {ordinal(context.rank)} of the list. Against the {named} parse: {difference_name(parse, best)}."
    )
    log, score = parse.log_probability - best.log_probability, parse.score - best.score
    reranked = any(abs(one.score - one.log_probability) > TOLERANCE for one in (parse, best))
    reasons = _remarks(context)
    if reranked:
        reasons.append(f"Its score is {_behind(score)}: log P {change(log)}, re-ranker {change(score - log)}.")
    elif log <= -0.005:
        reasons.append(f"The {named} parse is {times_as_probable(-log)}.")
    else:
        reasons.append(f"Its log P is {_behind(log)}.")
    if parse.expected_f1 is not None and best.expected_f1 is not None:
        own, others = _percents(parse.expected_f1, best.expected_f1)
        reasons.append(f"Its expected F1 is {own}, that of the chosen parse {others}.")
    against = Rival(best, 1, -log, -score, reranked)
    reasons += _turning_point(context, against)
    return Headline(told, tuple(reasons[:3]))


def _percents(first: float | None, second: float | None) -> tuple[str, str]:
    """Two expected F1 told apart; none at all is 0 % without decimals."""
    own, others = percents_told_apart(first, second)
    return own if first else "0 %", others if second else "0 %"


def _behind(difference: float) -> str:
    if abs(difference) < 0.005:
        return "the same"
    return f"{amount(difference)} {'higher' if difference > 0 else 'lower'}"


def _turning_point(context: ParseContext, rival: Rival) -> list[str]:
    """The factor that speaks most for the parse against a rival, of those that a linguist would call a reason."""
    lines, _ = align(context.own_factors, own_factors(rival.parse))
    own = [line for line in lines if line.difference >= 0.005]
    if not own:
        return []
    return [f"{capital(_speaks(own[0]))}."]


def _speaks(line: Difference) -> str:
    first, second, gained = line.first, line.second, amount(line.difference)
    if first is not None and second is not None:
        mine, theirs = factor_text(first), factor_text(second)
        if mine == theirs:
            return f"what speaks most for it is {mine}, which costs {gained} less here"
        return f"what speaks most for it is {mine}, {gained} better than {theirs}"
    if first is not None:
        return f"what speaks most for it is {factor_text(first)}, {gained} better than nothing"
    assert second is not None
    return f"what speaks most for it is that it does not pay for {factor_text(second)}: {gained}"


def _costs(context: ParseContext) -> list[str]:
    dearest = min(context.own_factors, key=lambda factor: factor.log, default=None)
    if dearest is None or dearest.log > -0.005 or not dearest.probability:
        return []
    return [f"What costs it most is {factor_text(dearest)}: {amount(dearest.log)} in log P."]


def _remarks(context: ParseContext) -> list[str]:
    parse = context.parse
    return [how_found(parse)] if parse.note or parse.widened else []


def how_found(parse: Parse) -> str:
    """What a person has to know of how a parse was found, in a sentence; empty if it was found within the beam."""
    if parse.note:
        return f"{capital(parse.note)}."
    if parse.widened:
        return f"Nothing was found within β; the beam was widened to {beam_text(parse.beam)}."
    if parse.beam > parse.settings.beam:
        return (
            f"So that the re-ranker has parses to choose from, the chart was filled with β = {beam_text(parse.beam)}."
        )
    return ""


def _fragments(context: ParseContext) -> Headline:
    pieces = len(context.parse.roots)
    whole = "one fragment covers" if pieces == 1 else f"{pieces} fragments cover"
    reason = "To look for a tree is too much work" if context.parse.given_up else "No tree spans the sentence"
    return Headline(f"{reason}; {whole} it.", tuple(_costs(context)[:1]))


def least_sure(context: ParseContext, most: int = MOST_UNSURE) -> list[Headline]:
    """The headlines of the attachments and gaps that are least sure, the least sure first."""
    if context.parse.fallback:
        return []
    arrows = [arrow_headline(context, word) for word, head in context.heads.items() if head != ROOT]
    gaps = [gap_headline(context, position) for position in range(1, len(context.words))]
    unsure = [one for one in (*arrows, *gaps) if one.closeness in _ORDER or _decided_elsewhere(one)]
    unsure.sort(key=lambda one: _ORDER.index(one.closeness) if one.closeness in _ORDER else len(_ORDER))
    return unsure[:most]


def _decided_elsewhere(headline: Headline) -> bool:
    return headline.decided_by in (DecidedBy.RERANKER, DecidedBy.VOTE)


# Headlines of what-ifs: what is forced or forbidden, what it costs, and what else moves with it.

MOST_NAMED = 2


def what_if_headline(constraints: Sequence[Constraint], parse: Parse, free: Parse) -> Headline:
    """What is forced, and what it costs.

    Parameters
    ----------
    constraints
        What is forced or forbidden; at least one thing.
    parse, free
        The best parse that obeys, and the best one without.
    """
    named = [describe_constraint(one, parse.sentence) for one in constraints[:MOST_NAMED]]
    if more := len(constraints) - len(named):
        named.append(f"{more} more")
    opening = f"What if: {joined(named)}."
    if parse.tree == free.tree:
        return Headline(f"{opening} It costs nothing: the best parse is so anyway.", (), None, DecidedBy.WHAT_IF)
    log, score = parse.log_probability - free.log_probability, parse.score - free.score
    reranked = any(abs(one.score - one.log_probability) > TOLERANCE for one in (parse, free))
    reasons = []
    if parse.fallback or free.fallback:
        which = "this parse" if parse.fallback else "the parse without it"
        told = f"Its price cannot be told: {which} is a cover of fragments."
    elif reranked:
        told = _price(score, "in score")
        reasons.append(f"Log P: {change(log)}; re-ranker: {change(score - log)}.")
    else:
        told = _price(log, "in log P")
        if log < -0.05:
            reasons.append(f"The parse without it is {times_as_probable(-log)}.")
    if score > TOLERANCE and free.votes is not None:
        reasons.append("The parse without it was chosen by expected F1, not by score.")
    moved = differences(parse, free)
    if moved:
        listed = "; ".join(moved[:3]) + (f"; and {len(moved) - 3} more" if len(moved) > 3 else "")
        reasons.append(f"Changed: {listed}.")
    return Headline(f"{opening} {told}", tuple(reasons[:3]), None, DecidedBy.WHAT_IF)


def one_what_if_headline(
    constraints: Sequence[Constraint], number: int, price: float | None, parse: Parse, free: Parse
) -> Headline:
    """What one of several what-ifs costs while the others stay; `price` is ``None`` where that is not known."""
    opening = f"What if: {describe_constraint(constraints[number], parse.sentence)}."
    others = len(constraints) - 1
    staying = "the other what-if" if others == 1 else f"the {others} other what-ifs"
    if price is None:
        told = f"What it costs beside {staying} is not known."
    elif abs(price) < 0.005:
        told = f"It costs nothing beside {staying}."
    else:
        told = f"Beside {staying} it {'costs' if price > 0 else 'gains'} {amount(price)}."
    whole = what_if_headline(constraints, parse, free)
    together = whole.sentence.partition(". ")[2]
    return Headline(f"{opening} {told}", (f"All together: {together}", *whole.reasons)[:3], None, DecidedBy.WHAT_IF)


def _price(difference: float, unit: str) -> str:
    if abs(difference) < 0.005:
        return f"It costs {amount(difference)} {unit}: another tree, about as good."
    if difference > 0:
        return f"It gains {amount(difference)} {unit}."
    return f"It costs {amount(difference)} {unit}."


# A line about a parse.


def score_text(parse: Parse) -> str:
    """Log probability of a parse, and what it is ranked by where that is another number."""
    if parse.fallback:
        return "fragments"
    text = f"log P {log_text(parse.log_probability)}"
    if parse.score != parse.log_probability:
        text += f", score {log_text(parse.score)}"
    return f"{text}, with further back-off" if parse.further_backoff else text


# Pages of whole parses: the probability, the ledger that sums to it, and what a re-ranker makes of the tree.

_CONTESTED_SHOWN = 6
_ABOUT_VOTES = (
    "Every parse of the list votes for its constituents with its probability. Chosen is the parse that is most like "
    "all of them: the one of greatest expected F1."
)


def _vote_blocks(context: ParseContext) -> list[ExplanationBlock]:
    """What the vote says of a parse; nothing where parses are chosen by score."""
    parse, words = context.parse, context.words
    votes = parse.votes
    if votes is None:
        return []
    told = f"Expected F1 {percent(parse.expected_f1)} over a list of {votes.voters}."
    blocks: list[ExplanationBlock] = [Heading("Choice by expected F1", Section.VOTE), Paragraph(told)]
    highest = context.highest
    if parse is context.chosen and highest is not None:
        blocks.append(Paragraph(voted_choice(parse, highest).text))
    elif parse is context.chosen and not loses_by_score(parse):
        blocks.append(Paragraph("It has the highest score of the list, too."))
    contested = sorted((vote for vote in votes_of(parse) if vote.share < 0.995), key=lambda vote: vote.share)
    rows = [(bracket_text(vote.bracket, words), share_text(vote.share), "") for vote in contested[:_CONTESTED_SHOWN]]
    rows += [
        (bracket_text(bracket, words), share_text(share), "not in it")
        for bracket, share in strongest_others(parse, _CONTESTED_SHOWN)
    ]
    if rows:
        blocks.append(TableBlock(("contested constituent", "share of the vote", ""), tuple(rows), (1,)))
    blocks.append(Paragraph(_ABOUT_VOTES, True))
    return blocks


_FACTORS_SHOWN = 12


def parse_page(context: ParseContext) -> Explanation:
    """The whole parse: its score and the ledger that sums to it."""
    parse, ledger = context.parse, context.ledger
    second, features = ledger.second_model, ledger.features
    reranked = bool(second or features)
    blocks: list[ExplanationBlock] = []
    if found := how_found(parse):
        blocks.append(Paragraph(found))
    if parse.passes > 1:
        blocks.append(Paragraph(f"Found in pass {parse.passes}: {_passes(parse)}.", True))
    blocks += [Heading("Score", Section.SCORE), _score(parse, ledger), *_normalised(context)]
    blocks += _vote_blocks(context)
    blocks += [Heading("Ledger", Section.LEDGER), _sums(ledger)]
    if features:
        blocks += _features(context, features)
    costly = sorted(ledger.own, key=lambda factor: factor.log)[:_FACTORS_SHOWN]
    rows = tuple((factor.what, log_text(factor.log, 3)) for factor in costly)
    blocks += [Heading("What costs most", Section.COSTS), TableBlock(("factor", "log"), rows, (1,))]
    words = len(parse.sentence.positions)
    score = f",  score {log_text(parse.score, 4)}" if reranked else ""
    subtitle = (
        f"log P = {log_text(parse.log_probability, 4)}{score},  {size(words, 'word')},  {len(parse.reduced)} in S̄"
    )
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


def _normalised(context: ParseContext) -> list[ExplanationBlock]:
    """P(D|S,B) of equation (9), beside the score that leaves its denominators out."""
    log = context.log_probability_of_dependencies
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


def _features(context: ParseContext, features: tuple[Factor, ...]) -> list[ExplanationBlock]:
    """What the re-ranker holds for and against the tree, and what that did to its place among the n best."""
    blocks: list[ExplanationBlock] = [
        Heading("The re-ranker's features", Section.FEATURES),
        features_table(features, _FACTORS_SHOWN),
    ]
    parse, others = context.parse, context.listed
    if parse in others and len(others) > 1:
        rank = others.index(parse) + 1
        by_probability = sorted(others, key=lambda one: -one.log_probability).index(parse) + 1
        order = "score" if parse.votes is None else "expected F1"
        by_score = sorted(others, key=lambda one: -one.score).index(parse) + 1
        scored = "" if parse.votes is None else f", number {by_score} by score"
        note = f"Number {rank} of the {len(others)} shown by {order}{scored}, number {by_probability} by log P alone."
        blocks.append(Paragraph(note, True))
    return blocks


# The page of what-ifs.

_LEAST_COST = 0.005
_ROWS_SHOWN = 40


def _what_ifs_page(context: ParseContext, it: WhatIfId) -> Explanation | None:
    """Explain what is forced or forbidden, and what each costs; ``None`` if nothing is."""
    what_ifs = context.constraints
    if not what_ifs:
        return None
    rows = []
    for constraint, price in zip(what_ifs, context.prices, strict=False):
        cost = "–" if price is None else signed(-price, 3)
        rows.append((describe_constraint(constraint, context.chosen.sentence), cost))
    rows.append(("all together", signed(context.price, 3)))
    table = TableBlock(("what if", "in score"), tuple(rows), (1,), total=True)
    moved = tuple(
        (signed(line.difference, 3), line.first.what if line.first else "–", line.second.what if line.second else "–")
        for line in context.moved[:_ROWS_SHOWN]
    )
    blocks: list[ExplanationBlock] = [table]
    if told := _what_costs_most(context.moved):
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


# What is said of parses.


def _headline(context: ParseContext, whole: None) -> Headline:
    """What a parse is among the n best; of the best one under what-ifs what these cost."""
    if context.constraints and context.parse is context.chosen:
        return what_if_headline(context.constraints, context.parse, context.free)
    return parse_headline(context)


def _readings(context: ParseContext, whole: None) -> Iterator[PaperReading]:
    """Those of beam and threshold, and of estimates that look at no word."""
    parse, widened = context.parse, context.parse.widened
    if widened and not parse.fallback:
        yield PaperReading.BEAM_WIDENED
    if not widened and parse.beam > parse.settings.beam:
        yield PaperReading.LIST_BEAM
    if parse.passes > 1 + widened and not parse.fallback and not parse.further_backoff:
        yield PaperReading.THRESHOLD
    if not parse.settings.lexical:
        yield PaperReading.NO_LEXICAL


def _one_headline(context: ParseContext, it: WhatIfId) -> Headline | None:
    """What a what-if costs; where there are several, what it alone costs while the others stay."""
    what_ifs, number = context.constraints, it.number
    if number >= len(what_ifs):
        return None
    if len(what_ifs) == 1:
        return what_if_headline(what_ifs, context.chosen, context.free)
    price = context.prices[number] if number < len(context.prices) else None
    return one_what_if_headline(what_ifs, number, price, context.chosen, context.free)


WHOLE = Topic[None](headline=_headline, page=lambda context, whole: parse_page(context), readings=_readings)
"""The parse itself: what is explained where nothing is selected."""
TOPICS: Topics = {
    type(None): WHOLE,
    WhatIfId: Topic[WhatIfId](
        headline=_one_headline,
        page=_what_ifs_page,
        forms=("what-if {number:number}",),
        shows_counts=False,
    ),
}
