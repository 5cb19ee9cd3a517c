"""What is known of a sentence of the list once it was parsed: its mark, F1, triples, verdict and error classes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.chart.parse import Parse
from engine.evaluation.parseval import Summary, score_pair
from engine.settings import Settings
from engine.structure.dependencies import Relation
from engine.trees.tree import Tree

PARSED, RIGHT, DIFFERS, FRAGMENTS, FAILED = "parsed", "right", "differs from gold", "fragments", "failed"
"""What can become of a sentence; the second and third only where there is a gold tree."""
UNSEEN = "not parsed yet"
SIGNS = {PARSED: "✓", RIGHT: "=", DIFFERS: "≠", FRAGMENTS: "…", FAILED: "✕"}
"""Marks have a shape of their own: no meaning by colour alone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a sentence.

    Attributes
    ----------
    mark
        One of the marks above.
    settings
        The settings under which it was so.
    f1
        F1 of its parse in per cent, if there is a gold tree.
    triples
        The triples of its parse.
    verdict
        Why it differs from its gold tree, once that was asked; else empty.
    classes
        The classes of its errors, once they were asked for.
    """

    mark: str
    settings: Settings | None = None
    f1: float | None = None
    triples: frozenset[Relation] = frozenset()
    verdict: str = ""
    classes: tuple[str, ...] = ()


def judge(parse: Parse, gold: Tree | None) -> Finding:
    """What a parse makes of its sentence."""
    triples = frozenset(arrow.relation for arrow in parse.dependencies)
    if gold is None:
        return Finding(FRAGMENTS if parse.fallback else PARSED, parse.settings, None, triples)
    score = score_pair(gold, parse.tree)
    alone = Summary()
    alone.add(score)
    mark = FRAGMENTS if parse.fallback else RIGHT if score.complete else DIFFERS
    return Finding(mark, parse.settings, alone.f1, triples)
