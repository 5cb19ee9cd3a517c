"""Evidence: with the training treebank at hand, every count opens the sentences that it counted.

>>> from engine.analysis.evidence import Evidence, Sources, kept_trees
>>> evidence = Evidence(model, kept_trees(["treebank.mrg"], model.rules))            # doctest: +SKIP
>>> found = evidence.instances(Sources(parse.explainer()).dependency(4, 1, ...)[0])  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from engine.analysis.evidence.count_sources import Sources
from engine.analysis.evidence.counted import ANY, UNRELATED, Counted, count_in
from engine.analysis.evidence.instances import EvidenceSentence, Instances
from engine.analysis.evidence.source_treebanks import EXACT, OTHER, PART, Match, bundled_treebanks, own_treebanks

if TYPE_CHECKING:
    from engine.analysis.evidence.linked_treebank import Evidence
    from engine.analysis.evidence.training_trees import TrainingTrees, kept_trees, read_trees

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


def __getattr__(name: str) -> Any:
    """Import what reads and counts trees when it is first asked for: a program that only names counts starts sooner."""
    if name == "Evidence":
        from engine.analysis.evidence import linked_treebank as linking

        return linking.Evidence
    if name in ("TrainingTrees", "kept_trees", "read_trees"):
        from engine.analysis.evidence import training_trees as trees

        return getattr(trees, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
