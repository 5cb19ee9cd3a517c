"""A search that first looks above the threshold it expects a parse to have: the same parses, found sooner."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chart import search
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Search
from tests.engine.reranked_models import classroom_trees, reranked_classroom, words_of


def told(parse: Parse) -> list[tuple[object, ...]]:
    """All that a person sees of the n best."""
    return [
        (one.tree.brackets(), one.log_probability, one.score, one.expected_f1, one.passes, one.beam)
        for one in parse.alternatives
    ]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("changes", [{}, {"rerank": 10}, {"rerank": 0}, {"beam": 3.0}], ids=str)
def test_the_expected_threshold_changes_no_parse(
    monkeypatch: pytest.MonkeyPatch, share: float, changes: dict[str, Any]
) -> None:
    monkeypatch.setattr(search, "EXPECTED_SHARE", share)
    monkeypatch.setattr(search, "LISTED_WORDS", 1)
    monkeypatch.setattr(search, "LISTED_NATS", 1.0)
    refilled = 0
    again = Search.fill_for_list

    def counted(*given: Any) -> None:
        nonlocal refilled
        refilled += 1
        again(*given)

    monkeypatch.setattr(Search, "fill_for_list", counted)
    model = reranked_classroom()
    quick = Parser.preset(model, 5, **changes)
    # A threshold that is asked for is the first one.
    patient = Parser.preset(model, 5, threshold=quick.settings.first_threshold, **changes)
    for tree in classroom_trees()[::2]:
        sentence = words_of(tree)
        for several in (1, 4):
            assert told(quick.parse(sentence, n_best=several)) == told(patient.parse(sentence, n_best=several))
        traced, expected = quick.parse(sentence, trace=True).chart, patient.parse(sentence, trace=True).chart
        assert (traced is None) == (expected is None)
        if traced is not None and expected is not None:
            assert len(traced) == len(expected) and traced.threshold == expected.threshold
    assert bool(refilled) == bool(quick.settings.rerank)
