"""Any tree under our model: its score, its price, why our parser has another one, and how it stands to gold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from engine.chart.parse import Parse, Scored
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import ChartTooLarge, EngineError
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import Arrow, LedgerDifference, difference_of, f1_of
from engine.study.errors import ParseError, classify_errors
from engine.study.foreign_trees import quoted_tokens, respelled, token_differences, token_words
from engine.study.parseval import SentenceScore, score_pair
from engine.study.prices import MOST_NATS, attachment_prices
from engine.study.verdicts import Verdict, verdict
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import Tree


class PricedArrow(NamedTuple):
    """An arrow of the tree that our parse has not.

    `price` is what the best parse with it loses against ours, in nats of log probability without a re-ranker;
    ``None`` if that is more than :data:`engine.study.prices.MOST_NATS`, or impossible.
    """

    arrow: Arrow
    price: float | None


@dataclass(frozen=True, slots=True)
class GoldStanding:
    """A tree against the gold tree: PARSEVAL's counts, its errors, and which of the two our model prefers.

    `gold` is the gold tree's score; `nats` is the tree's score less that, above zero where our model prefers the tree.
    """

    score: SentenceScore
    errors: tuple[ParseError, ...]
    gold: Scored
    nats: float

    @property
    def f1(self) -> float:
        """F1 of the tree in per cent."""
        return f1_of(self.score.matched, self.score.gold, self.score.proposed)


@dataclass(frozen=True, slots=True)
class TreeJudgement:
    """A tree of another parser, or of anybody, under our model.

    Attributes
    ----------
    tree, scored
        The tree, and its score with every factor; or what makes it impossible.
    parse
        What our parser makes of the same words.
    verdict
        Why our parser has not this tree, the tree taken for gold.
    differences
        What the tree has otherwise than our parse, by class of error.
    difference
        Factor against factor, the tree less our parse; ``None`` where our parse is a cover of fragments.
    prices
        What each arrow of the tree that our parse has not would cost.
    standing
        The tree against gold, if the gold tree is known.
    """

    tree: Tree
    scored: Scored
    parse: Parse
    verdict: Verdict
    differences: tuple[ParseError, ...]
    difference: LedgerDifference | None
    prices: tuple[PricedArrow, ...]
    standing: GoldStanding | None = None


def judge_tree(
    parser: Parser,
    tree: Tree,
    *,
    gold: Tree | None = None,
    sentence: TaggedSentence | TagDistribution | None = None,
    control: Control | None = None,
) -> TreeJudgement:
    """Score, explain, price and judge any tree as if our parser had to defend its own against it.

    Parameters
    ----------
    parser
        Our model and settings.
    tree
        The tree, with whatever traces and function tags.
    gold
        The gold tree of the same words, if it is known.
    sentence
        What our parser parses: the tree's words and tags if nothing is given, or its words tagged otherwise.
    control
        Stops the work from another thread.
    """
    words = token_words(gold) if gold is not None else list(_words(sentence)) if sentence is not None else None
    if words is not None:
        differing = token_differences(words, token_words(tree))
        if differing:
            whose = "the gold tree" if gold is not None else "the sentence"
            place = differing[0]
            raise EngineError(
                f"the tokens of the tree are not those of {whose}: from token {place.token} on {whose} has "
                f"{quoted_tokens(place.gold)}, the tree {quoted_tokens(place.theirs)}"
            )
        tree = respelled(tree, words)
    found = verdict(parser, tree, sentence=sentence, repair=False, control=control)
    parse = found.parse
    distribution = parse.distribution if sentence is not None else None
    scored = parser.score(tree, distribution, parse.further_backoff)
    difference = None if parse.fallback else difference_of(parse.ledger(), scored.ledger)
    standing = None
    if gold is not None:
        right = parser.score(gold, distribution, parse.further_backoff)
        errors = tuple(classify_errors(tree, gold))
        ahead = scored.log_probability - right.log_probability if scored.possible and right.possible else math.nan
        standing = GoldStanding(score_pair(gold, tree), errors, right, ahead)
    return TreeJudgement(
        tree,
        scored,
        parse,
        found,
        tuple(classify_errors(tree, parse.tree)),
        difference,
        tuple(_prices(parser, found, control)),
        standing,
    )


def _words(sentence: TaggedSentence | TagDistribution) -> tuple[str, ...]:
    return sentence.sentence.words if isinstance(sentence, TagDistribution) else sentence.words


def _prices(parser: Parser, found: Verdict, control: Control | None) -> list[PricedArrow]:
    """Return the price of every arrow that the tree has and our parse has not; none if they are too much work."""
    arrows, parse = found.comparison.missing_arrows, found.parse
    if not arrows or parse.fallback:
        return []
    sentence = parse.sentence
    places = {token: position for position, token in enumerate(sentence.positions)}
    asked = parse.distribution or sentence
    try:
        words = list(attachment_prices(parser, asked, parse, most=MOST_NATS, control=control))
    except ChartTooLarge:
        return []
    priced = {(price.modifier, price.head, price.relation): price.cost for word in words for price in word.prices}
    return [
        PricedArrow(
            arrow,
            priced.get((places.get(arrow.modifier, -1), places.get(arrow.head, -1), arrow.relation)),
        )
        for arrow in arrows
    ]
