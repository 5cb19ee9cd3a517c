"""Preset (5) and a re-ranker in the window: what it starts with, re-ranked lists, tags, switches that exclude."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.estimates.ledger import FactorKind
from engine.explain.subjects import ArrowId, FeaturesId, TagId, WordId
from engine.structure.constraints import Attachment
from explorer.compare.panel import BOTH, PRICES, TREES
from explorer.panels.around_picture import EXPECTED_F1, RERANKED_COLUMNS
from explorer.pictures.drawing import Text
from explorer.pictures.sheet import shape_rect
from explorer.session.document import TextLine
from tests.explorer.window_driver import SAW, Driver
from tests.stage_names import SENTENCE

DUCK = "Her duck saw the man with the telescope."

LEFT_ALONE = "(S (NP (NNP Mary)) (VP (VBD left)) (. .))"


@pytest.fixture
def driver(qtbot: QtBot, reranked_path: Path, tmp_path: Path) -> Iterator[Driver]:
    """A window with a model that has a re-ranker, and a plain sentence."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(reranked_path, DUCK)
    yield made
    made.close()


def test_the_window_starts_with_the_best_and_the_paper_is_one_key_away(driver: Driver) -> None:
    session = driver.session
    assert session.editor.document.preset == 5 and session.parses.result is not None
    assert any(factor.kind == FactorKind.FEATURE for factor in session.parses.result.ledger())
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(driver.window, Qt.Key.Key_3, keys)
    driver.settle()
    assert session.editor.document.preset == 3 and session.parses.result is not None
    assert not any(factor.kind == FactorKind.FEATURE for factor in session.parses.result.ledger())


def test_prices_say_that_the_reranker_has_no_say_in_them(driver: Driver) -> None:
    driver.window.features.comparison.show()
    panel = driver.window.features.comparison.panel
    panel.tables.setCurrentIndex(PRICES)
    driver.session.view.select(WordId(1))
    table = panel.tables.prices.rows_model
    driver.until(lambda: not driver.window.features.comparison.comparisons.pricing and len(table.rows) > 1)
    assert "without the re-ranker" in table.rows[-1].cells[1]


def test_over_short_sentences_titles_have_room(driver: Driver) -> None:
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(LEFT_ALONE)))
    driver.settle()
    driver.window.features.comparison.show()
    panel = driver.window.features.comparison.panel
    driver.until(lambda: panel.settled and driver.window.features.comparison.comparisons.comparison is not None)
    for page in (TREES, BOTH):
        drawing, metrics = panel.drawing(page), panel.canvas.metrics
        texts = [shape_rect(shape, metrics) for shape in drawing.shapes if isinstance(shape, Text)]
        assert len(texts) > 8
        assert not any(one.overlaps(other) for one, other in itertools.combinations(texts, 2))


def test_a_reranked_list_shows_log_p_what_is_added_and_the_score(driver: Driver) -> None:
    driver.window.stages.tabs.setCurrentIndex(1)
    table = driver.window.stages.alternatives
    best = driver.session.parses.shown
    assert best is not None
    assert not any(table.isColumnHidden(column) for column in RERANKED_COLUMNS)
    shown = [[float(cell.replace("−", "-")) for cell in row.cells[1:4]] for row in table.rows_model.rows]
    assert len(shown) > 2
    assert all(log + added == pytest.approx(score, abs=0.011) for log, added, score in shown)
    expected = [one.expected_f1 or 0.0 for one in best.alternatives]
    assert expected == sorted(expected, reverse=True)
    assert [f"{100 * one:.2f} %" for one in expected] == [row.cells[EXPECTED_F1] for row in table.rows_model.rows]
    ledger = driver.window.stages.parse_stage.table.rows_model.rows
    sums = [float(row.cells[2].replace("−", "-")) for row in ledger if not row.cells[0]]
    normalised = best.dependency_probabilities().log_probability
    assert sums == pytest.approx([best.log_probability, best.score, normalised], abs=0.001)
    driver.window.stages.parse_stage.unfold(FeaturesId())
    ledger = driver.window.stages.parse_stage.table.rows_model.rows
    assert sum(row.cells[0].strip() == FactorKind.FEATURE for row in ledger) > 5
    driver.do("preset-3")
    driver.settle()
    assert all(table.isColumnHidden(column) for column in RERANKED_COLUMNS)


def test_the_price_of_a_what_if_is_the_sum_of_what_moved(driver: Driver) -> None:
    session = driver.session
    assert session.parses.shown is not None
    other = next(head for head in (2, 4) if head != session.parses.shown.heads()[5])
    session.editor.add_what_if(Attachment(5, other))
    driver.settle()
    answer = session.parses.result
    assert answer is not None and answer.price < 0
    assert sum(line.difference for line in answer.moved()) == pytest.approx(answer.price)
    assert "re-ranker: −" in driver.window.stages.what_ifs.price.text()


@pytest.mark.parametrize("name", ["ignore-tags", "full-distance"])
def test_switches_that_exclude_each_other_are_one_sentence(driver: Driver, name: str) -> None:
    action = driver.window.named_actions[name]
    before, checked = driver.session.editor.document, action.isChecked()
    driver.do(name)
    assert driver.session.editor.document == before and action.isChecked() == checked
    assert "choose one of the presets 1 to 4" in driver.window.stages.banner.text.text()


def test_the_tagger_s_alternatives_are_shown_under_every_preset(driver: Driver) -> None:
    for preset in [1, 2, 3, 4, 5]:
        driver.do(f"preset-{preset}")
        driver.go("sentence")
        driver.settle()
        drawing = driver.canvas.drawing
        assert drawing is not None
        tags = [id for id in drawing.regions if isinstance(id, TagId) and id.position == 1]
        assert len(tags) > 1 and "VBD" in [id.tag for id in tags]
        assert "VBD" in driver.canvas.text_twin
        rows = driver.window.stages.stages[SENTENCE].table.rows_model.rows  # type: ignore[attr-defined]
        assert "VBD" in rows[1].cells[4] and 0 < float(rows[1].cells[3]) < 1
        menu = driver.window.sentence_bar.tag_menu(1)
        titles = [action.text() for action in menu.actions()]
        menu.deleteLater()
        assert sum("\t0." in title or "\t1." in title for title in titles) > 1


def test_given_tags_stand_and_what_the_tagger_would_say_is_shown(driver: Driver) -> None:
    driver.session.editor.edit_text(SAW.replace("saw/VBD", "saw/NN"))
    driver.settle()
    driver.go("sentence")
    driver.settle()
    rows = driver.window.stages.stages[SENTENCE].table.rows_model.rows  # type: ignore[attr-defined]
    assert rows[1].cells[2] == "NN" and rows[1].cells[3].startswith("given") and "VBD" in rows[1].cells[4]
    menu = driver.window.sentence_bar.tag_menu(1)
    titles = [action.text() for action in menu.actions()]
    chosen = [action.text() for action in menu.actions() if action.isChecked()]
    menu.deleteLater()
    assert titles[0].startswith("VBD\t") and chosen[0].startswith("NN")
    driver.session.view.select(WordId(1))
    assert "would have said" in driver.window.inspector.view.toPlainText()


def test_after_enter_the_arrow_keys_step(driver: Driver) -> None:
    driver.type("Mary slept.")
    edit = driver.window.sentence_bar.edit
    assert edit.hasFocus()
    QTest.keyClick(edit, Qt.Key.Key_Return)
    driver.until(lambda: driver.session.editor.line.text == "Mary slept.")
    driver.settle()
    assert driver.canvas.hasFocus()
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    assert driver.session.view.selection == ArrowId(0)
    # What cannot be read is to be mended first.
    driver.type("Mary/NNP slept/")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.hasFocus()
