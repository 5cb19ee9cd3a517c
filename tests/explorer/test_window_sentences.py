"""What a person does with sentences and models: types, pastes, drops, tags, cancels, undoes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.explain.subjects import WordId
from engine.structure.constraints import FixedTag
from explorer.session.document import TextLine
from tests.explorer.window_driver import SAW, SMITH, Driver, drop


def test_typing_parses_as_one_change(driver: Driver) -> None:
    driver.session.editor.undo_stack.clear()
    driver.type(SMITH)
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: driver.session.editor.line.text == SMITH)
    driver.settle()
    assert driver.session.parses.shown is not None and len(driver.session.parses.shown.sentence.positions) == 10
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


@pytest.mark.parametrize("pausing", [False, True])
def test_several_sentences_take_the_place_of_the_one_they_are_typed_over(driver: Driver, pausing: bool) -> None:
    editor, both = driver.session.editor, "Mary slept. John saw the dog."
    editor.add_lines([TextLine(SMITH)])
    editor.choose(0)
    driver.settle()
    driver.type(both)
    if pausing:
        # So long that it is taken over as one sentence.
        driver.until(lambda: editor.line.text == both)
    QTest.keyClick(driver.window.sentence_bar.edit, Qt.Key.Key_Return)
    driver.until(lambda: len(editor.document.lines) == 3)
    assert [line.text for line in editor.document.lines] == ["Mary slept.", "John saw the dog.", SMITH]
    assert editor.line.text == "Mary slept."
    driver.settle()
    editor.undo_stack.undo()
    assert [line.text for line in editor.document.lines][-1] == SMITH and len(editor.document.lines) == 2
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


def test_the_model_summary_names_corpora_and_tables(driver: Driver) -> None:
    driver.window.show_model()
    text = driver.window.summary.toPlainText()
    assert "triples R" in text and "Count tables" in text and "classroom.ptb" in text


def test_the_model_summary_is_made_when_it_comes_into_sight(driver: Driver) -> None:
    window = driver.window
    # Hidden, and behind the inspector's tab, nobody sees it.
    window.docks.model.show()
    window.docks.inspector.raise_()
    driver.process_events()
    assert window.summary.toPlainText() == ""
    window.docks.model.raise_()
    driver.until(lambda: "Count tables" in window.summary.toPlainText())
