"""Features of a whole tree, which a model of pairs of words cannot see: what the re-ranker weighs.

A tree comes as the steps of its derivation.  Its constituents are laid out as nodes with their children, and every
feature is written as a row of small numbers: its template, then labels, tags, words and counts.  The row's hash finds
its weight, and the row itself tells a reader what the feature is: there is one definition of both.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.reranker.features_layout import (
    ANCESTORS,
    BEFORE,
    BRANCH_OTHER,
    BRANCH_RIGHT,
    EDGE_TAGS,
    EDGE_WORD_AFTER,
    EDGE_WORD_BEFORE,
    EDGE_WORDS,
    FIRST_TAGS,
    FIRST_WORD,
    HEAD_SIDES,
    HEAVY,
    LAST_TAGS,
    LAST_WORD,
    MARKS_AROUND,
    NODE_ROWS,
    NOTHING,
    PARENT,
    PATH,
    PROJECTION,
    ROW,
    SENTENCE_END,
    SPINE_TAG,
    SPINE_WORD,
    TAG_PAIR,
    TAG_TRIPLE,
    TAG_WORD,
    TAGS_WITHIN,
    TREE_ROWS,
    WORD_ROWS,
    TreeArrays,
)
from engine.reranker.join_features_kernel import arrow_features, parallel_features, rule_features, sister_features
from engine.reranker.node_features_kernel import bucket, tag_beside, write
from engine.structure.hashing_kernel import mix
from engine.structure.nodes_kernel import lay_out
from engine.structure.nodes_layout import (
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
)
from engine.structure.structure_layout import READING_TAG, READING_WORD, WORD


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
