"""A gold tree as a parse: scored by the model, so that pictures, ledgers and comparisons take it like any other."""

from __future__ import annotations

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.settings import FurtherBackoff
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import Tree


def gold_parse(
    parser: Parser,
    tree: Tree,
    distribution: TagDistribution | None = None,
    further_backoff: FurtherBackoff = FurtherBackoff.NONE,
) -> Parse:
    """A gold tree as if it had been parsed: with the model's score, impossible though it may be.

    To be held against a parse with further back-off it is scored with the same.
    """
    scored = parser.score(tree, distribution, further_backoff)
    held = distribution if parser.settings.tag_distribution else None
    settings, ledger = parser.settings, scored.ledger
    parse = Parse(
        parser.model,
        settings,
        scored.sentence,
        (scored.root,),
        ledger.log_probability,
        1,
        settings.beam,
        held,
        further_backoff=further_backoff,
    )
    parse.score = ledger.total
    # What is drawn is the tree itself, with what the model does not see of it.
    parse.tree = tree
    return parse
