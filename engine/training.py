"""Training: from treebank files to a model (the paper's section 4.1: "essentially extracting the counts")."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.columns import Columns, merge
from engine.constituents import Lexicaliser, commas_before
from engine.counts import all_counts
from engine.errors import Cancelled, EngineError
from engine.heads import HeadRules, load_head_rules
from engine.jit import use_compiled
from engine.model import Model
from engine.treebank import OnBad, read_treebank
from engine.trees import PUNCTUATION_TAGS, Tree, clean

Progress = Callable[[str, float], None]


def _silent(stage: str, share: float) -> None:
    """Progress that nobody watches."""


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


def train(
    sources: Sequence[str | Path] | Sequence[Tree],
    *,
    head_rules: str | Path | None = None,
    on_bad: OnBad | None = None,
    credits: Sequence[str] = (),
    progress: Progress = _silent,
    cancelled: Callable[[], bool] = lambda: False,
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
    progress, cancelled
        Told the stage and its share done; asked now and then whether to stop.
    """
    # Counting millions of pairs is no work for the interpreted twin of the kernels.
    use_compiled()
    rules = load_head_rules(head_rules)
    lexicaliser = Lexicaliser(rules)
    columns = Columns()
    from_files = bool(sources) and not isinstance(sources[0], Tree)
    trees = read_treebank(sources, on_bad) if from_files else sources  # type: ignore[arg-type]
    # Millions of short-lived nodes, none of them in a cycle: the collector would only walk them.
    collecting = gc.isenabled()
    gc.disable()
    try:
        for number, raw in enumerate(trees):
            add_tree(columns, lexicaliser, raw)  # type: ignore[arg-type]
            if number % 500 == 0:
                if cancelled():
                    raise Cancelled("training was cancelled")
                progress("reading trees", number)
    finally:
        if collecting:
            gc.enable()
    if columns.sentences == 0:
        raise EngineError("there is no tree to train on")
    treebank = merge([columns])

    def step(share: float) -> None:
        if cancelled():
            raise Cancelled("training was cancelled")
        progress("counting", share)

    counts = all_counts(treebank, step)
    about: dict[str, Any] = {
        "corpora": [str(Path(str(source)).name) for source in sources] if from_files else ["trees"],
        "credits": list(credits),
        "sentences": treebank.sentences,
        "words": len(treebank.corpus.words),
    }
    return Model(treebank.vocabulary, counts, about, rules)
