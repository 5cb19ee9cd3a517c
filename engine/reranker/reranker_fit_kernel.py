"""Fitting the re-ranker's weights: a log-linear model over lists of parses (Charniak and Johnson, 2005)."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int16Array, Int64Array
from engine.compiled.kernel import kernel
from engine.reranker.reranker_fit_layout import ParseLists, WeightState


@kernel
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
def difference(features: Int64Array, first: Int64Array) -> tuple[Int64Array, Int16Array]:
    """Features that two trees have in different number, and by how many; their hashes come sorted."""
    keys = np.empty(features.shape[0] + first.shape[0], np.int64)
    values = np.empty(features.shape[0] + first.shape[0], np.int16)
    filled = 0
    left = 0
    right = 0
    while left < features.shape[0] or right < first.shape[0]:
        if right == first.shape[0] or (left < features.shape[0] and features[left] <= first[right]):
            key = features[left]
        else:
            key = first[right]
        count = 0
        while left < features.shape[0] and features[left] == key:
            count += 1
            left += 1
        while right < first.shape[0] and first[right] == key:
            count -= 1
            right += 1
        if count != 0:
            keys[filled] = key
            values[filled] = count
            filled += 1
    return keys[:filled].copy(), values[:filled].copy()


@kernel
def epoch(
    order: Int64Array, lists: ParseLists, state: WeightState, clock: int, rate: float, decay: float
) -> tuple[float, int]:
    """One pass over all lists; return the summed loss −log P(best parses) and the number of steps so far.

    AdaGrad steps; a weight's pull towards zero (its Gaussian prior) is made up for when the weight is next met.
    The last weight is that of the parser's own log probability.
    """
    parse_starts = lists.parse_starts
    features = lists.features
    values = lists.values
    log_probabilities = lists.log_probabilities
    targets = lists.targets
    weights = state.weights
    squares = state.squares
    seen = state.seen
    own = weights.shape[0] - 1
    loss = 0.0
    scores = np.empty(1024)
    for index in order:
        first = lists.list_starts[index]
        size = lists.list_starts[index + 1] - first
        clock += 1
        top = -np.inf
        for parse in range(size):
            score = weights[own] * log_probabilities[first + parse]
            for at in range(parse_starts[first + parse], parse_starts[first + parse + 1]):
                feature = features[at]
                if seen[feature] < clock:
                    weights[feature] *= np.exp(-decay * (clock - seen[feature]))
                    seen[feature] = clock
                score += weights[feature] * values[at]
            scores[parse] = score
            top = max(top, score)
        everything = 0.0
        good = 0.0
        for parse in range(size):
            scores[parse] = np.exp(scores[parse] - top)
            everything += scores[parse]
            good += scores[parse] * targets[first + parse]
        loss -= np.log(max(good, 1e-300) / everything)
        gradient_own = 0.0
        for parse in range(size):
            chance = scores[parse] / everything
            wanted = scores[parse] * targets[first + parse] / good if good > 1e-300 else chance
            pull = wanted - chance
            if abs(pull) < 1e-6:
                continue
            gradient_own += pull * log_probabilities[first + parse]
            for at in range(parse_starts[first + parse], parse_starts[first + parse + 1]):
                feature = features[at]
                step = pull * values[at]
                squares[feature] += step * step
                weights[feature] += rate * step / np.sqrt(squares[feature])
        squares[own] += gradient_own * gradient_own
        weights[own] += 0.1 * rate * gradient_own / np.sqrt(squares[own])
    return loss, clock
