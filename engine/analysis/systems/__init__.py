"""Systems compared: several parsers on the same gold trees, with intervals and tests.

- :class:`ModelSystem`, :class:`TreesSystem`: a model of ours with settings, or a file of another parser's trees;
- :func:`compare_systems`: runs them over gold trees and returns a :class:`SystemsReport`;
- :func:`judge_tree`: any one tree scored, priced and judged under our model, and held against gold;
- :func:`read_foreign_trees`: another parser's trees in the words of the gold trees, or what differs, token by token.

What the intervals and tests are is told in :mod:`engine.evaluation.significance`.
"""

from engine.analysis.systems.counted_measures import ERROR_RATES, MEASURES
from engine.analysis.systems.foreign_trees import ForeignTrees, Problem, TokenDifference, read_foreign_trees
from engine.analysis.systems.system import ModelSystem, System, TreesSystem
from engine.analysis.systems.system_results import (
    Results,
    SentenceResult,
    SystemResult,
    run_systems,
    sentence_result,
)
from engine.analysis.systems.systems_report import (
    LENGTH_BINS,
    ErrorRow,
    LengthBin,
    Pair,
    SentenceRow,
    SystemsReport,
    compare_systems,
    report_of,
)
from engine.analysis.systems.tree_judgement import GoldStanding, PricedArrow, TreeJudgement, judge_tree
from engine.evaluation.significance import Interval, PairedTest

__all__ = [
    "ERROR_RATES",
    "LENGTH_BINS",
    "MEASURES",
    "ErrorRow",
    "ForeignTrees",
    "GoldStanding",
    "Interval",
    "LengthBin",
    "ModelSystem",
    "Pair",
    "PairedTest",
    "PricedArrow",
    "Problem",
    "Results",
    "SentenceResult",
    "SentenceRow",
    "System",
    "SystemResult",
    "SystemsReport",
    "TokenDifference",
    "TreeJudgement",
    "TreesSystem",
    "compare_systems",
    "judge_tree",
    "read_foreign_trees",
    "report_of",
    "run_systems",
    "sentence_result",
]
