"""Joining two constituents side by side (section 3, Figure 4).

One becomes a modifier of the other's head-word, which gives "two new probability terms: one for the baseNP gap
tag between the two constituents, and the other for the dependency between the head words".
"""

from __future__ import annotations

import numpy as np

from engine.chart.cell_kernel import satisfies
from engine.chart.chart_layout import (
    AGAINST_COMMA_RULE,
    AGAINST_CONSTRAINT,
    BLOCKS_FULL,
    COMMA_AFTER,
    COMMA_BEFORE,
    DEMANDED_RELATION,
    DONE,
    EXTENDED_RULE,
    FINISHED,
    FIRST_IN_BASE,
    FIRST_READING_SHIFT,
    FIRST_WORD,
    HAS_LEFT,
    HEAD,
    HEAD_LABEL,
    KEPT,
    KIND,
    LABEL,
    LAST_IN_BASE,
    LAST_READING_SHIFT,
    LAST_WORD,
    LEFT_SHIFT,
    NO_CORE,
    RECORD_ALL,
    RIGHT_SHIFT,
    SAME,
    SCORE,
    SIDE,
    STATE,
    T_BLOCKS,
    T_OUT_OF_BEAM,
    T_UNDER_THRESHOLD,
    TAG_IS_VERB,
    Chart,
    Grammar,
    Limits,
    Sentence,
)
from engine.chart.edge_kernel import offer
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import WordPair
from engine.counts.keys_kernel import classes_between, delta_code
from engine.estimates.dependency_estimates_kernel import dependency_estimates
from engine.structure.structure_layout import (
    AFTER,
    BASE,
    BEFORE,
    ENDS_BEFORE,
    GAP_BETWEEN,
    GAP_END,
    GAP_NULL,
    GAP_START,
    GROW_LEFT,
    GROW_RIGHT,
    OWN_TAG,
    READING,
    READING_POSITION,
    READING_TAG,
    READING_WORD,
    START_LEFT,
    START_RIGHT,
)


@kernel(allocates=False)
def label_bit(label: int) -> int:
    """The bit that stands for a label in a set of labels; labels may share one."""
    return min(int(label) & 63, 62)


@kernel(allocates=False)
def find_block(
    grammar: Grammar,
    sentence: Sentence,
    chart: Chart,
    comma_sums: np.ndarray,
    modifier: int,
    head: int,
    answers: int,
) -> int:
    """Estimate F̂ of two readings at one Δ, once; return their place in ``chart.blocks``, or −1 if full.

    `answers` holds the answers that depend on baseNPs: adjacent 8, verb 4, comma after the first 2,
    comma before the second 1.
    """
    readings = sentence.readings
    relations = chart.block_relations
    estimates = chart.block_estimates
    triples = grammar.triples
    place = (((modifier * readings.shape[0]) + head) << 4) | answers
    # Where the two words stand: the caller's demands are on words, whatever their tags.
    below = readings[modifier, READING_POSITION]
    above = readings[head, READING_POSITION]
    start = chart.totals[T_BLOCKS]
    end = start
    if sentence.arrow_allowed[below, above]:
        head_first = 1 if above < below else 0
        commas = comma_sums[below] - comma_sums[above] if head_first else comma_sums[above] - comma_sums[below]
        delta = delta_code(head_first, answers & 8, answers & 4, commas, answers & 2, answers & 1)
        around = sentence.surroundings
        between = 0
        if grammar.switches.contexts:
            between = classes_between(
                around[:, OWN_TAG],
                grammar.between_classes,
                min(below, above),
                max(below, above),
                readings[modifier, READING_TAG],
                readings[head, READING_TAG],
            )
        pair = WordPair(
            int(readings[modifier, READING_WORD]),
            int(readings[modifier, READING_TAG]),
            int(readings[head, READING_WORD]),
            int(readings[head, READING_TAG]),
            int(delta),
            int(around[below, BEFORE]),
            int(around[below, AFTER]),
            int(around[above, BEFORE]),
            int(around[above, AFTER]),
            int(between),
        )
        end = dependency_estimates(
            grammar.counts, grammar.switches, pair, chart.rows, relations, estimates, start
        )  # fmt: skip
        if end < 0:
            return -1
        demanded = sentence.demands[below, DEMANDED_RELATION]
        if demanded >= 0 or sentence.forbidden_relations.shape[0] > 0:
            kept = start
            for at in range(start, end):
                relation = relations[at]
                allowed = demanded < 0 or relation == demanded
                for row in range(sentence.forbidden_relations.shape[0]):
                    if (
                        sentence.forbidden_relations[row, 0] == below
                        and sentence.forbidden_relations[row, 1] == above
                        and sentence.forbidden_relations[row, 2] == relation
                    ):
                        allowed = False
                if allowed:
                    relations[kept] = relation
                    estimates[kept] = estimates[at]
                    kept += 1
            end = kept
    modifiers = 0
    best = -np.inf
    for at in range(start, end):
        relation = relations[at]
        modifiers |= 1 << label_bit(triples[relation, 0])
        best = max(best, estimates[at])
    chart.blocks[place, 0] = start
    chart.blocks[place, 1] = end
    chart.block_sets[place] = modifiers
    chart.block_bests[place] = best
    chart.totals[T_BLOCKS] = end
    return place


@kernel(allocates=False)
def split_allowed(brackets: np.ndarray, start: int, last: int, middle: int) -> bool:
    """Whether a span may be split after `middle` although brackets are demanded within it."""
    for row in range(brackets.shape[0]):
        first = brackets[row, 0]
        final = brackets[row, 1]
        inside = start <= first and final <= last and (first != start or final != last)
        if inside and first <= middle < final:
            return False
    return True


@kernel(allocates=False, inlined=True)
def join_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    comma_sums: np.ndarray,
    stamp: int,
    filled: int,
    start: int,
    last: int,
    demanded: int,
) -> int:
    """Join every two entries side by side that make up the span; return the number of candidates."""
    stacked = grammar.stacked
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    slots = chart.slots
    records = chart.records
    factors = chart.record_factors
    totals = chart.totals
    commas = sentence.commas
    size = commas.shape[0]
    readings = sentence.readings
    reading_count = readings.shape[0]
    gaps = sentence.gaps
    tag_rows = grammar.tags
    triples = grammar.triples
    entries = chart.entries
    scores = chart.scores
    cells = chart.cells
    blocks = chart.blocks
    block_sets = chart.block_sets
    block_bests = chart.block_bests
    block_relations = chart.block_relations
    block_estimates = chart.block_estimates
    trace = limits.record == RECORD_ALL
    # With tags ignored, relations from words under other tags come after those of the tags.
    in_order = not grammar.switches.ignore_tags
    brackets = sentence.demanded_brackets.shape[0] > 0
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    cut = -np.inf if trace else max(limits.threshold, best - limits.beam)
    # Scores of what is passed over unbuilt: whether it fell to the threshold or to the beam decides if another
    # pass could find more.
    highest_skipped = -np.inf
    lowest_skipped = np.inf
    ends_well = (
        last == size - 1
        or commas[last + 1] > 0
        or (limits.comma_rule == EXTENDED_RULE and sentence.surroundings[last + 1, ENDS_BEFORE] > 0)
    )
    for middle in range(start, last):
        barred = KEPT
        # Section 2.7: children separated by a comma, and the second not followed by one.
        if limits.comma_rule and not ends_well and commas[middle + 1] > 0:
            if not trace:
                continue
            barred = AGAINST_COMMA_RULE
        if brackets and not split_allowed(sentence.demanded_brackets, start, last, middle):
            if not trace:
                continue
            barred = AGAINST_CONSTRAINT
        left_cell = start * size + middle
        right_cell = (middle + 1) * size + last
        if cells[left_cell, 1] == 0 or cells[right_cell, 1] == 0:
            continue
        right_first = cells[right_cell, 0]
        right_end = right_first + cells[right_cell, 1]
        right_best = scores[right_first, SCORE]
        right_readings = sentence.reading_starts[middle + 2] - sentence.reading_starts[middle + 1]
        for left in range(cells[left_cell, 0], cells[left_cell, 0] + cells[left_cell, 1]):
            left_score = scores[left, SCORE]
            if left_score + right_best < cut:
                highest_skipped = max(highest_skipped, left_score + right_best)
                lowest_skipped = min(lowest_skipped, left_score + right_best)
                break
            left_state = entries[left, STATE]
            left_in_base = left_state & LAST_IN_BASE
            gap_row = sentence.gap_starts[middle + 1] + (left_state >> LAST_READING_SHIFT & READING) * right_readings
            for right in range(right_first, right_end):
                together = left_score + scores[right, SCORE]
                if together < cut:
                    highest_skipped = max(highest_skipped, together)
                    lowest_skipped = min(lowest_skipped, together)
                    break
                right_state = entries[right, STATE]
                row = gap_row + (right_state >> FIRST_READING_SHIFT & READING)
                if right_state & FIRST_IN_BASE:
                    gap = gaps[row, GAP_BETWEEN] if left_in_base else gaps[row, GAP_START]
                else:
                    gap = gaps[row, GAP_END] if left_in_base else gaps[row, GAP_NULL]
                if gap == -np.inf:
                    continue
                if together + gap < cut:
                    highest_skipped = max(highest_skipped, together + gap)
                    lowest_skipped = min(lowest_skipped, together + gap)
                    continue
                for side in range(2):
                    if side == 0:
                        head_entry, modifier_entry = left, right
                    else:
                        head_entry, modifier_entry = right, left
                    modifier_done = scores[modifier_entry, DONE]
                    head_score = scores[head_entry, SCORE]
                    given = head_score + modifier_done + gap
                    if modifier_done == -np.inf:
                        continue
                    if given < cut:
                        highest_skipped = max(highest_skipped, given)
                        lowest_skipped = min(lowest_skipped, given)
                        continue
                    head_state = entries[head_entry, STATE]
                    modifier_state = entries[modifier_entry, STATE]
                    if side == 0:
                        near_head = (head_state >> RIGHT_SHIFT) & SIDE
                        near_modifier = (modifier_state >> LEFT_SHIFT) & SIDE
                        answers = (head_state & COMMA_AFTER) >> 4 | (modifier_state & COMMA_BEFORE) >> 4
                    else:
                        near_head = (head_state >> LEFT_SHIFT) & SIDE
                        near_modifier = (modifier_state >> RIGHT_SHIFT) & SIDE
                        answers = (modifier_state & COMMA_AFTER) >> 4 | (head_state & COMMA_BEFORE) >> 4
                    if near_head == 0 and near_modifier == 0:
                        answers |= 8
                    elif near_head == 2 or near_modifier == 2:
                        answers |= 4
                    head = entries[head_entry, HEAD]
                    modifier = entries[modifier_entry, HEAD]
                    place = (((modifier * reading_count) + head) << 4) | answers
                    if blocks[place, 0] < 0 and (
                        find_block(grammar, sentence, chart, comma_sums, modifier, head, answers) < 0
                    ):
                        return -BLOCKS_FULL
                    likely = given + block_bests[place]
                    if likely == -np.inf:
                        continue
                    if likely < cut:
                        highest_skipped = max(highest_skipped, likely)
                        lowest_skipped = min(lowest_skipped, likely)
                        continue
                    modifier_label = entries[modifier_entry, LABEL]
                    if not (block_sets[place] >> label_bit(modifier_label)) & 1:
                        continue
                    head_label = entries[head_entry, LABEL]
                    head_child_label = entries[head_entry, HEAD_LABEL]
                    head_same = entries[head_entry, SAME]
                    grows = not (head_state & FINISHED) and not (side == 0 and head_state & HAS_LEFT)
                    head_done = scores[head_entry, DONE]
                    is_base = entries[head_entry, KIND] == BASE
                    # What lies between the head and the new edge.
                    far = 1
                    if (
                        near_head == 2
                        or (modifier_state >> LEFT_SHIFT) & SIDE == 2
                        or (modifier_state >> RIGHT_SHIFT) & SIDE == 2
                        or tag_rows[readings[modifier, READING_TAG], TAG_IS_VERB]
                    ):
                        far = 2
                    if side == 0:
                        state = (
                            (head_state & (COMMA_BEFORE | COMMA_AFTER | FIRST_WORD | (SIDE << LEFT_SHIFT)))
                            | (modifier_state & LAST_WORD)
                            | (far << RIGHT_SHIFT)
                        )
                    else:
                        state = (
                            (head_state & (COMMA_BEFORE | COMMA_AFTER | LAST_WORD | (SIDE << RIGHT_SHIFT)))
                            | (modifier_state & FIRST_WORD)
                            | (far << LEFT_SHIFT)
                            | HAS_LEFT
                        )
                    first = blocks[place, 0]
                    if in_order:
                        # Relations are numbered by modifier first: find those of this label.
                        after = blocks[place, 1]
                        while first < after:
                            half = (first + after) // 2
                            if triples[block_relations[half], 0] < modifier_label:
                                first = half + 1
                            else:
                                after = half
                    for at in range(first, blocks[place, 1]):
                        relation = block_relations[at]
                        if triples[relation, 0] != modifier_label:
                            if in_order:
                                break
                            continue
                        parent = triples[relation, 1]
                        head_child = triples[relation, 2]
                        dependency = block_estimates[at]
                        if grows and parent == head_label and head_child == head_child_label:
                            score = given + dependency
                            kind = GROW_RIGHT if side == 0 else GROW_LEFT
                        elif is_base and head_child == grammar.core_label and not head_state & NO_CORE:
                            # A core is no constituent of its own: it pays for no unary.
                            score = given + dependency
                            kind = START_RIGHT if side == 0 else START_LEFT
                        elif head_child == (head_same if parent == head_label else head_label):
                            score = head_done + modifier_done + gap + dependency
                            kind = START_RIGHT if side == 0 else START_LEFT
                        else:
                            continue
                        if score == -np.inf:
                            continue
                        if score < cut:
                            highest_skipped = max(highest_skipped, score)
                            lowest_skipped = min(lowest_skipped, score)
                            continue
                        filled = offer(
                            stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                            stamp, filled, start, last, parent, head_child, head,
                            state | satisfies(stacked, demanded, parent), parent, left, right, relation, kind,
                            score, gap, dependency, 0.0, 0.0, barred,
                        )  # fmt: skip
                        if filled < 0:
                            return filled
                        if score > best and not trace:
                            best = score
                            cut = max(limits.threshold, best - limits.beam)
    if lowest_skipped < limits.threshold:
        totals[T_UNDER_THRESHOLD] += 1
    if highest_skipped >= limits.threshold:
        totals[T_OUT_OF_BEAM] += 1
    return filled
