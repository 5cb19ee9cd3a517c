"""What the beam leaves of a cell (section 4.1): its candidates are pruned, and the survivors stored as chart items."""

from __future__ import annotations

import numpy as np

from engine.chart.cell_kernel import NOT_KNOWN, bracket_forbidden, candidate_unaries
from engine.chart.chart_layout import (
    COLUMNS,
    DONE,
    DONE_SEARCH,
    E_ITEM,
    E_KIND,
    E_LEFT,
    E_REASON,
    EF_MARGIN,
    FINISHED,
    HEAD,
    ITEMS_FULL,
    KEPT,
    KIND,
    LABEL,
    LEFT,
    NO_CORE,
    OUT_OF_BEAM,
    RECORD_NOTHING,
    SATISFIED,
    SCORE,
    STATE,
    T_EDGES,
    T_ITEMS,
    T_OUT_OF_BEAM,
    Chart,
    CurrentCell,
    Grammar,
    Limits,
    SentenceArrays,
)
from engine.common.arrays import FloatArray, Int64Array
from engine.compiled.kernel import kernel
from engine.estimates.unary_estimates_kernel import forget_parents, no_parent
from engine.structure.structure_layout import (
    NO_LABEL,
    READING_TAG,
    UNARY,
)


@kernel(allocates=False, inlined=True)
def sort_slots(order: Int64Array, size: int, scores: FloatArray) -> None:
    """Sort candidates by falling score; equal ones stay in the order in which they were found."""
    # Shell sort: insertion sort on the small cells that are the rule, and quick enough on large ones.
    step = 1
    while step < size // 9:
        step = 3 * step + 1
    while step > 0:
        for at in range(step, size):
            slot = order[at]
            score = scores[slot]
            back = at
            while back >= step and (
                scores[order[back - step]] < score
                or (scores[order[back - step]] == score and order[back - step] > slot)
            ):
                order[back] = order[back - step]
                back -= step
            order[back] = slot
        step //= 3


@kernel(allocates=False, inlined=True)
def prune_candidates(limits: Limits, chart: Chart, cell: CurrentCell, filled: int, floor: float) -> tuple[int, int]:
    """Order the candidates that stay, best first; return how many are usable, and how many there are with the others.

    The others are kept only because a unary result stands on them.  Where each candidate is in the order is left in
    ``chart.places``, −1 for one that is pruned.
    """
    candidates = chart.candidates
    scores = chart.candidate_scores
    places = chart.places
    order = chart.order
    spared = limits.spare_words and cell.start == cell.last
    # At first: −1 pruned, 1 usable, 2 kept only because a unary result stands on it.
    usable = 0
    for slot in range(filled):
        slack = limits.unary_slack if candidates[slot, KIND] == UNARY else 0.0
        if spared or scores[slot] >= floor - slack:
            places[slot] = 1
            order[usable] = slot
            usable += 1
        else:
            places[slot] = -1
            chart.totals[T_OUT_OF_BEAM] += 1
    for slot in range(filled - 1, -1, -1):
        if places[slot] > 0 and candidates[slot, KIND] == UNARY and places[candidates[slot, LEFT]] < 0:
            places[candidates[slot, LEFT]] = 2
    sort_slots(order, usable, scores)
    kept = usable
    for slot in range(filled):
        if places[slot] == 2:
            order[kept] = slot
            kept += 1
    for at in range(kept):
        places[order[at]] = at
    return usable, kept


@kernel(allocates=False, inlined=True)
def finished_score(grammar: Grammar, sentence: SentenceArrays, chart: Chart, cell: CurrentCell, slot: int) -> float:
    """Score of a candidate as a finished constituent: with the price of having no unary parent."""
    row = chart.candidates[slot]
    label = row[LABEL]
    tag = sentence.readings[row[HEAD], READING_TAG]
    score = chart.candidate_scores[slot]
    if cell.is_unbalanced or bracket_forbidden(
        sentence.forbidden_brackets, grammar.stacked, cell.start, cell.last, label
    ):
        return -np.inf
    if cell.demanded != NO_LABEL and row[STATE] & SATISFIED == 0:
        return -np.inf
    if not grammar.switches.unary_contexts:
        return score + grammar.none[tag, label]
    none_log = chart.candidate_nones[slot]
    if none_log == NOT_KNOWN:
        factor, seen = candidate_unaries(grammar, sentence, chart, cell, row)
        none_log = no_parent(grammar.unary_levels[tag, label], chart.unary_scratch, factor)
        forget_parents(chart.unary_scratch, chart.unary_seen, seen)
    return score + none_log


@kernel(allocates=False, inlined=True)
def close_cell(
    grammar: Grammar,
    sentence: SentenceArrays,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    first_edge: int,
) -> int:
    """Prune the candidates by the beam and store the survivors as items, best first; return a status.

    "All other constituents spanning the same words must have probability greater than P_h / β"
    (section 4.1).
    """
    items = chart.items
    cells = chart.cells
    totals = chart.totals
    at_cell = cell.start * sentence.commas.shape[0] + cell.last
    first = totals[T_ITEMS]
    cells[at_cell, 0] = first
    cells[at_cell, 1] = 0
    cells[at_cell, 2] = first
    if filled == 0:
        return DONE_SEARCH
    if first + filled > items.shape[0]:
        return ITEMS_FULL
    best = -np.inf
    for slot in range(filled):
        best = max(best, chart.candidate_scores[slot])
    floor = best - limits.beam
    usable, kept = prune_candidates(limits, chart, cell, filled, floor)
    for at in range(kept):
        slot = chart.order[at]
        item = first + at
        for column in range(COLUMNS):
            items[item, column] = chart.candidates[slot, column]
        if items[item, KIND] == UNARY:
            items[item, LEFT] = first + chart.places[items[item, LEFT]]
        chart.item_scores[item, SCORE] = chart.candidate_scores[slot]
        chart.item_scores[item, DONE] = finished_score(grammar, sentence, chart, cell, slot)
        if cell.demanded != NO_LABEL:
            # A demanded bracket must be finished here: nothing on this span may go on growing.
            items[item, STATE] |= FINISHED | NO_CORE
    cells[at_cell, 1] = usable
    cells[at_cell, 2] = first + kept
    totals[T_ITEMS] = first + kept
    if limits.record != RECORD_NOTHING:
        settle_edges(chart, first_edge, first, usable, floor)
    return DONE_SEARCH


@kernel(allocates=False)
def settle_edges(chart: Chart, first_edge: int, first_item: int, usable: int, floor: float) -> None:
    """Turn the candidates that a cell's edges name into items, and note which fell out of the beam."""
    for edge in range(first_edge, chart.totals[T_EDGES]):
        row = chart.edges[edge]
        slot = row[E_ITEM]
        if row[E_KIND] == UNARY:
            child = chart.places[row[E_LEFT]]
            row[E_LEFT] = first_item + child if child >= 0 else -1
        if slot < 0:
            continue
        place = chart.places[slot]
        if row[E_REASON] == KEPT and (place < 0 or place >= usable):
            row[E_REASON] = OUT_OF_BEAM
            chart.edge_factors[edge, EF_MARGIN] = floor - chart.candidate_scores[slot]
        row[E_ITEM] = first_item + place if place >= 0 else -1
