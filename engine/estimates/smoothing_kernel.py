"""Smoothing (section 2.4): the estimate from the counts of the back-off levels, whatever is estimated."""

from __future__ import annotations

from engine.common.arrays import IntArray
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import Counts


@kernel(allocates=False, inlined=True)
def smoothed(eta_1: int, delta_1: int, eta_23: int, delta_23: int, eta_4: int, delta_4: int) -> float:
    """F̂ from the counts of the back-off levels (section 2.4).

    λ1 E1 + (1 − λ1) E23 if E1 exists, else λ2 E23 + (1 − λ2) E4 if E23 exists, else E4; with
    λ1 = δ1 / (δ1 + 1) and λ2 = (δ2 + δ3) / (δ2 + δ3 + 1).

    With tags in all levels a finer level exists only where the coarser ones do.  With tags ignored a word may
    meet a tag that it never had: where the level to mix in does not exist, the next that does takes its
    place, and where there is none the estimate stands alone.
    """
    if delta_1 > 0:
        # λ1 E1 = η1 / (δ1 + 1).
        if delta_23 > 0:
            return (eta_1 + eta_23 / delta_23) / (delta_1 + 1.0)
        if delta_4 > 0:
            return (eta_1 + eta_4 / delta_4) / (delta_1 + 1.0)
        return eta_1 / delta_1
    if delta_23 > 0:
        if delta_4 > 0:
            return (eta_23 + eta_4 / delta_4) / (delta_23 + 1.0)
        return eta_23 / delta_23
    return eta_4 / delta_4 if delta_4 > 0 else 0.0


@kernel(allocates=False, inlined=True)
def interpolated(eta: int, delta: int, below: float) -> float:
    """λ E + (1 − λ) below, with λ = δ / (δ + 1): the paper's λ for models with one level of back-off."""
    return (eta + below) / (delta + 1.0)


@kernel(allocates=False, inlined=True)
def add_counts(counts: Counts, start: int, end: int, row: IntArray) -> None:
    """Add the counts of a context's outcomes to a row indexed by outcome."""
    for place in range(start, end, 2):
        row[counts.records[place]] += counts.records[place + 1]


@kernel(allocates=False, inlined=True)
def clear_counts(counts: Counts, start: int, end: int, row: IntArray) -> None:
    """Undo :func:`add_counts`."""
    for place in range(start, end, 2):
        row[counts.records[place]] = 0
