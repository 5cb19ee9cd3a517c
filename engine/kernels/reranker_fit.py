"""Fitting the re-ranker's weights: a log-linear model over lists of parses (Charniak and Johnson, 2005)."""

from __future__ import annotations

import numpy as np

from engine.jit import jit_for

jit = jit_for(__name__)


@jit
def epoch(
    order: np.ndarray,
    list_starts: np.ndarray,
    parse_starts: np.ndarray,
    features: np.ndarray,
    values: np.ndarray,
    log_probabilities: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    squares: np.ndarray,
    seen: np.ndarray,
    clock: int,
    rate: float,
    decay: float,
) -> tuple[float, int]:
    """One pass over all lists; return the summed loss −log P(best parses) and the number of steps so far.

    AdaGrad steps; a weight's pull towards zero (its Gaussian prior) is made up for when the weight is next met.
    The last weight is that of the parser's own log probability.
    """
    own = weights.shape[0] - 1
    loss = 0.0
    scores = np.empty(1024)
    for index in order:
        first = list_starts[index]
        size = list_starts[index + 1] - first
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
