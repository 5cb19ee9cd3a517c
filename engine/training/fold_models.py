"""The models that a re-ranker's lists are parsed with: one for every part of the treebank, of all the other parts.

A model is built once, by whichever process comes to it, and written to a file, which every process maps into memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.common.arrays import Int64Array
from engine.common.errors import Cancelled
from engine.common.files import temporary_folder
from engine.common.worker_files import place_of
from engine.counts.corpus import Corpus
from engine.counts.counting import all_counts
from engine.counts.pruning import prune
from engine.generative.generative_counting import TreeColumns
from engine.model.model import Model
from engine.tagger.tagged_corpus import TaggerCorpus
from engine.tagger.tagger import tagger_of
from engine.training.generative_training import generative_model
from engine.training.reranker_fit import RerankerOptions
from engine.trees.head_rules import parse_head_rules

_WAIT_SECONDS = 0.05


def parts_of(size: int, options: RerankerOptions) -> Int64Array:
    """The part of every sentence: blocks of neighbours in turn, smaller ones where there would be too few."""
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
        """The file of a part's model."""
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
        """The model of all parts but one; if another process is still building it, wait.

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
