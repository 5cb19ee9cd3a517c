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

from engine.jit import jit_for
from engine.kernels.data import GAP_TAGS, ROOT, Counts
from engine.kernels.layout import (
    AGAINST_COMMA_RULE,
    AGAINST_CONSTRAINT,
    ANY_LABEL,
    BASE,
    BLOCKS_FULL,
    CANCELLED,
    CANDIDATES_FULL,
    CHAIN,
    COLUMNS,
    COMMA_AFTER,
    COMMA_BEFORE,
    DEMANDED_RELATION,
    DOMINATED,
    DONE,
    DONE_SEARCH,
    ENTRIES_FULL,
    FINISHED,
    FIRST_IN_BASE,
    GROW_LEFT,
    GROW_RIGHT,
    HAS_LEFT,
    HEAD,
    HEAD_LABEL,
    KEPT,
    KIND,
    LABEL,
    LAST_IN_BASE,
    LEFT,
    LEFT_SHIFT,
    MUST_BE_REDUCED,
    NO_CORE,
    NO_LABEL,
    OUT_OF_BEAM,
    R_END,
    R_ENTRY,
    R_FATE,
    R_HEAD,
    R_HEAD_LABEL,
    R_KIND,
    R_LABEL,
    R_LEFT,
    R_RELATION,
    R_RIGHT,
    R_START,
    R_STATE,
    RECORD,
    RECORD_ALL,
    RECORD_NOTHING,
    RECORDS_FULL,
    RELATION,
    RF_DEPENDENCY,
    RF_GAP,
    RF_MARGIN,
    RF_SCORE,
    RF_UNARY,
    RIGHT,
    RIGHT_SHIFT,
    SAME,
    SATISFIED,
    SCORE,
    SEARCH_LAST,
    SEARCH_LEFT,
    SIDE,
    START_LEFT,
    START_RIGHT,
    STATE,
    T_BEST,
    T_BLOCKS,
    T_ENTRIES,
    T_OUT_OF_BEAM,
    T_PROGRESS,
    T_PROPOSED,
    T_RECORDS,
    T_UNDER_THRESHOLD,
    TAG_IS_CONJUNCTION,
    TAG_IS_VERB,
    TAG_LABEL,
    TAKE_LEFT,
    TAKE_RIGHT,
    TOKEN_COMMAS,
    TOKEN_TAG,
    TOKEN_WORD,
    UNARY,
    UNDER_THRESHOLD,
    WORD,
    WORD_FORBIDDEN,
    Chart,
    Grammar,
    Limits,
    Sentence,
)

from .estimates import (
    delta_code,
    dependency_estimates,
    gap_counts,
    gap_estimate,
    root_estimate,
    unary_estimate,
)

jit = jit_for(__name__)
lean = jit_for(__name__, allocates=False)

GAP_START, GAP_CONTINUE, GAP_END, GAP_BETWEEN, GAP_NULL = range(5)


@jit
def fill_unaries(
    counts: Counts,
    chain_starts: np.ndarray,
    chain_edges: np.ndarray,
    none: np.ndarray,
    steps: np.ndarray,
) -> None:
    """Log P̂ of having no unary parent, by tag and label, and of every step of the unary chains, by tag."""
    for tag in range(none.shape[0]):
        for label in range(none.shape[1]):
            value = unary_estimate(counts, label, tag, 0)
            none[tag, label] = np.log(value) if value > 0.0 else -np.inf
    # The first nodes of the tree are labels; a deeper node has the label of the edge that leads to it.
    label_of = np.arange(chain_starts.shape[0] - 1)
    for edge in range(chain_edges.shape[0]):
        label_of[chain_edges[edge, 1]] = chain_edges[edge, 0]
    for node in range(chain_starts.shape[0] - 1):
        for edge in range(chain_starts[node], chain_starts[node + 1]):
            for tag in range(steps.shape[0]):
                value = unary_estimate(counts, label_of[node], tag, chain_edges[edge, 0])
                steps[tag, edge] = np.log(value) if value > 0.0 else -np.inf


@lean
def base_head(grammar: Grammar, tokens: np.ndarray, start: int, last: int) -> int:
    """Head-word of a baseNP over words `start` to `last`, by the head rules (footnote 3)."""
    head = start
    for rule in range(grammar.head_searches.shape[0]):
        search = grammar.head_searches[rule]
        found = -1
        if search == TAKE_LEFT:
            found = start
        elif search == TAKE_RIGHT:
            found = last
        elif search == SEARCH_LAST:
            if grammar.head_tags[rule, tokens[last, TOKEN_TAG]]:
                found = last
        else:
            for step in range(last - start + 1):
                position = start + step if search == SEARCH_LEFT else last - step
                if grammar.head_tags[rule, tokens[position, TOKEN_TAG]]:
                    found = position
                    break
        if found >= 0:
            head = found
            break
    while head - 2 >= start and grammar.tags[tokens[head - 1, TOKEN_TAG], TAG_IS_CONJUNCTION]:
        head -= 2
    return head


@lean
def same_label(stacked: np.ndarray, label: int, head_label: int) -> int:
    """How ``label -> head_label ...`` is written as head-child of another `label`: X, X+ or X++."""
    once = stacked[label, 0]
    if head_label == label or head_label == stacked[label, 1]:
        return once
    if head_label == once and once != NO_LABEL:
        return stacked[label, 1]
    return label


@lean
def label_bit(label: int) -> int:
    """The bit that stands for a label in a set of labels; labels may share one."""
    return min(int(label) & 63, 62)


@lean
def find_block(
    grammar: Grammar,
    sentence: Sentence,
    chart: Chart,
    comma_sums: np.ndarray,
    modifier: int,
    head: int,
    answers: int,
) -> int:
    """Estimate F̂ of a pair at one Δ, once; return the pair's place in ``chart.blocks``, or −1 if full.

    `answers` holds the answers that depend on baseNPs: adjacent 8, verb 4, comma after the first 2,
    comma before the second 1.
    """
    tokens = sentence.tokens
    relations = chart.block_relations
    estimates = chart.block_estimates
    triples = grammar.triples
    size = tokens.shape[0]
    place = (((modifier * size) + head) << 4) | answers
    start = chart.totals[T_BLOCKS]
    end = start
    if sentence.arrow_allowed[modifier, head]:
        head_first = 1 if head < modifier else 0
        commas = comma_sums[modifier] - comma_sums[head] if head_first else comma_sums[head] - comma_sums[modifier]
        delta = delta_code(head_first, answers & 8, answers & 4, commas, answers & 2, answers & 1)
        end = dependency_estimates(
            grammar.counts,
            grammar.switches,
            tokens[modifier, TOKEN_WORD],
            tokens[modifier, TOKEN_TAG],
            tokens[head, TOKEN_WORD],
            tokens[head, TOKEN_TAG],
            delta,
            chart.rows,
            relations,
            estimates,
            start,
        )
        if end < 0:
            return -1
        demanded = sentence.demands[modifier, DEMANDED_RELATION]
        if demanded >= 0 or sentence.forbidden_relations.shape[0] > 0:
            kept = start
            for at in range(start, end):
                relation = relations[at]
                allowed = demanded < 0 or relation == demanded
                for row in range(sentence.forbidden_relations.shape[0]):
                    if (
                        sentence.forbidden_relations[row, 0] == modifier
                        and sentence.forbidden_relations[row, 1] == head
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


@lean
def find_slot(
    candidates: np.ndarray,
    slots: np.ndarray,
    stamp: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
) -> tuple[int, int]:
    """The candidate of this cell with this signature and its place in the hash, or (−1, a free place)."""
    mixed = ((int(label) * 31 + int(head_label)) * 31 + int(head)) * 31 + int(state) + int(chain) * 961
    mask = slots.shape[0] - 1
    place = (mixed * 40503 + (mixed >> 7)) & mask
    while slots[place, 0] == stamp:
        slot = slots[place, 1]
        if (
            candidates[slot, LABEL] == label
            and candidates[slot, HEAD_LABEL] == head_label
            and candidates[slot, HEAD] == head
            and candidates[slot, STATE] == state
            and candidates[slot, CHAIN] == chain
        ):
            return slot, place
        place = (place + 1) & mask
    return -1, place


@lean
def write_record(
    records: np.ndarray,
    factors: np.ndarray,
    totals: np.ndarray,
    start: int,
    last: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
    score: float,
    gap: float,
    dependency: float,
    unary: float,
    fate: int,
    margin: float,
) -> int:
    """Record one proposed constituent; return its number, or −1 if there is no room."""
    number = totals[T_RECORDS]
    if number >= records.shape[0]:
        return -1
    records[number, R_START] = start
    records[number, R_END] = last + 1
    records[number, R_LABEL] = label
    records[number, R_HEAD_LABEL] = head_label
    records[number, R_HEAD] = head
    records[number, R_STATE] = state
    records[number, R_LEFT] = left
    records[number, R_RIGHT] = right
    records[number, R_RELATION] = relation
    records[number, R_KIND] = kind
    records[number, R_ENTRY] = -1
    records[number, R_FATE] = fate
    factors[number, RF_SCORE] = score
    factors[number, RF_GAP] = gap
    factors[number, RF_DEPENDENCY] = dependency
    factors[number, RF_UNARY] = unary
    factors[number, RF_MARGIN] = margin
    totals[T_RECORDS] = number + 1
    return number


@lean
def offer(
    stacked: np.ndarray,
    limits: Limits,
    candidates: np.ndarray,
    candidate_scores: np.ndarray,
    slots: np.ndarray,
    records: np.ndarray,
    factors: np.ndarray,
    totals: np.ndarray,
    stamp: int,
    filled: int,
    start: int,
    last: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
    score: float,
    gap: float,
    dependency: float,
    unary: float,
    barred: int,
) -> int:
    """Propose a constituent for the cell in hand; return the number of candidates, or a negative status.

    "If two proposed constituents span the same set of words, have the same label, head, and distance from
    the head to the left and right end of the constituent, then the lower probability constituent can be
    safely discarded" (section 3).
    """
    totals[T_PROPOSED] += 1
    record = -1
    if score < limits.threshold:
        totals[T_UNDER_THRESHOLD] += 1
        if barred == KEPT:
            barred = UNDER_THRESHOLD
        if limits.record != RECORD_ALL:
            return filled
    if limits.record != RECORD_NOTHING:
        margin = limits.threshold - score if barred == UNDER_THRESHOLD else 0.0
        record = write_record(
            records, factors, totals, start, last, label, head_label, head, state, left, right, relation, kind,
            score, gap, dependency, unary, barred, margin,
        )  # fmt: skip
        if record < 0:
            return -RECORDS_FULL
        if barred != KEPT:
            return filled
    slot, place = find_slot(candidates, slots, stamp, label, head_label, head, state, chain)
    if slot < 0:
        if filled >= candidates.shape[0]:
            return -CANDIDATES_FULL
        slot = filled
        filled += 1
        slots[place, 0] = stamp
        slots[place, 1] = slot
        candidates[slot, LABEL] = label
        candidates[slot, HEAD_LABEL] = head_label
        candidates[slot, HEAD] = head
        candidates[slot, STATE] = state
        candidates[slot, CHAIN] = chain
        candidates[slot, SAME] = same_label(stacked, label, head_label) if kind >= GROW_RIGHT else label
    else:
        best = candidate_scores[slot]
        if record >= 0:
            worse = record if score <= best else candidates[slot, RECORD]
            records[worse, R_FATE] = DOMINATED
            records[worse, R_ENTRY] = slot
            factors[worse, RF_MARGIN] = abs(best - score)
        if score <= best:
            return filled
    candidates[slot, LEFT] = left
    candidates[slot, RIGHT] = right
    candidates[slot, RELATION] = relation
    candidates[slot, KIND] = kind
    candidates[slot, RECORD] = record
    if record >= 0:
        records[record, R_ENTRY] = slot
    candidate_scores[slot] = score
    return filled


@lean
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


@lean
def split_allowed(brackets: np.ndarray, start: int, last: int, middle: int) -> bool:
    """Whether a span may be split after `middle` although brackets are demanded within it."""
    for row in range(brackets.shape[0]):
        first = brackets[row, 0]
        final = brackets[row, 1]
        inside = start <= first and final <= last and (first != start or final != last)
        if inside and first <= middle < final:
            return False
    return True


@lean
def bracket_forbidden(forbidden: np.ndarray, stacked: np.ndarray, start: int, last: int, label: int) -> bool:
    """Whether a finished constituent of this label is forbidden on this span."""
    for row in range(forbidden.shape[0]):
        named = forbidden[row, 2] == label or (forbidden[row, 2] == ANY_LABEL and stacked[label, 2])
        if named and forbidden[row, 0] == start and forbidden[row, 1] == last:
            return True
    return False


@lean
def satisfies(stacked: np.ndarray, demanded: int, label: int) -> int:
    """State bit of a constituent on a span of which `demanded` is demanded."""
    return SATISFIED if demanded == label or (demanded == ANY_LABEL and stacked[label, 2]) else 0


@lean
def seed_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    stamp: int,
    start: int,
    last: int,
    demanded: int,
) -> int:
    """Put the word itself and the baseNP over the span into the cell; return the number of candidates."""
    stacked = grammar.stacked
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    slots = chart.slots
    records = chart.records
    factors = chart.record_factors
    totals = chart.totals
    size = sentence.tokens.shape[0]
    edges = 0
    if start > 0 and sentence.tokens[start, TOKEN_COMMAS] > 0:
        edges |= COMMA_BEFORE
    if last + 1 < size and sentence.tokens[last + 1, TOKEN_COMMAS] > 0:
        edges |= COMMA_AFTER
    filled = 0
    if start == last and not sentence.demands[start, WORD_FORBIDDEN]:
        label = grammar.tags[sentence.tokens[start, TOKEN_TAG], TAG_LABEL]
        state = edges | FINISHED | satisfies(stacked, demanded, label)
        filled = offer(
            stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
            stamp, filled, start, last, label, NO_LABEL, start, state, label,
            start, last, -1, WORD, 0.0, 0.0, 0.0, 0.0, KEPT,
        )  # fmt: skip
        if filled < 0:
            return filled
    if sentence.base_allowed[start, last]:
        score = 0.0
        for gap in range(start + 1, last + 1):
            score += sentence.gaps[gap, GAP_CONTINUE]
        if score > -np.inf:
            head = base_head(grammar, sentence.tokens, start, last)
            allowed = True
            for position in range(start, last + 1):
                if position != head and sentence.demands[position, MUST_BE_REDUCED]:
                    allowed = False
            if allowed:
                label = grammar.base_label
                state = edges | FINISHED | FIRST_IN_BASE | LAST_IN_BASE | satisfies(stacked, demanded, label)
                filled = offer(
                    stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                    stamp, filled, start, last, label, NO_LABEL, head, state, label,
                    start, last, -1, BASE, score, score, 0.0, 0.0, KEPT,
                )  # fmt: skip
    return filled


@lean
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
    size = sentence.tokens.shape[0]
    tokens = sentence.tokens
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
    brackets = sentence.demanded_brackets.shape[0] > 0
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    cut = -np.inf if trace else max(limits.threshold, best - limits.beam)
    # Scores of what is passed over unbuilt: whether it fell to the threshold or to the beam decides if another
    # pass could find more.
    highest_skipped = -np.inf
    lowest_skipped = np.inf
    ends_well = last == size - 1 or tokens[last + 1, TOKEN_COMMAS] > 0
    for middle in range(start, last):
        barred = KEPT
        # Section 2.7: children separated by a comma, and the second not followed by one.
        if limits.comma_rule and not ends_well and tokens[middle + 1, TOKEN_COMMAS] > 0:
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
        for left in range(cells[left_cell, 0], cells[left_cell, 0] + cells[left_cell, 1]):
            left_score = scores[left, SCORE]
            if left_score + right_best < cut:
                highest_skipped = max(highest_skipped, left_score + right_best)
                lowest_skipped = min(lowest_skipped, left_score + right_best)
                break
            left_in_base = entries[left, STATE] & LAST_IN_BASE
            for right in range(right_first, right_end):
                together = left_score + scores[right, SCORE]
                if together < cut:
                    highest_skipped = max(highest_skipped, together)
                    lowest_skipped = min(lowest_skipped, together)
                    break
                if entries[right, STATE] & FIRST_IN_BASE:
                    gap = gaps[middle + 1, GAP_BETWEEN] if left_in_base else gaps[middle + 1, GAP_START]
                else:
                    gap = gaps[middle + 1, GAP_END] if left_in_base else gaps[middle + 1, GAP_NULL]
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
                    place = (((modifier * size) + head) << 4) | answers
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
                        or tag_rows[tokens[modifier, TOKEN_TAG], TAG_IS_VERB]
                    ):
                        far = 2
                    if side == 0:
                        state = (
                            (head_state & (COMMA_BEFORE | COMMA_AFTER | FIRST_IN_BASE | (SIDE << LEFT_SHIFT)))
                            | (modifier_state & LAST_IN_BASE)
                            | (far << RIGHT_SHIFT)
                        )
                    else:
                        state = (
                            (head_state & (COMMA_BEFORE | COMMA_AFTER | LAST_IN_BASE | (SIDE << RIGHT_SHIFT)))
                            | (modifier_state & FIRST_IN_BASE)
                            | (far << LEFT_SHIFT)
                            | HAS_LEFT
                        )
                    for at in range(blocks[place, 0], blocks[place, 1]):
                        relation = block_relations[at]
                        if triples[relation, 0] != modifier_label:
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
                            score, gap, dependency, 0.0, barred,
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


@lean
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
    """Put unary parents over the cell's candidates, along chains seen in training."""
    stacked = grammar.stacked
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    slots = chart.slots
    records = chart.records
    factors = chart.record_factors
    totals = chart.totals
    tokens = sentence.tokens
    chain_starts = grammar.chain_starts
    chain_edges = grammar.chain_edges
    chain_steps = grammar.chain_steps
    best = -np.inf
    for slot in range(filled):
        best = max(best, candidate_scores[slot])
    floor = max(limits.threshold, best - limits.beam - limits.unary_slack)
    if limits.record == RECORD_ALL or (limits.spare_words and start == last):
        floor = -np.inf
    slot = 0
    while slot < filled:
        score = candidate_scores[slot]
        label = candidates[slot, LABEL]
        if score >= floor and not bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, start, last, label):
            head = candidates[slot, HEAD]
            tag = tokens[head, TOKEN_TAG]
            chain = candidates[slot, CHAIN]
            state = (candidates[slot, STATE] & ~HAS_LEFT) | FINISHED
            for edge in range(chain_starts[chain], chain_starts[chain + 1]):
                step = chain_steps[tag, edge]
                if step == -np.inf:
                    continue
                parent = chain_edges[edge, 0]
                filled = offer(
                    stacked, limits, candidates, candidate_scores, slots, records, factors, totals,
                    stamp, filled, start, last, parent, label, head,
                    state | satisfies(stacked, demanded, parent), chain_edges[edge, 1],
                    slot, -1, -1, UNARY, score + step, 0.0, 0.0, step, KEPT,
                )  # fmt: skip
                if filled < 0:
                    return filled
        slot += 1
    return filled


@lean
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


@lean
def close_cell(
    grammar: Grammar,
    sentence: Sentence,
    limits: Limits,
    chart: Chart,
    filled: int,
    start: int,
    last: int,
    demanded: int,
    first_record: int,
) -> int:
    """Prune the candidates by the beam and store the survivors as entries, best first; return a status.

    "All other constituents spanning the same words must have probability greater than P_h / β"
    (section 4.1).
    """
    tokens = sentence.tokens
    none = grammar.none
    entries = chart.entries
    scores = chart.scores
    cells = chart.cells
    candidates = chart.candidates
    candidate_scores = chart.candidate_scores
    places = chart.places
    order = chart.order
    totals = chart.totals
    cell = start * tokens.shape[0] + last
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
        done = score + none[tokens[entries[entry, HEAD], TOKEN_TAG], label]
        if demanded != NO_LABEL:
            # A demanded bracket must be finished here: nothing on this span may go on growing.
            if entries[entry, STATE] & SATISFIED == 0:
                done = -np.inf
            entries[entry, STATE] |= FINISHED | NO_CORE
        if bracket_forbidden(sentence.forbidden_brackets, grammar.stacked, start, last, label):
            done = -np.inf
        scores[entry, SCORE] = score
        scores[entry, DONE] = done
    cells[cell, 1] = usable
    cells[cell, 2] = first + kept
    totals[T_ENTRIES] = first + kept
    if limits.record != RECORD_NOTHING:
        settle_records(chart, first_record, first + usable, floor)
    return DONE_SEARCH


@lean
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


@jit
def search(grammar: Grammar, sentence: Sentence, limits: Limits, chart: Chart) -> int:
    """Fill the chart; the best entry over the whole sentence is left in ``totals[T_BEST]`` (−1: none)."""
    comma_sums = np.cumsum(sentence.tokens[:, TOKEN_COMMAS])
    return fill_cells(grammar, sentence, limits, chart, comma_sums)


@lean
def fill_cells(grammar: Grammar, sentence: Sentence, limits: Limits, chart: Chart, comma_sums: np.ndarray) -> int:
    """Fill all cells, short spans first, and find the best entry over the whole sentence; return a status."""
    size = sentence.tokens.shape[0]
    totals = chart.totals
    for counter in range(totals.shape[0]):
        totals[counter] = 0
    totals[T_BEST] = -1
    for place in range(size * size * 16):
        chart.blocks[place, 0] = -1
    for place in range(chart.slots.shape[0]):
        chart.slots[place, 0] = 0
    stamp = 0
    for length in range(1, size + 1):
        for start in range(size - length + 1):
            if chart.cancel[0]:
                return CANCELLED
            last = start + length - 1
            stamp += 1
            first_record = totals[T_RECORDS]
            filled = 0
            open_span, demanded = bracket_status(sentence.demanded_brackets, start, last)
            if open_span:
                filled = seed_cell(grammar, sentence, limits, chart, stamp, start, last, demanded)
                if filled >= 0 and length > 1:
                    filled = join_cell(
                        grammar, sentence, limits, chart, comma_sums, stamp, filled, start, last, demanded
                    )
                if filled > 0:
                    filled = climb_cell(grammar, sentence, limits, chart, stamp, filled, start, last, demanded)
                if filled < 0:
                    return -filled
            status = close_cell(grammar, sentence, limits, chart, filled, start, last, demanded, first_record)
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


@lean
def root_log(grammar: Grammar, sentence: Sentence, row: np.ndarray) -> float:
    """Log F̂ of an entry as root of the sentence; −∞ if its head may not be."""
    head = row[HEAD]
    if not sentence.arrow_allowed[head, sentence.tokens.shape[0]]:
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
    value = root_estimate(
        grammar.counts, sentence.tokens[head, TOKEN_WORD], sentence.tokens[head, TOKEN_TAG], row[LABEL]
    )
    return np.log(value) if value > 0.0 else -np.inf


@jit
def fill_gaps(counts: Counts, lexical: int, tokens: np.ndarray, gaps: np.ndarray) -> None:
    """Log P̂(G_i | ...) of every gap and tag of a sentence; row i is the gap before word i (section 2.5)."""
    eta = np.zeros((5, GAP_TAGS), np.int64)
    delta = np.zeros(5, np.int64)
    for right in range(1, tokens.shape[0]):
        left = right - 1
        gap_counts(
            counts,
            lexical,
            tokens[left, TOKEN_WORD],
            tokens[left, TOKEN_TAG],
            tokens[right, TOKEN_WORD],
            tokens[right, TOKEN_TAG],
            1 if tokens[right, TOKEN_COMMAS] > 0 else 0,
            eta,
            delta,
        )
        for tag in range(GAP_TAGS):
            value = gap_estimate(eta, delta, tag)
            gaps[right, tag] = np.log(value) if value > 0.0 else -np.inf


@jit
def derivation(entries: np.ndarray, root: int, size: int) -> np.ndarray:
    """The entries below `root` in the order in which they are built: kind, label, head label, head, left, right."""
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
        rows[filled, 0] = row[KIND]
        rows[filled, 1] = row[LABEL]
        rows[filled, 2] = row[HEAD_LABEL]
        rows[filled, 3] = row[HEAD]
        rows[filled, 4] = row[LEFT]
        rows[filled, 5] = row[RIGHT]
        if row[KIND] == UNARY:
            stack[depth] = row[LEFT]
            depth += 1
        elif row[KIND] >= GROW_RIGHT:
            stack[depth] = row[LEFT]
            stack[depth + 1] = row[RIGHT]
            depth += 2
    return rows[filled:]


@jit
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
