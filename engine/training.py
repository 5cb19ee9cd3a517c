"""Training: from treebank files to a model (the paper's section 4.1: "essentially extracting the counts")."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from engine.columns import Columns, merge
from engine.constituents import Lexicaliser, commas_before
from engine.counts import all_counts
from engine.errors import Cancelled, EngineError, TreeError
from engine.heads import HeadRules, load_head_rules, parse_head_rules
from engine.jit import use_compiled
from engine.model import Model
from engine.parallel import ordered
from engine.pieces import Bundle, bundles
from engine.treebank import STANDARD_INPUT, OnBad, treebank_files
from engine.trees import PUNCTUATION_TAGS, Tree, clean, read_brackets

READING, COUNTING = "reading trees", "counting"
Progress = Callable[[str, float], None]
_ASK_EVERY = 500


def _silent(stage: str, share: float) -> None:
    """Progress that nobody watches."""


def _never() -> bool:
    """Cancellation that nobody asks for."""
    return False


def columns_of(trees: Iterable[Tree], rules: HeadRules) -> Columns:
    """The columns of a run of raw trees; a tree without any word is passed over."""
    lexicaliser = Lexicaliser(rules)
    columns = Columns()
    for raw in trees:
        add_tree(columns, lexicaliser, raw)
    return columns


def add_tree(columns: Columns, lexicaliser: Lexicaliser, raw: Tree) -> None:
    """Add one raw tree to the columns."""
    tree = clean(raw)
    root = lexicaliser.constituent(tree) if tree is not None else None
    if tree is None or root is None:
        return
    leaves = tree.leaves()
    proper = [leaf for leaf in leaves if leaf.label not in PUNCTUATION_TAGS]
    columns.add(
        root,
        [leaf.word or "" for leaf in proper],
        [leaf.label for leaf in proper],
        commas_before([leaf.label for leaf in leaves]),
    )


@dataclass(slots=True)
class Part:
    """What was read from one bundle of pieces.

    Attributes
    ----------
    columns
        Its sentences.
    trees
        How many whole trees were read, those without a word included.
    problems
        Problem, file, line and column of every broken tree.
    share
        Share of all files that is read with it.
    """

    columns: Columns
    trees: int = 0
    problems: list[tuple[str, str, int, int]] = field(default_factory=list)
    share: float = 0.0


class PieceReader:
    """Turns bundles of pieces into columns; one for every process.

    Parameters
    ----------
    rules
        The head rules, as text.
    keep_going
        Whether to go on after a broken tree.
    cancelled
        Asked now and then whether to stop; only where the work is done in the caller's own process.
    """

    def __init__(self, rules: str, keep_going: bool, cancelled: Callable[[], bool] = _never) -> None:
        self._lexicaliser = Lexicaliser(parse_head_rules(rules))
        self._keep_going = keep_going
        self._cancelled = cancelled

    def __call__(self, bundle: Bundle) -> Part:
        """Read one bundle."""
        part = Part(Columns(), share=bundle.share)
        with _uncollected():
            for piece in bundle.pieces:
                for item in read_brackets(piece.data.decode(), piece.name, piece.first_line):
                    if isinstance(item, TreeError):
                        part.problems.append((item.problem, item.name, item.line, item.column))
                        if not self._keep_going:
                            return part
                        continue
                    add_tree(part.columns, self._lexicaliser, item)
                    part.trees += 1
                    if part.trees % _ASK_EVERY == 0 and self._cancelled():
                        raise Cancelled("training was cancelled")
        return part


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
    jobs: int = 1,
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
    jobs
        Number of processes that read the files; the model is the same for any number.
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.

    Returns
    -------
    Model
        Its metadata tell how many `trees` were read, how many of them were `sentences` to learn
        from (a tree of nothing but traces and punctuation is none), and how many broken ones were `skipped`.
    """
    # Counting millions of pairs is no work for the interpreted twin of the kernels.
    use_compiled()
    rules = load_head_rules(head_rules)
    from_files = bool(sources) and not isinstance(sources[0], Tree)
    if from_files:
        paths = cast(Sequence[str | Path], sources)
        corpora = [corpus_name(path) for path in paths]
        parts, trees, skipped = _read_files(paths, rules, on_bad, jobs, progress, cancelled)
    else:
        corpora = ["trees"]
        with _uncollected():
            parts, trees, skipped = [columns_of(cast(Sequence[Tree], sources), rules)], len(sources), 0
    if not any(part.sentences for part in parts):
        raise EngineError("there is no tree to train on")
    treebank = merge(parts)
    del parts

    def step(share: float) -> None:
        if cancelled():
            raise Cancelled("training was cancelled")
        progress(COUNTING, share)

    step(0.0)
    counts = all_counts(treebank, step)
    about: dict[str, Any] = {
        "corpora": corpora,
        "credits": list(credits),
        "trees": trees,
        "skipped": skipped,
        "sentences": treebank.sentences,
        "words": len(treebank.corpus.words),
    }
    return Model(treebank.vocabulary, counts, about, rules)


def corpus_name(source: str | Path) -> str:
    """What a model calls a corpus: the name of its file or folder, never the path to it."""
    if str(source) == STANDARD_INPUT:
        return "standard input"
    return Path(source).name or Path(source).resolve().name


def _read_files(
    sources: Sequence[str | Path],
    rules: HeadRules,
    on_bad: OnBad | None,
    jobs: int,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> tuple[list[Columns], int, int]:
    """The columns of all files in order, and how many trees were read and left out."""
    files = treebank_files(sources)
    make = partial(PieceReader, rules.text, on_bad is not None, *(() if jobs > 1 else (cancelled,)))
    parts: list[Columns] = []
    trees = skipped = 0
    progress(READING, 0.0)
    for part in ordered(make, bundles(files), jobs):
        for problem in part.problems:
            error = TreeError(*problem)
            if on_bad is None:
                raise error
            on_bad(error)
        parts.append(part.columns)
        trees += part.trees
        skipped += len(part.problems)
        if cancelled():
            raise Cancelled("training was cancelled")
        progress(READING, part.share)
    return parts, trees, skipped
