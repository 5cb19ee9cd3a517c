"""Compiling all kernels: every one is called once with the types that real use has.

``python -m engine.warm_up`` is what a child process runs to fill the cache (:mod:`engine.compiled.cache`): it
compiles the parts, in their order, that no other process is at work on; parts can be named behind it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from engine.chart.parser import Parser
from engine.common.files import temporary_folder
from engine.compiled.cache import AVAILABILITY, COMPILERS, PARTS, compile_part, is_disabled
from engine.compiled.kernel import INTERPRETED, run_compiled, running, use_compiled
from engine.counts.specifications_layout import DEPENDENCY_PAIR, SPAN_ENDS
from engine.model.model import Model
from engine.rerank import vote_kernel
from engine.rerank.reranker import NO_FEATURES, steps_of
from engine.structure.constraints import Attachment
from engine.study.counted import Counted
from engine.study.evidence import Evidence, read_trees
from engine.tagger.tagger import train_tagger
from engine.training.reranker import Listed, ListPacker, ListStore, fit
from engine.training.train import train
from engine.trees.reading import read_tree
from engine.trees.tree import Tree

EXERCISE_TREES = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog))))) (. .))",
    "(S (NP (NP (NNP Mary)) (, ,) (NP (NP (DT the) (NN head)) (PP (IN of) (NP (NNP IBM)))) (, ,)) (VP (VBD left)))",
    "(S (NP (QP (RB about) (CD two)) (NNS men)) (CC and) (NP (PRP I)) (VP (VBD ran) (ADVP (RB away))))",
)
SENTENCE = "John/NNP saw/VBD a/DT man/NN with/IN a/DT dog/NN ./."


def _trees() -> list[Tree]:
    return [read_tree(text) for text in EXERCISE_TREES]


def _saved(trained: Model, reranks: bool = False) -> Model:
    """A model from a file, for its arrays are read-only, which is another type to the compiler."""
    with temporary_folder() as folder:
        path = folder / "model"
        trained.save(path)
        model = Model.load(path)
    # One without weights, so that the features of trees are compiled here and not at a person's first parse.
    return model.with_reranker(NO_FEATURES) if reranks else model


@cache
def _trained() -> Model:
    """A model that was trained uncompiled, so that a part of the kernels that only uses one compiles nothing else."""
    with running(INTERPRETED):
        return train(_trees(), tagger=False)


def parse_in_every_way() -> None:
    """Parse with every preset: the best and several parses, a traced chart, constraints, fragments; re-rank."""
    model = _saved(_trained(), reranks=True)
    for preset in (2, 5, 3):
        parser = Parser.preset(model, preset)
        parser.parse(SENTENCE, n_best=5, trace=True)
        parser.parse(SENTENCE)
    parser.parse(SENTENCE, constraints=[Attachment(4, 3)])
    parser.parse("dog/NN dog/VBD man/DT man/DT")


def explain() -> None:
    """Explain parses, and score them."""
    model = _saved(_trained(), reranks=True)
    for settings in ({"number": 2}, {"number": 5}, {"number": 3, "distance": "order", "lexical": False}):
        with running(INTERPRETED):
            parse = Parser.preset(model, **settings).parse(SENTENCE)
        explainer = parse.explainer()
        parse.ledger()
        explainer.candidates(0, parse.basenps)
        explainer.gap_distribution(1)
        explainer.gaps.contexts(1)


def tag() -> None:
    """Tag words."""
    with running(INTERPRETED):
        tagger = train_tagger([(tree.words(), tree.tags()) for tree in _trees()])
    tagger.tag(["John", "ran"])
    tagger.distribution(["John", "ran"])


def count() -> None:
    """Train all there is, and find what was counted."""
    train(_trees())
    model = _saved(_trained())
    with temporary_folder() as folder:
        trees_file = folder / "trees.ptb"
        trees_file.write_text("\n".join(EXERCISE_TREES))
        evidence = Evidence(model, read_trees([trees_file], model.rules))
        for table in (DEPENDENCY_PAIR, SPAN_ENDS):
            evidence.instances(Counted("", table, (0,)))


def fit_lists() -> None:
    """Fit a re-ranker to two lists of parses."""
    model = _trained()
    packer = ListPacker()
    for tree in _trees()[:2]:
        root = model.lexicaliser.constituent(tree)
        assert root is not None
        found = vote_kernel.bracket_keys(steps_of(root, model.label_numbers), model.shown_labels)
        parses = []
        for number in (1, 2):
            features = np.arange(number, number + 9, dtype=np.int64)
            matched = int(vote_kernel.shared(found, found[:number]))
            parses.append(Listed(np.zeros(2), matched, len(found), len(found), features, found))
        packer.add(parses)
    packed = packer.packed()
    assert packed is not None
    with ListStore() as store:
        store.append(packed)
        fit(store)


def train_everything() -> None:
    """Count, find what was counted, fit a re-ranker."""
    count()
    fit_lists()


class Part(NamedTuple):
    """What calls the kernels of a part, and the modules they stand in if not all that it calls are meant."""

    exercise: Callable[[], None]
    modules: tuple[str, ...] | None = None


# What parsing needs is two parts of about the same size, so that two processes have done it soonest.
_PARTS: dict[str, Part] = {
    "search": Part(parse_in_every_way, ("engine.chart.chart_kernel",)),
    "tagger": Part(tag),
    "ranking": Part(
        parse_in_every_way,
        (
            "engine.chart.kbest_kernel",
            "engine.estimates.internal_brackets_kernel",
            "engine.rerank.features_kernel",
            "engine.rerank.scoring_kernel",
            "engine.rerank.vote_kernel",
        ),
    ),
    "explanation": Part(explain),
    "training": Part(train_everything),
}


def compile_parts(wait: bool, parts: Iterable[str] = PARTS) -> None:
    """Compile parts into the cache; where another process is at work on one, wait for it or leave it."""
    for part in parts:
        compile_part(part, partial(run_compiled, *_PARTS[part]), wait)


def compile_now() -> None:
    """Compile all kernels into the cache, together with a child, and run them compiled from now on."""
    if not is_disabled():
        use_compiled()
        AVAILABILITY.compile(COMPILERS - 1)
        compile_parts(wait=False)
        compile_parts(wait=True)


if __name__ == "__main__":
    compile_parts(False, sys.argv[1:] or PARTS)
