"""Training the re-ranker: lists of parses by cross-validation, and a log-linear model fitted to them.

Parses of sentences that the model was trained on would be far too good, so the treebank is cut into parts, and each
part is parsed by a model of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.columns import Columns, Treebank, Vocabulary, merge
from engine.constituents import JOINED, Constituent
from engine.counts import all_counts
from engine.errors import Cancelled, EngineError
from engine.forms import plain_word
from engine.jit import kernels, use_compiled
from engine.kernels.feature_data import NODE_COLUMNS, NODE_END, NODE_KIND, NODE_LABEL, NODE_START
from engine.kernels.layout import WORD
from engine.model import Model
from engine.parser import Parser
from engine.pruning import prune
from engine.reranking import FORMAT, Reranker
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.tagger import train_tagger
from engine.tagging import TagDistribution
from engine.trees import Tree, clean


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


def train_reranker(
    model: Model,
    trees: Iterable[Tree],
    settings: Settings | None = None,
    *,
    times: np.ndarray | None = None,
    compact: bool = False,
    options: RerankerOptions = DEFAULTS,
    progress: Callable[[float], None] = lambda share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Reranker:
    """Train a re-ranker for a model on the trees that the model was trained on.

    Parameters
    ----------
    model
        The model; its tagger, if it has one, is trained anew for every part as well.
    trees
        The same trees.
    settings
        How the lists are parsed, by default as preset (5) does; with ``tag_distribution`` from words alone (if
        there is a tagger), else from gold tags.
    times
        How many times every sentence counts.
    compact
        Whether the model's counts are pruned, as those of every part's model are then.
    progress, cancelled
        Told the share done; asked now and then whether to stop.
    """
    settings = settings or Settings.preset(5)
    columns = Columns()
    sentences: list[TaggedSentence] = []
    golds: list[np.ndarray] = []
    brackets = Brackets(model.vocabulary)
    for tree in trees:
        cleaned = clean(tree)
        root = model.lexicaliser.constituent(cleaned) if cleaned is not None else None
        if cleaned is not None and root is not None:
            sentence = TaggedSentence.from_tree(cleaned)
            words = [plain_word(word) for word in sentence.proper_words]
            columns.add(root, words, sentence.proper_tags, sentence.commas)
            sentences.append(sentence)
            golds.append(brackets.of_tree(root))
    treebank = merge([columns])
    if treebank.vocabulary != model.vocabulary:
        raise EngineError("a re-ranker is trained on the very trees that its model was trained on; these are others")
    lists = Lists()
    numbers = np.arange(len(sentences))
    times = np.ones(len(sentences), np.int64) if times is None else times
    for part in range(options.folds):
        others = numbers[numbers % options.folds != part]
        counted = treebank.select(np.repeat(others, times[others]))
        parser = Parser(_model_of(model, counted, sentences, others, compact, cancelled), settings)
        for number in range(part, len(sentences), options.folds):
            if cancelled():
                raise Cancelled("training was cancelled")
            if len(sentences[number]) <= options.longest:
                lists.add(list(_parses(parser, sentences[number], golds[number], brackets, options.parses)))
            progress(FITTING_FROM * (part + number / len(sentences)) / options.folds)
    return lists.fit(options, lambda share: progress(FITTING_FROM + (1 - FITTING_FROM) * share), cancelled)


FITTING_FROM = 0.95
"""Share of the work that the lists are."""


def _model_of(
    model: Model,
    treebank: Treebank,
    sentences: Sequence[TaggedSentence],
    numbers: np.ndarray,
    compact: bool,
    cancelled: Callable[[], bool],
) -> Model:
    """A model of some of the sentences, its numbers the same."""
    tagger = None
    if model.tagger is not None:
        tagger = train_tagger([(sentences[at].words, sentences[at].tags) for at in numbers], cancelled=cancelled)
    counts = all_counts(treebank)
    return Model(treebank.vocabulary, prune(counts) if compact else counts, {}, model.rules, tagger)


def _parses(
    parser: Parser, sentence: TaggedSentence, gold: np.ndarray, brackets: Brackets, number: int
) -> Iterator[Listed]:
    """The list of one sentence."""
    given: TaggedSentence | TagDistribution = sentence
    if parser.settings.tag_distribution and parser.model.tagger is not None:
        given = parser.model.tag(sentence.words)
        if given.sentence.positions != sentence.positions:
            # Other words of the parse than the gold tree has: no bracket could be compared.
            return
    for derivation in parser.derivations(given, number):
        found = brackets.of_steps(derivation.steps)
        features = np.sort(kernels().features.hashes(derivation.features))
        yield Listed(derivation.log_probability, matches(found, gold), len(found), len(gold), features)
