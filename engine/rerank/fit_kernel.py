"""Fitting the re-ranker's weights: lists of parses in few bytes, and a log-linear model over them (Charniak and
Johnson, 2005).
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int8Array, Int32Array, Int64Array
from engine.compiled.kernel import kernel
from engine.rerank.lists_layout import Cells, ParseLists, WeightState

# Lists of parses as training keeps them: what tells the parses of a list apart, in few bytes.


@kernel
def numbered(keys: Int64Array) -> tuple[Int32Array, Int64Array]:
    """Of every key the number that it gets where it first turns up, and the keys by these numbers."""
    size = 1 << 12
    places = np.full(size, -1, np.int32)
    numbers = np.empty(keys.shape[0], np.int32)
    different = np.empty(keys.shape[0], np.int64)
    count = 0
    for at in range(keys.shape[0]):
        if 2 * count >= size:
            # Half full: twice the room, so that every key is found within a few steps.
            size *= 2
            places = np.full(size, -1, np.int32)
            for number in range(count):
                place = different[number] & (size - 1)
                while places[place] >= 0:
                    place = (place + 1) & (size - 1)
                places[place] = number
        key = keys[at]
        place = key & (size - 1)
        while places[place] >= 0 and different[places[place]] != key:
            place = (place + 1) & (size - 1)
        if places[place] < 0:
            places[place] = count
            different[count] = key
            count += 1
        numbers[at] = places[place]
    return numbers, different[:count].copy()


@kernel
def differences(keys: Int64Array, starts: Int64Array) -> tuple[Int64Array, Int32Array, Int32Array, Int8Array]:
    """Return what tells the parses of a list apart.

    Parameters
    ----------
    keys, starts
        The hashes of the features of all parses, in any order, and where those of each parse start.

    Returns
    -------
    tuple
        Hashes of the features that not all parses have in the same number, sorted; of every parse how many of them
        it has in other number than the first parse; which ones, in their order; and how many times more, at most 127.
    """
    numbers, different = numbered(keys)
    parses = starts.shape[0] - 1
    size = different.shape[0]
    first = np.zeros(size, np.int32)
    for at in range(starts[0], starts[1]):
        first[numbers[at]] += 1
    # Numbers are given as features turn up: those of the first parse come before all others.
    own = 0
    while own < size and first[own] > 0:
        own += 1
    counts = np.zeros(size, np.int32)
    telling = np.zeros(size, np.uint8)
    telling[own:] = 1
    for parse in range(1, parses):
        for at in range(starts[parse], starts[parse + 1]):
            counts[numbers[at]] += 1
        for number in range(own):
            if counts[number] != first[number]:
                telling[number] = 1
            counts[number] = 0
        for at in range(starts[parse], starts[parse + 1]):
            counts[numbers[at]] = 0
    chosen = np.flatnonzero(telling)
    chosen = chosen[np.argsort(different[chosen])]
    sizes = np.zeros(parses, np.int32)
    cells = np.empty(chosen.shape[0] * (parses - 1), np.int32)
    values = np.empty(chosen.shape[0] * (parses - 1), np.int8)
    filled = 0
    for parse in range(1, parses):
        for at in range(starts[parse], starts[parse + 1]):
            counts[numbers[at]] += 1
        before = filled
        for cell in range(chosen.shape[0]):
            number = chosen[cell]
            value = counts[number] - first[number]
            counts[number] = 0
            if value != 0:
                cells[filled] = cell
                values[filled] = min(max(value, -127), 127)
                filled += 1
        for at in range(starts[parse], starts[parse + 1]):
            counts[numbers[at]] = 0
        sizes[parse] = filled - before
    return different[chosen], sizes, cells[:filled].copy(), values[:filled].copy()


@kernel
def keep_features(
    lists: Cells, numbers: Int32Array, features: Int32Array, kept: Cells, at_feature: int, at_cell: int
) -> tuple[int, int]:
    """Leave out the features of some lists that have no number; return how many features and cells stay.

    Parameters
    ----------
    lists
        The lists.
    numbers
        Of every feature of theirs the number that it has in the fit, −1 for none.
    features, kept
        Where the numbers of those that stay, and sizes, cells and values of what stays are written; all but `features`,
        `cells` and `values` are as long as in `lists`.
    at_feature, at_cell
        The place to begin at in `features`, and in cells and values.
    """
    place_of = np.empty(0, np.int32)
    first_feature = at_feature
    first_cell = at_cell
    feature = 0
    cell = 0
    parse = 0
    for number in range(lists.list_sizes.shape[0]):
        size = lists.feature_sizes[number]
        if place_of.shape[0] < size:
            place_of = np.empty(2 * size, np.int32)
        begin = at_feature
        for local in range(size):
            place_of[local] = -1
            if numbers[feature + local] >= 0:
                place_of[local] = at_feature - begin
                features[at_feature] = numbers[feature + local]
                at_feature += 1
        feature += size
        kept.feature_sizes[number] = at_feature - begin
        for _ in range(lists.list_sizes[number]):
            before = at_cell
            for _ in range(lists.cell_sizes[parse]):
                place = place_of[lists.cells[cell]]
                if place >= 0:
                    kept.cells[at_cell] = place
                    kept.values[at_cell] = lists.values[cell]
                    at_cell += 1
                cell += 1
            kept.cell_sizes[parse] = at_cell - before
            parse += 1
    return at_feature - first_feature, at_cell - first_cell


# Fitting the re-ranker's weights: a log-linear model over lists of parses (Charniak and Johnson, 2005).
#
# They make the best parse of every list most probable.  What counts in the end is how many constituents are right; so
# here the gain that a list promises under its probabilities is made greatest (minimum risk), which also fits the scale
# of the scores that the choice by expected F1 needs.


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
