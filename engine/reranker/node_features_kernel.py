"""A derivation laid out as nodes with their children, and how a feature of them is written as a row of numbers."""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.reranker.features_layout import AFTER, BEFORE
from engine.structure.nodes_layout import (
    NODE_FIRST,
    NODE_HEAD,
    NODE_HEAD_CHILD,
    NODE_LAST,
    NODE_PARENT,
)


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
