"""Headlines of comparisons: of two parses, of a verdict on a wrong parse, and of one error."""

from __future__ import annotations

import math

from engine.analysis.comparison.error_classes import ParseError
from engine.analysis.comparison.ledger_differences import LedgerDifference
from engine.analysis.comparison.verdicts import Verdict, VerdictKind
from engine.analysis.headlines.headline import Headline
from engine.analysis.headlines.wording import amount, capital, times_as_probable
from engine.analysis.parse_differences import difference_name
from engine.chart.parse import Parse
from engine.common.text_tables import size
from engine.estimates.factor_subjects import RERANKERS_KINDS


def verdict_headline(verdict: Verdict) -> Headline:
    """What is to blame for a wrong parse, and what weighs most."""
    if verdict.kind is VerdictKind.RIGHT:
        return Headline(verdict.sentence)
    reasons = [f"{capital(one.text)}." for one in verdict.impossibilities[1:3]]
    reasons += [f"{capital(one.text)}." for one in verdict.losses[1:3]]
    if verdict.difference is not None and not reasons:
        reasons += _weightiest(verdict.difference)
    return Headline(verdict.sentence, tuple(reasons[:3]))


def _weightiest(difference: LedgerDifference) -> list[str]:
    """What speaks most against the gold tree, and what most for it, of what a linguist would call a reason."""
    rows = [row for row in difference.rows if row.kind not in RERANKERS_KINDS and math.isfinite(row.contribution)]
    against = [row for row in rows if row.contribution <= -0.005]
    for_gold = [row for row in rows if row.contribution >= 0.005]
    found = []
    for named, title in ((against, "Against"), (for_gold, "For")):
        if named:
            row = max(named, key=lambda row: abs(row.contribution))
            found.append(f"{title} the gold tree speaks most: {row.what}, {amount(row.contribution)}.")
    return found


def error_headline(error: ParseError) -> Headline:
    """What was got wrong, and what it costs."""
    cost = "It costs no F1 by itself."
    if error.f1 >= 0.05:
        cost = f"It costs {error.f1:.1f} points of F1."
    elif error.f1 > 0:
        cost = "It costs less than 0.1 points of F1."
    wrong = size(len(error.missing), "bracket is missing", "brackets are missing")
    extra = size(len(error.extra), "bracket is too many", "brackets are too many")
    counted = [part for part, there in ((wrong, error.missing), (extra, error.extra)) if there]
    reasons = (f"{' and '.join(counted)}.",) if counted else ()
    return Headline(f"{capital(error.kind.value)}: {error.description.rstrip('.')}. {cost}", reasons)


def comparison_headline(first: Parse, second: Parse, titles: tuple[str, str]) -> Headline:
    """How the second of two parses differs from the first, and by how much."""
    name = difference_name(second, first, 3)
    if first.tree == second.tree:
        return Headline(f"{titles[0]} and {titles[1]} are the same tree.")
    told = f"{titles[1]} against {titles[0]}: {name}."
    if first.fallback or second.fallback or first.sentence.positions != second.sentence.positions:
        return Headline(told)
    if first.model is not second.model or first.settings.switches() != second.settings.switches():
        return Headline(told, ("The two are scored by different estimates, so their scores cannot be compared.",))
    ahead = second.score - first.score
    reranked = any(one.score != one.log_probability for one in (first, second))
    if not math.isfinite(ahead):
        return Headline(f"{told} {titles[1] if ahead < 0 else titles[0]} is impossible for the model.")
    if abs(ahead) < 0.005:
        return Headline(f"{told} Their scores are the same.")
    better = titles[1] if ahead > 0 else titles[0]
    if reranked:
        return Headline(f"{told} {better} is {amount(ahead)} ahead in score.")
    return Headline(f"{told} {better} is {times_as_probable(abs(ahead))}.")
