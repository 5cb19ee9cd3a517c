"""Lessons in the window: recorded, edited, undone, saved, opened in every way, and shown again as they were."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from engine.explain.subjects import ArrowId, GapId
from engine.structure.constraints import Attachment
from explorer.classroom.lesson import LessonStep, Question
from explorer.classroom.lesson_controller import LessonController
from explorer.classroom.lesson_file import parse_lesson, read_lesson
from explorer.classroom.lesson_panel import place_of_drop
from explorer.classroom.questions import kind_named
from explorer.kit.actions import CLASSROOM
from explorer.session.document import TextLine
from explorer.window.command import arguments
from explorer.window.start_plan import StartPlan
from tests.explorer.window_driver import SAW, Driver, drop
from tests.stage_names import CHART, GAPS, PARSE

pytestmark = pytest.mark.usefixtures("paper_model")
ROOT = Path(__file__).parents[2]
HAND = f"""# By *hand*

- model: {{model}}
- preset: 3

## First

- sentence: {SAW}
- stage: gaps
- select: gap before man

The gap is {{{{gap before man}}}}.

## Second

- stage: parse
- what-if: with -> saw
- select: arrow of with

It costs {{{{price}}}}.
"""


@pytest.fixture
def lessons(driver: Driver) -> LessonController:
    """The lessons of the window."""
    return driver.window.features.classroom.lessons


@pytest.fixture
def by_hand(tmp_path: Path, classroom_path: Path) -> Path:
    """A lesson that somebody wrote, with its model beside it."""
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "own.model").write_bytes(classroom_path.read_bytes())
    path = folder / "hand.md"
    path.write_text(HAND.format(model="own.model"))
    return path


def shown(driver: Driver, lessons: LessonController) -> None:
    """Wait until the chosen step is shown as a whole."""
    player = driver.window.features.classroom.player
    driver.until(lambda: player.ready and player.index == lessons.editor.index)
    driver.settle()


def seen(driver: Driver) -> tuple[object, ...]:
    """Everything that a step records, as the window has it now."""
    document, view = driver.session.editor.document, driver.session.view
    settings = document.settings
    return (
        document.line.text, document.line.what_ifs, Path(document.model).name, document.preset, settings,
        document.gold_tags, view.stage, view.selection, view.rank, view.chart_step,
    )  # fmt: skip


def make_views(driver: Driver) -> Iterator[None]:
    """Show one thing after the other."""
    editor, view = driver.session.editor, driver.session.view
    view.go_to(GAPS)
    view.select(GapId(3))
    yield
    editor.set_settings(beam=37.5, distance="order", threshold=-45.5)
    driver.settle()
    view.go_to(CHART, 12)
    view.select(None)
    yield
    editor.set_settings(beam=1000.0, distance="full", threshold=None, punctuation_rule=False)
    driver.settle()
    view.go_to(PARSE)
    view.set_rank(1)
    view.select(ArrowId(4))
    yield
    editor.set_preset(2)
    editor.add_what_if(Attachment(4, 1))
    driver.settle()
    view.go_to(PARSE)
    view.select(ArrowId(4))
    yield
    editor.edit_text("(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man))) (. .))")
    editor.set_gold_tags(False)
    driver.settle()
    view.go_to(PARSE)
    yield


def test_recorded_views_come_back_as_they_were(driver: Driver, lessons: LessonController, tmp_path: Path) -> None:
    views = []
    for _ in make_views(driver):
        driver.settle()
        views.append(seen(driver))
        driver.do("lesson-add")
        driver.settle()
    assert len(lessons.editor.lesson.steps) == len(views) == 5
    path = tmp_path / "recorded.md"
    lessons.save_to(path)
    assert not lessons.editor.modified
    assert read_lesson(path) == lessons.editor.lesson
    driver.do("lesson-new")
    assert not lessons.editor.lesson.steps
    driver.window.files.open_path(path)
    for number, view in enumerate(views):
        lessons.go(number)
        shown(driver, lessons)
        assert seen(driver) == view, number


def test_a_lesson_is_opened_by_dropping_it(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    drop(driver, by_hand)
    shown(driver, lessons)
    panel = lessons.panel
    assert lessons.dock.isVisible() and panel.list.count() == 2
    assert panel.list.item(0).text().startswith("1  First\nGaps")
    assert driver.session.view.selection == GapId(3) and driver.session.view.stage == GAPS
    assert driver.session.editor.document.model == str(by_hand.parent / "own.model")
    assert panel.preview.text() == "The gap is C."
    driver.do("lesson-next")
    shown(driver, lessons)
    assert driver.session.editor.line.what_ifs == (Attachment(4, 1),)
    assert panel.preview.text().startswith("It costs −")
    assert by_hand in map(Path, driver.preferences.recent("lessons"))


def test_a_click_shows_a_step(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    steps = lessons.panel.list
    QTest.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(1)).center())
    shown(driver, lessons)
    assert lessons.editor.index == 1 and driver.session.view.selection == ArrowId(4)
    # Somewhere else in the meantime: a click on the chosen step shows it again.
    driver.session.view.go_to(GAPS)
    QTest.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(1)).center())
    shown(driver, lessons)
    assert driver.session.view.stage == PARSE


def test_a_step_does_not_complain_of_another_sentence(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    lessons.go(1)
    shown(driver, lessons)
    assert lessons.panel.preview.text().startswith("It costs")
    driver.session.editor.add_lines([TextLine("Mary/NNP slept/VBD ./.")])
    driver.settle()
    assert lessons.panel.problem.text() == "" and lessons.panel.preview.text() == ""
    lessons.show_step()
    shown(driver, lessons)
    assert lessons.panel.preview.text().startswith("It costs")


def test_a_step_that_somebody_did_not_wait_for_complains_of_nothing(
    driver: Driver, lessons: LessonController, by_hand: Path
) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    lessons.go(1)
    driver.session.editor.add_lines([TextLine("Mary/NNP slept/VBD ./.")])
    driver.settle()
    assert lessons.panel.problem.text() == "" and driver.window.features.classroom.player.problem == ""
    assert driver.session.editor.line.text.startswith("Mary/NNP slept")


def test_typing_and_undo(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    panel, editor = lessons.panel, lessons.editor
    document = driver.session.editor.document
    panel.caption.setFocus()
    panel.caption.selectAll()
    QTest.keyClicks(panel.caption, "m is {m} ")
    assert editor.step is not None and editor.step.caption == "m is {m}"
    assert panel.caption.toPlainText() == "m is {m} "
    assert panel.preview.text() == "m is 5"
    assert panel.file.text() == "hand.md  ·  not saved"
    QTest.keyClicks(panel.caption, "{n}")
    assert "no placeholder ‘{n}’" in panel.problem.text() and "⚠" in panel.list.item(0).text()
    QTest.keyClick(panel.caption, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.lesson == read_lesson(by_hand) and panel.caption.toPlainText() == "The gap is {gap before man}."
    assert not panel.problem.isVisible() and panel.file.text() == "hand.md"
    QTest.keyClick(panel.caption, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert editor.step.caption == "m is {m} {n}"
    # The session has its own undo, which none of this touched.
    assert driver.session.editor.document == document


def test_steps_are_ordered_copied_deleted_and_brought_back(
    driver: Driver, lessons: LessonController, by_hand: Path
) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    editor = lessons.editor

    def titles() -> list[str]:
        return [step.title for step in editor.lesson.steps]

    driver.do("lesson-down")
    assert titles() == ["Second", "First"] and editor.index == 1
    # The second step had its sentence from the first; it has one of its own now.
    assert editor.lesson.steps[0].sentence == SAW
    driver.do("lesson-duplicate")
    assert titles() == ["Second", "First", "First"]
    lessons.panel.list.dragged.emit(0, 2)
    assert titles() == ["First", "First", "Second"] and editor.index == 2
    lessons.panel.list.setFocus()
    QTest.keyClick(lessons.panel.list, Qt.Key.Key_Delete)
    assert titles() == ["First", "First"]
    for _ in range(4):
        driver.do("lesson-undo")
    assert titles() == ["First", "Second"] and not editor.modified
    driver.do("lesson-redo")
    assert titles() == ["Second", "First"]
    shown(driver, lessons)


def test_a_dragged_step_lands_where_it_is_dropped(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    where = QAbstractItemView.DropIndicatorPosition
    for start in range(4):
        for row in range(4):
            order = [step for step in "abcd" if step != "abcd"[start]]
            for side, after in ((where.AboveItem, 0), (where.BelowItem, 1)):
                moved = [*order]
                if row != start:
                    moved.insert(moved.index("abcd"[row]) + after, "abcd"[start])
                    assert moved.index("abcd"[start]) == place_of_drop(start, row, side), (start, row, side)
            assert place_of_drop(start, row, where.OnItem) == row
    lessons.open_path(by_hand)
    shown(driver, lessons)
    steps = lessons.panel.list
    data = steps.model().mimeData([steps.model().index(0, 0)])
    copy, left, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    below = QPointF(20, steps.visualItemRect(steps.item(1)).bottom() + 5)
    steps.dropEvent(QDropEvent(below, copy, data, left, none))
    assert [step.title for step in lessons.editor.lesson.steps] == ["Second", "First"]
    assert steps.count() == 2 and steps.currentRow() == 1


def test_a_question_is_made_in_the_panel(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    lessons.go(1)
    shown(driver, lessons)
    panel = lessons.panel
    panel.kind.setCurrentIndex(panel.kind.findData("head"))
    panel.kind.activated.emit(panel.kind.currentIndex())
    step = lessons.editor.step
    assert step is not None and step.question == Question("head", "with")
    assert panel.ask.isVisible() and "? question" in panel.list.item(1).text()
    panel.ask.setFocus()
    QTest.keyClicks(panel.ask, "Whose telescope?")
    panel.subject.selectAll()
    QTest.keyClicks(panel.subject, "whom")
    assert lessons.editor.step == replace(step, question=Question("head", "whom", "Whose telescope?"))
    assert "no word ‘whom’" in panel.problem.text()
    # A question about nothing cannot be written: what it was about stays.
    panel.subject.selectAll()
    QTest.keyClick(panel.subject, Qt.Key.Key_Delete)
    assert lessons.editor.step == replace(step, question=Question("head", "whom", "Whose telescope?"))


def test_updating_a_step_keeps_its_texts(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    driver.session.view.go_to(PARSE)
    driver.session.view.select(ArrowId(0))
    driver.do("lesson-update")
    step = lessons.editor.step
    assert step is not None
    assert (step.title, step.stage, step.select) == ("First", PARSE, "arrow of Mary")
    assert step.caption == "The gap is {gap before man}."
    shown(driver, lessons)
    assert driver.session.view.selection == ArrowId(0)


def test_what_cannot_be_recorded_says_why(driver: Driver, lessons: LessonController) -> None:
    driver.do("lesson-update")
    assert "no step of the lesson is chosen" in driver.window.stages.banner.text.text().lower()
    driver.session.editor.clear_lines()
    driver.until(lambda: driver.session.parses.result is None)
    driver.do("lesson-add")
    assert "no sentence in the window" in driver.window.stages.banner.text.text()
    assert not lessons.editor.lesson.steps


def test_a_lesson_with_mistakes_opens_and_says_where_they_are(
    driver: Driver, lessons: LessonController, by_hand: Path
) -> None:
    by_hand.write_text(by_hand.read_text().replace("arrow of with", "arrow of without"))
    lessons.open_path(by_hand)
    assert "hand.md, line 18: there is no word ‘without’" in driver.window.stages.banner.text.text()
    assert "⚠" in lessons.panel.list.item(1).text()
    lessons.go(1)
    player = driver.window.features.classroom.player
    driver.until(lambda: bool(player.problem))
    assert "line 18: there is no word ‘without’" in lessons.panel.problem.text().lower()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# x\n\n- format: 7\n", "made with a newer version of Parse Explorer"),
        ("# x\n\n## y\n\n- stage: six\n", "line 5: there is no stage"),
    ],
)
def test_a_lesson_that_cannot_be_read_changes_nothing(
    driver: Driver, lessons: LessonController, by_hand: Path, tmp_path: Path, text: str, said: str
) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    before = lessons.editor.edited
    broken = tmp_path / "broken.md"
    broken.write_text(text)
    driver.window.files.open_path(broken)
    assert said in driver.window.stages.banner.text.text()
    assert lessons.editor.edited == before


def test_what_the_chart_has_not_cannot_be_selected(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    by_hand.write_text(by_hand.read_text().replace("gap before man\n", "item 99999\n", 1))
    lessons.open_path(by_hand)
    player = driver.window.features.classroom.player
    driver.until(lambda: bool(player.problem))
    assert "the chart has no item 99999; write a number from 1 to" in player.problem
    assert "99999" in lessons.panel.problem.text()


def test_a_moved_lesson_says_what_is_missing(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    elsewhere = by_hand.parent.parent / "moved.md"
    by_hand.rename(elsewhere)
    lessons.open_path(elsewhere)
    message = driver.window.stages.banner.text.text()
    assert "own.model" in message and "put it there" in message
    assert "own.model" in driver.window.features.classroom.player.problem


def test_saving_elsewhere_keeps_the_model_in_reach(
    driver: Driver, lessons: LessonController, by_hand: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    target = by_hand.parent.parent / "elsewhere.lesson.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target.with_name("elsewhere")), ""))
    driver.do("lesson-save-as")
    assert read_lesson(target).model == "lessons/own.model"
    assert lessons.editor.path == target and not lessons.editor.modified
    lessons.editor.edit_title("Another")
    driver.do("lesson-save")
    assert read_lesson(target).title == "Another" and read_lesson(by_hand).title == "By *hand*"


def test_what_was_not_saved_comes_back_at_the_next_start(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    first = Driver(qtbot, tmp_path / "home")
    first.load(classroom_path)
    first.do("lesson-add")
    made = first.window.features.classroom.lessons.editor.lesson
    assert len(made.steps) == 1
    first.close()
    second = Driver(qtbot, tmp_path / "home")
    second.load(classroom_path)
    lessons = second.window.features.classroom.lessons
    assert lessons.editor.lesson == made and lessons.editor.modified and lessons.editor.path is None
    lessons.go(0)
    shown(second, lessons)
    second.close()


def test_the_menu_lists_lessons(driver: Driver, lessons: LessonController, by_hand: Path) -> None:
    lessons.open_path(by_hand)
    shown(driver, lessons)
    lessons.fill_menu()
    titles = [action.text() for action in lessons.menu.actions()]
    assert "By hand" in titles and "Save as …" in titles and "Undo opening hand.md" in titles
    menu = driver.window.named_actions.menus[CLASSROOM]
    assert menu.actions()[0].menu() is lessons.lessons_menu
    lessons.fill_lessons()
    entry = next(action for action in lessons.lessons_menu.actions() if action.text() == "By hand")
    driver.do("lesson-new")
    entry.trigger()
    shown(driver, lessons)
    assert lessons.editor.path == by_hand


def test_the_command_line_takes_a_lesson(by_hand: Path, tmp_path: Path) -> None:
    plan = StartPlan(arguments().parse_args([str(by_hand)]))
    assert plan.lesson == by_hand and not plan.files and not plan.empty
    text = tmp_path / "text.md"
    text.write_text("I/PRP saw/VBD it/PRP\n")
    assert StartPlan(arguments().parse_args([str(text)])).files == [text]
    with pytest.raises(EngineError, match="no such file"):
        StartPlan(arguments().parse_args(["nowhere.md"]))


def test_a_start_with_a_lesson_shows_its_first_step(by_hand: Path, tmp_path: Path) -> None:
    program = """
import sys, time
from PySide6.QtWidgets import QApplication
from explorer.window import command

def exec_(self=None):
    window = next(one for one in QApplication.topLevelWidgets() if one.objectName() == "main")
    player, until = window.features.classroom.player, time.monotonic() + 100
    while not player.ready and not player.problem and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.01)
    print(player.problem or f"{player.lesson.title}, {player.index}, {window.session.view.selection}")
    window.close()
    return 0

QApplication.exec = exec_
sys.exit(command.main(sys.argv[1:]))
"""
    own = {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "PARSE_EXPLORER_HOME": str(tmp_path / "home")}
    environment = {**os.environ, **own}
    command = [sys.executable, "-c", program, str(by_hand)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=150)
    assert done.stdout == "By *hand*, 0, GapId(position=3)\n", done.stderr
    refused = subprocess.run(
        [sys.executable, "-m", "explorer", str(by_hand), "--export", str(tmp_path / "x.svg")],
        env=environment, capture_output=True, text=True, timeout=150,
    )  # fmt: skip
    assert refused.returncode == 2 and "a lesson is shown in the window" in refused.stderr


def test_what_is_recorded_can_be_read(driver: Driver, lessons: LessonController) -> None:
    driver.session.view.go_to(PARSE)
    driver.session.view.select(ArrowId(4))
    driver.do("lesson-add")
    step = lessons.editor.step
    assert step == LessonStep("Parse: arrow of with", SAW, select="arrow of with")
    assert lessons.editor.lesson.preset == 3
    assert parse_lesson("# x\n\n## y\n\n- sentence: a/DT\n").steps[0].sentence == "a/DT"


def test_a_new_lesson_is_saved_under_its_title(
    driver: Driver, lessons: LessonController, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []

    def ask(parent: object, title: str, start: str, *_: str) -> tuple[str, str]:
        offered.append(start)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    driver.do("lesson-new")
    for title, name in (
        ("Up the *garden path*: who/what?", "Up the garden path who what.lesson.md"),
        ("???", "own.lesson.md"),
        ("x" * 300, f"{'x' * 60}.lesson.md"),
    ):
        lessons.editor.edit_title(title)
        driver.do("lesson-save")
        assert Path(offered[-1]).name == name


def test_every_kind_of_question_can_be_read_in_the_panel(driver: Driver, lessons: LessonController) -> None:
    driver.do("lesson-add")
    lessons.dock.show()
    panel = lessons.panel
    driver.process_events()
    box = panel.kind
    for number in range(box.count()):
        box.setCurrentIndex(number)
        box.activated.emit(number)
        driver.process_events()
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(control, option, part, box)
        assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room.width(), box.currentText()


def test_a_new_question_is_about_the_word_that_is_selected() -> None:
    assert kind_named("head").first_subject("arrow of pizza") == "pizza"
    assert kind_named("gap").first_subject("arrow of pizza") == "pizza"
    assert kind_named("head").first_subject("gap before the#2") == "the#2"
    assert kind_named("head").first_subject("edge 12") == "#2"
