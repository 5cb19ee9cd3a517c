"""Verdicts on wrong parses: the model, the search, the tags, the re-ranker, the vote, or gold outside the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.chart.parse import Impossibility, Parse, Scored
from engine.chart.parser import MOST_PARSES, Parser
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.common.numbers import number, percents_told_apart
from engine.estimates.ledger import RERANKERS_KINDS, Factor, FactorKind
from engine.settings import MOST_RERANKED, FurtherBackoff
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import (
    LedgerDifference,
    LedgerRow,
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

    def counted(self, count: int) -> str:
        """So many sentences with this verdict, in words: ``5 model errors``, ``24 right``."""
        return f"{count:,} {self}" + ("s" if count != 1 and self.endswith("error") else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a parse is not the gold tree.

    Attributes
    ----------
    kind
        What is to blame.
    sentence
        The same for a person to read: one or two sentences with the figures that matter.
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
        was voted down the choice by score.
    impossibilities
        What makes the gold tree impossible, if anything does, under the estimates of the settings.
    judged
        The parse that these figures are about: `parse` itself, or, where its tags are wrong and it is wrong from
        the gold tags too, the parse from the gold tags.
    """

    kind: VerdictKind
    sentence: str
    comparison: TreeComparison
    parse: Parse
    gold: Scored
    nats: float
    difference: LedgerDifference | None = None
    losses: tuple[Loss, ...] = ()
    repair: Repair | None = None
    impossibilities: tuple[Impossibility, ...] = ()
    judged: Parse | None = None


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
        """The verdict on a parse that is right."""
        text = "Right: the parse is the gold tree."
        beside = []
        if comparison.internal_brackets:
            beside.append(f"{_several(len(comparison.internal_brackets), 'bracket')} inside baseNPs")
        others = len(comparison.missing) + len(comparison.extra) - len(comparison.internal_brackets)
        if others:
            beside.append(f"{_several(others, 'bracket')} that the model does not tell apart")
        if comparison.wrong_tags:
            beside.append(_several(len(comparison.wrong_tags), "tag"))
        if beside:
            text = f"Right as far as the score goes; beside it there differ {' and '.join(beside)}."
        return Verdict(VerdictKind.RIGHT, text, comparison, parse, gold, 0.0, judged=parse)

    def wrongly_tagged(
        self,
        sentence: TaggedSentence | TagDistribution,
        gold_sentence: TaggedSentence,
        distribution: TagDistribution | None,
        parse: Parse,
        comparison: TreeComparison,
    ) -> Verdict:
        """The verdict on a parse in which tags are wrong too: it is theirs, if it is right without them."""
        wrong = _wrong_tags(comparison)
        gold = self._parser.score(self._gold_tree, distribution, parse.further_backoff)
        retagged = self._parser.parse(gold_sentence, control=self._control)
        again = compare_trees(retagged.tree, self._gold_tree, self._parser.model.rules)
        if again.same_structure:
            text = f"Tag error: {wrong}; from the gold tags the parse is right."
            # Under other tags that are not a part of the score the two scores say nothing about each other.
            difference, nats = _difference(parse, gold) if distribution is not None else (None, math.nan)
            return Verdict(VerdictKind.TAGS, text, comparison, parse, gold, nats, difference, judged=parse)
        if distribution is not None and self._parser.score(self._gold_tree, distribution).possible:
            found = self.wrong(sentence, parse, comparison, distribution)
            return replace(found, sentence=f"{found.sentence} ({wrong[0].upper()}{wrong[1:]}.)")
        # The gold tree does not have these tags, so what the model thinks of it shows only under its own.
        found = self.wrong(gold_sentence, retagged, again, None)
        text = f"{wrong[0].upper()}{wrong[1:]}; from the gold tags it is still wrong. {found.sentence}"
        return replace(found, sentence=text, comparison=comparison, parse=parse)

    def wrong(
        self,
        sentence: TaggedSentence | TagDistribution,
        parse: Parse,
        comparison: TreeComparison,
        distribution: TagDistribution | None,
    ) -> Verdict:
        """The verdict on a parse that is wrong, under the tags that it has."""
        # Whether the gold tree is possible is for the estimates of the settings to say, whatever those of the parse.
        gold = allowed = self._parser.score(self._gold_tree, distribution)
        if parse.further_backoff:
            gold = self._parser.score(self._gold_tree, distribution, parse.further_backoff)
        difference, nats = _difference(parse, gold)
        base = Verdict(
            VerdictKind.MODEL,
            "",
            comparison,
            parse,
            gold,
            nats,
            difference,
            impossibilities=allowed.impossibilities,
            judged=parse,
        )
        if not allowed.possible:
            more = f" (and {len(allowed.impossibilities) - 1} more)" if len(allowed.impossibilities) > 1 else ""
            text = f"Outside the model: the parser cannot build the gold tree; {allowed.impossibilities[0].text}{more}."
            return replace(base, kind=VerdictKind.OUTSIDE, sentence=text + _further(parse, nats))
        if _found_nothing(parse) or nats < -TOLERANCE:
            return self._lost(sentence, base, allowed)
        assert difference is not None
        plain = gold.ledger.log_probability
        if self._parser.reranks and plain > parse.log_probability + TOLERANCE:
            blamed = "the second model and its features" if gold.ledger.second_model else "its features"
            text = (
                f"Re-ranking error: the gold tree is {_nats(plain - parse.log_probability)} more probable than the "
                f"parse, but {blamed} put it {_nats(nats)} behind.{_heaviest(difference, RERANKERS_KINDS)}"
            )
            return replace(base, kind=VerdictKind.RERANKING, sentence=text)
        if nats <= TOLERANCE:
            came = "the parse was found first" if parse.votes is None else "the parse has the greater expected F1"
            text = f"Model error: the model gives both trees the same score, and {came}."
        else:
            text = f"Model error: the model prefers the parse by {_nats(nats)}{_times(nats)}.{_heaviest(difference)}"
        return replace(base, sentence=text)

    def _lost(self, sentence: TaggedSentence | TagDistribution, base: Verdict, gold: Scored) -> Verdict:
        """The verdict where the model prefers the gold tree, but the search did not come up with it.

        `gold` is scored by the estimates of the settings, with which it was searched for in vain.
        """
        parser, parse = self._parser, base.parse
        ahead = f"the gold tree is ahead of the parse by {_nats(-base.nats)}, but"
        if _found_nothing(parse):
            ahead = (
                f"no tree was found, though gold is possible (log probability {number(gold.ledger.log_probability)}):"
            )
            parser = Parser(parser.model, replace(parser.settings, further_backoff=False))
        beam_repair = BeamRepairSearch(parser, sentence, gold, self._control)
        if not _found_nothing(parse) and (repair := beam_repair.choice_by_score()) is not None:
            return self._voted_down(sentence, base, repair)
        if parser.reranks and not _found_nothing(parse):
            length = parser.settings.rerank
            short = f"List too short: {ahead} it is not among the {length} parses that were re-ranked"
            if (repair := beam_repair.shortest_list()) is not None:
                text = f"{short}; {_listed(repair)}."
                return replace(base, kind=VerdictKind.LIST, sentence=text, repair=repair)
            if not beam_repair.within_reach:
                text = f"{short}, nor would it be among {MOST_RERANKED} with β = 10⁹."
                return replace(base, kind=VerdictKind.LIST, sentence=text)
        traced = parse
        if parse.chart is None or parse.further_backoff:
            traced = parser.parse(sentence, trace=True, control=self._control)
        lost = losses(traced, gold)
        repair = beam_repair.smallest() if self._repair else None
        text = f"Search error: {ahead} the search lost it"
        if lost:
            text += f": {lost[0].text}" + (f" (and {len(lost) - 1} more)" if len(lost) > 1 else "")
        text += "."
        if repair is not None:
            text += f" {_repaired(repair)}."
        elif self._repair:
            text += " No β up to 10⁹ finds it."
        return replace(base, kind=VerdictKind.SEARCH, sentence=text, losses=lost, repair=repair)

    def _voted_down(self, sentence: TaggedSentence | TagDistribution, base: Verdict, repair: Repair) -> Verdict:
        """The verdict where the list holds the gold tree, or one at least as good, but chose another by its vote."""
        parse, found = base.parse, self._in_list(sentence, base)
        ahead = f"the gold tree is ahead of the parse by {_nats(-base.nats)} in score"
        if found is not None:
            own, others = percents_told_apart(parse.expected_f1, found.expected_f1)
            text = f"Voted down: {ahead}, but its expected F1 over the list is {others}, and that of the parse {own}."
        else:
            text = f"Voted down: {ahead}; the list has not got it, but a tree that scores as high, which lost the vote."
        text += f" Choosing by score finds {'it' if repair.finds_gold else 'a tree at least as good'}."
        return replace(base, kind=VerdictKind.VOTED, sentence=text, repair=repair)

    def _in_list(self, sentence: TaggedSentence | TagDistribution, base: Verdict) -> Parse | None:
        """The gold tree among the parses that were re-ranked, if it is there."""
        assert base.parse.votes is not None
        wanted = min(base.parse.votes.voters, MOST_PARSES)
        listed = self._parser.parse(sentence, n_best=wanted, control=self._control).alternatives
        tokens, gold = base.gold.sentence.positions, base.gold.root
        there = (one for one in listed if same_structure(one.roots, one.sentence.positions, gold, tokens))
        return max(there, key=lambda one: one.score, default=None)


def _found_nothing(parse: Parse) -> bool:
    """Whether no tree was found with the estimates of the settings."""
    return parse.fallback or parse.further_backoff > FurtherBackoff.NONE


def _further(parse: Parse, nats: float) -> str:
    """What further back-off, if the parse was found with it, makes of the gold tree."""
    if not parse.further_backoff:
        return ""
    if math.isinf(nats):
        what = "under which the gold tree is impossible, too"
    elif abs(nats) <= TOLERANCE:
        what = "under which both trees have the same score"
    elif nats > 0:
        what = f"under which it is ahead by {_nats(nats)}"
    else:
        what = f"under which the gold tree is ahead by {_nats(-nats)}, but the search lost it"
    return f" The parse was found with further back-off, {what}."


def _listed(repair: Repair) -> str:
    """What a longer list, and if need be the choice by score from it, has."""
    held = "it" if repair.finds_gold else "a tree at least as good"
    return f"{repair.text} {'find' if repair.by_score else 'holds'} {held}"


def _repaired(repair: Repair) -> str:
    """What a repair does, as a sentence."""
    named = repair.text if repair.beam is not None else repair.text.capitalize()
    several = len(repair.changes()) > 1
    if repair.finds_gold:
        return f"{named} {'keep' if several else 'keeps'} it"
    return f"{named} {'find' if several else 'finds'} a tree at least as good"


def _difference(parse: Parse, gold: Scored) -> tuple[LedgerDifference | None, float]:
    if parse.fallback:
        return None, math.nan if gold.possible else math.inf
    difference = difference_of(parse.ledger(), gold.ledger)
    return difference, parse.score - gold.log_probability if gold.possible else math.inf


def _heaviest(difference: LedgerDifference, kinds: Sequence[FactorKind] = tuple(FactorKind)) -> str:
    """The row of some kinds that speaks most against the gold tree, in words."""
    rows = [row for row in difference.rows if row.contribution < 0 and row.kind in kinds]
    if not rows:
        return ""
    row = rows[0]

    def shown(factor: Factor | None) -> str:
        return f"`{factor.what}` ({number(factor.log)})" if factor is not None else "nothing"

    text = f" What weighs most: {shown(row.first)} in the parse, {shown(row.second)} in gold"
    if row.first is not None and row.second is not None and row.first.what == row.second.what:
        text += _other_distance(row.first, row.second)
    return f"{text}, a difference of {_nats(-row.contribution)}."


def _other_distance(first: Factor, second: Factor) -> str:
    """Where the same dependency is worth less in gold: what its Δ answers differently."""
    if first.distance is None or second.distance is None or first.distance == second.distance:
        return ""
    before = set(first.distance.words())
    changed = [answer for answer in second.distance.words() if answer not in before]
    return f" (in gold: {', '.join(changed)})" if changed else " (at another distance)"


def _wrong_tags(comparison: TreeComparison) -> str:
    words = comparison.second.words
    shown = [
        f"`{words[token]}` is tagged {comparison.first.tags[token]}, not {comparison.second.tags[token]}"
        for token in comparison.wrong_tags[:2]
    ]
    more = len(comparison.wrong_tags) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _nats(value: float) -> str:
    return f"{number(value)} nats" if abs(value) >= 0.0005 else "less than 0.001 nats"


def _times(nats: float) -> str:
    if nats < 0.05 or nats > 20:
        return ""
    # Two digits are enough.
    times = float(f"{math.exp(nats):.2g}")
    return f" ({times:,.0f} times as probable)" if times >= 10 else f" ({times:.1f} times as probable)"


def _several(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# Reasons of a verdict: what else stands against the gold tree beside what the verdict's own sentence names.

MOST_REASONS = 3
_LEAST = 0.005
"""Nats under which a difference is none."""
_AGAINST, _ALSO_AGAINST = "Against the gold tree speaks most", "Against the gold tree also speaks"
_FOR = "For the gold tree speaks most"


def verdict_reasons(verdict: Verdict) -> tuple[str, ...]:
    """Up to three sentences; none of a parse that is right."""
    if verdict.kind is VerdictKind.RIGHT:
        return ()
    # The first of each stands in the verdict's sentence.
    others = [one.text for one in verdict.impossibilities[1:MOST_REASONS]]
    others += [one.text for one in verdict.losses[1:MOST_REASONS]]
    reasons = [f"{text[:1].upper()}{text[1:]}." for text in others]
    if verdict.difference is not None and not reasons:
        reasons += _weightiest(verdict.difference, verdict.kind is VerdictKind.MODEL)
    return tuple(dict.fromkeys(reasons))[:MOST_REASONS]


def _weightiest(difference: LedgerDifference, named: bool) -> list[str]:
    """What speaks most against the gold tree, and what most for it, of what a linguist would call a reason.

    With `named` the verdict's sentence has named what weighs most of all, and what comes next is told.
    """
    rows = [row for row in difference.rows if math.isfinite(row.contribution)]
    against = [row for row in rows if row.contribution <= -_LEAST]
    first = against[:1] if named else []
    found = []
    for title, some in (
        (_ALSO_AGAINST if first else _AGAINST, [row for row in against if row not in first]),
        (_FOR, [row for row in rows if row.contribution >= _LEAST]),
    ):
        own = [row for row in some if row.kind not in RERANKERS_KINDS]
        if own:
            row = max(own, key=lambda row: abs(row.contribution))
            found.append(f"{title}: {_told(row)}, {number(abs(row.contribution), 2)} nats.")
    return found


def _told(row: LedgerRow) -> str:
    """What a row is about; words of the sentence stand between back-ticks."""
    if row.first is not None and row.second is not None and row.first.what != row.second.what:
        return f"`{row.second.what}` instead of `{row.first.what}`"
    if row.second is None:
        return f"it need not pay for `{row.first.what}`" if row.first is not None else row.what
    return f"`{row.second.what}`"
