"""Calls every kernel once with the types that real use has, so that each is compiled into the cache."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from engine.constraints import Attachment
from engine.evidence import Counted, Evidence, read_trees
from engine.kernels.data import INSIDE_ENDS, PAIR
from engine.model import Model
from engine.reranking import FORMAT, Reranker
from engine.tagger import train_tagger
from engine.trees import Tree, read_tree

TREES = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog))))) (. .))",
    "(S (NP (NP (NNP Mary)) (, ,) (NP (NP (DT the) (NN head)) (PP (IN of) (NP (NNP IBM)))) (, ,)) (VP (VBD left)))",
    "(S (NP (QP (RB about) (CD two)) (NNS men)) (CC and) (NP (PRP I)) (VP (VBD ran) (ADVP (RB away))))",
)
SENTENCE = "John/NNP saw/VBD a/DT man/NN with/IN a/DT dog/NN ./."


def exercise() -> None:
    """Train, save, load, parse in every mode, explain and score, find what was counted."""
    from engine.training import train

    trees: list[Tree] = [read_tree(text) for text in TREES]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        train(trees).save(path)
        # From a file, for its arrays are read-only, which is another type to the compiler.
        model = Model.load(path)
        # One without weights, so that the features of trees are compiled here and not at a person's first parse.
        model.reranker = Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), {"format": FORMAT})
        for preset in (2, 5, 3):
            parser = model.parser(preset)
            parse = parser.parse(SENTENCE, n_best=5, trace=True)
            parse.ledger()
            parse.explainer().candidates(0, parse.basenps)
            parse.explainer().gap_distribution(1)
        parser.parse(SENTENCE, constraints=[Attachment(4, 3)])
        parser.parse("dog/NN dog/VBD man/DT man/DT")
        model.parser(3, distance="order", lexical=False).parse(SENTENCE)
        trees_file = Path(folder) / "trees.ptb"
        trees_file.write_text("\n".join(TREES))
        evidence = Evidence(model, read_trees([trees_file], model.rules))
        for table in (PAIR, INSIDE_ENDS):
            evidence.instances(Counted("", table, (0,)))
        tagger = train_tagger([(tree.words(), tree.tags()) for tree in trees])
        tagger.tag(["John", "ran"])
        tagger.distribution(["John", "ran"])
