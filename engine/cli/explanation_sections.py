"""What the sections of an explanation share: headings, sentences, scores, ledgers and what differs between two."""

from __future__ import annotations

import math
from collections import Counter
from textwrap import fill

from engine.common.numbers import number
from engine.common.tables import text_table
from engine.estimates.ledger import (
    BRIEF_FEATURES,
    Difference,
    FactorKind,
    Ledger,
    align,
    other_decisions,
    other_features,
)

CHOICE_WIDTH = 120
"""Columns that sentences take."""
_LEFT_OUT = "(… stands for more: --all lists every decision of the second model, every feature and count)"
_SUMMED_UP = {FactorKind.GENERATIVE: other_decisions, FactorKind.FEATURE: other_features}
"""What is summed up where two ledgers are held against each other, and what the sums are called."""


def section(title: str, body: str) -> str:
    """Return a heading, underlined, and what stands under it."""
    return f"{title}\n{'-' * len(title)}\n{body}"


def filled(line: str) -> str:
    """Return a sentence, or an item of a list, over as many lines as it takes."""
    return fill(line, CHOICE_WIDTH, subsequent_indent="  " if line.startswith("- ") else "", break_on_hyphens=False)


def score_text(log_probability: float, score: float, second: bool) -> str:
    """Return the log probability, and what the second model, if there is one,
    and the features of a re-ranker make of it.
    """
    text = f"log probability {number(log_probability)}"
    added = "the second model and the re-ranker's features" if second else "the re-ranker's features"
    return text if score == log_probability else f"{text}, score {number(score)} with {added}"


def ledger_table(ledger: Ledger, everything: bool) -> str:
    """Return a ledger, in brief if not everything is asked for; if something is left out, how to see it."""
    whole, brief = ledger.table(), ledger.table(brief=True)
    return whole if everything or whole == brief else f"{brief}\n{_LEFT_OUT}"


def difference_table(first: Ledger, second: Ledger, everything: bool, names: tuple[str, str]) -> str:
    """Return the lines in which two ledgers differ."""
    lines = align(first, second)[0]
    left_out: dict[FactorKind, list[Difference]] = {}
    rows = []
    shown: Counter[FactorKind] = Counter()
    for line in lines:
        shown[line.kind] += 1
        if not everything and line.kind in _SUMMED_UP and shown[line.kind] > BRIEF_FEATURES:
            left_out.setdefault(line.kind, []).append(line)
            continue
        chosen, right = line.first, line.second
        rows.append(
            (
                chosen.what if chosen else "—",
                number(chosen.log) if chosen else "",
                right.what if right else "—",
                number(right.log) if right else "",
                number(line.difference),
            )
        )
    for kind, others in left_out.items():
        rows.append((_SUMMED_UP[kind](len(others)), "", "", "", number(math.fsum(line.difference for line in others))))
    rows.append(
        ("sum of all factors", number(first.total), "", number(second.total), number(first.total - second.total))
    )
    return text_table((names[0], "log", names[1], "log", "difference"), rows, right=(1, 3, 4))
