"""Whole parses: the best one, the n-th best, what in them is least sure, and what-ifs."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chart.parse import Parse
from engine.common.numbers import (
    amount,
    change,
    log_probability,
    log_text,
    ordinal,
    percent,
    percents_told_apart,
    times_as_probable,
)
from engine.estimates.ledger import ROOT, Difference, align
from engine.explain.attachments import arrow_headline
from engine.explain.context import CLEAR_NATS, TIE_NATS, ExplainedParse, Rival
from engine.explain.differences import difference_name, differences
from engine.explain.factors import factor_text
from engine.explain.wording import Closeness, DecidedBy, Headline, capital, joined
from engine.explain.words import gap_headline
from engine.structure.constraints import Constraint, describe_constraint
from engine.study.vote_shares import TOLERANCE

# Headlines of whole parses: the best one, the n-th best, and what in it is least sure.

MOST_UNSURE = 3
_ORDER = (Closeness.UNLIKELIER, Closeness.TIE, Closeness.LIKELIER)


def parse_headline(explained: ExplainedParse) -> Headline:
    """What a parse is among the n best: chosen by how much, over what, and by what; or how far behind."""
    if explained.parse.fallback:
        return _fragments(explained)
    if not explained.is_chosen:
        return _alternative(explained)
    parse, rival = explained.parse, explained.rival(lambda one: False)
    reasons = _remarks(explained)
    if rival is None:
        # Asked for one parse alone, or there is no other.
        told = f"This is the best parse, with log P {log_probability(parse.log_probability)}."
        return Headline(told, tuple((*reasons, *_costs(explained))[:3]), None, None)
    choice = explained.choice(lambda one: False, True, tie=True)
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
    reasons += _turning_point(explained, rival)
    if parse.expected_f1 is not None and choice.decided_by is not DecidedBy.VOTE:
        reasons.append(f"Its expected F1 over the list is {percent(parse.expected_f1)}, the highest of all.")
    return Headline(told, tuple((*reasons, *_costs(explained))[:3]), how_close, choice.decided_by)


def _ahead(rival: Rival, name: str) -> tuple[Closeness, str]:
    lead = -rival.score
    how = f"{amount(lead)} ahead in score of" if rival.reranked else f"{times_as_probable(lead)} as"
    if lead < TIE_NATS:
        return Closeness.TIE, f"This is the best parse, but nearly a tie: it is {how} the next ({name})."
    if lead < CLEAR_NATS:
        return Closeness.LIKELIER, f"This is the best parse. It is {how} the next ({name})."
    return Closeness.CLEAR, f"This is clearly the best parse. It is {how} the next ({name})."


def _alternative(explained: ExplainedParse) -> Headline:
    """The n-th best: how it differs from the best, and how far it is behind."""
    parse, best = explained.parse, explained.chosen
    named = "chosen" if best.votes is not None else "best"
    told = (
        f"This is the {ordinal(explained.rank)} of the list. Against the {named} parse: {difference_name(parse, best)}."
    )
    log, score = parse.log_probability - best.log_probability, parse.score - best.score
    reranked = any(abs(one.score - one.log_probability) > TOLERANCE for one in (parse, best))
    reasons = _remarks(explained)
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
    reasons += _turning_point(explained, against)
    return Headline(told, tuple(reasons[:3]))


def _percents(first: float | None, second: float | None) -> tuple[str, str]:
    """Two expected F1 told apart; none at all is 0 % without decimals."""
    own, others = percents_told_apart(first, second)
    return own if first else "0 %", others if second else "0 %"


def _behind(difference: float) -> str:
    if abs(difference) < 0.005:
        return "the same"
    return f"{amount(difference)} {'higher' if difference > 0 else 'lower'}"


def _turning_point(explained: ExplainedParse, rival: Rival) -> list[str]:
    """The factor that speaks most for the parse against a rival, of those that a linguist would call a reason."""
    lines, _ = align(explained.own_factors, explained.parses.own_factors(rival.parse))
    own = [line for line in lines if line.difference >= 0.005]
    if not own:
        return []
    return [f"{capital(_speaks(explained, own[0]))}."]


def _speaks(explained: ExplainedParse, line: Difference) -> str:
    first, second, gained = line.first, line.second, amount(line.difference)
    if first is not None and second is not None:
        mine, theirs = factor_text(explained, first), factor_text(explained, second)
        if mine == theirs:
            return f"what speaks most for it is {mine}, which costs {gained} less here"
        return f"what speaks most for it is {mine}, {gained} better than {theirs}"
    if first is not None:
        return f"what speaks most for it is {factor_text(explained, first)}, {gained} better than nothing"
    assert second is not None
    return f"what speaks most for it is that it does not pay for {factor_text(explained, second)}: {gained}"


def _costs(explained: ExplainedParse) -> list[str]:
    dearest = min(explained.own_factors, key=lambda factor: factor.log, default=None)
    if dearest is None or dearest.log > -0.005 or not dearest.probability:
        return []
    return [f"What costs it most is {factor_text(explained, dearest)}: {amount(dearest.log)} in log P."]


def _remarks(explained: ExplainedParse) -> list[str]:
    parse = explained.parse
    if parse.note:
        return [f"{capital(parse.note)}."]
    if parse.beam > parse.settings.beam:
        return ["Nothing was found within the beam, which was widened."]
    return []


def _fragments(explained: ExplainedParse) -> Headline:
    pieces = len(explained.parse.roots)
    whole = "one fragment covers" if pieces == 1 else f"{pieces} fragments cover"
    reason = "To look for a tree is too much work" if explained.parse.given_up else "No tree spans the sentence"
    return Headline(f"{reason}; {whole} it.", tuple(_costs(explained)[:1]))


def least_sure(explained: ExplainedParse, most: int = MOST_UNSURE) -> list[Headline]:
    """The headlines of the attachments and gaps that are least sure, the least sure first."""
    if explained.parse.fallback:
        return []
    arrows = [arrow_headline(explained, word) for word, head in explained.heads.items() if head != ROOT]
    gaps = [gap_headline(explained, position) for position in range(1, len(explained.words))]
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
