"""A derivation laid out as nodes with their children, and the hash of what stands at a node."""

from __future__ import annotations

from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.structure import sentence_layout as layout

# The hash under which features and contexts of whole trees are kept.


@kernel(allocates=False)
def mix(mixed: int, number: int) -> int:
    """Mix one number more into a hash of 62 bits."""
    mixed = ((mixed ^ (number + 1024)) * layout.HASH_MULTIPLIER) & layout.HASH_MASK
    return mixed ^ (mixed >> 31)


# A derivation laid out as nodes with their children.


@kernel(allocates=False)
def lay_out(steps: Int32Array, nodes: Int32Array, stack: Int32Array) -> int:
    """Write the constituents of a derivation as nodes; the root is left on the stack; return how many there are."""
    used = 0
    depth = 0
    for step in range(steps.shape[0]):
        kind = steps[step, 0]
        if kind == layout.GROW_RIGHT or kind == layout.GROW_LEFT:
            second = stack[depth - 1]
            first = stack[depth - 2]
            depth -= 1
            if kind == layout.GROW_RIGHT:
                nodes[nodes[first, layout.NODE_LAST], layout.NODE_NEXT] = second
                nodes[first, layout.NODE_LAST] = second
                nodes[first, layout.NODE_END] = nodes[second, layout.NODE_END]
                nodes[second, layout.NODE_PARENT] = first
                nodes[first, layout.NODE_STEP] = step
                stack[depth - 1] = first
            else:
                nodes[first, layout.NODE_NEXT] = nodes[second, layout.NODE_FIRST]
                nodes[second, layout.NODE_FIRST] = first
                nodes[second, layout.NODE_START] = nodes[first, layout.NODE_START]
                nodes[first, layout.NODE_PARENT] = second
                nodes[second, layout.NODE_STEP] = step
                stack[depth - 1] = second
            continue
        node = nodes[used]
        node[layout.NODE_LABEL] = steps[step, 1]
        node[layout.NODE_HEAD] = steps[step, 3]
        node[layout.NODE_PARENT] = -1
        node[layout.NODE_NEXT] = -1
        node[layout.NODE_KIND] = kind
        node[layout.NODE_STEP] = step
        if kind == layout.WORD or kind == layout.BASE:
            node[layout.NODE_START] = steps[step, 4]
            node[layout.NODE_END] = steps[step, 5] + 1
            node[layout.NODE_FIRST] = -1
            node[layout.NODE_LAST] = -1
            node[layout.NODE_HEAD_CHILD] = -1
        elif kind == layout.UNARY:
            child = stack[depth - 1]
            depth -= 1
            node[layout.NODE_START] = nodes[child, layout.NODE_START]
            node[layout.NODE_END] = nodes[child, layout.NODE_END]
            node[layout.NODE_FIRST] = child
            node[layout.NODE_LAST] = child
            node[layout.NODE_HEAD_CHILD] = child
            nodes[child, layout.NODE_PARENT] = used
        else:
            second = stack[depth - 1]
            first = stack[depth - 2]
            depth -= 2
            node[layout.NODE_START] = nodes[first, layout.NODE_START]
            node[layout.NODE_END] = nodes[second, layout.NODE_END]
            node[layout.NODE_FIRST] = first
            node[layout.NODE_LAST] = second
            node[layout.NODE_HEAD_CHILD] = second if kind == layout.START_LEFT else first
            nodes[first, layout.NODE_NEXT] = second
            nodes[first, layout.NODE_PARENT] = used
            nodes[second, layout.NODE_PARENT] = used
        stack[depth] = used
        depth += 1
        used += 1
    return used
