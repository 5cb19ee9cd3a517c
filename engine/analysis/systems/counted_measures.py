"""What is counted of a sentence, and the measures that are ratios of its sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.analysis.comparison.error_classes import ErrorClass
from engine.analysis.systems.system_results import SentenceResult
from engine.evaluation.significance import Floats, Ratio

_COUNTS = ("matched", "gold", "proposed", "crossing", "complete", "scored")
_CLASSES = tuple(ErrorClass)
_COLUMNS = (*_COUNTS, *_CLASSES, "one")
"""What is counted of a sentence, a column each; the last is 1, so that a mean is a ratio of sums, too."""


def _ratio(above: Mapping[str, float], below: Mapping[str, float], **how: Any) -> Ratio:
    numerator, denominator = (tuple(side.get(name, 0.0) for name in _COLUMNS) for side in (above, below))
    return Ratio(numerator, denominator, **how)


MEASURES: dict[str, Ratio] = {
    "labeled_recall": _ratio({"matched": 1}, {"gold": 1}, of_nothing=100.0),
    "labeled_precision": _ratio({"matched": 1}, {"proposed": 1}),
    "f1": _ratio({"matched": 2}, {"gold": 1, "proposed": 1}, of_nothing=100.0),
    "crossing": _ratio({"crossing": 1}, {"scored": 1}, scale=1.0, higher_is_better=False, of_nothing=float("nan")),
    "complete_match": _ratio({"complete": 1}, {"scored": 1}),
}
"""The measures with an interval, called what :data:`engine.evaluation.parseval.MEASURES` calls them."""
F1 = "f1"
ERROR_RATES: dict[ErrorClass, Ratio] = {
    kind: _ratio({kind: 1}, {"one": 1}, scale=100.0, higher_is_better=False) for kind in _CLASSES
}
"""Errors of each class in a hundred sentences."""


def counts_of(sentences: Sequence[SentenceResult]) -> Floats:
    """The counts of a system: a row for each sentence, a column for each of what is counted."""
    return np.asarray([tuple(_counted(one)) for one in sentences], dtype=np.float64).reshape(-1, len(_COLUMNS))


def _counted(one: SentenceResult) -> Iterator[int]:
    score = one.score
    errors = dict(one.errors)
    # A sentence without a parse, or of punctuation alone, takes no part in crossing brackets and complete match.
    scored = not score.failed and score.tokens > 0
    yield from (score.matched, score.gold, score.proposed, score.crossing, score.complete and scored, scored)
    yield from (errors.get(kind, 0) for kind in _CLASSES)
    yield 1


def errors_of(sentences: Sequence[SentenceResult]) -> Counter[ErrorClass]:
    """How many errors of each class a system made."""
    return sum((Counter(dict(one.errors)) for one in sentences), Counter[ErrorClass]())
