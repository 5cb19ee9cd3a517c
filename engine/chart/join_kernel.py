"""Joining two constituents side by side (section 3, Figure 4), with F̂ computed once a sentence for two words at one
Δ.
"""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.cell_kernel import add_edge, new_edge, satisfies
from engine.chart.chart_layout import Chart, CurrentCell, EdgeFactors, Grammar, Limits, Pair, SentenceArrays
from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.lookup_kernel import classes_between, delta_code, fill_pair, reading_in_context
from engine.estimates.dependency_kernel import dependency_estimates
from engine.structure import sentence_layout as structure

# Cached estimates: F̂ of two words at one Δ is the same in every cell, and is computed once a sentence (section 3).
#
# What of Δ depends on the constituents that are joined, and not on the two words alone, is a set of *answers*:
# whether the two are adjacent, whether a verb stands between them, and whether a comma follows the first word or
# precedes the second.

NOT_ESTIMATED = 1e300
"""In place of the best log F̂ of two words: they were not met yet, so that nothing can be ruled out."""
MODIFIER_LABELS, HEAD_LABELS = range(2)
"""Columns of ``Chart.estimate_labels``."""
ESTIMATES_SHIFT = 2
"""Four relations that are estimated, or moved by a place, are as much work as a pair of items, and take 48 bytes."""


@kernel(allocates=False, inlined=True)
def label_bit(label: int) -> int:
    """Return the bit that stands for a label in a set of labels; labels may share one."""
    return min(int(label) & 63, 62)


@kernel(allocates=False, inlined=True)
def estimate_place(left: int, right: int, answers: int) -> int:
    """Return where the estimates of two readings at one Δ are, the left one being the head;
    where it is not they come next.
    """
    return ((int(right) * (int(right) - 1) // 2 + int(left)) << layout.ANSWER_BITS | answers) << 1


@kernel(allocates=False, inlined=True)
def estimate_places(readings: int) -> int:
    """Return how many places there are for the estimates of so many readings."""
    return (readings * (readings - 1) // 2) << layout.ANSWER_BITS << 1


@kernel(allocates=False, inlined=True)
def drop_forbidden(sentence: SentenceArrays, chart: Chart, modifier: int, head: int, start: int, end: int) -> int:
    """Take relations that the caller forbids between two words out of the estimates; return their new end."""
    demanded = sentence.demands[modifier, layout.DEMANDED_RELATION]
    forbidden = sentence.forbidden_relations
    if demanded < 0 and forbidden.shape[0] == 0:
        return end
    kept = start
    for at in range(start, end):
        relation = chart.estimate_relations[at]
        allowed = demanded < 0 or relation == demanded
        for row in range(forbidden.shape[0]):
            if forbidden[row, 0] == modifier and forbidden[row, 1] == head and forbidden[row, 2] == relation:
                allowed = False
        if allowed:
            chart.estimate_relations[kept] = relation
            chart.estimates[kept] = chart.estimates[at]
            kept += 1
    return kept


@kernel(allocates=False, inlined=True)
def group_by_label(triples: Int32Array, relations: Int32Array, estimates: FloatArray, start: int, end: int) -> int:
    """Put relations in the order of their modifiers' labels; those of one label keep their order.

    They are in it unless, with tags ignored, there are relations from words under other tags.  The result is how many
    had to be moved, by a place each time.
    """
    moved = 0
    for at in range(start + 1, end):
        relation = relations[at]
        estimate = estimates[at]
        back = at
        while back > start and triples[relations[back - 1], 0] > triples[relation, 0]:
            relations[back] = relations[back - 1]
            estimates[back] = estimates[back - 1]
            back -= 1
        moved += at - back
        relations[back] = relation
        estimates[back] = estimate
    return moved


@kernel(allocates=False, inlined=True)
def cache_estimates(
    grammar: Grammar, sentence: SentenceArrays, chart: Chart, modifier: int, head: int, place: int
) -> bool:
    """Estimate F̂ of two readings at one Δ, once; the result tells whether there was room for it.

    The place is their :func:`estimate_place`, or the one after it.
    """
    readings = sentence.readings
    comma_sums = chart.comma_sums
    neighbours = sentence.context_features
    relations = chart.estimate_relations
    estimates = chart.estimates
    answers = place >> 1
    # Where the two words stand: the caller's demands are on words, whatever their tags.
    below = readings[modifier, structure.READING_POSITION]
    above = readings[head, structure.READING_POSITION]
    start = chart.totals[layout.T_ESTIMATES]
    end = start
    if sentence.arrow_allowed[below, above]:
        head_first = 1 if above < below else 0
        commas = comma_sums[below] - comma_sums[above] if head_first else comma_sums[above] - comma_sums[below]
        delta = delta_code(
            head_first,
            answers & layout.ADJACENT,
            answers & layout.VERB,
            commas,
            answers & layout.COMMA_AFTER_FIRST,
            answers & layout.COMMA_BEFORE_SECOND,
        )
        between = 0
        if grammar.switches.contexts:
            between = classes_between(
                neighbours[:, structure.OWN_TAG],
                grammar.between_classes,
                min(below, above),
                max(below, above),
                readings[modifier, structure.READING_TAG],
                readings[head, structure.READING_TAG],
            )
        fill_pair(
            chart.context,
            reading_in_context(readings, modifier, neighbours, below),
            reading_in_context(readings, head, neighbours, above),
            int(delta),
            int(between),
        )
        scratch = chart.dependency_scratch
        lookups = chart.lookups
        end = dependency_estimates(
            grammar.counts, grammar.switches, chart.context, lookups, scratch, relations, estimates, start
        )
        if end < 0:
            return False
        end = drop_forbidden(sentence, chart, below, above, start, end)
        moved = group_by_label(grammar.triples, relations, estimates, start, end)
        chart.totals[layout.T_WORK] += (end - start + moved) >> ESTIMATES_SHIFT
    modifier_labels = 0
    head_labels = 0
    best = -np.inf
    for at in range(start, end):
        relation = relations[at]
        modifier_labels |= 1 << label_bit(grammar.triples[relation, 0])
        head_labels |= 1 << label_bit(grammar.triples[relation, 2])
        best = max(best, estimates[at])
    chart.estimate_ranges[place, 0] = start
    chart.estimate_ranges[place, 1] = end
    chart.estimate_labels[place, MODIFIER_LABELS] = modifier_labels
    chart.estimate_labels[place, HEAD_LABELS] = head_labels
    chart.best_estimates[place] = best
    chart.totals[layout.T_ESTIMATES] = end
    return True


# The state of chart items: what Δ and the gap tags need to know of two constituents that are joined (section 2.3).


@kernel(allocates=False, inlined=True)
def delta_answers(left_state: int, right_state: int) -> int:
    """Return what two constituents side by side tell of the Δ between their head-words (section 2.3).

    Which of them is the head makes no difference.
    """
    near_left = (left_state >> layout.RIGHT_SHIFT) & layout.SIDE
    near_right = (right_state >> layout.LEFT_SHIFT) & layout.SIDE
    answers = (left_state & layout.COMMA_AFTER) >> 4 | (right_state & layout.COMMA_BEFORE) >> 4
    if near_left == 0 and near_right == 0:
        answers |= layout.ADJACENT
    elif near_left == 2 or near_right == 2:
        answers |= layout.VERB
    return answers


@kernel(allocates=False, inlined=True)
def joined_state(head_state: int, modifier_state: int, head_first: bool, is_verb: int) -> int:
    """State of a constituent that takes a modifier; `is_verb`: whether the modifier's head-word is a verb."""
    near_head = (head_state >> (layout.RIGHT_SHIFT if head_first else layout.LEFT_SHIFT)) & layout.SIDE
    # What lies between the head and the new edge of the constituent.
    far = 1
    if (
        near_head == 2
        or (modifier_state >> layout.LEFT_SHIFT) & layout.SIDE == 2
        or (modifier_state >> layout.RIGHT_SHIFT) & layout.SIDE == 2
        or is_verb
    ):
        far = 2
    if head_first:
        return (
            (
                head_state
                & (layout.COMMA_BEFORE | layout.COMMA_AFTER | layout.FIRST_WORD | (layout.SIDE << layout.LEFT_SHIFT))
            )
            | (modifier_state & layout.LAST_WORD)
            | (far << layout.RIGHT_SHIFT)
        )
    return (
        (
            head_state
            & (layout.COMMA_BEFORE | layout.COMMA_AFTER | layout.LAST_WORD | (layout.SIDE << layout.RIGHT_SHIFT))
        )
        | (modifier_state & layout.FIRST_WORD)
        | (far << layout.LEFT_SHIFT)
        | layout.HAS_LEFT
    )


# Joining two constituents side by side (section 3, Figure 4).
#
# One becomes a modifier of the other's head-word, which gives "two new probability terms: one for the baseNP gap
# tag between the two constituents, and the other for the dependency between the head words".
#
# The items of a cell stand best first.  Whatever is worse than the best of the cell by more than the beam will be
# pruned (section 4.1), so joins are passed over as soon as the factors known so far say that.

RELATIONS_SHIFT = 4
"""Sixteen relations of two words are as much work as a pair of items: treebanks have few, a model may have many."""


@kernel(allocates=False, inlined=True)
def split_allowed(brackets: Int32Array, start: int, last: int, middle: int) -> bool:
    """Return whether a span may be split after `middle` although brackets are demanded within it."""
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
    bounds[layout.B_HIGHEST_SKIPPED] = max(bounds[layout.B_HIGHEST_SKIPPED], score)
    bounds[layout.B_LOWEST_SKIPPED] = min(bounds[layout.B_LOWEST_SKIPPED], score)


@kernel(allocates=False, inlined=True)
def first_of_label(grammar: Grammar, chart: Chart, first: int, end: int, label: int) -> int:
    """Return the first of the estimates ``first .. end`` whose modifier has this label; relations are in its order."""
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
    modifier_done = chart.item_scores[modifier_item, layout.DONE]
    given = chart.item_scores[head_item, layout.SCORE] + modifier_done + pair.gap
    head_state = items[head_item, layout.STATE]
    modifier_state = items[modifier_item, layout.STATE]
    head = items[head_item, layout.HEAD]
    modifier = items[modifier_item, layout.HEAD]
    modifier_label = items[modifier_item, layout.LABEL]
    head_label = items[head_item, layout.LABEL]
    head_child_label = items[head_item, layout.HEAD_LABEL]
    head_same = items[head_item, layout.SAME]
    grows = not (head_state & layout.FINISHED) and not (pair.head_first and head_state & layout.HAS_LEFT)
    has_core = items[head_item, layout.KIND] == structure.BASE and not head_state & layout.NO_CORE
    head_done = chart.item_scores[head_item, layout.DONE]
    is_verb = grammar.tags[sentence.readings[modifier, structure.READING_TAG], layout.TAG_IS_VERB]
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
            kind = structure.GROW_RIGHT if pair.head_first else structure.GROW_LEFT
        elif has_core and head_child == grammar.core_label:
            # A core is not a constituent by itself: it pays for no unary.
            score = given + dependency
            kind = structure.START_RIGHT if pair.head_first else structure.START_LEFT
        elif head_child == (head_same if parent == head_label else head_label):
            score = head_done + modifier_done + pair.gap + dependency
            kind = structure.START_RIGHT if pair.head_first else structure.START_LEFT
        else:
            continue
        if score == -np.inf:
            continue
        if score < bounds[layout.B_CUT]:
            skip(bounds, score)
            continue
        full_state = state | satisfies(grammar.stacked, cell.demanded, parent)
        edge = new_edge(parent, head_child, head, full_state, parent, pair.left, pair.right, relation, kind)
        factors = EdgeFactors(score, pair.gap, dependency, 0.0, 0.0)
        filled = add_edge(grammar, limits, chart, cell, filled, edge, factors, pair.reason)
        if filled < 0:
            return filled
        if score > bounds[layout.B_BEST] and limits.record != layout.RECORD_ALL:
            bounds[layout.B_BEST] = score
            bounds[layout.B_CUT] = max(limits.threshold, score - limits.beam)
    return filled


@kernel(allocates=False, inlined=True)
def split_reason(sentence: SentenceArrays, limits: Limits, cell: CurrentCell, middle: int) -> int:
    """Return why a cell may not be split after `middle`; KEPT if it may."""
    if sentence.demanded_brackets.shape[0] > 0 and not split_allowed(
        sentence.demanded_brackets, cell.start, cell.last, middle
    ):
        return layout.AGAINST_CONSTRAINT
    # Section 2.7: children separated by a comma, and the second not followed by one.
    after = cell.last + 1
    if limits.comma_rule and sentence.commas[middle + 1] > 0 and after < sentence.commas.shape[0]:
        may_end = (
            limits.comma_rule == layout.EXTENDED_RULE and sentence.context_features[after, structure.ENDS_BEFORE] > 0
        )
        if sentence.commas[after] == 0 and not may_end:
            return layout.AGAINST_COMMA_RULE
    return layout.KEPT


@kernel(allocates=False, inlined=True)
def may_be_related(grammar: Grammar, chart: Chart, place: int, head_item: Int32Array, modifier_label: int) -> bool:
    """Return whether some relation of the estimates at a place may have this modifier, and one this head-child."""
    if not (chart.estimate_labels[place, MODIFIER_LABELS] >> label_bit(modifier_label)) & 1:
        return False
    # As attach writes the head-child: by its label, by its own head-child, or as a core.
    head_labels = 1 << label_bit(head_item[layout.LABEL]) | 1 << label_bit(head_item[layout.SAME])
    head_labels |= 1 << label_bit(head_item[layout.HEAD_LABEL])
    if head_item[layout.KIND] == structure.BASE:
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
        modifier_done = item_scores[modifier_item, layout.DONE]
        if modifier_done == -np.inf:
            continue
        given = item_scores[head_item, layout.SCORE] + modifier_done + pair.gap
        if given < bounds[layout.B_CUT]:
            skip(bounds, given)
            continue
        place = pair.place + side
        if chart.best_estimates[place] == NOT_ESTIMATED:
            modifier = items[modifier_item, layout.HEAD]
            head = items[head_item, layout.HEAD]
            if not cache_estimates(grammar, sentence, chart, modifier, head, place):
                return -layout.ESTIMATES_FULL
        likely = given + chart.best_estimates[place]
        if likely == -np.inf:
            continue
        if likely < bounds[layout.B_CUT]:
            skip(bounds, likely)
            continue
        if may_be_related(grammar, chart, place, items[head_item], items[modifier_item, layout.LABEL]):
            relations = chart.estimate_ranges[place, 1] - chart.estimate_ranges[place, 0]
            chart.totals[layout.T_WORK] += relations >> RELATIONS_SHIFT
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
    right_best = item_scores[right_first, layout.SCORE]
    right_readings = sentence.reading_starts[middle + 2] - sentence.reading_starts[middle + 1]
    highest = -np.inf
    lowest = np.inf
    looked = 0
    for left in range(left_cell[0], left_cell[0] + left_cell[1]):
        # One cell of a long sentence may be the work of seconds, and one split of a cell that of a hostile model.
        if chart.cancel[0]:
            return -layout.CANCELLED
        if 0 < limits.most_work < chart.totals[layout.T_WORK] + looked:
            return -layout.TOO_COSTLY
        left_score = item_scores[left, layout.SCORE]
        left_done = item_scores[left, layout.DONE]
        if left_score + right_best < bounds[layout.B_CUT]:
            skip(bounds, left_score + right_best)
            break
        left_state = items[left, layout.STATE]
        left_head = items[left, layout.HEAD]
        gap_row = (
            sentence.gap_starts[middle + 1]
            + (left_state >> layout.LAST_READING_SHIFT & structure.READING) * right_readings
        )
        before_base = structure.GAP_BETWEEN if left_state & layout.LAST_IN_BASE else structure.GAP_START
        before_other = structure.GAP_END if left_state & layout.LAST_IN_BASE else structure.GAP_NULL
        for right in range(right_first, right_end):
            looked += 1
            cut = bounds[layout.B_CUT]
            right_score = item_scores[right, layout.SCORE]
            together = left_score + right_score
            if together < cut:
                skip(bounds, together)
                break
            right_done = item_scores[right, layout.DONE]
            right_state = items[right, layout.STATE]
            row = gap_row + (right_state >> layout.FIRST_READING_SHIFT & structure.READING)
            gap = gaps[row, before_base if right_state & layout.FIRST_IN_BASE else before_other]
            place = estimate_place(left_head, items[right, layout.HEAD], delta_answers(left_state, right_state))
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
    chart.totals[layout.T_WORK] += looked
    bounds[layout.B_HIGHEST_SKIPPED] = max(bounds[layout.B_HIGHEST_SKIPPED], highest)
    bounds[layout.B_LOWEST_SKIPPED] = min(bounds[layout.B_LOWEST_SKIPPED], lowest)
    return filled


@kernel(allocates=False, inlined=True)
def join_cell(
    grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, cell: CurrentCell, filled: int
) -> int:
    """Join every two items side by side that make up the span; return the number of candidates."""
    bounds = chart.bounds
    trace = limits.record == layout.RECORD_ALL
    best = -np.inf
    for slot in range(filled):
        best = max(best, chart.candidate_scores[slot])
    bounds[layout.B_BEST] = best
    bounds[layout.B_CUT] = -np.inf if trace else max(limits.threshold, best - limits.beam)
    bounds[layout.B_HIGHEST_SKIPPED] = -np.inf
    bounds[layout.B_LOWEST_SKIPPED] = np.inf
    for middle in range(cell.start, cell.last):
        reason = split_reason(sentence, limits, cell, middle)
        if reason == layout.KEPT or trace:
            filled = join_split(grammar, sentence, limits, chart, cell, filled, middle, reason)
            if filled < 0:
                return filled
    if bounds[layout.B_LOWEST_SKIPPED] < limits.threshold:
        chart.totals[layout.T_UNDER_THRESHOLD] += 1
    if bounds[layout.B_HIGHEST_SKIPPED] >= limits.threshold:
        chart.totals[layout.T_OUT_OF_BEAM] += 1
    return filled
