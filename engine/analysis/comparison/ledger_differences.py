"""Differences of two ledgers, factor against factor: where one tree wins over another, and by how much."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.estimates.factor_subjects import FactorKind
from engine.estimates.ledger import Difference, Factor, Ledger, align
from engine.settings import FurtherBackoff
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What two trees pay for the same thing.

    Attributes
    ----------
    kind
        The sort of factor; of a word that heads the sentence in one
        tree and modifies another word in the other tree, the second tree's kind.
    first, second
        Each tree's factor, with its counts, levels, λ and Δ; ``None`` where a tree has none (a unary step or a
        dependency of a word that a baseNP of the other tree absorbs).
    contribution
        log of the second's minus log of the first's, in nats: above zero the second tree gains here.
    """

    kind: FactorKind
    first: Factor | None
    second: Factor | None
    contribution: float

    @property
    def what(self) -> str:
        """The row in words: what the first tree has against what the second has."""
        first = self.first.what if self.first is not None else "nothing"
        second = self.second.what if self.second is not None else "nothing"
        return first if first == second else f"{first} against {second}"


@dataclass(frozen=True, slots=True)
class LedgerDifference:
    """All differing factors of two trees, those that differ most first.

    Attributes
    ----------
    rows
        Factors that differ, aligned by what they score: the same gap, the same modifier, the same unary decision.
    equal_count, equal_sum
        How many factors both trees share, and the sum of their logarithms.
    first_total, second_total
        The scores of both trees.
    """

    rows: tuple[LedgerRow, ...]
    equal_count: int
    equal_sum: float
    first_total: float
    second_total: float

    @property
    def total(self) -> float:
        """The second score minus the first: the sum of the contributions, −∞ if the second tree is impossible."""
        return math.fsum(row.contribution for row in self.rows)


def ledger_difference(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution | str | None,
    first: Tree | Parse,
    second: Tree | Parse,
) -> LedgerDifference:
    """Every factor in which two trees of the same words differ.

    Parameters
    ----------
    parser
        Model and settings to score them with; under a re-ranker its features are factors too.
    sentence
        What was parsed: with the tagger's distribution the tags are a part of the score, if the settings say so
        (presets 4 and 5).  Each tree has its own tags.  Text is read as :meth:`Parser.parse` reads it; ``None`` if tags
        are given.
    first, second
        The trees, or parses of this parser.
    """
    if sentence is not None:
        sentence = parser.prepare(sentence)
    distribution = sentence if isinstance(sentence, TagDistribution) else None
    # A tree is scored as the parse that it is held against.
    further = max(
        (one.further_backoff for one in (first, second) if isinstance(one, Parse)), default=FurtherBackoff.NONE
    )
    return difference_of(*(_ledger(parser, distribution, one, further) for one in (first, second)))


def difference_of(first: Ledger, second: Ledger) -> LedgerDifference:
    """Two ledgers, aligned by what their factors score."""
    differing, equal = align(first, second)
    rows = tuple(_row(line) for line in differing)
    return LedgerDifference(rows, len(equal), math.fsum(factor.log for factor in equal), first.total, second.total)


def _row(line: Difference) -> LedgerRow:
    return LedgerRow(line.kind, line.first, line.second, 0.0 - line.difference)


def _ledger(
    parser: Parser, distribution: TagDistribution | None, tree: Tree | Parse, further_backoff: FurtherBackoff
) -> Ledger:
    if isinstance(tree, Parse):
        if tree.fallback:
            raise EngineError("fragments have no score to compare")
        return tree.ledger()
    return parser.score(tree, distribution, further_backoff).ledger
