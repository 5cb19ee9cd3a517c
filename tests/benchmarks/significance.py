"""Measure intervals and tests on made-up treebanks: ``python tests/benchmarks/significance.py``.

Sentences are drawn from a population whose F1 is known: long and short ones, easy and hard ones, two systems whose
results go together as those of two parsers do.  Prints how often intervals of 95 % hold the true value (percentile, as
the engine makes them, and BCa beside them), how often the tests see a difference at p < 0.05 where there is none and
where there is one, and the time for 2,000 sentences.
"""

from __future__ import annotations

import argparse
import time
from statistics import NormalDist

import numpy as np

from engine.study.significance import (
    Floats,
    Ratio,
    bootstrap_p,
    paired_test,
    percentile_interval,
    resampled_sums,
    sign_flip_p,
)

F1 = Ratio((2, 0, 0), (0, 1, 1))
NORMAL = NormalDist()
GAIN = 0.02


def population(generator: np.random.Generator, sentences: int, right: float, gain: float) -> tuple[Floats, Floats]:
    """Counts (matched, gold, proposed) of two systems; the first finds a share `gain` more of the gold brackets.

    `right` is the share of the gold brackets that a system finds on average, with great differences between sentences.
    """
    gold = np.clip(generator.lognormal(2.6, 0.7, sentences), 2, 150).astype(int)
    easy = generator.beta(6 * right, 6 * (1 - right), sentences)
    # Half of what is hard is hard for both.
    shared = generator.binomial(gold, easy * 0.5)
    found = []
    for more in (gain, 0.0):
        matched = shared + generator.binomial(gold - shared, np.clip(easy * 0.5 / (1 - easy * 0.5) + more, 0, 1))
        proposed = matched + generator.binomial(gold - matched, 0.9)
        found.append(np.stack([matched, gold, proposed], 1).astype(float))
    return found[0], found[1]


def bca_interval(counts: Floats, resampled: Floats) -> tuple[float, float]:
    """The bias-corrected and accelerated interval of 95 % (Efron 1987), for comparison."""
    estimate = float(F1.of(counts.sum(0)))
    below = np.clip((resampled < estimate).mean(), 1e-4, 1 - 1e-4)
    bias = NORMAL.inv_cdf(float(below))
    left_out = F1.of(counts.sum(0) - counts)
    away = left_out.mean() - left_out
    acceleration = float((away**3).sum() / (6 * max(float((away**2).sum()), 1e-12) ** 1.5))
    ends = []
    for outside in (0.025, 0.975):
        z = bias + NORMAL.inv_cdf(outside)
        ends.append(NORMAL.cdf(bias + z / (1 - acceleration * z)))
    low, high = np.quantile(resampled, ends)
    return float(low), float(high)


def measure(sentences: int, right: float, trials: int, resamples: int) -> None:
    """Print one row of each table."""
    generator = np.random.default_rng(sentences)
    truth = float(F1.of(population(generator, 400_000, right, 0.0)[0].sum(0)))
    percentile = bca = 0
    alarms = np.zeros(2)
    seen = np.zeros(2)
    for trial in range(trials):
        first, second = population(generator, sentences, right, 0.0)
        sums = resampled_sums(np.hstack([first, second]), resamples, trial)
        values = F1.of(sums[:, :3])
        percentile += percentile_interval(0.0, values).holds(truth)
        low, high = bca_interval(first, values)
        bca += low <= truth <= high
        alarms += [
            bootstrap_p(values - F1.of(sums[:, 3:])) < 0.05,
            sign_flip_p(first, second, F1, resamples, trial)[0] < 0.05,
        ]
        first, second = population(generator, sentences, right, GAIN)
        sums = resampled_sums(np.hstack([first, second]), resamples, trial)
        seen += [
            bootstrap_p(F1.of(sums[:, :3]) - F1.of(sums[:, 3:])) < 0.05,
            sign_flip_p(first, second, F1, resamples, trial)[0] < 0.05,
        ]
    shares = [100 * count / trials for count in (percentile, bca, *alarms, *seen)]
    print(f"{sentences:9d}  {truth:6.1f}  " + "  ".join(f"{share:10.1f}" for share in shares), flush=True)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=1000)
    chosen = parser.parse_args()
    titles = ("percentile", "BCa", "boot. none", "flip none", "boot. gain", "flip gain")
    print(f"{'sentences':>9}  {'F1':>6}  " + "  ".join(f"{title:>10}" for title in titles))
    for right in (0.8, 0.95):
        for sentences in (25, 100, 400):
            measure(sentences, right, chosen.trials, chosen.resamples)
    first, second = population(np.random.default_rng(1), 2000, 0.8, GAIN)
    started, processor = time.perf_counter(), time.process_time()
    sums = resampled_sums(np.hstack([first, second]), 10_000)
    paired_test(first, second, F1, (sums[:, :3], sums[:, 3:]))
    elapsed = time.perf_counter() - started
    print(f"2,000 sentences, 10,000 resamples: {elapsed:.2f} s ({time.process_time() - processor:.2f} s of processor)")


if __name__ == "__main__":
    main()
