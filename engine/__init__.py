"""Collins (1996), *A New Statistical Parser Based on Bigram Lexical Dependencies*, as a package.

>>> import engine
>>> model = engine.train(["treebank.mrg"])          # doctest: +SKIP
>>> parser = model.parser(preset=3, beam=1000)      # doctest: +SKIP
>>> print(parser.parse(model.read_tagged("John left/VBD.")).tree)   # doctest: +SKIP
(S (NP (NNP John)) (VP (VBD left)) (. .))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.errors import (
        Cancelled,
        ChartTooLarge,
        ConstraintError,
        EngineError,
        ModelError,
        SentenceError,
        TreeError,
    )
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


_PLACES = {
    "errors": (
        "Cancelled",
        "ChartTooLarge",
        "ConstraintError",
        "EngineError",
        "ModelError",
        "SentenceError",
        "TreeError",
    ),
    "measuring": ("evaluate",),
    "model": ("Model",),
    "parse": ("Parse",),
    "parser": ("Parser",),
    "search": ("Control",),
    "sentence": ("TaggedSentence",),
    "settings": ("Settings",),
    "tagging": ("TagDistribution",),
    "training": ("train",),
    "trees": ("Tree", "read_tree"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for now: a command is ready for Ctrl-C before it, and no program needs all of it."""
    value: Any
    if name == "load":
        value = import_module("engine.model").Model.load
    elif name in _MODULES:
        value = getattr(import_module(f"engine.{_MODULES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value
