"""Live training in the window: what a teacher does with the panel Treebank, and what everybody sees."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QDockWidget, QFileDialog

from engine.cli.command_line import main
from engine.explain.subjects import ArrowId
from engine.trees.tree import Tree
from explorer.classroom.controller import LiveTrainingController
from explorer.classroom.live_training import NO_TREES, LiveTreebank, read_one_tree
from explorer.classroom.live_training_panel import START_PAGE, TREES_PAGE, TreeDialog
from explorer.kit.actions import declared
from explorer.panels.stage_view import TABLE
from explorer.pictures.drawing import Curve
from explorer.session.document import LIVE_NAME
from explorer.session.files import load_document
from tests.explorer.window_driver import Driver
from tests.stage_names import PARSE

NOUN = (
    "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
)
VERB = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
WITH, SAW, MAN = 4, 1, 3


def part(driver: Driver) -> LiveTrainingController:
    return driver.window.features.classroom.live_training


def follow(driver: Driver) -> None:
    """Wait until model, parse and what changed are those of the treebank as it is now."""
    live, parses = part(driver), driver.session.parses

    def done() -> bool:
        if live.busy or parses.busy:
            return False
        model = live.training.model if live.training.live else parses.model
        return parses.model is model and (parses.result is None or parses.is_complete)

    driver.until(done)
    driver.process_events()
    driver.until(lambda: done() and driver.window.stages.settled and not driver.puts_off())


def start(driver: Driver, *trees: str) -> None:
    """Begin with some trees."""
    driver.session.editor.set_preset(3)
    part(driver).start(LiveTreebank("some", tuple(map(read_one_tree, trees))))
    follow(driver)


def trees(driver: Driver) -> tuple[Tree, ...]:
    treebank = part(driver).training.treebank
    assert treebank is not None
    return treebank.trees


def told(driver: Driver) -> str:
    return part(driver).panel.told.toPlainText()


def click(driver: Driver, name: str) -> None:
    """Click a button of the panel."""
    QTest.mouseClick(part(driver).panel.buttons[name], Qt.MouseButton.LeftButton)


def test_every_action_is_in_the_menu_with_a_key_of_its_own(driver: Driver) -> None:
    menu = driver.window.named_actions.menus["Treebank"]
    for entry in declared(LiveTrainingController):
        assert driver.window.named_actions[entry.name] in menu.actions()
    keys = [entry.shortcut for entry in driver.window.named_actions.entries]
    keys += [toggle.shortcut().toString() for toggle in driver.window.panel_toggles]
    assert len(keys) == len(set(keys))


def test_the_panel_begins_with_what_can_be_trained_on(driver: Driver) -> None:
    panel = part(driver).panel
    part(driver).show_panel()
    assert panel.pages.currentIndex() == START_PAGE and not panel.starts["live-again"].isVisible()
    QTest.mouseClick(panel.starts["live-classroom"], Qt.MouseButton.LeftButton)
    follow(driver)
    assert panel.pages.currentIndex() == TREES_PAGE and len(trees(driver)) == 130
    assert driver.window.settings_strip.model.text() == f"{LIVE_NAME} ▾"
    assert LIVE_NAME in driver.window.status.facts.text()
    assert "130 trees" in panel.facts.text() and "trained in" in panel.facts.text()


def test_a_tree_is_added_and_everything_follows_and_says_what_changed(driver: Driver) -> None:
    start(driver, NOUN, NOUN, VERB)
    parses, stages = driver.session.parses, driver.window.stages
    assert parses.shown is not None and parses.shown.heads()[WITH] == MAN
    driver.session.view.go_to(PARSE)
    for _ in range(3):
        part(driver).training.add([read_one_tree(VERB)])
    follow(driver)
    driver.until(lambda: "with now modifies saw" in told(driver))
    assert parses.shown is not None and parses.shown.heads()[WITH] == SAW
    assert "before 1 of 3, now 4 of 6" in told(driver)
    # The arrow is marked in the picture, in colour and dotted, and in its text twin.
    drawing = driver.canvas.drawing
    assert drawing is not None and drawing.regions[ArrowId(WITH)].mark == "new"
    lines = [shape for shape in drawing.shapes if isinstance(shape, Curve) and shape.id == ArrowId(WITH)]
    assert any(line.dash == "dot" for line in lines)
    assert "with → saw" in drawing.text_twin and "new" in drawing.text_twin
    # The ledger has both counts.
    stages.tabs.setCurrentIndex(TABLE)
    driver.until(lambda: any("before E1 1/3" in row.cells[4] for row in stages.parse_stage.table.rows_model.rows))
    row = next(row for row in stages.parse_stage.table.rows_model.rows if row.cells[1].startswith("with → saw"))
    assert "now E1 4/6" in row.cells[4] and "→" in row.cells[2] and row.chosen
    rows = part(driver).panel.table.rows_model.rows
    assert any((one.cells[0], one.cells[3]) == ("F̂ with → saw", "1/3 → 4/6") for one in rows)
    assert rows[-1].cells[0] == "log P of the best parse"


def test_a_sentence_about_a_change_selects_what_it_is_about(driver: Driver) -> None:
    start(driver, NOUN, NOUN, VERB)
    part(driver).training.add([read_one_tree(VERB)] * 3)
    follow(driver)
    driver.until(lambda: "with now modifies" in told(driver))
    part(driver).panel.told.anchorClicked.emit("0")
    assert driver.session.view.selection == ArrowId(WITH)


def test_undo_and_redo_go_through_the_windows_keys(driver: Driver) -> None:
    start(driver, NOUN)
    click(driver, "live-add-parse")
    follow(driver)
    assert len(trees(driver)) == 2
    panel = part(driver).panel
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    follow(driver)
    assert len(trees(driver)) == 1
    QTest.keyClick(panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    follow(driver)
    assert len(trees(driver)) == 2
    stack: QUndoStack = driver.session.editor.undo_stack
    assert "adding 1 tree" in driver.window.named_actions["undo"].text() and stack.undoText() == "adding 1 tree"


def test_from_an_empty_treebank(driver: Driver) -> None:
    driver.do("live-empty")
    follow(driver)
    panel = part(driver).panel
    assert driver.session.parses.problem == NO_TREES and driver.session.parses.result is None
    assert panel.state.text().startswith("The treebank is empty") and panel.empty.isVisible()
    assert not panel.buttons["live-add-parse"].isEnabled()
    drawing = driver.canvas.drawing
    assert drawing is not None and "The treebank is empty" in drawing.text_twin
    assert not driver.window.stages.banner.isVisible()
    part(driver).training.add([read_one_tree(VERB)])
    follow(driver)
    assert driver.session.parses.shown is not None and driver.session.parses.shown.tree == read_one_tree(VERB)
    assert panel.state.text() == "It has seen every word of the sentence."


def test_the_first_trees_alone(driver: Driver) -> None:
    driver.do("live-classroom")
    follow(driver)
    panel, training = part(driver).panel, part(driver).training
    for count in (5, 2, 1, 0, 130):
        panel.slider.setValue(count)
        follow(driver)
        assert panel.first.value() == count
        assert training.model is None if count == 0 else training.model is not None
        if training.model is not None:
            assert training.model.metadata["trees"] == count
    panel.slider.setValue(2)
    follow(driver)
    assert "never seen" in panel.state.text()
    # All moves of the slider are one step back.
    driver.do("undo")
    follow(driver)
    assert training.treebank is not None and training.treebank.first is None


def test_the_filter_finds_trees_by_their_words(driver: Driver) -> None:
    driver.do("live-classroom")
    follow(driver)
    panel = part(driver).panel
    QTest.keyClicks(panel.search, "telescope mary")
    shown = [panel.model.words(at).casefold() for at in panel.model.shown]
    assert shown and len(shown) < 130 and all("telescope" in words and "mary" in words for words in shown)
    before = trees(driver)
    panel.view.setCurrentIndex(panel.model.index(0))
    chosen = panel.selected
    click(driver, "live-remove")
    follow(driver)
    assert trees(driver) == tuple(tree for at, tree in enumerate(before) if at not in chosen) and len(chosen) == 1


@pytest.mark.parametrize("name", ["live-edit", "live-remove"])
def test_what_needs_a_selected_tree_says_so(driver: Driver, name: str) -> None:
    start(driver, NOUN, NOUN)
    part(driver).panel.view.clearSelection()
    driver.do(name)
    assert "Select a tree" in driver.window.stages.banner.text.text() and len(trees(driver)) == 2


def opened(driver: Driver, name: str) -> TreeDialog:
    click(driver, name)
    dialog = part(driver).dialog
    assert dialog is not None
    driver.until(lambda: dialog.isVisible() and dialog.settled)
    return dialog


def test_a_tree_is_edited_by_its_brackets(driver: Driver) -> None:
    start(driver, NOUN, NOUN)
    part(driver).panel.select(1)
    dialog = opened(driver, "live-edit")
    accept = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert dialog.tree.tree == read_one_tree(NOUN) and accept.isEnabled()
    dialog.set_text("(S (NP")
    assert not accept.isEnabled() and "closing" in dialog.note.text()
    dialog.set_text(VERB)
    driver.until(lambda: dialog.settled and dialog.tree.tree == read_one_tree(VERB))
    assert not dialog.note.text()
    accept.click()
    follow(driver)
    assert trees(driver) == (read_one_tree(NOUN), read_one_tree(VERB))
    driver.do("undo")
    assert trees(driver) == (read_one_tree(NOUN), read_one_tree(NOUN))
    follow(driver)


def test_a_tree_is_edited_in_its_picture(driver: Driver) -> None:
    start(driver, NOUN)
    part(driver).panel.select(0)
    dialog = opened(driver, "live-edit")
    dialog.tree.attach((1, 1, 1), (1,))
    driver.until(lambda: dialog.settled)
    text = dialog.edit.toPlainText()
    assert read_one_tree(text).brackets() != NOUN
    dialog.session.editor.undo_stack.undo()
    assert read_one_tree(dialog.edit.toPlainText()) == read_one_tree(NOUN)
    dialog.session.editor.undo_stack.redo()
    driver.until(lambda: dialog.settled)
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    follow(driver)
    assert trees(driver) == (read_one_tree(text),)


def test_a_typed_sentence_is_parsed_and_its_parse_added(driver: Driver) -> None:
    start(driver, NOUN)
    dialog = opened(driver, "live-add")
    accept = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    dialog.set_text("John slept .")
    driver.until(lambda: dialog.settled and dialog.session.parses.is_complete)
    assert not accept.isEnabled()
    dialog.tree.buttons["take"].click()
    driver.until(lambda: dialog.settled and accept.isEnabled())
    accept.click()
    follow(driver)
    assert trees(driver)[-1].words() == ["John", "slept", "."]


def test_a_dialog_that_is_cancelled_changes_nothing(driver: Driver) -> None:
    start(driver, NOUN)
    dialog = opened(driver, "live-add")
    dialog.set_text(VERB)
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    follow(driver)
    assert trees(driver) == (read_one_tree(NOUN),)


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Have the next dialog for a file answer with this one."""

    def answer(path: Path) -> None:
        for name in ("getSaveFileName", "getOpenFileName"):
            monkeypatch.setattr(QFileDialog, name, lambda *_: (str(path), ""))

    return answer


def test_the_saved_model_is_what_the_terminal_makes_of_the_saved_trees(
    driver: Driver, tmp_path: Path, choose: Callable[[Path], None]
) -> None:
    start(driver, NOUN, VERB)
    click(driver, "live-add-parse")
    follow(driver)
    choose(tmp_path / "own.model")
    driver.do("live-model")
    follow(driver)
    assert len((tmp_path / "own.ptb").read_text().splitlines()) == 3
    assert main(["train", str(tmp_path / "own.ptb"), "-o", str(tmp_path / "again.model"), "--no-record"]) == 0
    assert (tmp_path / "own.model").read_bytes() == (tmp_path / "again.model").read_bytes()
    choose(tmp_path / "trees.ptb")
    driver.do("live-save")
    follow(driver)
    assert (tmp_path / "trees.ptb").read_bytes() == (tmp_path / "own.ptb").read_bytes()


def test_a_small_file_is_opened_and_a_broken_one_is_not(
    driver: Driver, tmp_path: Path, choose: Callable[[Path], None]
) -> None:
    (tmp_path / "good.ptb").write_text(f"{NOUN}\n{VERB}\n")
    (tmp_path / "bad.ptb").write_text("(S (NP\n")
    choose(tmp_path / "good.ptb")
    driver.do("live-open")
    follow(driver)
    assert len(trees(driver)) == 2
    choose(tmp_path / "bad.ptb")
    driver.do("live-open")
    follow(driver)
    assert "bad.ptb, line 1" in driver.window.stages.banner.text.text()
    assert len(trees(driver)) == 2


def test_a_session_saved_meanwhile_names_the_model_before(driver: Driver, tmp_path: Path) -> None:
    before = driver.session.editor.document.model
    start(driver, NOUN)
    driver.save_to(tmp_path / "session.json")
    document, _ = load_document(tmp_path / "session.json")
    assert document.model == before and not document.live
    assert "live" not in (tmp_path / "session.json").read_text()


def test_stopping_brings_the_model_before_back_and_the_trees_can_be_had_again(driver: Driver) -> None:
    model = driver.session.parses.model
    start(driver, NOUN, VERB)
    assert driver.session.parses.model is not model
    driver.do("live-stop")
    follow(driver)
    assert driver.session.parses.model is model
    panel = part(driver).panel
    assert panel.pages.currentIndex() == START_PAGE and panel.starts["live-again"].isVisible()
    driver.do("live-again")
    follow(driver)
    assert trees(driver) == (read_one_tree(NOUN), read_one_tree(VERB))


def test_another_model_leaves_the_trees_waiting(driver: Driver, classroom_path: Path) -> None:
    start(driver, NOUN)
    live = part(driver)
    driver.session.loader.open_model(classroom_path)
    driver.until(lambda: not driver.session.editor.document.live)
    follow(driver)
    assert live.panel.resume.isVisible() and "another model" in live.panel.state.text()
    live.panel.resume.click()
    follow(driver)
    assert live.training.live and driver.session.parses.model is live.training.model


def test_a_count_of_the_live_model_opens_its_own_trees(driver: Driver) -> None:
    start(driver, NOUN, NOUN, VERB)
    link = driver.window.features.knowledge.link
    [source] = link.sources()
    assert source.read_text() == f"{NOUN}\n{NOUN}\n{VERB}\n"


def test_adding_without_a_treebank_says_what_to_do(driver: Driver) -> None:
    for name in ("live-add", "live-add-parse", "live-edit", "live-save", "live-model"):
        driver.window.stages.banner.hide()
        driver.do(name)
        assert driver.window.stages.banner.isVisible(), name


def test_panels_do_not_cover_each_other_while_training(driver: Driver) -> None:
    driver.do("live-classroom")
    driver.window.resize(1280, 800)
    driver.window.docks.sentences.show()
    driver.do("error-table")
    driver.process_events()
    docks = [dock for dock in driver.window.findChildren(QDockWidget) if dock.isVisible()]
    places = [dock.geometry() for dock in docks] + [driver.window.statusBar().geometry()]
    assert len(docks) >= 4
    assert not [(one, other) for one, other in combinations(places, 2) if one.intersects(other)]
    driver.settle()
