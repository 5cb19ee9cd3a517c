"""The choice by expected F1: every parse of a list votes for its constituents, with its probability."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array
from engine.compiled.kernel import kernel
from engine.structure.nodes_kernel import lay_out
from engine.structure.sentence_layout import NODE_COLUMNS, NODE_END, NODE_KIND, NODE_LABEL, NODE_START, WORD


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
    """Return the constituents of a derivation as sorted numbers, those whose labels are shown."""
    size = steps.shape[0]
    keys = np.empty(size, np.int64)
    nodes = np.empty((size, NODE_COLUMNS), np.int32)
    return np.sort(keys[: write_brackets(steps, shown, nodes, np.empty(size + 1, np.int32), keys)])


@kernel(allocates=False)
def shared(first: Int64Array, second: Int64Array) -> int:
    """Return how many numbers two sorted rows have in common, each as many times as both have it."""
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
def number_brackets(
    ranges: Int32Array, steps: Int32Array, count: int, shown: UInt8Array
) -> tuple[Int64Array, Int32Array, Int64Array]:
    """Number the different constituents of the first so many parses of a list.

    The results are: where the numbers of each parse start, the numbers, increasing in each, and of every number the
    constituent.  A second constituent of the same label over the same words has a number of its own, and no constituent
    stands for it (−1).
    """
    longest = 0
    total = 0
    for at in range(count):
        longest = max(longest, ranges[at, 1] - ranges[at, 0])
        total += ranges[at, 1] - ranges[at, 0]
    size = 64
    while size < 2 * total:
        size *= 2
    slots = np.full(size, -1, np.int32)
    nodes = np.empty((longest, NODE_COLUMNS), np.int32)
    stack = np.empty(longest + 1, np.int32)
    keys = np.empty(longest, np.int64)
    starts = np.zeros(count + 1, np.int64)
    numbers = np.empty(total, np.int32)
    different = np.empty(total, np.int64)
    constituents = np.empty(total, np.int64)
    # Of every number the last parse that has it, and the number of one more of the kind.
    last = np.empty(total, np.int32)
    another = np.empty(total, np.int32)
    used = 0
    filled = 0
    for at in range(count):
        for place in range(write_brackets(steps[ranges[at, 0] : ranges[at, 1]], shown, nodes, stack, keys)):
            key = keys[place]
            slot = ((key >> 27) ^ (key >> 11) ^ key) & (size - 1)
            while slots[slot] >= 0 and different[slots[slot]] != key:
                slot = (slot + 1) & (size - 1)
            number = slots[slot]
            before = -1
            while number >= 0 and last[number] == at:
                before = number
                number = another[number]
            if number < 0:
                number = used
                used += 1
                different[number] = key
                another[number] = -1
                constituents[number] = key if before < 0 else -1
                if before < 0:
                    slots[slot] = number
                else:
                    another[before] = number
            last[number] = at
            # In order, so that sums over equal constituents are equal to the last bit.
            back = filled
            while back > starts[at] and numbers[back - 1] > number:
                numbers[back] = numbers[back - 1]
                back -= 1
            numbers[back] = number
            filled += 1
        starts[at + 1] = filled
    return starts, numbers[:filled], constituents[:used]


@kernel
def expected_f1(
    starts: Int64Array, numbers: Int32Array, brackets: int, chances: FloatArray, least: float
) -> FloatArray:
    """Of every parse of a list its F1 against all, by their probabilities; one of less than `least` is silent.

    F1 is twice what two parses share over all that they have.  Parses of the same size are one voter: what counts is
    the share of their vote that each constituent got.
    """
    count = chances.shape[0]
    found = np.zeros(count)
    shares = np.empty(brackets)
    done = np.zeros(count, np.uint8)
    for first in range(count):
        if done[first] or chances[first] < least:
            continue
        size = starts[first + 1] - starts[first]
        shares[:] = 0.0
        whole = 0.0
        for other in range(first, count):
            if starts[other + 1] - starts[other] == size and chances[other] >= least:
                done[other] = 1
                whole += chances[other]
                for at in range(starts[other], starts[other + 1]):
                    shares[numbers[at]] += chances[other]
        for own in range(count):
            total = size + starts[own + 1] - starts[own]
            common = 0.0
            for at in range(starts[own], starts[own + 1]):
                common += shares[numbers[at]]
            found[own] += 2.0 * common / total if total > 0 else whole
    return found


@kernel
def vote(
    ranges: Int32Array,
    steps: Int32Array,
    shown: UInt8Array,
    scores: FloatArray,
    scale: float,
    least: float,
) -> tuple[FloatArray, Int64Array, FloatArray]:
    """Let the parses of a list vote: the expected F1 of each, their constituents, and the share that each of them got.

    The probability of a parse is proportional to e to the power of its score times the scale.
    """
    count = scores.shape[0]
    chances = np.empty(count)
    best = np.max(scores)
    whole = 0.0
    for at in range(count):
        chances[at] = np.exp(scale * (scores[at] - best))
        whole += chances[at]
    for at in range(count):
        chances[at] /= whole
    starts, numbers, constituents = number_brackets(ranges, steps, count, shown)
    shares = np.zeros(constituents.shape[0])
    for at in range(count):
        for place in range(starts[at], starts[at + 1]):
            shares[numbers[place]] += chances[at]
    # A chain of equal labels over one span counts once.
    kept = 0
    for number in range(constituents.shape[0]):
        if constituents[number] >= 0:
            constituents[kept] = constituents[number]
            shares[kept] = shares[number]
            kept += 1
    merits = expected_f1(starts, numbers, constituents.shape[0], chances, least)
    return merits, constituents[:kept].copy(), shares[:kept].copy()
