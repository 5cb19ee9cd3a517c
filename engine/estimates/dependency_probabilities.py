"""P(AF(j) | S, B) of equation (8) for every arrow of a parse, and P(D | S, B), their product (equations 4 and 9).

F̂(R | modifier, head, Δ) is no probability of an attachment: it asks how often two such words, seen together at this
distance, were related so.  Equation (8) divides it by its sum over every other word k = 1 ... m, k ≠ j, of the reduced
sentence and every triple p, so that the probabilities of all that word j could modify sum to 1.  The sum depends on B:
the parser leaves it out (equation 10), and a parse's score has F̂ itself.

The head of the sentence, AF(j) = (0, <label>), is not among the words that equation (8) sums over.  F̂(<label> | word,
tag) is a share of all the times that such a word stood in a reduced sentence, and thus a probability already: it stands
in the product as it is, and in no other arrow's sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.estimates.factor_subjects import RootSubject
from engine.estimates.ledger import Factor
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance

ROOT = -1
"""In place of the position of a head: the root."""
Arrow = tuple[int, int, Relation]
"""AF(j) by positions: modifier, head (−1: the root) and triple."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A head that a word could modify, and how: `estimate` is F̂, `probability` that of equation (8)."""

    head: int
    relation: Relation
    distance: Distance
    estimate: float
    probability: float


@dataclass(frozen=True, slots=True)
class DependencyProbability:
    """AF(j) of a parse, and everything else that word j could modify.

    Attributes
    ----------
    modifier, head
        Positions of the two words, counted from 0 without punctuation; head −1 is the root.
    relation
        The triple, or the label of the root.
    factor
        F̂ with its counts and λ; ``None`` for the head of a fragment, which pays no root.
    probability
        P(AF(j) | S, B) of equation (8), of the head of the sentence F̂ itself; ``None`` for the head of a fragment.
    candidates
        Every head and relation for which F̂ is not zero, the most probable first: their probabilities sum to 1.
    """

    modifier: int
    head: int
    relation: Relation
    factor: Factor | None
    probability: float | None
    candidates: tuple[Candidate, ...]

    @property
    def alternatives(self) -> tuple[Candidate, ...]:
        """The candidates but for the one that the parse has."""
        return tuple(one for one in self.candidates if (one.head, one.relation) != (self.head, self.relation))


@dataclass(frozen=True, slots=True)
class DependencyProbabilities:
    """AF(1) to AF(m) of a parse with their probabilities."""

    dependencies: tuple[DependencyProbability, ...]

    def __iter__(self) -> Iterator[DependencyProbability]:
        return iter(self.dependencies)

    def __len__(self) -> int:
        return len(self.dependencies)

    @property
    def log_probability(self) -> float | None:
        """The logarithm of P(D|S,B), equations (4) and (9); ``None`` for a cover of fragments, which has no whole D."""
        logs = []
        for one in self.dependencies:
            if one.probability is None:
                return None
            logs.append(math.log(one.probability) if one.probability > 0 else -math.inf)
        return math.fsum(logs)


def dependency_probabilities(
    arrows: Sequence[Arrow], factors: Mapping[int, Factor], candidates: Mapping[int, Sequence[Candidate]]
) -> DependencyProbabilities:
    """Give every arrow of a parse its probability.

    Parameters
    ----------
    arrows
        D by positions, in the order of the modifiers.
    factors
        F̂ of each, by the position of the modifier; fragments have none for their heads.
    candidates
        What each word of the reduced sentence could modify, by its position.
    """
    return DependencyProbabilities(
        tuple(
            DependencyProbability(
                modifier,
                head,
                relation,
                factors.get(modifier),
                _probability(head, relation, factors.get(modifier), candidates[modifier]),
                tuple(candidates[modifier]),
            )
            for modifier, head, relation in arrows
        )
    )


def _probability(head: int, relation: Relation, factor: Factor | None, candidates: Sequence[Candidate]) -> float | None:
    if factor is None:
        return None
    if isinstance(factor.subject, RootSubject):
        return factor.probability
    return next((one.probability for one in candidates if (one.head, one.relation) == (head, relation)), 0.0)
