"""Counts behind an estimate: the contexts of tables in which the levels of an explained factor were looked up.

Each method stands beside the one of :class:`engine.estimates.explainer.Explainer` with the same name, and answers for
every level of that factor, in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from engine.analysis.evidence.counted import Counted
from engine.estimates.explainer import Explainer, unary_decisions
from engine.estimates.factor_subjects import DependencySubject, GapSubject, RootSubject, UnarySubject
from engine.estimates.ledger import Factor
from engine.estimates.level_contexts import LevelContexts
from engine.structure.constituents import Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance


class Sources:
    """The counts behind the estimates of one explained sentence."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer

    def of(self, factor: Factor, roots: Sequence[Constituent]) -> tuple[Counted, ...]:
        """The counts of a factor of a parse's ledger, whose roots these are; none for a tag or a feature."""
        match factor.subject:
            case GapSubject(position=position, tag=tag):
                return self.gap(position, tag)
            case DependencySubject(modifier=modifier, head=head, relation=relation, distance=distance):
                return self.dependency(modifier, head, relation, distance)
            case RootSubject(modifier=head, label=label):
                return self.root(head, label)
            case UnarySubject() as subject:
                # The contexts of preset (5) are not in the subject: the node itself is asked for them.
                for node, parent in chain.from_iterable(map(unary_decisions, roots)):
                    same = (node.head, node.label, parent) == (subject.head, subject.label, subject.parent)
                    if same and self._explainer.unary(node, parent) == factor:
                        return self.unary(node, parent)
        return ()

    def dependency(self, modifier: int, head: int, relation: Relation, distance: Distance) -> tuple[Counted, ...]:
        """The counts of F̂(R | modifier, head, Δ); none for a relation that training never had."""
        outcome = self._explainer.model.triple_numbers.get(relation)
        if outcome is None:
            return ()
        return _counted(self._explainer.dependencies.contexts(modifier, head, distance.code), outcome)

    def gap(self, position: int, tag: str) -> tuple[Counted, ...]:
        """The counts of P̂(G = tag) of the gap before a word."""
        return _counted(self._explainer.gaps.contexts(position), GAP_LETTERS.index(tag))

    def unary(self, node: Constituent, parent: str | None) -> tuple[Counted, ...]:
        """The counts of P̂(parent or none | label, head tag); none for labels that training never had."""
        labels = self._explainer.model.label_numbers
        if node.label not in labels or (parent or "") not in labels:
            return ()
        return _counted(self._explainer.unaries.contexts(node), labels[parent or ""])

    def root(self, head: int, label: str) -> tuple[Counted, ...]:
        """The counts of F̂(<label> | head-word, head tag); none for a label that training never had."""
        outcome = self._explainer.model.label_numbers.get(label)
        if outcome is None:
            return ()
        return _counted(self._explainer.roots.contexts(head), outcome)


def _counted(contexts: Sequence[LevelContexts], outcome: int) -> tuple[Counted, ...]:
    return tuple(Counted(*context, outcome) for context in contexts)
