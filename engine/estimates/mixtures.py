"""Mixtures of levels, step by step for the ledger: as the paper mixes them, and as preset (5) does.

In preset (5) the probability of a factor is ``m r1 r2 ... / w``: m mixes the levels named in `used` by its `lambdas`,
finest first, the ratios are those of the contexts, and w is the sum of the same product over all outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.estimates.factor_subjects import Subject
from engine.estimates.ledger import Factor, Level, Ratio

BESIDE = "before, after"
"""The counts with the tag before and those with the tag after, taken together."""
POOLED = "E23"
"""Those of E2 and E3, taken together."""
Step = tuple[str, int, int, float]
"""A level to be mixed in: its name, η, δ and the weight c of all coarser ones."""


class Mixture(NamedTuple):
    """An estimate as a factor of the ledger tells of it; see :class:`engine.estimates.ledger.Factor`."""

    probability: float
    levels: tuple[Level, ...]
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    ratios: tuple[Ratio, ...]
    whole: float


def papers_mixture(levels: Sequence[Level]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Name the estimates that section 2.4 mixes for these counts, and λ1 or λ2: see ``smoothing_kernel.smoothed``."""
    first, second, third, last = levels
    pool = second.delta + third.delta
    existing = [
        (name, delta) for name, delta in (("E1", first.delta), (POOLED, pool), (last.name, last.delta)) if delta
    ]
    if len(existing) < 2:
        return tuple(name for name, _ in existing), ()
    return (existing[0][0], existing[1][0]), (existing[0][1] / (existing[0][1] + 1),)


def carried_on(levels: Sequence[Level]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Name the estimates that further back-off mixes for these counts, and the paper's λ of all but the lowest."""
    first, second, third, *rest = levels
    existing = [level for level in (first, together(POOLED, second, third), *rest) if level.delta]
    return tuple(level.name for level in existing), tuple(level.delta / (level.delta + 1) for level in existing[:-1])


def interpolated_factor(subject: Subject, levels: tuple[Level, ...], probability: float, reason: str) -> Factor:
    """Make a factor whose levels are each mixed with the next, as ``smoothing_kernel.interpolated`` does."""
    used = tuple(level.name for level in levels if level.delta)
    weights = tuple(level.delta / (level.delta + 1) for level in levels[:-1] if level.delta)
    return Factor(subject, levels, used, weights, probability, reason)


def step(level: Level, weight: float) -> Step:
    """Give a level the weight of all coarser ones."""
    return level.name, level.eta, level.delta, weight


def mixed(steps: Sequence[Step]) -> tuple[float, tuple[str, ...], tuple[float, ...]]:
    """Mix levels given as (name, η, δ, c), finest first: the estimate, the levels that exist, their λ."""
    existing = [step for step in steps if step[2]]
    value = existing[-1][1] / existing[-1][2] if existing else 0.0
    for _, eta, delta, weight in reversed(existing[:-1]):
        value = (eta + weight * value) / (delta + weight)
    return (
        value,
        tuple(name for name, *_ in existing),
        tuple(delta / (delta + weight) for _, _, delta, weight in existing[:-1]),
    )


def in_context(name: str, levels: Sequence[tuple[Level, float]], expected: float, power: float = 1.0) -> Ratio:
    """Work out what a context multiplies in: its levels, finest first with their c, are mixed over what is expected."""
    existing = [(level, weight) for level, weight in levels if level.delta]
    estimate = expected
    for level, weight in reversed(existing):
        estimate = (level.eta + weight * estimate) / (level.delta + weight)
    return Ratio(
        name,
        (estimate / expected) ** power,
        tuple(level.name for level, _ in existing),
        tuple(level.delta / (level.delta + weight) for level, weight in existing),
        estimate,
        expected,
        power,
    )


def together(name: str, first: Level, second: Level) -> Level:
    """Pool the counts of two levels, as those of E2 and E3 are."""
    return Level(name, first.eta + second.eta, first.delta + second.delta)


def product(
    probability: float,
    levels: tuple[Level, ...],
    mixture: tuple[float, tuple[str, ...], tuple[float, ...]],
    ratios: Sequence[Ratio],
) -> Mixture:
    """Multiply a mixture (see :func:`mixed`) by its ratios, and find the sum that the product is divided by."""
    value, used, lambdas = mixture
    for ratio in ratios:
        value *= ratio.value
    return Mixture(probability, levels, used, lambdas, tuple(ratios), value / probability if probability else 1.0)


def mixture_factor(subject: Subject, mixture: Mixture, reason: str = "") -> Factor:
    """Make a factor of an estimate of preset (5)."""
    probability, levels, used, lambdas, ratios, whole = mixture
    return Factor(subject, levels, used, lambdas, probability, reason, ratios, whole, recursion=True)
