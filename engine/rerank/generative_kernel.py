"""The second model (after Collins, 1997): a tree's events, generated heads first and modifiers outward, and their
probabilities.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.rerank import generative_layout as layout
from engine.rerank.generative_layout import GenerativeCounts, GenerativeTree, KnownEvents
from engine.structure import sentence_layout as structure
from engine.structure.nodes_kernel import lay_out, mix

# The events of the second model: a tree generated from its root, heads first, modifiers outward (Collins, 1997).
#
# Every constituent P chooses its head-child H, a frame of complements on either side (subcategorisation), and then its
# modifiers from the head outward until STOP: label, head tag, head-word.  A modifier depends on the head-word, on what
# the frame still lacks, on distance (next to the head? a verb between?), on the punctuation at the edge reached so far,
# and on the modifier before it.  In a baseNP every word depends on the one before it.


@kernel(allocates=False)
def category(nodes: Int32Array, node: int) -> int:
    """Return the label of a node, baseNPs told from other NPs."""
    return 2 * int(nodes[node, structure.NODE_LABEL]) + (1 if nodes[node, structure.NODE_KIND] == structure.BASE else 0)


@kernel(allocates=False)
def complement(complements: Int32Array, parent: int, child: int, next_to_head: bool) -> int:
    """Return the class of a modifier among complements, 0 for an adjunct (after Collins, 1997, section 2.1).

    NP, SBAR and S under S; these and VP under VP; S under SBAR; what follows a preposition in a PP.  Function tags,
    which would tell adverbial NPs apart, are not in parses.
    """
    above = complements[parent]
    kind = complements[child]
    if above == layout.S_COMPLEMENT and layout.NP_COMPLEMENT <= kind <= layout.S_COMPLEMENT:
        return int(kind)
    if above == layout.VP_COMPLEMENT and layout.NP_COMPLEMENT <= kind <= layout.VP_COMPLEMENT:
        return int(kind)
    if above == layout.SBAR_COMPLEMENT and kind == layout.S_COMPLEMENT:
        return int(kind)
    if above == layout.PP_LABEL and next_to_head:
        return int(kind) if kind != layout.NOT_COMPLEMENT else layout.OTHER_COMPLEMENT
    return layout.NOT_COMPLEMENT


@kernel(allocates=False)
def with_complement(frame: int, kind: int) -> int:
    """Return a frame with one complement more; seven of a kind are as many as can be counted."""
    shift = layout.FRAME_BITS * (kind - 1)
    return frame + (1 << shift) if ((frame >> shift) & layout.FRAME_MASK) < layout.FRAME_MASK else frame


@kernel(allocates=False)
def without_complement(frame: int, kind: int) -> int:
    """Return a frame with one complement less, if it has one of the kind."""
    shift = layout.FRAME_BITS * (kind - 1)
    return frame - (1 << shift) if ((frame >> shift) & layout.FRAME_MASK) > 0 else frame


@kernel(allocates=False)
def frames(tree: GenerativeTree, node: int) -> tuple[int, int]:
    """Return the complements of a constituent to the left and to the right of its head."""
    nodes = tree.nodes
    head = nodes[node, structure.NODE_HEAD_CHILD]
    left = 0
    right = 0
    after_head = False
    next_to_head = False
    child = nodes[node, structure.NODE_FIRST]
    while child >= 0:
        if child == head:
            after_head = True
            next_to_head = True
        else:
            kind = complement(
                tree.complements, nodes[node, structure.NODE_LABEL], nodes[child, structure.NODE_LABEL], next_to_head
            )
            next_to_head = False
            if kind != layout.NOT_COMPLEMENT:
                if after_head:
                    right = with_complement(right, kind)
                else:
                    left = with_complement(left, kind)
        child = nodes[child, structure.NODE_NEXT]
    return left, right


@kernel(allocates=False)
def blank(rows: Int32Array, at: int, kind: int, node: int, place: int, outcome: int) -> None:
    """Begin an event: nothing in any column but these."""
    for column in range(layout.EVENT_COLUMNS):
        rows[at, column] = layout.NOTHING
    rows[at, layout.EVENT_KIND] = kind
    rows[at, layout.EVENT_NODE] = node
    rows[at, layout.EVENT_PLACE] = place
    rows[at, layout.OUTCOME] = outcome


@kernel(allocates=False)
def root_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """Return the label of the root and its head-word."""
    nodes = tree.nodes
    head = nodes[node, structure.NODE_HEAD]
    label = category(nodes, node)
    blank(rows, at, layout.ROOT_LABEL, node, head, label)
    rows[at, layout.HEAD_TAG] = tree.tags[head]
    blank(rows, at + 1, layout.ROOT_WORD, node, head, tree.words[head])
    rows[at + 1, layout.MODIFIER] = label
    rows[at + 1, layout.MODIFIER_TAG] = tree.tags[head]
    return at + 2


@kernel(allocates=False)
def base_events(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> int:
    """Return the words of a baseNP on one side of its head, outward, each given the one before it."""
    nodes = tree.nodes
    head = nodes[node, structure.NODE_HEAD]
    step = 1 if side == layout.RIGHT else -1
    previous = head
    place = head + step
    while True:
        inside = nodes[node, structure.NODE_START] <= place < nodes[node, structure.NODE_END]
        blank(rows, at, layout.BASE_TAG, node, place, tree.tags[place] if inside else layout.STOP)
        rows[at, layout.SIDE] = side
        rows[at, layout.HEAD_TAG] = tree.tags[head]
        rows[at, layout.PREVIOUS] = tree.tags[previous]
        rows[at, layout.PREVIOUS_WORD] = tree.words[previous]
        at += 1
        if not inside:
            return at
        blank(rows, at, layout.BASE_WORD, node, place, tree.words[place])
        rows[at, layout.SIDE] = side
        rows[at, layout.MODIFIER_TAG] = tree.tags[place]
        rows[at, layout.PREVIOUS] = tree.tags[previous]
        rows[at, layout.PREVIOUS_WORD] = tree.words[previous]
        at += 1
        previous = place
        place += step


@kernel(allocates=False)
def sister_before(nodes: Int32Array, node: int, child: int) -> int:
    """Return the child to the left of a child, −1 if it is the first."""
    before = -1
    at = nodes[node, structure.NODE_FIRST]
    while at != child:
        before = at
        at = nodes[at, structure.NODE_NEXT]
    return before


@kernel(allocates=False)
def given_head(tree: GenerativeTree, node: int, side: int, rows: Int32Array, at: int) -> None:
    """Write what the modifiers of a constituent depend on in common: parent, head-child, head-word."""
    nodes = tree.nodes
    head = nodes[node, structure.NODE_HEAD]
    rows[at, layout.SIDE] = side
    rows[at, layout.PARENT] = nodes[node, structure.NODE_LABEL]
    rows[at, layout.HEAD_CHILD] = category(nodes, nodes[node, structure.NODE_HEAD_CHILD])
    rows[at, layout.HEAD_TAG] = tree.tags[head]
    rows[at, layout.HEAD_WORD] = tree.words[head]


@kernel(allocates=False)
def modifier_events(tree: GenerativeTree, node: int, side: int, frame: int, rows: Int32Array, at: int) -> int:
    """Return the modifiers of a constituent on one side of its head, outward, until STOP."""
    nodes = tree.nodes
    head = nodes[node, structure.NODE_HEAD]
    head_child = nodes[node, structure.NODE_HEAD_CHILD]
    edge = nodes[head_child, structure.NODE_END] if side == layout.RIGHT else nodes[head_child, structure.NODE_START]
    child = nodes[head_child, structure.NODE_NEXT] if side == layout.RIGHT else sister_before(nodes, node, head_child)
    previous = layout.NOTHING
    while True:
        first = previous == layout.NOTHING
        verbs = tree.verbs[edge] - tree.verbs[head + 1] if side == layout.RIGHT else tree.verbs[head] - tree.verbs[edge]
        place = nodes[child, structure.NODE_HEAD] if child >= 0 else edge
        blank(rows, at, layout.MODIFIER_LABEL, node, place, category(nodes, child) if child >= 0 else layout.STOP)
        given_head(tree, node, side, rows, at)
        rows[at, layout.DISTANCE] = (layout.NEXT_TO_HEAD if first else 0) + (layout.VERB_BETWEEN if verbs > 0 else 0)
        rows[at, layout.FRAME] = frame
        rows[at, layout.MARK] = tree.marks[edge] & structure.MARK_KINDS
        rows[at, layout.PREVIOUS] = previous
        at += 1
        if child < 0:
            return at
        blank(rows, at, layout.TAG_OF_MODIFIER, node, place, tree.tags[place])
        given_head(tree, node, side, rows, at)
        rows[at, layout.MODIFIER] = category(nodes, child)
        at += 1
        blank(rows, at, layout.WORD_OF_MODIFIER, node, place, tree.words[place])
        given_head(tree, node, side, rows, at)
        rows[at, layout.MODIFIER] = category(nodes, child)
        rows[at, layout.MODIFIER_TAG] = tree.tags[place]
        at += 1
        next_to_head = side == layout.RIGHT and first
        kind = complement(
            tree.complements, nodes[node, structure.NODE_LABEL], nodes[child, structure.NODE_LABEL], next_to_head
        )
        if kind != layout.NOT_COMPLEMENT:
            frame = without_complement(frame, kind)
        previous = nodes[child, structure.NODE_LABEL]
        if side == layout.RIGHT:
            edge = nodes[child, structure.NODE_END]
            child = nodes[child, structure.NODE_NEXT]
        else:
            edge = nodes[child, structure.NODE_START]
            child = sister_before(nodes, node, child)


@kernel(allocates=False)
def node_events(tree: GenerativeTree, node: int, rows: Int32Array, at: int) -> int:
    """Return all events of one node; return the place after them.

    They depend on the node with its children, and on the label of the node above it and whether it is its head-child.
    """
    nodes = tree.nodes
    above = nodes[node, structure.NODE_PARENT]
    if above < 0:
        at = root_events(tree, node, rows, at)
    kind = nodes[node, structure.NODE_KIND]
    if kind == structure.WORD:
        return at
    if kind == structure.BASE:
        at = base_events(tree, node, layout.LEFT, rows, at)
        return base_events(tree, node, layout.RIGHT, rows, at)
    is_head = 1 if above >= 0 and nodes[above, structure.NODE_HEAD_CHILD] == node else 0
    higher = 2 * nodes[above, structure.NODE_LABEL] + is_head if above >= 0 else layout.NOTHING
    head = nodes[node, structure.NODE_HEAD]
    blank(rows, at, layout.HEAD, node, head, category(nodes, nodes[node, structure.NODE_HEAD_CHILD]))
    rows[at, layout.PARENT] = nodes[node, structure.NODE_LABEL]
    rows[at, layout.HEAD_TAG] = tree.tags[head]
    rows[at, layout.HEAD_WORD] = tree.words[head]
    rows[at, layout.ABOVE] = higher
    at += 1
    left, right = frames(tree, node)
    for side in range(2):
        blank(rows, at, layout.SUBCATEGORISATION, node, head, right if side == layout.RIGHT else left)
        given_head(tree, node, side, rows, at)
        rows[at, layout.ABOVE] = higher
        at += 1
    at = modifier_events(tree, node, layout.LEFT, left, rows, at)
    return modifier_events(tree, node, layout.RIGHT, right, rows, at)


# Estimates of the second model: the probability of an event, backed off level by level.


@kernel(allocates=False)
def context_hash(event: Int32Array, level: int) -> int:
    """Return the number under which a level's context of an event is kept, −1 if there is no such level."""
    fields = layout.LEVEL_FIELDS[event[layout.EVENT_KIND], level]
    if fields[0] == layout.NO_FIELD:
        return -1
    number = mix(0, int(fields[0]))
    for at in range(1, layout.MOST_FIELDS + 1):
        if fields[at] == layout.NO_FIELD:
            break
        number = mix(number, int(event[fields[at]]))
    return number


@kernel(allocates=False)
def place_within(counts: GenerativeCounts, number: int, first: int, end: int) -> int:
    """Return where a context is within its bucket, of which there are as many as contexts; −1 if it has no counts."""
    for place in range(first, end):
        if counts.contexts[place] == number:
            return place
    return -1


@kernel(allocates=False)
def outcome_count(counts: GenerativeCounts, place: int, outcome: int) -> int:
    """Return how often an outcome was met in a context."""
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
def event_probability(counts: GenerativeCounts, event: Int32Array, levels: Int64Array, steps: FloatArray) -> float:
    """Return the probability of an event: λ₁ e₁ + (1 − λ₁) (λ₂ e₂ + …), from the coarsest level up.

    All levels are looked up side by side, so that what is read from memory for one does not wait for another; `levels`
    is room for it (:data:`LEVEL_COLUMNS`).  What a level never met in its context, none finer has met.  What was
    mixed is written down in `steps` (:data:`STEP_COLUMNS`).
    """
    for level in range(layout.LEVELS):
        levels[level, 0] = context_hash(event, level)
    for level in range(layout.LEVELS):
        bucket = max(levels[level, 0], 0) >> counts.shift
        levels[level, 1] = counts.buckets[bucket]
        levels[level, 2] = counts.buckets[bucket + 1]
    for level in range(layout.LEVELS):
        levels[level, 0] = place_within(counts, levels[level, 0], levels[level, 1], levels[level, 2])
    probability = float(layout.FLOORS[event[layout.EVENT_KIND]])
    met = 1
    for down in range(layout.LEVELS):
        level = layout.LEVELS - 1 - down
        place = levels[level, 0]
        if place < 0:
            steps[level] = 0.0
            continue
        total = float(counts.totals[place])
        distinct = float(counts.starts[place + 1] - counts.starts[place])
        weight = total / (total + layout.DISTINCT_FACTOR * distinct)
        if met > 0:
            met = outcome_count(counts, place, event[layout.OUTCOME])
        probability = weight * (met / total) + (1.0 - weight) * probability
        steps[level, layout.STEP_MET] = met
        steps[level, layout.STEP_TOTAL] = total
        steps[level, layout.STEP_DISTINCT] = distinct
        steps[level, layout.STEP_WEIGHT] = weight
    return probability


@kernel(allocates=False)
def event_key(event: Int32Array) -> int:
    """Return a number of 62 bits for all of an event but where in the tree it is."""
    number = int(event[layout.EVENT_NODE - 1]) * int(layout.EVENT_MULTIPLIERS[layout.EVENT_NODE // 2])
    for pair in range(layout.EVENT_NODE // 2):
        columns = (int(event[2 * pair]) << 32) + int(event[2 * pair + 1])
        number += columns * int(layout.EVENT_MULTIPLIERS[pair])
    number &= structure.HASH_MASK
    return mix(number ^ (number >> 31), 0)


@kernel(allocates=False)
def node_log_probability(
    counts: GenerativeCounts, known: KnownEvents, tree: GenerativeTree, node: int, rows: Int32Array
) -> float:
    """Return the log probability of one node's events; `rows` is room to write them.

    The trees of a list differ in few events: what is known of one need not be looked up again.
    """
    total = 0.0
    for at in range(node_events(tree, node, rows, 0)):
        key = event_key(rows[at])
        place = key & layout.KNOWN_EVENTS_MASK
        if known.keys[place, 0] != key:
            known.keys[place, 0] = key
            known.logs[place, 1] = np.log(event_probability(counts, rows[at], known.levels, known.steps))
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
    """Return all events of a tree, node by node in the order of its derivation."""
    nodes = np.empty((steps.shape[0], structure.NODE_COLUMNS), np.int32)
    used = lay_out(steps, nodes, np.empty(steps.shape[0] + 1, np.int32))
    tree = GenerativeTree(nodes, words, tags, verbs, marks, complements)
    # At most so many of a node (head, frames, two STOPs), of a modifier, of a word of a baseNP, and of the root.
    rows = np.empty((8 * used + 2 * words.shape[0] + 2, layout.EVENT_COLUMNS), np.int32)
    at = 0
    for node in range(used):
        at = node_events(tree, node, rows, at)
    return rows[:at]


@kernel
def event_contexts(events: Int32Array, contexts: Int64Array, outcomes: Int32Array, at: int) -> int:
    """Write the hash of every level's context of every event, and its outcome; return the place after them."""
    for row in range(events.shape[0]):
        for level in range(layout.LEVELS):
            number = context_hash(events[row], level)
            if number >= 0:
                contexts[at] = number
                outcomes[at] = events[row, layout.OUTCOME]
                at += 1
    return at


@kernel
def estimates(counts: GenerativeCounts, events: Int32Array) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the probability of every event, its logarithm, and the steps by which its levels were mixed."""
    found = np.empty(events.shape[0])
    levels = np.empty((layout.LEVELS, layout.LEVEL_COLUMNS), np.int64)
    steps = np.empty((events.shape[0], layout.LEVELS, layout.STEP_COLUMNS))
    for row in range(events.shape[0]):
        found[row] = event_probability(counts, events[row], levels, steps[row])
    return found, np.log(found), steps
