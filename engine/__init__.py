"""Collins (1996), *A New Statistical Parser Based on Bigram Lexical Dependencies*, as a package.

>>> import engine
>>> model = engine.train(["treebank.mrg"])          # doctest: +SKIP
>>> parser = model.parser(preset=3, beam=1000)      # doctest: +SKIP
>>> print(parser.parse(model.read_tagged("John left/VBD.")).tree)   # doctest: +SKIP
(S (NP (NNP John)) (VP (VBD left)) (. .))
"""

from engine.errors import Cancelled, ConstraintError, EngineError, ModelError, SentenceError, TreeError
from engine.measuring import evaluate
from engine.model import Model
from engine.parse import Parse
from engine.parser import Parser
from engine.search import Control
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.tagging import TagDistribution
from engine.training import train
from engine.trees import Tree, read_tree

load = Model.load
"""Open a model file."""

__all__ = [
    "Cancelled",
    "ConstraintError",
    "Control",
    "EngineError",
    "Model",
    "ModelError",
    "Parse",
    "Parser",
    "SentenceError",
    "Settings",
    "TagDistribution",
    "TaggedSentence",
    "Tree",
    "TreeError",
    "evaluate",
    "load",
    "read_tree",
    "train",
]
