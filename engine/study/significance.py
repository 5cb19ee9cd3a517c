"""Confidence intervals and paired tests for measures that are a ratio of sums over sentences.

F1, recall, precision and crossing brackets are sums over all sentences divided by sums over all sentences (section 4),
no means of figures by sentence.  So nothing is assumed about how they are distributed: sentences are drawn again, or
two systems' results for a sentence are exchanged, and the ratio is computed anew from the sums.

- **Interval**: the percentile bootstrap (Efron 1979).  Sentences are drawn with replacement, as many as there are; the
  interval holds the middle of the figures that come out.  The corrected interval BCa was left aside: from a hundred
  sentences on it covers no better for these measures (``tests/benchmarks/significance.py``), and with the percentile
  interval a difference has p < 0.05 just where its interval of 95 % does not hold 0.
- **Bootstrap test**: all systems are given the same draws, so differences are paired.  p is twice the share of draws
  in which the difference is 0 or has the other sign.
- **Sign-flip test** (approximate randomisation, Noreen 1989, Yeh 2000): if two systems were as good as each other, it
  would not matter which of them had which result for a sentence.  The results of each sentence are exchanged or not
  by the toss of a coin; p is the share of tosses in which the difference is as great as the one seen, whatever its
  sign.  Where all ways of exchanging are no more than the resamples asked for, all are gone through and p is exact.
- **Sign test**: wins against losses by sentence, ties left out, by the binomial distribution with 1/2.

All p are two-sided.  Those from random draws count the result seen as one more draw (Davison and Hinkley 1997), so
that none is 0: with 10,000 draws the smallest are 0.0002 and 0.0001.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.common.errors import EngineError

Floats = NDArray[np.float64]
"""Counts, a row for each sentence and a column for each thing counted; or sums, a row for each resample."""

Check = Callable[[], None]
"""Called between draws; what it raises ends them."""

DEFAULT_RESAMPLES = 10_000
DEFAULT_CONFIDENCE = 95.0
DEFAULT_SEED = 1996
_CELLS_AT_ONCE = 250_000
"""How many draws are held in memory at a time: so few that they stay in the cache of the processor."""
_ROUNDING = 1e-9
"""Two differences nearer to each other than this share of the scale are the same: their sums were divided otherwise."""


def _go_on() -> None:
    """Nobody wants the draws to end."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A measure: a weighted sum of counts, divided by another.

    Attributes
    ----------
    numerator, denominator
        The weight of each column of counts.
    scale
        By what the ratio is multiplied: 100 for per cent.
    higher_is_better
        Whether the system with the higher value wins.
    of_nothing
        The value of a single sentence that has nothing to divide by; NaN neither wins nor loses.
    """

    numerator: tuple[float, ...]
    denominator: tuple[float, ...]
    scale: float = 100.0
    higher_is_better: bool = True
    of_nothing: float = 0.0

    def of(self, sums: Floats) -> Floats:
        """Return the measure from sums over sentences; a share of nothing is 0, as ``evalb`` has it."""
        return self._divided(sums, 0.0)

    def by_row(self, counts: Floats) -> Floats:
        """Return the measure of each sentence."""
        return self._divided(counts, self.of_nothing)

    def columns(self) -> list[int]:
        """Return the columns that it depends on."""
        return [at for at, weights in enumerate(zip(self.numerator, self.denominator, strict=True)) if any(weights)]

    def _divided(self, sums: Floats, of_nothing: float) -> Floats:
        above = self.scale * (sums @ np.asarray(self.numerator))
        below = sums @ np.asarray(self.denominator)
        found: Floats = np.divide(above, below, out=np.full(np.shape(above), of_nothing), where=below != 0)
        return found


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and its confidence interval."""

    estimate: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether a value lies in it, its ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two systems on the same sentences, held against each other by one measure.

    Attributes
    ----------
    difference
        The first system's measure less the second's, with its interval.
    bootstrap_p, sign_flip_p
        How surprising so great a difference would be if there were none, by two tests.
    exact
        Whether `sign_flip_p` is exact and not from random draws.
    wins, ties, losses
        Sentences in which the first system is better, as good, and worse.
    sign_p
        The exact sign test on wins and losses.
    """

    difference: Interval
    bootstrap_p: float
    sign_flip_p: float
    exact: bool
    wins: int
    ties: int
    losses: int
    sign_p: float


def check_resampling(resamples: int, confidence: float) -> None:
    """Raise :class:`EngineError` for numbers that no interval can be made with."""
    if resamples < 100:
        raise EngineError(f"the number of resamples must be 100 or more, not {resamples}")
    if not 50 <= confidence < 100:
        raise EngineError(f"the confidence must be from 50 to below 100 per cent, not {confidence:g}")


def resampled_sums(
    counts: Floats, resamples: int = DEFAULT_RESAMPLES, seed: int = DEFAULT_SEED, check: Check = _go_on
) -> Floats:
    """Sums of every column over sentences drawn with replacement: one row for each resample.

    Columns of several systems side by side are given the same draws, so what is computed from them is paired.
    """
    sentences = len(counts)
    generator = np.random.default_rng(seed)
    sums = np.empty((resamples, counts.shape[1]))
    step = max(1, _CELLS_AT_ONCE // max(sentences, 1))
    for start in range(0, resamples, step):
        check()
        many = min(step, resamples - start)
        drawn = generator.integers(0, sentences, (many, sentences))
        # How often each sentence was drawn in each resample.
        drawn += np.arange(many)[:, None] * sentences
        times = np.bincount(drawn.ravel(), minlength=many * sentences).reshape(many, sentences)
        sums[start : start + many] = times.astype(np.float64) @ counts
    return sums


def percentile_interval(estimate: float, resampled: Floats, confidence: float = DEFAULT_CONFIDENCE) -> Interval:
    """Return the middle part of what resampling gave."""
    outside = (100 - confidence) / 200
    low, high = np.quantile(resampled, (outside, 1 - outside))
    return Interval(float(estimate), float(low), float(high))


def bootstrap_p(differences: Floats) -> float:
    """Return the two-sided p of a difference from resampled ones: what the interval that just holds 0 leaves out."""
    not_above, not_below = int((differences <= _ROUNDING).sum()), int((differences >= -_ROUNDING).sum())
    return min(1.0, 2 * (min(not_above, not_below) + 1) / (len(differences) + 1))


def sign_flip_p(
    first: Floats,
    second: Floats,
    ratio: Ratio,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    check: Check = _go_on,
) -> tuple[float, bool]:
    """Return the two-sided p of a difference, by exchanging the systems' results of a sentence;
    and whether it is exact.
    """
    seen = abs(float(ratio.of(first.sum(0)) - ratio.of(second.sum(0))))
    as_great = seen - _ROUNDING * ratio.scale
    differing = (first != second)[:, ratio.columns()].any(1)
    halves = (first[differing] - second[differing]) / 2
    middle = (first.sum(0) + second.sum(0)) / 2
    flips = len(halves)
    exact = flips < 62 and 2**flips <= resamples
    wanted = 2**flips if exact else resamples
    generator = np.random.default_rng((seed, 1))
    step = max(1, _CELLS_AT_ONCE // max(flips, 1))
    reached = 0
    for start in range(0, wanted, step):
        check()
        many = min(step, wanted - start)
        bits: NDArray[np.integer[Any]]
        if exact:
            bits = (np.arange(start, start + many)[:, None] >> np.arange(flips)) & 1
        else:
            packed = generator.integers(0, 256, (many, -(-flips // 8)), dtype=np.uint8)
            bits = np.unpackbits(packed, axis=1, count=flips)
        moved = (1.0 - 2.0 * bits) @ halves
        reached += int((np.abs(ratio.of(middle + moved) - ratio.of(middle - moved)) >= as_great).sum())
    return (reached / wanted, True) if exact else ((reached + 1) / (wanted + 1), False)


def sign_test(wins: int, losses: int) -> float:
    """Return the exact two-sided p of so unequal a number of wins and losses; ties are left out."""
    tosses, fewer = wins + losses, min(wins, losses)
    ways = term = 1
    for taken in range(1, fewer + 1):
        term = term * (tosses - taken + 1) // taken
        ways += term
    return min(1.0, 2 * ways / (1 << tosses)) if tosses < 1000 else min(1.0, math.exp(_log(2 * ways, tosses)))


def _log(ways: int, tosses: int) -> float:
    """Return the logarithm of ``ways / 2**tosses`` where both are too great for a float."""
    shift = max(ways.bit_length() - 64, 0)
    return math.log(ways >> shift) + (shift - tosses) * math.log(2)


def paired_test(
    first: Floats,
    second: Floats,
    ratio: Ratio,
    sums: tuple[Floats, Floats],
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    seed: int = DEFAULT_SEED,
    check: Check = _go_on,
) -> PairedTest:
    """Hold two systems against each other by one measure.

    Parameters
    ----------
    first, second
        The counts of both systems by sentence.
    ratio
        The measure.
    sums
        The resampled sums of both, from the same draws (:func:`resampled_sums`).
    confidence, seed
        Per cent of the interval; what the draws of the sign-flip test start from.
    check
        Called between draws; what it raises ends them.
    """
    resampled = ratio.of(sums[0]) - ratio.of(sums[1])
    estimate = float(ratio.of(first.sum(0)) - ratio.of(second.sum(0)))
    better, worse = ratio.by_row(first), ratio.by_row(second)
    if not ratio.higher_is_better:
        better, worse = worse, better
    wins, losses = int((better > worse + _ROUNDING).sum()), int((better < worse - _ROUNDING).sum())
    flip_p, exact = sign_flip_p(first, second, ratio, len(resampled), seed, check)
    return PairedTest(
        percentile_interval(estimate, resampled, confidence),
        bootstrap_p(resampled),
        flip_p,
        exact,
        wins,
        len(first) - wins - losses,
        losses,
        sign_test(wins, losses),
    )


def holm(chances: Sequence[float]) -> list[float]:
    """Raise p for several tests at once (Holm 1979), so that one false alarm among them all stays as rare as p says."""
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    raised = [0.0] * len(chances)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[at]))
        raised[at] = highest
    return raised
