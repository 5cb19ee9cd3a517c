"""Verdicts on wrong parses: the model, the search, the tags, the re-ranker, the vote, or gold outside the model."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.chart.parse import Impossibility, Parse, Scored
from engine.chart.parser import MOST_PARSES, Parser
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.settings import FurtherBackoff
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import (
    LedgerDifference,
    TreeComparison,
    compare_trees,
    difference_of,
    same_structure,
)
from engine.study.search_errors import TOLERANCE, BeamRepairSearch, Loss, Repair, losses
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import Tree, clean

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
        return judge.right(parse, comparison, parser.score(gold_tree, None, parse.further_backoff))
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
        if self._parser.reranks and gold.ledger.log_probability > parse.log_probability + TOLERANCE:
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
    return difference, parse.score - gold.log_probability if gold.possible else math.inf
