"""One cell of the chart (section 3): edges added to it, what it starts with, its unary parents, and what the beam
leaves of it (section 4.1).
"""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.basenp_kernel import prefix_head
from engine.chart.chart_layout import Chart, CurrentCell, Edge, EdgeFactors, Grammar, Limits, SentenceArrays
from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import ContextWord
from engine.counts.lookup_kernel import fill_constituent
from engine.estimates.estimates_kernel import forget_parents, no_parent, unary_distribution
from engine.estimates.estimates_layout import S_SEEN, S_VALUE
from engine.structure import sentence_layout as structure

# Adding an edge to a cell (section 3): the signature of dynamic programming, and the record of every edge.
#
# The constituent that an edge builds is compared with the candidate of the same signature in the cell; the better one
# stays.


@kernel(allocates=False, inlined=True)
def new_edge(
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
) -> Edge:
    """Make an edge; called as a kernel its numbers are all of one width, and what takes edges is compiled once."""
    return Edge(label, head_label, head, state, chain, left, right, relation, kind)


@kernel(allocates=False)
def same_label(stacked: Int32Array, label: int, head_label: int) -> int:
    """Return how ``label -> head_label ...`` is written as head-child of another `label`: X, X+ or X++."""
    once = stacked[label, 0]
    if head_label == label or head_label == stacked[label, 1]:
        return once
    if head_label == once and once != structure.NO_LABEL:
        return stacked[label, 1]
    return label


@kernel(allocates=False, inlined=True)
def find_slot(candidates: Int32Array, slots: Int32Array, number: int, edge: Edge) -> tuple[int, int]:
    """Return the candidate of this cell with the edge's signature and its place in the hash, or (−1, a free place)."""
    mixed = ((int(edge.label) * 31 + int(edge.head_label)) * 31 + int(edge.head)) * 31
    mixed += int(edge.state) + int(edge.chain) * 961
    mask = slots.shape[0] - 1
    place = (mixed * 40503 + (mixed >> 7)) & mask
    while slots[place, 0] == number:
        slot = slots[place, 1]
        if (
            candidates[slot, layout.LABEL] == edge.label
            and candidates[slot, layout.HEAD_LABEL] == edge.head_label
            and candidates[slot, layout.HEAD] == edge.head
            and candidates[slot, layout.STATE] == edge.state
            and candidates[slot, layout.CHAIN] == edge.chain
        ):
            return slot, place
        place = (place + 1) & mask
    return -1, place


@kernel(allocates=False)
def record_edge(chart: Chart, cell: CurrentCell, edge: Edge, factors: EdgeFactors, reason: int, margin: float) -> int:
    """Record an edge and why it was pruned; return its number, or −1 if there is no room."""
    number = chart.totals[layout.T_EDGES]
    if number >= chart.edges.shape[0]:
        return -1
    row = chart.edges[number]
    row[layout.E_START] = cell.start
    row[layout.E_END] = cell.last + 1
    row[layout.E_LABEL] = edge.label
    row[layout.E_HEAD_LABEL] = edge.head_label
    row[layout.E_HEAD] = edge.head
    row[layout.E_STATE] = edge.state
    row[layout.E_LEFT] = edge.left
    row[layout.E_RIGHT] = edge.right
    row[layout.E_RELATION] = edge.relation
    row[layout.E_KIND] = edge.kind
    row[layout.E_ITEM] = -1
    row[layout.E_REASON] = reason
    written = chart.edge_factors[number]
    written[layout.EF_SCORE] = factors.score
    written[layout.EF_GAP] = factors.gap
    written[layout.EF_DEPENDENCY] = factors.dependency
    written[layout.EF_UNARY] = factors.unary
    written[layout.EF_TAG] = factors.tag
    written[layout.EF_MARGIN] = margin
    chart.totals[layout.T_EDGES] = number + 1
    return number


@kernel(allocates=False, inlined=True)
def add_edge(
    grammar: Grammar,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    edge: Edge,
    factors: EdgeFactors,
    reason: int,
) -> int:
    """Add an edge to the cell; return the number of candidates, or a negative status.

    "If two proposed constituents span the same set of words, have the same label, head, and distance from
    the head to the left and right end of the constituent, then the lower probability constituent can be
    safely discarded" (section 3).

    Parameters
    ----------
    filled
        The number of candidates so far.
    reason
        Why the edge is pruned already and only to be recorded; KEPT if it is not.
    """
    candidates = chart.candidates
    score = factors.score
    number = -1
    if score < limits.threshold:
        chart.totals[layout.T_UNDER_THRESHOLD] += 1
        if reason == layout.KEPT:
            reason = layout.UNDER_THRESHOLD
        if limits.record != layout.RECORD_ALL:
            return filled
    if limits.record != layout.RECORD_NOTHING:
        margin = limits.threshold - score if reason == layout.UNDER_THRESHOLD else 0.0
        number = record_edge(chart, cell, edge, factors, reason, margin)
        if number < 0:
            return -layout.EDGES_FULL
        if reason != layout.KEPT:
            return filled
    slot, place = find_slot(candidates, chart.slots, cell.number, edge)
    if slot < 0:
        if filled >= candidates.shape[0]:
            return -layout.CANDIDATES_FULL
        slot = filled
        filled += 1
        chart.slots[place, 0] = cell.number
        chart.slots[place, 1] = slot
        candidates[slot, layout.LABEL] = edge.label
        candidates[slot, layout.HEAD_LABEL] = edge.head_label
        candidates[slot, layout.HEAD] = edge.head
        candidates[slot, layout.STATE] = edge.state
        candidates[slot, layout.CHAIN] = edge.chain
        is_join = edge.kind >= structure.GROW_RIGHT
        candidates[slot, layout.SAME] = (
            same_label(grammar.stacked, edge.label, edge.head_label) if is_join else edge.label
        )
    else:
        best = chart.candidate_scores[slot]
        if number >= 0:
            worse = number if score <= best else candidates[slot, layout.EDGE_NUMBER]
            chart.edges[worse, layout.E_REASON] = layout.DOMINATED
            chart.edges[worse, layout.E_ITEM] = slot
            chart.edge_factors[worse, layout.EF_MARGIN] = abs(best - score)
        if score <= best:
            return filled
    candidates[slot, layout.LEFT] = edge.left
    candidates[slot, layout.RIGHT] = edge.right
    candidates[slot, layout.RELATION] = edge.relation
    candidates[slot, layout.KIND] = edge.kind
    candidates[slot, layout.EDGE_NUMBER] = number
    if number >= 0:
        chart.edges[number, layout.E_ITEM] = slot
    chart.candidate_scores[slot] = score
    return filled


# One cell of the chart: what it starts with, and its unary parents (section 3).
#
# Joins, which fill it, are in :mod:`engine.chart.join_kernel`; what is left of it in :mod:`engine.chart.cell_kernel`.

NOT_KNOWN = 1.0
"""Where a logarithm of a probability was not computed yet."""


@kernel(allocates=False, inlined=True)
def bracket_status(brackets: Int32Array, start: int, last: int) -> tuple[int, int]:
    """Return whether a span may hold constituents beside the demanded brackets, and the label demanded of it."""
    demanded = structure.NO_LABEL
    for row in range(brackets.shape[0]):
        first = brackets[row, 0]
        final = brackets[row, 1]
        if first == start and final == last:
            demanded = brackets[row, 2]
        elif (start < first <= last < final) or (first < start <= final < last):
            return 0, structure.NO_LABEL
    return 1, demanded


@kernel(allocates=False, inlined=True)
def bracket_forbidden(forbidden: Int32Array, stacked: Int32Array, start: int, last: int, label: int) -> bool:
    """Return whether a finished constituent of this label is forbidden on this span."""
    for row in range(forbidden.shape[0]):
        named = forbidden[row, 2] == label or (forbidden[row, 2] == layout.ANY_LABEL and stacked[label, 2])
        if named and forbidden[row, 0] == start and forbidden[row, 1] == last:
            return True
    return False


@kernel(allocates=False, inlined=True)
def satisfies(stacked: Int32Array, demanded: int, label: int) -> int:
    """State bit of a constituent on a span of which `demanded` is demanded."""
    return layout.SATISFIED if demanded == label or (demanded == layout.ANY_LABEL and stacked[label, 2]) else 0


@kernel(allocates=False, inlined=True)
def unbalanced(context_features: Int32Array, start: int, last: int) -> bool:
    """Return whether a span of several words holds one of two brackets and not the other (preset 5)."""
    if start == last:
        return False
    for position in range(start, last + 1):
        partner = context_features[position, structure.PARTNER]
        if partner >= 0 and (partner < start or partner > last):
            return True
    return False


@kernel(allocates=False, inlined=True)
def add_words(
    grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, cell: CurrentCell, commas: int
) -> int:
    """Put the only word of a cell into it, under every tag; return the number of candidates, or a negative status."""
    starts = sentence.reading_starts
    filled = 0
    for reading in range(starts[cell.start], starts[cell.start + 1]):
        label = grammar.tags[sentence.readings[reading, structure.READING_TAG], layout.TAG_LABEL]
        local = reading - starts[cell.start]
        state = commas | layout.FINISHED | satisfies(grammar.stacked, cell.demanded, label)
        state |= local << layout.FIRST_READING_SHIFT | local << layout.LAST_READING_SHIFT
        tag = sentence.reading_logs[reading]
        edge = new_edge(label, structure.NO_LABEL, reading, state, label, -1, -1, -1, structure.WORD)
        factors = EdgeFactors(tag, 0.0, 0.0, 0.0, tag)
        filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, layout.KEPT)
        if filled < 0:
            return filled
    return filled


@kernel(allocates=False, inlined=True)
def may_be_base(sentence: SentenceArrays, cell: CurrentCell, head: int) -> bool:
    """Return whether no word that must be in the reduced sentence would be hidden in a baseNP with this head."""
    for position in range(cell.start, cell.last + 1):
        if (
            position != sentence.readings[head, structure.READING_POSITION]
            and sentence.demands[position, layout.MUST_BE_REDUCED]
        ):
            return False
    return True


@kernel(allocates=False, inlined=True)
def seed_cell(grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, cell: CurrentCell) -> int:
    """Put the word itself and the baseNPs over the span into the cell; return the number of candidates."""
    starts = sentence.reading_starts
    start = cell.start
    last = cell.last
    commas = 0
    if start > 0 and sentence.commas[start] > 0:
        commas |= layout.COMMA_BEFORE
    if last + 1 < sentence.commas.shape[0] and sentence.commas[last + 1] > 0:
        commas |= layout.COMMA_AFTER
    filled = 0
    if start == last and not sentence.demands[start, layout.WORD_FORBIDDEN]:
        filled = add_words(grammar, sentence, limits, chart, cell, commas)
        if filled < 0:
            return filled
    if cell.is_unbalanced or not sentence.base_allowed[start, last]:
        return filled
    for prefix in range(chart.prefix_ranges[start, 0], chart.prefix_ranges[start, 1]):
        head = prefix_head(grammar, sentence.readings, chart.prefixes[prefix])
        if may_be_base(sentence, cell, head):
            label = grammar.base_label
            state = (
                commas
                | layout.FINISHED
                | layout.FIRST_IN_BASE
                | layout.LAST_IN_BASE
                | satisfies(grammar.stacked, cell.demanded, label)
            )
            state |= (chart.prefixes[prefix, layout.PREFIX_FIRST] - starts[start]) << layout.FIRST_READING_SHIFT
            state |= (chart.prefixes[prefix, layout.PREFIX_LAST] - starts[last]) << layout.LAST_READING_SHIFT
            gap = chart.prefix_scores[prefix, 0]
            tag = chart.prefix_scores[prefix, 1]
            edge = new_edge(label, structure.NO_LABEL, head, state, label, prefix, -1, -1, structure.BASE)
            factors = EdgeFactors(gap + tag, gap, 0.0, 0.0, tag)
            filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, layout.KEPT)
            if filled < 0:
                return filled
    return filled


@kernel(allocates=False, inlined=True)
def candidate_unaries(
    grammar: Grammar, sentence: SentenceArrays, chart: Chart, cell: CurrentCell, row: Int32Array
) -> tuple[float, int]:
    """Estimate the unary parents of a candidate in its context (preset 5), as ``unary_distribution`` does.

    The estimates are left in ``chart.unary_scratch``, to be cleared with ``forget_parents``.
    """
    reading = sentence.readings[row[layout.HEAD]]
    tag = reading[structure.READING_TAG]
    neighbours = sentence.context_features
    head = ContextWord(
        int(reading[structure.READING_WORD]),
        int(tag),
        int(neighbours[cell.start, structure.BEFORE]),
        int(neighbours[cell.last, structure.AFTER]),
    )
    first_tag = int(neighbours[cell.start, structure.OWN_TAG])
    fill_constituent(chart.context, int(row[layout.LABEL]), head, max(int(row[layout.HEAD_LABEL]), 0), first_tag)
    levels = grammar.unary_levels[tag, row[layout.LABEL]]
    return unary_distribution(grammar.counts, levels, chart.context, chart.unary_scratch, chart.unary_seen)


@kernel(allocates=False, inlined=True)
def climb_cell(
    grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, cell: CurrentCell, filled: int
) -> int:
    """Put unary parents over the cell's candidates, along chains seen in training.

    What having no parent costs, which comes out along the way, is left for :func:`close_cell`.
    """
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    chain_starts = grammar.chain_starts
    chain_links = grammar.chain_links
    contexts = grammar.switches.unary_contexts
    scratch = chart.unary_scratch
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    floor = max(limits.threshold, best - limits.beam - limits.unary_slack)
    if limits.record == layout.RECORD_ALL or (limits.spare_words and cell.start == cell.last):
        floor = -np.inf
    # A unary result under the floor falls when the cell is closed; only lists of derivations have a use for it.
    hopeless = floor if limits.record == layout.RECORD_NOTHING else -np.inf
    slot = -1
    while slot + 1 < filled:
        slot += 1
        score = candidate_scores[slot]
        chart.candidate_nones[slot] = NOT_KNOWN
        label = candidates[slot, layout.LABEL]
        chain = candidates[slot, layout.CHAIN]
        if score < floor or chain_starts[chain] == chain_starts[chain + 1]:
            continue
        if bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, cell.start, cell.last, label):
            continue
        head = candidates[slot, layout.HEAD]
        tag = sentence.readings[head, structure.READING_TAG]
        state = (candidates[slot, layout.STATE] & ~layout.HAS_LEFT) | layout.FINISHED
        factor = 1.0
        seen = 0
        if contexts:
            factor, seen = candidate_unaries(grammar, sentence, chart, cell, candidates[slot])
            chart.candidate_nones[slot] = no_parent(grammar.unary_levels[tag, label], scratch, factor)
        # Log P̂ of a parent seen in none of the contexts differs from that by tag alone by the same for all.
        others = np.log(factor)
        for link in range(chain_starts[chain], chain_starts[chain + 1]):
            parent = chain_links[link, 0]
            if contexts and scratch[parent, S_SEEN] > 0.0:
                step = np.log(scratch[parent, S_VALUE])
            else:
                step = others + grammar.chain_steps[tag, link]
            if step == -np.inf:
                continue
            if score + step < hopeless:
                chart.totals[layout.T_UNDER_THRESHOLD if score + step < limits.threshold else layout.T_OUT_OF_BEAM] += 1
                continue
            full_state = state | satisfies(grammar.stacked, cell.demanded, parent)
            edge = new_edge(parent, label, head, full_state, chain_links[link, 1], slot, -1, -1, structure.UNARY)
            factors = EdgeFactors(score + step, 0.0, 0.0, step, 0.0)
            filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, layout.KEPT)
            if filled < 0:
                forget_parents(scratch, chart.unary_seen, seen)
                return filled
        forget_parents(scratch, chart.unary_seen, seen)
    return filled


# What the beam leaves of a cell (section 4.1): its candidates are pruned, and the survivors stored as chart items.


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
        slack = limits.unary_slack if candidates[slot, layout.KIND] == structure.UNARY else 0.0
        if spared or scores[slot] >= floor - slack:
            places[slot] = 1
            order[usable] = slot
            usable += 1
        else:
            places[slot] = -1
            chart.totals[layout.T_OUT_OF_BEAM] += 1
    for slot in range(filled - 1, -1, -1):
        if (
            places[slot] > 0
            and candidates[slot, layout.KIND] == structure.UNARY
            and places[candidates[slot, layout.LEFT]] < 0
        ):
            places[candidates[slot, layout.LEFT]] = 2
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
    label = row[layout.LABEL]
    tag = sentence.readings[row[layout.HEAD], structure.READING_TAG]
    score = chart.candidate_scores[slot]
    if cell.is_unbalanced or bracket_forbidden(
        sentence.forbidden_brackets, grammar.stacked, cell.start, cell.last, label
    ):
        return -np.inf
    if cell.demanded != structure.NO_LABEL and row[layout.STATE] & layout.SATISFIED == 0:
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
    first = totals[layout.T_ITEMS]
    cells[at_cell, 0] = first
    cells[at_cell, 1] = 0
    cells[at_cell, 2] = first
    if filled == 0:
        return layout.DONE_SEARCH
    if first + filled > items.shape[0]:
        return layout.ITEMS_FULL
    best = -np.inf
    for slot in range(filled):
        best = max(best, chart.candidate_scores[slot])
    floor = best - limits.beam
    usable, kept = prune_candidates(limits, chart, cell, filled, floor)
    for at in range(kept):
        slot = chart.order[at]
        item = first + at
        for column in range(layout.COLUMNS):
            items[item, column] = chart.candidates[slot, column]
        if items[item, layout.KIND] == structure.UNARY:
            items[item, layout.LEFT] = first + chart.places[items[item, layout.LEFT]]
        chart.item_scores[item, layout.SCORE] = chart.candidate_scores[slot]
        chart.item_scores[item, layout.DONE] = finished_score(grammar, sentence, chart, cell, slot)
        if cell.demanded != structure.NO_LABEL:
            # A demanded bracket must be finished here: nothing on this span may go on growing.
            items[item, layout.STATE] |= layout.FINISHED | layout.NO_CORE
    cells[at_cell, 1] = usable
    cells[at_cell, 2] = first + kept
    totals[layout.T_ITEMS] = first + kept
    if limits.record != layout.RECORD_NOTHING:
        settle_edges(chart, first_edge, first, usable, floor)
    return layout.DONE_SEARCH


@kernel(allocates=False)
def settle_edges(chart: Chart, first_edge: int, first_item: int, usable: int, floor: float) -> None:
    """Turn the candidates that a cell's edges name into items, and note which fell out of the beam."""
    for edge in range(first_edge, chart.totals[layout.T_EDGES]):
        row = chart.edges[edge]
        slot = row[layout.E_ITEM]
        if row[layout.E_KIND] == structure.UNARY:
            child = chart.places[row[layout.E_LEFT]]
            row[layout.E_LEFT] = first_item + child if child >= 0 else -1
        if slot < 0:
            continue
        place = chart.places[slot]
        if row[layout.E_REASON] == layout.KEPT and (place < 0 or place >= usable):
            row[layout.E_REASON] = layout.OUT_OF_BEAM
            chart.edge_factors[edge, layout.EF_MARGIN] = floor - chart.candidate_scores[slot]
        row[layout.E_ITEM] = first_item + place if place >= 0 else -1
