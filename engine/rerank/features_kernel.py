"""Features of a whole tree, which a model of pairs of words cannot see: what the re-ranker weighs."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.rerank.features_layout import (
    AFTER,
    ANCESTORS,
    BEFORE,
    BRANCH_OTHER,
    BRANCH_RIGHT,
    CONJUNCT_TAGS,
    CONJUNCT_WORDS,
    EDGE_TAGS,
    EDGE_WORD_AFTER,
    EDGE_WORD_BEFORE,
    EDGE_WORDS,
    FIRST_TAGS,
    FIRST_WORD,
    GRAND_HEADS,
    HEAD_CHAIN,
    HEAD_SIDES,
    HEAVY,
    LAST_TAGS,
    LAST_WORD,
    MARKS_AROUND,
    NODE_ROWS,
    NOTHING,
    OBJECT_TAG,
    OBJECT_TAGS,
    OBJECT_WORD_TAG,
    OBJECT_WORDS,
    PAIR_TAGS,
    PAIR_WORD_TAG,
    PAIR_WORDS,
    PARALLEL,
    PARENT,
    PATH,
    PATH_TAG_WORD,
    PATH_TAGS,
    PATH_WORD_TAG,
    PATH_WORDS,
    PROJECTION,
    ROW,
    RULE,
    RULE_ABOVE,
    RULE_AFTER_WORD,
    RULE_BEFORE_WORD,
    RULE_BETWEEN_TAGS,
    RULE_EDGE_TAGS,
    RULE_FIRST_WORD,
    RULE_LAST_WORD,
    RULE_LENGTH,
    RULE_MARKS,
    RULE_WORD,
    SENTENCE_END,
    SIBLINGS,
    SISTER_TAGS,
    SISTER_WORDS,
    SPINE_TAG,
    SPINE_WORD,
    SPLIT,
    TAG_BEFORE,
    TAG_BEFORE_HEAD,
    TAG_PAIR,
    TAG_TRIPLE,
    TAG_WORD,
    TAGS_WITHIN,
    THREE_CHILDREN,
    TREE_ROWS,
    WORD_AT_DISTANCE,
    WORD_ROWS,
    Rule,
    TreeArrays,
)
from engine.structure.nodes_kernel import lay_out, mix
from engine.structure.sentence_layout import (
    MARK_KINDS,
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
    READING_TAG,
    READING_WORD,
    WORD,
)

# A derivation laid out as nodes with their children, and how a feature of them is written as a row of numbers.


@kernel(allocates=False)
def write(rows: Int32Array, at: int, template: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
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


@kernel(allocates=False)
def bucket(count: int) -> int:
    """A length as one of a few: 0 to 4 as they are, then 5 to 6, 7 to 10, 11 to 20, more."""
    if count <= 4:
        return count
    if count <= 6:
        return 5
    if count <= 10:
        return 6
    return 7 if count <= 20 else 8


@kernel(allocates=False)
def tag_beside(tags: Int32Array, commas: Int32Array, position: int, before: int) -> int:
    """The tag of the word beside a constituent, with whether a comma stands between; an edge of the sentence."""
    size = tags.shape[0]
    if position < 0:
        return BEFORE
    if position >= size:
        return AFTER
    comma = commas[position + 1] if before else commas[position]
    return tags[position] * 2 + (1 if comma > 0 else 0)


@kernel(allocates=False)
def parent_head(nodes: Int32Array, node: int, head: int) -> tuple[int, int]:
    """The lowest constituent above a node that another word heads, and that word; (−1, −1) at the root."""
    above = nodes[node, NODE_PARENT]
    while above >= 0 and nodes[above, NODE_HEAD] == head:
        above = nodes[above, NODE_PARENT]
    return above, (nodes[above, NODE_HEAD] if above >= 0 else -1)


@kernel(allocates=False)
def object_of(nodes: Int32Array, node: int) -> int:
    """Head-word of the last modifier to the right of a node's head-word, looking down its head-children; −1: none."""
    at = node
    while at >= 0 and nodes[at, NODE_FIRST] >= 0:
        last = nodes[at, NODE_LAST]
        if last != nodes[at, NODE_HEAD_CHILD]:
            return nodes[last, NODE_HEAD]
        at = nodes[at, NODE_HEAD_CHILD]
    return -1


# Features of how constituents are put together: rules, sisters, modifiers with their heads, conjuncts.


@kernel(allocates=False)
def rule_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """The production of a constituent: its children, alone, with its head-word and with what is above it."""
    nodes = tree.nodes
    words = tree.words
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
    head_word = words[nodes[node, NODE_HEAD]]
    at = write(rows, at, RULE_WORD, label, shape, labels_1, labels_2, labels_3, labels_4, head_word)
    lower = nodes[head, NODE_HEAD_CHILD]
    if lower >= 0:
        inner = nodes[lower, NODE_LABEL]
        inner_last = nodes[nodes[head, NODE_LAST], NODE_LABEL]
        first = nodes[nodes[node, NODE_FIRST], NODE_LABEL]
        last = nodes[nodes[node, NODE_LAST], NODE_LABEL]
        at = write(rows, at, HEAD_CHAIN, label, first, head_label, last, inner, inner_last, NOTHING)
    at = write(rows, at, RULE_ABOVE, label, shape, labels_1, labels_2, labels_3, labels_4, grand)
    return rule_span_features(tree, node, Rule(label, shape, labels_1, labels_2, labels_3, labels_4), rows, at)


@kernel(allocates=False)
def rule_span_features(tree: TreeArrays, node: int, rule: Rule, rows: Int32Array, at: int) -> int:
    """A production with what the constituent begins and ends with, and with what stands beside it."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    marks = tree.marks
    size = tags.shape[0]
    start = nodes[node, NODE_START]
    end = nodes[node, NODE_END]
    a, b, c, d, e, f = rule
    before = words[start - 1] if start > 0 else BEFORE
    after = words[end] if end < size else AFTER
    tag_before = tags[start - 1] if start > 0 else BEFORE
    tag_after = tags[end] if end < size else AFTER
    at = write(rows, at, RULE_FIRST_WORD, a, b, c, d, e, f, words[start])
    at = write(rows, at, RULE_LAST_WORD, a, b, c, d, e, f, words[end - 1])
    at = write(rows, at, RULE_AFTER_WORD, a, b, c, d, e, f, before)
    at = write(rows, at, RULE_BEFORE_WORD, a, b, c, d, e, f, after)
    at = write(rows, at, RULE_LENGTH, a, b, c, d, e, f, bucket(end - start))
    at = write(rows, at, RULE_BETWEEN_TAGS, a, b, c, d, e, tag_before, tag_after)
    at = write(rows, at, RULE_EDGE_TAGS, a, b, c, d, e, tags[start], tags[end - 1])
    return write(rows, at, RULE_MARKS, a, b, c, d, e, marks[start] & MARK_KINDS, marks[end] & MARK_KINDS)


@kernel(allocates=False)
def sister_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Children side by side: what meets where one ends, the heads of two modifiers, three labels in a row."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    marks = tree.marks
    label = nodes[node, NODE_LABEL]
    head = nodes[node, NODE_HEAD_CHILD]
    head_word = words[nodes[node, NODE_HEAD]]
    before = BEFORE
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        after = nodes[child, NODE_NEXT]
        name = nodes[child, NODE_LABEL]
        next_name = nodes[after, NODE_LABEL] if after >= 0 else AFTER
        which = 1 if child == head else (2 if after == head else 0)
        at = write(rows, at, THREE_CHILDREN, label, before, name, next_name, which, NOTHING, NOTHING)
        if after >= 0:
            split = nodes[after, NODE_START]
            mark = marks[split] & MARK_KINDS
            at = write(rows, at, SPLIT, label, name, next_name, tags[split - 1], tags[split], mark, NOTHING)
            at = path_features(tree, child, after, label, rows, at)
            if which == 0:
                left = nodes[child, NODE_HEAD]
                right = nodes[after, NODE_HEAD]
                at = write(rows, at, SISTER_TAGS, label, name, next_name, tags[left], tags[right], head_word, NOTHING)
                at = write(rows, at, SISTER_WORDS, label, name, next_name, words[left], words[right], NOTHING, NOTHING)
        before = name
        child = after
    return at


@kernel(allocates=False)
def path_features(tree: TreeArrays, left: int, right: int, label: int, rows: Int32Array, at: int) -> int:
    """The way from the last word of one child to the first of the next: labels up to their parent and down again."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    split = nodes[right, NODE_START]
    up = nodes[left, NODE_LABEL]
    down = nodes[right, NODE_LABEL]
    last = nodes[left, NODE_LAST]
    first = nodes[right, NODE_FIRST]
    low = nodes[last, NODE_LABEL] if last >= 0 else NOTHING
    deep = nodes[first, NODE_LABEL] if first >= 0 else NOTHING
    at = write(rows, at, PATH_TAGS, label, up, down, low, deep, tags[split - 1], tags[split])
    at = write(rows, at, PATH_WORD_TAG, label, up, down, low, deep, words[split - 1], tags[split])
    at = write(rows, at, PATH_TAG_WORD, label, up, down, low, deep, tags[split - 1], words[split])
    return write(rows, at, PATH_WORDS, label, up, down, low, deep, words[split - 1], words[split])


@kernel(allocates=False)
def arrow_features(tree: TreeArrays, child: int, node: int, rows: Int32Array, at: int) -> int:
    """A modifier with its head-word, the head of that, and its own object."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    marks = tree.marks
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
    mark = marks[nodes[child, NODE_START] if modifier > head else nodes[child, NODE_END]] & MARK_KINDS
    at = write(rows, at, WORD_AT_DISTANCE, label, parent, words[modifier], tags[head], side, mark, NOTHING)
    if modifier > head:
        before = nodes[child, NODE_START] - 1
        beside = 1 if before == head else 0
        at = write(rows, at, TAG_BEFORE, label, parent, words[modifier], tags[head], tags[before], beside, NOTHING)
        at = write(rows, at, TAG_BEFORE_HEAD, label, parent, words[head], tags[before], beside, NOTHING, NOTHING)
    _, grand = parent_head(nodes, node, head)
    if grand >= 0:
        at = write(rows, at, GRAND_HEADS, label, parent, tags[modifier], tags[head], tags[grand], 0, NOTHING)
        at = write(rows, at, GRAND_HEADS, label, parent, tags[modifier], words[head], tags[grand], 1, NOTHING)
    below = object_of(nodes, child)
    if below >= 0:
        at = write(rows, at, OBJECT_TAGS, label, parent, tags[below], words[modifier], tags[head], NOTHING, NOTHING)
        at = write(rows, at, OBJECT_WORDS, label, words[below], words[modifier], words[head], NOTHING, NOTHING, NOTHING)
        at = write(
            rows, at, OBJECT_WORD_TAG, label, words[below], words[modifier], tags[head], NOTHING, NOTHING, NOTHING
        )
        at = write(rows, at, OBJECT_TAG, label, tags[below], words[modifier], words[head], NOTHING, NOTHING, NOTHING)
    return at


@kernel(allocates=False)
def parallel_features(tree: TreeArrays, child: int, node: int, rows: Int32Array, at: int) -> int:
    """Co-ordination: whether the conjunct after the conjunction is like the constituent that it joins."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
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
    left_head = nodes[other, NODE_HEAD]
    right_head = nodes[conjunct, NODE_HEAD]
    at = write(rows, at, CONJUNCT_TAGS, label, tags[left_head], tags[right_head], first, second, NOTHING, NOTHING)
    at = write(
        rows, at, CONJUNCT_WORDS, words[left_head], words[right_head], NOTHING, NOTHING, NOTHING, NOTHING, NOTHING
    )
    at = write(rows, at, PARALLEL, label, alike, NOTHING, 0, NOTHING, NOTHING, NOTHING)
    return write(rows, at, PARALLEL, label, alike, difference, 1, NOTHING, NOTHING, NOTHING)


# Features of a whole tree, which a model of pairs of words cannot see: what the re-ranker weighs.
#
# A tree comes as the steps of its derivation.  Its constituents are laid out as nodes with their children, and every
# feature is written as a row of small numbers: its template, then labels, tags, words and counts.  The row's hash finds
# its weight, and the row itself tells a reader what the feature is: there is one definition of both.


@kernel(allocates=False)
def spine_features(tree: TreeArrays, node: int, parent: int, rows: Int32Array, at: int) -> int:
    """The largest constituent that a word heads: what it stands in, and the labels from it down to the word."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    label = nodes[node, NODE_LABEL]
    head = nodes[node, NODE_HEAD]
    above = nodes[node, NODE_PARENT]
    governor = tags[nodes[above, NODE_HEAD]] if above >= 0 else NOTHING
    at = write(rows, at, PROJECTION, words[head], label, parent, governor, NOTHING, NOTHING, NOTHING)
    labels_2 = NOTHING
    labels_3 = NOTHING
    labels_4 = NOTHING
    depth = 1
    down = nodes[node, NODE_HEAD_CHILD]
    while down >= 0 and depth < 4:
        if depth == 1:
            labels_2 = nodes[down, NODE_LABEL]
        elif depth == 2:
            labels_3 = nodes[down, NODE_LABEL]
        else:
            labels_4 = nodes[down, NODE_LABEL]
        depth += 1
        down = nodes[down, NODE_HEAD_CHILD]
    at = write(rows, at, SPINE_TAG, tags[head], label, labels_2, labels_3, labels_4, parent, NOTHING)
    return write(rows, at, SPINE_WORD, words[head], label, labels_2, labels_3, labels_4, NOTHING, NOTHING)


@kernel(allocates=False)
def span_features(tree: TreeArrays, node: int, parent: int, rows: Int32Array, at: int) -> int:
    """What a constituent begins and ends with, the punctuation around it, and its tags if it is short."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    marks = tree.marks
    size = tags.shape[0]
    label = nodes[node, NODE_LABEL]
    start = nodes[node, NODE_START]
    end = nodes[node, NODE_END]
    length = bucket(end - start)
    before = marks[start] & MARK_KINDS
    after = marks[end] & MARK_KINDS
    at = write(rows, at, PARENT, label, parent, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, MARKS_AROUND, label, parent, before, after, length, NOTHING, NOTHING)
    if end == size:
        at = write(rows, at, SENTENCE_END, label, parent, tags[start], marks[end], NOTHING, NOTHING, NOTHING)
    at = write(rows, at, FIRST_WORD, label, parent, words[start], length, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, LAST_WORD, label, parent, words[end - 1], NOTHING, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, EDGE_WORDS, label, words[start], words[end - 1], NOTHING, NOTHING, NOTHING, NOTHING)
    second_tag = tags[start + 1] if start + 1 < end else NOTHING
    last_but_one = tags[end - 2] if end - 2 >= start else NOTHING
    beside = tag_beside(tags, tree.commas, end, 0)
    at = write(rows, at, FIRST_TAGS, label, tags[start], second_tag, length, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, LAST_TAGS, label, last_but_one, tags[end - 1], beside, NOTHING, NOTHING, NOTHING)
    if end - start <= 5:
        second = tags[start + 1] if start + 1 < end else NOTHING
        third = tags[start + 2] if start + 2 < end else NOTHING
        fourth = tags[start + 3] if start + 3 < end else NOTHING
        fifth = tags[start + 4] if start + 4 < end else NOTHING
        at = write(rows, at, TAGS_WITHIN, label, parent, tags[start], second, third, fourth, fifth)
    return at


@kernel(allocates=False)
def node_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """All features of one constituent."""
    nodes = tree.nodes
    words = tree.words
    tags = tree.tags
    commas = tree.commas
    joined = tree.joined
    size = tags.shape[0]
    label = nodes[node, NODE_LABEL]
    start = nodes[node, NODE_START]
    end = nodes[node, NODE_END]
    length = bucket(end - start)
    above = nodes[node, NODE_PARENT]
    parent = nodes[above, NODE_LABEL] if above >= 0 else NOTHING
    higher = nodes[above, NODE_PARENT] if above >= 0 else -1
    grand = nodes[higher, NODE_LABEL] if higher >= 0 else NOTHING
    if above < 0 or nodes[above, NODE_HEAD] != nodes[node, NODE_HEAD]:
        at = spine_features(tree, node, parent, rows, at)
    if nodes[node, NODE_KIND] == WORD:
        return write(rows, at, ANCESTORS, words[start], label, parent, grand, NOTHING, NOTHING, NOTHING)
    before = tag_beside(tags, commas, start - 1, 1)
    after = tag_beside(tags, commas, end, 0)
    at = write(rows, at, PATH, label, parent, grand, length, NOTHING, NOTHING, NOTHING)
    at = write(rows, at, EDGE_TAGS, label, before, tags[start], tags[end - 1], after, NOTHING, NOTHING)
    if end < size:
        at = write(rows, at, EDGE_WORD_AFTER, label, words[end], tags[end - 1], after & 1, NOTHING, NOTHING, NOTHING)
    if start > 0:
        at = write(
            rows, at, EDGE_WORD_BEFORE, label, words[start - 1], tags[start], before & 1, NOTHING, NOTHING, NOTHING
        )
    at = span_features(tree, node, parent, rows, at)
    to_end = bucket(size - end)
    comma = 0 if end >= size else min(commas[end], 1)
    at = write(rows, at, HEAVY, label, length, to_end, comma, NOTHING, NOTHING, NOTHING)
    if nodes[node, NODE_FIRST] < 0:
        return at
    at = rule_features(tree, node, rows, at)
    at = sister_features(tree, node, rows, at)
    lefts = 0
    rights = 0
    seen = False
    child = nodes[node, NODE_FIRST]
    while child >= 0:
        if child == nodes[node, NODE_HEAD_CHILD]:
            seen = True
        else:
            at = arrow_features(tree, child, node, rows, at)
            if seen:
                rights += 1
            else:
                lefts += 1
            if joined[nodes[child, NODE_LABEL]]:
                at = parallel_features(tree, child, node, rows, at)
        child = nodes[child, NODE_NEXT]
    sides = min(lefts, 4) * 8 + min(rights, 4)
    head = nodes[node, NODE_HEAD]
    at = write(rows, at, HEAD_SIDES, label, tags[head], sides, 0, NOTHING, NOTHING, NOTHING)
    return write(rows, at, HEAD_SIDES, label, words[head], sides, 1, NOTHING, NOTHING, NOTHING)


@kernel(allocates=False)
def word_features(tree: TreeArrays, position: int, rows: Int32Array, at: int) -> int:
    """A word with its tag and those before it: they differ among parses that choose their tags."""
    words = tree.words
    tags = tree.tags
    size = tags.shape[0]
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


@kernel(allocates=False)
def branch_features(tree: TreeArrays, used: int, root: int, rows: Int32Array, at: int) -> int:
    """Right branching: how many constituents lie on the way from the root to the last word."""
    nodes = tree.nodes
    node = root
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
    return at


@kernel
def tree_features(
    steps: Int32Array,
    readings: Int32Array,
    chosen: Int32Array,
    commas: Int32Array,
    joined: UInt8Array,
    marks: Int32Array,
) -> Int32Array:
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
    tree = TreeArrays(nodes, words, tags, commas, marks, joined)
    rows = np.empty((NODE_ROWS * used + WORD_ROWS * size + TREE_ROWS, ROW), np.int32)
    at = 0
    for position in range(size):
        at = word_features(tree, position, rows, at)
    for node in range(used):
        at = node_features(tree, node, rows, at)
    return rows[: branch_features(tree, used, stack[0], rows, at)]


@kernel(allocates=False)
def row_hash(row: Int32Array) -> int:
    """The number under which a feature's weight is kept: 62 bits."""
    mixed = 0
    for column in range(row.shape[0]):
        mixed = mix(mixed, int(row[column]))
    return mixed


@kernel
def hashes(rows: Int32Array) -> Int64Array:
    """The hashes of all rows."""
    found = np.empty(rows.shape[0], np.int64)
    for at in range(rows.shape[0]):
        found[at] = row_hash(rows[at])
    return found
