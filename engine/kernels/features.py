"""Features of a whole tree, which a model of pairs of words cannot see: what the re-ranker weighs.

A tree comes as the steps of its derivation.  Its constituents are laid out as nodes with their children, and every
feature is written as a row of small numbers: its template, then labels, tags, words and counts.  The row's hash finds
its weight, and the row itself tells a reader what the feature is: there is one definition of both.
"""

from __future__ import annotations

import numpy as np

from engine.jit import jit_for
from engine.kernels.feature_data import (
    AFTER,
    ANCESTORS,
    BEFORE,
    BRANCH_OTHER,
    BRANCH_RIGHT,
    BUCKET_SHIFT,
    EDGE_TAGS,
    EDGE_WORD_AFTER,
    EDGE_WORD_BEFORE,
    GRAND_HEADS,
    HASH_MASK,
    HASH_MULTIPLIER,
    HEAD_SIDES,
    HEAVY,
    NODE_COLUMNS,
    NODE_END,
    NODE_FIRST,
    NODE_HEAD,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_LABEL,
    NODE_LAST,
    NODE_NEXT,
    NODE_PARENT,
    NODE_START,
    NOTHING,
    OBJECT_TAG,
    OBJECT_WORD_TAG,
    OBJECT_WORDS,
    PAIR_TAGS,
    PAIR_WORD_TAG,
    PAIR_WORDS,
    PARALLEL,
    PATH,
    ROW,
    RULE,
    RULE_ABOVE,
    SIBLINGS,
    TAG_PAIR,
    TAG_TRIPLE,
    TAG_WORD,
)
from engine.kernels.layout import (
    BASE,
    GROW_LEFT,
    GROW_RIGHT,
    READING_TAG,
    READING_WORD,
    START_LEFT,
    UNARY,
    WORD,
)

jit = jit_for(__name__)
lean = jit_for(__name__, allocates=False)


@lean
def lay_out(steps: np.ndarray, nodes: np.ndarray, stack: np.ndarray) -> int:
    """Write the constituents of a derivation as nodes; the last one is the root; return how many there are."""
    used = 0
    depth = 0
    for step in range(steps.shape[0]):
        kind = steps[step, 0]
        if kind == GROW_RIGHT or kind == GROW_LEFT:
            second = stack[depth - 1]
            first = stack[depth - 2]
            depth -= 1
            if kind == GROW_RIGHT:
                nodes[nodes[first, NODE_LAST], NODE_NEXT] = second
                nodes[first, NODE_LAST] = second
                nodes[first, NODE_END] = nodes[second, NODE_END]
                nodes[second, NODE_PARENT] = first
                stack[depth - 1] = first
            else:
                nodes[first, NODE_NEXT] = nodes[second, NODE_FIRST]
                nodes[second, NODE_FIRST] = first
                nodes[second, NODE_START] = nodes[first, NODE_START]
                nodes[first, NODE_PARENT] = second
                stack[depth - 1] = second
            continue
        node = nodes[used]
        node[NODE_LABEL] = steps[step, 1]
        node[NODE_HEAD] = steps[step, 3]
        node[NODE_PARENT] = -1
        node[NODE_NEXT] = -1
        node[NODE_KIND] = kind
        if kind == WORD or kind == BASE:
            node[NODE_START] = steps[step, 4]
            node[NODE_END] = steps[step, 5] + 1
            node[NODE_FIRST] = -1
            node[NODE_LAST] = -1
            node[NODE_HEAD_CHILD] = -1
        elif kind == UNARY:
            child = stack[depth - 1]
            depth -= 1
            node[NODE_START] = nodes[child, NODE_START]
            node[NODE_END] = nodes[child, NODE_END]
            node[NODE_FIRST] = child
            node[NODE_LAST] = child
            node[NODE_HEAD_CHILD] = child
            nodes[child, NODE_PARENT] = used
        else:
            second = stack[depth - 1]
            first = stack[depth - 2]
            depth -= 2
            node[NODE_START] = nodes[first, NODE_START]
            node[NODE_END] = nodes[second, NODE_END]
            node[NODE_FIRST] = first
            node[NODE_LAST] = second
            node[NODE_HEAD_CHILD] = second if kind == START_LEFT else first
            nodes[first, NODE_NEXT] = second
            nodes[first, NODE_PARENT] = used
            nodes[second, NODE_PARENT] = used
        stack[depth] = used
        depth += 1
        used += 1
    return used


@lean
def write(rows: np.ndarray, at: int, template: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Write one feature; return the place of the next."""
    row = rows[at]
    row[0] = template
    row[1] = a
    row[2] = b
    row[3] = c
    row[4] = d
    row[5] = e
    row[6] = f
    row[7] = g
    return at + 1


@lean
def bucket(count: int) -> int:
    """A length as one of a few: 0 to 4 as they are, then 5 to 6, 7 to 10, 11 to 20, more."""
    if count <= 4:
        return count
    if count <= 6:
        return 5
    if count <= 10:
        return 6
    return 7 if count <= 20 else 8


@lean
def edge(tags: np.ndarray, commas: np.ndarray, position: int, before: int) -> int:
    """The tag of the word beside a constituent, with whether a comma stands between; an edge of the sentence."""
    size = tags.shape[0]
    if position < 0:
        return BEFORE
    if position >= size:
        return AFTER
    comma = commas[position + 1] if before else commas[position]
    return tags[position] * 2 + (1 if comma > 0 else 0)


@lean
def parent_head(nodes: np.ndarray, node: int, head: int) -> tuple[int, int]:
    """The lowest constituent above a node that another word heads, and that word; (−1, −1) at the root."""
    above = nodes[node, NODE_PARENT]
    while above >= 0 and nodes[above, NODE_HEAD] == head:
        above = nodes[above, NODE_PARENT]
    return above, (nodes[above, NODE_HEAD] if above >= 0 else -1)


@lean
def object_of(nodes: np.ndarray, node: int) -> int:
    """Head-word of the last modifier to the right of a node's head-word, looking down its head-children; −1: none."""
    at = node
    while at >= 0 and nodes[at, NODE_FIRST] >= 0:
        last = nodes[at, NODE_LAST]
        if last != nodes[at, NODE_HEAD_CHILD]:
            return nodes[last, NODE_HEAD]
        at = nodes[at, NODE_HEAD_CHILD]
    return -1


@lean
def rule_features(nodes: np.ndarray, node: int, rows: np.ndarray, at: int) -> int:
    """The production of a constituent: its children, those beside each other, how many on each side."""
    label = nodes[node, NODE_LABEL]
    above = nodes[node, NODE_PARENT]
    grand = nodes[above, NODE_LABEL] if above >= 0 else NOTHING
    labels_1 = NOTHING
    labels_2 = NOTHING
    labels_3 = NOTHING
    labels_4 = NOTHING
    labels_5 = NOTHING
    head = nodes[node, NODE_HEAD_CHILD]
    head_label = nodes[head, NODE_LABEL]
    place = 0
    head_place = 0
    previous = BEFORE
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        name = nodes[child, NODE_LABEL]
        if child == head:
            head_place = place
        if place == 0:
            labels_1 = name
        elif place == 1:
            labels_2 = name
        elif place == 2:
            labels_3 = name
        elif place == 3:
            labels_4 = name
        else:
            labels_5 = name
        at = write(rows, at, SIBLINGS, label, head_label, previous, name, NOTHING, NOTHING, NOTHING)
        previous = name
        place += 1
        child = nodes[child, NODE_NEXT]
    at = write(rows, at, SIBLINGS, label, head_label, previous, AFTER, NOTHING, NOTHING, NOTHING)
    shape = head_place * 16 + min(place, 15)
    at = write(rows, at, RULE, label, shape, labels_1, labels_2, labels_3, labels_4, labels_5)
    return write(rows, at, RULE_ABOVE, label, shape, labels_1, labels_2, labels_3, labels_4, grand)


@lean
def arrow_features(
    nodes: np.ndarray, child: int, node: int, words: np.ndarray, tags: np.ndarray, rows: np.ndarray, at: int
) -> int:
    """A modifier with its head-word, the head of that, and its own object."""
    label = nodes[child, NODE_LABEL]
    parent = nodes[node, NODE_LABEL]
    modifier = nodes[child, NODE_HEAD]
    head = nodes[node, NODE_HEAD]
    between = nodes[child, NODE_START] - head - 1 if modifier > head else head - nodes[child, NODE_END]
    side = bucket(between) * 2 + (1 if modifier > head else 0)
    at = write(rows, at, PAIR_TAGS, label, parent, tags[modifier], tags[head], side, NOTHING, NOTHING)
    at = write(rows, at, PAIR_WORD_TAG, label, parent, words[modifier], tags[head], 0, NOTHING, NOTHING)
    at = write(rows, at, PAIR_WORD_TAG, label, parent, words[head], tags[modifier], 1, NOTHING, NOTHING)
    at = write(rows, at, PAIR_WORDS, label, parent, words[modifier], words[head], NOTHING, NOTHING, NOTHING)
    _, grand = parent_head(nodes, node, head)
    if grand >= 0:
        at = write(rows, at, GRAND_HEADS, label, parent, tags[modifier], tags[head], tags[grand], 0, NOTHING)
        at = write(rows, at, GRAND_HEADS, label, parent, tags[modifier], words[head], tags[grand], 1, NOTHING)
    below = object_of(nodes, child)
    if below >= 0:
        at = write(rows, at, OBJECT_WORDS, label, words[below], words[modifier], words[head], NOTHING, NOTHING, NOTHING)
        at = write(
            rows, at, OBJECT_WORD_TAG, label, words[below], words[modifier], tags[head], NOTHING, NOTHING, NOTHING
        )
        at = write(rows, at, OBJECT_TAG, label, tags[below], words[modifier], words[head], NOTHING, NOTHING, NOTHING)
    return at


@lean
def node_features(
    nodes: np.ndarray,
    node: int,
    words: np.ndarray,
    tags: np.ndarray,
    commas: np.ndarray,
    joined: np.ndarray,
    rows: np.ndarray,
    at: int,
) -> int:
    """All features of one constituent."""
    size = tags.shape[0]
    label = nodes[node, NODE_LABEL]
    start = nodes[node, NODE_START]
    end = nodes[node, NODE_END]
    length = bucket(end - start)
    above = nodes[node, NODE_PARENT]
    parent = nodes[above, NODE_LABEL] if above >= 0 else NOTHING
    higher = nodes[above, NODE_PARENT] if above >= 0 else -1
    grand = nodes[higher, NODE_LABEL] if higher >= 0 else NOTHING
    if nodes[node, NODE_KIND] == WORD:
        return write(rows, at, ANCESTORS, words[start], label, parent, grand, NOTHING, NOTHING, NOTHING)
    before = edge(tags, commas, start - 1, 1)
    after = edge(tags, commas, end, 0)
    at = write(rows, at, PATH, label, parent, grand, length, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, EDGE_TAGS, label, before, tags[start], tags[end - 1], after, NOTHING, NOTHING)
    if end < size:
        at = write(rows, at, EDGE_WORD_AFTER, label, words[end], tags[end - 1], after & 1, NOTHING, NOTHING, NOTHING)
    if start > 0:
        at = write(
            rows, at, EDGE_WORD_BEFORE, label, words[start - 1], tags[start], before & 1, NOTHING, NOTHING, NOTHING
        )
    to_end = bucket(size - end)
    comma = 0 if end >= size else min(commas[end], 1)
    at = write(rows, at, HEAVY, label, length, to_end, comma, NOTHING, NOTHING, NOTHING)
    if nodes[node, NODE_FIRST] < 0:
        return at
    at = rule_features(nodes, node, rows, at)
    lefts = 0
    rights = 0
    seen = False
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        if child == nodes[node, NODE_HEAD_CHILD]:
            seen = True
        else:
            at = arrow_features(nodes, child, node, words, tags, rows, at)
            if seen:
                rights += 1
            else:
                lefts += 1
            if joined[nodes[child, NODE_LABEL]]:
                at = parallel_features(nodes, child, node, rows, at)
        child = nodes[child, NODE_NEXT]
    sides = min(lefts, 4) * 8 + min(rights, 4)
    head = nodes[node, NODE_HEAD]
    at = write(rows, at, HEAD_SIDES, label, tags[head], sides, 0, NOTHING, NOTHING, NOTHING)
    return write(rows, at, HEAD_SIDES, label, words[head], sides, 1, NOTHING, NOTHING, NOTHING)


@lean
def parallel_features(nodes: np.ndarray, child: int, node: int, rows: np.ndarray, at: int) -> int:
    """Co-ordination: whether the conjunct after the conjunction is like the constituent that it joins."""
    conjunct = nodes[child, NODE_HEAD_CHILD]
    other = nodes[node, NODE_HEAD_CHILD]
    if conjunct < 0 or other < 0:
        return at
    first = nodes[other, NODE_LABEL]
    second = nodes[conjunct, NODE_LABEL]
    alike = 1 if first == second else 0
    if alike:
        left = nodes[other, NODE_HEAD_CHILD]
        right = nodes[conjunct, NODE_HEAD_CHILD]
        if left < 0 and right < 0:
            alike = 3
        elif left >= 0 and right >= 0 and nodes[left, NODE_LABEL] == nodes[right, NODE_LABEL]:
            alike = 2
    longer = (nodes[conjunct, NODE_END] - nodes[conjunct, NODE_START]) - (
        nodes[other, NODE_END] - nodes[other, NODE_START]
    )
    difference = bucket(longer) if longer >= 0 else -bucket(-longer)
    label = nodes[node, NODE_LABEL]
    at = write(rows, at, PARALLEL, label, alike, NOTHING, 0, NOTHING, NOTHING, NOTHING)
    return write(rows, at, PARALLEL, label, alike, difference, 1, NOTHING, NOTHING, NOTHING)


@lean
def word_features(words: np.ndarray, tags: np.ndarray, rows: np.ndarray, at: int) -> int:
    """Tags side by side, and words with their tags: they differ among parses that choose their tags."""
    size = tags.shape[0]
    for position in range(size):
        previous = tags[position - 1] if position > 0 else BEFORE
        before = tags[position - 2] if position > 1 else BEFORE
        at = write(rows, at, TAG_PAIR, previous, tags[position], NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
        at = write(rows, at, TAG_TRIPLE, before, previous, tags[position], NOTHING, NOTHING, NOTHING, NOTHING)
        at = write(rows, at, TAG_WORD, words[position], tags[position], 0, NOTHING, NOTHING, NOTHING, NOTHING)
        if position > 0:
            at = write(rows, at, TAG_WORD, words[position - 1], tags[position], 1, NOTHING, NOTHING, NOTHING, NOTHING)
        if position + 1 < size:
            at = write(rows, at, TAG_WORD, words[position + 1], tags[position], 2, NOTHING, NOTHING, NOTHING, NOTHING)
    return at


@jit
def tree_features(
    steps: np.ndarray, readings: np.ndarray, chosen: np.ndarray, commas: np.ndarray, joined: np.ndarray
) -> np.ndarray:
    """All features of a tree, one row each; a feature that occurs several times has several rows."""
    size = chosen.shape[0]
    words = np.empty(size, np.int32)
    tags = np.empty(size, np.int32)
    for position in range(size):
        words[position] = readings[chosen[position], READING_WORD]
        tags[position] = readings[chosen[position], READING_TAG]
    nodes = np.empty((steps.shape[0], NODE_COLUMNS), np.int32)
    stack = np.empty(steps.shape[0] + 1, np.int32)
    used = lay_out(steps, nodes, stack)
    # At most so many of a node and of the arrow above it, and of a word.
    rows = np.empty((30 * used + 6 * size + 16, ROW), np.int32)
    at = word_features(words, tags, rows, 0)
    for node in range(used):
        at = node_features(nodes, node, words, tags, commas, joined, rows, at)
    # Right branching: how many constituents lie on the way from the root to the last word.
    node = used - 1
    on_path = 0
    while node >= 0 and nodes[node, NODE_FIRST] >= 0:
        on_path += 1
        node = nodes[node, NODE_LAST]
    phrases = 0
    for node in range(used):
        if nodes[node, NODE_FIRST] >= 0:
            phrases += 1
            template = BRANCH_RIGHT if phrases <= on_path else BRANCH_OTHER
            at = write(rows, at, template, 0, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
    return rows[:at]


@lean
def row_hash(row: np.ndarray) -> int:
    """The number under which a feature's weight is kept: 62 bits."""
    mixed = 0
    for column in range(row.shape[0]):
        mixed = ((mixed ^ (int(row[column]) + 1024)) * HASH_MULTIPLIER) & HASH_MASK
        mixed ^= mixed >> 31
    return mixed


@jit
def hashes(rows: np.ndarray) -> np.ndarray:
    """The hashes of all rows."""
    found = np.empty(rows.shape[0], np.int64)
    for at in range(rows.shape[0]):
        found[at] = row_hash(rows[at])
    return found


@lean
def weight_place(buckets: np.ndarray, keys: np.ndarray, key: int) -> int:
    """Where the weight of a feature is, −1 if it has none; the upper bits of a key choose a bucket."""
    number = key >> BUCKET_SHIFT
    low = int(buckets[number])
    high = int(buckets[number + 1])
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < int(buckets[number + 1]) and keys[low] == key:
        return low
    return -1


@jit
def tree_score(rows: np.ndarray, buckets: np.ndarray, keys: np.ndarray, weights: np.ndarray) -> float:
    """The sum of the weights of a tree's features."""
    total = 0.0
    for at in range(rows.shape[0]):
        place = weight_place(buckets, keys, row_hash(rows[at]))
        if place >= 0:
            total += weights[place]
    return total
