"""How far a pass over the chart is: its counters, and how much work it is likely to be (section 4.1)."""

from __future__ import annotations

from engine.chart.basenp_layout import PREFIX_RANGE
from engine.chart.cached_estimates_kernel import NOT_ESTIMATED, estimate_places
from engine.chart.chart_layout import (
    T_BEST,
    T_ESTIMATES,
    T_EXPECTED_WORK,
    T_LENGTH,
    T_NUMBERED,
    T_WORK,
    TOTALS,
    Chart,
    Limits,
    SentenceArrays,
)
from engine.common.arrays import Int64Array
from engine.compiled.kernel import kernel

EARLY_SHARE, EARLY_EXCESS = 0.1, 1.25
"""After this share of the work that a pass may be, it is given up if it is expected to be so many times as much."""
LATE_SHARE = 0.4
"""After this share it is given up if it is expected to be more at all: what is expected is then nearly what it is."""
MOST_NUMBERED = 1 << 30
"""The hashes of candidates and of kinds of prefixes are cleared when so many cells were numbered."""


@kernel(allocates=False, inlined=True)
def clear_chart(sentence: SentenceArrays, chart: Chart, keep_estimates: int) -> None:
    """Make a chart that was used before ready for a sentence."""
    estimates = chart.totals[T_ESTIMATES] if keep_estimates else 0
    numbered = chart.totals[T_NUMBERED]
    for counter in range(chart.totals.shape[0]):
        chart.totals[counter] = 0
    chart.totals[T_BEST] = -1
    chart.totals[T_ESTIMATES] = estimates
    chart.totals[T_NUMBERED] = numbered
    chart.totals[T_LENGTH] = 1
    commas = 0
    for position in range(sentence.commas.shape[0]):
        commas += sentence.commas[position]
        chart.comma_sums[position] = commas
    for place in range(0 if keep_estimates else estimate_places(sentence.readings.shape[0])):
        chart.best_estimates[place] = NOT_ESTIMATED
    if numbered > MOST_NUMBERED:
        chart.totals[T_NUMBERED] = 0
        for place in range(chart.slots.shape[0]):
            chart.slots[place, 0] = 0
        for place in range(chart.kind_slots.shape[0]):
            chart.kind_slots[place, 0] = 0


@kernel(allocates=False, inlined=True)
def save_counters(chart: Chart, start: int) -> None:
    """Remember how full the chart is before a cell that starts with this word."""
    for counter in range(TOTALS):
        chart.before_cell[counter] = chart.totals[counter]
    for column in range(PREFIX_RANGE):
        chart.before_cell[TOTALS + column] = chart.prefix_ranges[start, column]


@kernel(allocates=False)
def restore_counters(chart: Chart, start: int) -> None:
    """Forget what was found in a cell, but for the estimates: they hold, and are known by their places."""
    estimates = chart.totals[T_ESTIMATES]
    for counter in range(TOTALS):
        chart.totals[counter] = chart.before_cell[counter]
    chart.totals[T_ESTIMATES] = estimates
    for column in range(PREFIX_RANGE):
        chart.prefix_ranges[start, column] = chart.before_cell[TOTALS + column]


@kernel(allocates=False, inlined=True)
def expect_work(totals: Int64Array, size: int, length: int, joining: int, finding: int) -> None:
    """Expect that longer spans are joined and filled with as much work as those of this length.

    Joining is work for each place to split a span, and what is found in a cell for the cell.
    """
    cells = size - length + 1
    splits = max(cells * (length - 1), 1)
    cells_left = 0
    splits_left = 0
    for longer in range(length + 1, size + 1):
        cells_left += size - longer + 1
        splits_left += (size - longer + 1) * (longer - 1)
    expected = joining / splits * splits_left + finding / cells * cells_left
    totals[T_EXPECTED_WORK] = totals[T_WORK] + int(expected)


@kernel(allocates=False, inlined=True)
def is_too_costly(limits: Limits, totals: Int64Array) -> bool:
    """Whether the pass is more work than it may be, or will be by far."""
    if limits.most_work == 0:
        return False
    if totals[T_WORK] > limits.most_work:
        return True
    share = totals[T_WORK] / limits.most_work
    if share < EARLY_SHARE:
        return False
    lateness = min((share - EARLY_SHARE) / (LATE_SHARE - EARLY_SHARE), 1.0)
    excess = EARLY_EXCESS + (1.0 - EARLY_EXCESS) * lateness
    return bool(totals[T_EXPECTED_WORK] > excess * limits.most_work)
