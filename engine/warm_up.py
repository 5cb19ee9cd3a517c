"""Compiling all kernels: every one is called once with the types that real use has.

``python -m engine.warm_up`` is what a child process runs to fill the cache (:mod:`engine.compiled.cache`): it compiles
the parts, in their order, that no other process is at work on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

from engine.analysis.evidence import Counted, Evidence, read_trees
from engine.chart.parser import Parser
from engine.compiled.cache import PARTS, compile_part
from engine.compiled.kernel import COMPILED, INTERPRETED, mode, set_mode, use_compiled
from engine.counts.counts_layout import INSIDE_ENDS, PAIR
from engine.model.model import Model
from engine.reranker.reranker import FORMAT, Reranker
from engine.structure.constraints import Attachment
from engine.tagger.tagger import train_tagger
from engine.training.training import train
from engine.trees.tree import Tree, read_tree

TREES = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog))))) (. .))",
    "(S (NP (NP (NNP Mary)) (, ,) (NP (NP (DT the) (NN head)) (PP (IN of) (NP (NNP IBM)))) (, ,)) (VP (VBD left)))",
    "(S (NP (QP (RB about) (CD two)) (NNS men)) (CC and) (NP (PRP I)) (VP (VBD ran) (ADVP (RB away))))",
)
SENTENCE = "John/NNP saw/VBD a/DT man/NN with/IN a/DT dog/NN ./."


@contextmanager
def _in_mode(wanted: str) -> Iterator[None]:
    before = mode()
    set_mode(wanted)
    try:
        yield
    finally:
        set_mode(before)


def _trees() -> list[Tree]:
    return [read_tree(text) for text in TREES]


def _saved(trained: Model, reranks: bool = False) -> Model:
    """A model from a file, for its arrays are read-only, which is another type to the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trained.save(path)
        model = Model.load(path)
    if reranks:
        # One without weights, so that the features of trees are compiled here and not at a person's first parse.
        model.reranker = Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), {"format": FORMAT})
    return model


@cache
def _trained() -> Model:
    """A model that was trained uncompiled, so that a part of the kernels that only uses one compiles nothing else."""
    with _in_mode(INTERPRETED):
        return train(_trees(), tagger=False)


def exercise_chart() -> None:
    """Parse in every mode, n best and with constraints, explain and score."""
    model = _saved(_trained())
    for preset in (2, 5, 3):
        parser = Parser.preset(model, preset)
        parse = parser.parse(SENTENCE, n_best=5, trace=True)
        parse.ledger()
        parse.explainer().candidates(0, parse.basenps)
        parse.explainer().gap_distribution(1)
    parser.parse(SENTENCE, constraints=[Attachment(4, 3)])
    parser.parse("dog/NN dog/VBD man/DT man/DT")
    Parser.preset(model, 3, distance="order", lexical=False).parse(SENTENCE)


def exercise_tagger() -> None:
    """Tag words."""
    with _in_mode(INTERPRETED):
        tagger = train_tagger([(tree.words(), tree.tags()) for tree in _trees()])
    tagger.tag(["John", "ran"])
    tagger.distribution(["John", "ran"])


def exercise_reranker() -> None:
    """Find the features of trees and weigh them."""
    model = _saved(_trained(), reranks=True)
    with _in_mode(INTERPRETED):
        listed = list(Parser.preset(model, 5).derivations(model.read_tagged(SENTENCE), 2))
    assert model.reranker is not None
    model.reranker.bonuses(one.features for one in listed)


def exercise_training() -> None:
    """Train all there is."""
    train(_trees())


def exercise_evidence() -> None:
    """Find what was counted."""
    model = _saved(_trained())
    with tempfile.TemporaryDirectory() as folder:
        trees_file = Path(folder) / "trees.ptb"
        trees_file.write_text("\n".join(TREES))
        evidence = Evidence(model, read_trees([trees_file], model.rules))
        for table in (PAIR, INSIDE_ENDS):
            evidence.instances(Counted("", table, (0,)))


EXERCISES: dict[str, Callable[[], None]] = {
    "chart": exercise_chart,
    "tagger": exercise_tagger,
    "re-ranker": exercise_reranker,
    "training": exercise_training,
    "evidence": exercise_evidence,
}


def compile_now(wait: bool = True) -> None:
    """Compile every kernel into the cache; where another process is at work on a part, wait for it or leave it."""
    use_compiled()
    for part in PARTS:
        with _in_mode(COMPILED):
            compile_part(part, EXERCISES[part], wait)


if __name__ == "__main__":
    compile_now(wait=False)
