"""What a person does with the window: types, pastes, drops, steps, slides, forces, undoes, saves, reopens."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from engine.settings import PRESETS
from engine.structure.constraints import Attachment, Bracket, Constraint, FixedTag, GapTag
from explorer.application.actions import ACTIONS
from explorer.application.command_palette import CommandPalette
from explorer.application.main_window import MainWindow
from explorer.document.document import TextLine
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.document.stage_navigation import CHART, ESTIMATES, GAPS, PARSE, REDUCED, SENTENCE
from explorer.export.export_dialog import ExportDialog
from explorer.export.parse_files import PICTURES
from explorer.graphics.selection import ArrowId, ChartCellId, EdgeId, GapId, MatrixCellId, NodeId, WordId
from explorer.graphics.theme import DARK, THEMES
from explorer.stages.stage_view import WHAT_IFS
from tests.explorer.window_driver import SAW, SMITH, Driver, after_crash, drop


@pytest.fixture
def empty(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window without a model."""
    made = Driver(qtbot, tmp_path / "home")
    yield made
    made.close()


def test_the_controls_stand_within_their_strips(empty: Driver) -> None:
    # The window is wider than it was built: strips that had room for a scroll bar have become lower.
    empty.process_events()
    for strip in (empty.window.stage_strip, empty.window.settings_strip):
        buttons = strip.findChildren(QToolButton)
        assert len(buttons) > 4, strip.objectName()
        for button in buttons:
            assert strip.rect().contains(button.geometry()), (strip.objectName(), button.text())
            above, below = button.geometry().top(), strip.height() - 1 - button.geometry().bottom()
            assert abs(above - below) <= 1, (strip.objectName(), button.text())


# 2, 3: models and sentences


def test_without_a_model_the_window_says_what_to_do(empty: Driver) -> None:
    assert empty.canvas.drawing is not None and "No model" in empty.canvas.text_twin
    assert "Ctrl+M" in empty.canvas.text_twin


def test_typing_parses_as_one_change(driver: Driver) -> None:
    driver.session.editor.undo_stack.clear()
    driver.type(SMITH)
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: driver.session.editor.line.text == SMITH)
    driver.settle()
    assert driver.session.parse is not None and len(driver.session.parse.sentence.positions) == 10
    chips = driver.window.sentence_bar.row.chips.chips
    assert [(chip.word, chip.tag) for chip in chips][:3] == [("John", "NNP"), ("Smith", "NNP"), (",", ",")]
    assert driver.session.editor.undo_stack.count() == 1


def test_an_error_points_at_the_token_while_typing(driver: Driver) -> None:
    before = driver.session.editor.line
    driver.type("John/NNP left/")
    bar = driver.window.sentence_bar
    assert bar.problem.isVisible() and "‘left/’" in bar.problem.text()
    marks = bar.edit.extraSelections()
    assert [mark.cursor.selectedText() for mark in marks] == ["left/"]
    # As after the pause in which what was typed is taken over.
    bar.commit()
    assert driver.session.editor.line == before
    QTest.keyClicks(bar.edit, "VBD")
    assert not bar.problem.isVisible() and not bar.edit.extraSelections()
    driver.until(lambda: driver.session.editor.line.text == "John/NNP left/VBD")


def test_many_lines_open_the_list_at_a_later_start_too(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    for _ in range(2):
        made = Driver(qtbot, tmp_path / "home")
        made.load(classroom_path)
        assert not made.window.docks.sentences.isVisible()
        made.session.editor.add_lines([TextLine(SMITH), TextLine(SAW)])
        assert made.window.docks.sentences.isVisible()
        # Hidden by hand it stays hidden, until the list begins anew.
        made.window.docks.sentences.hide()
        made.session.editor.add_lines([TextLine(SMITH)])
        assert not made.window.docks.sentences.isVisible()
        made.window.files.new_session()
        made.session.editor.add_lines([TextLine(SAW)])
        made.settle()
        made.close()


def test_pasting_many_lines_fills_the_list(driver: Driver) -> None:
    data = QMimeData()
    data.setText(f"{SMITH}\n\nMary/NNP slept/VBD ./.\n")
    driver.window.sentence_bar.edit.insertFromMimeData(data)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    assert driver.window.docks.sentences.isVisible()
    model = driver.window.sentences.model
    assert model.rowCount() == 3
    driver.settle()
    assert str(model.data(model.index(1))).startswith("✓")
    driver.window.sentences.search.setText("slept")
    assert model.shown == [2]
    driver.window.sentences.search.clear()
    driver.do("previous-sentence")
    assert driver.session.editor.line.text == SAW


def test_dropping_files_opens_sentences_models_and_sessions(
    driver: Driver, classroom_path: Path, tmp_path: Path
) -> None:
    text = tmp_path / "two.txt"
    text.write_text(f"{SMITH}\n{SAW}\n", encoding="utf-8")
    drop(driver, text)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    saved = tmp_path / "kept.json"
    driver.save_to(saved)
    copy = tmp_path / "other.model"
    copy.write_bytes(classroom_path.read_bytes())
    drop(driver, copy)
    driver.until(lambda: driver.session.editor.document.model == str(copy))
    driver.settle()
    assert "other" in driver.window.settings_strip.model.text()
    assert str(copy) in driver.preferences.recent("models")
    driver.do("new")
    drop(driver, saved)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    assert driver.session.file.path == saved
    driver.settle()


def test_a_bad_model_is_said_and_the_old_one_stays(driver: Driver, tmp_path: Path) -> None:
    bad = tmp_path / "bad.model"
    bad.write_bytes(b"PARSEXP\n" + b"\0" * 40)
    old = driver.session.parses.model
    drop(driver, bad)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert "bad.model" in driver.window.stages.banner.text.text()
    assert driver.session.parses.model is old


def test_a_long_file_can_be_cancelled(driver: Driver, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text(f"{SAW}\n" * 50_000, encoding="utf-8")
    driver.window.files.open_path(long)
    assert driver.session.tasks.busy
    driver.do("cancel")
    driver.until(lambda: driver.session.tasks.idle)
    assert len(driver.session.editor.document.lines) == 1
    driver.window.files.open_path(long)
    driver.until(lambda: len(driver.session.editor.document.lines) == 50_001)
    driver.settle()


def test_the_model_summary_names_corpora_and_tables(driver: Driver) -> None:
    driver.window.show_model()
    text = driver.window.summary.toPlainText()
    assert "triples R" in text and "Count tables" in text and "classroom.ptb" in text


def test_the_model_summary_is_made_when_it_comes_into_sight(driver: Driver) -> None:
    window = driver.window
    # Behind the inspector's tab nobody sees it.
    assert window.summary.toPlainText() == ""
    window.docks.model.raise_()
    driver.until(lambda: "Count tables" in window.summary.toPlainText())


# 4: settings


def test_presets_switches_and_the_beam(driver: Driver) -> None:
    session, window = driver.session, driver.window
    for number in PRESETS:
        driver.do(f"preset-{number}")
        assert session.editor.document.preset == number and window.named_actions[f"preset-{number}"].isChecked()
    driver.settle()
    driver.do("preset-1")
    assert not window.named_actions["punctuation-rule"].isChecked()
    driver.do("punctuation-rule")
    assert session.editor.settings.punctuation_rule
    driver.do("full-distance")
    assert session.editor.settings.distance == "order"
    driver.do("lexical")
    assert not session.editor.settings.lexical
    driver.settle()
    slider = window.settings_strip.slider
    slider.setValue(slider.maximum())
    assert math.isinf(session.editor.settings.beam) and window.settings_strip.field.text() == "∞"
    count = session.editor.undo_stack.count()
    for value in range(300, 200, -5):
        slider.setValue(value)
    assert session.editor.undo_stack.count() == count
    driver.settle()
    assert session.parses.result is not None and session.parses.result.request.settings == session.editor.settings
    assert f"β = {window.settings_strip.field.text()}" in window.status.facts.text()


@pytest.mark.parametrize(
    ("typed", "beam"), [("250", 250.0), ("10^5", 1e5), ("10⁶", 1e6), ("∞", math.inf), ("2,000", 2000.0)]
)
def test_beam_typed_as_a_number(driver: Driver, typed: str, beam: float) -> None:
    field = driver.window.settings_strip.field
    field.setFocus()
    field.selectAll()
    # QTest has no keys for letters beyond ASCII.
    field.insert(typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert driver.session.editor.settings.beam == beam
    driver.settle()


def test_nonsense_as_beam_or_threshold_is_refused(driver: Driver) -> None:
    strip = driver.window.settings_strip
    for field, typed in ((strip.field, "0.5"), (strip.field, "wide"), (strip.threshold, "5")):
        before = driver.session.editor.settings
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert driver.session.editor.settings == before
        assert driver.window.stages.banner.isVisible() and typed in driver.window.stages.banner.text.text()
    strip.threshold.selectAll()
    QTest.keyClicks(strip.threshold, "-35")
    QTest.keyClick(strip.threshold, Qt.Key.Key_Return)
    assert driver.session.editor.settings.threshold == -35
    driver.settle()


def test_the_smallest_beam_that_keeps_the_tree(driver: Driver) -> None:
    before = driver.session.parse
    assert before is not None
    driver.do("smallest-beam")
    driver.until(lambda: not driver.session.tasks.busy)
    driver.settle()
    assert driver.session.editor.settings.beam < 1000 and driver.session.parse is not None
    assert driver.session.parse.tree == before.tree


# 5: stages


def test_every_stage_has_a_picture_a_table_and_a_text_twin(driver: Driver) -> None:
    for stage in (SENTENCE, GAPS, REDUCED, ESTIMATES, CHART, PARSE):
        driver.do(f"stage-{stage + 1}")
        driver.settle()
        assert driver.session.view.stage == stage
        assert driver.canvas.text_twin.strip() and driver.canvas.drawing is not None
        assert driver.window.stages.stages[stage].detail.isVisible()
    table = driver.window.stages.parse_stage.table.rows_model
    answer = driver.session.parses.result
    assert answer is not None and len(table.rows) == len(answer.ledger()) + 1
    driver.do("twin")
    assert driver.window.stages.twin.toPlainText() == driver.canvas.text_twin


def test_arrow_keys_step_through_steps_and_stages(driver: Driver) -> None:
    driver.do("stage-2")
    driver.canvas.setFocus()
    driver.settle()
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    assert driver.session.view.selection == GapId(2)
    assert driver.window.stage_strip.place.text() == "2 of 6"
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Left)
    assert driver.session.view.stage == SENTENCE
    driver.do("next-stage")
    assert driver.session.view.stage == GAPS


def test_play_runs_to_the_end_and_stops(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.stages.player.PLAY_MS", 1)
    monkeypatch.setattr("explorer.stages.player.REPLAY_MS", 1)
    driver.do("stage-4")
    driver.do("play")
    driver.until(lambda: driver.session.view.stage == PARSE)
    driver.until(lambda: not driver.window.player.playing)
    assert not driver.window.named_actions["play"].isChecked()


def test_the_chart_is_replayed_both_ways_and_to_a_condition(driver: Driver) -> None:
    driver.do("stage-5")
    driver.settle()
    stage, session = driver.window.stages.chart_stage, driver.session
    trace = stage.trace
    assert trace is not None and stage.timeline.maximum() == len(trace)
    stage.timeline.setValue(10)
    assert session.view.chart_step == 10 and session.view.focus == EdgeId(9)
    driver.settle()
    assert "edge 10 of" in driver.window.inspector.explanation.subtitle
    session.navigator.step(False)
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
    driver.do("stage-5")
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


def test_selection_is_linked_across_stages(driver: Driver) -> None:
    driver.click(ArrowId(4))
    assert driver.session.view.selection == ArrowId(4)
    assert driver.session.parse is not None
    head = driver.session.parse.heads()[4]
    assert WordId(head) in driver.canvas.highlighted("extra")
    driver.do("stage-4")
    driver.settle()
    assert MatrixCellId(4, head) in driver.canvas.highlighted("extra")
    rows = driver.window.stages.estimates_stage.table.rows_model.rows
    assert rows and all(row.cells[1] == "with" for row in rows)


def test_another_of_the_n_best_is_shown_everywhere(driver: Driver) -> None:
    driver.window.stages.tabs.setCurrentIndex(1)
    table = driver.window.stages.alternatives
    assert len(table.rows_model.rows) > 1
    best = driver.session.parse
    table.selectRow(1)
    assert driver.session.view.rank == 1 and driver.session.parse is not best
    driver.settle()
    assert driver.session.parse is not None
    assert driver.session.parse.tree.pretty(80) in driver.canvas.text_twin


# 6: what-ifs


def what_ifs(driver: Driver) -> tuple[Constraint, ...]:
    """What is forced and forbidden now."""
    return driver.session.editor.line.what_ifs


def test_dragging_an_arrow_forces_another_head_and_shows_the_price(driver: Driver) -> None:
    session = driver.session
    assert session.parse is not None
    head = session.parse.heads()[4]
    other = 3 if head == 1 else 1
    driver.drag(ArrowId(4), WordId(other))
    assert session.editor.line.what_ifs == (Attachment(4, other),)
    driver.settle()
    assert session.parse is not None and session.parse.heads()[4] == other
    panel = driver.window.stages.what_ifs
    assert driver.window.stages.tabs.currentIndex() == WHAT_IFS
    assert panel.price.text().startswith("Price −")
    assert panel.moved.rows_model.rows and panel.list.rows_model.rows[0].cells[1].startswith("−")
    panel.lift_chosen()
    driver.settle()
    assert session.parse.heads()[4] == head and not session.editor.line.what_ifs
    driver.do("undo")
    assert session.editor.line.what_ifs == (Attachment(4, other),)
    driver.do("redo")
    assert not session.editor.line.what_ifs


def test_forcing_a_gap_a_tag_and_a_constituent(driver: Driver) -> None:
    driver.do("stage-2")
    driver.settle()
    choices = dict(driver.window.stages.stage.choices(GapId(3)))
    choices["Force B"]()
    assert driver.session.editor.line.what_ifs == (GapTag(3, "B"),)
    driver.do("undo")
    driver.click(GapId(2))
    driver.do("forbid")
    assert driver.session.editor.line.what_ifs[0] == GapTag(2, driver.session.parse.gap_tags[1], True)  # type: ignore[union-attr]
    driver.do("lift-all")
    menu = driver.window.sentence_bar.tag_menu(1)
    more = next(entry for action in menu.actions() if isinstance(entry := action.menu(), QMenu))
    next(action for action in more.actions() if action.text() == "NN").trigger()
    menu.deleteLater()
    assert what_ifs(driver) == (FixedTag(1, "NN"),)
    driver.do("lift-all")
    driver.settle()
    driver.do("stage-6")
    driver.settle()
    assert driver.canvas.drawing is not None
    node = next(
        id
        for id in driver.canvas.drawing.regions
        if isinstance(id, NodeId) and (id.start, id.end, id.label) == (1, 7, "VP")
    )
    driver.click(node)
    driver.do("force")
    assert what_ifs(driver) == (Bracket(1, 7, "VP"),)
    driver.settle()
    assert driver.session.parses.result is not None and driver.session.parses.result.price == pytest.approx(0)
    assert "cost nothing" in driver.window.stages.what_ifs.price.text()


def test_an_impossible_what_if_is_explained_over_the_old_picture(driver: Driver) -> None:
    before = driver.canvas.drawing
    driver.session.editor.add_what_if(Attachment(2, 0))
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert "No parse has" in driver.window.stages.banner.text.text()
    assert driver.canvas.drawing is before
    driver.window.stages.banner.lift.click()
    assert not driver.session.editor.line.what_ifs
    driver.until(lambda: not driver.window.stages.banner.isVisible())


# 7: inspector


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


# 8: undo, sessions, coming back


def test_a_session_is_saved_and_opened_again(driver: Driver, tmp_path: Path) -> None:
    driver.session.editor.set_settings(beam=77.0)
    driver.session.editor.add_what_if(Attachment(4, 3))
    driver.do("stage-3")
    path = tmp_path / "mine.json"
    driver.save_to(path)
    assert json.loads(path.read_text(encoding="utf-8"))["settings"]["beam"] == 77.0
    kept = driver.session.editor.document
    driver.do("new")
    assert not driver.session.editor.document.lines
    driver.window.files.open_path(path)
    driver.until(lambda: driver.session.file.path == path)
    assert driver.session.editor.document == kept and driver.session.view.stage == REDUCED
    assert driver.window.windowTitle().startswith("mine.json")
    driver.settle()


def test_saving_where_it_cannot_be_saved_is_said(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    driver.save_to(tmp_path / "file" / "session.json")
    assert driver.window.stages.banner.isVisible() and "cannot be written" in driver.window.stages.banner.text.text()


def test_work_is_kept_through_a_crash(qtbot: QtBot, driver: Driver, tmp_path: Path) -> None:
    driver.session.editor.set_settings(beam=33.0)
    driver.until(lambda: driver.preferences.recovery.path.exists())
    home = tmp_path / "home"
    # While the window lives its work is not anybody else's.
    assert Preferences(home).recovery.left_behind() is None
    crashed = after_crash(home, tmp_path / "crashed")
    found = crashed.recovery.left_behind()
    assert found is not None and found[0].settings.beam == 33.0
    assert crashed.recovery.left_behind() is None


def test_geometry_docks_and_sentences_come_back(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = Driver(qtbot, home)
    first.load(classroom_path)
    first.window.resize(760, 640)
    first.window.docks.inspector.hide()
    first.window.appearance.set_theme("dark")
    first.window.appearance.scale_text(1.3)
    first.close()
    preferences = Preferences(home)
    last = preferences.last()
    assert last is not None and last[0].line.text == SAW and last[0].model == str(classroom_path)
    assert not list(home.glob("recovery-*.json"))
    again = MainWindow(Session(), preferences)
    # The screen of this platform is narrow; the height is what was chosen.
    assert again.height() == 640 and again.docks.inspector.isHidden()
    assert again.theme is DARK and again.appearance.text_scale == pytest.approx(1.3)
    again.close()
    again.deleteLater()


# 10: manner


def test_every_action_has_a_menu_a_shortcut_a_tip_and_is_found_by_name(driver: Driver) -> None:
    shortcuts = [action.shortcut().toString() for action in driver.window.named_actions.all()]
    shortcuts += [dock.toggleViewAction().shortcut().toString() for dock in driver.window.docks]
    assert all(shortcuts) and len(set(shortcuts)) == len(shortcuts)
    for entry in ACTIONS:
        action = driver.window.named_actions[entry.name]
        assert action in driver.window.named_actions.menus[entry.menu].actions()
        assert len(action.statusTip()) > 8
    driver.do("palette")
    palette = driver.window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    QTest.keyClicks(palette.edit, "wider beam")
    item = palette.list.currentItem()
    assert item is not None and item.text(0) == "Wider beam"
    QTest.keyClick(palette.edit, Qt.Key.Key_Return)
    assert driver.session.editor.settings.beam == 1500
    driver.settle()


def test_themes_and_text_size_reach_everything(driver: Driver) -> None:
    seen = set()
    for name in ("light", "dark", "contrast", "contrast-dark"):
        driver.window.appearance.set_theme(name)
        driver.process_events()
        image = driver.window.grab().toImage()
        place = driver.canvas.mapTo(driver.window, QPoint(3, 3))
        assert image.pixelColor(place).name() == THEMES[name].colour("background")
        seen.add(image.pixelColor(place).name())
    assert len(seen) == 4
    before = driver.window.inspector.view.fontMetrics().height()
    driver.do("text-larger")
    driver.do("text-larger")
    assert driver.window.inspector.view.fontMetrics().height() > before
    assert driver.canvas.text_scale > 1.15
    driver.do("text-normal")


def test_tree_and_arrows_beside_or_compact(driver: Driver) -> None:
    drawings = [driver.canvas.drawing]
    for name in ("tree-beside", "compact-tree"):
        driver.do(name)
        drawings.append(driver.canvas.drawing)
    assert len({drawing.shapes for drawing in drawings if drawing is not None}) == 3


def test_zoom_and_status(driver: Driver) -> None:
    driver.do("actual-size")
    assert "100 %" in driver.window.status.facts.text()
    driver.do("zoom-in")
    assert driver.canvas.scale_factor > 1.1
    driver.do("fit")
    assert "preset (5)" in driver.window.status.facts.text() and "parsed in" in driver.window.status.facts.text()


def test_item_models_behave(driver: Driver, qtmodeltester: ModelTester) -> None:
    for model in (
        driver.window.stages.parse_stage.table.rows_model,
        driver.window.sentences.model,
        driver.window.sentence_bar.row.chips,
        driver.window.stages.alternatives.rows_model,
    ):
        qtmodeltester.check(model, force_py=True)


# 9: export


def export_dialog(driver: Driver) -> ExportDialog:
    session = driver.session
    return ExportDialog(session.parses, session.view, driver.preferences, session.messages, driver.window)


@pytest.mark.parametrize(
    ("what", "form", "start"),
    [
        ("parse", 0, b"<"),
        ("tree", 1, b"%PDF"),
        ("arrows", 2, b"\x89PNG"),
        ("gaps", 0, b"<"),
        ("matrix", 0, b"<"),
        ("chart", 3, b""),
    ],
)
def test_the_dialog_exports_every_picture(driver: Driver, tmp_path: Path, what: str, form: int, start: bytes) -> None:
    dialog = export_dialog(driver)
    dialog.what.setCurrentIndex(list(PICTURES).index(what))
    dialog.form.setCurrentIndex(form)
    dialog.theme.setCurrentIndex(2)
    dialog.scale.setValue(2.0)
    path = tmp_path / f"out{dialog.suffix()}"
    dialog.write(path)
    assert path.read_bytes().startswith(start) and path.stat().st_size > 500
    dialog.deleteLater()


def test_the_dialog_comes_back_as_it_was_left(driver: Driver, tmp_path: Path) -> None:
    first = export_dialog(driver)
    assert (first.form.currentData(), first.theme.currentData(), first.scale.value()) == (".svg", "light", 1.0)
    # An image has more pixels than the picture on the screen, unless one says otherwise.
    first.form.setCurrentIndex(first.form.findData(".png"))
    assert first.scale.value() == 2.0 and first.size_note.text().endswith("pixels")
    first.theme.setCurrentIndex(first.theme.findData("dark"))
    first.scale.setValue(3.0)
    width, height = (int(one.replace(",", "")) for one in first.size_note.text().removesuffix(" pixels").split(" × "))
    first.write(tmp_path / "tree.png")
    image = QImage(str(tmp_path / "tree.png"))
    assert (image.width(), image.height()) == pytest.approx((width, height), abs=1)
    driver.do("stage-2")
    driver.settle()
    second = export_dialog(driver)
    assert (second.form.currentData(), second.theme.currentData(), second.scale.value()) == (".png", "dark", 3.0)
    # What is exported is the picture that one looks at.
    assert second.what.currentData() == ("picture", "gaps")
    for dialog in (first, second):
        dialog.deleteLater()


def test_the_dialog_writes_text_and_says_what_fails(driver: Driver, tmp_path: Path) -> None:
    dialog = export_dialog(driver)
    place = next(at for at in range(dialog.what.count()) if dialog.what.itemData(at) == ("text", "json"))
    dialog.what.setCurrentIndex(place)
    assert not dialog.form.isEnabled() and dialog.suffix() == ".json"
    dialog.write(tmp_path / "out.json")
    assert "telescope" in (tmp_path / "out.json").read_text(encoding="utf-8")
    dialog.write(tmp_path / "out.json" / "nowhere.json")
    assert driver.window.stages.banner.isVisible() and "nowhere.json" in driver.window.stages.banner.text.text()
    dialog.deleteLater()


def test_pictures_and_trees_on_the_clipboard(driver: Driver) -> None:
    driver.do("copy-picture")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage() and data.hasFormat("image/svg+xml")
    driver.do("copy-tree")
    assert QGuiApplication.clipboard().text().startswith("(S")
    driver.do("copy-twin")
    assert QGuiApplication.clipboard().text() == driver.canvas.text_twin


@pytest.mark.parametrize(
    ("limit", "value", "parses"), [("MOST_EDGES", 20, 2), ("LONGEST_RANKED", 0.0, 1)], ids=["large", "slow"]
)
def test_a_parse_too_large_or_slow_is_shown_without_its_chart(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, limit: str, value: float, parses: int
) -> None:
    monkeypatch.setattr(f"explorer.document.sentence_parsing.{limit}", value)
    driver.session.editor.set_settings(beam=500.0)
    driver.settle()
    assert driver.session.parses.result is not None and driver.session.parses.result.parse.chart is None
    assert (len(driver.session.parses.result.parse.alternatives) > 1) == (parses > 1)
    driver.do("stage-5")
    driver.settle()
    assert "No chart" in driver.canvas.text_twin


def test_plain_english_is_tagged_and_its_tags_can_be_chosen(driver: Driver) -> None:
    driver.type("The teacher saw the man with the telescope.")
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: driver.session.editor.line.text.startswith("The teacher"))
    driver.settle()
    chips = driver.window.sentence_bar.row.chips.chips
    assert [chip.word for chip in chips][-2:] == ["telescope", "."] and chips[1].choices[0][0] == "NN"
    menu = driver.window.sentence_bar.tag_menu(1)
    titles = [action.text() for action in menu.actions()]
    assert titles[0].startswith("NN\t0.") or titles[0].startswith("NN\t1")
    menu.actions()[1].trigger()
    menu.deleteLater()
    assert (
        isinstance(driver.session.editor.line.what_ifs[0], FixedTag)
        and driver.session.editor.line.what_ifs[0].position == 1
    )
    driver.do("lift-all")
    driver.do("preset-4")
    driver.settle()
    assert driver.session.parses.result is not None
    assert {factor.kind for factor in driver.session.parses.result.ledger()} >= {"tag", "gap", "dependency", "root"}
    driver.session.view.select(WordId(1))
    assert "distribution P(t|S)" in driver.window.inspector.view.toPlainText()


def test_enter_sends_several_sentences_to_the_list(driver: Driver) -> None:
    driver.type("Mary slept. John saw the dog.")
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    assert driver.session.editor.line.text == "Mary slept."
    driver.settle()


def test_undo_in_the_sentence_bar_is_that_of_the_session(driver: Driver) -> None:
    driver.session.editor.undo_stack.clear()
    driver.type("Mary/NNP slept/VBD ./.")
    edit = driver.window.sentence_bar.edit
    QTest.keyClick(edit, Qt.Key.Key_Return)
    driver.settle()
    QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert driver.session.editor.line.text == SAW and edit.toPlainText() == SAW
    QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert driver.session.editor.line.text.startswith("Mary/NNP slept")
    driver.settle()


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
    assert session.parse is not None
    for stage in range(6):
        session.view.set_stage(stage)
        driver.settle()
        assert driver.canvas.drawing is not None
        for id in driver.canvas.drawing.regions:
            session.view.select(id)
            assert driver.window.inspector.explanation.text().strip() and driver.window.inspector.explanation.latex()
            driver.window.stages.stage.choices(id)
        for row in getattr(driver.window.stages.stage, "table").rows_model.rows:  # noqa: B009
            if row.id is not None:
                session.view.select(row.id)
    if len(session.parses.result.parse.alternatives) > 1:  # type: ignore[union-attr]
        session.view.set_rank(1)
        driver.settle()


def test_all_sentences_are_parsed_and_marked(driver: Driver) -> None:
    gold = "(S (NP (NNP Mary)) (VP (VBD slept)) (. .))"
    wrong = "(S (NP (NNP Mary) (VBD slept)) (. .))"
    lines = [
        TextLine(SMITH),
        TextLine(gold),
        TextLine(wrong),
        TextLine("broken/ Mary/NNP"),
        TextLine("Mary/NNP slept/VBD ./."),
    ]
    driver.session.editor.add_lines(lines)
    driver.settle()
    driver.do("parse-all")
    driver.until(lambda: not driver.session.tasks.busy)
    marks = [driver.session.statuses[line].mark for line in lines]
    assert marks == ["parsed", "right", "differs from gold", "failed", "parsed"]
    box = driver.window.sentences.marks
    box.setCurrentIndex(box.findData("differs from gold"))
    assert driver.window.sentences.model.shown == [3]


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
