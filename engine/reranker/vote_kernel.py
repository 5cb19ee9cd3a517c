"""The choice by expected F1: every parse of a list votes for its constituents, with its probability."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.structure.nodes_kernel import lay_out
from engine.structure.nodes_layout import NODE_COLUMNS, NODE_END, NODE_KIND, NODE_LABEL, NODE_START
from engine.structure.structure_layout import WORD


@kernel(allocates=False)
def write_brackets(steps: Int32Array, shown: UInt8Array, nodes: Int32Array, stack: Int32Array, keys: Int64Array) -> int:
    """Write the constituents of a derivation whose labels are shown as numbers; return how many there are."""
    filled = 0
    for node in range(lay_out(steps, nodes, stack)):
        label = int(nodes[node, NODE_LABEL])
        if nodes[node, NODE_KIND] != WORD and shown[label]:
            keys[filled] = (label << 32) | (int(nodes[node, NODE_START]) << 16) | int(nodes[node, NODE_END])
            filled += 1
    return filled


@kernel
def bracket_keys(steps: Int32Array, shown: UInt8Array) -> Int64Array:
    """The constituents of a derivation as sorted numbers, those whose labels are shown."""
    size = steps.shape[0]
    keys = np.empty(size, np.int64)
    nodes = np.empty((size, NODE_COLUMNS), np.int32)
    return np.sort(keys[: write_brackets(steps, shown, nodes, np.empty(size + 1, np.int32), keys)])


@kernel(allocates=False)
def shared(first: Int64Array, second: Int64Array) -> int:
    """How many numbers two sorted rows have in common, each as many times as both have it."""
    at = 0
    common = 0
    for number in first:
        while at < second.shape[0] and second[at] < number:
            at += 1
        if at == second.shape[0]:
            break
        if second[at] == number:
            common += 1
            at += 1
    return common


@kernel
def probabilities(scores: FloatArray, scale: float) -> FloatArray:
    """The probability of every parse of a list: proportional to e to the power of its score times the scale."""
    chances = np.empty(scores.shape[0])
    chances[:] = np.exp(scale * (scores - np.max(scores)))
    chances /= np.sum(chances)
    return chances


@kernel
def list_brackets(
    ranges: Int32Array, steps: Int32Array, count: int, shown: UInt8Array
) -> tuple[Int64Array, Int64Array]:
    """The constituents of the first so many parses of a list, those of each sorted; and where each's start."""
    longest = 0
    total = 0
    for at in range(count):
        longest = max(longest, ranges[at, 1] - ranges[at, 0])
        total += ranges[at, 1] - ranges[at, 0]
    keys = np.empty(total, np.int64)
    starts = np.zeros(count + 1, np.int64)
    nodes = np.empty((longest, NODE_COLUMNS), np.int32)
    stack = np.empty(longest + 1, np.int32)
    for at in range(count):
        first = starts[at]
        filled = write_brackets(steps[ranges[at, 0] : ranges[at, 1]], shown, nodes, stack, keys[first:])
        keys[first : first + filled].sort()
        starts[at + 1] = first + filled
    return keys[: starts[count]], starts


@kernel
def expected_f1(keys: Int64Array, starts: Int64Array, chances: FloatArray, least: float) -> FloatArray:
    """Of every parse of a list its F1 against all, by their probabilities; one of less than `least` is silent."""
    count = chances.shape[0]
    found = np.zeros(count)
    for other in range(count):
        if chances[other] < least:
            continue
        theirs = keys[starts[other] : starts[other + 1]]
        for at in range(count):
            own = keys[starts[at] : starts[at + 1]]
            total = own.shape[0] + theirs.shape[0]
            found[at] += chances[other] * (2.0 * shared(own, theirs) / total if total > 0 else 1.0)
    return found


@kernel
def bracket_shares(keys: Int64Array, starts: Int64Array, chances: FloatArray) -> tuple[Int64Array, FloatArray]:
    """The different constituents of a list in increasing order, and of each the share of the vote that it got."""
    order = np.argsort(keys, kind="mergesort")
    voter = np.empty(keys.shape[0], np.int64)
    for at in range(chances.shape[0]):
        voter[starts[at] : starts[at + 1]] = at
    different = np.empty(keys.shape[0], np.int64)
    shares = np.zeros(keys.shape[0])
    filled = 0
    last = -1
    for place in order:
        if filled == 0 or different[filled - 1] != keys[place]:
            different[filled] = keys[place]
            filled += 1
            last = -1
        # A chain of equal labels over one span counts once.
        if voter[place] != last:
            shares[filled - 1] += chances[voter[place]]
        last = voter[place]
    return different[:filled].copy(), shares[:filled].copy()
