"""A small model with all parts: tagger, second model, re-ranker; and the same with a vote that goes against scores."""

from __future__ import annotations

from functools import cache

from engine.model.model import Model
from engine.rerank.reranker import Reranker
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank
from tests.trained import CLASSROOM, reranked_file


@cache
def classroom_trees() -> tuple[Tree, ...]:
    """The classroom's trees."""
    return tuple(read_treebank([CLASSROOM]))


@cache
def reranked_classroom() -> Model:
    """The classroom's model with a second model and a re-ranker, trained in a hurry."""
    return Model.load(reranked_file(5))


def words_of(tree: Tree) -> TaggedSentence:
    """The words of a tree with their tags."""
    cleaned = clean(tree)
    assert cleaned is not None
    return TaggedSentence.from_tree(cleaned)


def with_scale(model: Model, scale: float) -> Model:
    """The same model with lists in which the probabilities of parses are more even (a small scale) or less so."""
    reranker = model.reranker
    assert reranker is not None
    metadata = {**reranker.metadata, "scale": scale}
    even = Reranker(reranker.keys, reranker.weights, metadata, reranker.column_weights)
    return Model(model.vocabulary, model.counts, model.metadata, model.rules, model.tagger, even, model.generative)
