"""The whole chart in brief, and the chart of a sentence that was parsed already: the same as cell by cell, at once."""

from __future__ import annotations

import pytest

import engine
from engine.chart.parser import Parser
from engine.chart.trace import PRUNING_REASONS, Trace

SENTENCES = (
    "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD his/PRP$ resignation/NN ./.",
    "dog/NN dog/VBD man/DT man/DT",
    "Mary/NNP",
)


def contents(trace: Trace) -> tuple[list[str], list[str]]:
    """All that a trace holds."""
    return [str(item) for item in trace.items], [str(edge) for edge in trace]


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("beam", [2.0, 1000.0])
def test_the_overview_is_what_the_cells_say(classroom: engine.Model, text: str, beam: float) -> None:
    trace = Parser.preset(classroom, 5, beam=beam).parse(text, trace=True).chart
    assert trace is not None
    seen = []
    added = 0
    for one in trace.overview():
        cell = trace.cell(one.start, one.end)
        seen.append((one.start, one.end))
        assert dict(zip(PRUNING_REASONS, one.reason_counts, strict=True)) == cell.reason_counts
        assert one.survivors == len(cell.items)
        if cell.items:
            best = cell.items[0]
            assert (one.label, one.head, one.score) == (best.label, best.head, best.score)
        else:
            assert (one.label, one.head, one.score) == ("", -1, 0.0)
        assert one.first == added
        added += sum(one.reason_counts)
    assert added == len(trace)
    assert sorted(seen) == [(start, end) for start in range(trace.size) for end in range(start + 1, trace.size + 1)]


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("preset", [1, 4, 5])
def test_the_chart_can_be_had_after_the_parse(classroom: engine.Model, text: str, preset: int) -> None:
    parser = Parser.preset(classroom, preset)
    parser.parse(text)
    later = parser.trace_last()
    traced = parser.parse(text, n_best=10, trace=True).chart
    assert traced is not None
    assert contents(later) == contents(traced)
    assert (later.threshold, later.beam, later.passes) == (traced.threshold, traced.beam, traced.passes)


def test_a_chart_is_kept_up_to_a_limit_and_the_parser_goes_on(classroom: engine.Model) -> None:
    parser = Parser.preset(classroom, 3)
    parser.parse(SENTENCES[0])
    size = len(parser.trace_last())
    assert len(parser.trace_last(most=size)) == size
    with pytest.raises(engine.ChartTooLarge, match="smaller β"):
        parser.trace_last(most=size - 1)
    assert len(parser.trace_last()) == size


def test_without_a_parse_there_is_no_chart(classroom: engine.Model) -> None:
    with pytest.raises(engine.EngineError, match="no chart"):
        Parser.preset(classroom, 3).trace_last()
