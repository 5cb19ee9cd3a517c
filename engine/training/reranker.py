"""Training the re-ranker: lists of parses by cross-validation, parsed with models of all other parts."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from engine.chart.parser import Parser
from engine.common.arrays import AnyArray, FloatArray, Int8Array, Int32Array, Int64Array, UInt16Array, starts_of
from engine.common.errors import Cancelled, EngineError
from engine.common.files import temporary_folder, write_whole
from engine.common.parallel import Workers, in_this_process, ordered, place_of, sees_our_files, stop_asked
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import Corpus, CorpusBuilder, merge
from engine.counts.counting import all_counts
from engine.counts.tables import prune
from engine.model.model import Model
from engine.rerank import features_kernel, fit_kernel, vote_kernel
from engine.rerank.generative import TreeColumns
from engine.rerank.lists_layout import Cells, ParseLists, WeightState
from engine.rerank.reranker import RERANKER_FORMAT, Reranker
from engine.settings import Settings
from engine.structure.sentence_layout import HASH_BITS
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import TagDistribution, tagger_of
from engine.tagger.training import TaggerCorpus, TaggerCorpusBuilder, join
from engine.training.generative import GoldSentence, generative_model, tree_columns
from engine.trees.head_rules import parse_head_rules
from engine.trees.tree import Tree, clean, plain_word

# Lists of parses to learn from: packed into a few arrays, and kept on disk until they are fitted.
#
# Every parse is kept as its difference from the first of its list, and every list names a feature once.  Lists of many
# sentences would fill the memory all the same; so they are written to a file that has no name and is gone with the
# process, however it ends.  How many lists have a feature that tells their parses apart is counted as they come, in a
# table of fixed size in which features may share a place: most of the rare ones need never be sorted.

PLACES = 1 << 24
"""Places of the table in which lists are counted."""
_MOST_COUNTED = 255
_RANGES = 16
_RANGE_SHIFT = HASH_BITS - 4
"""Ranges of hashes whose features are sorted at a time."""


def _no_step(share: float) -> None:
    """Go on."""


class Listed(NamedTuple):
    """One parse of a list.

    Attributes
    ----------
    columns
        Its real values; the first is its log probability.
    matched, proposed, gold
        How many of its constituents the gold tree has, how many it has, and how many the gold tree has.
    features
        The hashes of its features, in any order.
    brackets
        Its constituents as numbers, sorted.
    """

    columns: FloatArray
    matched: int
    proposed: int
    gold: int
    features: Int64Array
    brackets: Int64Array

    @property
    def f1(self) -> float:
        """F1 of its constituents."""
        return 2 * self.matched / max(self.proposed + self.gold, 1)


class Origin(NamedTuple):
    """Where a list comes from: its part, its sentence, and whether its tags are the tagger's (1) or gold (0)."""

    part: int
    sentence: int
    tagger: int


NOWHERE = Origin(0, 0, 0)


class PackedLists(NamedTuple):
    """Some lists, end to end.

    Attributes
    ----------
    origins
        Of every list a row (:class:`Origin`).
    list_sizes
        Parses of every list.
    key_sizes, keys
        Hashes of the features that tell the parses of each list apart.
    cell_sizes, cells, values
        Of every parse the features of its list that it has in other number than the first, and by how many.
    columns
        Of every parse its real values, as differences from those of the first of its list.
    counts
        Of every parse: constituents matched, proposed, gold.
    bracket_sizes, bracket_keys, brackets
        The different constituents of each list, and which of them every parse has, as many as it has proposed.
    """

    origins: Int32Array
    list_sizes: Int32Array
    key_sizes: Int32Array
    keys: Int64Array
    cell_sizes: Int32Array
    cells: UInt16Array | Int32Array
    values: Int8Array
    columns: FloatArray
    counts: Int32Array
    bracket_sizes: Int32Array
    bracket_keys: Int64Array
    brackets: UInt16Array | Int32Array

    def of_cells(self) -> Cells:
        """Return the features alone."""
        return Cells(self.list_sizes, self.key_sizes, self.cell_sizes, self.cells, self.values)


class ListPacker:
    """Collects lists and packs them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[AnyArray]] = {name: [] for name in PackedLists._fields}

    def add(self, parses: Sequence[Listed], origin: Origin = NOWHERE) -> None:
        """Add one list, best first; one that leaves no choice teaches nothing."""
        qualities = [parse.f1 for parse in parses]
        if len(set(qualities)) < 2:
            return
        keys, sizes, cells, values = fit_kernel.differences(
            np.concatenate([parse.features for parse in parses]), starts_of([len(parse.features) for parse in parses])
        )
        columns = np.stack([parse.columns for parse in parses])
        bracket_keys, brackets = np.unique(np.concatenate([parse.brackets for parse in parses]), return_inverse=True)
        self._put(
            origins=np.array([origin], np.int32),
            list_sizes=np.array([len(parses)], np.int32),
            key_sizes=np.array([len(keys)], np.int32),
            keys=keys,
            cell_sizes=sizes,
            cells=cells,
            values=values,
            columns=columns - columns[0],
            counts=np.array([(parse.matched, parse.proposed, parse.gold) for parse in parses], np.int32),
            bracket_sizes=np.array([len(bracket_keys)], np.int32),
            bracket_keys=bracket_keys,
            brackets=brackets.astype(np.int32),
        )

    def _put(self, **arrays: AnyArray) -> None:
        for name, array in arrays.items():
            self._rows[name].append(array)

    def packed(self) -> PackedLists | None:
        """Return all lists that were added; ``None`` if there are none."""
        if not self._rows["list_sizes"]:
            return None
        joined = PackedLists(**{name: np.concatenate(rows) for name, rows in self._rows.items()})
        return joined._replace(
            cells=_small(joined.cells, int(joined.key_sizes.max())),
            brackets=_small(joined.brackets, int(joined.bracket_sizes.max())),
        )


def _small(array: AnyArray, end: int) -> UInt16Array | Int32Array:
    """Numbers under `end` in as few bytes as they need."""
    return array.astype(np.uint16) if end <= 1 << 16 else array.astype(np.int32)


@contextlib.contextmanager
def _written() -> Iterator[None]:
    """Say what is wrong where a file of lists cannot be written."""
    try:
        yield
    except OSError as error:
        problem = error.strerror or error
        raise EngineError(f"lists of parses cannot be written among the temporary files ({problem})") from error


class ListStore:
    """Packed lists in a file without a name, in the system's folder for temporary files."""

    def __init__(self) -> None:
        with _written():
            self._file = cast(BinaryIO, tempfile.TemporaryFile(prefix="parse-explorer-"))  # noqa: SIM115
        self._chunks = 0
        self._lists_with = np.zeros(PLACES, np.uint8)
        self.lists = 0
        self.parses = 0
        self._keys = 0
        self._cells = 0
        self._most_keys = 0
        self._firsts = np.zeros(3, np.int64)

    def __enter__(self) -> ListStore:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def append(self, lists: PackedLists) -> None:
        """Write some lists behind all others."""
        with _written():
            self._file.seek(0, 2)
            for array in lists:
                np.save(self._file, array, allow_pickle=False)
            self._file.flush()
        self._chunks += 1
        self.lists += len(lists.list_sizes)
        self.parses += len(lists.cell_sizes)
        self._keys += len(lists.keys)
        self._cells += len(lists.cells)
        self._most_keys = max(self._most_keys, int(lists.key_sizes.max()))
        self._firsts += lists.counts[starts_of(lists.list_sizes)[:-1]].sum(axis=0)
        borders = np.cumsum(lists.key_sizes)[:-1]
        for keys in np.split(lists.keys, borders):
            places = np.unique(keys % PLACES)
            self._lists_with[places] = np.minimum(self._lists_with[places], _MOST_COUNTED - 1) + 1

    def __iter__(self) -> Iterator[PackedLists]:
        """Yield the lists, in the pieces in which they were written."""
        self._file.seek(0)
        for _ in range(self._chunks):
            # Another reader may have moved the file's place in between.
            chunk = PackedLists(*(np.load(self._file, allow_pickle=False) for _ in PackedLists._fields))
            place = self._file.tell()
            yield chunk
            self._file.seek(place)

    def features(self, cutoff: int, step: Callable[[float], None] = _no_step) -> Int64Array:
        """Hashes of the features that tell parses apart in at least so many lists, sorted.

        `step` is called now and then with the share done, and may stop the work by raising.
        """
        least = min(cutoff, _MOST_COUNTED)
        kept = [np.zeros(0, np.int64)]
        for number, chunk in enumerate(self):
            kept.append(chunk.keys[self._lists_with[chunk.keys % PLACES] >= least])
            step(number / self._chunks / 2)
        keys = np.concatenate(kept)
        del kept
        # Range by range, for sorting all at once would take long and three times the memory.
        ranges = (keys >> _RANGE_SHIFT).astype(np.int8)
        features = []
        for number in range(_RANGES):
            found, counts = np.unique(keys[ranges == number], return_counts=True)
            features.append(found[counts >= cutoff])
            step((1 + number / _RANGES) / 2)
        return np.concatenate(features)

    def load(
        self, features: Int64Array, step: Callable[[float], None] = _no_step, times: Int64Array | None = None
    ) -> ParseLists:
        """Return the lists as they are fitted, with these features alone; for `step` see :meth:`features`.

        If sentences count several `times`, so do the gains of their lists.
        The arrays are made as long as they can get; what is never written takes no memory.
        """
        numbers = np.empty(self._keys, np.int32)
        sizes = np.empty(self.lists, np.int32)
        cells = _small(np.empty(0, np.int32), self._most_keys)
        kept = Cells(
            np.empty(self.lists, np.int32),
            sizes,
            np.empty(self.parses, np.int32),
            np.empty(self._cells, cells.dtype),
            np.empty(self._cells, np.int8),
        )
        columns: list[FloatArray] = []
        gains: list[FloatArray] = []
        f1 = float(2 * self._firsts[0] / max(self._firsts[1] + self._firsts[2], 1))
        at_list = at_parse = at_feature = at_cell = 0
        for chunk in self:
            lists, parses = len(chunk.list_sizes), len(chunk.cell_sizes)
            places = np.searchsorted(features, chunk.keys)
            found = places < len(features)
            found[found] = features[places[found]] == chunk.keys[found]
            room = kept._replace(
                feature_sizes=kept.feature_sizes[at_list : at_list + lists],
                cell_sizes=kept.cell_sizes[at_parse : at_parse + parses],
            )
            kept.list_sizes[at_list : at_list + lists] = chunk.list_sizes
            new_features, new_cells = fit_kernel.keep_features(
                chunk.of_cells(), np.where(found, places, -1).astype(np.int32), numbers, room, at_feature, at_cell
            )
            columns.append(chunk.columns)
            often = np.ones(lists) if times is None else times[chunk.origins[:, Origin._fields.index("sentence")]]
            gains.append(gains_of(chunk.counts, f1) * np.repeat(often, chunk.list_sizes))
            at_list, at_parse = at_list + lists, at_parse + parses
            at_feature, at_cell = at_feature + new_features, at_cell + new_cells
            step(at_list / self.lists)
        return ParseLists(
            starts_of(kept.list_sizes),
            starts_of(kept.feature_sizes),
            numbers[:at_feature],
            starts_of(kept.cell_sizes),
            kept.cells[:at_cell],
            kept.values[:at_cell],
            np.concatenate(columns),
            np.concatenate(gains),
        )


def gains_of(counts: Int32Array, f1: float) -> FloatArray:
    """Return what it is worth to choose each parse: by how many constituents it raises the F1 of all.

    F1 = 2 m / (p + g), of constituents matched, proposed and gold.  Near an F1 of F one more constituent that is
    proposed has to match with a probability over F / 2 to raise it: a parse is worth 2 m − F p.
    """
    matched, proposed, _ = counts.T
    found: FloatArray = 2.0 * matched - f1 * proposed
    return found


# Fitting the re-ranker to lists of parses: which features it has, and what they weigh.

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
    """How many neighbouring sentences are in the same part."""
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
    """Return the weights that make the expected gain of the lists greatest.

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
            _, clock = fit_kernel.epoch(some, lists, state, clock, options.rate, decay)
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
    """Return a re-ranker that makes the expected gain of the lists greatest;
    `times` says how often each sentence counts.
    """
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
    """Return the re-ranker with the weightiest of the features, in nats of the parser's own log probability."""
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


# The models that a re-ranker's lists are parsed with: one for every part of the treebank, of all the other parts.
#
# A model is built once, by whichever process comes to it, and written to a file, which every process maps into memory.

_WAIT_SECONDS = 0.05


def parts_of(size: int, options: RerankerOptions) -> Int64Array:
    """Return the part of every sentence: blocks of neighbours in turn, smaller ones where there would be too few."""
    block = max(1, min(options.block, size // (4 * options.folds)))
    return np.arange(size) // block % options.folds


@dataclass(frozen=True, slots=True)
class FoldModels:
    """Builds and opens the models of the parts; every process has one.

    Attributes
    ----------
    corpus, times
        The whole treebank, and how many times every sentence counts in preset (5).
    tokens
        The same sentences as the tagger learns from them; ``None`` if there is to be no tagger.
    trees
        Their gold trees, as the second model counts them.
    parts
        The part of every sentence.
    rules
        The head rules, as text.
    compact
        Whether the counts are pruned.
    folder
        Where the models are.
    """

    corpus: Corpus
    times: Int64Array
    tokens: TaggerCorpus | None
    trees: TreeColumns
    parts: Int64Array
    rules: str
    compact: bool
    folder: Path

    def path(self, part: int) -> Path:
        """Return the file of a part's model."""
        return self.folder / f"{part}.model"

    def build(self, part: int, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Train the model of all parts but one, and write it."""

        def step(share: float) -> None:
            if cancelled():
                raise Cancelled("training was cancelled")

        others = np.flatnonzero(self.parts != part)
        tagger = None
        if self.tokens is not None:
            tagger = tagger_of(self.tokens.select(others), step, cancelled)
        corpus = self.corpus.select(others)
        counts = all_counts(corpus, self.times[others], step)
        if self.compact:
            counts = prune(counts)
        second = generative_model(self.trees, others, self.times[others], corpus.vocabulary, step)
        rules = parse_head_rules(self.rules)
        Model(corpus.vocabulary, counts, {}, rules, tagger, generative=second).save(self.path(part))

    def built(self, part: int, cancelled: Callable[[], bool] = lambda: False) -> bytes:
        """Train the same model; the result is the contents of its file, for a caller who does not see our files."""
        with temporary_folder() as folder:
            here = replace(self, folder=folder)
            here.build(part, cancelled)
            return here.path(part).read_bytes()

    def open(self, part: int) -> Model:
        """Return the model of all parts but one; if another process is still building it, wait.

        Its numbers are those of the whole treebank, but words that stand in this part alone are unknown to it.
        """
        path = place_of(self.path(part))
        while not path.exists():
            time.sleep(_WAIT_SECONDS)
        model = Model.load(path)
        others = self.corpus.select(np.flatnonzero(self.parts != part))
        words = model.vocabulary.words
        model.word_numbers = {words[number]: number for number in np.unique(others.columns.words).tolist()}
        return model


# Training the re-ranker: lists of parses by cross-validation, and a log-linear model fitted to them.
#
# Parses of sentences that the model was trained on would be far too good, so the treebank is cut into parts, and each
# part is parsed by a model of the others.  Sentences that stand together stay together, for those of one text share
# their words, and a text to be parsed later is new; and words that the others lack are unknown.
#
# The work is cut into tasks that do not depend on how many processes share it: first the model of every part, then the
# lists of a few sentences at a time, part by part.

MODELS_STAGE, LISTS_STAGE = "training the re-ranker: model {} of {}", "training the re-ranker: part {} of {}"
FITTING_STAGE = "training the re-ranker: weights"
_MODELS_SHARE, _LISTS_SHARE = 0.35, 0.58
"""Shares of the work that models and lists are; the rest is the fit."""
SENTENCES_AT_ONCE = 32
"""Sentences of a task: some tenths of a second's work."""


class ListTask(NamedTuple):
    """What a process is given at a time: to build a part's model or, given numbered sentences, to make their lists.

    Lists are parsed with the part's model, which is among the `files`.
    """

    part: int
    sentences: tuple[tuple[int, GoldSentence], ...] = ()
    files: tuple[Path, ...] = ()


class ListMaker:
    """Does the tasks of one process.

    Parameters
    ----------
    models
        Builds and opens the models.
    settings, options
        How lists are parsed, and how long they are.
    hand_over
        Whether a model that was built is a result, because the caller cannot see the file.
    cancelled
        Asked now and then whether to stop.
    """

    def __init__(
        self,
        models: FoldModels,
        settings: Settings,
        options: RerankerOptions,
        hand_over: bool = False,
        cancelled: Callable[[], bool] = stop_asked,
    ) -> None:
        use_compiled()
        self._models = models
        self._settings = settings
        self._options = options
        self._hand_over = hand_over
        self._cancelled = cancelled
        self._part = -1
        self._parser: Parser | None = None

    def __call__(self, task: ListTask) -> PackedLists | bytes | None:
        """Build a model, or make lists; ``None`` if there are none.

        The result is the contents of the model's file where it is to be handed over.
        """
        if not task.sentences:
            if self._hand_over:
                return self._models.built(task.part, self._cancelled)
            self._models.build(task.part, self._cancelled)
            return None
        if self._parser is None or self._part != task.part:
            self._parser, self._part = Parser(self._models.open(task.part), self._settings), task.part
        model, packer = self._parser.model, ListPacker()
        for number, one in task.sentences:
            if self._cancelled():
                raise Cancelled("training was cancelled")
            sentence = TaggedSentence(one.words, one.tags)
            gold = vote_kernel.bracket_keys(one.derivation(model.label_numbers), model.shown_labels)
            for given in _taggings(self._parser, sentence):
                origin = Origin(task.part, number, int(isinstance(given, TagDistribution)))
                packer.add([*self._parses(self._parser, given, gold)], origin)
        return packer.packed()

    def _parses(self, parser: Parser, sentence: TaggedSentence | TagDistribution, gold: Int64Array) -> Iterator[Listed]:
        """Yield the list of one sentence."""
        for derivation in parser.derivations(sentence, self._options.parses):
            brackets = vote_kernel.bracket_keys(derivation.steps, parser.model.shown_labels)
            yield Listed(
                np.array([derivation.log_probability, derivation.generative]),
                int(vote_kernel.shared(brackets, gold)),
                len(brackets),
                len(gold),
                features_kernel.hashes(derivation.features),
                brackets,
            )


def _taggings(parser: Parser, sentence: TaggedSentence) -> Iterator[TaggedSentence | TagDistribution]:
    """Yield a sentence with its gold tags; and with the tagger's, where the parser is one that chooses among them."""
    yield sentence
    if parser.settings.tag_distribution and parser.model.tagger is not None:
        tagged = parser.model.tag(sentence.words)
        # Other words of the parse than the gold tree has: no bracket could be compared.
        if tagged.sentence.positions == sentence.positions:
            yield tagged


def train_reranker(
    model: Model,
    trees: Iterable[Tree],
    settings: Settings | None = None,
    *,
    times: Int64Array | None = None,
    compact: bool = False,
    options: RerankerOptions = RERANKER_DEFAULTS,
    jobs: int | Workers = 1,
    progress: Callable[[str, float], None] = lambda stage, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Model:
    """Train a re-ranker for a model on the trees that the model was trained on; return the model with it.

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
    options
        How to train.
    jobs
        Number of processes, or other workers; the re-ranker is the same for any.
    progress, cancelled
        Told what is being done and the share of all that is done; asked now and then whether to stop.
    """
    columns = CorpusBuilder()
    sentences: list[GoldSentence] = []
    for tree in trees:
        if cancelled():
            raise Cancelled("training was cancelled")
        cleaned = clean(tree)
        root = model.lexicaliser.constituent(cleaned) if cleaned is not None else None
        if cleaned is not None and root is not None:
            sentences.append(GoldSentence.of_tree(cleaned, root))
            sentence = TaggedSentence.from_tree(cleaned)
            words = [plain_word(word) for word in sentence.proper_words]
            columns.add(root, words, sentence.proper_tags, sentence.commas)
    corpus = merge([columns])
    if corpus.vocabulary != model.vocabulary:
        raise EngineError("a re-ranker is trained on the very trees that its model was trained on; these are others")
    times = np.ones(len(sentences), np.int64) if times is None else times
    treebank = RerankerTreebank(corpus, sentences, times, compact)
    return train_on_lists(model, treebank, settings, options, jobs=jobs, progress=progress, cancelled=cancelled)


class RerankerTreebank(NamedTuple):
    """What a model was trained on.

    Attributes
    ----------
    corpus, sentences
        The same sentences, as they are counted and with their gold trees.
    times
        How many times each counts in preset (5).
    compact
        Whether the model's counts were pruned.
    """

    corpus: Corpus
    sentences: Sequence[GoldSentence]
    times: Int64Array
    compact: bool


def train_on_lists(
    model: Model,
    treebank: RerankerTreebank,
    settings: Settings | None = None,
    options: RerankerOptions = RERANKER_DEFAULTS,
    *,
    jobs: int | Workers,
    progress: Callable[[str, float], None],
    cancelled: Callable[[], bool],
) -> Model:
    """Train a re-ranker, and count the second model; see :func:`train_reranker`."""
    progress(MODELS_STAGE.format(1, options.folds), 0.0)
    parts = parts_of(len(treebank.sentences), options)
    tokens = None
    if model.tagger is not None:
        builder = TaggerCorpusBuilder()
        for one in treebank.sentences:
            builder.add([plain_word(word) for word in one.words], one.tags)
        tokens = join([builder])
    trees = tree_columns(model, treebank.sentences)
    with temporary_folder() as folder, ListStore() as store:
        models = FoldModels(
            treebank.corpus, treebank.times, tokens, trees, parts, model.rules.text, treebank.compact, folder
        )
        tasks = list(_tasks(treebank.sentences, parts, options, models))
        asked = (cancelled,) if in_this_process(jobs) else ()
        make = partial(ListMaker, models, settings or Settings.preset(5), options, not sees_our_files(jobs), *asked)
        results = cast(
            "Generator[PackedLists | bytes | None, None, None]", ordered(make, tasks, jobs, cancelled=cancelled)
        )
        done, everything = 0, sum(len(task.sentences) for task in tasks)
        # Workers are gone before the folder that they write to is.
        with closing(results):
            for task, packed in zip(tasks, results, strict=True):
                if cancelled():
                    raise Cancelled("training was cancelled")
                if isinstance(packed, bytes):
                    write_whole(models.path(task.part), packed)
                elif packed is not None:
                    store.append(packed)
                done += len(task.sentences)
                if task.sentences:
                    share = _MODELS_SHARE + _LISTS_SHARE * done / everything
                    progress(LISTS_STAGE.format(task.part + 1, options.folds), share)
                else:
                    share = _MODELS_SHARE * (task.part + 1) / options.folds
                    progress(MODELS_STAGE.format(min(task.part + 2, options.folds), options.folds), share)

        def step(share: float) -> None:
            if cancelled():
                raise Cancelled("training was cancelled")

        numbers = np.arange(len(treebank.sentences))
        second = generative_model(trees, numbers, treebank.times, model.vocabulary, step)
        fitted = _MODELS_SHARE + _LISTS_SHARE
        found = fit(
            store,
            options,
            lambda share: progress(FITTING_STAGE, fitted + (1 - fitted) * share),
            cancelled,
            treebank.times,
        )
    return model.with_reranker(found, second)


def _tasks(
    sentences: Sequence[GoldSentence], parts: Int64Array, options: RerankerOptions, models: FoldModels
) -> Iterator[ListTask]:
    """Yield all tasks: models, then lists."""
    for part in range(options.folds):
        yield ListTask(part)
    for part in range(options.folds):
        chosen = [at for at in np.flatnonzero(parts == part).tolist() if len(sentences[at].words) <= options.longest]
        for start in range(0, len(chosen), SENTENCES_AT_ONCE):
            numbers = chosen[start : start + SENTENCES_AT_ONCE]
            yield ListTask(part, tuple((number, sentences[number]) for number in numbers), (models.path(part),))
