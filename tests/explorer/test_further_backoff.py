"""Further back-off in the window: the switch, and what says that a tree was found with it only."""

from __future__ import annotations

from engine.explain.explanation import Section
from engine.explain.subjects import ArrowId
from engine.study.verdicts import VerdictKind
from explorer.panels.sentence_list import WORDS
from explorer.session.document import TextLine
from explorer.session.statuses import FRAGMENTS, FURTHER_BACKOFF_SIGN
from tests.explorer.compare_driver import show
from tests.explorer.window_driver import Driver

ODD = "Mary/NNP ,/, slept/VBD"
"""A comma between a subject and its verb, which the classroom's trees never have."""
ODD_TREE = "(S (NP (NNP Mary)) (, ,) (VP (VBD slept) (NP (NNP John))))"
NOTE = "no tree was found under the paper's estimates"


def show_sentence(driver: Driver) -> None:
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(ODD)))
    driver.settle()


def test_a_parse_with_further_back_off_says_so_everywhere(driver: Driver) -> None:
    driver.do("preset-3")
    show_sentence(driver)
    session, window = driver.session, driver.window
    assert session.parses.shown is not None and session.parses.shown.further_backoff
    assert "found with further back-off" in window.status.facts.text()
    driver.go("parse")
    driver.settle()
    inspector = window.inspector
    driver.until(lambda: NOTE in inspector.view.toPlainText().lower())
    session.view.select(ArrowId(0))
    text = inspector.view.toPlainText()
    assert "λ₄ × E₄" not in text and NOTE in text.lower()
    # The formula is folded at first.
    inspector.fold(Section.ESTIMATE)
    assert "λ₄ × E₄ + (1 − λ₄) × E(order)" in inspector.view.toPlainText()
    row = window.sentences.model.index(session.editor.document.current, 0)
    assert FURTHER_BACKOFF_SIGN in row.data(WORDS)
    assert "found with further back-off" in row.data(3)
    (total,) = (row for row in window.stages.parse_stage.table.rows_model.rows if row.cells[1] == "sum: log P")
    assert any(NOTE in cell for cell in total.cells)


def test_the_switch_restores_the_letter_of_the_paper(driver: Driver) -> None:
    driver.do("preset-3")
    show_sentence(driver)
    session, action = driver.session, driver.window.named_actions["further-backoff"]
    assert action.isChecked() and action.isEnabled()
    driver.do("further-backoff")
    driver.settle()
    assert not session.editor.settings.further_backoff and not action.isChecked()
    assert session.parses.shown is not None and session.parses.shown.fallback
    status = session.statuses.get(session.editor.line)
    assert status is not None and status.mark == FRAGMENTS and not status.further_backoff
    # No preset sets it, so it stays; preset (5) has nothing to switch.
    driver.do("preset-5")
    assert not session.editor.settings.further_backoff and not action.isEnabled()
    driver.do("preset-2")
    assert not session.editor.settings.further_backoff and action.isEnabled()
    driver.do("undo")
    driver.do("undo")
    driver.do("undo")
    driver.settle()
    assert session.editor.settings.further_backoff
    assert session.parses.shown is not None and session.parses.shown.further_backoff


def test_gold_is_held_against_it_by_the_same_estimates(driver: Driver) -> None:
    driver.do("preset-3")
    comparison = show(driver, ODD_TREE)
    assert comparison.first.further_backoff == comparison.second.further_backoff
    assert comparison.first.further_backoff
    judged = comparison.verdict
    assert judged is not None
    if judged.kind is not VerdictKind.RIGHT:
        assert (
            judged.kind is VerdictKind.OUTSIDE
            and "further back-off" in driver.window.features.comparison.panel.verdict.text()
        )
