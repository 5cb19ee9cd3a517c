"""The answer comes first in the window: headline, folded sections, banner of a what-if, names of alternatives."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from engine.estimates.explainer import Explainer
from engine.estimates.ledger import Factor
from engine.explain.explanation import END_OF_SECTION, Explanation, Heading, Paragraph, Section
from engine.explain.subjects import ArrowId, FactorId, WhatIfId
from engine.structure.constituents import Constituent
from engine.structure.constraints import Attachment
from explorer.panels.stage_view import TWIN
from tests.explorer.window_driver import Driver

FOLDED = QUrl("fold:estimate")


@pytest.fixture
def driver(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> Driver:
    """A window that shows the man with the telescope under preset (3)."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(classroom_path)
    made.do("preset-3")
    made.settle()
    return made


def test_the_inspector_opens_with_the_answer_and_screen_readers_say_it(driver: Driver) -> None:
    window, view = driver.window, driver.session.view
    view.select(ArrowId(4))
    driver.process_events()
    headline = window.inspector.explanation.headline
    assert headline is not None and headline.sentence.startswith("`with` modifies `man`. ")
    told = headline.sentence.replace("`", "")
    assert told in window.inspector.view.toPlainText()
    assert "‘with’ modifies ‘man’." in window.inspector.view.accessibleDescription()
    window.stages.tabs.setCurrentIndex(TWIN)
    driver.process_events()
    assert window.stages.twin.toPlainText().startswith("with → man\n‘with’ modifies ‘man’.")
    driver.close()


def test_what_is_folded_stays_so_over_a_restart(driver: Driver, qtbot: QtBot, classroom_path: Path) -> None:
    inspector, view = driver.window.inspector, driver.session.view
    view.select(ArrowId(4))
    driver.process_events()
    # Formulas are folded at first, counts are not.
    assert "λ₁ =" not in inspector.view.toPlainText() and "E = η/δ" in inspector.view.toPlainText()
    inspector.view.anchorClicked.emit(FOLDED)
    inspector.view.anchorClicked.emit(QUrl("fold:counts"))
    assert "λ₁ =" in inspector.view.toPlainText() and "E = η/δ" not in inspector.view.toPlainText()
    # It is so on other pages, too; and what is copied is whole.
    view.select(ArrowId(0))
    driver.process_events()
    assert "E = η/δ" not in inspector.view.toPlainText() and "E = η/δ" in inspector.explanation.text()
    folder = driver.preferences.folder
    driver.close()
    again = Driver(qtbot, folder)
    again.load(classroom_path)
    again.session.view.select(ArrowId(4))
    again.process_events()
    text = again.window.inspector.view.toPlainText()
    assert "E = η/δ" not in text and "▾ Estimate" in text and "▸ Counts" in text
    again.close()


def test_links_of_counts_are_numbered_as_if_nothing_were_folded(driver: Driver) -> None:
    inspector = driver.window.inspector
    driver.session.view.select(ArrowId(4))
    driver.process_events()
    opened: list[object] = []
    inspector.count_opened.disconnect()
    inspector.count_opened.connect(opened.append)
    whole = inspector.explanation.html("#000000", "#000000", "#000000", "#000000")
    folded = inspector.explanation.html("#000000", "#000000", "#000000", "#000000", folded={Section.COUNTS})
    assert "count:0" in whole and "count:" not in folded
    inspector.view.anchorClicked.emit(QUrl("count:0"))
    assert opened == [inspector.explanation.links[0]]
    driver.close()


def test_remarks_after_a_section_are_not_folded_with_it() -> None:
    blocks = (Heading("One", Section.PAPER), Paragraph("inside"), END_OF_SECTION, Paragraph("after"))
    shown = Explanation("t", "", blocks)
    html = shown.html("#000000", "#000000", "#000000", "#000000", folded={Section.PAPER})
    assert "inside" not in html and "after" in html and "▸ One" in html
    assert "inside" in shown.text() and "\n\n\n" not in shown.text()


def test_a_banner_says_what_is_forced_and_its_cross_removes_it(driver: Driver) -> None:
    banner, editor = driver.window.stages.what_if_banner, driver.session.editor
    assert not banner.isVisible()
    editor.add_what_if(Attachment(4, 1))
    driver.settle()
    assert banner.isVisible() and banner.text.text() == "What if: ‘with’ → ‘saw’. It costs 0.44 in log P."
    banner.why.click()
    driver.process_events()
    assert driver.session.view.selection == WhatIfId(0)
    assert driver.window.inspector.explanation.title == "What if"
    banner.remove.click()
    driver.settle()
    assert not banner.isVisible() and not editor.line.what_ifs
    driver.close()


def test_alternatives_are_named_by_what_differs(driver: Driver) -> None:
    stages = driver.window.stages
    stages.tabs.setCurrentWidget(stages.alternatives)
    driver.settle()
    names = [row.cells[-1] for row in stages.alternatives.rows_model.rows]
    assert names[:2] == ["the best", "with → saw instead of man"]
    driver.close()


def test_a_unary_of_the_ledger_is_explained(driver: Driver) -> None:
    driver.go("parse")
    driver.settle()
    rows = driver.window.stages.parse_stage.table.rows_model.rows
    unary = next(row for row in rows if row.cells[0].startswith("unary"))
    assert isinstance(unary.id, FactorId)
    driver.session.view.select(unary.id)
    driver.process_events()
    headline = driver.window.inspector.explanation.headline
    assert headline is not None and "unary production" in headline.sentence
    driver.close()


def test_the_ledgers_behind_a_headline_are_made_off_the_windows_thread(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    listed = Explainer.own_factors

    def own_factors(self: Explainer, roots: Sequence[Constituent], fragments: bool = False) -> list[Factor]:
        threads.append(threading.current_thread())
        return listed(self, roots, fragments)

    monkeypatch.setattr(Explainer, "own_factors", own_factors)
    text = "The/DT woman/NN saw/VBD the/DT man/NN with/IN the/DT dog/NN in/IN the/DT park/NN"
    driver.session.editor.edit_text(text)
    driver.settle()
    driver.until(lambda: "11 words" in driver.window.inspector.view.toPlainText())
    driver.until(lambda: not driver.session.parses.busy)
    assert threads and threading.main_thread() not in threads
    driver.close()


def test_what_differs_is_not_cut_off_where_the_table_is_narrow(driver: Driver) -> None:
    stages = driver.window.stages
    stages.tabs.setCurrentWidget(stages.alternatives)
    driver.settle()
    table = stages.alternatives
    table.resize(420, table.height())
    last = len(table.rows_model.columns) - 1
    longest = max((row.cells[last] for row in table.rows_model.rows), key=len)
    assert table.columnWidth(last) >= min(360, table.fontMetrics().horizontalAdvance(longest))
    driver.close()
