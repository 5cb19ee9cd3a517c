"""A parse with all that its explanations are made of: the list that it was chosen from, its estimates, what
is forced, what somebody has looked up already.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from engine.chart.parse import Parse, Scored
from engine.chart.trace import Trace, TracedParse, trace_parse
from engine.common.numbers import change, ordinal, times_as_probable
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import (
    Candidate,
    DependencySubject,
    Difference,
    Factor,
    GapSubject,
    Ledger,
    Level,
    RootSubject,
    UnarySubject,
    align,
)
from engine.explain.subjects import ErrorId
from engine.explain.wording import Closeness, DecidedBy, Headline
from engine.settings import FurtherBackoff
from engine.structure.constituents import Constituent
from engine.structure.constraints import Constraint
from engine.structure.dependencies import Relation
from engine.study.vote_shares import TOLERANCE
from engine.tagger.tagger import TagDistribution

if TYPE_CHECKING:
    # A start does not load what judges.
    from engine.study.errors import ParseError
    from engine.study.treebank_report import ErrorTable
    from engine.study.verdicts import Verdict

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


LONGEST_RANKED_AT_ONCE = 40
"""Words of a reduced sentence up to which all heads of all words are ranked while somebody waits for it."""


def own_factors(parse: Parse) -> Ledger:
    """The factors of log P alone, whatever the parse is ranked by; they are found sooner than its whole ledger."""
    if parse.has_ledger:
        return Ledger(parse.ledger().own)
    return Ledger(tuple(parse.explainer().own_factors(parse.roots, parse.fallback)))


def traced(parse: Parse) -> TracedParse | None:
    """Where a parse is in its chart; ``None`` if no chart was kept."""
    return trace_parse(parse.chart, parse.roots, parse.sentence.proper_tags) if parse.chart is not None else None


@dataclass(frozen=True)
class Compared:
    """What two parses are to each other, for the pages on verdict and errors.

    Attributes
    ----------
    headline
        That of the verdict; without one, what the two are to each other.
    titles
        What to call the two.
    score
        PARSEVAL of the first against the second, in a line.
    errors
        What the first got wrong if the second is right.
    words
        All tokens.
    against
        What the first is held against: ``the gold tree``.
    verdict
        The verdict on the first, if there is one.
    judging
        Whether a verdict is still being found.
    """

    headline: Headline
    titles: tuple[str, str]
    score: str
    errors: Sequence[ParseError]
    words: Sequence[str]
    against: str
    verdict: Verdict | None = None
    judging: bool = False

    def error(self, id: ErrorId) -> ParseError | None:
        """The error that an id stands for; ``None`` if there is none of that number."""
        return self.errors[id.number] if 0 <= id.number < len(self.errors) else None


class Training:
    """What training has of one sentence with its tags: how often something was so, for estimates that are told.

    Parameters
    ----------
    explainer
        Looks up the estimates.
    roots
        The constituents of the tree that is spoken of.
    """

    def __init__(self, explainer: Explainer, roots: Sequence[Constituent]) -> None:
        self.explainer = explainer
        self.tags = explainer.tags
        self.commas = explainer.sentence.commas
        self._roots = roots

    @classmethod
    def of_tree(cls, parse: Parse, scored: Scored, further_backoff: FurtherBackoff = FurtherBackoff.NONE) -> Training:
        """Ask it about a tree that is held against a parse, and may have other tags."""
        distribution = parse.distribution if parse.settings.tag_distribution else None
        explainer = Explainer(parse.model, parse.settings, scored.sentence, distribution, further_backoff)
        return cls(explainer, (scored.root,))

    @property
    def weighted(self) -> bool:
        """Whether η and δ are weighted, so that they are no plain numbers of times."""
        return self.explainer.settings.treebank_weights and self.explainer.model.counts.has_weights

    @cached_property
    def _counted_once(self) -> Explainer:
        """Looks estimates up in counts that have every tree once, whatever treebanks weigh."""
        own = self.explainer
        settings = replace(own.settings, treebank_weights=False)
        return Explainer(own.model, settings, own.sentence, own.distribution, own.further_backoff)

    def times(self, factor: Factor, level: Level) -> Level:
        """How many times something was so in training: a level of a factor's back-off with every tree counted once."""
        if not self.weighted:
            return level
        explainer = self._counted_once
        match factor.subject:
            case DependencySubject(modifier, head, relation=relation, distance=distance):
                plain = explainer.dependency(modifier, head, relation, distance)
            case GapSubject(position, tag=tag):
                plain = explainer.gap(position, tag)
            case RootSubject(modifier, label=label):
                plain = explainer.root(modifier, label)
            case UnarySubject(head, label=label, parent=parent):
                # Words, tags and label are all that the levels which are told of look at.
                nodes = (node for root in self._roots for node in root.walk())
                plain = explainer.unary(next(one for one in nodes if (one.head, one.label) == (head, label)), parent)
            case other:
                raise ValueError(f"{other.kind} is not counted in the training trees")
        return next(one for one in plain.levels if one.name == level.name)


class ParseContext:
    """A parse, and what its explanations are made of: each found once, when it is first asked for.

    Parameters
    ----------
    parse
        The parse.
    listed
        The n best that it is one of, the chosen one first; those of the parse itself, if none are given.
    tagging
        What the tagger says of every word, also of one whose tag was given; what the parse has of it, if none is given.
    constraints
        What was forced or forbidden.
    free
        The best parse without that; the chosen one, if none is given.
    prices
        For everything that was forced or forbidden by how much the score would rise without it (``None``: not known).
    highest
        Where parses are chosen by expected F1 and another of the list has a higher score: that one.
    find_in_chart
        Tells where a parse is in its chart, where that may have been found out before.
    compared
        What the parse is compared with, if it is.
    error_table
        The table of errors of the list that the sentence is in, if the list was judged.
    """

    def __init__(
        self,
        parse: Parse,
        listed: Sequence[Parse] = (),
        *,
        tagging: TagDistribution | None = None,
        constraints: Sequence[Constraint] = (),
        free: Parse | None = None,
        prices: Sequence[float | None] = (),
        highest: Parse | None = None,
        find_in_chart: Callable[[Parse], TracedParse | None] = traced,
        compared: Compared | None = None,
        error_table: ErrorTable | None = None,
    ) -> None:
        self.parse = parse
        self.listed = tuple(listed) or parse.alternatives
        self.tagging = tagging or parse.tagging
        self.constraints = tuple(constraints)
        self.free = free or self.chosen
        self.prices = tuple(prices)
        self.highest = highest
        self.words = parse.sentence.proper_words
        self.tags = parse.sentence.proper_tags
        self._find_in_chart = find_in_chart
        self.compared = compared
        self.error_table = error_table

    @property
    def explainer(self) -> Explainer:
        """Looks up and explains the estimates."""
        return self.parse.explainer()

    @property
    def ledger(self) -> Ledger:
        """Every factor of the score."""
        return self.parse.ledger()

    @property
    def own_factors(self) -> Ledger:
        """The factors of log P, whatever the parse is ranked by."""
        return own_factors(self.parse)

    @property
    def heads(self) -> Mapping[int, int]:
        """Head of every reduced word (−1: the root)."""
        return self.parse.heads()

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """Relation of every reduced word."""
        return {modifier: relation for modifier, _, relation in self.parse.arrows}

    @property
    def trace(self) -> Trace | None:
        """The chart, if it was kept."""
        return self.chosen.chart

    @cached_property
    def in_chart(self) -> TracedParse | None:
        """Where the parse is in the chart; ``None`` if no chart was kept."""
        return self._find_in_chart(self.parse)

    @property
    def own_items(self) -> frozenset[int]:
        """The numbers of the chart items that the parse is built from."""
        return self.in_chart.item_numbers if self.in_chart is not None else frozenset()

    @property
    def log_probability_of_dependencies(self) -> float | None:
        """Log P(D|S,B) of equation (9); ``None`` for fragments, and until a long sentence has been looked up."""
        parse = self.parse
        known = all(self.explainer.has_ranked(word, parse.basenps) for word in parse.reduced)
        return self._log_of_dependencies if known or len(parse.reduced) <= LONGEST_RANKED_AT_ONCE else None

    @cached_property
    def _log_of_dependencies(self) -> float | None:
        return self.parse.dependency_probabilities().log_probability

    @property
    def price(self) -> float:
        """Score of the chosen parse less that of the free one: in log P, and under a re-ranker with its weights."""
        return self.chosen.score - self.free.score

    @cached_property
    def moved(self) -> tuple[Difference, ...]:
        """What else changed by what was forced: lines in which the two ledgers differ."""
        if self.chosen is self.free:
            return ()
        return tuple(align(self.chosen.ledger(), self.free.ledger())[0])

    def given(self, token: int) -> bool:
        """Whether a token's tag was given, and not chosen by tagger or parser."""
        return self.parse.tagging is None or token in self.parse.tagging.given

    def choices(self, token: int) -> tuple[tuple[str, float], ...]:
        """The tags that the tagger holds possible for a token with P(t|S), the most probable first."""
        return self.tagging.choices[token] if self.tagging is not None else ()

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

    @cached_property
    def training(self) -> Training:
        """What training has of the things that the parse's estimates are made of."""
        return Training(self.explainer, self.parse.roots)

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
