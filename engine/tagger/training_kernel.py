"""Fitting the maximum-entropy tagger's weights: the regularised likelihood and its descent.

The objective is Ratnaparkhi's (1996), the likelihood of the training tags given the true tags before
them, with a Gaussian prior on the weights in place of early stopping:

    L(w) = - sum over words of log P(t | h) + regularisation / 2 * sum of w^2.

It is convex.  It is minimised by AdaGrad (Duchi, Hazan and Singer 2011), word by word: as each word
has some thirty features of several hundred thousand, a step touches very little.
"""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Float32Array, FloatArray, Int16Array, Int32Array, Int64Array, UInt32Array, UInt64Array
from engine.compiled.kernel import kernel
from engine.tagger.tagger_layout import HISTORY
from engine.tagger.tagging_kernel import ABSENT, feature_hash, find_feature, partial_hash


@kernel
def template_features(
    templates: Int16Array, template: int, atoms: UInt64Array, sentence_starts: Int64Array, tags: Int64Array
) -> UInt64Array:
    """Hash of one template's feature for every word of a corpus in its true history; 0 for none."""
    names = np.zeros(len(atoms), np.uint64)
    flags = templates[template, 0]
    for sentence in range(len(sentence_starts) - 1):
        first = sentence_starts[sentence]
        end = sentence_starts[sentence + 1]
        for position in range(first, end):
            digest = partial_hash(templates, template, atoms, first, end, position)
            if digest == ABSENT:
                continue
            previous = tags[position - 1] if position - 1 >= first else -1
            before = tags[position - 2] if position - 2 >= first else -1
            names[position] = feature_hash(digest, flags & HISTORY, previous, before)
    return names


@kernel
def find_features(buckets: UInt32Array, keys: UInt32Array, names: UInt64Array, rows: Int32Array) -> None:
    """Replace the hashes in `names` by the features' rows, -1 where a feature was cut off."""
    for index in range(len(names)):
        rows[index] = find_feature(buckets, keys, names[index]) if names[index] != ABSENT else -1


@kernel
def probability_errors(
    weights: Float32Array | FloatArray, features: Int32Array, tag: int, errors: Float32Array | FloatArray
) -> float:
    """Fill `errors` with P(t | h) - [t is the true tag] and answer -log P(true tag | h).

    That difference is the gradient of the loss with respect to ``weights[f, t]``, for each
    feature f of the word.
    """
    tag_count = len(errors)
    for other in range(tag_count):
        errors[other] = 0.0
    for feature in features:
        if feature >= 0:
            row = weights[feature]
            for other in range(tag_count):
                errors[other] += row[other]
    highest = errors.max()
    score = np.float64(errors[tag] - highest)
    mass = 0.0
    for other in range(tag_count):
        errors[other] = np.exp(errors[other] - highest)
        mass += np.float64(errors[other])
    for other in range(tag_count):
        errors[other] /= mass
    errors[tag] -= 1.0
    return np.log(mass) - score


@kernel
def descend(
    order: Int64Array,
    features: Int32Array,
    tags: Int64Array,
    weights: Float32Array | FloatArray,
    squares: Float32Array | FloatArray,
    decay: Float32Array | FloatArray,
    rate: np.float32,
) -> float:
    """One AdaGrad step for each word of `order`; answers the sum of their losses before the step.

    Parameters
    ----------
    features
        A row a word: the rows in `weights` of its features, -1 for one that was cut off.
    weights, squares
        A row a feature, a column a tag: the weights, and the sum of their squared gradients so far.
    decay
        For each feature the regularisation divided by its number of occurrences: so the prior's
        gradient, paid in equal parts whenever the feature occurs, comes to its due in one epoch.
    """
    tag_count = weights.shape[1]
    errors = np.zeros(tag_count, weights.dtype)
    loss = 0.0
    for word in order:
        loss += probability_errors(weights, features[word], tags[word], errors)
        for feature in features[word]:
            if feature >= 0:
                row = weights[feature]
                square = squares[feature]
                share = decay[feature]
                for tag in range(tag_count):
                    gradient = errors[tag] + share * row[tag]
                    square[tag] += gradient * gradient
                    row[tag] -= rate * gradient / np.sqrt(square[tag])
    return loss
