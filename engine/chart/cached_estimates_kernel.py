"""Cached estimates: F̂ of two words at one Δ is the same in every cell, and is computed once a sentence (section 3).

What of Δ depends on the constituents that are joined, and not on the two words alone, is a set of *answers*:
whether the two are adjacent, whether a verb stands between them, and whether a comma follows the first word or
precedes the second.
"""

from __future__ import annotations

import numpy as np

from engine.chart.chart_layout import (
    ADJACENT,
    ANSWER_BITS,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    DEMANDED_RELATION,
    T_ESTIMATES,
    T_WORK,
    VERB,
    Chart,
    Grammar,
    SentenceArrays,
)
from engine.common.arrays import FloatArray, Int32Array
from engine.compiled.kernel import kernel
from engine.counts.counts_layout import WordPair
from engine.counts.keys_kernel import classes_between, delta_code
from engine.estimates.dependency_estimates_kernel import dependency_estimates
from engine.structure.structure_layout import AFTER, BEFORE, OWN_TAG, READING_POSITION, READING_TAG, READING_WORD

NOT_ESTIMATED = 1e300
"""In place of the best log F̂ of two words: they were not met yet, so that nothing can be ruled out."""
MODIFIER_LABELS, HEAD_LABELS = range(2)
"""Columns of ``Chart.estimate_labels``."""
ESTIMATES_SHIFT = 2
"""Four relations that are estimated, or moved by a place, are as much work as a pair of items, and take 48 bytes."""


@kernel(allocates=False, inlined=True)
def label_bit(label: int) -> int:
    """The bit that stands for a label in a set of labels; labels may share one."""
    return min(int(label) & 63, 62)


@kernel(allocates=False, inlined=True)
def estimate_place(left: int, right: int, answers: int) -> int:
    """Where the estimates of two readings at one Δ are, the left one being the head; where it is not they come next."""
    return ((int(right) * (int(right) - 1) // 2 + int(left)) << ANSWER_BITS | answers) << 1


@kernel(allocates=False, inlined=True)
def estimate_places(readings: int) -> int:
    """How many places there are for the estimates of so many readings."""
    return (readings * (readings - 1) // 2) << ANSWER_BITS << 1


@kernel(allocates=False, inlined=True)
def drop_forbidden(sentence: SentenceArrays, chart: Chart, modifier: int, head: int, start: int, end: int) -> int:
    """Take relations that the caller forbids between two words out of the estimates; return their new end."""
    demanded = sentence.demands[modifier, DEMANDED_RELATION]
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
    below = readings[modifier, READING_POSITION]
    above = readings[head, READING_POSITION]
    start = chart.totals[T_ESTIMATES]
    end = start
    if sentence.arrow_allowed[below, above]:
        head_first = 1 if above < below else 0
        commas = comma_sums[below] - comma_sums[above] if head_first else comma_sums[above] - comma_sums[below]
        delta = delta_code(
            head_first,
            answers & ADJACENT,
            answers & VERB,
            commas,
            answers & COMMA_AFTER_FIRST,
            answers & COMMA_BEFORE_SECOND,
        )
        between = 0
        if grammar.switches.contexts:
            between = classes_between(
                neighbours[:, OWN_TAG],
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
            int(neighbours[below, BEFORE]),
            int(neighbours[below, AFTER]),
            int(neighbours[above, BEFORE]),
            int(neighbours[above, AFTER]),
            int(between),
        )
        scratch = chart.dependency_scratch
        end = dependency_estimates(grammar.counts, grammar.switches, pair, scratch, relations, estimates, start)
        if end < 0:
            return False
        end = drop_forbidden(sentence, chart, below, above, start, end)
        moved = group_by_label(grammar.triples, relations, estimates, start, end)
        chart.totals[T_WORK] += (end - start + moved) >> ESTIMATES_SHIFT
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
    chart.totals[T_ESTIMATES] = end
    return True
