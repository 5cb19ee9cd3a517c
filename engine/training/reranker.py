"""Training the re-ranker: lists of parses by cross-validation, parsed with models of all other parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from engine.chart.parser import Parser
from engine.common.arrays import Int64Array
from engine.common.errors import Cancelled, EngineError
from engine.common.files import temporary_folder, write_whole
from engine.common.parallel import Workers, in_this_process, ordered, place_of, sees_our_files, stop_asked
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import Corpus, CorpusBuilder, merge
from engine.counts.counting import all_counts
from engine.counts.tables import prune
from engine.model.model import Model
from engine.rerank import features_kernel, vote_kernel
from engine.rerank.generative import TreeColumns
from engine.settings import Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.tagger.tagger import tagger_of
from engine.tagger.training import TaggerCorpus, TaggerCorpusBuilder, join
from engine.training.generative import GoldSentence, generative_model, tree_columns
from engine.training.reranker_fit import (
    RERANKER_DEFAULTS,
    Listed,
    ListPacker,
    ListStore,
    Origin,
    PackedLists,
    RerankerOptions,
    fit,
)
from engine.trees.head_rules import parse_head_rules
from engine.trees.tree import Tree, clean, plain_word

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
