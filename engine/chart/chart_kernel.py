"""The chart parser (section 3) with its threshold and beam, pass by pass (section 4.1)."""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.basenp_kernel import extend_prefixes, write_step
from engine.chart.cell_kernel import bracket_status, climb_cell, close_cell, seed_cell, unbalanced
from engine.chart.chart_layout import Chart, CurrentCell, Grammar, Limits, SentenceArrays, Step
from engine.chart.join_kernel import NOT_ESTIMATED, estimate_places, join_cell
from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import ROOT, ContextWord, Counts, Switches
from engine.counts.lookup_kernel import fill_constituent, fill_gap, fill_root, look_into, reading_in_context
from engine.counts.specifications_layout import CONTEXT_FIELDS
from engine.estimates.estimates_kernel import (
    chain_buckets,
    counts_of_gap,
    fill_parents,
    gap_chain,
    gap_distribution,
    gap_rows,
    root_estimate,
)
from engine.estimates.estimates_layout import MOST_STEPS, STEP_COLUMNS
from engine.structure import sentence_layout as structure

# How far a pass over the chart is: its counters, and how much work it is likely to be (section 4.1).

EARLY_SHARE, EARLY_EXCESS = 0.1, 1.25
"""After this share of the work that a pass may be, it is given up if it is expected to be so many times as much."""
LATE_SHARE = 0.4
"""After this share it is given up if it is expected to be more at all: what is expected is then nearly what it is."""
MOST_NUMBERED = 1 << 30
"""The hashes of candidates and of kinds of prefixes are cleared when so many cells were numbered."""


@kernel(allocates=False, inlined=True)
def clear_chart(sentence: SentenceArrays, chart: Chart, keep_estimates: int) -> None:
    """Make a chart that was used before ready for a sentence."""
    estimates = chart.totals[layout.T_ESTIMATES] if keep_estimates else 0
    numbered = chart.totals[layout.T_NUMBERED]
    for counter in range(chart.totals.shape[0]):
        chart.totals[counter] = 0
    chart.totals[layout.T_BEST] = -1
    chart.totals[layout.T_ESTIMATES] = estimates
    chart.totals[layout.T_NUMBERED] = numbered
    chart.totals[layout.T_LENGTH] = 1
    commas = 0
    for position in range(sentence.commas.shape[0]):
        commas += sentence.commas[position]
        chart.comma_sums[position] = commas
    for place in range(0 if keep_estimates else estimate_places(sentence.readings.shape[0])):
        chart.best_estimates[place] = NOT_ESTIMATED
    if numbered > MOST_NUMBERED:
        chart.totals[layout.T_NUMBERED] = 0
        for place in range(chart.slots.shape[0]):
            chart.slots[place, 0] = 0
        for place in range(chart.kind_slots.shape[0]):
            chart.kind_slots[place, 0] = 0


@kernel(allocates=False, inlined=True)
def save_counters(chart: Chart, start: int) -> None:
    """Remember how full the chart is before a cell that starts with this word."""
    for counter in range(layout.TOTALS):
        chart.before_cell[counter] = chart.totals[counter]
    for column in range(layout.PREFIX_RANGE):
        chart.before_cell[layout.TOTALS + column] = chart.prefix_ranges[start, column]


@kernel(allocates=False)
def restore_counters(chart: Chart, start: int) -> None:
    """Forget what was found in a cell, but for the estimates: they hold, and are known by their places."""
    estimates = chart.totals[layout.T_ESTIMATES]
    for counter in range(layout.TOTALS):
        chart.totals[counter] = chart.before_cell[counter]
    chart.totals[layout.T_ESTIMATES] = estimates
    for column in range(layout.PREFIX_RANGE):
        chart.prefix_ranges[start, column] = chart.before_cell[layout.TOTALS + column]


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
    totals[layout.T_EXPECTED_WORK] = totals[layout.T_WORK] + int(expected)


@kernel(allocates=False, inlined=True)
def is_too_costly(limits: Limits, totals: Int64Array) -> bool:
    """Return whether the pass is more work than it may be, or will be by far."""
    if limits.most_work == 0:
        return False
    if totals[layout.T_WORK] > limits.most_work:
        return True
    share = totals[layout.T_WORK] / limits.most_work
    if share < EARLY_SHARE:
        return False
    lateness = min((share - EARLY_SHARE) / (LATE_SHARE - EARLY_SHARE), 1.0)
    excess = EARLY_EXCESS + (1.0 - EARLY_EXCESS) * lateness
    return bool(totals[layout.T_EXPECTED_WORK] > excess * limits.most_work)


# The chart parser (section 3) with its threshold and beam (section 4.1).
#
# Bottom-up over all spans.  Every chart item is a constituent over a span; two items join when one
# becomes a modifier of the other's head-word, which gives "two new probability terms: one for the
# baseNP gap tag between the two constituents, and the other for the dependency between the head words":
#
# * *grow*: the head's constituent takes one more modifier at its own level, <M, P, H> with the P and H it has;
# * *start*: the head's constituent is finished, and a new level P begins above it with this modifier.
#
# Right modifiers of a level come before its left ones, so every tree has exactly one derivation.

CANDIDATE_WORK = 12
"""How many pairs of items are looked at in the time that a candidate or a recorded edge takes."""


@kernel
def fill_unary_levels(counts: Counts, contexts: int, levels: FloatArray) -> None:
    """P̂ of every unary parent, and of none, by tag and label: the paper's, or the one that contexts are mixed with."""
    context = np.zeros(CONTEXT_FIELDS, np.int64)
    for label in range(levels.shape[1]):
        for tag in range(levels.shape[0]):
            fill_constituent(context, label, ContextWord(-1, int(tag), 0, 0), 0, 0)
            fill_parents(counts, context, contexts, levels[tag, label])


@kernel
def fill_unaries(
    levels: FloatArray, chain_starts: Int32Array, chain_links: Int32Array, none: FloatArray, steps: FloatArray
) -> None:
    """Log P̂ of having no unary parent, by tag and label, and of every step of the unary chains, by tag."""
    for tag in range(none.shape[0]):
        for label in range(none.shape[1]):
            value = levels[tag, label, 0]
            none[tag, label] = np.log(value) if value > 0.0 else -np.inf
    # The first nodes of the tree are labels; a deeper node has the label of the link that leads to it.
    label_of = np.arange(chain_starts.shape[0] - 1)
    for link in range(chain_links.shape[0]):
        label_of[chain_links[link, 1]] = chain_links[link, 0]
    for node in range(chain_starts.shape[0] - 1):
        for link in range(chain_starts[node], chain_starts[node + 1]):
            for tag in range(steps.shape[0]):
                value = levels[tag, label_of[node], chain_links[link, 0]]
                steps[tag, link] = np.log(value) if value > 0.0 else -np.inf


@kernel
def fill_gaps(
    counts: Counts,
    switches: Switches,
    readings: Int32Array,
    starts: Int32Array,
    commas: Int32Array,
    neighbours: Int32Array,
    gap_starts: Int32Array,
    gaps: FloatArray,
) -> None:
    """Log P̂(G_i | ...) of every gap and tag of a sentence, for all readings of the words beside it (section 2.5).

    The arrays are those of :class:`SentenceArrays`.
    """
    chain = gap_chain(switches)
    rows = gap_rows(chain)
    eta = np.zeros((rows, structure.GAP_TAGS), np.int64)
    delta = np.zeros(rows, np.int64)
    steps = np.empty((MOST_STEPS, STEP_COLUMNS))
    distribution = np.zeros(structure.GAP_TAGS)
    context = np.zeros(CONTEXT_FIELDS, np.int64)
    lookups = np.empty((gaps.shape[0] * rows, 3), np.int64)
    asked = 0
    for position in range(1, commas.shape[0]):
        comma = 1 if commas[position] > 0 else 0
        for left in range(starts[position - 1], starts[position]):
            for right in range(starts[position], starts[position + 1]):
                fill_gap(
                    context,
                    reading_in_context(readings, left, neighbours, position - 1),
                    reading_in_context(readings, right, neighbours, position),
                    comma,
                )
                asked = chain_buckets(counts, chain, context, lookups, asked)
    look_into(counts, lookups, asked)
    at = 0
    for row in range(asked // rows):
        at = counts_of_gap(counts, chain, lookups, at, eta, delta)
        gap_distribution(chain, eta, delta, steps, distribution)
        for tag in range(structure.GAP_TAGS):
            value = distribution[tag]
            gaps[row, tag] = np.log(value) if value > 0.0 else -np.inf


@kernel(allocates=False, inlined=True)
def has_brackets(grammar: Grammar, sentence: SentenceArrays) -> bool:
    """Return whether there are brackets in the sentence that a constituent may not tear apart (preset 5)."""
    if grammar.switches.balanced:
        for position in range(sentence.commas.shape[0]):
            if sentence.context_features[position, structure.PARTNER] >= 0:
                return True
    return False


@kernel(allocates=False)
def search(grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart) -> int:
    """Fill all cells, short spans first; return a status.

    Where a part of the chart is full, the caller makes it larger, and the search goes on with the same cell.
    The best item over the whole sentence is left in ``totals[T_BEST]`` (−1: none), its score in ``best_score``.
    """
    size = sentence.commas.shape[0]
    totals = chart.totals
    if not limits.go_on:
        clear_chart(sentence, chart, limits.keep_estimates)
    brackets = has_brackets(grammar, sentence)
    while totals[layout.T_LENGTH] <= size:
        length = totals[layout.T_LENGTH]
        while totals[layout.T_START] <= size - length:
            if chart.cancel[0]:
                return layout.CANCELLED
            start = totals[layout.T_START]
            last = start + length - 1
            totals[layout.T_NUMBERED] += 1
            save_counters(chart, start)
            first_edge = totals[layout.T_EDGES]
            filled = 0
            status = extend_prefixes(grammar, sentence, limits, chart, start, last)
            if status != layout.DONE_SEARCH:
                restore_counters(chart, start)
                return status
            is_open, demanded = bracket_status(sentence.demanded_brackets, start, last)
            is_unbalanced = brackets and unbalanced(sentence.context_features, start, last)
            cell = CurrentCell(totals[layout.T_NUMBERED], start, last, demanded, is_unbalanced)
            if is_open:
                filled = seed_cell(grammar, sentence, limits, chart, cell)
                if filled >= 0 and length > 1:
                    filled = join_cell(grammar, sentence, limits, chart, cell, filled)
                if filled > 0 and not is_unbalanced:
                    filled = climb_cell(grammar, sentence, limits, chart, cell, filled)
                if filled < 0:
                    restore_counters(chart, start)
                    return -filled
            # Whatever was found in the cell is looked at once more, and an edge that is kept is written.
            found = CANDIDATE_WORK * max(filled, totals[layout.T_EDGES] - first_edge)
            totals[layout.T_FINDING] += found
            totals[layout.T_WORK] += found
            status = close_cell(grammar, sentence, limits, chart, cell, filled, first_edge)
            if status != layout.DONE_SEARCH:
                restore_counters(chart, start)
                return status
            totals[layout.T_PROGRESS] += 1
            totals[layout.T_START] += 1
        finding = totals[layout.T_FINDING]
        expect_work(totals, size, length, totals[layout.T_WORK] - totals[layout.T_WORK_BEFORE] - finding, finding)
        if is_too_costly(limits, totals):
            return layout.TOO_COSTLY
        totals[layout.T_LENGTH] += 1
        totals[layout.T_START] = 0
        totals[layout.T_WORK_BEFORE] = totals[layout.T_WORK]
        totals[layout.T_FINDING] = 0
    best = -np.inf
    for item in range(chart.cells[size - 1, 0], chart.cells[size - 1, 0] + chart.cells[size - 1, 1]):
        score = chart.item_scores[item, layout.DONE] + root_log(grammar, sentence, chart.context, chart.items[item])
        if score > best:
            best = score
            totals[layout.T_BEST] = item
    chart.best_score[0] = best
    return layout.DONE_SEARCH


@kernel(allocates=False)
def root_log(grammar: Grammar, sentence: SentenceArrays, context: Int64Array, row: Int32Array) -> float:
    """Log F̂ of a chart item as root of the sentence, −∞ if its head may not be; `context` is scratch."""
    head = sentence.readings[row[layout.HEAD], structure.READING_POSITION]
    if not sentence.arrow_allowed[head, sentence.commas.shape[0]]:
        return -np.inf
    demanded = sentence.demands[head, layout.DEMANDED_RELATION]
    if demanded >= 0 and row[layout.LABEL] != demanded:
        return -np.inf
    for at in range(sentence.forbidden_relations.shape[0]):
        if (
            sentence.forbidden_relations[at, 0] == head
            and sentence.forbidden_relations[at, 1] == ROOT
            and sentence.forbidden_relations[at, 2] == row[layout.LABEL]
        ):
            return -np.inf
    reading = sentence.readings[row[layout.HEAD]]
    fill_root(context, reading[structure.READING_WORD], reading[structure.READING_TAG])
    value = root_estimate(grammar.counts, context, row[layout.LABEL])
    return np.log(value) if value > 0.0 else -np.inf


@kernel
def root_scores(grammar: Grammar, sentence: SentenceArrays, chart: Chart) -> FloatArray:
    """Log probability of every usable item over the whole sentence as its root."""
    cell = chart.cells[sentence.commas.shape[0] - 1]
    first = cell[0]
    usable = cell[1]
    scores = np.empty(usable)
    context = np.zeros(CONTEXT_FIELDS, np.int64)
    for at in range(usable):
        item = first + at
        scores[at] = chart.item_scores[item, layout.DONE] + root_log(grammar, sentence, context, chart.items[item])
    return scores


@kernel
def derivation(
    items: Int32Array, prefixes: Int32Array, readings: Int32Array, root: int, size: int, chosen: Int32Array
) -> Int32Array:
    """Return the items below `root` in the order in which they are built: kind, label, head label, head, left, right.

    The head is a word's position; left and right are a baseNP's first and last word.  The reading of every
    word is left in `chosen`.
    """
    # A sentence of n words has at most n words or baseNPs and n - 1 joins, and on each the rest of a chain of unaries.
    room = 2 * structure.LONGEST_CHAIN * size + 16
    rows = np.empty((room, 6), np.int32)
    stack = np.empty(room, np.int32)
    stack[0] = root
    depth = 1
    filled = room
    # Head first, then right, then left, written from the back: the reverse is a post-order.
    while depth > 0:
        depth -= 1
        item = stack[depth]
        row = items[item]
        filled -= 1
        left = row[layout.LEFT]
        step = Step(row[layout.KIND], row[layout.LABEL], row[layout.HEAD_LABEL], row[layout.HEAD], left)
        write_step(rows[filled], step, prefixes, readings, chosen)
        if row[layout.KIND] >= structure.UNARY:
            stack[depth] = left
            depth += 1
        if row[layout.KIND] >= structure.GROW_RIGHT:
            stack[depth] = row[layout.RIGHT]
            depth += 1
    return rows[filled:].copy()


@kernel
def cover(chart: Chart, size: int, penalty: float) -> Int64Array:
    """Return the best sequence of finished items that covers the sentence, `penalty` nats for each of them.

    For sentences that no tree spans.  A word is always a chart item, so there always is a cover.
    """
    best = np.full(size + 1, -np.inf)
    best[0] = 0.0
    chosen = np.full(size + 1, -1, np.int64)
    origin = np.zeros(size + 1, np.int64)
    for start in range(size):
        for last in range(start, size):
            cell = chart.cells[start * size + last]
            for item in range(cell[0], cell[0] + cell[1]):
                # A forbidden or unlikely word still has to stand somewhere.
                done = max(chart.item_scores[item, layout.DONE], -1e6)
                if chart.items[item, layout.KIND] != structure.WORD and chart.item_scores[item, layout.DONE] == -np.inf:
                    continue
                score = best[start] + done - penalty
                if score > best[last + 1]:
                    best[last + 1] = score
                    chosen[last + 1] = item
                    origin[last + 1] = start
    count = 0
    at = size
    while at > 0:
        at = origin[at]
        count += 1
    pieces = np.empty(count, np.int64)
    at = size
    while at > 0:
        count -= 1
        pieces[count] = chosen[at]
        at = origin[at]
    return pieces
