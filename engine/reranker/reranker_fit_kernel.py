"""Fitting the re-ranker's weights: a log-linear model over lists of parses (Charniak and Johnson, 2005).

They make the best parse of every list most probable.  What counts in the end is how many constituents are right; so
here the gain that a list promises under its probabilities is made greatest (minimum risk), which also fits the scale
of the scores that the choice by expected F1 needs.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int64Array
from engine.compiled.kernel import kernel
from engine.reranker.reranker_fit_layout import ParseLists, WeightState


@kernel
def epoch(
    order: Int64Array, lists: ParseLists, state: WeightState, clock: int, rate: float, decay: float
) -> tuple[float, int]:
    """One pass over some lists; return the summed loss, the gain that was missed, and the number of steps so far.

    AdaGrad steps; a weight's pull towards zero (its Gaussian prior) is made up for when the weight is next met.
    """
    parse_starts = lists.parse_starts
    cells = lists.cells
    values = lists.values
    columns = lists.columns
    gains = lists.gains
    column_weights = state.column_weights
    loss = 0.0
    most_parses = 0
    most_features = 0
    for index in order:
        most_parses = max(most_parses, lists.list_starts[index + 1] - lists.list_starts[index])
        most_features = max(most_features, lists.feature_starts[index + 1] - lists.feature_starts[index])
    scores = np.empty(most_parses)
    weights = np.empty(most_features)
    squares = np.empty(most_features)
    gradients = np.empty(column_weights.shape[0])
    for index in order:
        first = lists.list_starts[index]
        size = lists.list_starts[index + 1] - first
        features = lists.features[lists.feature_starts[index] : lists.feature_starts[index + 1]]
        clock += 1
        for place in range(features.shape[0]):
            feature = features[place]
            weights[place] = state.weights[feature] * np.exp(-decay * (clock - state.seen[feature]))
            squares[place] = state.squares[feature]
        top = -np.inf
        for parse in range(size):
            score = 0.0
            for column in range(column_weights.shape[0]):
                score += column_weights[column] * columns[first + parse, column]
            for at in range(parse_starts[first + parse], parse_starts[first + parse + 1]):
                score += weights[cells[at]] * values[at]
            scores[parse] = score
            top = max(top, score)
        everything = 0.0
        expected = 0.0
        most = -np.inf
        for parse in range(size):
            scores[parse] = np.exp(scores[parse] - top)
            everything += scores[parse]
            expected += scores[parse] * gains[first + parse]
            most = max(most, gains[first + parse])
        expected /= everything
        loss += most - expected
        gradients[:] = 0.0
        for parse in range(size):
            pull = scores[parse] / everything * (gains[first + parse] - expected)
            if abs(pull) < 1e-6:
                continue
            for column in range(column_weights.shape[0]):
                gradients[column] += pull * columns[first + parse, column]
            for at in range(parse_starts[first + parse], parse_starts[first + parse + 1]):
                place = cells[at]
                step = pull * values[at]
                squares[place] += step * step
                weights[place] += rate * step / np.sqrt(squares[place])
        for place in range(features.shape[0]):
            feature = features[place]
            state.weights[feature] = weights[place]
            state.squares[feature] = squares[place]
            state.seen[feature] = clock
        for column in range(column_weights.shape[0]):
            state.column_squares[column] += gradients[column] * gradients[column]
            column_weights[column] += 0.1 * rate * gradients[column] / np.sqrt(state.column_squares[column])
    return loss, clock
