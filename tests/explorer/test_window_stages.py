"""What a person does with the stages: steps, plays, replays, selects, and asks about what is shown."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from engine.explain.subjects import ArrowId, ChartCellId, EdgeId, GapId, MatrixCellId, NodeId, WordId
from explorer.canvas.stage_picture import LEFT_AFTER_MS
from explorer.session.parsing import ParseResult, parse_for_window
from explorer.stages.parse import EstimatesStage
from explorer.stages.stages import STAGES
from tests.explorer.window_driver import SAW, SMITH, Driver
from tests.stage_names import CHART, ESTIMATES, GAPS, NAMES, PARSE, REDUCED, SENTENCE, stepping


def test_every_stage_has_a_picture_a_table_and_a_text_twin(driver: Driver) -> None:
    for stage in (SENTENCE, GAPS, REDUCED, ESTIMATES, CHART, PARSE):
        driver.go(stage)
        driver.settle()
        assert driver.session.view.stage == stage
        assert driver.canvas.text_twin.strip() and driver.canvas.drawing is not None
        assert driver.window.stages.stages[stage].detail.isVisible()
    table = driver.window.stages.parse_stage.table.rows_model
    answer = driver.session.parses.result
    # Every factor, their sum, and log P(D|S,B).
    assert answer is not None and len(table.rows) == len(answer.ledger()) + 2
    driver.do("twin")
    twin = driver.window.stages.twin.toPlainText()
    # The answer comes first.
    assert twin.endswith(driver.canvas.text_twin) and "This parse" in twin.removesuffix(driver.canvas.text_twin)


def test_arrow_keys_step_through_steps_and_stages(driver: Driver) -> None:
    driver.go("gaps")
    driver.canvas.setFocus()
    driver.settle()
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    assert driver.session.view.selection == GapId(2)
    assert driver.window.stage_strip.place.text() == f"2 of {len(STAGES)}"
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    assert driver.session.view.stage == SENTENCE
    driver.do("next-stage")
    assert driver.session.view.stage == GAPS


def test_a_tool_tip_goes_with_its_picture(driver: Driver) -> None:
    driver.go("parse")
    driver.settle()
    place = driver.place(ArrowId(4))
    view = driver.canvas.viewport()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    driver.until(QToolTip.isVisible)
    assert QToolTip.text()
    QTest.keyClick(driver.canvas, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    # Sooner than it would go by itself, which takes ten seconds.
    driver.qtbot.waitUntil(lambda: not QToolTip.isVisible(), timeout=4000)
    assert driver.session.view.stage == GAPS
    driver.settle()


def test_the_table_of_a_replay_is_where_the_inspector_is(driver: Driver) -> None:
    driver.go("chart")
    driver.settle()
    driver.do("step-back")
    driver.settle()
    table, trace = driver.window.stages.chart_stage.table, driver.window.stages.chart_stage.trace
    assert trace is not None
    for step in range(len(trace) - 2, len(trace) - 40, -1):
        # As keys come that are held down: nothing else happens in between.
        driver.do("step-back")
        edge = trace.edge(step - 1)
        assert driver.session.view.focus == EdgeId(step - 1)
        assert table.rows_model.rows[table.currentIndex().row()].id == EdgeId(step - 1)
        assert driver.window.stages.chart_stage.about.text().startswith(f"{edge.start + 1}–{edge.end} ")
    driver.settle()


def test_play_runs_to_the_end_and_stops(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.stages.player.PLAY_MS", 1)
    monkeypatch.setattr("explorer.stages.player.SPEEDS_MS", (1, 1, 1, 1, 1))
    driver.go("estimates")
    driver.do("play")
    driver.until(lambda: driver.session.view.stage == PARSE)
    driver.until(lambda: not driver.window.player.playing)
    assert not driver.window.named_actions["play"].isChecked()


def test_the_chart_is_replayed_both_ways_and_to_a_condition(driver: Driver) -> None:
    driver.go("chart")
    driver.settle()
    stage, session = driver.window.stages.chart_stage, driver.session
    trace = stage.trace
    assert trace is not None and stage.timeline.maximum() == len(trace)
    stage.timeline.setValue(10)
    assert session.view.chart_step == 10 and session.view.focus == EdgeId(9)
    driver.settle()
    assert "edge 10 of" in driver.window.inspector.explanation.subtitle
    stepping(session).step(False)
    assert session.view.chart_step == 9
    stage.run_field.setText("VP saw")
    stage.run_forward()
    first = session.view.chart_step
    assert first is not None
    reached = trace.edge(first - 1)
    assert reached.label == "VP" and trace.sentence.proper_words[reached.head] == "saw"
    stage.run_forward()
    assert session.view.chart_step is not None and session.view.chart_step > first
    stage.run_back()
    assert session.view.chart_step == first
    stage.run_field.setText("2-7")
    stage.run_forward()
    reached = trace.edge(session.view.chart_step - 1)
    assert (reached.start, reached.end) == (1, 7)


def test_a_cell_shows_its_edges_and_an_item_lights_its_derivation(driver: Driver) -> None:
    driver.go("chart")
    driver.settle()
    driver.click(ChartCellId(1, 7))
    stage = driver.window.stages.chart_stage
    rows = stage.table.rows_model.rows
    assert rows and all(isinstance(row.id, EdgeId) for row in rows)
    best = next(row for row in rows if row.chosen)
    stage.table.mark(None)
    assert isinstance(best.id, EdgeId)
    driver.session.view.select(best.id)
    driver.until(lambda: bool(driver.canvas.highlighted("match")))
    assert ChartCellId(1, 2) in driver.canvas.highlighted("match")
    driver.until(lambda: ChartCellId(0, 7) in driver.canvas.highlighted("extra"))
    assert "KEPT OR PRUNED\n\nKept." in driver.window.inspector.explanation.text()


@pytest.mark.parametrize(
    ("limit", "value", "parses"), [("MOST_EDGES", 20, 2), ("LONGEST_RANKED", 0.0, 1)], ids=["large", "slow"]
)
def test_a_parse_too_large_or_slow_is_shown_without_its_chart(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, limit: str, value: float, parses: int
) -> None:
    monkeypatch.setattr(f"explorer.session.parsing.{limit}", value)
    driver.session.editor.set_settings(beam=500.0)
    driver.settle()
    assert driver.session.parses.result is not None and driver.session.parses.result.parse.chart is None
    assert (len(driver.session.parses.result.parse.alternatives) > 1) == (parses > 1)
    driver.go("chart")
    driver.settle()
    assert "No chart" in driver.canvas.text_twin


def test_selection_is_linked_across_stages(driver: Driver) -> None:
    driver.click(ArrowId(4))
    assert driver.session.view.selection == ArrowId(4)
    assert driver.session.parses.shown is not None
    head = driver.session.parses.shown.heads()[4]
    assert WordId(head) in driver.canvas.highlighted("extra")
    driver.go("estimates")
    driver.settle()
    assert MatrixCellId(4, head) in driver.canvas.highlighted("extra")
    rows = driver.window.stages.picture.of(EstimatesStage).table.rows_model.rows
    assert rows and all(row.cells[1] == "with" for row in rows)


def test_another_of_the_n_best_is_shown_everywhere(driver: Driver) -> None:
    driver.window.stages.tabs.setCurrentIndex(1)
    table = driver.window.stages.alternatives
    assert len(table.rows_model.rows) > 1
    best = driver.session.parses.shown
    table.selectRow(1)
    assert driver.session.view.rank == 1 and driver.session.parses.shown is not best
    driver.settle()
    assert driver.session.parses.shown is not None
    assert driver.session.parses.shown.tree.pretty(80) in driver.canvas.text_twin


def test_tree_and_arrows_beside_or_compact(driver: Driver) -> None:
    drawings = [driver.canvas.drawing]
    for name in ("tree-beside", "compact-tree"):
        driver.do(name)
        drawings.append(driver.canvas.drawing)
    assert len({drawing.shapes for drawing in drawings if drawing is not None}) == 3


def test_the_inspector_explains_everything_and_copies(driver: Driver) -> None:
    inspector, session = driver.window.inspector, driver.session
    session.view.select(ArrowId(4))
    text = inspector.explanation.text()
    for part in ("Distance Δ", "head precedes modifier", "η", "δ", "E₄", "λ", "F̂(", "equation (8)"):
        assert part.lower() in text.lower(), part
    driver.do("copy-explanation")
    assert QGuiApplication.clipboard().text() == text
    driver.do("copy-latex")
    assert r"\hat{F}" in QGuiApplication.clipboard().text() and r"\begin{align*}" in QGuiApplication.clipboard().text()
    for id, part in (
        (GapId(3), "Counts"),
        (WordId(1), "outside all baseNPs"),
        (ChartCellId(0, 7), "Edges and why they were pruned"),
        (NodeId(0, 7, "S", 0), "Factors of its score"),
        (EdgeId(3), "Kept or pruned"),
        (None, "Ledger"),
    ):
        session.view.select(id)
        assert part in inspector.view.toPlainText(), id


def test_the_inspector_never_scrolls_sideways(driver: Driver) -> None:
    driver.window.resize(1280, 800)
    view = driver.window.inspector.view
    driver.session.view.select(ArrowId(4))
    assert "Distance" in view.toPlainText()
    for scale in (1.0, 1.5, 2.0, 1.0):
        driver.window.appearance.scale_text(scale)
        driver.process_events()
        driver.until(lambda: not driver.puts_off())
        assert view.horizontalScrollBar().maximum() == 0, scale


@pytest.mark.parametrize(
    "text",
    [
        SAW,
        SMITH,
        "Mary/NNP",
        "./.",
        "zig/FW zag/LS ,/, zog/SYM",
        "blick/XYZ slept/VBD",
        "(S (NP (PRP I)) (VP (VBD saw)))",
    ],
)
def test_everything_that_is_shown_can_be_asked_about(driver: Driver, text: str) -> None:
    session = driver.session
    session.editor.edit_text(text)
    driver.settle()
    assert session.parses.shown is not None
    asked = 0
    for stage in NAMES:
        session.view.set_stage(stage)
        driver.settle()
        assert driver.canvas.drawing is not None
        for id in driver.canvas.drawing.regions:
            session.view.select(id)
            assert driver.window.inspector.explanation.text().strip() and driver.window.inspector.explanation.latex()
            driver.window.stages.stage.choices(id)
            asked += 1
        for row in getattr(driver.window.stages.stage, "table").rows_model.rows:  # noqa: B009
            if row.id is not None:
                session.view.select(row.id)
    assert asked > 6 * len(session.parses.shown.sentence.positions) or not session.parses.shown.sentence.positions
    if len(session.parses.result.parse.alternatives) > 1:  # type: ignore[union-attr]
        session.view.set_rank(1)
        driver.settle()


def test_a_sentence_that_takes_long_is_not_shown_the_tree_of_another(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = Event()

    def slow(*arguments: Any) -> ParseResult:
        going_on.wait(20)
        return parse_for_window(*arguments)

    monkeypatch.setattr("explorer.session.parse_service.parse_for_window", slow)
    canvas, editor = driver.window.stages.canvas, driver.session.editor
    editor.edit_text("Mary/NNP left/VBD ./.")
    driver.until(lambda: "Parsing" in canvas.text_twin)
    assert "saw" not in canvas.text_twin
    going_on.set()
    driver.settle()
    assert "left" in canvas.text_twin
    # Under other settings it is still the tree of the sentence.
    going_on.clear()
    editor.set_settings(beam=20.0)
    QTest.qWait(3 * LEFT_AFTER_MS)
    assert "left" in canvas.text_twin
    going_on.set()
    driver.settle()
    driver.close()
