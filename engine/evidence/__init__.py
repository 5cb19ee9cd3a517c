"""Evidence: with the training treebank at hand, every count opens the sentences that it counted.

>>> from engine.evidence import Evidence, kept_trees
>>> evidence = Evidence(model, kept_trees(["treebank.mrg"], model.rules))            # doctest: +SKIP
>>> found = evidence.instances(Sources(parse.explainer()).dependency(4, 1, ...)[0])  # doctest: +SKIP
"""

from engine.evidence.counted import ANY, UNRELATED, Counted, count_in
from engine.evidence.instances import EvidenceSentence, Instances
from engine.evidence.linking import EXACT, OTHER, PART, Evidence, Match, bundled_treebanks, own_treebanks
from engine.evidence.sources import Sources
from engine.evidence.trees import TrainingTrees, kept_trees, read_trees

__all__ = [
    "ANY",
    "EXACT",
    "OTHER",
    "PART",
    "UNRELATED",
    "Counted",
    "Evidence",
    "EvidenceSentence",
    "Instances",
    "Match",
    "Sources",
    "TrainingTrees",
    "bundled_treebanks",
    "count_in",
    "kept_trees",
    "own_treebanks",
    "read_trees",
]
