"""Headlines of what-ifs: what is forced or forbidden, what it costs, and what else moves with it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.headlines.headline import DecidedBy, Headline
from engine.analysis.headlines.wording import amount, change, joined, times_as_probable
from engine.analysis.parse_differences import differences
from engine.analysis.vote_shares import TOLERANCE
from engine.chart.parse import Parse
from engine.structure.constraints import Constraint, describe_constraint

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
