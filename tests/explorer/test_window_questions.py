"""Predict, then reveal, and exercises, by keys and the mouse as a person does it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

import engine
from engine.chart.search import Control
from engine.explain.subjects import ArrowId, GapId, RootId, Subject, WordId
from engine.settings import Settings
from explorer.canvas.canvas import Canvas
from explorer.classroom.answers import ExerciseResult, TalliedQuestion, read_result, save_result
from explorer.classroom.exercise_window import Curtain, ExerciseWindow
from explorer.classroom.lesson import LessonStep, Question
from explorer.classroom.lesson_file import parse_lesson
from explorer.classroom.question_view import OptionRows, Outcome, QuestionView
from explorer.classroom.questions import PosedQuestion, pose_step
from explorer.classroom.references import References
from explorer.kit.appearance import appearance
from explorer.pictures.theme import DARK, HIGH_CONTRAST
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.explorer.conftest import TELESCOPE
from tests.explorer.window_driver import LEFT, NO_KEY, Driver
from tests.explorer.x_keyboard import XKeyboard

SHIFT = Qt.KeyboardModifier.ShiftModifier
LESSON = f"""# Where does it go?

- preset: 3

## Gaps

- sentence: {TELESCOPE}
- stage: gaps
- question: gap before man

## A head

- stage: parse
- question: head of with

## Two trees

- question: better tree than 2
"""


@pytest.fixture(autouse=True)
def _discarding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is closed with answers in it waits for nobody."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)


@pytest.fixture(scope="module")
def result(classroom: engine.Model) -> ParseResult:
    """A sentence with a PP to attach."""
    request = ParseRequest(classroom, Settings.preset(3), TextLine(TELESCOPE))
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


def _pose(result: ParseResult, kind: str, subject: str) -> PosedQuestion:
    step = LessonStep("", question=Question(kind, subject))
    return pose_step(step, result, References(result.reading.tagged.proper_words))


def _ask(qtbot: QtBot, posed: PosedQuestion, *hands: int) -> QuestionView:
    """A question to the class, which has answered it before."""
    made = QuestionView(posed, hands)
    qtbot.addWidget(made)
    made.resize(900, 420)
    made.show()
    return made


@pytest.fixture
def view(qtbot: QtBot, result: ParseResult) -> QuestionView:
    """A question to the class."""
    return _ask(qtbot, _pose(result, "head", "with"))


def _press(view: QuestionView, *keys: Qt.Key, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
    """Press keys, as the presenter passes them on."""
    for key in keys:
        view.handle_key(QKeyEvent(QEvent.Type.KeyPress, key, modifier))


# Predict, then reveal


def test_keys_count_hands_and_take_them_back(view: QuestionView, qtbot: QtBot) -> None:
    counted: list[tuple[int, ...]] = []
    view.hands_changed.connect(lambda: counted.append(view.hands))
    _press(view, Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_A, Qt.Key.Key_2, Qt.Key.Key_D)
    assert view.hands == (3, 1, 0, 1)
    # The last is what the key 2 is with Shift on a keyboard of the United States.
    _press(view, Qt.Key.Key_A, Qt.Key.Key_At, Qt.Key.Key_At, modifier=SHIFT)
    assert view.hands == (2, 0, 0, 1)
    _press(view, Qt.Key.Key_Backspace)
    assert view.hands == (2, 0, 0, 0)
    assert len(counted) == 8
    _press(view, Qt.Key.Key_5)
    assert view.hands == (2, 0, 0, 0), "there are four options"


def test_digits_with_shift_take_hands_back_on_a_real_keyboard(
    view: QuestionView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("keys with a layout need an X display: run under xvfb-run with QT_QPA_PLATFORM=xcb")
    try:
        keyboard = XKeyboard()
    except OSError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(view, "keyPressEvent", view.handle_key)
    view.activateWindow()
    assert QTest.qWaitForWindowActive(view, 5000)
    view.setFocus()
    for keys, hands in (("2", (0, 1, 0, 0)), ("2", (0, 2, 0, 0)), ("Shift+2", (0, 1, 0, 0)), ("c", (0, 1, 1, 0))):
        keyboard.press(keys)
        qtbot.waitUntil(partial(lambda wanted: view.hands == wanted, hands), timeout=5000)
    keyboard.close()


def test_clicks_count_hands_too(view: QuestionView) -> None:
    row = view.options.rows[2]
    QTest.mouseClick(row, LEFT)
    QTest.mouseClick(row, LEFT)
    QTest.mouseClick(row, LEFT, SHIFT)
    assert view.hands == (0, 0, 1, 0)


def test_rows_are_reached_and_pressed_by_the_keyboard_alone(qtbot: QtBot, result: ParseResult) -> None:
    options = OptionRows(20)
    qtbot.addWidget(options)
    pressed: list[int] = []
    options.pressed.connect(lambda option, back: pressed.append(option))
    options.set_question(_pose(result, "head", "with"))
    options.show()
    options.activateWindow()
    assert QTest.qWaitForWindowActive(options, 5000)
    options.rows[0].setFocus()
    QTest.keyClick(options.rows[0], Qt.Key.Key_Down)
    assert options.rows[1].hasFocus()
    QTest.keyClick(options.rows[1], Qt.Key.Key_Space)
    assert pressed == [1]


def test_the_answer_is_covered_until_it_is_shown_and_then_what_was_counted_is_settled(view: QuestionView) -> None:
    posed = view.posed
    names = [row.accessibleName() for row in view.options.rows]
    assert not any("probability" in name or "parser" in name for name in names), "it is covered"
    assert posed.options[posed.answer].text not in view.accessibleDescription()
    _press(view, Qt.Key.Key_1)
    view.reveal()
    assert view.is_revealed
    names = [row.accessibleName() for row in view.options.rows]
    assert [number for number, name in enumerate(names) if "✓ parser" in name] == [posed.answer]
    assert "the model's probability 0.6" in names[posed.answer]
    said = view.accessibleDescription()
    assert "man" in said and "of 1 hand" in said
    _press(view, Qt.Key.Key_2)
    assert view.hands == (1, 0, 0, 0)


def test_gap_tags_have_their_own_letters(qtbot: QtBot, result: ParseResult) -> None:
    view = _ask(qtbot, _pose(result, "gap", "man"))
    _press(view, Qt.Key.Key_C, Qt.Key.Key_C, Qt.Key.Key_N, Qt.Key.Key_A)
    assert view.hands == (0, 2, 0, 0, 1), "a is no gap tag"


def test_a_question_comes_back_with_its_hands(qtbot: QtBot, view: QuestionView) -> None:
    assert _ask(qtbot, view.posed, 1, 2, 0, 0).hands == (1, 2, 0, 0)


@pytest.mark.parametrize("text_size", [18, 34])
def test_nothing_is_cut_off_in_any_size_or_theme(qtbot: QtBot, result: ParseResult, text_size: int) -> None:
    def whole(view: QuestionView) -> bool:
        view.resize(1000, view.heightForWidth(1000))
        rows = [row for row in view.options.rows if row.isVisible()]
        high = all(row.height() >= row.heightForWidth(row.width()) for row in rows)
        return high and all(row.geometry().bottom() <= view.options.height() for row in rows)

    for theme in (DARK, HIGH_CONTRAST):
        for kind, subject in (("head", "with"), ("better tree", "2")):
            appearance().theme = theme
            view = _ask(qtbot, _pose(result, kind, subject))
            view.set_text_size(text_size)
            view.add_hand(0)
            view.reveal()
            qtbot.waitUntil(partial(whole, view), timeout=2000)


@pytest.mark.parametrize(("width", "height", "below"), [(1600, 420, False), (560, 900, True)])
def test_trees_to_choose_from_have_one_scale_and_stand_where_they_are_largest(
    qtbot: QtBot, result: ParseResult, width: int, height: int, below: bool
) -> None:
    rows = OptionRows(20)
    qtbot.addWidget(rows)
    rows.resize(width, height)
    rows.set_question(_pose(result, "better tree", "2"))
    rows.show()
    first, second = rows.rows
    qtbot.waitUntil(lambda: (first.x() == second.x()) == below, timeout=2000)
    assert first.tree_scale == second.tree_scale == min(first.largest_scale, second.largest_scale)
    # Bars above one tree leave less room, for both.
    first.set_state(3, False, "", Outcome(3, 3, ("✓ parser",)))
    assert first.tree_scale == second.tree_scale
    rows.close()


def test_a_lessons_title_has_no_stars_where_no_markdown_is_shown(driver: Driver) -> None:
    questions = driver.window.features.classroom.questions
    lesson = parse_lesson(LESSON.replace("Where does it go?", "Where does *with* go?").replace("Gaps", "Gaps of `the`"))
    questions.open_exercise(lesson, None)
    window = questions.exercise_window
    assert window is not None and window.windowTitle() == "Exercise: Where does with go?"
    driver.until(lambda: window.attempt is not None)
    assert window.progress.text() == "Question 1 of 3: Gaps of the"
    window.choose(0)
    for _ in range(4):
        window.check_or_go_on()
    found = window.player.result("Ann")
    assert found.lesson == "Where does with go?"
    window.close()


# The tally


def test_the_classs_answers_are_shown_and_exported(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = driver.window.features.classroom.questions
    driver.do("class-answers")
    assert "has answered nothing" in driver.window.stages.banner.text.text()
    questions.tally.record(TalliedQuestion("A lesson", 2, "=?", ("man", "saw"), (0.6, 0.4), (3, 9), 0, 1))
    driver.do("class-answers")
    window = questions.table_window
    assert window is not None and window.table.rows_model.rowCount() == 2
    assert window.table.rows_model.rows[1].cells[3:5] == ("saw", "9")
    window.write(tmp_path / "no folder" / "a.csv")
    assert "cannot be written" in window.status.text()
    window.close()
    path = tmp_path / "answers.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    driver.do("export-class-answers")
    assert path.read_text().splitlines()[1] == "A lesson,2,'=?,man,3,0.25,0.6,yes,"


# Exercises


@pytest.fixture
def exercise(driver: Driver) -> Iterator[ExerciseWindow]:
    """The exercise of a small lesson, at its first question."""
    questions = driver.window.features.classroom.questions
    questions.open_exercise(parse_lesson(LESSON), None)
    window = questions.exercise_window
    assert window is not None
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 5000)
    driver.until(lambda: window.attempt is not None)
    yield window
    if questions.exercise_window is not None:
        window.close()


def test_the_picture_of_an_exercise_stands_in_the_middle(driver: Driver, exercise: ExerciseWindow) -> None:
    exercise.resize(1400, 800)
    driver.until(lambda: exercise.attempt is not None)
    driver.process_events()
    canvas = exercise.canvas
    assert canvas.drawing is not None
    drawn = canvas.mapFromScene(QRectF(*canvas.drawing.view_bounds)).boundingRect()
    assert abs(drawn.center().x() - canvas.viewport().rect().center().x()) <= 2


def test_an_exercise_covers_the_answers_in_the_window_behind_it(driver: Driver, exercise: ExerciseWindow) -> None:
    window = driver.window
    places = [part.mapTo(window, part.rect().center()) for part in (driver.canvas, window.inspector)]

    def covered() -> bool:
        return all(isinstance(window.childAt(place), Curtain) for place in places)

    assert covered()
    window.resize(window.width() + 200, window.height() + 100)
    driver.process_events()
    places = [part.mapTo(window, part.rect().center()) for part in (driver.canvas, window.inspector)]
    assert covered() and window.childAt(window.width() - 5, window.height() - 5) is not None
    exercise.close()
    driver.process_events()
    assert not covered()


def _place(canvas: Canvas, id: Subject) -> QPoint:
    assert canvas.drawing is not None
    x, y = canvas.drawing.regions[id].bounds.centre
    return canvas.mapFromScene(x, y)


def _drag(canvas: Canvas, what: Subject, target: Subject) -> None:
    start, end = _place(canvas, what), _place(canvas, target)
    view = canvas.viewport()
    QTest.mousePress(view, LEFT, NO_KEY, start)
    for step in range(1, 6):
        QTest.mouseMove(view, start + (end - start) * step / 5)
    QTest.mouseRelease(view, LEFT, NO_KEY, end)


def _to_question(driver: Driver, exercise: ExerciseWindow, place: int) -> None:
    while exercise.player.place < place:
        attempt = exercise.attempt
        assert attempt is not None
        exercise.choose(attempt.posed.right)
        exercise.check_or_go_on()
        exercise.check_or_go_on()
        driver.until(lambda: exercise.attempt is not None or exercise.player.over)


def test_an_exercise_is_done_by_keys_and_its_result_is_a_file(
    driver: Driver, exercise: ExerciseWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert exercise.name.hasFocus()
    QTest.keyClicks(exercise.name, "Ann Example")
    QTest.keyClick(exercise.name, Qt.Key.Key_Return)
    assert exercise.hasFocus() and exercise.attempt is not None and not exercise.attempt.tries
    # A wrong tag, a hint, the right one.
    QTest.keyClick(exercise, Qt.Key.Key_S)
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    assert "DT and NN" in exercise.feedback.text() and "second try" in exercise.feedback.text()
    QTest.keyClick(exercise, Qt.Key.Key_C)
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    assert exercise.feedback.text().startswith("✓ Right.") and exercise.score.text() == "1 point of 2"
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    driver.until(lambda: exercise.player.place == 1 and exercise.attempt is not None)
    # The head of with, right at once.
    posed = exercise.attempt.posed
    QTest.keyClick(exercise, Qt.Key(Qt.Key.Key_1 + posed.right))
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    driver.until(lambda: exercise.player.place == 2 and exercise.attempt is not None)
    # The worse of two trees: there is no second try.
    QTest.keyClick(exercise, Qt.Key(Qt.Key.Key_1 + (1 - exercise.attempt.posed.right)))
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    assert exercise.feedback.text().startswith("✗ The parse has: with → man")
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    assert exercise.player.over and exercise.progress.text() == "The end: 3 points of 6."
    path = tmp_path / "ann.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    exercise.save.click()
    found = read_result(path)
    assert (found.student, found.lesson, found.points, found.most) == ("Ann Example", "Where does it go?", 3, 6)
    assert found.answers[0].tries == ("S: start of a baseNP", "C: continues one")
    assert "telescope" not in path.read_text().replace(found.answers[1].question, ""), "no sentence is in the file"


def test_a_gap_is_set_by_clicks(exercise: ExerciseWindow) -> None:
    for letter in "SCE":
        QTest.mouseClick(exercise.canvas.viewport(), LEFT, NO_KEY, _place(exercise.canvas, GapId(3)))
        drawing = exercise.canvas.drawing
        assert drawing is not None and f"set to {letter}" in drawing.regions[GapId(3)].label
    assert exercise.go_on.isEnabled()


def test_an_arrow_is_dragged_from_the_modifier_to_its_head(driver: Driver, exercise: ExerciseWindow) -> None:
    _to_question(driver, exercise, 1)
    _drag(exercise.canvas, WordId(4), WordId(0))
    exercise.check_or_go_on()
    assert exercise.attempt is not None and exercise.attempt.tries == ["Mary"]
    assert "There is a verb between ‘with’ and ‘Mary’" in exercise.feedback.text()
    _drag(exercise.canvas, WordId(4), RootId())
    assert exercise.go_on.isEnabled()
    _drag(exercise.canvas, WordId(4), WordId(3))
    exercise.check_or_go_on()
    assert exercise.attempt.is_right
    assert exercise.canvas.drawing is not None and ArrowId(4) in exercise.canvas.drawing.regions


def test_a_head_is_chosen_in_the_picture_by_the_keyboard(driver: Driver, exercise: ExerciseWindow) -> None:
    _to_question(driver, exercise, 1)
    canvas = exercise.canvas
    canvas.setFocus()
    assert canvas.drawing is not None
    for _ in range(20):
        QTest.keyClick(canvas, Qt.Key.Key_Tab)
        if "man" in canvas.accessibleName():
            break
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    QTest.keyClick(exercise, Qt.Key.Key_Return)
    assert exercise.attempt is not None and exercise.attempt.tries == ["man"]


def test_what_is_set_can_be_changed_before_it_is_checked(exercise: ExerciseWindow) -> None:
    QTest.mouseClick(exercise.options.rows[0], LEFT)
    QTest.mouseClick(exercise.options.rows[1], LEFT)
    assert [row.isChecked() for row in exercise.options.rows] == [False, True, False, False, False]
    assert exercise.attempt is not None and not exercise.attempt.tries
    exercise.check_or_go_on()
    assert exercise.attempt.points == 2


def test_answers_are_not_lost_by_closing(
    driver: Driver, exercise: ExerciseWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise.choose(1)
    exercise.check_or_go_on()
    asked: list[str] = []

    def refuse(*arguments: object) -> QMessageBox.StandardButton:
        asked.append(str(arguments[2]))
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", refuse)
    assert not exercise.close() and not driver.window.close()
    assert len(asked) == 2 and "not saved" in asked[0]
    assert exercise.isVisible() and driver.window.isVisible()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    exercise.close()


def test_a_name_is_asked_for_before_the_result_is_saved(driver: Driver, exercise: ExerciseWindow) -> None:
    _to_question(driver, exercise, 3)
    exercise.ask_file()
    assert exercise.name.hasFocus() and "name first" in exercise.feedback.text()


def test_a_question_that_cannot_be_asked_says_why_and_is_left_out(driver: Driver) -> None:
    questions = driver.window.features.classroom.questions
    questions.open_exercise(parse_lesson(LESSON.replace("head of with", "head of nobody")), None)
    window = questions.exercise_window
    assert window is not None
    driver.until(lambda: window.attempt is not None)
    window.choose(1)
    window.check_or_go_on()
    window.check_or_go_on()
    driver.until(lambda: bool(window.player.problem))
    assert "There is no word `nobody`" in window.feedback.text()
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Return)
    driver.until(lambda: window.attempt is not None)
    assert window.player.place == 2 and len(window.player.result("Ann").answers) == 1
    window.close()


def test_a_lesson_without_questions_makes_no_exercise(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lesson.md"
    path.write_text("# Nothing to ask\n\n## Step\n\n- sentence: Mary saw it\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    driver.do("exercise")
    assert "asks nothing" in driver.window.stages.banner.text.text()
    assert driver.window.features.classroom.questions.exercise_window is None


def test_results_are_collected_into_one_table(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = []
    for name in ("Bea", "Ann"):
        paths.append(str(tmp_path / f"{name}.json"))
        save_result(ExerciseResult(name, "A lesson", "0" * 64, "2026-01-02", ()), Path(paths[-1]))
    (tmp_path / "broken.json").write_text("{")
    paths.append(str(tmp_path / "broken.json"))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (paths, ""))
    driver.do("collect-results")
    window = driver.window.features.classroom.questions.table_window
    assert window is not None
    assert [row.cells[0] for row in window.table.rows_model.rows] == ["Ann", "Bea"]
    assert "broken.json: the file is damaged" in window.note.text()
    window.write(tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_text().startswith("student,lesson,finished,points,of,remark,file\nAnn,")
    window.close()


def test_the_theme_of_the_window_is_that_of_the_exercise(driver: Driver, exercise: ExerciseWindow) -> None:
    appearance().theme = DARK
    assert exercise.canvas.brush.theme is DARK
