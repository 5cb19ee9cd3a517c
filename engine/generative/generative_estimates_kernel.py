"""Estimates of the second model: the probability of an event, backed off level by level."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.generative.generative_events_kernel import node_events
from engine.generative.generative_layout import (
    DISTINCT_FACTOR,
    EVENT_COLUMNS,
    EVENT_KIND,
    EVENT_MULTIPLIERS,
    EVENT_NODE,
    FLOORS,
    KNOWN_EVENTS_MASK,
    LEVEL_COLUMNS,
    LEVEL_FIELDS,
    LEVELS,
    MOST_FIELDS,
    NO_FIELD,
    OUTCOME,
    GenerativeCounts,
    GenerativeTree,
    KnownEvents,
)
from engine.structure.hashing_kernel import mix
from engine.structure.hashing_layout import HASH_MASK
from engine.structure.nodes_kernel import lay_out
from engine.structure.nodes_layout import NODE_COLUMNS


@kernel(allocates=False)
def context_hash(event: Int32Array, level: int) -> int:
    """The number under which a level's context of an event is kept, −1 if there is no such level."""
    fields = LEVEL_FIELDS[event[EVENT_KIND], level]
    if fields[0] == NO_FIELD:
        return -1
    number = mix(0, int(fields[0]))
    for at in range(1, MOST_FIELDS + 1):
        if fields[at] == NO_FIELD:
            break
        number = mix(number, int(event[fields[at]]))
    return number


@kernel(allocates=False)
def context_place(counts: GenerativeCounts, number: int) -> int:
    """Where a context is, −1 if it has no counts."""
    bucket = number >> counts.shift
    return place_within(counts, number, int(counts.buckets[bucket]), int(counts.buckets[bucket + 1]))


@kernel(allocates=False)
def place_within(counts: GenerativeCounts, number: int, first: int, end: int) -> int:
    """Where a context is within its bucket, of which there are as many as contexts; −1 if it has no counts."""
    for place in range(first, end):
        if counts.contexts[place] == number:
            return place
    return -1


@kernel(allocates=False)
def outcome_count(counts: GenerativeCounts, place: int, outcome: int) -> int:
    """How often an outcome was met in a context."""
    low = int(counts.starts[place])
    end = int(counts.starts[place + 1])
    high = end
    while low < high:
        middle = (low + high) >> 1
        if counts.outcomes[middle] < outcome:
            low = middle + 1
        else:
            high = middle
    if low < end and counts.outcomes[low] == outcome:
        return int(counts.counts[low])
    return 0


@kernel(allocates=False)
def event_probability(counts: GenerativeCounts, event: Int32Array, levels: Int64Array) -> float:
    """The probability of an event: λ₁ e₁ + (1 − λ₁) (λ₂ e₂ + …), from the coarsest level up.

    All levels are looked up side by side, so that what is read from memory for one does not wait for another; `levels`
    is room for it (:data:`LEVEL_COLUMNS`).  What a level never met in its context, none finer has met.
    """
    for level in range(LEVELS):
        levels[level, 0] = context_hash(event, level)
    for level in range(LEVELS):
        bucket = max(levels[level, 0], 0) >> counts.shift
        levels[level, 1] = counts.buckets[bucket]
        levels[level, 2] = counts.buckets[bucket + 1]
    for level in range(LEVELS):
        levels[level, 0] = place_within(counts, levels[level, 0], levels[level, 1], levels[level, 2])
    probability = float(FLOORS[event[EVENT_KIND]])
    met = 1
    for down in range(LEVELS):
        place = levels[LEVELS - 1 - down, 0]
        if place < 0:
            continue
        total = float(counts.totals[place])
        distinct = float(counts.starts[place + 1] - counts.starts[place])
        weight = total / (total + DISTINCT_FACTOR * distinct)
        if met > 0:
            met = outcome_count(counts, place, event[OUTCOME])
        probability = weight * (met / total) + (1.0 - weight) * probability
    return probability


@kernel(allocates=False)
def event_key(event: Int32Array) -> int:
    """A number of 62 bits for all of an event but where in the tree it is."""
    number = int(event[EVENT_NODE - 1]) * int(EVENT_MULTIPLIERS[EVENT_NODE // 2])
    for pair in range(EVENT_NODE // 2):
        columns = (int(event[2 * pair]) << 32) + int(event[2 * pair + 1])
        number += columns * int(EVENT_MULTIPLIERS[pair])
    number &= HASH_MASK
    return mix(number ^ (number >> 31), 0)


@kernel(allocates=False)
def node_log_probability(
    counts: GenerativeCounts, known: KnownEvents, tree: GenerativeTree, node: int, rows: Int32Array
) -> float:
    """The log probability of one node's events; `rows` is room to write them.

    The trees of a list differ in few events: what is known of one need not be looked up again.
    """
    total = 0.0
    for at in range(node_events(tree, node, rows, 0)):
        key = event_key(rows[at])
        place = key & KNOWN_EVENTS_MASK
        if known.keys[place, 0] != key:
            known.keys[place, 0] = key
            known.logs[place, 1] = np.log(event_probability(counts, rows[at], known.levels))
        total += known.logs[place, 1]
    return total


@kernel
def tree_events(
    steps: Int32Array,
    words: Int32Array,
    tags: Int32Array,
    verbs: Int32Array,
    marks: Int32Array,
    complements: Int32Array,
) -> Int32Array:
    """All events of a tree, node by node in the order of its derivation."""
    nodes = np.empty((steps.shape[0], NODE_COLUMNS), np.int32)
    used = lay_out(steps, nodes, np.empty(steps.shape[0] + 1, np.int32))
    tree = GenerativeTree(nodes, words, tags, verbs, marks, complements)
    # At most so many of a node (head, frames, two STOPs), of a modifier, of a word of a baseNP, and of the root.
    rows = np.empty((8 * used + 2 * words.shape[0] + 2, EVENT_COLUMNS), np.int32)
    at = 0
    for node in range(used):
        at = node_events(tree, node, rows, at)
    return rows[:at]


@kernel
def event_contexts(events: Int32Array, contexts: Int64Array, outcomes: Int32Array, at: int) -> int:
    """Write the hash of every level's context of every event, and its outcome; return the place after them."""
    for row in range(events.shape[0]):
        for level in range(LEVELS):
            number = context_hash(events[row], level)
            if number >= 0:
                contexts[at] = number
                outcomes[at] = events[row, OUTCOME]
                at += 1
    return at


@kernel
def log_probabilities(counts: GenerativeCounts, events: Int32Array) -> FloatArray:
    """The log probability of every event."""
    found = np.empty(events.shape[0])
    levels = np.empty((LEVELS, LEVEL_COLUMNS), np.int64)
    for row in range(events.shape[0]):
        found[row] = np.log(event_probability(counts, events[row], levels))
    return found
