"""Training: from treebank files to a model (the paper's section 4.1: "essentially extracting the counts")."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from engine.common.errors import Cancelled, EngineError, SentenceError, TreeError
from engine.common.parallel import Workers, in_this_process, ordered
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import CorpusBuilder, merge
from engine.counts.counting import all_counts
from engine.counts.pruning import prune
from engine.model.about_checks import LARGEST_WEIGHT
from engine.model.model import Model
from engine.structure.constituents import Lexicaliser, commas_before
from engine.tagger.tagged_corpus import TaggerCorpusBuilder, join
from engine.tagger.tagger import Tagger, tagger_of
from engine.training.gold_sentences import GoldSentence
from engine.trees.head_rules import HeadRules, load_head_rules, parse_head_rules
from engine.trees.penn_forms import plain_word
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from engine.trees.tree_normalisation import clean
from engine.trees.treebank import BadTrees, OnBad, corpus_name, treebank_files
from engine.trees.treebank_chunks import ChunkBundle, chunk_bundles

READING_STAGE, COUNTING_STAGE = "reading trees", "counting"
TAGGING_STAGE = "training the tagger"
"""The stages of training, in their order; those of the re-ranker follow."""
TAGGER_LEFT_OUT = "left out"
"""In a model's metadata: why it has no tagger, if none was asked for."""
UNNAMED = "trees"
"""What a model calls a corpus of trees that have no file."""
Progress = Callable[[str, float], None]
_ASK_EVERY = 500


def _silent(stage: str, share: float) -> None:
    """Ignore progress."""


def _never() -> bool:
    """Never cancel."""
    return False


@dataclass(slots=True)
class TreebankPart:
    """What was read from one bundle of treebank chunks.

    Attributes
    ----------
    corpus
        Its sentences.
    tokens
        All their tokens, for the tagger; ``None`` if no tagger is wanted.
    sentences
        Their words and gold brackets, for the re-ranker; ``None`` if none is wanted.
    trees
        How many whole trees were read, those without a word included.
    problems
        Problem, file, line and column of every broken tree.
    share
        Share of all files that is read with it.
    """

    corpus: CorpusBuilder = field(default_factory=CorpusBuilder)
    tokens: TaggerCorpusBuilder | None = field(default_factory=TaggerCorpusBuilder)
    sentences: list[GoldSentence] | None = None
    trees: int = 0
    problems: list[tuple[str, str, int, int]] = field(default_factory=list)
    share: float = 0.0

    def add(self, lexicaliser: Lexicaliser, raw: Tree) -> None:
        """Add one raw tree; one without any word is counted, and no sentence to learn from."""
        self.trees += 1
        tree = clean(raw)
        if tree is None:
            return
        leaves = tree.leaves()
        words = [plain_word(leaf.word or "") for leaf in leaves]
        tags = [leaf.label for leaf in leaves]
        if self.tokens is not None:
            self.tokens.add(words, tags)
        root = lexicaliser.constituent(tree)
        if root is None:
            return
        if self.sentences is not None:
            self.sentences.append(GoldSentence.of_tree(tree, root))
        proper = [index for index, tag in enumerate(tags) if tag not in PUNCTUATION_TAGS]
        self.corpus.add(
            root, [words[index] for index in proper], [tags[index] for index in proper], commas_before(tags)
        )


class Read(NamedTuple):
    """What was read from all sources: their parts in order, and the numbers of whole and of broken trees."""

    parts: list[TreebankPart]
    trees: int
    skipped: int = 0


class ChunkReader:
    """Reads bundles of treebank chunks; one for every process.

    Parameters
    ----------
    rules
        The head rules, as text.
    keep_going
        Whether to go on after a broken tree.
    tagger, rerank
        Whether to keep all tokens, for the tagger, and all sentences, for the re-ranker.
    cancelled
        Asked now and then whether to stop; only where the work is done in the caller's own process.
    """

    def __init__(
        self,
        rules: str,
        keep_going: bool,
        tagger: bool = True,
        rerank: bool = False,
        cancelled: Callable[[], bool] = _never,
    ) -> None:
        self._lexicaliser = Lexicaliser(parse_head_rules(rules))
        self._keep_going = keep_going
        self._tagger = tagger
        self._rerank = rerank
        self._cancelled = cancelled

    def __call__(self, bundle: ChunkBundle) -> TreebankPart:
        """Read one bundle."""
        part = _new_part(self._tagger, self._rerank)
        part.share = bundle.share
        with _uncollected():
            for chunk in bundle.chunks:
                for item in chunk.trees():
                    if isinstance(item, TreeError):
                        part.problems.append((item.problem, item.name, item.line, item.column))
                        if not self._keep_going:
                            return part
                        continue
                    part.add(self._lexicaliser, item)
                    if part.trees % _ASK_EVERY == 0 and self._cancelled():
                        raise Cancelled("training was cancelled")
        return part


def _new_part(tagger: bool, rerank: bool) -> TreebankPart:
    return TreebankPart(tokens=TaggerCorpusBuilder() if tagger else None, sentences=[] if rerank else None)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Work without the garbage collector: it would only walk millions of short-lived nodes, none in a cycle."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def train(
    sources: Sequence[str | Path] | Sequence[Tree],
    *,
    head_rules: str | Path | None = None,
    on_bad: OnBad | None = None,
    credits: Sequence[str] = (),
    weights: Sequence[int] = (),
    tagger: bool = True,
    rerank: bool = False,
    compact: bool = False,
    jobs: int | Workers = 1,
    name: str = UNNAMED,
    progress: Progress = _silent,
    cancelled: Callable[[], bool] = _never,
) -> Model:
    """Train a model.

    Parameters
    ----------
    sources
        Treebank files and folders, or trees.
    head_rules
        A table of head rules to use in place of the project's own.
    on_bad
        Called for every broken tree, which is then left out; without it a broken tree raises.
    credits
        Lines of credit to keep in the model.
    weights
        How many times the trees of each source count in preset (5), one number a source; in the paper's presets and for
        the tagger every tree counts once.
    tagger
        Whether to train a tagger on the same trees, so that the model can read plain text.
    rerank
        Whether to train a re-ranker, which preset (5) uses (:mod:`engine.training.reranker_training`): minutes more.
    compact
        Whether to leave out contexts that hardly change an estimate (:mod:`engine.counts.pruning`).
    jobs
        Number of processes that read the files and parse for the re-ranker, or other workers; the model is the same
        for any.
    name
        What the model calls its corpus where that is trees and no file.  With the name of a file of the same trees the
        model is, byte for byte, the one that the file makes.
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.

    Returns
    -------
    Model
        Its metadata tell how many `trees` were read, how many of them were `sentences` to learn
        from (a tree of nothing but traces and punctuation is none), and how many broken ones were `skipped`; if some
        were, what was `left_out`, why and where; and `without_tagger`, why it has no tagger, if it has none.
    """
    # Counting millions of pairs is too much for uncompiled kernels.
    use_compiled()
    rules = load_head_rules(head_rules)
    left_out = BadTrees()
    if on_bad is not None:
        on_bad = _both(on_bad, left_out)
    from_files = bool(sources) and not isinstance(sources[0], Tree)
    if weights and (
        not from_files or len(weights) != len(sources) or not 1 <= min(weights) <= max(weights) <= LARGEST_WEIGHT
    ):
        raise EngineError(f"weights are whole numbers from 1 to {LARGEST_WEIGHT}, one for each treebank")
    if from_files:
        paths = cast(Sequence[str | Path], sources)
        corpora = [corpus_name(path) for path in paths]
        # Read one by one where it matters which tree comes from where.
        groups = [[path] for path in paths] if weights else [list(paths)]
        reads = [read_files(group, rules, on_bad, tagger, jobs, progress, cancelled, rerank) for group in groups]
    else:
        corpora = [name]
        reads = [_read_trees(cast(Sequence[Tree], sources), rules, tagger, rerank)]
    parts = [part for read in reads for part in read.parts]
    if not any(part.corpus.sentences for part in parts):
        raise EngineError("there are no trees to train on; name a treebank that has some")
    tokens = [part.tokens for part in parts if part.tokens is not None]
    times = np.repeat(weights or [1], [sum(part.corpus.sentences for part in read.parts) for read in reads])
    sentences = [sentence for part in parts for sentence in part.sentences or ()]
    treebank = merge([part.corpus for part in parts])
    del parts
    for read in reads:
        read.parts.clear()
    about: dict[str, Any] = {
        "corpora": corpora,
        "credits": list(credits),
        "trees": sum(read.trees for read in reads),
        "skipped": sum(read.skipped for read in reads),
        "sentences": treebank.sentences,
        "words": len(treebank.columns.words),
    }
    if left_out:
        about["left_out"] = left_out.as_dict()
    if weights:
        about["weights"] = list(weights)
    step = _steps(COUNTING_STAGE, progress, cancelled)
    step(0.0)
    counts = all_counts(treebank, times, step)
    vocabulary = treebank.vocabulary
    material = (treebank, sentences) if rerank else None
    del treebank, sentences
    found: Tagger | None = None
    if tagger:
        try:
            found = tagger_of(join(tokens), partial(progress, TAGGING_STAGE), cancelled)
        except SentenceError as error:
            about["without_tagger"] = str(error)
    else:
        about["without_tagger"] = TAGGER_LEFT_OUT
    model = Model(vocabulary, counts, about, rules, found)
    if compact:
        model.counts = prune(counts)
        model.metadata["compact"] = True
    if material is not None:
        # Only now, for whoever reads trees alone need not load the parser.
        from engine.training.reranker_training import RerankerTreebank, train_on_lists

        trained_on = RerankerTreebank(*material, times, compact)
        model.reranker = train_on_lists(model, trained_on, jobs=jobs, progress=progress, cancelled=cancelled)
    return model


def _both(first: OnBad, second: OnBad) -> OnBad:
    """Tell two of a broken tree."""

    def tell(error: TreeError) -> None:
        first(error)
        second(error)

    return tell


def _steps(stage: str, progress: Progress, cancelled: Callable[[], bool]) -> Callable[[float], None]:
    """A function that reports the share of a stage that is done, and stops the work if it was cancelled."""

    def step(share: float) -> None:
        if cancelled():
            raise Cancelled("training was cancelled")
        progress(stage, share)

    return step


def _read_trees(trees: Sequence[Tree], rules: HeadRules, tagger: bool, rerank: bool) -> Read:
    """The sentences of trees."""
    lexicaliser = Lexicaliser(rules)
    part = _new_part(tagger, rerank)
    with _uncollected():
        for tree in trees:
            part.add(lexicaliser, tree)
    return Read([part], part.trees)


def read_files(
    sources: Sequence[str | Path],
    rules: HeadRules,
    on_bad: OnBad | None,
    tagger: bool,
    jobs: int | Workers,
    progress: Progress,
    cancelled: Callable[[], bool],
    rerank: bool = False,
) -> Read:
    """The sentences of all files in order."""
    files = treebank_files(sources)
    asked = (cancelled,) if in_this_process(jobs) else ()
    make = partial(ChunkReader, rules.text, on_bad is not None, tagger, rerank, *asked)
    parts: list[TreebankPart] = []
    trees = skipped = 0
    progress(READING_STAGE, 0.0)
    results = ordered(make, chunk_bundles(files), jobs, cancelled=cancelled)
    # What stops the reading ends the processes, too.
    with closing(results):
        for part in results:
            for problem in part.problems:
                error = TreeError(*problem)
                if on_bad is None:
                    raise error
                on_bad(error)
            parts.append(part)
            trees += part.trees
            skipped += len(part.problems)
            if cancelled():
                raise Cancelled("training was cancelled")
            progress(READING_STAGE, part.share)
    return Read(parts, trees, skipped)
