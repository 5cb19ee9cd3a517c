"""The chart is that of the parse which is shown: the re-ranked, the n-th best, that under a what-if."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.resources import bundled_models
from engine.explain.subjects import ChartCellId, EdgeId
from engine.structure.constraints import Attachment
from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import Box, Drawing, Rect, Text
from explorer.pictures.options import TriangleOptions
from explorer.pictures.triangle import triangle_picture
from tests.explorer.window_driver import SAW, Driver
from tests.stage_names import CHART

KEY = "She opened the box on the shelf with the key from the drawer."
"""The re-ranker prefers another tree than the most probable."""
DINNER = "We/PRP ate/VBD dinner/NN before/IN the/DT movie/NN started/VBD ./."
Span = tuple[int, int]


@pytest.fixture
def english(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window with the bundled English model, which has a re-ranker."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(bundled_models()["english"], KEY)
    yield made
    made.close()


def spans(parse: Parse) -> set[Span]:
    """The words of every constituent of the search."""
    return {(one.start, one.end) for root in parse.roots for one in root.walk()}


def half_built(parse: Parse) -> set[Span]:
    """The words of what is on the way to a constituent: the head-child with some of its modifiers."""
    found = set()
    for node in (one for root in parse.roots for one in root.walk() if len(one.children) > 2):
        first, last = node.children[node.head_child].start, node.children[node.head_child].end
        for child in node.children[node.head_child + 1 :]:
            last = child.end
            found.add((first, last))
        for child in node.children[: node.head_child][::-1]:
            first = child.start
            found.add((first, last))
    return found


def cell_of(drawing: Drawing, box: Rect) -> Span:
    """The cell that a box of the triangle lies in."""
    for id, region in drawing.regions.items():
        if isinstance(id, ChartCellId) and region.bounds.grown(1).contains(*box.centre):
            return id.start, id.end
    raise AssertionError(f"no cell at {box}")


def outlined(drawing: Drawing) -> set[Span]:
    """The cells with the accent's outline; the legend shows one, too, which is in no cell."""
    legend = drawing.legend.shapes if drawing.legend is not None else ()
    boxes = [
        shape for shape in drawing.shapes if isinstance(shape, Box) and shape.role == "accent" and shape not in legend
    ]
    return {cell_of(drawing, Rect(box.x, box.y, box.width, box.height)) for box in boxes}


def written(drawing: Drawing, span: Span) -> set[str]:
    """What is written in a cell."""
    bounds = drawing.regions[ChartCellId(*span)].bounds
    return {shape.text for shape in drawing.shapes if isinstance(shape, Text) and bounds.contains(shape.x, shape.y - 3)}


def shown(driver: Driver) -> Parse:
    parse = driver.session.parses.shown
    assert parse is not None
    return parse


def shown_chart(driver: Driver) -> Drawing:
    """The chart as it is drawn now."""
    driver.session.view.set_stage(CHART)
    driver.settle()
    drawing = driver.canvas.drawing
    assert drawing is not None
    return drawing


def check(driver: Driver) -> None:
    """The drawn chart outlines the parse that is shown, and names its constituents."""
    parse, drawing = shown(driver), shown_chart(driver)
    assert spans(parse) <= outlined(drawing) <= spans(parse) | half_built(parse)
    for span in spans(parse):
        topmost = next(one for root in parse.roots for one in root.walk() if (one.start, one.end) == span)
        assert topmost.label in written(drawing, span)
        twin = next(line for line in drawing.text_twin.splitlines() if line.startswith(f"{span[0] + 1}–{span[1]} "))
        assert f"in this parse: {topmost.label} (" in twin


def test_the_chart_outlines_the_parse_that_the_reranker_prefers(english: Driver) -> None:
    parse = shown(english)
    probable = max(parse.alternatives, key=lambda one: one.log_probability)
    assert spans(probable) != spans(parse), "the re-ranker agrees with log P here: take another sentence"
    check(english)


def test_the_chart_follows_the_alternative_that_is_chosen(driver: Driver) -> None:
    ranks = len(shown(driver).alternatives)
    assert ranks > 1
    for rank in (1, ranks - 1, 0):
        driver.session.view.set_rank(rank)
        driver.settle()
        check(driver)


def test_the_chart_under_a_what_if_outlines_what_is_forced(driver: Driver) -> None:
    head = shown(driver).heads()[4]
    driver.session.editor.add_what_if(Attachment(4, 3 if head == 1 else 1))
    driver.settle()
    assert shown(driver).heads()[4] != head
    check(driver)


def test_the_first_row_of_a_cell_is_the_item_of_the_parse_that_is_shown(driver: Driver) -> None:
    stage, checked = driver.window.stages.chart_stage, 0
    for rank in (0, 1):
        driver.session.view.set_rank(rank)
        shown_chart(driver)
        parse = shown(driver)
        for root in parse.roots:
            for node in root.walk():
                driver.session.view.select(ChartCellId(node.start, node.end))
                driver.settle()
                top = next(one for one in root.walk() if (one.start, one.end) == (node.start, node.end))
                first = stage.table.rows_model.rows[0]
                assert first.chosen and first.cells[1] == top.label and first.cells[6].startswith("in this parse, ")
                rest = [row for row in stage.table.rows_model.rows if not row.chosen]
                assert not any("in this parse" in row.cells[6] for row in rest)
                assert top.label in driver.window.inspector.view.toPlainText().split("in this parse")[0]
                checked += 1
    assert checked > 16


def test_an_edge_of_the_parse_lights_what_this_parse_builds_it_from(driver: Driver) -> None:
    driver.session.view.set_rank(1)
    shown_chart(driver)
    driver.session.view.select(ChartCellId(0, 7))
    driver.settle()
    first = driver.window.stages.chart_stage.table.rows_model.rows[0]
    edge = first.id
    assert isinstance(edge, EdgeId)
    driver.session.view.select(edge)
    stage = driver.window.stages.chart_stage
    driver.until(lambda: bool(stage.highlights(edge)["match"]))
    lit = {(id.start, id.end) for id in stage.highlights(edge)["match"] if isinstance(id, ChartCellId)}
    parse = shown(driver)
    below = spans(parse) | half_built(parse)
    assert below - {(0, 7)} <= lit <= below


def test_what_is_not_in_the_chart_is_told_and_nothing_else_outlined(
    classroom: engine.Model, metrics: QtMetrics
) -> None:
    wide = Parser.preset(classroom, 1, beam=1e6).parse(DINNER, n_best=3)
    narrow = Parser.preset(classroom, 1, beam=1.1).parse(DINNER, trace=True)
    lost = 0
    for one in wide.alternatives:
        one.chart = narrow.chart
        drawing = triangle_picture(one, metrics)
        assert outlined(drawing) <= spans(one) | half_built(one)
        whole = spans(one) <= outlined(drawing)
        told = "Not in this chart: " in drawing.text_twin
        seen = any("Not in this chart: " in shape.text for shape in drawing.shapes if isinstance(shape, Text))
        assert told == seen != whole
        lost += not whole
    assert 0 < lost < 3


def test_a_replay_names_the_item_of_the_parse_once_it_is_built(classroom: engine.Model, metrics: QtMetrics) -> None:
    parse = Parser.preset(classroom, 3).parse(SAW, n_best=3, trace=True)
    assert parse.chart is not None
    for one in parse.alternatives:
        whole = triangle_picture(one, metrics)
        last = triangle_picture(one, metrics, TriangleOptions(until=len(parse.chart) - 1))
        assert written(whole, (0, 7)) >= {"S"} and written(last, (0, 7)) >= {"S"}
        assert outlined(last) == outlined(whole) - {(0, 7)}
