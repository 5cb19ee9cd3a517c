"""Why is this parse wrong?  A parse held against a gold tree, or any two trees of the same words against each other.

- :func:`compare_trees`: constituents and dependencies in both trees, and in one alone;
- :func:`ledger_difference`: factor against factor, what makes the one score higher than the other;
- :func:`verdict`: what is to blame for a wrong parse, with the figures, in a sentence;
- :func:`mistakes`: what was got wrong, by kind: PP attachment, co-ordination, ...;
- :func:`attachment_prices`: what every other head of every word would cost;
- :func:`judge_all` and :class:`Report`: all of it over a treebank.

Everywhere the first tree is the parse, the second is gold.
"""

from engine.analysis.comparison.attachment_prices import AttachmentPrice, WordPrices, attachment_prices
from engine.analysis.comparison.beam_repair import Repair, Widening
from engine.analysis.comparison.error_classes import Mistake, MistakeKind, mistakes
from engine.analysis.comparison.ledger_differences import LedgerDifference, LedgerRow, ledger_difference
from engine.analysis.comparison.search_losses import Loss, losses
from engine.analysis.comparison.tree_comparison import Arrow, Span, TreeComparison, compare_trees
from engine.analysis.comparison.treebank_report import Judgement, Report, judge, judge_all
from engine.analysis.comparison.verdicts import Verdict, VerdictKind, verdict
from engine.chart.impossibility import Cause, Obstacle

__all__ = [
    "Arrow",
    "AttachmentPrice",
    "Cause",
    "Judgement",
    "LedgerDifference",
    "LedgerRow",
    "Loss",
    "Mistake",
    "MistakeKind",
    "Obstacle",
    "Repair",
    "Report",
    "Span",
    "TreeComparison",
    "Verdict",
    "VerdictKind",
    "Widening",
    "WordPrices",
    "attachment_prices",
    "compare_trees",
    "judge",
    "judge_all",
    "ledger_difference",
    "losses",
    "mistakes",
    "verdict",
]
