"""The chart parser (section 3) with its threshold and beam (section 4.1).

Bottom-up over all spans.  Every entry is a constituent over a span; two entries join when one
becomes a modifier of the other's head-word, which gives "two new probability terms: one for the
baseNP gap tag between the two constituents, and the other for the dependency between the head words":

* *grow*: the head's constituent takes one more modifier at its own level, <M, P, H> with the P and H it has;
* *start*: the head's constituent is finished, and a new level P begins above it with this modifier.

Right modifiers of a level come before its left ones, so every tree has exactly one derivation.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import extend_items, write_step
from engine.chart.cell_kernel import bracket_status, climb_cell, close_cell, seed_cell, unbalanced
from engine.chart.chart_layout import (
    CANCELLED,
    DEMANDED_RELATION,
    DONE,
    DONE_SEARCH,
    HEAD,
    HEAD_LABEL,
    KIND,
    LABEL,
    LEFT,
    RIGHT,
    T_BEST,
    T_PROGRESS,
    T_RECORDS,
    Chart,
    Grammar,
    Limits,
    Sentence,
)
from engine.chart.join_kernel import join_cell
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import ROOT, Counts, GapContext, Switches
from engine.counts.lookup_kernel import find
from engine.counts.specifications_layout import UNARY_LABEL
from engine.estimates.estimates_layout import GAP_LEVELS
from engine.estimates.gap_estimates_kernel import gap_counts, gap_distribution
from engine.estimates.root_estimates_kernel import root_estimate
from engine.estimates.unary_estimates_kernel import unary_by_tag, unary_estimate
from engine.structure.structure_layout import (
    AFTER,
    BEFORE,
    GAP_TAGS,
    GROW_RIGHT,
    PARTNER,
    READING_POSITION,
    READING_TAG,
    READING_WORD,
    UNARY,
    WORD,
)


@kernel
def fill_unary_levels(counts: Counts, contexts: int, levels: np.ndarray) -> None:
    """P̂ of every unary parent, and of none, by tag and label: the paper's, or the one that contexts are mixed with."""
    for label in range(levels.shape[1]):
        delta, start, end = find(counts, UNARY_LABEL, label)
        for tag in range(levels.shape[0]):
            if delta == 0:
                levels[tag, label, 0] = 1.0
            for place in range(start, end, 2):
                parent = counts.records[place]
                if contexts:
                    levels[tag, label, parent] = unary_by_tag(counts, label, tag, parent)
                else:
                    levels[tag, label, parent] = unary_estimate(counts, label, tag, parent)


@kernel
def fill_unaries(
    levels: np.ndarray, chain_starts: np.ndarray, chain_edges: np.ndarray, none: np.ndarray, steps: np.ndarray
) -> None:
    """Log P̂ of having no unary parent, by tag and label, and of every step of the unary chains, by tag."""
    for tag in range(none.shape[0]):
        for label in range(none.shape[1]):
            value = levels[tag, label, 0]
            none[tag, label] = np.log(value) if value > 0.0 else -np.inf
    # The first nodes of the tree are labels; a deeper node has the label of the edge that leads to it.
    label_of = np.arange(chain_starts.shape[0] - 1)
    for edge in range(chain_edges.shape[0]):
        label_of[chain_edges[edge, 1]] = chain_edges[edge, 0]
    for node in range(chain_starts.shape[0] - 1):
        for edge in range(chain_starts[node], chain_starts[node + 1]):
            for tag in range(steps.shape[0]):
                value = levels[tag, label_of[node], chain_edges[edge, 0]]
                steps[tag, edge] = np.log(value) if value > 0.0 else -np.inf


@kernel
def fill_gaps(
    counts: Counts,
    switches: Switches,
    readings: np.ndarray,
    starts: np.ndarray,
    commas: np.ndarray,
    surroundings: np.ndarray,
    gap_starts: np.ndarray,
    gaps: np.ndarray,
) -> None:
    """Log P̂(G_i | ...) of every gap and tag of a sentence, for all readings of the words beside it (section 2.5)."""
    eta = np.zeros((GAP_LEVELS, GAP_TAGS), np.int64)
    delta = np.zeros(GAP_LEVELS, np.int64)
    distribution = np.zeros(GAP_TAGS)
    for position in range(1, commas.shape[0]):
        row = gap_starts[position]
        comma = 1 if commas[position] > 0 else 0
        for left in range(starts[position - 1], starts[position]):
            for right in range(starts[position], starts[position + 1]):
                gap = GapContext(
                    int(readings[left, READING_WORD]),
                    int(readings[left, READING_TAG]),
                    int(readings[right, READING_WORD]),
                    int(readings[right, READING_TAG]),
                    comma,
                    int(surroundings[position - 1, BEFORE]),
                    int(surroundings[position, AFTER]),
                )
                gap_counts(counts, switches, gap, eta, delta)
                gap_distribution(switches, eta, delta, distribution)
                for tag in range(GAP_TAGS):
                    value = distribution[tag]
                    gaps[row, tag] = np.log(value) if value > 0.0 else -np.inf
                row += 1


@kernel
def search(grammar: Grammar, sentence: Sentence, limits: Limits, chart: Chart) -> int:
    """Fill the chart; the best entry over the whole sentence is left in ``totals[T_BEST]`` (−1: none)."""
    comma_sums = np.cumsum(sentence.commas)
    return fill_cells(grammar, sentence, limits, chart, comma_sums)


@kernel(allocates=False)
def fill_cells(grammar: Grammar, sentence: Sentence, limits: Limits, chart: Chart, comma_sums: np.ndarray) -> int:
    """Fill all cells, short spans first, and find the best entry over the whole sentence; return a status."""
    size = sentence.commas.shape[0]
    totals = chart.totals
    for counter in range(totals.shape[0]):
        totals[counter] = 0
    totals[T_BEST] = -1
    for place in range(sentence.readings.shape[0] ** 2 * 16):
        chart.blocks[place, 0] = -1
    for place in range(chart.slots.shape[0]):
        chart.slots[place, 0] = 0
    brackets = False
    if grammar.switches.balanced:
        for position in range(size):
            brackets = brackets or sentence.surroundings[position, PARTNER] >= 0
    stamp = 0
    for length in range(1, size + 1):
        for start in range(size - length + 1):
            if chart.cancel[0]:
                return CANCELLED
            last = start + length - 1
            stamp += 1
            first_record = totals[T_RECORDS]
            filled = 0
            status = extend_items(grammar, sentence, limits, chart, start, last)
            if status != DONE_SEARCH:
                return status
            open_span, demanded = bracket_status(sentence.demanded_brackets, start, last)
            torn = brackets and unbalanced(sentence.surroundings, start, last)
            if open_span:
                filled = seed_cell(grammar, sentence, limits, chart, stamp, start, last, demanded, torn)
                if filled >= 0 and length > 1:
                    filled = join_cell(
                        grammar, sentence, limits, chart, comma_sums, stamp, filled, start, last, demanded
                    )
                if filled > 0 and not torn:
                    filled = climb_cell(grammar, sentence, limits, chart, stamp, filled, start, last, demanded)
                if filled < 0:
                    return -filled
            status = close_cell(grammar, sentence, limits, chart, filled, start, last, demanded, torn, first_record)
            if status != DONE_SEARCH:
                return status
            totals[T_PROGRESS] = stamp
    best = -np.inf
    for entry in range(chart.cells[size - 1, 0], chart.cells[size - 1, 0] + chart.cells[size - 1, 1]):
        score = chart.scores[entry, DONE] + root_log(grammar, sentence, chart.entries[entry])
        if score > best:
            best = score
            totals[T_BEST] = entry
    chart.best_score[0] = best
    return DONE_SEARCH


@kernel(allocates=False)
def root_log(grammar: Grammar, sentence: Sentence, row: np.ndarray) -> float:
    """Log F̂ of an entry as root of the sentence; −∞ if its head may not be."""
    head = sentence.readings[row[HEAD], READING_POSITION]
    if not sentence.arrow_allowed[head, sentence.commas.shape[0]]:
        return -np.inf
    demanded = sentence.demands[head, DEMANDED_RELATION]
    if demanded >= 0 and row[LABEL] != demanded:
        return -np.inf
    for at in range(sentence.forbidden_relations.shape[0]):
        if (
            sentence.forbidden_relations[at, 0] == head
            and sentence.forbidden_relations[at, 1] == ROOT
            and sentence.forbidden_relations[at, 2] == row[LABEL]
        ):
            return -np.inf
    reading = sentence.readings[row[HEAD]]
    value = root_estimate(grammar.counts, reading[READING_WORD], reading[READING_TAG], row[LABEL])
    return np.log(value) if value > 0.0 else -np.inf


@kernel
def derivation(
    entries: np.ndarray, items: np.ndarray, readings: np.ndarray, root: int, size: int, chosen: np.ndarray
) -> np.ndarray:
    """The entries below `root` in the order in which they are built: kind, label, head label, head, left, right.

    The head is a word's position; left and right are a baseNP's first and last word.  The reading of every
    word is left in `chosen`.
    """
    # A sentence of n words has at most n words or baseNPs, n - 1 joins, and a few unaries on each.
    room = 16 * size + 16
    rows = np.empty((room, 6), np.int32)
    stack = np.empty(room, np.int32)
    stack[0] = root
    depth = 1
    filled = room
    # Head first, then right, then left, written from the back: the reverse is a post-order.
    while depth > 0:
        depth -= 1
        entry = stack[depth]
        row = entries[entry]
        filled -= 1
        left = row[LEFT]
        write_step(
            rows[filled], row[KIND], row[LABEL], row[HEAD_LABEL], row[HEAD], left, items, readings, chosen
        )  # fmt: skip
        if row[KIND] >= UNARY:
            stack[depth] = left
            depth += 1
        if row[KIND] >= GROW_RIGHT:
            stack[depth] = row[RIGHT]
            depth += 1
    return rows[filled:]


@kernel
def cover(chart: Chart, size: int, penalty: float) -> np.ndarray:
    """The best sequence of finished entries that covers the sentence, `penalty` nats for each of them.

    For sentences that no tree spans.  A word is always an entry, so there always is a cover.
    """
    best = np.full(size + 1, -np.inf)
    best[0] = 0.0
    chosen = np.full(size + 1, -1, np.int64)
    origin = np.zeros(size + 1, np.int64)
    for start in range(size):
        for last in range(start, size):
            cell = chart.cells[start * size + last]
            for entry in range(cell[0], cell[0] + cell[1]):
                # A forbidden or unlikely word still has to stand somewhere.
                done = max(chart.scores[entry, DONE], -1e6)
                if chart.entries[entry, KIND] != WORD and chart.scores[entry, DONE] == -np.inf:
                    continue
                score = best[start] + done - penalty
                if score > best[last + 1]:
                    best[last + 1] = score
                    chosen[last + 1] = entry
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
