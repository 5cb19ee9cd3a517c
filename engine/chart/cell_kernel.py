"""One cell of the chart: what it starts with, and its unary parents (section 3).

Joins, which fill it, are in :mod:`engine.chart.join_kernel`; what is left of it in :mod:`engine.chart.beam_kernel`.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import prefix_head
from engine.chart.basenp_layout import PREFIX_FIRST, PREFIX_LAST
from engine.chart.chart_layout import (
    ANY_LABEL,
    CHAIN,
    COMMA_AFTER,
    COMMA_BEFORE,
    FINISHED,
    FIRST_IN_BASE,
    FIRST_READING_SHIFT,
    HAS_LEFT,
    HEAD,
    HEAD_LABEL,
    KEPT,
    LABEL,
    LAST_IN_BASE,
    LAST_READING_SHIFT,
    MUST_BE_REDUCED,
    RECORD_ALL,
    RECORD_NOTHING,
    SATISFIED,
    STATE,
    T_OUT_OF_BEAM,
    T_UNDER_THRESHOLD,
    TAG_LABEL,
    WORD_FORBIDDEN,
    Chart,
    CurrentCell,
    EdgeFactors,
    Grammar,
    Limits,
    SentenceArrays,
)
from engine.chart.edge_kernel import add_edge, new_edge
from engine.common.arrays import Int32Array
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


@kernel(allocates=False, inlined=True)
def bracket_status(brackets: Int32Array, start: int, last: int) -> tuple[int, int]:
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


@kernel(allocates=False, inlined=True)
def bracket_forbidden(forbidden: Int32Array, stacked: Int32Array, start: int, last: int, label: int) -> bool:
    """Whether a finished constituent of this label is forbidden on this span."""
    for row in range(forbidden.shape[0]):
        named = forbidden[row, 2] == label or (forbidden[row, 2] == ANY_LABEL and stacked[label, 2])
        if named and forbidden[row, 0] == start and forbidden[row, 1] == last:
            return True
    return False


@kernel(allocates=False, inlined=True)
def satisfies(stacked: Int32Array, demanded: int, label: int) -> int:
    """State bit of a constituent on a span of which `demanded` is demanded."""
    return SATISFIED if demanded == label or (demanded == ANY_LABEL and stacked[label, 2]) else 0


@kernel(allocates=False, inlined=True)
def unbalanced(context_features: Int32Array, start: int, last: int) -> bool:
    """Whether a span of several words holds one of two brackets and not the other (preset 5)."""
    if start == last:
        return False
    for position in range(start, last + 1):
        partner = context_features[position, PARTNER]
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
        label = grammar.tags[sentence.readings[reading, READING_TAG], TAG_LABEL]
        local = reading - starts[cell.start]
        state = commas | FINISHED | satisfies(grammar.stacked, cell.demanded, label)
        state |= local << FIRST_READING_SHIFT | local << LAST_READING_SHIFT
        tag = sentence.reading_logs[reading]
        edge = new_edge(label, NO_LABEL, reading, state, label, -1, -1, -1, WORD)
        factors = EdgeFactors(tag, 0.0, 0.0, 0.0, tag)
        filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, KEPT)
        if filled < 0:
            return filled
    return filled


@kernel(allocates=False, inlined=True)
def may_be_base(sentence: SentenceArrays, cell: CurrentCell, head: int) -> bool:
    """Whether no word that must be in the reduced sentence would be hidden in a baseNP with this head."""
    for position in range(cell.start, cell.last + 1):
        if position != sentence.readings[head, READING_POSITION] and sentence.demands[position, MUST_BE_REDUCED]:
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
        commas |= COMMA_BEFORE
    if last + 1 < sentence.commas.shape[0] and sentence.commas[last + 1] > 0:
        commas |= COMMA_AFTER
    filled = 0
    if start == last and not sentence.demands[start, WORD_FORBIDDEN]:
        filled = add_words(grammar, sentence, limits, chart, cell, commas)
        if filled < 0:
            return filled
    if cell.is_unbalanced or not sentence.base_allowed[start, last]:
        return filled
    for prefix in range(chart.prefix_ranges[start, 0], chart.prefix_ranges[start, 1]):
        head = prefix_head(grammar, sentence.readings, chart.prefixes[prefix])
        if may_be_base(sentence, cell, head):
            label = grammar.base_label
            state = commas | FINISHED | FIRST_IN_BASE | LAST_IN_BASE | satisfies(grammar.stacked, cell.demanded, label)
            state |= (chart.prefixes[prefix, PREFIX_FIRST] - starts[start]) << FIRST_READING_SHIFT
            state |= (chart.prefixes[prefix, PREFIX_LAST] - starts[last]) << LAST_READING_SHIFT
            gap = chart.prefix_scores[prefix, 0]
            tag = chart.prefix_scores[prefix, 1]
            edge = new_edge(label, NO_LABEL, head, state, label, prefix, -1, -1, BASE)
            factors = EdgeFactors(gap + tag, gap, 0.0, 0.0, tag)
            filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, KEPT)
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
    head = row[HEAD]
    tag = sentence.readings[head, READING_TAG]
    neighbours = sentence.context_features
    context = UnaryContext(
        int(row[LABEL]),
        int(sentence.readings[head, READING_WORD]),
        int(tag),
        int(neighbours[cell.start, BEFORE]),
        int(neighbours[cell.last, AFTER]),
        max(int(row[HEAD_LABEL]), 0),
        int(neighbours[cell.start, OWN_TAG]),
    )
    levels = grammar.unary_levels[tag, row[LABEL]]
    return unary_distribution(grammar.counts, levels, context, chart.unary_scratch, chart.unary_seen)


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
    if limits.record == RECORD_ALL or (limits.spare_words and cell.start == cell.last):
        floor = -np.inf
    # A unary result under the floor falls when the cell is closed; only lists of derivations have a use for it.
    hopeless = floor if limits.record == RECORD_NOTHING else -np.inf
    slot = -1
    while slot + 1 < filled:
        slot += 1
        score = candidate_scores[slot]
        chart.candidate_nones[slot] = NOT_KNOWN
        label = candidates[slot, LABEL]
        chain = candidates[slot, CHAIN]
        if score < floor or chain_starts[chain] == chain_starts[chain + 1]:
            continue
        if bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, cell.start, cell.last, label):
            continue
        head = candidates[slot, HEAD]
        tag = sentence.readings[head, READING_TAG]
        state = (candidates[slot, STATE] & ~HAS_LEFT) | FINISHED
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
                chart.totals[T_UNDER_THRESHOLD if score + step < limits.threshold else T_OUT_OF_BEAM] += 1
                continue
            full_state = state | satisfies(grammar.stacked, cell.demanded, parent)
            edge = new_edge(parent, label, head, full_state, chain_links[link, 1], slot, -1, -1, UNARY)
            factors = EdgeFactors(score + step, 0.0, 0.0, step, 0.0)
            filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, KEPT)
            if filled < 0:
                forget_parents(scratch, chart.unary_seen, seen)
                return filled
        forget_parents(scratch, chart.unary_seen, seen)
    return filled
