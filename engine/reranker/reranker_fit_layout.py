"""How lists of parses and the weights that are learnt from them are laid out."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Float32Array, FloatArray, Int32Array, Int64Array


class ParseLists(NamedTuple):
    """Lists of parses to learn from, end to end.

    Attributes
    ----------
    list_starts, parse_starts
        Where the parses of each list start, and the features of each parse; one number more at the end.
    features, values
        Features that a parse has in other number than the first of its list, and by how many.
    log_probabilities, targets
        Of every parse: the parser's own log probability, and whether it is among the best of its list.
    """

    list_starts: Int64Array
    parse_starts: Int64Array
    features: Int32Array
    values: Float32Array
    log_probabilities: FloatArray
    targets: FloatArray


class WeightState(NamedTuple):
    """Weights being learnt: the weights, their summed squared gradients, the step at which each was last met."""

    weights: FloatArray
    squares: FloatArray
    seen: Int64Array
