"""Training the re-ranker: lists of parses by cross-validation, and a log-linear model fitted to them.

Parses of sentences that the model was trained on would be far too good, so the treebank is cut into parts, and each
part is parsed by a model of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.columns import Vocabulary
from engine.constituents import JOINED, Constituent
from engine.errors import Cancelled, EngineError
from engine.jit import kernels, use_compiled
from engine.kernels.feature_data import NODE_COLUMNS, NODE_END, NODE_KIND, NODE_LABEL, NODE_START
from engine.kernels.layout import WORD
from engine.reranking import FORMAT, Reranker


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """How to train a re-ranker; the defaults were chosen on the development part of GUM."""

    folds: int = 5
    """Parts of the treebank, each parsed by a model of the others."""
    parses: int = 20
    """Length of the lists."""
    longest: int = 60
    """Sentences of more tokens are left out."""
    cutoff: int = 3
    """A feature that tells parses apart in fewer lists is left out."""
    rate: float = 0.1
    """AdaGrad's step."""
    regularisation: float = 0.1
    """One over the variance of the weights' Gaussian prior."""
    epochs: int = 8
    """Passes over the lists."""
    averaged_epochs: int = 4
    """The weights are the mean of those at the end of this many last epochs."""
    pruning: float = 0.02
    """A weight nearer to zero than this is dropped, in nats."""


DEFAULTS = RerankerOptions()


class Listed(NamedTuple):
    """One parse of a list: its log probability, how good it is, and the hashes of its features."""

    log_probability: float
    matched: int
    proposed: int
    gold: int
    features: np.ndarray

    @property
    def f1(self) -> float:
        """F1 of its constituents."""
        return 2 * self.matched / max(self.proposed + self.gold, 1)


class Brackets:
    """The constituents of a tree as numbers, so that two trees are quickly compared."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._numbers = {label: number for number, label in enumerate(vocabulary.labels)}
        tags = set(vocabulary.tags)
        shown = [label not in tags and not label.endswith(JOINED) for label in vocabulary.labels]
        self._shown = np.array([*shown, False])

    def of_tree(self, root: Constituent) -> np.ndarray:
        """Constituents of a gold tree, insides of baseNPs left out."""
        keys = [
            _key(self._numbers[node.label], node.start, node.end)
            for node in root.walk()
            if (node.children or node.is_base) and node.label in self._numbers and not node.label.endswith(JOINED)
        ]
        return np.sort(np.array(keys, np.int64))

    def of_steps(self, steps: np.ndarray) -> np.ndarray:
        """Constituents of a derivation."""
        nodes = np.empty((len(steps), NODE_COLUMNS), np.int32)
        used = kernels().features.lay_out(steps, nodes, np.empty(len(steps) + 1, np.int32))
        nodes = nodes[:used].astype(np.int64)
        phrases = nodes[(nodes[:, NODE_KIND] != WORD) & self._shown[nodes[:, NODE_LABEL]]]
        return np.sort(_key(phrases[:, NODE_LABEL], phrases[:, NODE_START], phrases[:, NODE_END]))


def _key(label: np.ndarray | int, start: np.ndarray | int, end: np.ndarray | int) -> np.ndarray | int:
    return (label << 32) | (start << 16) | end


def matches(first: np.ndarray, second: np.ndarray) -> int:
    """How many brackets two sorted rows share."""
    keys, counts = np.unique(first, return_counts=True)
    others, other_counts = np.unique(second, return_counts=True)
    _, left, right = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    return int(np.minimum(counts[left], other_counts[right]).sum())


class Lists:
    """Growing lists of parses, each parse as its difference from the first of its list."""

    def __init__(self) -> None:
        self._list_sizes: list[int] = []
        self._parse_sizes: list[int] = []
        self._keys: list[np.ndarray] = []
        self._values: list[np.ndarray] = []
        self._log_probabilities: list[float] = []
        self._targets: list[float] = []

    def __len__(self) -> int:
        return len(self._list_sizes)

    def add(self, parses: Sequence[Listed]) -> None:
        """Add one list, best first; one that leaves no choice teaches nothing."""
        best = max((parse.f1 for parse in parses), default=0.0)
        if len(parses) < 2 or all(parse.f1 == best for parse in parses):
            return
        self._list_sizes.append(len(parses))
        first = parses[0]
        for parse in parses:
            keys, values = _difference(parse.features, first.features)
            self._parse_sizes.append(len(keys))
            self._keys.append(keys)
            self._values.append(values)
            self._log_probabilities.append(parse.log_probability - first.log_probability)
            self._targets.append(float(parse.f1 == best))

    def fit(
        self, options: RerankerOptions, progress: Callable[[float], None], cancelled: Callable[[], bool]
    ) -> Reranker:
        """The weights that make the best parses of the lists most probable."""
        if not self._list_sizes:
            raise EngineError("no sentence has two different parses; there is nothing for a re-ranker to learn")
        use_compiled()
        features, places = self._kept_features(options.cutoff)
        kept = places >= 0
        parse_of = np.repeat(np.arange(len(self._parse_sizes)), self._parse_sizes)
        parse_starts = np.zeros(len(self._parse_sizes) + 1, np.int64)
        np.cumsum(np.bincount(parse_of[kept], minlength=len(self._parse_sizes)), out=parse_starts[1:])
        list_starts = np.zeros(len(self._list_sizes) + 1, np.int64)
        np.cumsum(self._list_sizes, out=list_starts[1:])
        values = np.concatenate(self._values)[kept].astype(np.float32)
        numbers = places[kept]
        weights = np.zeros(len(features) + 1)
        weights[-1] = 1.0
        squares = np.ones(len(features) + 1)
        seen = np.zeros(len(features) + 1, np.int64)
        decay = options.regularisation / len(self._list_sizes)
        chance = np.random.default_rng(1)
        clock = 0
        summed = np.zeros_like(weights)
        for number in range(options.epochs):
            if cancelled():
                raise Cancelled("training was cancelled")
            _, clock = kernels().reranker_fit.epoch(
                chance.permutation(len(self._list_sizes)),
                list_starts,
                parse_starts,
                numbers,
                values,
                np.array(self._log_probabilities),
                np.array(self._targets),
                weights,
                squares,
                seen,
                clock,
                options.rate,
                decay,
            )
            weights[:-1] *= np.exp(-decay * (clock - seen[:-1]))
            seen[:] = clock
            if number >= options.epochs - options.averaged_epochs:
                summed += weights
            progress((number + 1) / options.epochs)
        # In nats of the parser's own log probability, whose weight becomes 1.
        nats = summed[:-1] / max(summed[-1], 1e-6)
        chosen = np.abs(nats) >= options.pruning
        about = {"format": FORMAT, "lists": len(self._list_sizes), "parses": options.parses}
        return Reranker(features[chosen], nats[chosen].astype(np.float32), about)

    def _kept_features(self, cutoff: int) -> tuple[np.ndarray, np.ndarray]:
        """Features that tell parses apart in enough lists, and of every value its feature's number, −1 for none."""
        keys = np.concatenate(self._keys)
        features, numbers = np.unique(keys, return_inverse=True)
        list_of_parse = np.repeat(np.arange(len(self._list_sizes)), self._list_sizes)
        list_of = np.repeat(list_of_parse, self._parse_sizes)
        pairs = np.unique(numbers.astype(np.int64) * len(self._list_sizes) + list_of)
        often = np.bincount(pairs // len(self._list_sizes), minlength=len(features)) >= cutoff
        renumbered = np.full(len(features), -1, np.int32)
        renumbered[often] = np.arange(int(often.sum()), dtype=np.int32)
        return features[often], renumbered[numbers]


def _difference(features: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Features that two trees have in different number, and by how many."""
    keys = np.concatenate([features, first])
    signs = np.concatenate([np.ones(len(features), np.int64), np.full(len(first), -1, np.int64)])
    order = np.argsort(keys, kind="stable")
    keys, signs = keys[order], signs[order]
    borders = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
    sums = np.add.reduceat(signs, borders) if len(borders) else np.zeros(0, np.int64)
    different = sums != 0
    return keys[borders][different], sums[different].astype(np.int16)


def folds(sentences: int, parts: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For every part its sentences, and all others."""
    numbers = np.arange(sentences)
    for part in range(parts):
        yield numbers[numbers % parts == part], numbers[numbers % parts != part]
