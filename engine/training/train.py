"""Training: from treebank files to a model, and a run of it with its record (the paper's section 4.1)."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from engine.common.errors import Cancelled, EngineError, SentenceError, TreeError
from engine.common.files import check_writable
from engine.common.parallel import MemoryWatch, Workers, in_this_process, ordered
from engine.common.resources import program_version
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import CorpusBuilder, merge
from engine.counts.counting import all_counts
from engine.counts.tables import prune
from engine.model.model import RUN_RECORD, Model
from engine.model.vocabulary_file import LARGEST_WEIGHT
from engine.structure.constituents import Lexicaliser, commas_before
from engine.tagger.tagger import Tagger, tagger_of
from engine.tagger.training import TaggerCorpusBuilder, join
from engine.training.generative import GoldSentence
from engine.trees.head_rules import HeadRules, load_head_rules, parse_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, Tree, clean, plain_word
from engine.trees.treebank import BadTrees, ChunkBundle, OnBad, chunk_bundles, corpus_name, treebank_files

# Training: from treebank files to a model (the paper's section 4.1: "essentially extracting the counts").

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
        Whether to train a re-ranker, which preset (5) uses (:mod:`engine.training.reranker`): minutes more.
    compact
        Whether to leave out contexts that hardly change an estimate (:mod:`engine.counts.tables`).
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
        from (a tree of nothing but traces and punctuation does not count), and how many broken ones were `skipped`; if
        some were, what was `left_out`, why and where; and `without_tagger`, why it has no tagger, if it has none.
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
    if compact:
        counts = prune(counts)
        about["compact"] = True
    model = Model(vocabulary, counts, about, rules, found)
    if material is not None:
        # Only now, for whoever reads trees alone need not load the parser.
        from engine.training.reranker import RerankerTreebank, train_on_lists

        trained_on = RerankerTreebank(*material, times, compact)
        model = train_on_lists(model, trained_on, jobs=jobs, progress=progress, cancelled=cancelled)
    return model


def _both(first: OnBad, second: OnBad) -> OnBad:
    """Tell two of a broken tree."""

    def tell(error: TreeError) -> None:
        first(error)
        second(error)

    return tell


def _steps(stage: str, progress: Progress, cancelled: Callable[[], bool]) -> Callable[[float], None]:
    """Return a function that reports the share of a stage that is done, and stops the work if it was cancelled."""

    def step(share: float) -> None:
        if cancelled():
            raise Cancelled("training was cancelled")
        progress(stage, share)

    return step


def _read_trees(trees: Sequence[Tree], rules: HeadRules, tagger: bool, rerank: bool) -> Read:
    """Return the sentences of trees."""
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
    """Return the sentences of all files in order."""
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


# One run of training, as terminal and window do it: treebanks in, a model file with a record of the run out.

WRITING_STAGE = "writing"
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What is trained on, how, and where the model goes.

    Attributes
    ----------
    treebanks, output
        Files and folders of trees, and the file to write.
    head_rules
        A table of head rules to use in place of the project's own.
    skip_bad
        Whether to leave broken trees out; without it the first ends the training.
    credits
        Lines of credit to keep in the model.
    weights
        How many times the trees of each treebank count in preset (5), one number a treebank; none for once.
    tagger, rerank, compact, packed
        Whether there is a tagger, a re-ranker, only contexts that matter, and a small file.
    jobs
        Number of processes.
    record
        Whether the model keeps a record of the run: with it no two files are the same.
    """

    treebanks: tuple[str, ...]
    output: str
    head_rules: str | None = None
    skip_bad: bool = False
    credits: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()
    tagger: bool = True
    rerank: bool = False
    compact: bool = False
    packed: bool = False
    jobs: int = 1
    record: bool = True


class RunRecord:
    """Notes how long every stage takes, and how much memory.

    Parameters
    ----------
    progress
        Told of the progress in turn.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._seconds: dict[str, float] = {}
        self._memory = MemoryWatch()
        self._stage = ""
        self._since = self._looked = self._started = time.monotonic()

    def __call__(self, stage: str, share: float) -> None:
        """Note where the work is."""
        now = time.monotonic()
        if stage != self._stage:
            self._end(now)
            self._stage = stage
        if now - self._looked >= _LOOK_SECONDS:
            self._memory.look()
            self._looked = now
        self._progress(stage, share)

    def _end(self, now: float) -> None:
        if self._stage:
            self._seconds[self._stage] = self._seconds.get(self._stage, 0.0) + now - self._since
        self._since = now

    def as_dict(self, options: TrainingOptions) -> dict[str, Any]:
        """Return what a model keeps of its training."""
        now = time.monotonic()
        self._end(now)
        self._memory.look()
        return {
            "program": program_version(),
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(now - self._started, 3),
            "stages": {stage: round(seconds, 3) for stage, seconds in self._seconds.items()},
            "memory_bytes": self._memory.most,
            "jobs": options.jobs,
            "options": {
                "head_rules": corpus_name(options.head_rules) if options.head_rules else "built-in",
                "left_out_broken_trees": options.skip_bad,
                "tagger": options.tagger,
                "re_ranker": options.rerank,
                "compact": options.compact,
                "packed": options.packed or options.compact,
            },
        }


def run_training(
    options: TrainingOptions,
    progress: Progress,
    on_bad: OnBad | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    workers: int | Workers | None = None,
) -> Model:
    """Train a model and write its file; nothing is written before the model is complete.

    Parameters
    ----------
    options
        What to do.
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.
    on_bad
        Told of every broken tree that is left out, if the options want them left out.
    workers
        What does the work, if not as many processes as the options name.

    Raises
    ------
    TreeError
        For the first broken tree, if broken ones are not to be left out.
    Cancelled
        If it was cancelled.
    """
    output = Path(options.output)
    check_writable(output)
    record = RunRecord(progress)
    model = train(
        options.treebanks,
        head_rules=options.head_rules,
        on_bad=_told(on_bad) if options.skip_bad else None,
        credits=options.credits,
        weights=options.weights,
        tagger=options.tagger,
        rerank=options.rerank,
        compact=options.compact,
        jobs=options.jobs if workers is None else workers,
        progress=record,
        cancelled=cancelled,
    )
    if options.record:
        model.metadata[RUN_RECORD] = record.as_dict(options)
    if cancelled():
        raise Cancelled("training was cancelled")
    progress(WRITING_STAGE, 0.0)
    model.save(output, packed=options.packed or options.compact)
    return model


def _told(on_bad: OnBad | None) -> OnBad:
    """Return what is told of broken trees, or something that ignores them; a counter is false while it has none."""
    return on_bad if on_bad is not None else lambda error: None
