"""Keys of nodes: one number for all that the features, or the second model's events, of one node look at.

Two trees of a list that differ somewhere differ in every constituent above that place.  Yet the features of these look
no deeper than a few levels, and the events no deeper than the children: most of them were summed up before.
"""

from __future__ import annotations

from engine.common.arrays import Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.reranker.features_layout import TreeArrays
from engine.reranker.node_features_kernel import object_of
from engine.structure.hashing_kernel import mix
from engine.structure.hashing_layout import HASH_MASK
from engine.structure.nodes_layout import (
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


@kernel(allocates=False)
def pack(first: int, second: int, third: int) -> int:
    """Three numbers of readings or labels, −1 for none, as one."""
    return (int(first) + 1) << 40 | (int(second) + 1) << 20 | (int(third) + 1)


@kernel(allocates=False, inlined=True)
def outline(node: Int32Array) -> int:
    """What a node is by itself, as one number: label, span, head and kind."""
    span = int(node[NODE_START]) << 26 | int(node[NODE_END]) << 16
    return int(node[NODE_LABEL]) << 36 | span | int(node[NODE_HEAD]) << 6 | int(node[NODE_KIND])


@kernel(allocates=False, inlined=True)
def label_of(nodes: Int32Array, node: int) -> int:
    """The label of a node; −1 if there is none."""
    return int(nodes[node, NODE_LABEL]) if node >= 0 else -1


@kernel(allocates=False, inlined=True)
def head_child_of(nodes: Int32Array, node: int) -> int:
    """The head-child of a node; −1 if there is none."""
    return int(nodes[node, NODE_HEAD_CHILD]) if node >= 0 else -1


@kernel(allocates=False)
def sum_readings(chosen: Int32Array, sums: Int64Array) -> None:
    """Sum up hashes of the readings before every word, so that two of the sums tell the readings of a span."""
    sums[0] = 0
    for position in range(chosen.shape[0]):
        sums[position + 1] = (int(sums[position]) + mix(0, int(chosen[position]))) & HASH_MASK


@kernel(allocates=False)
def node_keys(tree: TreeArrays, node: int, context: int, readings: Int64Array) -> tuple[int, int]:
    """Return the key of a node for its features, and that for its events.

    Parameters
    ----------
    tree, node
        The node.
    context
        All that its features look at beyond it, as one number.
    readings
        What :func:`sum_readings` wrote.
    """
    nodes = tree.nodes
    row = nodes[node]
    within = (int(readings[row[NODE_END]]) - int(readings[row[NODE_START]])) & HASH_MASK
    own = mix(within, outline(row))
    above = row[NODE_PARENT]
    higher = -1
    if above >= 0:
        higher = 2 * int(nodes[above, NODE_LABEL]) + (1 if nodes[above, NODE_HEAD_CHILD] == node else 0)
    events = mix(own, higher)
    features = mix(own, context)
    child = row[NODE_FIRST]
    while child >= 0:
        kid = nodes[child]
        shape = outline(kid) << 1 | (1 if child == row[NODE_HEAD_CHILD] else 0)
        events = mix(events, shape)
        features = mix(features, shape)
        if kid[NODE_FIRST] >= 0:
            ends = pack(label_of(nodes, kid[NODE_FIRST]), label_of(nodes, kid[NODE_LAST]), object_of(nodes, child))
            inner = head_child_of(nodes, child)
            deeper = head_child_of(nodes, inner)
            features = mix(features, ends)
            features = mix(features, pack(label_of(nodes, inner), label_of(nodes, deeper), -1))
            # A conjunct is compared with what it is joined to.
            if tree.joined[kid[NODE_LABEL]]:
                features = mix(features, outline(nodes[inner]))
        child = kid[NODE_NEXT]
    return features, events
