"""The comparison as tables, and what the inspector says of it: ledgers, errors, PARSEVAL, prices, the verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import assert_never

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes
from engine.common.numbers import log_text, signed, significant, size
from engine.estimates.ledger import (
    RERANKERS_KINDS,
    DependencySubject,
    Factor,
    FactorKind,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
    counts_text,
    lambdas_text,
)
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ErrorId,
    GapId,
    RootId,
    Subject,
    WordId,
)
from engine.explain.verdicts import (
    EXTRA,
    MISSING,
    bracket_headline,
    error_description,
    error_headline,
)
from engine.study.comparison import LedgerDifference, LedgerRow
from engine.study.prices import WordPrices
from explorer.compare.sides import Comparison
from explorer.kit.tables import Row
from explorer.pictures.facts import facts_of

# The comparison as tables: ledgers side by side, errors, PARSEVAL, prices; the same on the screen and on paper.


@dataclass(frozen=True, slots=True)
class EqualFactorsId:
    """What the row stands for that folds and unfolds the factors which both sides share."""


@dataclass(frozen=True, slots=True)
class RerankersFactorsId:
    """What the row stands for that folds and unfolds the second model's decisions, or the features."""

    kind: FactorKind


FoldId = EqualFactorsId | RerankersFactorsId
"""What a row stands for that folds and unfolds others."""
_RERANKERS = {
    FactorKind.GENERATIVE: ("decision of the second model", "decisions of the second model"),
    FactorKind.FEATURE: ("feature of the re-ranker", "features of the re-ranker"),
}
_NONE = "–"
_FOLDS = "A click shows or hides them"


def ledger_header(comparison: Comparison) -> tuple[str, ...]:
    """The header of the table of differences."""
    first, second = comparison.names
    origins = (f"{title} from" for title in comparison.titles)
    return ("nats", "factor", first, "log", second, "log", *origins)


LEDGER_RIGHT = (0, 3, 5)
_SUBTOTAL = "subtotal: log P"
ORIGINS_FROM = 6
"""The first of the columns that say where estimates come from."""


def ledger_rows(comparison: Comparison, unfolded: Collection[FoldId] = ()) -> list[Row]:
    """Rows in which the two ledgers differ; equal ones folded; the sums.

    First what a linguist calls a reason, the largest difference first: dependencies, gap tags, unaries, tags.  Then, in
    a row each that unfolds, what the second model and the re-ranker's features make of it.
    """
    difference = comparison.difference
    if difference is None:
        return [Row(("", "", "a cover of fragments has no score to compare", "", "", "", "", ""))]
    own = [row for row in difference.rows if row.kind not in RERANKERS_KINDS]
    rows = [_difference_row(comparison, row) for row in own]
    if len(own) < len(difference.rows):
        total = signed(math.fsum(row.contribution for row in own))
        first, second = (log_text(one.log_probability) for one in (comparison.first, comparison.second))
        rows.append(Row((total, "", _SUBTOTAL, first, _SUBTOTAL, second, "", ""), None, True))
        for kind in RERANKERS_KINDS:
            rows += _rerankers_rows(comparison, difference, kind, RerankersFactorsId(kind) in unfolded)
    if difference.equal_count:
        arrow = "▾" if EqualFactorsId() in unfolded else "▸"
        equal = log_text(difference.equal_sum)
        title = f"{arrow} {size(difference.equal_count, 'equal factor')}"
        rows.append(Row(("0", "", title, equal, title, equal, "", ""), EqualFactorsId(), tip=_FOLDS))
        if EqualFactorsId() in unfolded:
            rows += [
                Row(_cells("0", one.kind.with_symbol, one, one), row_id(one, one, comparison), made_of=(one, None))
                for one in equal_factors(comparison)
            ]
    first, second = log_text(difference.first_total), log_text(difference.second_total)
    rows.append(Row((signed(difference.total), "", "sum", first, "sum", second, "", ""), None, True))
    return rows


def _difference_row(comparison: Comparison, row: LedgerRow) -> Row:
    return Row(
        _cells(signed(row.contribution), row.kind.with_symbol, row.first, row.second),
        row_id(row.first, row.second, comparison),
        tip="\n".join([row.what, *_origins(comparison, row.first, row.second), *_hint(row.first, row.second)]),
        made_of=(row.first, row.second),
    )


def _rerankers_rows(
    comparison: Comparison, difference: LedgerDifference, kind: FactorKind, unfolded: bool
) -> list[Row]:
    """What differs in the second model or in the features: one row that unfolds, and if it is, the others."""
    differing = [row for row in difference.rows if row.kind is kind]
    if not differing:
        return []
    one, many = _RERANKERS[kind]
    cells = [signed(math.fsum(row.contribution for row in differing)), kind.with_symbol]
    for factors in ([row.first for row in differing], [row.second for row in differing]):
        there = [factor for factor in factors if factor is not None]
        title = size(len(there), one, many) if there else _NONE
        cells += [f"{'▾' if unfolded else '▸'} {title}", log_text(math.fsum(factor.log for factor in there), 3)]
    rows = [Row((*cells, "", ""), RerankersFactorsId(kind), tip=_FOLDS)]
    return rows + [_difference_row(comparison, row) for row in differing] if unfolded else rows


def equal_factors(comparison: Comparison) -> list[Factor]:
    """The factors that both sides share."""
    if comparison.difference is None:
        return []
    differing = Counter(row.first.subject for row in comparison.difference.rows if row.first is not None)
    found = []
    for factor in comparison.first.ledger():
        # A key may occur more than once: as many are left out as differ.
        if differing[factor.subject] > 0:
            differing[factor.subject] -= 1
        else:
            found.append(factor)
    return found


def _cells(nats: str, kind: str, first: Factor | None, second: Factor | None) -> tuple[str, ...]:
    cells = [nats, kind]
    for factor in (first, second):
        cells += [factor.what, log_text(factor.log, 3)] if factor is not None else [_NONE, ""]
    return (*cells, *(origin(factor) if factor is not None else "" for factor in (first, second)))


def _origins(comparison: Comparison, *factors: Factor | None) -> list[str]:
    """A line for each side that says where its estimate comes from."""
    pairs = zip(comparison.titles, factors, strict=True)
    return [f"{title}: {origin(factor)}" for title, factor in pairs if factor is not None]


def _hint(*factors: Factor | None) -> list[str]:
    counted = any(
        factor is not None and factor.levels and factor.kind is not FactorKind.GENERATIVE for factor in factors
    )
    return ["Enter, or a click on the counts: the training sentences behind them"] if counted else []


def origin(factor: Factor) -> str:
    """Where an estimate comes from: levels mixed, counts, weights, Δ; or why it is zero."""
    if factor.reason:
        return factor.reason
    parts = []
    # The second model's levels have names of several words, which their counts repeat.
    if factor.used and factor.kind is not FactorKind.GENERATIVE:
        parts.append(" ".join(factor.used) + (":" if factor.levels else ""))
    if factor.levels:
        parts.append(counts_text(factor.levels, factor.distinct))
    if factor.lambdas:
        if factor.kind is FactorKind.GENERATIVE:
            parts.append(lambdas_text(factor))
        else:
            parts.append(" ".join(f"{weight.name} {significant(weight.value, 2)}" for weight in factor.weights))
    if factor.distance is not None:
        parts.append("Δ " + "".join(str(int(answer)) for answer in factor.distance))
    if factor.ratios:
        parts.append("× " + " ".join(f"{ratio.name} {significant(ratio.value, 2)}" for ratio in factor.ratios))
    return "  ".join(parts)


def row_id(first: Factor | None, second: Factor | None, comparison: Comparison) -> Subject | None:
    """What to select for a row: the arrow, gap or word that it is about.

    Where the first side has no such arrow, or another one than the second, the pair of the second is still found beside
    it: the inspector lists all heads of a word.
    """
    factor, parse = (first, comparison.first) if first is not None else (second, comparison.second)
    if factor is None:
        return None
    match factor.subject:
        case GapSubject(position=position):
            return GapId(position)
        case DependencySubject(modifier=modifier) | RootSubject(modifier=modifier):
            return ArrowId(modifier) if first is not None else arrow_candidate(parse, modifier)
        case TagSubject(position=position) | UnarySubject(head=position):
            return WordId(position)
        case GenerativeSubject(place=position):
            return WordId(position)
        case FeatureSubject():
            return None
        case other:
            assert_never(other)


def arrow_candidate(parse: Parse, modifier: int) -> Subject | None:
    """The arrow of a word in a parse, as one of the heads that the word could have."""
    head = parse.heads().get(modifier)
    if head is None:
        return WordId(modifier)
    relation = parse.dependencies[parse.reduced.index(modifier)].relation
    return CandidateId(modifier, head, relation) if head >= 0 else WordId(modifier)


ERRORS_HEADER = ("costs F1", "error", "words", "what")
ERRORS_RIGHT = (0,)


def error_rows(comparison: Comparison) -> list[Row]:
    """What the first got wrong if the second is right, the most costly first."""
    rows = []
    against = comparison.request.second.phrase
    for number, mistake in enumerate(comparison.mistakes):
        description = curly_quotes(error_description(mistake, against))
        tip = curly_quotes(error_headline(mistake, against).text)
        cells = (f"{mistake.f1:.1f}", str(mistake.kind), mistake.words, description)
        rows.append(Row(cells, ErrorId(number), tip=tip))
    return rows


BRACKETS_HEADER = ("bracket", "label", "words", "error")


def bracket_rows(comparison: Comparison) -> list[Row]:
    """Every bracket that only one of the two has, those of one error together."""
    words, rows = comparison.trees.second.words, []
    against = comparison.request.second.phrase
    for number, mistake in enumerate(comparison.mistakes):
        sides = [(MISSING, one) for one in mistake.missing] + [(EXTRA, one) for one in mistake.extra]
        for place, (side, one) in enumerate(sides):
            cells = (side, one.label, " ".join(words[one.start : one.end]), str(mistake.kind))
            tip = curly_quotes(bracket_headline(mistake, one, words, against).text)
            rows.append(Row(cells, ErrorId(number, place), tip=tip))
    return rows


PRICES_HEADER = ("nats", "attachment", "relation", "log P", "moves too")
PRICES_RIGHT = (0, 3)


def price_rows(prices: WordPrices, parse: Parse, gold: Parse | None) -> list[Row]:
    """All heads that a word could have, the cheapest first, the gold tree's marked."""
    words = facts_of(parse).words
    wanted = gold.heads().get(prices.modifier) if gold is not None else None
    rows = []
    for price in prices.prices:
        head = words[price.head] if price.head >= 0 else "root"
        title = f"{words[price.modifier]} → {head}"
        moved = ", ".join(words[one] for one in price.moved[:6]) + (" …" if len(price.moved) > 6 else "")
        if price.head == wanted:
            title += "   gold"
        cost = signed(-price.cost)
        id: Subject = CandidateId(price.modifier, price.head, price.relation) if price.head >= 0 else RootId()
        cells = (cost, title, str(price.relation), log_text(price.log_probability), moved)
        rows.append(Row(cells, id, price.head == wanted))
    return rows


def cells_of(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    """The cells alone, for paper."""
    return tuple(row.cells for row in rows)
