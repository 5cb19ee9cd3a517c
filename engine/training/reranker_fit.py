"""Fitting the re-ranker to lists of parses: which features it has, and what they weigh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.common.errors import Cancelled, EngineError
from engine.compiled.kernel import use_compiled
from engine.reranker import reranker_fit_kernel
from engine.reranker.reranker import RERANKER_FORMAT, Reranker
from engine.reranker.reranker_fit_layout import ParseLists, WeightState
from engine.training.parse_lists import ListStore

_LISTS_AT_ONCE = 2048
"""Lists between two questions whether to stop: some tenths of a second."""
_FOUND_SHARE, _LOADED_SHARE = 0.3, 0.6
"""Share of the fit that is done when the features are found, and when the lists are loaded."""
_LEAST_OWN = 1e-6


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """How to train a re-ranker; the defaults were chosen on held-out parts of GUM's and CRAFT's training trees."""

    folds: int = 10
    """Parts of the treebank, each parsed by a model of the others."""
    block: int = 64
    """So many neighbouring sentences are in the same part."""
    parses: int = 50
    """Length of the lists."""
    longest: int = 60
    """Sentences of more tokens are left out."""
    cutoff: int = 3
    """A feature that tells parses apart in fewer lists is left out."""
    rate: float = 0.1
    """AdaGrad's step."""
    regularisation: float = 0.3
    """One over the variance of the weights' Gaussian prior."""
    epochs: int = 5
    """Passes over the lists."""
    averaged_epochs: int = 4
    """The weights are the mean of those at the end of this many last epochs."""
    orders: int = 3
    """The weights are the mean over so many random orders of the lists."""
    pruning: float = 0.05
    """A weight nearer to zero than this is dropped, in nats."""
    features: int = 500_000
    """At most so many weights are kept, the weightiest."""
    column_weights: tuple[float, ...] = (0.3, 0.2)
    """What the real values of every parse weigh at first: the parser's own log probability, the second model's."""


RERANKER_DEFAULTS = RerankerOptions()


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt: the weight of every feature and of every column; a parse has probability e^sum in its list."""

    features: FloatArray
    columns: FloatArray


def fit_weights(
    lists: ParseLists,
    features: int,
    options: RerankerOptions,
    step: Callable[[float], None] = lambda share: None,
    chosen: Int64Array | None = None,
) -> Weights:
    """The weights that make the expected gain of the lists greatest.

    Parameters
    ----------
    lists
        The lists.
    features
        How many features there are.
    options
        How to train.
    step
        Called several times a second with the share done; may stop the work by raising.
    chosen
        Numbers of the lists to learn from, if not from all.
    """
    columns = lists.columns.shape[1]
    if columns != len(options.column_weights):
        raise EngineError(f"parses have {columns} values of their own, not {len(options.column_weights)}")
    numbers = np.arange(len(lists.list_starts) - 1) if chosen is None else chosen
    summed = Weights(np.zeros(features), np.zeros(columns))
    for seed in range(options.orders):
        done = partial(_share_of, step, seed, options.orders)
        _fit_in_order(lists, numbers, np.random.default_rng(1 + seed), options, summed, done)
    passes = options.orders * options.averaged_epochs
    return Weights(summed.features / passes, summed.columns / passes)


def _share_of(step: Callable[[float], None], number: int, parts: int, share: float) -> None:
    step((number + share) / parts)


def _fit_in_order(
    lists: ParseLists,
    numbers: Int64Array,
    chance: np.random.Generator,
    options: RerankerOptions,
    summed: Weights,
    step: Callable[[float], None],
) -> None:
    """Learn from the lists in random order, and add the weights at the end of the last epochs to `summed`."""
    features, columns = len(summed.features), len(summed.columns)
    state = WeightState(
        np.zeros(features),
        np.ones(features),
        np.zeros(features, np.int64),
        np.array(options.column_weights, np.float64),
        np.ones(columns),
    )
    size = len(numbers)
    decay = options.regularisation / size
    clock = 0
    for number in range(options.epochs):
        order = numbers[chance.permutation(size)]
        for start in range(0, size, _LISTS_AT_ONCE):
            step((number + start / size) / options.epochs)
            some = order[start : start + _LISTS_AT_ONCE]
            _, clock = reranker_fit_kernel.epoch(some, lists, state, clock, options.rate, decay)
        state.weights[:] *= np.exp(-decay * (clock - state.seen))
        state.seen[:] = clock
        if number >= options.epochs - options.averaged_epochs:
            summed.features[:] += state.weights
            summed.columns[:] += state.column_weights


def fit(
    store: ListStore,
    options: RerankerOptions = RERANKER_DEFAULTS,
    progress: Callable[[float], None] = lambda share: None,
    cancelled: Callable[[], bool] = lambda: False,
    times: Int64Array | None = None,
) -> Reranker:
    """A re-ranker that makes the expected gain of the lists greatest; `times` says how often each sentence counts."""
    if not store.lists:
        raise EngineError("no sentence has two different parses; there is nothing for a re-ranker to learn")
    use_compiled()
    features = store.features(options.cutoff, partial(_step, progress, cancelled, 0.0, _FOUND_SHARE))
    lists = store.load(features, partial(_step, progress, cancelled, _FOUND_SHARE, _LOADED_SHARE), times)
    step = partial(_step, progress, cancelled, _LOADED_SHARE, 1.0)
    weights = fit_weights(lists, len(features), options, step)
    return reranker_of(features, weights, options, store.lists)


def _step(
    progress: Callable[[float], None], cancelled: Callable[[], bool], first: float, last: float, share: float
) -> None:
    """Tell how far a part of the work is, and stop if all was cancelled."""
    if cancelled():
        raise Cancelled("training was cancelled")
    progress(first + (last - first) * share)


def reranker_of(features: Int64Array, weights: Weights, options: RerankerOptions, lists: int) -> Reranker:
    """The re-ranker with the weightiest of the features, in nats of the parser's own log probability."""
    own = max(float(weights.columns[0]), _LEAST_OWN)
    nats = weights.features / own
    columns = weights.columns / own
    columns[0] = 1.0
    least = options.pruning
    if len(nats) > options.features:
        least = max(least, float(np.partition(np.abs(nats), -options.features)[-options.features]))
    chosen = np.abs(nats) >= least
    about = {"format": RERANKER_FORMAT, "lists": lists, "parses": options.parses, "scale": own}
    return Reranker(features[chosen], nats[chosen].astype(np.float32), about, columns)
