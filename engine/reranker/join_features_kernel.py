"""Features of how constituents are put together: rules, sisters, modifiers with their heads, conjuncts."""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.reranker.features_layout import (
    AFTER,
    BEFORE,
    CONJUNCT_TAGS,
    CONJUNCT_WORDS,
    GRAND_HEADS,
    HEAD_CHAIN,
    NOTHING,
    OBJECT_TAG,
    OBJECT_TAGS,
    OBJECT_WORD_TAG,
    OBJECT_WORDS,
    PAIR_TAGS,
    PAIR_WORD_TAG,
    PAIR_WORDS,
    PARALLEL,
    PATH_TAG_WORD,
    PATH_TAGS,
    PATH_WORD_TAG,
    PATH_WORDS,
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
    SIBLINGS,
    SISTER_TAGS,
    SISTER_WORDS,
    SPLIT,
    TAG_BEFORE,
    TAG_BEFORE_HEAD,
    THREE_CHILDREN,
    WORD_AT_DISTANCE,
    Rule,
    TreeArrays,
)
from engine.reranker.node_features_kernel import bucket, object_of, parent_head, write
from engine.structure.nodes_layout import (
    MARK_KINDS,
    NODE_END,
    NODE_FIRST,
    NODE_HEAD,
    NODE_HEAD_CHILD,
    NODE_LABEL,
    NODE_LAST,
    NODE_NEXT,
    NODE_PARENT,
    NODE_START,
)


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
