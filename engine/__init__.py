"""Collins (1996), *A New Statistical Parser Based on Bigram Lexical Dependencies*, as a package.

>>> import engine
>>> model = engine.train(["treebank.mrg"])          # doctest: +SKIP
>>> parser = model.parser(preset=3, beam=1000)      # doctest: +SKIP
>>> print(parser.parse(model.read_tagged("John left/VBD.")).tree)   # doctest: +SKIP
(S (NP (NNP John)) (VP (VBD left)) (. .))
"""

from typing import TYPE_CHECKING, Any

from engine.errors import Cancelled, ChartTooLarge, ConstraintError, EngineError, ModelError, SentenceError, TreeError
from engine.model import Model
from engine.parse import Parse
from engine.parser import Parser
from engine.search import Control
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.tagging import TagDistribution
from engine.trees import Tree, read_tree

if TYPE_CHECKING:
    from engine.measuring import evaluate
    from engine.training import train

load = Model.load
"""Open a model file, or a bundled model by its name."""

__all__ = [
    "Cancelled",
    "ChartTooLarge",
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


def __getattr__(name: str) -> Any:
    """What only some programs need is imported when it is asked for: others start sooner without it."""
    if name == "evaluate":
        from engine.measuring import evaluate

        return evaluate
    if name == "train":
        from engine.training import train

        return train
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
