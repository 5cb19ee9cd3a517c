"""A chart that is full grows, and the search goes on with the cell in hand: nothing is found twice or lost."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.chart import search
from engine.chart import search as working_memory
from engine.chart.parser import Parser
from engine.common.errors import Cancelled
from engine.settings import Settings

SENTENCES = (
    "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
    "the old man the boats",
    "the dog saw Mary , and the man with the old telescope saw the dog in the park .",
)


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Charts that are full again and again, for every part begins with one row; which part was full is noted."""
    monkeypatch.setattr(working_memory, "FIRST_ROOM", dict.fromkeys(working_memory.FIRST_ROOM, 1))
    monkeypatch.setattr(working_memory, "FIRST_EDGES", 1)
    grow = working_memory.WorkingMemory.grow
    grown = []

    def noted(memory: working_memory.WorkingMemory, status: int) -> None:
        grown.append(status)
        grow(memory, status)

    monkeypatch.setattr(working_memory.WorkingMemory, "grow", noted)
    return grown


def found(parser: Parser, sentence: str) -> list[Any]:
    """Everything that a search found, and the whole chart with all that was pruned."""
    best = parser.parse(sentence, n_best=8)
    traced = parser.parse(sentence, trace=True)
    assert traced.chart is not None and len(traced.chart) > 20
    several = [(str(one.tree), one.log_probability, one.passes, one.beam) for one in best.alternatives]
    alone = str(traced.tree), traced.log_probability, traced.passes, traced.beam
    return [several, alone, list(traced.chart), traced.chart.items, list(traced.chart.overview())]


@pytest.mark.parametrize("preset", (1, 3, 4, 5))
def test_what_is_found_does_not_depend_on_the_room_at_first(
    classroom: engine.Model, preset: int, request: pytest.FixtureRequest
) -> None:
    settings = Settings.preset(preset)
    expected = [found(Parser(classroom, settings), sentence) for sentence in SENTENCES]
    grown = request.getfixturevalue("little_room")
    for sentence, wanted in zip(SENTENCES, expected, strict=True):
        grown.clear()
        assert found(Parser(classroom, settings), sentence) == wanted
        # Every part was full, and more than once.
        assert set(grown) == set(working_memory.FULL_PARTS) and len(grown) > 10


def test_a_chart_that_was_left_midway_serves_the_next_sentence(
    classroom: engine.Model, request: pytest.FixtureRequest
) -> None:
    expected = found(Parser.preset(classroom, 5), SENTENCES[0])
    request.getfixturevalue("little_room")
    parser = Parser.preset(classroom, 5)
    control = search.Control()
    control.cancel()
    with pytest.raises(Cancelled):
        parser.parse(SENTENCES[-1], control=control)
    assert found(parser, SENTENCES[0]) == expected
