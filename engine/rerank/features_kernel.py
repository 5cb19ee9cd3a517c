"""Features of a whole tree, which a model of pairs of words cannot see: what the re-ranker weighs.

Constituents are laid out as nodes with their children.  What templates look at is computed place by place, and every
feature is written as a row of small numbers: its template, then labels, tags, words and counts.  The row's hash finds
its weight, and the row itself tells a reader what the feature is: there is one definition of both
(:data:`engine.rerank.features_layout.TEMPLATES`).
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.rerank import features_layout as layout
from engine.rerank.features_layout import AFTER, BEFORE, NOTHING, VALUES, TreeArrays
from engine.structure import sentence_layout as structure
from engine.structure.nodes_kernel import lay_out, mix
from engine.structure.sentence_layout import MARK_KINDS


@kernel(allocates=False, inlined=True)
def write(place: int, values: Int32Array, rows: Int32Array, at: int) -> int:
    """Write the features of all templates of a place; return the place of the next."""
    for template in range(layout.PLACE_STARTS[place], layout.PLACE_STARTS[place + 1]):
        program = layout.PROGRAM[template]
        if NOTHING <= values[program[layout.PROGRAM_GIVEN]] <= AFTER:
            continue
        row = rows[at]
        row[0] = program[layout.PROGRAM_NUMBER]
        for column in range(1, layout.ROW):
            row[column] = values[program[layout.PROGRAM_NUMBER + column]]
        at += 1
    return at


@kernel(allocates=False)
def bucket(count: int) -> int:
    """Return a length as one of a few: 0 to 4 as they are, then 5 to 6, 7 to 10, 11 to 20, more."""
    if count <= 4:
        return count
    if count <= 6:
        return 5
    if count <= 10:
        return 6
    return 7 if count <= 20 else 8


@kernel(allocates=False)
def label_of(nodes: Int32Array, node: int) -> int:
    """Return the label of a node; NOTHING if there is none."""
    return int(nodes[node, structure.NODE_LABEL]) if node >= 0 else NOTHING


@kernel(allocates=False)
def beside(row: Int32Array, position: int) -> int:
    """Return the word or tag at a position, or an edge of the sentence."""
    if position < 0:
        return BEFORE
    return int(row[position]) if position < row.shape[0] else AFTER


@kernel(allocates=False)
def within(row: Int32Array, position: int, start: int, end: int) -> int:
    """Return the tag at a position of a constituent; NOTHING beyond it."""
    return int(row[position]) if start <= position < end else NOTHING


@kernel(allocates=False)
def tag_beside(tags: Int32Array, position: int, comma: int) -> int:
    """Return the tag of the word beside a constituent, with whether a comma stands between; an edge of the sentence."""
    if 0 <= position < tags.shape[0]:
        return tags[position] * 2 + (1 if comma > 0 else 0)
    return BEFORE if position < 0 else AFTER


@kernel(allocates=False)
def head_above(nodes: Int32Array, node: int, head: int) -> int:
    """Return the head-word of the lowest constituent above a node that another word heads; −1 if there is none."""
    above = nodes[node, structure.NODE_PARENT]
    while above >= 0 and nodes[above, structure.NODE_HEAD] == head:
        above = nodes[above, structure.NODE_PARENT]
    return nodes[above, structure.NODE_HEAD] if above >= 0 else -1


@kernel(allocates=False)
def object_of(nodes: Int32Array, node: int) -> int:
    """Head-word of the last modifier to the right of a node's head-word, looking down its head-children; −1: none."""
    at = node
    while at >= 0 and nodes[at, structure.NODE_FIRST] >= 0:
        last = nodes[at, structure.NODE_LAST]
        if last != nodes[at, structure.NODE_HEAD_CHILD]:
            return nodes[last, structure.NODE_HEAD]
        at = nodes[at, structure.NODE_HEAD_CHILD]
    return -1


@kernel(allocates=False)
def spine_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Return the largest constituent that a word heads: the word that this modifies, and the labels down to it."""
    nodes = tree.nodes
    values = tree.values
    above = nodes[node, structure.NODE_PARENT]
    values[layout.GOVERNOR_TAG] = tree.tags[nodes[above, structure.NODE_HEAD]] if above >= 0 else NOTHING
    down = node
    for depth in range(3):
        down = nodes[down, structure.NODE_HEAD_CHILD] if down >= 0 else -1
        values[layout.SPINE_2 + depth] = label_of(nodes, down)
    return write(layout.SPINE, values, rows, at)


@kernel(allocates=False)
def phrase_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Return what a constituent begins and ends with, what stands beside it, and its tags if it is short."""
    nodes, words, tags, commas, marks, _, values = tree
    size = tags.shape[0]
    start = nodes[node, structure.NODE_START]
    end = nodes[node, structure.NODE_END]
    values[layout.LENGTH] = bucket(end - start)
    values[layout.TO_END] = bucket(size - end)
    values[layout.LAST_WORD] = words[end - 1]
    values[layout.WORD_BEFORE] = beside(words, start - 1)
    values[layout.WORD_AFTER] = beside(words, end)
    values[layout.FIRST_TAG] = tags[start]
    values[layout.SECOND_TAG] = within(tags, start + 1, start, end)
    values[layout.LAST_BUT_ONE_TAG] = within(tags, end - 2, start, end)
    values[layout.LAST_TAG] = tags[end - 1]
    values[layout.TAG_BEFORE] = beside(tags, start - 1)
    values[layout.TAG_AFTER] = beside(tags, end)
    for near in range(5):
        values[layout.TAG_1 + near] = within(tags, start + near, start, end if end - start <= 5 else start)
    values[layout.MARKS_BEFORE] = marks[start] & MARK_KINDS
    values[layout.MARKS_AFTER] = marks[end] & MARK_KINDS
    values[layout.MARKS_AT_END] = marks[end] if end == size else NOTHING
    before = tag_beside(tags, start - 1, commas[start])
    after = tag_beside(tags, end, commas[end] if end < size else 0)
    values[layout.EDGE_BEFORE] = before
    values[layout.EDGE_AFTER] = after
    values[layout.COMMA_BEFORE] = before & 1
    values[layout.COMMA_AFTER] = after & 1
    values[layout.COMMA_BEFORE_REST] = min(commas[end], 1) if end < size else 0
    return write(layout.PHRASE, values, rows, at)


@kernel(allocates=False)
def rule_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Return the production of a constituent: its children, and those of its head-child."""
    nodes = tree.nodes
    values = tree.values
    head = nodes[node, structure.NODE_HEAD_CHILD]
    values[layout.HEAD_LABEL] = nodes[head, structure.NODE_LABEL]
    for place in range(4):
        values[layout.CHILD_1 + place] = NOTHING
    values[layout.PREVIOUS] = BEFORE
    place = 0
    head_place = 0
    child = nodes[node, structure.NODE_FIRST]
    while child >= 0:
        label = nodes[child, structure.NODE_LABEL]
        if child == head:
            head_place = place
        if place < 4:
            values[layout.CHILD_1 + place] = label
        values[layout.CHILD] = label
        at = write(layout.SIBLING, values, rows, at)
        values[layout.PREVIOUS] = label
        place += 1
        child = nodes[child, structure.NODE_NEXT]
    values[layout.CHILD] = AFTER
    at = write(layout.SIBLING, values, rows, at)
    values[layout.LAST_CHILD] = values[layout.PREVIOUS]
    values[layout.LAST_OF_MORE] = values[layout.LAST_CHILD] if place > 4 else NOTHING
    values[layout.SHAPE] = head_place * 16 + min(place, 15)
    values[layout.INNER_HEAD] = label_of(nodes, nodes[head, structure.NODE_HEAD_CHILD])
    values[layout.INNER_LAST] = label_of(nodes, nodes[head, structure.NODE_LAST])
    return write(layout.RULE, values, rows, at)


@kernel(allocates=False)
def sister_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Children side by side: what meets where one ends, their head-words if both modify, labels in a row."""
    nodes, words, tags, _, marks, _, values = tree
    head = nodes[node, structure.NODE_HEAD_CHILD]
    values[layout.PREVIOUS] = BEFORE
    child = nodes[node, structure.NODE_FIRST]
    while child >= 0:
        after = nodes[child, structure.NODE_NEXT]
        values[layout.CHILD] = nodes[child, structure.NODE_LABEL]
        values[layout.NEXT] = AFTER
        values[layout.LEFT_TAG] = NOTHING
        values[layout.WHICH_IS_HEAD] = 1 if child == head else (2 if after == head else 0)
        if after >= 0:
            split = nodes[after, structure.NODE_START]
            values[layout.NEXT] = nodes[after, structure.NODE_LABEL]
            values[layout.LAST_WITHIN] = label_of(nodes, nodes[child, structure.NODE_LAST])
            values[layout.FIRST_WITHIN_NEXT] = label_of(nodes, nodes[after, structure.NODE_FIRST])
            values[layout.END_TAG] = tags[split - 1]
            values[layout.END_WORD] = words[split - 1]
            values[layout.START_TAG] = tags[split]
            values[layout.START_WORD] = words[split]
            values[layout.MARKS_BETWEEN] = marks[split] & MARK_KINDS
            if child != head and after != head:
                pair_of_heads(tree, nodes[child, structure.NODE_HEAD], nodes[after, structure.NODE_HEAD])
        at = write(layout.SISTER, values, rows, at)
        values[layout.PREVIOUS] = values[layout.CHILD]
        child = after
    return at


@kernel(allocates=False)
def pair_of_heads(tree: TreeArrays, left: int, right: int) -> None:
    """Two head-words that are compared."""
    tree.values[layout.LEFT_TAG] = tree.tags[left]
    tree.values[layout.LEFT_WORD] = tree.words[left]
    tree.values[layout.RIGHT_TAG] = tree.tags[right]
    tree.values[layout.RIGHT_WORD] = tree.words[right]


@kernel(allocates=False)
def arrow_features(tree: TreeArrays, child: int, node: int, rows: Int32Array, at: int) -> int:
    """Return a modifier with its head-word, the head of that, and its own object."""
    nodes, words, tags, _, marks, _, values = tree
    modifier = nodes[child, structure.NODE_HEAD]
    head = nodes[node, structure.NODE_HEAD]
    start = nodes[child, structure.NODE_START]
    end = nodes[child, structure.NODE_END]
    values[layout.CHILD] = nodes[child, structure.NODE_LABEL]
    values[layout.MODIFIER_WORD] = words[modifier]
    values[layout.MODIFIER_TAG] = tags[modifier]
    if modifier > head:
        values[layout.SIDE] = bucket(start - head - 1) * 2 + 1
        values[layout.MARKS_BESIDE] = marks[start] & MARK_KINDS
        values[layout.BESIDE_TAG] = tags[start - 1]
        values[layout.IS_BESIDE_HEAD] = 1 if start - 1 == head else 0
    else:
        values[layout.SIDE] = bucket(head - end) * 2
        values[layout.MARKS_BESIDE] = marks[end] & MARK_KINDS
        values[layout.BESIDE_TAG] = NOTHING
    grand = head_above(nodes, node, head)
    values[layout.GRAND_TAG] = tags[grand] if grand >= 0 else NOTHING
    below = object_of(nodes, child)
    values[layout.OBJECT_TAG] = tags[below] if below >= 0 else NOTHING
    values[layout.OBJECT_WORD] = words[below] if below >= 0 else NOTHING
    return write(layout.ARROW, values, rows, at)


@kernel(allocates=False)
def conjunct_features(tree: TreeArrays, child: int, node: int, rows: Int32Array, at: int) -> int:
    """Co-ordination: whether the conjunct after the conjunction is like the constituent that it joins."""
    nodes = tree.nodes
    values = tree.values
    second = nodes[child, structure.NODE_HEAD_CHILD]
    first = nodes[node, structure.NODE_HEAD_CHILD]
    if second < 0 or first < 0:
        return at
    left = nodes[first, structure.NODE_HEAD_CHILD]
    right = nodes[second, structure.NODE_HEAD_CHILD]
    alike = 0
    if nodes[first, structure.NODE_LABEL] == nodes[second, structure.NODE_LABEL]:
        alike = 2 if label_of(nodes, left) == label_of(nodes, right) else 1
        if left < 0 and right < 0:
            alike = 3
    longer = (nodes[second, structure.NODE_END] - nodes[second, structure.NODE_START]) - (
        nodes[first, structure.NODE_END] - nodes[first, structure.NODE_START]
    )
    values[layout.ALIKE] = alike
    values[layout.DIFFERENCE] = bucket(longer) if longer >= 0 else -bucket(-longer)
    values[layout.FIRST_CONJUNCT] = nodes[first, structure.NODE_LABEL]
    values[layout.SECOND_CONJUNCT] = nodes[second, structure.NODE_LABEL]
    pair_of_heads(tree, nodes[first, structure.NODE_HEAD], nodes[second, structure.NODE_HEAD])
    return write(layout.CONJUNCTS, values, rows, at)


@kernel(allocates=False)
def modifier_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Return the modifiers of a constituent, each by itself and then how many there are."""
    nodes = tree.nodes
    lefts = 0
    rights = 0
    seen = False
    child = nodes[node, structure.NODE_FIRST]
    while child >= 0:
        if child == nodes[node, structure.NODE_HEAD_CHILD]:
            seen = True
        else:
            at = arrow_features(tree, child, node, rows, at)
            if seen:
                rights += 1
            else:
                lefts += 1
            if tree.joined[nodes[child, structure.NODE_LABEL]]:
                at = conjunct_features(tree, child, node, rows, at)
        child = nodes[child, structure.NODE_NEXT]
    tree.values[layout.SIDES] = min(lefts, 4) * 8 + min(rights, 4)
    return write(layout.HEAD, tree.values, rows, at)


@kernel(allocates=False)
def node_features(tree: TreeArrays, node: int, rows: Int32Array, at: int) -> int:
    """Return all features of one constituent."""
    nodes = tree.nodes
    values = tree.values
    head = nodes[node, structure.NODE_HEAD]
    above = nodes[node, structure.NODE_PARENT]
    values[layout.LABEL] = nodes[node, structure.NODE_LABEL]
    values[layout.PARENT] = label_of(nodes, above)
    values[layout.GRANDPARENT] = label_of(nodes, nodes[above, structure.NODE_PARENT]) if above >= 0 else NOTHING
    values[layout.HEAD_TAG] = tree.tags[head]
    values[layout.HEAD_WORD] = tree.words[head]
    values[layout.FIRST_WORD] = tree.words[nodes[node, structure.NODE_START]]
    if above < 0 or nodes[above, structure.NODE_HEAD] != head:
        at = spine_features(tree, node, rows, at)
    if nodes[node, structure.NODE_KIND] == structure.WORD:
        return write(layout.LEAF, values, rows, at)
    at = phrase_features(tree, node, rows, at)
    if nodes[node, structure.NODE_FIRST] < 0:
        return at
    at = rule_features(tree, node, rows, at)
    at = sister_features(tree, node, rows, at)
    return modifier_features(tree, node, rows, at)


@kernel(allocates=False)
def word_features(tree: TreeArrays, position: int, rows: Int32Array, at: int) -> int:
    """Return a word with its tag and those before it: they differ among parses that choose their tags."""
    values = tree.values
    values[layout.TAG] = tree.tags[position]
    values[layout.PREVIOUS_TAG] = beside(tree.tags, position - 1)
    values[layout.EARLIER_TAG] = beside(tree.tags, position - 2)
    values[layout.WORD] = tree.words[position]
    values[layout.PREVIOUS_WORD] = beside(tree.words, position - 1)
    values[layout.NEXT_WORD] = beside(tree.words, position + 1)
    return write(layout.WORD_PLACE, values, rows, at)


@kernel(allocates=False)
def branch_features(tree: TreeArrays, used: int, root: int, rows: Int32Array, at: int) -> int:
    """Right branching: how many constituents lie on the way from the root to the last word."""
    nodes = tree.nodes
    node = root
    on_path = 0
    while node >= 0 and nodes[node, structure.NODE_FIRST] >= 0:
        on_path += 1
        node = nodes[node, structure.NODE_LAST]
    phrases = 0
    for node in range(used):
        if nodes[node, structure.NODE_FIRST] >= 0:
            phrases += 1
            at = write(layout.BRANCH if phrases <= on_path else layout.OTHER_BRANCH, tree.values, rows, at)
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
    """Return all features of a tree, one row each; a feature that occurs several times has several rows."""
    size = chosen.shape[0]
    words = np.empty(size, np.int32)
    tags = np.empty(size, np.int32)
    for position in range(size):
        words[position] = readings[chosen[position], structure.READING_WORD]
        tags[position] = readings[chosen[position], structure.READING_TAG]
    nodes = np.empty((steps.shape[0], structure.NODE_COLUMNS), np.int32)
    stack = np.empty(steps.shape[0] + 1, np.int32)
    used = lay_out(steps, nodes, stack)
    tree = TreeArrays(nodes, words, tags, commas, marks, joined, VALUES.copy())
    rows = np.empty((layout.NODE_ROWS * used + layout.WORD_ROWS * size + layout.TREE_ROWS, layout.ROW), np.int32)
    at = 0
    for position in range(size):
        at = word_features(tree, position, rows, at)
    for node in range(used):
        at = node_features(tree, node, rows, at)
    return rows[: branch_features(tree, used, stack[0], rows, at)]


@kernel(allocates=False)
def row_hash(row: Int32Array) -> int:
    """Return the number under which a feature's weight is kept: 62 bits."""
    mixed = 0
    for column in range(row.shape[0]):
        mixed = mix(mixed, int(row[column]))
    return mixed


@kernel
def hashes(rows: Int32Array) -> Int64Array:
    """Return the hashes of all rows."""
    found = np.empty(rows.shape[0], np.int64)
    for at in range(rows.shape[0]):
        found[at] = row_hash(rows[at])
    return found
