"""Comparison of a parse with a gold tree, or of any two trees of the same words: what differs, and why.

- :func:`compare_trees`: constituents and dependencies in both trees, and in one alone;
- :func:`ledger_difference`: factor against factor, what makes the one score higher than the other;
- :func:`verdict`: what is to blame for a wrong parse, with the figures, in a sentence;
- :func:`classify_errors`: what was got wrong, by class: PP attachment, co-ordination, ...;
- :func:`attachment_prices`: what every other head of every word would cost;
- :func:`judge_all` and :class:`Report`: all of it over a treebank.

Everywhere the first tree is the parse, the second is gold.
"""

from engine.analysis.comparison.attachment_prices import AttachmentPrice, WordPrices, attachment_prices
from engine.analysis.comparison.beam_repair import BeamRepairSearch, Repair
from engine.analysis.comparison.error_classes import ErrorClass, ParseError, classify_errors
from engine.analysis.comparison.ledger_differences import LedgerDifference, LedgerRow, ledger_difference
from engine.analysis.comparison.search_losses import Loss, losses
from engine.analysis.comparison.tree_comparison import Arrow, Span, TreeComparison, compare_trees
from engine.analysis.comparison.treebank_report import Judgement, Report, judge, judge_all
from engine.analysis.comparison.verdicts import Verdict, VerdictKind, verdict
from engine.chart.impossibility import Cause, Impossibility

__all__ = [
    "Arrow",
    "AttachmentPrice",
    "BeamRepairSearch",
    "Cause",
    "ErrorClass",
    "Impossibility",
    "Judgement",
    "LedgerDifference",
    "LedgerRow",
    "Loss",
    "ParseError",
    "Repair",
    "Report",
    "Span",
    "TreeComparison",
    "Verdict",
    "VerdictKind",
    "WordPrices",
    "attachment_prices",
    "classify_errors",
    "compare_trees",
    "judge",
    "judge_all",
    "ledger_difference",
    "losses",
    "verdict",
]
