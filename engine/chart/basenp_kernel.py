"""BaseNPs word by word: every way to tag the words of a baseNP that matters, with its head (sections 2.5 and 2.7).

Under model (4) a word has several tags, and a baseNP as many taggings as its words allow.  A *prefix* stands for the
words from a first to a last one with a tag each; it grows by one word at a time, paying the gap tag C and P(t|S).
Of two prefixes that no later word can tell apart the better one stays: they have the same first and last tag, and
the head rules (footnote 3) have found the same so far.
"""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Chart, Grammar, Limits, SentenceArrays, Step
from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.structure.sentence_layout import BASE, GAP_CONTINUE, READING_POSITION, READING_TAG, WORD


@kernel(allocates=False, inlined=True)
def prefix_head(grammar: Grammar, readings: Int32Array, prefix: Int32Array) -> int:
    """Reading of the head-word, if the baseNP ends with this prefix (footnote 3)."""
    for rule in range(grammar.head_searches.shape[0]):
        search = grammar.head_searches[rule]
        if rule == prefix[layout.PREFIX_RULE]:
            return prefix[layout.PREFIX_HEAD]
        if search == layout.TAKE_LEFT:
            return prefix[layout.PREFIX_FIRST]
        if search == layout.TAKE_RIGHT or (
            search == layout.SEARCH_LAST and grammar.head_tags[rule, readings[prefix[layout.PREFIX_LAST], READING_TAG]]
        ):
            return prefix[layout.PREFIX_LAST_HEAD]
    return prefix[layout.PREFIX_FIRST]


@kernel(allocates=False, inlined=True)
def write_prefix(
    grammar: Grammar, readings: Int32Array, prefixes: Int32Array, place: int, before: int, reading: int
) -> None:
    """Write the prefix that adds one word to another (−1: to nothing) at a place of the array."""
    tag = readings[reading, READING_TAG]
    rules = grammar.head_searches.shape[0]
    found = rules
    for rule in range(rules):
        search = grammar.head_searches[rule]
        if (search == layout.SEARCH_LEFT or search == layout.SEARCH_RIGHT) and grammar.head_tags[rule, tag]:
            found = rule
            break
    prefix = prefixes[place]
    prefix[layout.PREFIX_LAST] = reading
    prefix[layout.PREFIX_BEFORE] = before
    prefix[layout.PREFIX_LAST_HEAD] = reading
    prefix[layout.PREFIX_HEAD_BEFORE] = -1
    if before < 0:
        prefix[layout.PREFIX_FIRST] = reading
        prefix[layout.PREFIX_RULE] = found
        prefix[layout.PREFIX_HEAD] = reading
        return
    shorter = prefixes[before]
    prefix[layout.PREFIX_FIRST] = shorter[layout.PREFIX_FIRST]
    # A conjunct after a conjunction hands the head to the conjunct before it.
    if shorter[layout.PREFIX_HEAD_BEFORE] >= 0:
        prefix[layout.PREFIX_LAST_HEAD] = shorter[layout.PREFIX_HEAD_BEFORE]
    if grammar.tags[tag, layout.TAG_IS_CONJUNCTION]:
        prefix[layout.PREFIX_HEAD_BEFORE] = shorter[layout.PREFIX_LAST_HEAD]
    prefix[layout.PREFIX_RULE] = shorter[layout.PREFIX_RULE]
    prefix[layout.PREFIX_HEAD] = shorter[layout.PREFIX_HEAD]
    if found < shorter[layout.PREFIX_RULE] or (
        found < rules and found == shorter[layout.PREFIX_RULE] and grammar.head_searches[found] == layout.SEARCH_RIGHT
    ):
        prefix[layout.PREFIX_RULE] = found
        prefix[layout.PREFIX_HEAD] = prefix[layout.PREFIX_LAST_HEAD]


@kernel(allocates=False, inlined=True)
def same_prefix(first: Int32Array, second: Int32Array) -> bool:
    """Return whether no later word can tell two prefixes of the same words apart."""
    for column in range(first.shape[0]):
        if column != layout.PREFIX_BEFORE and column != layout.PREFIX_KIND and first[column] != second[column]:
            return False
    return True


@kernel(allocates=False, inlined=True)
def kind_of_prefix(chart: Chart, kinds: int, place: int) -> int:
    """Return which of the cell's kinds the prefix at a place is of; the number of kinds if it is of a new one."""
    slots = chart.kind_slots
    number = chart.totals[layout.T_NUMBERED]
    prefix = chart.prefixes[place]
    mixed = 0
    for column in range(prefix.shape[0]):
        if column != layout.PREFIX_BEFORE and column != layout.PREFIX_KIND:
            mixed = mixed * 31 + int(prefix[column])
    mask = slots.shape[0] - 1
    slot = (mixed * 40503 + (mixed >> 7)) & mask
    while slots[slot, 0] == number:
        kind = slots[slot, 1]
        if same_prefix(chart.prefixes[chart.prefix_kinds[kind, layout.KIND_FIRST]], prefix):
            return kind
        slot = (slot + 1) & mask
    slots[slot, 0] = number
    slots[slot, 1] = kinds
    chart.prefix_kinds[kinds, layout.KIND_COUNT] = 0
    return kinds


@kernel(allocates=False, inlined=True)
def find_worst(kinds: Int32Array, links: Int32Array, scores: FloatArray, kind: int) -> None:
    """Find the worst prefix of a kind; of several equal ones the first."""
    worst = kinds[kind, layout.KIND_FIRST]
    other = worst
    while other != kinds[kind, layout.KIND_LAST]:
        other = links[other]
        if scores[other, 0] + scores[other, 1] < scores[worst, 0] + scores[worst, 1]:
            worst = other
    kinds[kind, layout.KIND_WORST] = worst


@kernel(allocates=False, inlined=True)
def keep_prefix(limits: Limits, chart: Chart, end: int) -> int:
    """Keep the prefix written at `end` if it is among the best of its kind; return the new end of the list."""
    prefixes = chart.prefixes
    scores = chart.prefix_scores
    kinds = chart.prefix_kinds
    kind = prefixes[end, layout.PREFIX_KIND]
    count = kinds[kind, layout.KIND_COUNT]
    if count < limits.taggings:
        if count:
            chart.prefix_links[kinds[kind, layout.KIND_LAST]] = end
        else:
            kinds[kind, layout.KIND_FIRST] = end
        kinds[kind, layout.KIND_LAST] = end
        kinds[kind, layout.KIND_COUNT] = count + 1
        if count + 1 == limits.taggings:
            find_worst(kinds, chart.prefix_links, scores, kind)
        return end + 1
    worst = kinds[kind, layout.KIND_WORST]
    if scores[end, 0] + scores[end, 1] > scores[worst, 0] + scores[worst, 1]:
        prefixes[worst, layout.PREFIX_BEFORE] = prefixes[end, layout.PREFIX_BEFORE]
        scores[worst, 0] = scores[end, 0]
        scores[worst, 1] = scores[end, 1]
        find_worst(kinds, chart.prefix_links, scores, kind)
    return end


@kernel(allocates=False, inlined=True)
def extend_prefixes(
    grammar: Grammar, sentence: SentenceArrays, limits: Limits, chart: Chart, start: int, last: int
) -> int:
    """Add word `last` to the prefixes from `start` on; return a status."""
    readings = sentence.readings
    prefixes = chart.prefixes
    scores = chart.prefix_scores
    totals = chart.totals
    begin = totals[layout.T_PREFIXES]
    end = begin
    low = sentence.reading_starts[last]
    high = sentence.reading_starts[last + 1]
    kinds = 0
    if start == last:
        if end + high - low > prefixes.shape[0]:
            return layout.PREFIXES_FULL
        for reading in range(low, high):
            write_prefix(grammar, readings, prefixes, end, -1, reading)
            prefixes[end, layout.PREFIX_KIND] = kinds
            scores[end, 0] = 0.0
            scores[end, 1] = sentence.reading_logs[reading]
            end += 1
            kinds += 1
    else:
        # What kind a longer prefix is of follows from the kind of the shorter one and the tag of the word.
        known = chart.longer_kinds
        wanted = chart.prefix_ranges[start, 2] * (high - low)
        if wanted > known.shape[0]:
            return layout.PREFIXES_FULL
        for place in range(wanted):
            known[place] = -1
        # Like any constituent, one far worse than the best over the same words is given up.
        best = -np.inf
        for before in range(chart.prefix_ranges[start, 0], chart.prefix_ranges[start, 1]):
            left = prefixes[before, layout.PREFIX_LAST] - sentence.reading_starts[last - 1]
            gap_row = sentence.gap_starts[last] + left * (high - low)
            kind_row = prefixes[before, layout.PREFIX_KIND] * (high - low)
            for reading in range(low, high):
                gap = scores[before, 0] + sentence.gaps[gap_row + reading - low, GAP_CONTINUE]
                tag = scores[before, 1] + sentence.reading_logs[reading]
                if gap + tag == -np.inf or gap + tag < best - limits.beam:
                    continue
                if gap + tag < limits.threshold:
                    totals[layout.T_UNDER_THRESHOLD] += 1
                    if limits.record != layout.RECORD_ALL:
                        continue
                if end >= prefixes.shape[0]:
                    return layout.PREFIXES_FULL
                best = max(best, gap + tag)
                write_prefix(grammar, readings, prefixes, end, before, reading)
                scores[end, 0] = gap
                scores[end, 1] = tag
                kind = known[kind_row + reading - low]
                if kind < 0:
                    kind = kind_of_prefix(chart, kinds, end)
                    known[kind_row + reading - low] = kind
                    kinds = max(kinds, kind + 1)
                prefixes[end, layout.PREFIX_KIND] = kind
                end = keep_prefix(limits, chart, end)
        kept = begin
        for place in range(begin, end):
            if scores[place, 0] + scores[place, 1] >= best - limits.beam:
                for column in range(prefixes.shape[1]):
                    prefixes[kept, column] = prefixes[place, column]
                scores[kept, 0] = scores[place, 0]
                scores[kept, 1] = scores[place, 1]
                kept += 1
        end = kept
    chart.prefix_ranges[start, 0] = begin
    chart.prefix_ranges[start, 1] = end
    chart.prefix_ranges[start, 2] = kinds
    totals[layout.T_PREFIXES] = end
    return layout.DONE_SEARCH


@kernel(allocates=False)
def write_step(row: Int32Array, step: Step, prefixes: Int32Array, readings: Int32Array, chosen: Int32Array) -> None:
    """Write one step of a derivation; of a word or baseNP also which reading each of its words has."""
    row[0] = step.kind
    row[1] = step.label
    row[2] = step.head_label
    row[3] = readings[step.head, READING_POSITION]
    row[4] = row[3]
    row[5] = row[3]
    if step.kind == WORD:
        chosen[row[3]] = step.head
    elif step.kind == BASE:
        prefix = step.left
        row[5] = readings[prefixes[prefix, layout.PREFIX_LAST], READING_POSITION]
        while prefix >= 0:
            reading = prefixes[prefix, layout.PREFIX_LAST]
            row[4] = readings[reading, READING_POSITION]
            chosen[row[4]] = reading
            prefix = prefixes[prefix, layout.PREFIX_BEFORE]
