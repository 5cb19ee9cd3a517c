"""Training the re-ranker: lists of parses by cross-validation, and a log-linear model fitted to them.

Parses of sentences that the model was trained on would be far too good, so the treebank is cut into parts, and each
part is parsed by a model of the others.  Sentences that stand together stay together, for those of one text share
their words, and a text to be parsed later is new; and words that the others lack are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from engine.chart.parser import Parser
from engine.common.arrays import Int32Array, Int64Array
from engine.common.errors import Cancelled, EngineError
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import Corpus, CorpusBuilder, Vocabulary, merge
from engine.counts.counting import all_counts
from engine.counts.pruning import prune
from engine.model.model import Model
from engine.reranker import features_kernel, reranker_fit_kernel
from engine.reranker.features_layout import (
    NODE_COLUMNS,
    NODE_END,
    NODE_KIND,
    NODE_LABEL,
    NODE_START,
)
from engine.reranker.node_features_kernel import lay_out
from engine.reranker.reranker import RERANKER_FORMAT, Reranker
from engine.reranker.reranker_fit_layout import ParseLists, WeightState
from engine.settings import Settings
from engine.structure.constituents import JOINED, Constituent
from engine.structure.structure_layout import WORD
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.tagger.tagger import train_tagger
from engine.trees.penn_forms import plain_word
from engine.trees.tree import Tree
from engine.trees.tree_normalisation import clean


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """How to train a re-ranker; the defaults were chosen on the development part of GUM."""

    folds: int = 5
    """Parts of the treebank, each parsed by a model of the others."""
    block: int = 64
    """So many neighbouring sentences are in the same part."""
    parses: int = 30
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
    pruning: float = 0.1
    """A weight nearer to zero than this is dropped, in nats."""
    features: int = 400_000
    """At most so many weights are kept, the weightiest."""


RERANKER_DEFAULTS = RerankerOptions()
Number = TypeVar("Number", int, Int64Array)

PLACES = 1 << 24
"""Places of the table in which lists are counted."""


class Listed(NamedTuple):
    """One parse of a list: its log probability, how good it is, and the hashes of its features."""

    log_probability: float
    matched: int
    proposed: int
    gold: int
    features: Int64Array

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

    def of_tree(self, root: Constituent) -> Int64Array:
        """Constituents of a gold tree, baseNP-internal brackets left out."""
        keys = [
            _key(self._numbers[node.label], node.start, node.end)
            for node in root.walk()
            if (node.children or node.is_base) and node.label in self._numbers and not node.label.endswith(JOINED)
        ]
        return np.sort(np.array(keys, np.int64))

    def of_steps(self, steps: Int32Array) -> Int64Array:
        """Constituents of a derivation."""
        nodes = np.empty((len(steps), NODE_COLUMNS), np.int32)
        used = lay_out(steps, nodes, np.empty(len(steps) + 1, np.int32))
        nodes = nodes[:used].astype(np.int64)
        phrases = nodes[(nodes[:, NODE_KIND] != WORD) & self._shown[nodes[:, NODE_LABEL]]]
        return np.sort(_key(phrases[:, NODE_LABEL], phrases[:, NODE_START], phrases[:, NODE_END]))


def _key(label: Number, start: Number, end: Number) -> Number:
    """A labelled span as one number, or many as an array of such."""
    return (label << 32) | (start << 16) | end


class Lists:
    """Growing lists of parses, each parse as its difference from the first of its list.

    How many lists have a feature that tells their parses apart is counted as they come, in a table of fixed size in
    which features may share a place, so that most of the rare ones can be dropped before all are sorted at once.
    """

    def __init__(self) -> None:
        self._list_sizes: list[int] = []
        self._parse_sizes: list[Int64Array] = []
        self._keys: list[Int64Array] = []
        self._values: list[Int64Array] = []
        self._log_probabilities: list[float] = []
        self._targets: list[float] = []
        self._lists_with = np.zeros(PLACES, np.uint8)

    def __len__(self) -> int:
        return len(self._list_sizes)

    def add(self, parses: Sequence[Listed]) -> None:
        """Add one list, best first; one that leaves no choice teaches nothing."""
        best = max((parse.f1 for parse in parses), default=0.0)
        if len(parses) < 2 or all(parse.f1 == best for parse in parses):
            return
        first = parses[0]
        differences = [reranker_fit_kernel.difference(parse.features, first.features) for parse in parses]
        keys = np.concatenate([keys for keys, _ in differences])
        places = np.unique(keys % PLACES)
        self._lists_with[places] = np.minimum(self._lists_with[places], 254) + 1
        self._list_sizes.append(len(parses))
        self._parse_sizes.append(np.array([len(keys) for keys, _ in differences], np.int64))
        self._keys.append(keys)
        self._values.append(np.concatenate([values for _, values in differences]))
        self._log_probabilities += [parse.log_probability - first.log_probability for parse in parses]
        self._targets += [float(parse.f1 == best) for parse in parses]

    def _drop_rare(self, cutoff: int) -> None:
        """Leave out features that certainly tell parses apart in too few lists."""
        for number, keys in enumerate(self._keys):
            kept = self._lists_with[keys % PLACES] >= min(cutoff, 255)
            sizes = self._parse_sizes[number]
            parse_of = np.repeat(np.arange(len(sizes)), sizes)
            self._parse_sizes[number] = np.bincount(parse_of[kept], minlength=len(sizes))
            self._keys[number] = keys[kept]
            self._values[number] = self._values[number][kept]

    def fit(
        self, options: RerankerOptions, progress: Callable[[float], None], cancelled: Callable[[], bool]
    ) -> Reranker:
        """The weights that make the best parses of the lists most probable."""
        if not self._list_sizes:
            raise EngineError("no sentence has two different parses; there is nothing for a re-ranker to learn")
        use_compiled()
        self._drop_rare(options.cutoff)
        parse_sizes = np.concatenate(self._parse_sizes)
        features, places = self._kept_features(options.cutoff, parse_sizes)
        kept = places >= 0
        parse_of = np.repeat(np.arange(len(parse_sizes)), parse_sizes)
        parse_starts = np.zeros(len(parse_sizes) + 1, np.int64)
        np.cumsum(np.bincount(parse_of[kept], minlength=len(parse_sizes)), out=parse_starts[1:])
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
        lists = ParseLists(
            list_starts, parse_starts, numbers, values, np.array(self._log_probabilities), np.array(self._targets)
        )
        state = WeightState(weights, squares, seen)
        for number in range(options.epochs):
            if cancelled():
                raise Cancelled("training was cancelled")
            order = chance.permutation(len(self._list_sizes))
            _, clock = reranker_fit_kernel.epoch(order, lists, state, clock, options.rate, decay)
            weights[:-1] *= np.exp(-decay * (clock - seen[:-1]))
            seen[:] = clock
            if number >= options.epochs - options.averaged_epochs:
                summed += weights
            progress((number + 1) / options.epochs)
        # In nats of the parser's own log probability, whose weight becomes 1.
        nats = summed[:-1] / max(summed[-1], 1e-6)
        least = options.pruning
        if len(nats) > options.features:
            least = max(least, float(np.partition(np.abs(nats), -options.features)[-options.features]))
        chosen = np.abs(nats) >= least
        about = {"format": RERANKER_FORMAT, "lists": len(self._list_sizes), "parses": options.parses}
        return Reranker(features[chosen], nats[chosen].astype(np.float32), about)

    def _kept_features(self, cutoff: int, parse_sizes: Int64Array) -> tuple[Int64Array, Int32Array]:
        """Features that tell parses apart in enough lists, and of every value its feature's number, −1 for none."""
        keys = np.concatenate(self._keys)
        features, numbers = np.unique(keys, return_inverse=True)
        list_of_parse = np.repeat(np.arange(len(self._list_sizes)), self._list_sizes)
        list_of = np.repeat(list_of_parse, parse_sizes)
        pairs = np.unique(numbers.astype(np.int64) * len(self._list_sizes) + list_of)
        often = np.bincount(pairs // len(self._list_sizes), minlength=len(features)) >= cutoff
        renumbered = np.full(len(features), -1, np.int32)
        renumbered[often] = np.arange(int(often.sum()), dtype=np.int32)
        return features[often], renumbered[numbers]


def train_reranker(
    model: Model,
    trees: Iterable[Tree],
    settings: Settings | None = None,
    *,
    times: Int64Array | None = None,
    compact: bool = False,
    options: RerankerOptions = RERANKER_DEFAULTS,
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
        How the lists are parsed, by default as preset (5) does; with ``tag_distribution`` every sentence has two
        lists (if there is a tagger), from gold tags and from words alone, else one from gold tags.
    times
        How many times every sentence counts in preset (5).
    compact
        Whether the model's counts are pruned, as those of every part's model are then.
    progress, cancelled
        Told the share done; asked now and then whether to stop.
    """
    settings = settings or Settings.preset(5)
    columns = CorpusBuilder()
    sentences: list[TaggedSentence] = []
    golds: list[Int64Array] = []
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
    parts = parts_of(len(sentences), options)
    times = np.ones(len(sentences), np.int64) if times is None else times
    done = 0
    for part in range(options.folds):
        others = np.flatnonzero(parts != part)
        parser = Parser(
            _model_of(model, treebank.select(others), times[others], sentences, others, compact, cancelled), settings
        )
        for number in np.flatnonzero(parts == part).tolist():
            if cancelled():
                raise Cancelled("training was cancelled")
            if len(sentences[number]) <= options.longest:
                for given in _taggings(parser, sentences[number]):
                    lists.add(list(_parses(parser, given, golds[number], brackets, options.parses)))
            done += 1
            progress(FITTING_FROM * done / len(sentences))
    return lists.fit(options, lambda share: progress(FITTING_FROM + (1 - FITTING_FROM) * share), cancelled)


FITTING_FROM = 0.95
"""Share of the work that the lists are."""


def parts_of(size: int, options: RerankerOptions) -> Int64Array:
    """The part of every sentence: blocks of neighbours in turn, smaller ones where there would be too few."""
    block = max(1, min(options.block, size // (4 * options.folds)))
    return np.arange(size) // block % options.folds


def _model_of(
    model: Model,
    treebank: Corpus,
    times: Int64Array,
    sentences: Sequence[TaggedSentence],
    numbers: Int64Array,
    compact: bool,
    cancelled: Callable[[], bool],
) -> Model:
    """A model of some of the sentences, its numbers the same."""
    tagger = None
    if model.tagger is not None:
        tagger = train_tagger([(sentences[at].words, sentences[at].tags) for at in numbers], cancelled=cancelled)
    counts = all_counts(treebank, times)
    made = Model(treebank.vocabulary, prune(counts) if compact else counts, {}, model.rules, tagger)
    seen = {plain_word(word) for at in numbers for word in sentences[at].proper_words}
    made.word_numbers = {word: number for word, number in model.word_numbers.items() if word in seen}
    return made


def _taggings(parser: Parser, sentence: TaggedSentence) -> Iterator[TaggedSentence | TagDistribution]:
    """A sentence with its gold tags; and with the tagger's, where the parser is one that chooses among them."""
    yield sentence
    if parser.settings.tag_distribution and parser.model.tagger is not None:
        tagged = parser.model.tag(sentence.words)
        # Other words of the parse than the gold tree has: no bracket could be compared.
        if tagged.sentence.positions == sentence.positions:
            yield tagged


def _parses(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution,
    gold: Int64Array,
    brackets: Brackets,
    number: int,
) -> Iterator[Listed]:
    """The list of one sentence."""
    for derivation in parser.derivations(sentence, number):
        found = brackets.of_steps(derivation.steps)
        features = np.sort(features_kernel.hashes(derivation.features))
        matched = int(reranker_fit_kernel.shared(found, gold))
        yield Listed(derivation.log_probability, matched, len(found), len(gold), features)
