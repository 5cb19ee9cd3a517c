"""A derivation laid out as nodes with their children, and the hash of what stands at a node."""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.structure.sentence_layout import (
    BASE,
    GROW_LEFT,
    GROW_RIGHT,
    HASH_MASK,
    HASH_MULTIPLIER,
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
    START_LEFT,
    UNARY,
    WORD,
)

# The hash under which features and contexts of whole trees are kept.


@kernel(allocates=False)
def mix(mixed: int, number: int) -> int:
    """Mix one number more into a hash of 62 bits."""
    mixed = ((mixed ^ (number + 1024)) * HASH_MULTIPLIER) & HASH_MASK
    return mixed ^ (mixed >> 31)


# A derivation laid out as nodes with their children.


@kernel(allocates=False)
def lay_out(steps: Int32Array, nodes: Int32Array, stack: Int32Array) -> int:
    """Write the constituents of a derivation as nodes; the root is left on the stack; return how many there are."""
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
