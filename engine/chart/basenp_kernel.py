"""BaseNPs word by word: every way to tag the words of a baseNP that matters, with its head (sections 2.5 and 2.7).

Under model (4) a word has several tags, and a baseNP as many taggings as its words allow.  An *item* stands for the
words from a first to a last one with a tag each; it grows by one word at a time, paying the gap tag C and P(t|S).
Of two items that no later word can tell apart the better one stays: they have the same first and last tag, and
the head rules (footnote 3) have found the same so far.
"""

from __future__ import annotations

import numpy as np

from engine.chart.chart_layout import (
    DONE_SEARCH,
    ITEM_BEFORE,
    ITEM_FIRST,
    ITEM_HEAD,
    ITEM_HEAD_BEFORE,
    ITEM_LAST,
    ITEM_LAST_HEAD,
    ITEM_RULE,
    ITEMS_FULL,
    RECORD_ALL,
    SEARCH_LAST,
    SEARCH_LEFT,
    SEARCH_RIGHT,
    T_ITEMS,
    T_UNDER_THRESHOLD,
    TAG_IS_CONJUNCTION,
    TAKE_LEFT,
    TAKE_RIGHT,
    Chart,
    Grammar,
    Limits,
    Sentence,
)
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import BASE, GAP_CONTINUE, READING_POSITION, READING_TAG, WORD


@kernel(allocates=False)
def item_head(grammar: Grammar, readings: np.ndarray, item: np.ndarray) -> int:
    """Reading of the head-word, if the baseNP ends with this item (footnote 3)."""
    for rule in range(grammar.head_searches.shape[0]):
        search = grammar.head_searches[rule]
        if rule == item[ITEM_RULE]:
            return item[ITEM_HEAD]
        if search == TAKE_LEFT:
            return item[ITEM_FIRST]
        if search == TAKE_RIGHT or (
            search == SEARCH_LAST and grammar.head_tags[rule, readings[item[ITEM_LAST], READING_TAG]]
        ):
            return item[ITEM_LAST_HEAD]
    return item[ITEM_FIRST]


@kernel(allocates=False)
def write_item(
    grammar: Grammar, readings: np.ndarray, items: np.ndarray, place: int, before: int, reading: int
) -> None:
    """Write the item that adds one word to another (−1: to nothing) at a place of the array."""
    tag = readings[reading, READING_TAG]
    rules = grammar.head_searches.shape[0]
    found = rules
    for rule in range(rules):
        search = grammar.head_searches[rule]
        if (search == SEARCH_LEFT or search == SEARCH_RIGHT) and grammar.head_tags[rule, tag]:
            found = rule
            break
    item = items[place]
    item[ITEM_LAST] = reading
    item[ITEM_BEFORE] = before
    item[ITEM_LAST_HEAD] = reading
    item[ITEM_HEAD_BEFORE] = -1
    if before < 0:
        item[ITEM_FIRST] = reading
        item[ITEM_RULE] = found
        item[ITEM_HEAD] = reading
        return
    shorter = items[before]
    item[ITEM_FIRST] = shorter[ITEM_FIRST]
    # A conjunct after a conjunction hands the head to the conjunct before it.
    if shorter[ITEM_HEAD_BEFORE] >= 0:
        item[ITEM_LAST_HEAD] = shorter[ITEM_HEAD_BEFORE]
    if grammar.tags[tag, TAG_IS_CONJUNCTION]:
        item[ITEM_HEAD_BEFORE] = shorter[ITEM_LAST_HEAD]
    item[ITEM_RULE] = shorter[ITEM_RULE]
    item[ITEM_HEAD] = shorter[ITEM_HEAD]
    if found < shorter[ITEM_RULE] or (
        found < rules and found == shorter[ITEM_RULE] and grammar.head_searches[found] == SEARCH_RIGHT
    ):
        item[ITEM_RULE] = found
        item[ITEM_HEAD] = item[ITEM_LAST_HEAD]


@kernel(allocates=False)
def same_item(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether no later word can tell two items of the same words apart."""
    for column in range(first.shape[0]):
        if column != ITEM_BEFORE and first[column] != second[column]:
            return False
    return True


@kernel(allocates=False)
def place_item(limits: Limits, items: np.ndarray, scores: np.ndarray, first: int, end: int) -> int:
    """Keep the item written at `end` if it is among the best of its kind; return the new end of the list."""
    alike = 0
    worst = -1
    worst_score = np.inf
    for other in range(first, end):
        if same_item(items[other], items[end]):
            alike += 1
            score = scores[other, 0] + scores[other, 1]
            if score < worst_score:
                worst = other
                worst_score = score
    if alike < limits.taggings:
        return end + 1
    if scores[end, 0] + scores[end, 1] > worst_score:
        items[worst, ITEM_BEFORE] = items[end, ITEM_BEFORE]
        scores[worst, 0] = scores[end, 0]
        scores[worst, 1] = scores[end, 1]
    return end


@kernel(allocates=False, inlined=True)
def extend_items(grammar: Grammar, sentence: Sentence, limits: Limits, chart: Chart, start: int, last: int) -> int:
    """Add word `last` to the items from `start` on; return a status."""
    readings = sentence.readings
    items = chart.items
    scores = chart.item_scores
    totals = chart.totals
    begin = totals[T_ITEMS]
    end = begin
    low = sentence.reading_starts[last]
    high = sentence.reading_starts[last + 1]
    if start == last:
        if end + high - low > items.shape[0]:
            return ITEMS_FULL
        for reading in range(low, high):
            write_item(grammar, readings, items, end, -1, reading)
            scores[end, 0] = 0.0
            scores[end, 1] = sentence.reading_logs[reading]
            end += 1
    else:
        # Like any constituent, one far worse than the best over the same words is given up.
        best = -np.inf
        for before in range(chart.item_ranges[start, 0], chart.item_ranges[start, 1]):
            left = items[before, ITEM_LAST] - sentence.reading_starts[last - 1]
            gap_row = sentence.gap_starts[last] + left * (high - low)
            for reading in range(low, high):
                gap = scores[before, 0] + sentence.gaps[gap_row + reading - low, GAP_CONTINUE]
                tag = scores[before, 1] + sentence.reading_logs[reading]
                if gap + tag == -np.inf or gap + tag < best - limits.beam:
                    continue
                if gap + tag < limits.threshold:
                    totals[T_UNDER_THRESHOLD] += 1
                    if limits.record != RECORD_ALL:
                        continue
                if end >= items.shape[0]:
                    return ITEMS_FULL
                best = max(best, gap + tag)
                write_item(grammar, readings, items, end, before, reading)
                scores[end, 0] = gap
                scores[end, 1] = tag
                end = place_item(limits, items, scores, begin, end)
        kept = begin
        for place in range(begin, end):
            if scores[place, 0] + scores[place, 1] >= best - limits.beam:
                for column in range(items.shape[1]):
                    items[kept, column] = items[place, column]
                scores[kept, 0] = scores[place, 0]
                scores[kept, 1] = scores[place, 1]
                kept += 1
        end = kept
    chart.item_ranges[start, 0] = begin
    chart.item_ranges[start, 1] = end
    totals[T_ITEMS] = end
    return DONE_SEARCH


@kernel(allocates=False)
def write_step(
    row: np.ndarray,
    kind: int,
    label: int,
    head_label: int,
    head: int,
    left: int,
    items: np.ndarray,
    readings: np.ndarray,
    chosen: np.ndarray,
) -> None:
    """Write one step of a derivation; of a word or baseNP also which reading each of its words has."""
    row[0] = kind
    row[1] = label
    row[2] = head_label
    row[3] = readings[head, READING_POSITION]
    row[4] = row[3]
    row[5] = row[3]
    if kind == WORD:
        chosen[row[3]] = head
    elif kind == BASE:
        item = left
        row[5] = readings[items[item, ITEM_LAST], READING_POSITION]
        while item >= 0:
            reading = items[item, ITEM_LAST]
            row[4] = readings[reading, READING_POSITION]
            chosen[row[4]] = reading
            item = items[item, ITEM_BEFORE]
