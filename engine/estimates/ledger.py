"""The ledger: every factor of a parse's score, with the counts it comes from, summing to the score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import NamedTuple

from engine.common.text_tables import number, text_table
from engine.estimates.factor_subjects import (
    RERANKERS_KINDS,
    AlignmentKey,
    DependencySubject,
    FactorKind,
    GenerativeSubject,
    RootSubject,
    Subject,
)
from engine.structure.distance import Distance

BRIEF_FEATURES, BRIEF_LEVELS = 10, 4
"""How many features, and levels of back-off, a ledger in brief lists; the paper's own levels are four."""
ELLIPSIS = "…"
_PAPERS_WEIGHTS = {"E1": "λ1", "E23": "λ2", "E4": "λ4"}
"""λ of section 2.4, by the level that each gives its weight to; the third is that of further back-off."""


class Level(NamedTuple):
    """One level of back-off: its name, η and δ."""

    name: str
    eta: int
    delta: int

    @property
    def estimate(self) -> float:
        """E = η / δ; not a number where the level does not exist."""
        return self.eta / self.delta if self.delta else math.nan


class Weight(NamedTuple):
    """λ of one level of back-off against all that are mixed in after it: ``λ1``, of ``E1``, 0.857."""

    name: str
    level: str
    value: float


class Ratio(NamedTuple):
    """How many times likelier a context makes an outcome (preset 5): (estimate / expected) ^ power.

    Attributes
    ----------
    name
        Of the context.
    value
        The ratio.
    used, lambdas
        Levels counted in the context that the estimate mixes, finest first, and the weight of each against all that
        follow it, the last of which is what is expected.
    estimate, expected
        The probability with the context, and from what is known without it.
    power
        1, or less for a context that overlaps with others.
    """

    name: str
    value: float
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    estimate: float
    expected: float
    power: float = 1.0


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of the score.

    Attributes
    ----------
    subject
        What was chosen and where: a tag, a gap, a dependency, a unary step, the root; of a re-ranker a decision of the
        second model, or a feature.
    levels
        Counts of the back-off levels, finest first.
    used
        Names of the levels that the estimate mixes.
    lambdas
        Weight of the first of them against the rest (λ1 or λ2), if there is one; in preset (5) of every level
        but the last against all that follow it.
    probability
        The estimate; of a feature e to the power of its weight, which may be greater than 1.
    reason
        Where it is zero: why.
    ratios, whole
        Preset (5): the mixture is multiplied by each context's ratio, and divided by the same product summed over
        all outcomes.
    recursion
        Whether the levels were mixed as preset (5) mixes them.
    power
        To which power the probability is a factor: 1, but what the second model weighs for a decision of its.
    distinct
        Of a decision of the second model: of how many different outcomes δ of every level is made.
    """

    subject: Subject
    levels: tuple[Level, ...]
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    probability: float
    reason: str = ""
    ratios: tuple[Ratio, ...] = ()
    whole: float = 1.0
    recursion: bool = False
    power: float = 1.0
    distinct: tuple[int, ...] = ()

    @property
    def kind(self) -> FactorKind:
        """The sort of what is scored."""
        return self.subject.kind

    @property
    def key(self) -> AlignmentKey:
        """What is scored, so that two ledgers can be aligned: ``("gap", 3)``, ``("dependency", 4)``, ..."""
        return self.subject.key

    @property
    def what(self) -> str:
        """What was chosen, as tables show it: ``with → saw <PP,VP,VBD>``."""
        return self.subject.text

    @property
    def distance(self) -> Distance | None:
        """Δ of a dependency; ``None`` for anything else."""
        return self.subject.distance if isinstance(self.subject, DependencySubject) else None

    @property
    def weights(self) -> tuple[Weight, ...]:
        """The `lambdas` by name: λ1 or λ2 where section 2.4 mixes two levels; elsewhere named by its level."""
        papers = {} if self.recursion else _PAPERS_WEIGHTS
        return tuple(
            Weight(papers.get(level, f"λ({level})"), level, value)
            for level, value in zip(self.used, self.lambdas, strict=False)
        )

    @property
    def log(self) -> float:
        """Natural logarithm of the probability, times the power: what the factor adds to the score."""
        return self.power * math.log(self.probability) if self.probability > 0 else -math.inf


@dataclass(frozen=True, slots=True)
class Ledger:
    """All factors of one parse."""

    factors: tuple[Factor, ...]

    def __iter__(self) -> Iterator[Factor]:
        return iter(self.factors)

    def __len__(self) -> int:
        return len(self.factors)

    def by_modifier(self) -> dict[int, Factor]:
        """The factors of AF(j) by the position of word j: every dependency, and the root."""
        return {
            factor.subject.modifier: factor
            for factor in self.factors
            if isinstance(factor.subject, DependencySubject | RootSubject)
        }

    @property
    def total(self) -> float:
        """The sum of the logarithms: the parse's log probability, or its re-ranked score."""
        return math.fsum(factor.log for factor in self.factors)

    @property
    def own(self) -> tuple[Factor, ...]:
        """The factors of the parse's log probability, whatever it is ranked by."""
        return tuple(factor for factor in self.factors if factor.kind not in RERANKERS_KINDS)

    @property
    def second_model(self) -> tuple[Factor, ...]:
        """The decisions of the second model; none without a re-ranker that weighs it."""
        return tuple(factor for factor in self.factors if factor.kind is FactorKind.GENERATIVE)

    @property
    def features(self) -> tuple[Factor, ...]:
        """The features that a re-ranker weighs, the weightiest first."""
        return tuple(factor for factor in self.factors if factor.kind is FactorKind.FEATURE)

    @property
    def log_probability(self) -> float:
        """The sum without what a re-ranker adds: the parse's log probability, whatever it is ranked by."""
        return math.fsum(factor.log for factor in self.own)

    def table(self, brief: bool = False) -> str:
        """The ledger as aligned text, the long column of counts last; what a re-ranker adds after log P's own sum.

        In brief, the counts of the first levels alone, the second model in one row, and of features the weightiest; the
        others are summed up.
        """
        second, features = self.second_model, self.features
        shown = features[:BRIEF_FEATURES] if brief else features
        rows = [_ledger_row(factor, brief) for factor in self.own]
        rows.append(("", "sum: log P", number(self.log_probability), "", ""))
        if second:
            summed = second_model_sum(second)
            rows.append((FactorKind.GENERATIVE.value, summed.text, number(summed.contribution), "", ""))
        for constituent in by_constituent(second) if not brief else ():
            rows.append(_constituent_row(constituent))
            rows += [_ledger_row(factor, brief, "    ") for factor in constituent]
        rows += [_ledger_row(factor, brief) for factor in shown]
        if others := features[len(shown) :]:
            rows.append(("", other_features(len(others)), number(math.fsum(one.log for one in others)), "", ""))
        if second or features:
            rows.append(("", self.score_title, number(self.total), "", ""))
        return text_table(("factor", "what", "log", "levels", "η/δ"), rows, right=(2,))

    @property
    def score_title(self) -> str:
        """What the sum of all is called where a re-ranker adds to it."""
        parts = [name for name, there in (("second model", self.second_model), ("features", self.features)) if there]
        return f"sum with {' and '.join(parts)}: score"


class SecondModelSum(NamedTuple):
    """What the second model says of a tree, or of a part of it: its log probability, its weight, how many decisions."""

    log_probability: float
    weight: float
    decisions: int

    @property
    def contribution(self) -> float:
        """What it adds to the score."""
        return self.weight * self.log_probability

    @property
    def text(self) -> str:
        """``39 decisions: −34.210 × 0.85``."""
        several = "" if self.decisions == 1 else "s"
        return f"{self.decisions} decision{several}: {number(self.log_probability)} × {self.weight:.3g}"


def second_model_sum(factors: Sequence[Factor]) -> SecondModelSum:
    """Sum up decisions of the second model, of which there is one at least."""
    total = math.fsum(math.log(factor.probability) for factor in factors)
    return SecondModelSum(total, factors[0].power, len(factors))


def by_constituent(decisions: Sequence[Factor]) -> list[tuple[Factor, ...]]:
    """Decisions of the second model, those of each constituent together; the root comes first."""

    def node(factor: Factor) -> int:
        assert isinstance(factor.subject, GenerativeSubject)
        return factor.subject.node

    return [tuple(group) for _, group in groupby(decisions, node)]


def _constituent_row(decisions: tuple[Factor, ...]) -> tuple[str, ...]:
    subject = decisions[0].subject
    assert isinstance(subject, GenerativeSubject)
    summed = second_model_sum(decisions)
    return "", f"  {subject.whole}: {summed.text}", number(summed.contribution), "", ""


def _ledger_row(factor: Factor, brief: bool, indent: str = "") -> tuple[str, ...]:
    used, levels = factor.used, factor.levels
    names, counts = " ".join(used), counts_text(levels, factor.distinct)
    if factor.kind is FactorKind.GENERATIVE:
        # Its levels have names of several words, which stand beside their counts.
        return "", indent + factor.what, number(factor.log), lambdas_text(factor), counts
    if brief and len(used) > BRIEF_LEVELS:
        names = " ".join((*used[: BRIEF_LEVELS - 1], ELLIPSIS))
    # An ellipsis in place of one level would save nothing.
    if brief and len(levels) > BRIEF_LEVELS + 1:
        counts = f"{counts_text(levels[:BRIEF_LEVELS])}  {ELLIPSIS}"
    return factor.kind.with_symbol, factor.what, number(factor.log), names, counts


def other_features(count: int) -> str:
    """What the row is called that sums up features which are not listed."""
    return f"{count} other feature{'' if count == 1 else 's'}"


def other_decisions(count: int) -> str:
    """What the row is called that sums up decisions of the second model which are not listed."""
    return f"{count} other decision{'' if count == 1 else 's'} of the second model"


class Difference(NamedTuple):
    """One line of a comparison of two ledgers: what each side has for the same key, and the difference."""

    first: Factor | None
    second: Factor | None
    difference: float

    @property
    def kind(self) -> FactorKind:
        """The sort of factor: the second's, if there is one."""
        shown = self.second if self.second is not None else self.first
        assert shown is not None, "a line of a comparison has a factor on one side at least"
        return shown.kind


def align(first: Ledger, second: Ledger) -> tuple[list[Difference], list[Factor]]:
    """Hold two ledgers against each other by what their factors score.

    Returns
    -------
    tuple
        The lines in which they differ, the largest difference first, which sum to ``first.total - second.total``; and
        the factors that both have.
    """
    sides: dict[AlignmentKey, tuple[list[Factor], list[Factor]]] = {}
    for side, ledger in enumerate((first, second)):
        for factor in ledger:
            sides.setdefault(factor.key, ([], []))[side].append(factor)
    differing: list[Difference] = []
    equal: list[Factor] = []
    for left, right in sides.values():
        # A key may occur more than once: unary decisions on one label above one word.
        for factor in list(left):
            twin = next((other for other in right if _same(factor, other)), None)
            if twin is not None:
                left.remove(factor)
                right.remove(twin)
                equal.append(factor)
        differing += [_difference(*pair) for pair in zip_longest(left, right)]
    return sorted(differing, key=lambda line: -abs(line.difference)), equal


def _same(one: Factor, other: Factor) -> bool:
    return (one.kind, one.what, one.log) == (other.kind, other.what, other.log)


def _difference(first: Factor | None, second: Factor | None) -> Difference:
    left = first.log if first is not None else 0.0
    right = second.log if second is not None else 0.0
    # Impossible on both sides is no difference.
    return Difference(first, second, 0.0 if left == right else left - right)


def lambdas_text(factor: Factor) -> str:
    """The weights of a factor's levels without their names, the finest first: ``λ 0.407 0.974``; none is ever 1."""
    shown = [f"{weight:.3f}" if weight < 0.9995 else ">0.999" for weight in factor.lambdas]
    return f"λ {' '.join(shown)}" if shown else ""


def counts_text(levels: Sequence[Level], distinct: Sequence[int] = ()) -> str:
    """Counts of all levels: ``E1 0/2  E2 3/10``; ``u 4`` where it is known of how many different outcomes."""
    different = [*distinct, *([0] * (len(levels) - len(distinct)))]
    return "  ".join(
        f"{level.name} {level.eta}/{level.delta}" + (f" u {several}" if several else "")
        for level, several in zip(levels, different, strict=True)
    )
