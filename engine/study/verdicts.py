"""Verdicts on wrong parses: the model, the search, the tags, the re-ranker, the vote, or gold outside the model.

A search error is followed through the chart: what was lost, and with which β it would have been found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine.chart.derivation import BASE_STEP, UNARY_STEP, WORD_STEP, DerivationStep, derivation_steps
from engine.chart.parse import Impossibility, Parse, Scored
from engine.chart.parser import MOST_PARSES, Parser
from engine.chart.search import Control
from engine.chart.trace import Edge, Trace
from engine.common.errors import EngineError
from engine.settings import MOST_RERANKED, FurtherBackoff, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import (
    LedgerDifference,
    TreeComparison,
    compare_trees,
    difference_of,
    same_structure,
)
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import Tree, clean

# Search errors: which constituent of a tree the chart lost, where, by which rule, and the smallest change that would
# find it.

TOLERANCE = 1e-9
"""Nats within which two scores are equal."""
_KEPT, _DOMINATED = "kept", "dominated"
OUT_OF_BEAM, NEVER_PROPOSED = "out of beam", "never proposed"


@dataclass(frozen=True, slots=True)
class Loss:
    """A constituent of a tree, finished or half built, that the chart did not keep.

    Attributes
    ----------
    start, end, label, head
        Its cell in the chart (words counted from 0 without punctuation), its label and head-word.
    step
        How it would have been built: one of :data:`engine.chart.derivation.EDGE_KINDS`.
    pruning_reason
        One of :data:`engine.chart.trace.PRUNING_REASONS`, or ``never proposed``.
    margin
        By how many nats it was too improbable: so much wider log β had to be, all else being equal.
    score, best
        Its log probability, and that of the best constituent in the cell.
    edge
        Its number in the traced chart; −1 if there was no edge for it.
    beam
        β of the chart.
    """

    start: int
    end: int
    label: str
    head: int
    step: str
    pruning_reason: str
    margin: float
    score: float
    best: float
    edge: int
    beam: float


def losses(parse: Parse, gold: Scored) -> tuple[Loss, ...]:
    """Return what of a tree's derivation was pruned from the chart, from the bottom up.

    A constituent that another of the same signature dominates is not lost: the other stands for it, with a higher
    score (section 3).  So what is listed is what the beam (section 4.1) has taken from the tree and from all better
    trees of the same shape.  A re-ranker though may want the tree itself: for its list a constituent that is dominated
    must be within the beam by its own score.

    Parameters
    ----------
    parse
        A traced parse (``trace=True``) of the sentence.
    gold
        The tree, possible under the model (:meth:`engine.chart.parser.Parser.score`).
    """
    if parse.chart is None:
        raise ValueError("only a traced parse tells what was lost")
    slack = 0.0 if parse.settings.literal_beam else parse.settings.unary_slack
    listed = parse.settings.rerank > 0 and parse.model.reranker is not None
    return tuple(_Follower(parse.chart, gold, slack, listed).losses())


class _Follower:
    """Follows a tree's derivation through a traced chart."""

    def __init__(self, trace: Trace, gold: Scored, unary_slack: float, listed: bool) -> None:
        self._trace = trace
        self._slack = unary_slack
        self._listed = listed
        self._tags = gold.sentence.proper_tags
        self._steps = list(derivation_steps(gold.root))
        # What stands for each step in the chart, if there is an edge for it.
        self._found: list[Edge | None] = []

    def losses(self) -> Iterator[Loss]:
        climbs = {step.left for step in self._steps if step.kind == UNARY_STEP}
        lost: set[int] = set()
        spared: list[int] = []
        for place, step in enumerate(self._steps):
            if step.left in lost or step.right in lost:
                lost.add(place)
                self._found.append(None)
                continue
            edge = self._edge(step)
            self._found.append(edge)
            if edge is not None and self._usable(edge):
                continue
            if place in climbs:
                # Whether it was pruned or not, a unary result upon it may stand.
                spared.append(place)
                continue
            lost.add(place)
            yield self._loss(step, edge)
        if not lost:
            # The record of a chart lets unary parents climb on what the search itself passes over.
            yield from (self._loss(self._steps[number], self._found[number]) for number in spared)

    def _edge(self, step: DerivationStep) -> Edge | None:
        """Return the edge of a step, or a better one of the same signature."""
        number = self._trace.find_edge(step, self._tags, self._item(step.left), self._item(step.right))
        return self._trace.edge(number) if number >= 0 else None

    def _item(self, number: int) -> int:
        edge = self._found[number] if number >= 0 else None
        return edge.item if edge is not None else -1

    def _usable(self, edge: Edge) -> bool:
        if edge.item < 0 or edge.pruning_reason not in (_KEPT, _DOMINATED) or self._falls_behind(edge):
            return False
        return any(item.number == edge.item for item in self._trace.cell(edge.start, edge.end).items)

    def _falls_behind(self, edge: Edge) -> bool:
        """Return whether a list of derivations lacks this one, though what dominates it stands:
        it is itself out of the beam.

        Words and baseNPs are all there before the beam is known.
        """
        if not self._listed or edge.pruning_reason != _DOMINATED or edge.kind in (WORD_STEP, BASE_STEP):
            return False
        return self._beyond(edge.start, edge.end, edge.kind, edge.score) > 0

    def _beyond(self, start: int, end: int, kind: str, score: float) -> float:
        """By how many nats a score lies under the beam of its cell."""
        items = self._trace.cell(start, end).items
        slack = self._slack if kind == UNARY_STEP else 0.0
        return items[0].score - math.log(self._trace.beam) - slack - score if items else math.nan

    def _loss(self, step: DerivationStep, edge: Edge | None) -> Loss:
        start, end = step.start, step.end
        items = self._trace.cell(start, end).items
        best = items[0].score if items else math.nan
        where, beam = (start, end, step.label, step.head, step.kind), self._trace.beam
        if edge is None:
            return Loss(*where, NEVER_PROPOSED, math.nan, math.nan, best, -1, beam)
        reason, margin, score = edge.pruning_reason, edge.margin, edge.score
        if reason == _DOMINATED:
            # What dominated it was pruned itself, or stands for it in vain.
            score += 0.0 if self._falls_behind(edge) else margin
            reason, margin = OUT_OF_BEAM, self._beyond(start, end, step.kind, score)
        elif reason == OUT_OF_BEAM and step.kind == UNARY_STEP:
            margin -= self._slack
        return Loss(*where, reason, margin, score, best, edge.number, beam)


# Repair of search errors: the smallest change of β, of the threshold or of the list that finds a tree the search lost.
#
# Every change that is named was tried: with it the parser finds the tree, or one that scores at least as high.  Where
# parses are chosen by expected F1 the list may hold such a tree and the vote go against it: then the choice by score
# is a part of the change, or all of it.

WIDEST_BEAM = 1e9
CLOSE_ENOUGH = math.log(1.01)
"""How close to the smallest β the search for it comes."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The smallest change of the search after which the parser finds the gold tree or one at least as good.

    Attributes
    ----------
    beam
        The smallest β, rounded up to three digits; ``None`` if it stays.
    rerank
        The shortest list to re-rank; ``None`` if it stays.
    threshold
        Where the threshold has to start; ``None`` if it stays.  Without a re-ranker it always does: what is better than
        the parse is above the threshold that the parse is above.
    score
        The score of what is then found.
    finds_gold
        Whether that is the gold tree itself.
    by_score
        Whether parses have to be chosen by score, and no longer by expected F1.
    """

    beam: float | None
    rerank: int | None
    threshold: float | None
    score: float
    finds_gold: bool
    by_score: bool = False

    def applied(self, settings: Settings) -> Settings:
        """Settings with the change."""
        return replace(settings, **self.changes())

    def changes(self) -> dict[str, Any]:
        """Return the settings that change."""
        named = {"beam": self.beam, "rerank": self.rerank, "threshold": self.threshold}
        changed: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        return {**changed, "expected_f1": False} if self.by_score else changed


class BeamRepairSearch:
    """Tries other settings of the search on one sentence.

    Parameters
    ----------
    parser, sentence
        The parser, and what it parsed.
    gold
        The tree that it did not find (:meth:`engine.chart.parser.Parser.score`).
    control
        Stops the work from another thread.
    """

    def __init__(
        self,
        parser: Parser,
        sentence: TaggedSentence | TagDistribution,
        gold: Scored,
        control: Control | None = None,
    ) -> None:
        self._parser = parser
        self._settings = parser.settings
        self._sentence = sentence
        self._gold = gold
        self._control = control

    def choice_by_score(self) -> Repair | None:
        """Return the choice by score, if that alone finds the tree: the list has it, or a better one,
        and it lost the vote.
        """
        return self._tried(None, None, None)

    def smallest_beam(self, threshold: float | None = None, rerank: int | None = None) -> Repair | None:
        """Return the smallest β above the parser's own that finds the tree; ``None`` if no β up to 10⁹ does.

        Found within that β: not after a pass that found nothing.
        """

        def tried(beam: float) -> Repair | None:
            return self._tried(beam, threshold, rerank)

        low = high = float(self._settings.beam)
        repair = None
        while repair is None and high < WIDEST_BEAM:
            low, high = high, min(high * 10, WIDEST_BEAM)
            repair = tried(high)
        if repair is None:
            return None
        while math.log(high / low) > CLOSE_ENOUGH:
            middle = math.sqrt(low * high)
            better = tried(middle)
            if better is not None:
                repair, high = better, middle
            else:
                low = middle
        # Pruning is not quite monotonic: the rounded β is tried too before it is named.
        for digits in (3, 4, 5):
            if (better := tried(_rounded_up(high, digits))) is not None:
                return better
        return repair

    def shortest_list(self, beam: float | None = None, threshold: float | None = None) -> Repair | None:
        """Return the shortest list of parses to re-rank that finds the tree;
        ``None`` if the longest list is not enough.
        """

        def tried(length: int) -> Repair | None:
            return self._tried(beam, threshold, length)

        low, high = self._settings.rerank, MOST_RERANKED
        repair = tried(high)
        if repair is None:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            better = tried(middle)
            if better is not None:
                repair, high = better, middle
            else:
                low = middle
        return repair

    @property
    def within_reach(self) -> bool:
        """Whether the widest search finds the tree: without it no change of the search is to any avail."""
        rerank = MOST_RERANKED if self._parser.reranks else None
        return self._tried(max(WIDEST_BEAM, self._settings.beam), self._lower_threshold, rerank) is not None

    def smallest(self) -> Repair | None:
        """Return the smallest change that finds the tree: of β alone, else of the threshold, else of the list too."""
        if not self._parser.reranks:
            return self.smallest_beam()
        # Of a list of the best any may lie under a threshold that the best is above.
        return next((found for attempt in self._attempts() if (found := attempt()) is not None), None)

    def _attempts(self) -> Iterator[Callable[[], Repair | None]]:
        lower = self._lower_threshold
        yield self.smallest_beam
        if lower is not None:
            yield lambda: self._tried(None, lower, None)
            yield lambda: self.smallest_beam(lower)
        yield self._beam_and_list

    def _beam_and_list(self) -> Repair | None:
        lower = self._lower_threshold
        widened = self._tried(None, lower, MOST_RERANKED) or self.smallest_beam(lower, MOST_RERANKED)
        if widened is None:
            return None
        return self.shortest_list(widened.beam, lower) or widened

    @property
    def _lower_threshold(self) -> float | None:
        """A threshold under the tree, no constituent of which is less probable; ``None`` if the present one is."""
        lower = float(math.floor(self._gold.log_probability))
        return lower if self._parser.reranks and lower < self._settings.first_threshold else None

    def _tried(self, beam: float | None, threshold: float | None, rerank: int | None) -> Repair | None:
        asked = Repair(beam, rerank, threshold, -math.inf, False)
        found = self._parsed(asked)
        wanted = self._gold.score - TOLERANCE
        # Where nothing is found the parser itself widens the beam, by far: that would not be the smallest.
        if found.fallback or found.narrowed or (beam is not None and found.widened):
            return None
        if found.score < wanted and found.votes is not None and found.votes.best_score >= wanted:
            asked = replace(asked, by_score=True)
            found = self._parsed(asked)
        if found.score < wanted:
            return None
        return replace(asked, score=found.score, finds_gold=self._is_gold(found))

    def _parsed(self, asked: Repair) -> Parse:
        changed = Parser(self._parser.model, asked.applied(self._settings))
        return changed.parse(self._sentence, control=self._control)

    def _is_gold(self, found: Parse) -> bool:
        tokens: Sequence[int] = found.sentence.positions
        return same_structure(found.roots, tokens, self._gold.root, self._gold.sentence.positions)


def _rounded_up(value: float, digits: int) -> float:
    scale = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return float(f"{math.ceil(value / scale) * scale:.{digits}g}")


# Verdicts on wrong parses: the model, the search, the tags, the re-ranker, the vote, or gold outside the model.
#
# A parse is *right* if the model holds it and the gold tree for the same: the same baseNPs, constituents and heads
# (:attr:`engine.study.TreeComparison.same_structure`).  Brackets inside baseNPs, ``X -> X``, the place of
# punctuation
# and tags that change no constituent are outside the score; they are named beside the verdict and never change it.


class VerdictKind(StrEnum):
    """What is to blame."""

    RIGHT = "right"
    MODEL = "model error"
    """The model gives the gold tree less than the parse."""
    SEARCH = "search error"
    """The model gives the gold tree more than the parse, but the beam lost it."""
    OUTSIDE = "outside the model"
    """The model gives the gold tree nothing, or its rules forbid it."""
    TAGS = "tag error"
    """Wrong from automatic tags, right from the gold tags."""
    RERANKING = "re-ranking error"
    """The gold tree is more probable than the parse; the second model and the features put it behind."""
    LIST = "list too short"
    """The re-ranker would prefer the gold tree, but it is not among the n best that were re-ranked."""
    VOTED = "voted down"
    """The gold tree, or one as good, has a higher score than the parse, but a smaller expected F1 over the list."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a parse is not the gold tree.

    Attributes
    ----------
    kind
        What is to blame.
    comparison
        Where the parse (first) and the gold tree (second) differ.
    parse
        The parse.
    gold
        The gold tree's score, with its ledger: by the estimates of the judged parse, which may back off further than
        the settings say (:class:`engine.settings.FurtherBackoff`).
    nats
        The parse's score minus the gold tree's: above zero the model prefers the parse; ``inf`` where gold is
        impossible; not a number where the parse is a cover of fragments and has no score to compare.
    difference
        Factor against factor, gold minus parse; ``None`` for a cover of fragments.
    losses
        Of a search error: what of the gold tree was pruned from the chart, where and by which rule, first loss first.
    repair
        Of a search error or a list too short: the smallest change of β, or of the list, that repairs it; of a tree that
        was voted down the choice by score.  ``None`` if there is none, and where none was sought.
    sought
        Whether a repair was sought.
    strict
        Of a parse that is wrong: the gold tree's score by the estimates of the settings, whatever those of the parse.
    listed
        Of a tree that was voted down: the gold tree as it is in the list; ``None`` if only one as good is there.
    judged
        The parse that these figures are about: `parse` itself, or, where its tags are wrong and it is wrong from
        the gold tags too, the parse from the gold tags.
    """

    kind: VerdictKind
    comparison: TreeComparison
    parse: Parse
    gold: Scored
    nats: float
    judged: Parse
    difference: LedgerDifference | None = None
    losses: tuple[Loss, ...] = ()
    repair: Repair | None = None
    sought: bool = True
    strict: Scored | None = None
    listed: Parse | None = None

    @property
    def impossibilities(self) -> tuple[Impossibility, ...]:
        """What makes the gold tree impossible, if anything does, under the estimates of the settings."""
        return self.strict.impossibilities if self.strict is not None else ()

    @property
    def found_nothing(self) -> bool:
        """Whether the search found no tree with the estimates of the settings."""
        return self.judged.fallback or self.judged.further_backoff > FurtherBackoff.NONE


def verdict(
    parser: Parser,
    gold_tree: Tree,
    parse: Parse | None = None,
    *,
    sentence: TaggedSentence | TagDistribution | str | None = None,
    repair: bool = True,
    control: Control | None = None,
) -> Verdict:
    """Judge the parse of a sentence whose gold tree is known.

    Parameters
    ----------
    parser
        The parser.
    gold_tree
        The right tree, as it was read.
    parse
        The parser's own best parse without constraints; parsed here if it is not given.
    sentence
        What was parsed: the gold tree's words and tags if nothing is given, or those words tagged automatically;
        text is read as :meth:`Parser.parse` reads it.
    repair
        Whether to look for the smallest β (or list) that repairs a search error, which takes some twenty parses.
    control
        Stops the work from another thread.
    """
    cleaned = clean(gold_tree)
    if cleaned is None:
        raise EngineError("the gold tree has no words")
    gold_sentence = TaggedSentence.from_tree(cleaned)
    if sentence is None:
        sentence = gold_sentence if parse is None else parse.distribution or parse.sentence
    sentence = parser.prepare(sentence)
    if parse is None:
        parse = parser.parse(sentence, control=control)
    judge = _Judge(parser, gold_tree, repair, control)
    comparison = compare_trees(parse.tree, gold_tree, parser.model.rules)
    distribution = sentence if isinstance(sentence, TagDistribution) and parser.settings.tag_distribution else None
    if comparison.same_structure:
        return judge.right(parse, comparison, parser.score(gold_tree, distribution, parse.further_backoff))
    if not comparison.wrong_tags:
        return judge.wrong(sentence, parse, comparison, distribution)
    return judge.wrongly_tagged(sentence, gold_sentence, distribution, parse, comparison)


class _Judge:
    """Judges parses against one gold tree."""

    def __init__(self, parser: Parser, gold_tree: Tree, repair: bool, control: Control | None) -> None:
        self._parser = parser
        self._gold_tree = gold_tree
        self._repair = repair
        self._control = control

    def right(self, parse: Parse, comparison: TreeComparison, gold: Scored) -> Verdict:
        """Return the verdict on a parse that is right."""
        return Verdict(VerdictKind.RIGHT, comparison, parse, gold, 0.0, parse)

    def wrongly_tagged(
        self,
        sentence: TaggedSentence | TagDistribution,
        gold_sentence: TaggedSentence,
        distribution: TagDistribution | None,
        parse: Parse,
        comparison: TreeComparison,
    ) -> Verdict:
        """Return the verdict on a parse in which tags are wrong too: it is theirs, if it is right without them."""
        gold = self._parser.score(self._gold_tree, distribution, parse.further_backoff)
        retagged = self._parser.parse(gold_sentence, control=self._control)
        again = compare_trees(retagged.tree, self._gold_tree, self._parser.model.rules)
        if again.same_structure:
            # Under other tags that are not a part of the score the two scores say nothing about each other.
            difference, nats = _difference(parse, gold) if distribution is not None else (None, math.nan)
            return Verdict(VerdictKind.TAGS, comparison, parse, gold, nats, parse, difference)
        if distribution is not None and self._parser.score(self._gold_tree, distribution).possible:
            return self.wrong(sentence, parse, comparison, distribution)
        # The gold tree does not have these tags, so what the model thinks of it shows only under its own.
        return replace(self.wrong(gold_sentence, retagged, again, None), comparison=comparison, parse=parse)

    def wrong(
        self,
        sentence: TaggedSentence | TagDistribution,
        parse: Parse,
        comparison: TreeComparison,
        distribution: TagDistribution | None,
    ) -> Verdict:
        """Return the verdict on a parse that is wrong, under the tags that it has."""
        # Whether the gold tree is possible is for the estimates of the settings to say, whatever those of the parse.
        gold = strict = self._parser.score(self._gold_tree, distribution)
        if parse.further_backoff:
            gold = self._parser.score(self._gold_tree, distribution, parse.further_backoff)
        difference, nats = _difference(parse, gold)
        base = Verdict(VerdictKind.MODEL, comparison, parse, gold, nats, parse, difference, strict=strict)
        if not strict.possible:
            return replace(base, kind=VerdictKind.OUTSIDE)
        if base.found_nothing or nats < -TOLERANCE:
            return self._lost(sentence, base, strict)
        if self._parser.reranks and gold.log_probability > parse.log_probability + TOLERANCE:
            return replace(base, kind=VerdictKind.RERANKING)
        return base

    def _lost(self, sentence: TaggedSentence | TagDistribution, base: Verdict, gold: Scored) -> Verdict:
        """Return the verdict where the model prefers the gold tree, but the search did not come up with it.

        `gold` is scored by the estimates of the settings, with which it was searched for in vain.
        """
        parser, parse = self._parser, base.parse
        if base.found_nothing:
            parser = Parser(parser.model, replace(parser.settings, further_backoff=False))
        beam_repair = BeamRepairSearch(parser, sentence, gold, self._control)
        if not base.found_nothing and (repair := beam_repair.choice_by_score()) is not None:
            return replace(base, kind=VerdictKind.VOTED, repair=repair, listed=self._in_list(sentence, base))
        if parser.reranks and not base.found_nothing:
            repair = beam_repair.shortest_list()
            if repair is not None or not beam_repair.within_reach:
                return replace(base, kind=VerdictKind.LIST, repair=repair)
        traced = parse
        if parse.chart is None or parse.further_backoff:
            traced = parser.parse(sentence, trace=True, control=self._control)
        repair = beam_repair.smallest() if self._repair else None
        lost = losses(traced, gold)
        return replace(base, kind=VerdictKind.SEARCH, losses=lost, repair=repair, sought=self._repair)

    def _in_list(self, sentence: TaggedSentence | TagDistribution, base: Verdict) -> Parse | None:
        """Return the gold tree among the parses that were re-ranked, if it is there."""
        assert base.parse.votes is not None
        wanted = min(base.parse.votes.voters, MOST_PARSES)
        listed = self._parser.parse(sentence, n_best=wanted, control=self._control).alternatives
        tokens, gold = base.gold.sentence.positions, base.gold.root
        there = (one for one in listed if same_structure(one.roots, one.sentence.positions, gold, tokens))
        return max(there, key=lambda one: one.score, default=None)


def _difference(parse: Parse, gold: Scored) -> tuple[LedgerDifference | None, float]:
    if parse.fallback:
        return None, math.nan if gold.possible else math.inf
    difference = difference_of(parse.ledger(), gold.ledger)
    return difference, parse.score - gold.score if gold.possible else math.inf
