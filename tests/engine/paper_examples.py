"""The paper's example sentences, and models of a few trees whose counts can be worked out by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.estimates.explainer import Explainer
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import Analysis, Relation, analyse
from engine.structure.distance import Distance
from engine.structure.sentence_layout import DELTA_BITS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import load_head_rules
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from tests.trained import trained

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"

FIGURE_1 = (
    "(S (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (NP (DT the) (NN president)) (PP (IN of) (NP (NNP IBM)))) (, ,))"
    " (VP (VBD announced) (NP (PRP$ his) (NN resignation)) (NP (NN yesterday))) (. .))"
)


def model_of(*texts: str) -> Model:
    """A model trained on these trees."""
    return trained([read_tree(text) for text in texts])


@cache
def classroom_trained() -> Model:
    """A model of the classroom treebank."""
    return trained([CLASSROOM])


def constituents(text: str) -> tuple[Constituent, TaggedSentence]:
    """A tree as the model sees it, and its sentence."""
    tree = clean(read_tree(text))
    assert tree is not None
    root = Lexicaliser(load_head_rules()).constituent(tree)
    assert root is not None
    return root, TaggedSentence.from_tree(tree)


def analysis_of(text: str) -> tuple[Analysis, TaggedSentence]:
    """(B, D, U) of a tree, and its sentence."""
    root, sentence = constituents(text)
    return analyse(root, sentence.proper_tags), sentence


def co_occurrences(model: Model, first: str, second: str, preset: int = 1) -> int:
    """C(<a,b>, <c,d>), written ``a/b`` and ``c/d``: δ1 at every Δ together."""
    explainer = Explainer(model, Settings.preset(preset), TaggedSentence.parse(f"{first} {second}"))
    seen = Relation(*model.vocabulary.triples[0])
    distances = map(Distance.from_code, range(1 << DELTA_BITS))
    return sum(explainer.dependency(0, 1, seen, distance).levels[0].delta for distance in distances)
