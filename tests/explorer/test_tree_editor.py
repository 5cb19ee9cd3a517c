"""The gold tree changed by hand: dragged, relabelled, bracketed, taken from a parse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog, QMenu

from engine.explain.subjects import NodeId, WordId
from engine.study.verdicts import VerdictKind
from explorer.compare.panel import GOLD_TREE
from explorer.pictures.theme import STYLES
from explorer.session.files import load_document
from tests.explorer.compare_driver import HIGH, IMPOSSIBLE, LOW, compared, show
from tests.explorer.window_driver import Driver

pytestmark = pytest.mark.usefixtures("paper_model")


def edited(driver: Driver) -> None:
    driver.settle()
    editor = driver.window.features.comparison.tree_editor
    driver.until(lambda: editor.settled)
    driver.settle()
    driver.until(lambda: editor.settled)


def test_a_constituent_is_dragged_to_where_it_belongs(driver: Driver, tmp_path: Path) -> None:
    show(driver, HIGH)
    driver.window.features.comparison.show_gold()
    edited(driver)
    editor = driver.window.features.comparison.tree_editor
    assert driver.window.features.comparison.panel.pictures.currentIndex() == GOLD_TREE
    canvas, driver.canvas = driver.canvas, editor.canvas
    driver.drag(NodeId(4, 7, "PP", 2), NodeId(2, 4, "NP", 2))
    driver.canvas = canvas
    assert driver.session.editor.line.text == LOW
    edited(driver)
    assert NodeId(2, 7, "NP", 2) in editor.canvas.drawing.regions  # type: ignore[union-attr]
    driver.session.editor.undo_stack.undo()
    assert driver.session.editor.line.text == HIGH
    driver.session.editor.undo_stack.redo()
    driver.save_to(tmp_path / "kept.json")
    document, _ = load_document(tmp_path / "kept.json")
    assert document.line.text == LOW
    edited(driver)


def test_relabel_bracket_remove_and_attach_by_command(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    show(driver, HIGH)
    driver.window.features.comparison.show_gold()
    edited(driver)
    editor, session = driver.window.features.comparison.tree_editor, driver.session
    answers: list[str] = []
    asked: list[list[str]] = []

    def ask(parent: object, title: str, text: str, choices: list[str], *rest: object) -> tuple[str, bool]:
        asked.append(choices)
        return (answers.pop(0), True) if answers else ("", False)

    monkeypatch.setattr(QInputDialog, "getItem", ask)
    driver.do("relabel-gold")
    assert "Select" in driver.window.statusBar().currentMessage() and not asked
    editor.select(NodeId(4, 7, "PP", 2))
    answers.append("ADVP")
    driver.do("relabel-gold")
    assert "(ADVP (IN with)" in session.editor.line.text
    session.editor.undo_stack.undo()
    edited(driver)
    editor.select(NodeId(4, 7, "PP", 2))
    answers.append("NP: the man")
    driver.do("attach-gold")
    assert session.editor.line.text == LOW and "NP: the man" in asked[-1]
    edited(driver)
    editor.select(NodeId(2, 7, "NP", 2))
    driver.do("remove-gold")
    edited(driver)
    assert "(VP (VBD saw) (NP (DT the) (NN man)) (PP" in session.editor.line.text
    editor.select(WordId(0))
    answers.append("X")
    driver.do("bracket-gold")
    assert "(NP (X (NNP Mary)))" in session.editor.line.text
    edited(driver)
    # A change that cannot be made is said, and nothing is changed.
    before = session.editor.document
    editor.attach((1, 2), (0,))
    assert "stands between" in driver.window.stages.banner.text.text() and session.editor.document is before
    editor.select(NodeId(4, 7, "PP", 2))
    menu = editor.open_menu(driver.window.pos())
    entries = {action.text(): action for action in menu.actions()}
    assert {"Relabel …", "Add bracket …", "Remove bracket", "Attach to", "Bracket with"} <= set(entries)
    answers.append("NP")
    submenu = entries["Bracket with"].menu()
    assert isinstance(submenu, QMenu)
    next(action for action in submenu.actions() if action.text() == "NP: the man").trigger()
    assert "(NP (NP (DT the) (NN man)) (PP" in session.editor.line.text
    session.editor.undo_stack.undo()
    menu.close()
    menu.deleteLater()
    # Two changes before the first is parsed: none is lost.
    editor.relabel((), "SINV")
    editor.relabel((0,), "ADJP")
    assert session.editor.line.text.startswith("(SINV (ADJP")
    edited(driver)


def test_a_parse_is_taken_for_gold(driver: Driver) -> None:
    driver.window.features.comparison.show_gold()
    driver.do("relabel-gold")
    assert "no gold tree" in driver.window.stages.banner.text.text()
    editor = driver.window.features.comparison.tree_editor
    assert editor.buttons["take"].isVisible() and not editor.buttons["attach"].isVisible()
    assert driver.session.parses.shown is not None
    tree = driver.session.parses.shown.tree.brackets()
    driver.do("take-gold")
    assert driver.session.editor.line.text == tree
    edited(driver)
    found = compared(driver)
    assert found.verdict is not None and found.verdict.kind == VerdictKind.RIGHT
    assert driver.session.statuses[driver.session.editor.line].mark == "right"


def test_an_impossible_gold_tree_is_shown_all_the_same(driver: Driver) -> None:
    show(driver, IMPOSSIBLE)
    driver.window.features.comparison.show_gold()
    edited(driver)
    assert "no probability" in driver.window.features.comparison.tree_editor.note.text()


def long_tree() -> str:
    """Six clauses side by side: 65 words."""
    clause = (
        "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) "
        "(PP (IN with) (NP (NP (DT the) (NN telescope)) (PP (IN with) (NP (DT the) (NN man))))))))"
    )
    return f"(S {' (CC and) '.join([clause] * 6)} (. .))"


def test_a_long_gold_tree_is_folded_can_be_opened_and_edited(driver: Driver) -> None:
    driver.window.resize(1920, 1080)
    show(driver, long_tree())
    driver.window.features.comparison.show_gold()
    edited(driver)
    editor, canvas = driver.window.features.comparison.tree_editor, driver.window.features.comparison.tree_editor.canvas

    def readable() -> None:
        across = canvas.horizontalScrollBar()
        assert across.maximum() == across.minimum()
        assert canvas.transform().m11() * min(style.size for style in STYLES.values()) * 72 / 96 >= 9

    assert canvas.drawing is not None and canvas.drawing.folded and canvas.drawing.overview is not None
    readable()
    # A click opens a fold.
    before, driver.canvas = driver.canvas, canvas
    span = canvas.drawing.folded[0]
    node = next(id for id in canvas.drawing.regions if isinstance(id, NodeId) and (id.start, id.end) == span)
    driver.click(node)
    edited(driver)
    assert span not in canvas.drawing.folded
    readable()
    # So does what is selected anywhere, and it can be edited then.
    words = len(editor.tree.words()) - 1 if editor.tree is not None else 0
    for position in (words - 1, 1):
        driver.session.view.select(WordId(position))
        edited(driver)
        assert canvas.selection == WordId(position) and WordId(position) in canvas.drawing.regions
        readable()
    assert editor.path is not None
    editor.relabel(editor.path, "VBZ")
    edited(driver)
    assert "(VBZ saw)" in driver.session.editor.line.text
    # A tick of the map is clicked.
    hidden = canvas.drawing.folded[-1][0] + 1
    canvas.overview_clicked.emit(WordId(hidden))
    edited(driver)
    assert WordId(hidden) in canvas.drawing.regions and canvas.selection == WordId(hidden)
    driver.canvas = before
