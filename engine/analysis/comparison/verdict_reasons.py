"""Reasons of a verdict: what else stands against the gold tree beside what the verdict's own sentence names."""

from __future__ import annotations

import math

from engine.analysis.comparison.ledger_differences import LedgerDifference, LedgerRow
from engine.analysis.comparison.verdicts import Verdict, VerdictKind
from engine.common.text_tables import number
from engine.estimates.factor_subjects import RERANKERS_KINDS

MOST_REASONS = 3
_LEAST = 0.005
"""Nats under which a difference is none."""
_AGAINST, _ALSO_AGAINST = "Against the gold tree speaks most", "Against the gold tree also speaks"
_FOR = "For the gold tree speaks most"


def verdict_reasons(verdict: Verdict) -> tuple[str, ...]:
    """Up to three sentences; none of a parse that is right."""
    if verdict.kind is VerdictKind.RIGHT:
        return ()
    # The first of each stands in the verdict's sentence.
    others = [one.text for one in verdict.impossibilities[1:MOST_REASONS]]
    others += [one.text for one in verdict.losses[1:MOST_REASONS]]
    reasons = [f"{text[:1].upper()}{text[1:]}." for text in others]
    if verdict.difference is not None and not reasons:
        reasons += _weightiest(verdict.difference, verdict.kind is VerdictKind.MODEL)
    return tuple(dict.fromkeys(reasons))[:MOST_REASONS]


def _weightiest(difference: LedgerDifference, named: bool) -> list[str]:
    """What speaks most against the gold tree, and what most for it, of what a linguist would call a reason.

    With `named` the verdict's sentence has named what weighs most of all, and what comes next is told.
    """
    rows = [row for row in difference.rows if math.isfinite(row.contribution)]
    against = [row for row in rows if row.contribution <= -_LEAST]
    first = against[:1] if named else []
    found = []
    for title, some in (
        (_ALSO_AGAINST if first else _AGAINST, [row for row in against if row not in first]),
        (_FOR, [row for row in rows if row.contribution >= _LEAST]),
    ):
        own = [row for row in some if row.kind not in RERANKERS_KINDS]
        if own:
            row = max(own, key=lambda row: abs(row.contribution))
            found.append(f"{title}: {_told(row)}, {number(abs(row.contribution), 2)} nats.")
    return found


def _told(row: LedgerRow) -> str:
    """What a row is about; words of the sentence stand between back-ticks."""
    if row.first is not None and row.second is not None and row.first.what != row.second.what:
        return f"`{row.second.what}` instead of `{row.first.what}`"
    if row.second is None:
        return f"it need not pay for `{row.first.what}`" if row.first is not None else row.what
    return f"`{row.second.what}`"
