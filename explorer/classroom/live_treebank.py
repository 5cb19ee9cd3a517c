"""The treebank of live training: a few trees in memory, from which a model is trained in a moment; no Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.common.errors import EngineError, TreeError
from engine.common.files import write_whole
from engine.common.resources import resources_folder
from engine.common.text_stream import read_text
from engine.model.model import Model
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from engine.trees.tree_normalisation import clean
from engine.trees.tree_reading import read_brackets
from engine.trees.treebank import corpus_name

MOST_TREES = 2000
"""Trees of the largest treebank: with so many the model follows an edit in half a second."""
EMPTY_NAME = "New treebank"
NO_TREES = (
    "the treebank is empty, so the parser knows no word, no tag and no phrase yet; add a tree in the panel Treebank"
)
NO_WORDS = "the trees hold nothing but traces and punctuation, so there is nothing to count; add a tree with words"


@dataclass(frozen=True, slots=True)
class LiveTreebank:
    """Trees, and how many of them the model is trained on.

    Attributes
    ----------
    name
        What to call it.
    trees
        All of them, as they were read or made.
    first
        How many of the first ones are trained on, to see a model grow; ``None`` for all.
    """

    name: str = EMPTY_NAME
    trees: tuple[Tree, ...] = ()
    first: int | None = None

    @property
    def used(self) -> tuple[Tree, ...]:
        """The trees that the model is trained on."""
        return self.trees if self.first is None else self.trees[: self.first]

    def with_added(self, trees: Iterable[Tree]) -> LiveTreebank:
        """The treebank with more trees at its end; all are trained on again."""
        return _checked(replace(self, trees=(*self.trees, *trees), first=None))

    def with_replaced(self, at: int, tree: Tree) -> LiveTreebank:
        """The treebank with another tree in place of one."""
        return replace(self, trees=(*self.trees[:at], tree, *self.trees[at + 1 :]))

    def without(self, places: Collection[int]) -> LiveTreebank:
        """The treebank without some trees; of the first that are trained on those that stay are."""
        gone = frozenset(places)
        kept = tuple(tree for at, tree in enumerate(self.trees) if at not in gone)
        first = self.first
        if first is not None:
            first -= sum(at < first for at in gone)
        return replace(self, trees=kept, first=first)

    def with_first(self, count: int) -> LiveTreebank:
        """The treebank of which the first trees alone are trained on."""
        count = max(0, min(count, len(self.trees)))
        return replace(self, first=None if count == len(self.trees) else count)

    def text(self) -> str:
        """All trees as a file holds them, one on each line."""
        return treebank_text(self.trees)


def treebank_text(trees: Sequence[Tree]) -> str:
    """Trees as a file holds them, one on each line."""
    return "".join(f"{tree.brackets()}\n" for tree in trees)


def _checked(treebank: LiveTreebank) -> LiveTreebank:
    if len(treebank.trees) > MOST_TREES:
        raise EngineError(
            f"{treebank.name} has {len(treebank.trees):,} trees, and live training takes at most {MOST_TREES:,}, so "
            "that the model follows at once; train on more with `parse-engine train`"
        )
    return treebank


def read_trees(text: str, name: str) -> tuple[Tree, ...]:
    """The trees of a text; raise :class:`EngineError` that says what is wrong with the first broken one, and where."""
    found: list[Tree] = []
    for item in read_brackets(text, name):
        if isinstance(item, TreeError):
            raise item
        found.append(item)
    return tuple(found)


def has_words(tree: Tree) -> bool:
    """Whether there is anything to learn from a tree: a word that is neither trace nor punctuation."""
    cleaned = clean(tree)
    return cleaned is not None and not PUNCTUATION_TAGS.issuperset(cleaned.tags())


def read_one_tree(text: str) -> Tree:
    """The one tree of a text; raise :class:`EngineError` in one sentence if it is none, or several."""
    found = read_trees(text.strip(), "the tree")
    if len(found) != 1:
        problem = "there is no tree in brackets" if not found else "there is more than one tree"
        raise EngineError(f"{problem}; write one, such as (S (NP (NNP Mary)) (VP (VBD left)) (. .))")
    if not has_words(found[0]):
        raise EngineError("the tree has no word to learn from")
    return found[0]


def open_treebank(path: Path) -> LiveTreebank:
    """The treebank of a small file; raise :class:`EngineError` in one sentence if it is none, or too large."""
    trees = read_trees(read_text(path), str(path))
    if not trees:
        raise EngineError(f"{path}: there is no tree in the file; choose one with trees in Penn brackets")
    return _checked(LiveTreebank(path.name, trees))


def classroom_treebank() -> LiveTreebank:
    """The trees that come with the program for teaching."""
    return open_treebank(resources_folder() / "examples" / "classroom.ptb")


def train_on(trees: Sequence[Tree], name: str) -> tuple[Model | None, str]:
    """Train a model on trees, as ``parse-engine train NAME`` does on a file of them.

    Returns
    -------
    tuple
        The model, or ``None`` where there is nothing to count; and in one sentence why, or an empty one.
    """
    if not trees:
        return None, NO_TREES
    if not any(map(has_words, trees)):
        return None, NO_WORDS
    # A start needs no training.
    from engine.training.training import train

    return train(trees, name=name), ""


def save_treebank(trees: Sequence[Tree], path: Path) -> None:
    """Write trees to a file, one on each line."""
    write_whole(path, treebank_text(trees).encode("utf-8", "surrogatepass"))


def _free_name(path: Path, content: bytes) -> Path:
    """The name itself, or with a number behind it the first that no other content has."""
    number, found = 1, path
    while found.exists() and found.read_bytes() != content:
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def save_model(trees: Sequence[Tree], path: Path) -> Path:
    """Write the model of these trees, and beside it the trees themselves; their file is returned.

    The model is byte for byte what ``parse-engine train --no-record`` makes of that file.  A file of other trees
    with the model's name stays: then theirs has a number.
    """
    treebank = _free_name(path.with_suffix(".ptb"), treebank_text(trees).encode("utf-8", "surrogatepass"))
    model, problem = train_on(trees, corpus_name(treebank))
    if model is None:
        raise EngineError(f"there is no model to save: {problem}")
    save_treebank(trees, treebank)
    model.save(path)
    return treebank
