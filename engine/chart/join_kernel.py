"""Joining two constituents side by side (section 3, Figure 4).

One becomes a modifier of the other's head-word, which gives "two new probability terms: one for the baseNP gap
tag between the two constituents, and the other for the dependency between the head words".

The items of a cell stand best first.  Whatever is worse than the best of the cell by more than the beam will be
pruned (section 4.1), so joins are passed over as soon as the factors known so far say that.
"""

from __future__ import annotations

import numpy as np

from engine.chart.cached_estimates_kernel import (
    HEAD_LABELS,
    MODIFIER_LABELS,
    NOT_ESTIMATED,
    cache_estimates,
    estimate_place,
    label_bit,
)
from engine.chart.cell_kernel import satisfies
from engine.chart.chart_layout import (
    AGAINST_COMMA_RULE,
    AGAINST_CONSTRAINT,
    B_BEST,
    B_CUT,
    B_HIGHEST_SKIPPED,
    B_LOWEST_SKIPPED,
    CANCELLED,
    DONE,
    ESTIMATES_FULL,
    EXTENDED_RULE,
    FINISHED,
    FIRST_IN_BASE,
    FIRST_READING_SHIFT,
    HAS_LEFT,
    HEAD,
    HEAD_LABEL,
    KEPT,
    KIND,
    LABEL,
    LAST_IN_BASE,
    LAST_READING_SHIFT,
    NO_CORE,
    RECORD_ALL,
    SAME,
    SCORE,
    STATE,
    T_OUT_OF_BEAM,
    T_UNDER_THRESHOLD,
    T_WORK,
    TAG_IS_VERB,
    TOO_COSTLY,
    Chart,
    CurrentCell,
    EdgeFactors,
    Grammar,
    Limits,
    Pair,
    SentenceArrays,
)
from engine.chart.edge_kernel import add_edge, new_edge
from engine.chart.item_state_kernel import delta_answers, joined_state
from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import (
    BASE,
    ENDS_BEFORE,
    GAP_BETWEEN,
    GAP_END,
    GAP_NULL,
    GAP_START,
    GROW_LEFT,
    GROW_RIGHT,
    READING,
    READING_TAG,
    START_LEFT,
    START_RIGHT,
)

RELATIONS_SHIFT = 4
"""Sixteen relations of two words are as much work as a pair of items: treebanks have few, a model may have many."""


@kernel(allocates=False, inlined=True)
def split_allowed(brackets: Int32Array, start: int, last: int, middle: int) -> bool:
    """Whether a span may be split after `middle` although brackets are demanded within it."""
    for row in range(brackets.shape[0]):
        first = brackets[row, 0]
        final = brackets[row, 1]
        inside = start <= first and final <= last and (first != start or final != last)
        if inside and first <= middle < final:
            return False
    return True


@kernel(allocates=False, inlined=True)
def skip(bounds: FloatArray, score: float) -> None:
    """Note that joins of at most this score are passed over."""
    bounds[B_HIGHEST_SKIPPED] = max(bounds[B_HIGHEST_SKIPPED], score)
    bounds[B_LOWEST_SKIPPED] = min(bounds[B_LOWEST_SKIPPED], score)


@kernel(allocates=False, inlined=True)
def first_of_label(grammar: Grammar, chart: Chart, first: int, end: int, label: int) -> int:
    """The first of the estimates ``first .. end`` whose modifier has this label; relations are in its order."""
    while first < end:
        half = (first + end) // 2
        if grammar.triples[chart.estimate_relations[half], 0] < label:
            first = half + 1
        else:
            end = half
    return first


@kernel(allocates=False, inlined=True)
def attach(
    grammar: Grammar,
    sentence: SentenceArrays,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    pair: Pair,
) -> int:
    """Join two items by every relation seen between them; return the number of candidates, or a negative status.

    The head either takes one more modifier at its own level (*grow*), or is finished and the head-child of a new
    level (*start*).
    """
    items = chart.items
    triples = grammar.triples
    bounds = chart.bounds
    head_item = pair.left if pair.head_first else pair.right
    modifier_item = pair.right if pair.head_first else pair.left
    modifier_done = chart.item_scores[modifier_item, DONE]
    given = chart.item_scores[head_item, SCORE] + modifier_done + pair.gap
    head_state = items[head_item, STATE]
    modifier_state = items[modifier_item, STATE]
    head = items[head_item, HEAD]
    modifier = items[modifier_item, HEAD]
    modifier_label = items[modifier_item, LABEL]
    head_label = items[head_item, LABEL]
    head_child_label = items[head_item, HEAD_LABEL]
    head_same = items[head_item, SAME]
    grows = not (head_state & FINISHED) and not (pair.head_first and head_state & HAS_LEFT)
    has_core = items[head_item, KIND] == BASE and not head_state & NO_CORE
    head_done = chart.item_scores[head_item, DONE]
    is_verb = grammar.tags[sentence.readings[modifier, READING_TAG], TAG_IS_VERB]
    state = joined_state(head_state, modifier_state, pair.head_first, is_verb)
    end = chart.estimate_ranges[pair.place, 1]
    for at in range(first_of_label(grammar, chart, chart.estimate_ranges[pair.place, 0], end, modifier_label), end):
        relation = chart.estimate_relations[at]
        if triples[relation, 0] != modifier_label:
            break
        parent = triples[relation, 1]
        head_child = triples[relation, 2]
        dependency = chart.estimates[at]
        if grows and parent == head_label and head_child == head_child_label:
            score = given + dependency
            kind = GROW_RIGHT if pair.head_first else GROW_LEFT
        elif has_core and head_child == grammar.core_label:
            # A core is no constituent of its own: it pays for no unary.
            score = given + dependency
            kind = START_RIGHT if pair.head_first else START_LEFT
        elif head_child == (head_same if parent == head_label else head_label):
            score = head_done + modifier_done + pair.gap + dependency
            kind = START_RIGHT if pair.head_first else START_LEFT
        else:
            continue
        if score == -np.inf:
            continue
        if score < bounds[B_CUT]:
            skip(bounds, score)
            continue
        full_state = state | satisfies(grammar.stacked, cell.demanded, parent)
        edge = new_edge(parent, head_child, head, full_state, parent, pair.left, pair.right, relation, kind)
        factors = EdgeFactors(score, pair.gap, dependency, 0.0, 0.0)
        filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, pair.reason)
        if filled < 0:
            return filled
        if score > bounds[B_BEST] and limits.record != RECORD_ALL:
            bounds[B_BEST] = score
            bounds[B_CUT] = max(limits.threshold, score - limits.beam)
    return filled


@kernel(allocates=False, inlined=True)
def split_reason(sentence: SentenceArrays, limits: Limits, cell: CurrentCell, middle: int) -> int:
    """Why a cell may not be split after `middle`; KEPT if it may."""
    if sentence.demanded_brackets.shape[0] > 0 and not split_allowed(
        sentence.demanded_brackets, cell.start, cell.last, middle
    ):
        return AGAINST_CONSTRAINT
    # Section 2.7: children separated by a comma, and the second not followed by one.
    after = cell.last + 1
    if limits.comma_rule and sentence.commas[middle + 1] > 0 and after < sentence.commas.shape[0]:
        may_end = limits.comma_rule == EXTENDED_RULE and sentence.context_features[after, ENDS_BEFORE] > 0
        if sentence.commas[after] == 0 and not may_end:
            return AGAINST_COMMA_RULE
    return KEPT


@kernel(allocates=False, inlined=True)
def may_be_related(grammar: Grammar, chart: Chart, place: int, head_item: Int32Array, modifier_label: int) -> bool:
    """Whether some relation of the estimates at a place may have this modifier, and one this head-child."""
    if not (chart.estimate_labels[place, MODIFIER_LABELS] >> label_bit(modifier_label)) & 1:
        return False
    # As attach writes the head-child: by its label, by its own head-child, or as a core.
    head_labels = 1 << label_bit(head_item[LABEL]) | 1 << label_bit(head_item[SAME])
    head_labels |= 1 << label_bit(head_item[HEAD_LABEL])
    if head_item[KIND] == BASE:
        head_labels |= 1 << label_bit(grammar.core_label)
    return bool(chart.estimate_labels[place, HEAD_LABELS] & head_labels)


@kernel(allocates=False, inlined=True)
def join_pair(
    grammar: Grammar,
    sentence: SentenceArrays,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    pair: Pair,
) -> int:
    """Join two items with either as the head, unless what is known so far says that nothing comes of it.

    Returns the number of candidates, or a negative status.
    """
    items = chart.items
    item_scores = chart.item_scores
    bounds = chart.bounds
    for side in range(2):
        head_first = side == 0
        head_item = pair.left if head_first else pair.right
        modifier_item = pair.right if head_first else pair.left
        modifier_done = item_scores[modifier_item, DONE]
        if modifier_done == -np.inf:
            continue
        given = item_scores[head_item, SCORE] + modifier_done + pair.gap
        if given < bounds[B_CUT]:
            skip(bounds, given)
            continue
        place = pair.place + side
        if chart.best_estimates[place] == NOT_ESTIMATED:
            modifier = items[modifier_item, HEAD]
            head = items[head_item, HEAD]
            if not cache_estimates(grammar, sentence, chart, modifier, head, place):
                return -ESTIMATES_FULL
        likely = given + chart.best_estimates[place]
        if likely == -np.inf:
            continue
        if likely < bounds[B_CUT]:
            skip(bounds, likely)
            continue
        if may_be_related(grammar, chart, place, items[head_item], items[modifier_item, LABEL]):
            relations = chart.estimate_ranges[place, 1] - chart.estimate_ranges[place, 0]
            chart.totals[T_WORK] += relations >> RELATIONS_SHIFT
            one_way = Pair(pair.left, pair.right, head_first, pair.gap, pair.reason, place)
            filled = attach(grammar, sentence, limits, chart, cell, filled, one_way)
            if filled < 0:
                return filled
    return filled


@kernel(allocates=False, inlined=True)
def join_split(
    grammar: Grammar,
    sentence: SentenceArrays,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    middle: int,
    reason: int,
) -> int:
    """Join every two items that meet after `middle`; return the number of candidates, or a negative status.

    Nine of ten pairs come to nothing.  What says so is computed for both directions at once and asked for once, for
    a processor that has guessed the answer to each question by itself is wrong too often.
    """
    gaps = sentence.gaps
    items = chart.items
    item_scores = chart.item_scores
    bounds = chart.bounds
    size = sentence.commas.shape[0]
    left_cell = chart.cells[cell.start * size + middle]
    right_cell = chart.cells[(middle + 1) * size + cell.last]
    if left_cell[1] == 0 or right_cell[1] == 0:
        return filled
    right_first = right_cell[0]
    right_end = right_first + right_cell[1]
    right_best = item_scores[right_first, SCORE]
    right_readings = sentence.reading_starts[middle + 2] - sentence.reading_starts[middle + 1]
    highest = -np.inf
    lowest = np.inf
    looked = 0
    for left in range(left_cell[0], left_cell[0] + left_cell[1]):
        # One cell of a long sentence may be the work of seconds, and one split of a cell that of a hostile model.
        if chart.cancel[0]:
            return -CANCELLED
        if 0 < limits.most_work < chart.totals[T_WORK] + looked:
            return -TOO_COSTLY
        left_score = item_scores[left, SCORE]
        left_done = item_scores[left, DONE]
        if left_score + right_best < bounds[B_CUT]:
            skip(bounds, left_score + right_best)
            break
        left_state = items[left, STATE]
        left_head = items[left, HEAD]
        gap_row = sentence.gap_starts[middle + 1] + (left_state >> LAST_READING_SHIFT & READING) * right_readings
        before_base = GAP_BETWEEN if left_state & LAST_IN_BASE else GAP_START
        before_other = GAP_END if left_state & LAST_IN_BASE else GAP_NULL
        for right in range(right_first, right_end):
            looked += 1
            cut = bounds[B_CUT]
            right_score = item_scores[right, SCORE]
            together = left_score + right_score
            if together < cut:
                skip(bounds, together)
                break
            right_done = item_scores[right, DONE]
            right_state = items[right, STATE]
            row = gap_row + (right_state >> FIRST_READING_SHIFT & READING)
            gap = gaps[row, before_base if right_state & FIRST_IN_BASE else before_other]
            place = estimate_place(left_head, items[right, HEAD], delta_answers(left_state, right_state))
            together += gap
            head_left = left_score + right_done + gap
            head_right = right_score + left_done + gap
            likely_left = head_left + chart.best_estimates[place]
            likely_right = head_right + chart.best_estimates[place + 1]
            if ((head_left < cut) | (likely_left < cut)) & ((head_right < cut) | (likely_right < cut)):
                # The score of which it is known first, of either direction.
                if not head_left < cut:
                    head_left = likely_left
                if not head_right < cut:
                    head_right = likely_right
                if together < cut:
                    head_left = together
                    head_right = together
                highest = max(highest, max(head_left, head_right))
                lowest = min(lowest, head_left if head_left > -np.inf else np.inf)
                lowest = min(lowest, head_right if head_right > -np.inf else np.inf)
                continue
            if gap == -np.inf:
                continue
            pair = Pair(left, right, True, gap, reason, place)
            filled = join_pair(grammar, sentence, limits, chart, cell, filled, pair)
            if filled < 0:
                return filled
    chart.totals[T_WORK] += looked
    bounds[B_HIGHEST_SKIPPED] = max(bounds[B_HIGHEST_SKIPPED], highest)
    bounds[B_LOWEST_SKIPPED] = min(bounds[B_LOWEST_SKIPPED], lowest)
    return filled


@kernel(allocates=False, inlined=True)
def join_cell(
    grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, cell: CurrentCell, filled: int
) -> int:
    """Join every two items side by side that make up the span; return the number of candidates."""
    bounds = chart.bounds
    trace = limits.record == RECORD_ALL
    best = -np.inf
    for slot in range(filled):
        best = max(best, chart.candidate_scores[slot])
    bounds[B_BEST] = best
    bounds[B_CUT] = -np.inf if trace else max(limits.threshold, best - limits.beam)
    bounds[B_HIGHEST_SKIPPED] = -np.inf
    bounds[B_LOWEST_SKIPPED] = np.inf
    for middle in range(cell.start, cell.last):
        reason = split_reason(sentence, limits, cell, middle)
        if reason == KEPT or trace:
            filled = join_split(grammar, sentence, limits, chart, cell, filled, middle, reason)
            if filled < 0:
                return filled
    if bounds[B_LOWEST_SKIPPED] < limits.threshold:
        chart.totals[T_UNDER_THRESHOLD] += 1
    if bounds[B_HIGHEST_SKIPPED] >= limits.threshold:
        chart.totals[T_OUT_OF_BEAM] += 1
    return filled
