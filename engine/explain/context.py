"""A parse with all that its explanations are made of: the list that it was chosen from, its estimates, what
is forced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.common.numbers import change, ordinal, times_as_probable
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import Candidate, Ledger
from engine.explain.wording import Closeness, DecidedBy
from engine.structure.constraints import Constraint
from engine.structure.dependencies import Relation
from engine.study.vote_shares import TOLERANCE
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import LabelledSpan

TIE_RATIO, CLEAR_RATIO = 1.25, 5.0
"""Two estimates are nearly a tie if neither is this many times the other; beyond the second the choice is clear."""
TIE_NATS, CLEAR_NATS = math.log(TIE_RATIO), math.log(CLEAR_RATIO)
"""The same as differences of two logarithms."""


class Rival(NamedTuple):
    """The best parse of the list in which something is otherwise: its rank, and its log P and score less the parse's.

    `reranked` tells whether a re-ranker has a say in the score.
    """

    parse: Parse
    rank: int
    log: float
    score: float
    reranked: bool

    def text(self, what: str) -> str:
        """Tell its place: ``The best tree with `man` as its head is the 2nd of the list; …``."""
        told = f"The best tree {what} is the {ordinal(self.rank)} of the list"
        if self.reranked:
            return f"{told}: log P {change(self.log)}, re-ranker {change(self.score - self.log)}."
        if self.log > 0:
            return f"{told}, though {times_as_probable(self.log)}."
        return f"{told}; this one is {times_as_probable(-self.log)}."


class Choice(NamedTuple):
    """What decided for something of a parse, and the best parse of the list that has it otherwise, if one has."""

    decided_by: DecidedBy
    rival: Rival | None

    @property
    def text(self) -> str:
        """What decides, as a clause: ``the re-ranker decides (+1.90)``."""
        rival = self.rival
        match self.decided_by:
            case DecidedBy.WHAT_IF:
                return "a what-if forces it"
            case DecidedBy.GIVEN:
                return "it was given"
            case DecidedBy.VOTE:
                return "the vote decides"
            case DecidedBy.RERANKER:
                assert rival is not None
                return f"the re-ranker decides ({change(rival.log - rival.score)})"
        if rival is not None and -rival.log >= 0.005:
            return f"the rest of the tree decides ({change(-rival.log)})"
        return "the rest of the tree decides"


class ParseList:
    """The n best parses of a sentence, the chosen one first, with what headlines ask of each again and again.

    Parameters
    ----------
    parses
        The list.
    ledger_of
        Looks up the factors of one of them, where they are at hand.
    """

    def __init__(self, parses: Sequence[Parse], ledger_of: Callable[[Parse], Ledger] | None = None) -> None:
        self.parses = tuple(parses)
        # Most of the n best have their tags in common, and most of what is looked up for them.
        self.explainer: Callable[[Parse], Explainer] = cache(self._explainer)
        self._explainers: dict[tuple[str, ...], Explainer] = {}
        self._ledger_of = ledger_of
        self.ledger: Callable[[Parse], Ledger] = cache(ledger_of or self._ledger)
        self.own_factors: Callable[[Parse], Ledger] = cache(self._own_factors)
        self.heads: Callable[[Parse], dict[int, int]] = cache(Parse.heads)
        self.gap_tags: Callable[[Parse], str] = cache(lambda parse: parse.gap_tags)
        self.brackets = cache(_brackets)

    def _explainer(self, parse: Parse) -> Explainer:
        if parse not in self.parses:
            return parse.explainer()
        tags = parse.sentence.tags
        if tags not in self._explainers:
            self._explainers[tags] = parse.explainer()
        return self._explainers[tags]

    def _ledger(self, parse: Parse) -> Ledger:
        return self.explainer(parse).ledger(parse.roots, parse.fallback)

    def _own_factors(self, parse: Parse) -> Ledger:
        """The factors of log P alone."""
        if self._ledger_of is not None:
            return Ledger(self._ledger_of(parse).own)
        return Ledger(tuple(self.explainer(parse).own_factors(parse.roots, parse.fallback)))


def _brackets(parse: Parse) -> frozenset[LabelledSpan]:
    return frozenset((node.label, node.start, node.end) for root in parse.roots for node in root.walk())


class ExplainedParse:
    """A parse, and what its headlines are made of.

    Parameters
    ----------
    parse
        The parse.
    parses
        The list that it is one of; that of the parse itself, if none is given.
    tagging
        What the tagger says of every word, also of one whose tag was given; what the parse has of it, if none is given.
    constraints
        What was forced or forbidden.
    """

    def __init__(
        self,
        parse: Parse,
        parses: ParseList | None = None,
        *,
        tagging: TagDistribution | None = None,
        constraints: Sequence[Constraint] = (),
    ) -> None:
        self.parse = parse
        self.parses = parses or ParseList(parse.alternatives)
        self.listed = self.parses.parses
        self.explainer = self.parses.explainer(parse)
        self.tagging = tagging or parse.tagging
        self.constraints = tuple(constraints)
        self.words = parse.sentence.proper_words
        self.tags = parse.sentence.proper_tags

    @cached_property
    def ledger(self) -> Ledger:
        """Every factor of the score."""
        return self.parses.ledger(self.parse)

    @property
    def own_factors(self) -> Ledger:
        """The factors of log P, whatever the parse is ranked by."""
        return self.parses.own_factors(self.parse)

    @cached_property
    def heads(self) -> dict[int, int]:
        """Head of every reduced word (−1: the root)."""
        return self.parses.heads(self.parse)

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """Relation of every reduced word."""
        return {modifier: relation for modifier, _, relation in self.parse.arrows}

    @property
    def chosen(self) -> Parse:
        """The parse that was chosen from the list."""
        return self.listed[0]

    @property
    def is_chosen(self) -> bool:
        """Whether the parse is the one that was chosen from the list."""
        return self.parse is self.chosen or self.parse not in self.listed

    @property
    def rank(self) -> int:
        """Its place in the list, from 1."""
        return self.listed.index(self.parse) + 1 if self.parse in self.listed else 1

    @property
    def weighted(self) -> bool:
        """Whether η and δ are weighted, so that they are no plain numbers of times."""
        return self.parse.settings.treebank_weights and self.parse.model.counts.has_weights

    @property
    def in_training(self) -> str:
        """How a sentence about counts begins."""
        return "In training (weighted)" if self.weighted else "In training"

    def candidates(self, modifier: int) -> tuple[Candidate, ...]:
        """Every head and relation that a reduced word could have."""
        return self.explainer.candidates(modifier, self.parse.basenps)

    def rival(self, same: Callable[[Parse], bool]) -> Rival | None:
        """The parse of the highest score in the list for which something is not so; ``None`` if there is none."""
        return self._rival(same, lambda one: one.score)

    def _rival(self, same: Callable[[Parse], bool], order: Callable[[Parse], float]) -> Rival | None:
        found = [(rank, one) for rank, one in enumerate(self.listed, 1) if one is not self.parse and not same(one)]
        if not found:
            return None
        rank, best = max(found, key=lambda pair: (order(pair[1]), -pair[0]))
        own = self.parse
        reranked = any(abs(one.score - one.log_probability) > TOLERANCE for one in (own, best))
        return Rival(best, rank, best.log_probability - own.log_probability, best.score - own.score, reranked)

    def choice(self, same: Callable[[Parse], bool], leads: bool, forced: bool = False, tie: bool = False) -> Choice:
        """Find out what decided for something of the parse.

        Parameters
        ----------
        same
            Whether a parse of the list has it, too.
        leads
            Whether its own estimate is the highest.
        forced
            Whether a what-if forces it.
        tie
            Whether its own estimate and the next are nearly the same, so that a re-ranker may settle it.
        """
        rival = self.rival(same)
        if forced:
            return Choice(DecidedBy.WHAT_IF, rival)
        if rival is not None and self.is_chosen:
            if rival.score > TOLERANCE:
                return Choice(DecidedBy.VOTE if self.parse.votes is not None else DecidedBy.TREE, rival)
            likeliest = self._rival(same, lambda one: one.log_probability)
            if likeliest is not None and likeliest.reranked and likeliest.log > TOLERANCE:
                return Choice(DecidedBy.RERANKER, likeliest)
            if tie and rival.reranked and -rival.log < TIE_NATS and rival.log - rival.score > -rival.log:
                return Choice(DecidedBy.RERANKER, rival)
        return Choice(DecidedBy.ESTIMATE if leads else DecidedBy.TREE, rival)


def closeness(own: float, other: float) -> Closeness:
    """How close two probabilities are, of what was chosen and of the best of the rest."""
    if other <= 0:
        return Closeness.ONLY
    if own >= CLEAR_RATIO * other:
        return Closeness.CLEAR
    if own > TIE_RATIO * other:
        return Closeness.LIKELIER
    return Closeness.TIE if own * TIE_RATIO >= other else Closeness.UNLIKELIER
