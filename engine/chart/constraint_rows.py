"""Constraints as the chart reads them: what is allowed, demanded and forbidden, as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.chart.chart_layout import ANY_LABEL, DEMANDED_RELATION, MUST_BE_REDUCED, WORD_FORBIDDEN, SentenceArrays
from engine.common.arrays import Int32Array
from engine.model.model import Model
from engine.structure.constraints import ROOT_HEAD, Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS

NEVER = -3
"""A number that no triple and no label has."""


def apply(constraints: Sequence[Constraint], arrays: SentenceArrays, model: Model) -> SentenceArrays:
    """Write constraints into the numbers that the chart reads."""
    size = len(arrays.commas)
    # Sentences of a length share these.
    arrays = arrays._replace(
        base_allowed=arrays.base_allowed.copy(),
        arrow_allowed=arrays.arrow_allowed.copy(),
        demands=arrays.demands.copy(),
    )
    forbidden_relations: list[tuple[int, int, int]] = []
    demanded: list[tuple[int, int, int]] = []
    forbidden: list[tuple[int, int, int]] = []
    for constraint in constraints:
        match constraint:
            case GapTag(position, tag, forbid):
                rows = arrays.gaps[arrays.gap_starts[position] : arrays.gap_starts[position + 1]]
                chosen = GAP_LETTERS.index(tag)
                rows[:, chosen if forbid else np.arange(5) != chosen] = -np.inf
            case BaseSpan(start, end, True):
                arrays.base_allowed[start, end - 1] = 0
            case BaseSpan(start, end):
                for first in range(end):
                    arrays.base_allowed[first, max(first, start) :] = 0
                arrays.base_allowed[start, end - 1] = 1
                arrays.demands[start:end, WORD_FORBIDDEN] = 1
            case Attachment(modifier, head, relation, forbid):
                column = size if head == ROOT_HEAD else head
                triple = -1
                if relation is not None:
                    numbers = model.triple_numbers if head != ROOT_HEAD else model.root_numbers
                    triple = numbers.get(relation, NEVER)
                if forbid:
                    if relation is None:
                        arrays.arrow_allowed[modifier, column] = 0
                    else:
                        forbidden_relations.append((modifier, head, triple))
                else:
                    allowed = arrays.arrow_allowed[modifier, column]
                    arrays.arrow_allowed[modifier] = 0
                    arrays.arrow_allowed[modifier, column] = allowed
                    arrays.demands[modifier, MUST_BE_REDUCED] = 1
                    if relation is not None:
                        before = arrays.demands[modifier, DEMANDED_RELATION]
                        arrays.demands[modifier, DEMANDED_RELATION] = triple if before in (-1, triple) else NEVER
                        if arrays.demands[modifier, DEMANDED_RELATION] == NEVER:
                            arrays.arrow_allowed[modifier] = 0
            case Bracket(start, end, label, forbid):
                number = ANY_LABEL if label is None else model.label_numbers.get(label, NEVER)
                (forbidden if forbid else demanded).append((start, end - 1, number))
                if not forbid:
                    # No baseNP may absorb the bracket.
                    allowed_here = arrays.base_allowed[start, end - 1]
                    arrays.base_allowed[: start + 1, end - 1 :] = 0
                    arrays.base_allowed[start, end - 1] = allowed_here
            case FixedTag():
                pass
    return arrays._replace(
        forbidden_relations=_rows(forbidden_relations),
        demanded_brackets=_rows(demanded),
        forbidden_brackets=_rows(forbidden),
    )


def _rows(rows: list[tuple[int, int, int]]) -> Int32Array:
    return np.array(rows, np.int32).reshape(-1, 3)
