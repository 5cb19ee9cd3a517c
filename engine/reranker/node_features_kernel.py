"""A derivation laid out as nodes with their children, and how a feature of them is written as a row of numbers."""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.reranker.features_layout import (
    AFTER,
    BEFORE,
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
    NODE_STEP,
)
from engine.structure.structure_layout import BASE, GROW_LEFT, GROW_RIGHT, START_LEFT, UNARY, WORD


@kernel(allocates=False)
def lay_out(steps: Int32Array, nodes: Int32Array, stack: Int32Array) -> int:
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
                nodes[first, NODE_STEP] = step
                stack[depth - 1] = first
            else:
                nodes[first, NODE_NEXT] = nodes[second, NODE_FIRST]
                nodes[second, NODE_FIRST] = first
                nodes[second, NODE_START] = nodes[first, NODE_START]
                nodes[first, NODE_PARENT] = second
                nodes[second, NODE_STEP] = step
                stack[depth - 1] = second
            continue
        node = nodes[used]
        node[NODE_LABEL] = steps[step, 1]
        node[NODE_HEAD] = steps[step, 3]
        node[NODE_PARENT] = -1
        node[NODE_NEXT] = -1
        node[NODE_KIND] = kind
        node[NODE_STEP] = step
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
