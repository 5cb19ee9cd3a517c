"""One cell of the chart: what it starts with, its unary parents, and what the beam leaves of it (sections 3, 4.1).

Joins, which fill it, are in :mod:`engine.chart.join_kernel`.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import item_head
from engine.chart.chart_layout import (
    ANY_LABEL,
    CHAIN,
    COLUMNS,
    COMMA_AFTER,
    COMMA_BEFORE,
    DONE,
    DONE_SEARCH,
    ENTRIES_FULL,
    FINISHED,
    FIRST_IN_BASE,
    FIRST_READING_SHIFT,
    HAS_LEFT,
    HEAD,
    HEAD_LABEL,
    ITEM_FIRST,
    ITEM_LAST,
    KEPT,
    KIND,
    LABEL,
    LAST_IN_BASE,
    LAST_READING_SHIFT,
    LEFT,
    MUST_BE_REDUCED,
    NO_CORE,
    OUT_OF_BEAM,
    R_ENTRY,
    R_FATE,
    R_KIND,
    R_LEFT,
    RECORD_ALL,
    RECORD_NOTHING,
    RF_MARGIN,
    SATISFIED,
    SCORE,
    STATE,
    T_ENTRIES,
    T_OUT_OF_BEAM,
    T_RECORDS,
    T_UNDER_THRESHOLD,
    TAG_LABEL,
    WORD_FORBIDDEN,
    Chart,
    Grammar,
    Limits,
    Sentence,
)
from engine.chart.edge_kernel import offer
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import UnaryContext
from engine.estimates.estimates_layout import S_SEEN, S_VALUE
from engine.estimates.unary_estimates_kernel import forget_parents, no_parent, unary_distribution
from engine.structure.structure_layout import (
    AFTER,
    BASE,
    BEFORE,
    NO_LABEL,
    OWN_TAG,
    PARTNER,
    READING_POSITION,
    READING_TAG,
    READING_WORD,
    UNARY,
    WORD,
)

NOT_KNOWN = 1.0
"""Where a logarithm of a probability was not computed yet."""


@kernel(allocates=False)
def bracket_status(brackets: np.ndarray, start: int, last: int) -> tuple[int, int]:
    """Whether a span may hold constituents beside the demanded brackets, and the label demanded of it."""
    demanded = NO_LABEL
    for row in range(brackets.shape[0]):
        first = brackets[row, 0]
        final = brackets[row, 1]
        if first == start and final == last:
            demanded = brackets[row, 2]
        elif (start < first <= last < final) or (first < start <= final < last):
            return 0, NO_LABEL
    return 1, demanded


@kernel(allocates=False)
def bracket_forbidden(forbidden: np.ndarray, stacked: np.ndarray, start: int, last: int, label: int) -> bool:
    """Whether a finished constituent of this label is forbidden on this span."""
    for row in range(forbidden.shape[0]):
        named = forbidden[row, 2] == label or (forbidden[row, 2] == ANY_LABEL and stacked[label, 2])
        if named and forbidden[row, 0] == start and forbidden[row, 1] == last:
            return True
    return False


@kernel(allocates=False)
def satisfies(stacked: np.ndarray, demanded: int, label: int) -> int:
    """State bit of a constituent on a span of which `demanded` is demanded."""
    return SATISFIED if demanded == label or (demanded == ANY_LABEL and stacked[label, 2]) else 0


@kernel(allocates=False, inlined=True)
def unary_context(sentence: Sentence, label: int, head: int, child: int, start: int, last: int) -> UnaryContext:
    """A constituent over words ``start .. last`` as the unary model sees it; `child` labels its head-child or is −1."""
    around = sentence.surroundings
    return UnaryContext(
        int(label),
        int(sentence.readings[head, READING_WORD]),
        int(sentence.readings[head, READING_TAG]),
        int(around[start, BEFORE]),
        int(around[last, AFTER]),
        max(int(child), 0),
        int(around[start, OWN_TAG]),
    )


@kernel(allocates=False)
def unbalanced(surroundings: np.ndarray, start: int, last: int) -> bool:
    """Whether a span of several words holds one of two brackets and not the other (preset 5)."""
    if start == last:
        return False
    for position in range(start, last + 1):
        partner = surroundings[position, PARTNER]
        if partner >= 0 and (partner < start or partner > last):
            return True
    return False


@kernel(allocates=False)
def seed_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    stamp: int,
    start: int,
    last: int,
    demanded: int,
    torn: bool,
) -> int:
    """Put the word itself and the baseNPs over the span into the cell; return the number of candidates."""
    stacked = grammar.stacked
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    slots = chart.slots
    records = chart.records
    factors = chart.record_factors
    totals = chart.totals
    readings = sentence.readings
    starts = sentence.reading_starts
    edges = 0
    if start > 0 and sentence.commas[start] > 0:
        edges |= COMMA_BEFORE
    if last + 1 < sentence.commas.shape[0] and sentence.commas[last + 1] > 0:
        edges |= COMMA_AFTER
    filled = 0
    if start == last and not sentence.demands[start, WORD_FORBIDDEN]:
        for reading in range(starts[start], starts[start + 1]):
            label = grammar.tags[readings[reading, READING_TAG], TAG_LABEL]
            local = reading - starts[start]
            state = edges | FINISHED | satisfies(stacked, demanded, label)
            state |= local << FIRST_READING_SHIFT | local << LAST_READING_SHIFT
            tag = sentence.reading_logs[reading]
            filled = offer(
                stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                stamp, filled, start, last, label, NO_LABEL, reading, state, label,
                -1, -1, -1, WORD, tag, 0.0, 0.0, 0.0, tag, KEPT,
            )  # fmt: skip
            if filled < 0:
                return filled
    if torn or not sentence.base_allowed[start, last]:
        return filled
    for item in range(chart.item_ranges[start, 0], chart.item_ranges[start, 1]):
        head = item_head(grammar, readings, chart.items[item])
        allowed = True
        for position in range(start, last + 1):
            if position != readings[head, READING_POSITION] and sentence.demands[position, MUST_BE_REDUCED]:
                allowed = False
        if allowed:
            label = grammar.base_label
            state = edges | FINISHED | FIRST_IN_BASE | LAST_IN_BASE | satisfies(stacked, demanded, label)
            state |= (chart.items[item, ITEM_FIRST] - starts[start]) << FIRST_READING_SHIFT
            state |= (chart.items[item, ITEM_LAST] - starts[last]) << LAST_READING_SHIFT
            gap = chart.item_scores[item, 0]
            tag = chart.item_scores[item, 1]
            filled = offer(
                stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                stamp, filled, start, last, label, NO_LABEL, head, state, label,
                item, -1, -1, BASE, gap + tag, gap, 0.0, 0.0, tag, KEPT,
            )  # fmt: skip
            if filled < 0:
                return filled
    return filled


@kernel(allocates=False, inlined=True)
def climb_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    stamp: int,
    filled: int,
    start: int,
    last: int,
    demanded: int,
) -> int:
    """Put unary parents over the cell's candidates, along chains seen in training.

    What having no parent costs, which comes out along the way, is left for :func:`close_cell`.
    """
    stacked = grammar.stacked
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    slots = chart.slots
    records = chart.records
    factors = chart.record_factors
    totals = chart.totals
    readings = sentence.readings
    chain_starts = grammar.chain_starts
    chain_edges = grammar.chain_edges
    chain_steps = grammar.chain_steps
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    floor = max(limits.threshold, best - limits.beam - limits.unary_slack)
    if limits.record == RECORD_ALL or (limits.spare_words and start == last):
        floor = -np.inf
    # A unary result under the floor falls when the cell is closed; only lists of derivations have a use for it.
    hopeless = floor if limits.record == RECORD_NOTHING else -np.inf
    scratch = chart.unary_scratch
    slot = 0
    while slot < filled:
        score = candidate_scores[slot]
        chart.candidate_nones[slot] = NOT_KNOWN
        label = candidates[slot, LABEL]
        if score >= floor and not bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, start, last, label):
            head = candidates[slot, HEAD]
            tag = readings[head, READING_TAG]
            chain = candidates[slot, CHAIN]
            state = (candidates[slot, STATE] & ~HAS_LEFT) | FINISHED
            if chain_starts[chain] == chain_starts[chain + 1]:
                slot += 1
                continue
            contexts = grammar.switches.unary_contexts
            factor = 1.0
            seen = 0
            if contexts:
                levels = grammar.unary_levels[tag, label]
                factor, seen = unary_distribution(
                    grammar.counts,
                    levels,
                    unary_context(sentence, label, head, candidates[slot, HEAD_LABEL], start, last),
                    scratch,
                    chart.unary_seen,
                )
                chart.candidate_nones[slot] = no_parent(levels, scratch, factor)
            # Log P̂ of a parent seen in none of the contexts differs from that by tag alone by the same for all.
            others = np.log(factor)
            for edge in range(chain_starts[chain], chain_starts[chain + 1]):
                parent = chain_edges[edge, 0]
                if contexts and scratch[parent, S_SEEN] > 0.0:
                    step = np.log(scratch[parent, S_VALUE])
                else:
                    step = others + chain_steps[tag, edge]
                if step == -np.inf:
                    continue
                if score + step < hopeless:
                    totals[T_UNDER_THRESHOLD if score + step < limits.threshold else T_OUT_OF_BEAM] += 1
                    continue
                filled = offer(
                    stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                    stamp, filled, start, last, parent, label, head,
                    state | satisfies(stacked, demanded, parent), chain_edges[edge, 1],
                    slot, -1, -1, UNARY, score + step, 0.0, 0.0, step, 0.0, KEPT,
                )  # fmt: skip
                if filled < 0:
                    forget_parents(scratch, chart.unary_seen, seen)
                    return filled
            forget_parents(scratch, chart.unary_seen, seen)
        slot += 1
    return filled


@kernel(allocates=False)
def sort_slots(order: np.ndarray, size: int, scores: np.ndarray) -> None:
    """Sort candidates by falling score; equal ones stay in the order in which they were proposed."""
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
def close_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    filled: int,
    start: int,
    last: int,
    demanded: int,
    torn: bool,
    first_record: int,
) -> int:
    """Prune the candidates by the beam and store the survivors as entries, best first; return a status.

    "All other constituents spanning the same words must have probability greater than P_h / β"
    (section 4.1).
    """
    readings = sentence.readings
    none = grammar.none
    entries = chart.entries
    scores = chart.scores
    cells = chart.cells
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    places = chart.places
    order = chart.order
    totals = chart.totals
    cell = start * sentence.commas.shape[0] + last
    first = totals[T_ENTRIES]
    cells[cell, 0] = first
    cells[cell, 1] = 0
    cells[cell, 2] = first
    if filled == 0:
        return DONE_SEARCH
    if first + filled > entries.shape[0]:
        return ENTRIES_FULL
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    floor = best - limits.beam
    spared = limits.spare_words and start == last
    # places[slot]: −1 pruned, 1 usable, 2 kept only because a unary result stands on it.
    usable = 0
    for slot in range(filled):
        slack = limits.unary_slack if candidates[slot, KIND] == UNARY else 0.0
        if spared or candidate_scores[slot] >= floor - slack:
            places[slot] = 1
            order[usable] = slot
            usable += 1
        else:
            places[slot] = -1
            totals[T_OUT_OF_BEAM] += 1
    for slot in range(filled - 1, -1, -1):
        if places[slot] > 0 and candidates[slot, KIND] == UNARY and places[candidates[slot, LEFT]] < 0:
            places[candidates[slot, LEFT]] = 2
    sort_slots(order, usable, candidate_scores)
    kept = usable
    for slot in range(filled):
        if places[slot] == 2:
            order[kept] = slot
            kept += 1
    for at in range(kept):
        places[order[at]] = first + at
    for at in range(kept):
        slot = order[at]
        entry = first + at
        for column in range(COLUMNS):
            entries[entry, column] = candidates[slot, column]
        if entries[entry, KIND] == UNARY:
            entries[entry, LEFT] = places[entries[entry, LEFT]]
        score = candidate_scores[slot]
        label = entries[entry, LABEL]
        head = entries[entry, HEAD]
        tag = readings[head, READING_TAG]
        if torn or bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, start, last, label):
            done = -np.inf
        elif grammar.switches.unary_contexts:
            none_log = chart.candidate_nones[slot]
            if none_log == NOT_KNOWN:
                levels = grammar.unary_levels[tag, label]
                factor, seen = unary_distribution(
                    grammar.counts,
                    levels,
                    unary_context(sentence, label, head, entries[entry, HEAD_LABEL], start, last),
                    chart.unary_scratch,
                    chart.unary_seen,
                )
                none_log = no_parent(levels, chart.unary_scratch, factor)
                forget_parents(chart.unary_scratch, chart.unary_seen, seen)
            done = score + none_log
        else:
            done = score + none[tag, label]
        if demanded != NO_LABEL:
            # A demanded bracket must be finished here: nothing on this span may go on growing.
            if entries[entry, STATE] & SATISFIED == 0:
                done = -np.inf
            entries[entry, STATE] |= FINISHED | NO_CORE
        scores[entry, SCORE] = score
        scores[entry, DONE] = done
    cells[cell, 1] = usable
    cells[cell, 2] = first + kept
    totals[T_ENTRIES] = first + kept
    if limits.record != RECORD_NOTHING:
        settle_records(chart, first_record, first + usable, floor)
    return DONE_SEARCH


@kernel(allocates=False)
def settle_records(chart: Chart, first_record: int, usable_end: int, floor: float) -> None:
    """Turn the candidates that a cell's records name into entries, and note who fell out of the beam."""
    for record in range(first_record, chart.totals[T_RECORDS]):
        row = chart.records[record]
        slot = row[R_ENTRY]
        if row[R_KIND] == UNARY:
            row[R_LEFT] = chart.places[row[R_LEFT]]
        if slot < 0:
            continue
        place = chart.places[slot]
        if row[R_FATE] == KEPT and (place < 0 or place >= usable_end):
            row[R_FATE] = OUT_OF_BEAM
            chart.record_factors[record, RF_MARGIN] = floor - chart.candidate_scores[slot]
        row[R_ENTRY] = place
