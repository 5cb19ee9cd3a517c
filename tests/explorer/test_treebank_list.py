"""Treebanks in the list: opened, left out, cancelled, filtered; differences by key; the table of errors."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester

from explorer.compare import error_table, judging
from explorer.compare.error_table import COSTS, SENTENCES
from explorer.panels.sentence_list import LONGEST, SHORTEST, WORST
from explorer.session.document import TextLine
from tests.explorer.compare_driver import EVERYDAY, HIGH, IMPOSSIBLE, LOST, LOW, compared, open_bank
from tests.explorer.window_driver import SAW, Driver

pytestmark = pytest.mark.usefixtures("paper_model")


def test_a_bad_tree_is_left_out_and_said_in_one_sentence(driver: Driver, tmp_path: Path) -> None:
    bank = tmp_path / "some.ptb"
    bank.write_text(f"{HIGH}\n(S (NP (NNP Mary)) slept)\n{LOW}\n", encoding="utf-8")
    open_bank(driver, bank)
    assert [line.text for line in driver.session.editor.document.lines[1:]] == [HIGH, LOW]
    said = driver.window.stages.banner.text.text()
    assert "2 sentences from some.ptb" in said and "left out" in said and "line 2" in said
    assert driver.session.editor.document.lines[2].place == "some.ptb, tree 3"


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"(S (NP (NNP Mary)) (VP\n", "closing"),
        (b"(S (NP \xff\xfe (NNP Mary)))", "UTF-8"),
        (b"(S (NP (NNP Mary\0)))", "is NUL"),
    ],
)
def test_a_bad_treebank_leaves_everything_as_it_was(driver: Driver, tmp_path: Path, content: bytes, part: str) -> None:
    bank = tmp_path / "bad.ptb"
    bank.write_bytes(content)
    before = driver.session.editor.document
    driver.window.files.open_path(bank)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    said = driver.window.stages.banner.text.text()
    assert part in said and "bad.ptb" in said and said.count(". ") == 0
    assert driver.session.editor.document == before


def test_a_folder_and_the_command_line(driver: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "bank" / "inner"
    folder.mkdir(parents=True)
    (folder / "a.mrg").write_text(HIGH, encoding="utf-8")
    (folder.parent / "b.ptb").write_text(f"{LOW}\n{LOST}\n", encoding="utf-8")
    open_bank(driver, tmp_path / "bank")
    places = [line.place for line in driver.session.editor.document.lines[1:]]
    assert sorted(places) == ["a.mrg, tree 1", "b.ptb, tree 1", "b.ptb, tree 2"]
    empty = tmp_path / "empty"
    empty.mkdir()
    driver.window.files.open_path(empty)
    driver.until(lambda: "no treebank file" in driver.window.stages.banner.text.text())

    from explorer.window.command import arguments
    from explorer.window.start_plan import StartPlan

    plan = StartPlan(arguments().parse_args([str(tmp_path / "bank"), str(EVERYDAY)]))
    assert plan.files == [tmp_path / "bank", EVERYDAY]


def test_a_long_treebank_is_cancelled_opened_and_filtered(driver: Driver, tmp_path: Path) -> None:
    trees = EVERYDAY.read_text(encoding="utf-8").splitlines()
    bank = tmp_path / "long.ptb"
    bank.write_text("\n".join(trees * 60), encoding="utf-8")
    before = driver.session.editor.document
    driver.window.files.open_path(bank)
    driver.do("cancel")
    driver.until(lambda: driver.session.tasks.idle)
    assert driver.session.editor.document == before
    open_bank(driver, bank)
    sentences, model = driver.window.sentences, driver.window.sentences.model
    assert model.rowCount() == 3001

    def filtered(text: str) -> int:
        sentences.set_filter(text)
        driver.until(lambda: not model.busy)
        return model.rowCount()

    assert filtered("cat sofa") == 60
    assert filtered("tag:PRP$") > 60 and filtered("label:SBAR -tag:VBD") > 0
    assert filtered("triple:PP,VP,*") > 60
    assert filtered("length>100") == 0 and sentences.count.text() == "0 of 3,001 sentences"
    sentences.set_filter("length:")
    assert sentences.problem.isVisible() and "number" in sentences.problem.text()
    assert filtered("") == 3001 and not sentences.problem.isVisible()
    for order, first in ((SHORTEST, min), (LONGEST, max)):
        sentences.orders.setCurrentText(order)
        driver.until(lambda: not model.busy and model.order == order and len(model.shown) == 3001)  # noqa: B023
        lengths = [
            len(driver.session.editor.document.lines[number].text) for number in (model.shown[0], model.shown[-1])
        ]
        assert first(lengths) == lengths[0]


def test_filters_follow_what_is_found(driver: Driver) -> None:
    driver.session.editor.add_lines([TextLine(LOW), TextLine(HIGH), TextLine(LOST)])
    driver.settle()
    driver.do("parse-all")
    driver.until(lambda: not driver.session.tasks.busy)
    sentences = driver.window.sentences
    sentences.set_filter("is:differs")
    assert sentences.marks.currentText() == "≠  differs from gold"
    assert driver.session.editor.document.lines[sentences.model.shown[0]].text == HIGH
    sentences.set_filter("f1<100")
    sentences.orders.setCurrentText(WORST)
    scores = [
        driver.session.statuses[driver.session.editor.document.lines[number]].f1 for number in sentences.model.shown
    ]
    assert scores == sorted(scores) and len(scores) >= 1  # type: ignore[type-var]
    sentences.fill_menu()
    titles = [action.text() for action in sentences.menu.actions()]
    assert any("tag:VBD" in title for title in titles)
    sentences.menu.actions()[1].trigger()
    assert "tag:VBD" in sentences.search.text()


def test_differences_both_ways_and_none_left(driver: Driver) -> None:
    driver.session.editor.add_lines([TextLine(LOW), TextLine(HIGH), TextLine(LOW + " "), TextLine(HIGH + " ")])
    driver.settle()
    session = driver.session

    def go(name: str) -> int:
        driver.do(name)
        driver.until(lambda: not session.tasks.busy)
        driver.settle()
        return session.editor.document.current

    assert session.editor.document.current == 1
    assert go("next-difference") == 2
    assert go("next-difference") == 4
    assert go("next-difference") == 4
    assert "differs from its gold tree" in driver.window.statusBar().currentMessage()
    assert go("previous-difference") == 2
    assert driver.window.features.comparison.is_shown


# Errors over a treebank


def test_the_table_of_errors_opens_its_sentences(driver: Driver, qtmodeltester: ModelTester, tmp_path: Path) -> None:
    driver.session.editor.add_lines(
        [TextLine(LOW), TextLine(HIGH), TextLine(LOST), TextLine(SAW), TextLine(IMPOSSIBLE)]
    )
    driver.settle()
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.run.click()
    assert window.run.text() == "Cancel"
    driver.until(lambda: not window.busy)
    table, model = window.model.table, window.model
    assert table is not None and table.judged == table.wanted == 4
    assert "4 sentences judged" in window.summary.text() and f"F1 {table.f1:.1f} %" in window.summary.text()
    qtmodeltester.check(model, force_py=True)
    names = [model.headerData(row, Qt.Orientation.Vertical) for row in range(model.rowCount())]
    tops = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    cell = model.index(names.index("PP attachment"), tops.index("model error"))
    assert model.data(cell) == "1"
    window.shown.setCurrentText(COSTS)
    assert float(model.data(cell)) > 0
    window.shown.setCurrentText(SENTENCES)
    assert model.data(model.index(model.rowCount() - 1, tops.index("model error"))) >= "1"
    window.view.clicked.emit(cell)
    shown = [driver.session.editor.document.lines[number].text for number in driver.window.sentences.model.shown]
    assert shown == [HIGH]
    # The first of them is shown, and the table stays where it is.
    assert driver.session.editor.line.text == HIGH
    assert window.isVisible() and driver.window.features.comparison.errors_dock.isVisible()
    assert window.view.horizontalScrollBar().maximum() == 0
    assert driver.session.statuses[TextLine(HIGH)].verdict == "model error"
    assert "PP attachment" in model.as_text().splitlines()[2 + names.index("PP attachment")]
    assert next(csv.reader([model.as_csv().splitlines()[1]])) == ["error", *tops]
    window.write_csv(tmp_path / "errors.csv")
    assert (tmp_path / "errors.csv").read_text(encoding="utf-8") == model.as_csv()
    driver.window.sentences.fill_menu()
    assert any(action.text() == "Verdict …" for action in driver.window.sentences.menu.actions())
    # Parsing again under the same settings keeps what is known of errors.
    driver.do("parse-all")
    driver.until(lambda: not driver.session.tasks.busy)
    assert driver.session.statuses[TextLine(HIGH)].classes == ("PP attachment",)
    window.close()


def test_the_table_says_how_long_judging_still_takes(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "TABLE_SECONDS", 0.0)
    # As if it had begun a minute ago.
    monkeypatch.setattr(error_table, "time", SimpleNamespace(monotonic=partial(next, iter((0.0, *[60.0] * 20)))))
    driver.session.editor.add_lines([TextLine(LOW), TextLine(HIGH), TextLine(LOST)])
    driver.settle()
    driver.do("error-table")
    window, seen = driver.window.features.comparison.errors, list[str]()
    window.table_changed.connect(lambda: seen.append(window.summary.text()))
    window.run.click()
    driver.until(lambda: not window.busy)
    assert "1 of 3 sentences judged so far, 2:00 left: " in " ".join(seen), seen
    assert "left" not in window.summary.text()


def test_a_cell_of_the_table_shows_its_first_sentence_and_keeps_the_table_in_sight(driver: Driver) -> None:
    driver.session.editor.set_document(
        replace(driver.session.editor.document, lines=tuple(map(TextLine, (SAW, HIGH, LOST, LOW))), current=0)
    )
    driver.settle()
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.judge()
    driver.until(lambda: not window.busy and window.model.table is not None)
    window.activateWindow()
    driver.until(window.isActiveWindow)
    model = window.model
    names = [model.headerData(row, Qt.Orientation.Vertical) for row in range(model.rowCount())]
    tops = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    cell = window.view.visualRect(model.index(names.index("PP attachment"), tops.index("model error"))).center()
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell)
    driver.settle()
    sentences = driver.window.sentences
    assert sentences.search.text() and 0 < len(sentences.model.shown) < 4
    assert driver.session.editor.document.current == sentences.model.shown[0]
    assert driver.window.docks.sentences.isVisible()
    assert window.isVisible() and window.isActiveWindow()
    window.close()


def test_a_cancelled_table_keeps_what_it_has(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.judging.TABLE_SECONDS", 0.0)
    trees = EVERYDAY.read_text(encoding="utf-8").splitlines()
    # Each in a place of its own: what is found of one is not known of its like.
    driver.session.editor.add_lines([TextLine(tree, place=f"line {number}") for number, tree in enumerate(trees * 20)])
    driver.settle()
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.judge()
    driver.until(lambda: window.model.table is not None and window.model.table.judged >= 3)
    window.run.click()
    driver.until(lambda: not window.busy)
    table = window.model.table
    assert table is not None and 3 <= table.judged < table.wanted == 1000
    assert "cancelled" in window.summary.text() and len(driver.session.statuses) >= table.judged
    window.close()


def test_one_tree_alone_says_that_it_differs(driver: Driver) -> None:
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(HIGH)))
    driver.settle()
    assert "differs from the gold tree, F1 9" in driver.window.status.facts.text()
    driver.do("next-difference")
    driver.until(lambda: "this one does" in driver.window.statusBar().currentMessage())
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(LOW)))
    driver.settle()
    assert "as the gold tree" in driver.window.status.facts.text()
    compared(driver)


def test_without_gold_trees_there_is_no_table(driver: Driver) -> None:
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.judge()
    driver.until(lambda: not window.busy)
    assert "open a treebank first" in window.summary.text()
    window.close()


BRACKETS = "(S (NP (DT The) (NN man)) (VP (VBD slept) (-LRB- -LRB-) (ADVP (RB well)) (-RRB- -RRB-)) (. .))"


def test_the_field_has_the_words_of_a_gold_tree(driver: Driver) -> None:
    bar, editor = driver.window.sentence_bar, driver.session.editor
    editor.add_lines([TextLine(BRACKETS)])
    driver.settle()
    assert bar.edit.toPlainText() == "The man slept ( well ) ."
    assert driver.window.sentences.model.index(editor.document.current).data().endswith("The man slept ( well ) .")
    bar.enter()
    driver.settle()
    assert editor.line.text == BRACKETS
    bar.edit.setPlainText("The man slept .")
    bar.enter()
    driver.settle()
    assert editor.line.text == "The man slept ."
    editor.undo_stack.undo()
    driver.settle()
    assert editor.line.text == BRACKETS and bar.edit.toPlainText() == "The man slept ( well ) ."
    # Who types brackets goes on in them.
    typed = BRACKETS.replace("slept", "ran")
    bar.edit.setPlainText(typed)
    bar.enter()
    driver.settle()
    assert editor.line.text == typed == bar.edit.toPlainText()
    driver.close()
