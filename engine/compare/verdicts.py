"""Why a parse is wrong: the model, the search, the tags, the re-ranker, or a gold tree that the model cannot have.

A parse is *right* if the model holds it and the gold tree for the same: the same baseNPs, constituents and heads
(:attr:`engine.compare.TreeComparison.same_structure`).  Brackets inside baseNPs, ``X -> X``, the place of punctuation
and tags that change no constituent are outside the score; they are told beside the verdict and never change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.compare.ledgers import LedgerDifference
from engine.compare.losses import Loss, Repair
from engine.compare.obstacles import Obstacle
from engine.compare.trees import TreeComparison
from engine.parse import Parse, Scored
from engine.parser import Parser
from engine.search import Control
from engine.sentence import TaggedSentence
from engine.tagging import TagDistribution
from engine.trees import Tree


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
    """The gold tree is more probable than the parse; the features of the re-ranker put it behind."""
    LIST = "list too short"
    """The re-ranker would prefer the gold tree, but it is not among the n best that were re-ranked."""


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
        The gold tree's score, with its ledger.
    nats
        The parse's score minus the gold tree's: above zero the model prefers the parse; ``inf`` where gold is
        impossible; not a number where the parse is a cover of fragments and has no score to compare.
    difference
        Factor against factor, gold minus parse; ``None`` for a cover of fragments.
    losses
        Of a search error: what of the gold tree fell out of the chart, where and by which rule, the first loss first.
    repair
        Of a search error or a list too short: the smallest change of β, or of the list, that repairs it.
    obstacles
        What makes the gold tree impossible, if anything does.
    judged_with_gold_tags
        Whether the parse from automatic tags was wrong, that from gold tags as well, and the latter is judged here.
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
    obstacles: tuple[Obstacle, ...] = ()
    judged_with_gold_tags: bool = False


def verdict(
    parser: Parser,
    gold_tree: Tree,
    parse: Parse | None = None,
    *,
    sentence: TaggedSentence | TagDistribution | None = None,
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
        What was parsed: the gold tree's words and tags if nothing is given, or those words tagged automatically.
    repair
        Whether to look for the smallest β (or list) that repairs a search error, which takes some twenty parses.
    control
        Stops the work from another thread.
    """
    raise NotImplementedError
