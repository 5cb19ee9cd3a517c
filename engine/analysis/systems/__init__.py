"""Systems compared: several parsers on the same gold trees, with intervals and tests.

- :class:`ModelSystem`, :class:`TreesSystem`: a model of ours with settings, or a file of another parser's trees;
- :func:`compare_systems`: runs them over gold trees and returns a :class:`SystemsReport`;
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
from engine.evaluation.significance import Interval, PairedTest

__all__ = [
    "ERROR_RATES",
    "LENGTH_BINS",
    "MEASURES",
    "ErrorRow",
    "ForeignTrees",
    "Interval",
    "LengthBin",
    "ModelSystem",
    "Pair",
    "PairedTest",
    "Problem",
    "Results",
    "SentenceResult",
    "SentenceRow",
    "System",
    "SystemResult",
    "SystemsReport",
    "TokenDifference",
    "TreesSystem",
    "compare_systems",
    "read_foreign_trees",
    "report_of",
    "run_systems",
    "sentence_result",
]
