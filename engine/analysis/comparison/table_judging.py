"""Judgements for a table of errors: of each only what is counted, so that it travels quickly between processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from engine.analysis.comparison.treebank_report import Judgement, judge
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError, ModelError
from engine.evaluation.provenance import fingerprint
from engine.model.model import Model
from engine.settings import Settings
from engine.trees.tree_reading import read_tree


class TableJudgement(NamedTuple):
    """What became of one tree.

    Attributes
    ----------
    judgement
        Without trees and factors; ``None`` where there is nothing to judge.
    failed
        Whether that is because the sentence cannot be parsed, and not because it has no words.
    """

    judgement: Judgement | None
    failed: bool = False


def table_judge(
    model: Model,
    settings: Settings,
    gold_tags: bool = True,
    expected: int | None = None,
    control: Control | None = None,
) -> Callable[[tuple[int, str]], TableJudgement]:
    """Make what judges one tree, given as its number and brackets.

    Parameters
    ----------
    model, settings, gold_tags
        As :func:`engine.analysis.comparison.treebank_report.judge` takes them; nothing is repaired.
    expected
        The fingerprint that the model must have: another process may find another model in the file.
    control
        Stops the work from another thread.
    """
    if expected is not None and fingerprint(model) != expected:
        raise ModelError("the model's file is another one than was opened; open the model again")
    parser = Parser(model, settings)

    def judge_tree(numbered: tuple[int, str]) -> TableJudgement:
        number, text = numbered
        try:
            found = judge(parser, read_tree(text), number, gold_tags=gold_tags, repair=False, control=control)
        except Cancelled:
            raise
        except EngineError:
            return TableJudgement(None, failed=True)
        lean = replace(found, parse_tree="", gold_tree="", factors=()) if found is not None else None
        return TableJudgement(lean)

    return judge_tree
