"""The replay of a chart: every edge, the survivors, or the edges of one parse; by edge and by cell."""

from __future__ import annotations

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.chart import edge_headline, edge_parts
from engine.explain.context import ParseContext
from engine.explain.subjects import ChartCellId, EdgeId
from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import Box, Drawing
from explorer.pictures.facts import edge_label, facts_of
from explorer.pictures.options import ALL_EDGES, PARSE_EDGES, REPLAYS, SURVIVING_EDGES, TriangleOptions
from explorer.pictures.triangle import triangle_picture
from explorer.session.replay import ChartReplay, ReplayChoice, replay_of
from explorer.stages.player import Place, following
from tests.explorer.conftest import PAPER, TELESCOPE
from tests.stage_names import CHART, PARSE

SENTENCES = (
    TELESCOPE,
    PAPER,
    "the/DT dog/NN saw/VBD a/DT man/NN in/IN the/DT park/NN with/IN a/DT cat/NN ./.",
    "Mary/NNP slept/VBD ./.",
)


@pytest.fixture(scope="module", params=SENTENCES)
def parse(request: pytest.FixtureRequest, classroom: engine.Model) -> Parse:
    """A traced parse of each sentence, with others beside it."""
    return Parser.preset(classroom, 3).parse(request.param, trace=True, n_best=3)


def replay(parse: Parse, edges: str, by_cell: bool = False) -> ChartReplay:
    """The replay of a parse's chart."""
    found = replay_of(parse, ReplayChoice(edges, by_cell))
    assert found is not None
    return found


def test_all_edges_are_every_edge_in_the_order_in_which_they_were_added(parse: Parse) -> None:
    assert parse.chart is not None
    whole = replay(parse, ALL_EDGES)
    assert list(whole.edges) == [edge.number for edge in parse.chart]
    assert list(whole.stops) == list(range(1, len(parse.chart) + 1))


def test_the_survivors_end_in_the_same_chart(parse: Parse) -> None:
    trace = parse.chart
    assert trace is not None
    numbers = replay(parse, SURVIVING_EDGES).edges
    assert list(numbers) == [edge.number for edge in trace if edge.pruning_reason == "kept"]
    built: dict[tuple[int, int], set[int]] = {}
    for number in numbers:
        edge = trace.edge(number)
        known = {item for items in built.values() for item in items}
        assert {side for side in (edge.left, edge.right) if side >= 0} <= known, "built before its parts"
        built.setdefault((edge.start, edge.end), set()).add(edge.item)
    cells = {(cell.start, cell.end): cell for cell in facts_of(parse).chart if cell.survivors}
    assert set(cells) <= set(built)
    for span in cells:
        assert {item.number for item in trace.cell(*span).items} <= built[span]


def test_the_edges_of_a_parse_build_exactly_its_tree(parse: Parse) -> None:
    for shown in parse.alternatives:
        if shown.chart is None:
            continue
        found = facts_of(shown).in_chart
        assert found is not None
        if found.missing:
            continue
        trace, numbers = shown.chart, replay(shown, PARSE_EDGES).edges
        assert len(numbers) == len(found.steps)
        built: list[tuple[int, int, str]] = []
        items: set[int] = set()
        for number in numbers:
            edge = trace.edge(number)
            assert {side for side in (edge.left, edge.right) if side >= 0} <= items, "built before its parts"
            items.add(edge.item)
            built.append((edge.start, edge.end, edge_label(edge)))
        wanted = {(node.start, node.end, node.label) for root in shown.roots for node in root.walk()}
        assert wanted and wanted <= set(built)
        # What a constituent is while it grows has the constituent's own label: there is nothing else.
        labels = {label for _, _, label in wanted} | set(shown.sentence.proper_tags)
        assert {label for _, _, label in built} <= labels
        assert built[-1][:2] == (0, len(shown.sentence.positions)) or len(shown.roots) > 1


@pytest.mark.parametrize("edges", REPLAYS)
@pytest.mark.parametrize("by_cell", [False, True])
def test_steps_go_through_every_stop_and_back_again(parse: Parse, edges: str, by_cell: bool) -> None:
    found = replay(parse, edges, by_cell)
    place: Place | None = Place(CHART, None, 0)
    forward = []
    while place is not None and place.stage == CHART:
        place = following(place, parse, found, True)
        forward.append(place)
    assert forward[-1] is not None and forward[-1].stage == PARSE
    assert [one.chart_step for one in forward[:-1] if one is not None] == list(found.stops)
    place, back = Place(CHART, None, found.stops[-1]), []
    while place is not None and place.stage == CHART:
        back.append(place.chart_step)
        place = following(place, parse, found, False)
    assert back == [*reversed(found.stops), 0]


def test_a_replay_by_cell_stops_once_in_every_cell_that_it_comes_to(parse: Parse) -> None:
    trace = parse.chart
    assert trace is not None
    for edges in REPLAYS:
        by_edge, by_cell = replay(parse, edges), replay(parse, edges, True)
        spans = [(trace.edge(number).start, trace.edge(number).end) for number in by_edge.edges]
        assert len(by_cell.stops) == len(set(spans))
        assert set(by_cell.stops) <= set(by_edge.stops) and by_cell.stops[-1] == by_edge.stops[-1]


def test_places_are_counted_in_edges_of_the_replay(parse: Parse) -> None:
    for edges in REPLAYS:
        found = replay(parse, edges)
        assert found.place(0) == 0 and found.place(None) is None
        for count in range(1, len(found.edges) + 1):
            place = found.place(count)
            assert place == found.edges[count - 1] + 1 and found.count(place) == found.edge_count(place) == count
        assert found.place(len(found.edges) + 5) == found.stops[-1]


def test_the_picture_shows_the_edges_of_the_replay_and_no_others(parse: Parse, metrics: QtMetrics) -> None:
    trace, found = parse.chart, replay(parse, PARSE_EDGES)
    assert trace is not None and found.stops
    own = set(facts_of(parse).chart_edges)
    for stop in found.stops:
        drawing = triangle_picture(parse, metrics, TriangleOptions(until=stop, edges=PARSE_EDGES))
        reached = {(edge.start, edge.end) for edge in map(trace.edge, found.edges) if edge.number < stop}
        assert filled(drawing) == reached <= own
    last = replay(parse, SURVIVING_EDGES).stops[-1]
    survivors = triangle_picture(parse, metrics, TriangleOptions(until=last, edges=SURVIVING_EDGES))
    assert filled(survivors) == {(cell.start, cell.end) for cell in facts_of(parse).chart if cell.survivors}


def filled(drawing: Drawing) -> set[tuple[int, int]]:
    """The cells of a drawing that hold an item."""
    found = set()
    for group in drawing.groups:
        if any(isinstance(shape, Box) and shape.fill.startswith("count:") for shape in group.shapes):
            found |= {(id.start, id.end) for id in group.ids if isinstance(id, ChartCellId)}
    return found


def test_every_edge_says_its_formula_and_the_factors_add_up(parse: Parse) -> None:
    trace = parse.chart
    assert trace is not None
    for edge in trace:
        parts = edge_parts(trace, edge)
        assert sum(part.log for part in parts) == pytest.approx(edge.score, abs=6e-4)
        headline = edge_headline(ParseContext(parse), EdgeId(edge.number))
        formula = next(reason for reason in headline.reasons if reason.startswith("P("))
        assert formula.startswith(f"P({edge_label(edge)}) = ") and formula.endswith(".")
        assert ("kept" in headline.sentence) == (edge.pruning_reason == "kept")
        if edge.relation is not None:
            assert f"F̂({edge.relation})" in formula
