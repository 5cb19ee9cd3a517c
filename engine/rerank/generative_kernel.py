"""The second model (after Collins, 1997): a tree's events, generated heads first and modifiers outward, and their
probabilities.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.rerank.generative_layout import (
    ABOVE,
    BASE_TAG,
    BASE_WORD,
    DISTANCE,
    DISTINCT_FACTOR,
    EVENT_COLUMNS,
    EVENT_KIND,
    EVENT_MULTIPLIERS,
    EVENT_NODE,
    EVENT_PLACE,
    FLOORS,
    FRAME,
    FRAME_BITS,
    FRAME_MASK,
    HEAD,
    HEAD_CHILD,
    HEAD_TAG,
    HEAD_WORD,
    KNOWN_EVENTS_MASK,
    LEFT,
    LEVEL_COLUMNS,
    LEVEL_FIELDS,
    LEVELS,
    MARK,
    MODIFIER,
    MODIFIER_LABEL,
    MODIFIER_TAG,
    MOST_FIELDS,
    NEXT_TO_HEAD,
    NO_FIELD,
    NOT_COMPLEMENT,
    NOTHING,
    NP_COMPLEMENT,
    OTHER_COMPLEMENT,
    OUTCOME,
    PARENT,
    PP_LABEL,
    PREVIOUS,
    PREVIOUS_WORD,
    RIGHT,
    ROOT_LABEL,
    ROOT_WORD,
    S_COMPLEMENT,
    SBAR_COMPLEMENT,
    SIDE,
    STOP,
    SUBCATEGORISATION,
    TAG_OF_MODIFIER,
    VERB_BETWEEN,
    VP_COMPLEMENT,
    WORD_OF_MODIFIER,
    GenerativeCounts,
    GenerativeTree,
    KnownEvents,
)
from engine.structure.nodes_kernel import lay_out, mix
from engine.structure.sentence_layout import (
    BASE,
    HASH_MASK,
    MARK_KINDS,
    NODE_COLUMNS,
    NODE_END,
    NODE_FIRST,
    NODE_HEAD,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_LABEL,
    NODE_NEXT,
    NODE_PARENT,
    NODE_START,
    WORD,
)

# The events of the second model: a tree generated from its root, heads first, modifiers outward (Collins, 1997).
#
# Every constituent P chooses its head-child H, a frame of complements on either side (subcategorisation), and then its
# modifiers from the head outward until STOP: label, head tag, head-word.  A modifier depends on the head-word, on what
# the frame still lacks, on distance (next to the head? a verb between?), on the punctuation at the edge reached so far,
# and on the modifier before it.  In a baseNP every word depends on the one before it.


@kernel(allocates=False)
def category(nodes: Int32Array, node: int) -> int:
    """The label of a node, baseNPs told from other NPs."""
    return 2 * int(nodes[node, NODE_LABEL]) + (1 if nodes[node, NODE_KIND] == BASE else 0)


@kernel(allocates=False)
def complement(complements: Int32Array, parent: int, child: int, next_to_head: bool) -> int:
    """The class of a modifier among complements, 0 for an adjunct (after Collins, 1997, section 2.1).

    NP, SBAR and S under S; these and VP under VP; S under SBAR; what follows a preposition in a PP.  Function tags,
    which would tell adverbial NPs apart, are not in parses.
    """
    above = complements[parent]
    kind = complements[child]
    if above == S_COMPLEMENT and NP_COMPLEMENT <= kind <= S_COMPLEMENT:
        return int(kind)
    if above == VP_COMPLEMENT and NP_COMPLEMENT <= kind <= VP_COMPLEMENT:
        return int(kind)
    if above == SBAR_COMPLEMENT and kind == S_COMPLEMENT:
        return int(kind)
    if above == PP_LABEL and next_to_head:
        return int(kind) if kind != NOT_COMPLEMENT else OTHER_COMPLEMENT
    return NOT_COMPLEMENT


@kernel(allocates=False)
def with_complement(frame: int, kind: int) -> int:
    """A frame with one complement more; seven of a kind are as many as can be counted."""
    shift = FRAME_BITS * (kind - 1)
    return frame + (1 << shift) if ((frame >> shift) & FRAME_MASK) < FRAME_MASK else frame


@kernel(allocates=False)
def without_complement(frame: int, kind: int) -> int:
    """A frame with one complement less, if it has one of the kind."""
    shift = FRAME_BITS * (kind - 1)
    return frame - (1 << shift) if ((frame >> shift) & FRAME_MASK) > 0 else frame


@kernel(allocates=False)
def frames(tree: GenerativeTree, node: int) -> tuple[int, int]:
    """The complements of a constituent to the left and to the right of its head."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD_CHILD]
    left = 0
    right = 0
    after_head = False
    next_to_head = False
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        if child == head:
            after_head = True
            next_to_head = True
        else:
            kind = complement(tree.complements, nodes[node, NODE_LABEL], nodes[child, NODE_LABEL], next_to_head)
            next_to_head = False
            if kind != NOT_COMPLEMENT:
                if after_head:
                    right = with_complement(right, kind)
                else:
                    left = with_complement(left, kind)
        child = nodes[child, NODE_NEXT]
    return left, right


@kernel(allocates=False)
def blank(rows: Int32Array, at: int, kind: int, node: int, place: int, outcome: int) -> None:
    """Begin an event: nothing in any column but these."""
    for column in range(EVENT_COLUMNS):
        rows[at, column] = NOTHING
    rows[at, EVENT_KIND] = kind
    rows[at, EVENT_NODE] = node
    rows[at, EVENT_PLACE] = place
    rows[at, OUTCOME] = outcome


@kernel(allocates=False)
def root_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """The label of the root and its head-word."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    label = category(nodes, node)
    blank(rows, at, ROOT_LABEL, node, head, label)
    rows[at, HEAD_TAG] = tree.tags[head]
    blank(rows, at + 1, ROOT_WORD, node, head, tree.words[head])
    rows[at + 1, MODIFIER] = label
    rows[at + 1, MODIFIER_TAG] = tree.tags[head]
    return at + 2


@kernel(allocates=False)
def base_events(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> int:
    """The words of a baseNP on one side of its head, outward, each given the one before it."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    step = 1 if side == RIGHT else -1
    previous = head
    place = head + step
    while True:
        inside = nodes[node, NODE_START] <= place < nodes[node, NODE_END]
        blank(rows, at, BASE_TAG, node, place, tree.tags[place] if inside else STOP)
        rows[at, SIDE] = side
        rows[at, HEAD_TAG] = tree.tags[head]
        rows[at, PREVIOUS] = tree.tags[previous]
        rows[at, PREVIOUS_WORD] = tree.words[previous]
        at += 1
        if not inside:
            return at
        blank(rows, at, BASE_WORD, node, place, tree.words[place])
        rows[at, SIDE] = side
        rows[at, MODIFIER_TAG] = tree.tags[place]
        rows[at, PREVIOUS] = tree.tags[previous]
        rows[at, PREVIOUS_WORD] = tree.words[previous]
        at += 1
        previous = place
        place += step


@kernel(allocates=False)
def sister_before(nodes: Int32Array, node: int, child: int) -> int:
    """The child to the left of a child, −1 if it is the first."""
    before = -1
    at = nodes[node, NODE_FIRST]
    while at != child:
        before = at
        at = nodes[at, NODE_NEXT]
    return before


@kernel(allocates=False)
def given_head(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> None:
    """Write what the modifiers of a constituent depend on in common: parent, head-child, head-word."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    rows[at, SIDE] = side
    rows[at, PARENT] = nodes[node, NODE_LABEL]
    rows[at, HEAD_CHILD] = category(nodes, nodes[node, NODE_HEAD_CHILD])
    rows[at, HEAD_TAG] = tree.tags[head]
    rows[at, HEAD_WORD] = tree.words[head]


@kernel(allocates=False)
def modifier_events(tree: GenerativeTree, node: int, side: int, frame: int, rows: Int32Array, at: int) -> int:
    """The modifiers of a constituent on one side of its head, outward, until STOP."""
    nodes = tree.nodes
    head = nodes[node, NODE_HEAD]
    head_child = nodes[node, NODE_HEAD_CHILD]
    edge = nodes[head_child, NODE_END] if side == RIGHT else nodes[head_child, NODE_START]
    child = nodes[head_child, NODE_NEXT] if side == RIGHT else sister_before(nodes, node, head_child)
    previous = NOTHING
    while True:
        first = previous == NOTHING
        verbs = tree.verbs[edge] - tree.verbs[head + 1] if side == RIGHT else tree.verbs[head] - tree.verbs[edge]
        place = nodes[child, NODE_HEAD] if child >= 0 else edge
        blank(rows, at, MODIFIER_LABEL, node, place, category(nodes, child) if child >= 0 else STOP)
        given_head(tree, node, side, rows, at)
        rows[at, DISTANCE] = (NEXT_TO_HEAD if first else 0) + (VERB_BETWEEN if verbs > 0 else 0)
        rows[at, FRAME] = frame
        rows[at, MARK] = tree.marks[edge] & MARK_KINDS
        rows[at, PREVIOUS] = previous
        at += 1
        if child < 0:
            return at
        blank(rows, at, TAG_OF_MODIFIER, node, place, tree.tags[place])
        given_head(tree, node, side, rows, at)
        rows[at, MODIFIER] = category(nodes, child)
        at += 1
        blank(rows, at, WORD_OF_MODIFIER, node, place, tree.words[place])
        given_head(tree, node, side, rows, at)
        rows[at, MODIFIER] = category(nodes, child)
        rows[at, MODIFIER_TAG] = tree.tags[place]
        at += 1
        next_to_head = side == RIGHT and first
        kind = complement(tree.complements, nodes[node, NODE_LABEL], nodes[child, NODE_LABEL], next_to_head)
        if kind != NOT_COMPLEMENT:
            frame = without_complement(frame, kind)
        previous = nodes[child, NODE_LABEL]
        if side == RIGHT:
            edge = nodes[child, NODE_END]
            child = nodes[child, NODE_NEXT]
        else:
            edge = nodes[child, NODE_START]
            child = sister_before(nodes, node, child)


@kernel(allocates=False)
def node_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """All events of one node; return the place after them.

    They depend on the node with its children, and on the label of the node above it and whether it is its head-child.
    """
    nodes = tree.nodes
    above = nodes[node, NODE_PARENT]
    if above < 0:
        at = root_events(tree, node, rows, at)
    kind = nodes[node, NODE_KIND]
    if kind == WORD:
        return at
    if kind == BASE:
        at = base_events(tree, node, LEFT, rows, at)
        return base_events(tree, node, RIGHT, rows, at)
    is_head = 1 if above >= 0 and nodes[above, NODE_HEAD_CHILD] == node else 0
    higher = 2 * nodes[above, NODE_LABEL] + is_head if above >= 0 else NOTHING
    head = nodes[node, NODE_HEAD]
    blank(rows, at, HEAD, node, head, category(nodes, nodes[node, NODE_HEAD_CHILD]))
    rows[at, PARENT] = nodes[node, NODE_LABEL]
    rows[at, HEAD_TAG] = tree.tags[head]
    rows[at, HEAD_WORD] = tree.words[head]
    rows[at, ABOVE] = higher
    at += 1
    left, right = frames(tree, node)
    for side in range(2):
        blank(rows, at, SUBCATEGORISATION, node, head, right if side == RIGHT else left)
        given_head(tree, node, side, rows, at)
        rows[at, ABOVE] = higher
        at += 1
    at = modifier_events(tree, node, LEFT, left, rows, at)
    return modifier_events(tree, node, RIGHT, right, rows, at)


# Estimates of the second model: the probability of an event, backed off level by level.


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
