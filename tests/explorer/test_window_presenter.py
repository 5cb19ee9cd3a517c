"""The presenter: type for the last row, keys, steps of stages and lessons, covering, pointing, the speaker's view."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from engine.explain.subjects import ArrowId, EdgeId, GapId, NodeId, Subject, WordId
from engine.structure.constraints import Attachment
from explorer.classroom.controller import other_screen
from explorer.classroom.lesson import PARSE_EDGES, Lesson, LessonStep, Question, plain_title
from explorer.classroom.presentation import Presentation
from explorer.classroom.presenter import PRESENTER_KEYS, PresenterWindow
from explorer.classroom.question_view import OptionRow
from explorer.pictures.drawing import Text
from explorer.pictures.options import ALL_EDGES, SURVIVING_EDGES
from explorer.pictures.theme import STYLES, THEMES
from explorer.session.replay import replay_of
from explorer.stages.parse import EstimatesStage
from explorer.stages.stages import STAGES, number_of
from tests.explorer.window_driver import SAW, Driver
from tests.explorer.x_keyboard import XKeyboard
from tests.stage_names import CHART, ESTIMATES, GAPS, PARSE, SENTENCE

K = Qt.Key
SIZES = [(1024, 768), (1920, 1080), (3840, 2160)]
TWELVE = "the/DT dog/NN saw/VBD a/DT man/NN in/IN the/DT park/NN with/IN a/DT cat/NN yesterday/NN ./."
LONG = (
    "the/DT dog/NN saw/VBD a/DT man/NN in/IN the/DT park/NN with/IN a/DT cat/NN and/CC the/DT man/NN saw/VBD "
    "the/DT dog/NN with/IN a/DT telescope/NN in/IN the/DT park/NN with/IN the/DT woman/NN from/IN London/NNP ./."
)
LESSON = Lesson(
    "Attachment",
    preset=3,
    steps=(
        LessonStep("The words", SAW, stage=SENTENCE, select="word saw", caption="Here is **saw**.", notes="Say hello."),
        LessonStep("A guess", stage=GAPS, question=Question("gap", "the", "Which tag?"), caption="It is **S**."),
        LessonStep("What if", what_ifs=("with -> saw",), select="arrow of with", caption="Forced."),
        LessonStep("Wrong", select="word zebra", caption="Never seen."),
        LessonStep("Chart", stage=CHART, chart_step=3, replay=PARSE_EDGES, caption="Three edges."),
    ),
)


@pytest.fixture
def presenter(driver: Driver) -> Iterator[PresenterWindow]:
    """The presenter over the window of a driver, in a window of its own."""
    driver.session.editor.set_preset(3)
    driver.settle()
    driver.do("present-window")
    window = driver.window.features.classroom.presenter.window
    assert window is not None
    window.resize(1024, 768)
    assert QTest.qWaitForWindowActive(window, 5000)
    settle(driver, window)
    yield window
    driver.window.features.classroom.presenter.leave()


def settle(driver: Driver, window: PresenterWindow) -> None:
    """Wait until the presenter shows what it is to show."""
    player = window.presentation.player
    driver.until(lambda: player.step is None or player.ready or bool(player.problem))
    driver.process_events()
    driver.until(lambda: window.picture.settled)
    driver.process_events()


def press(driver: Driver, window: PresenterWindow, *keys: Qt.Key) -> None:
    """Press keys, one after the other."""
    for key in keys:
        QTest.keyClick(window, key)
        settle(driver, window)


def open_lesson(driver: Driver, presenter: PresenterWindow, lesson: Lesson = LESSON) -> Presentation:
    """Present a lesson in a window that is open."""
    presenter.presentation.open(lesson, None, 0)
    settle(driver, presenter)
    return presenter.presentation


def show(driver: Driver, window: PresenterWindow, text: str) -> None:
    """Present another sentence."""
    session = window.presentation.session
    session.editor.edit_text(text)
    driver.until(lambda: session.parses.is_complete)
    settle(driver, window)


def test_words_and_caption_are_a_thirtieth_of_the_height(driver: Driver, presenter: PresenterWindow) -> None:
    for text in [SAW, TWELVE, LONG]:
        for size in SIZES:
            show(driver, presenter, text)
            presenter.resize(*size)
            settle(driver, presenter)
            least = presenter.height() / 30
            assert presenter.height() == size[1]
            for stage in STAGES:
                presenter.presentation.go(number_of(stage.name))
                settle(driver, presenter)
                drawing = presenter.canvas.drawing
                assert drawing is not None
                scale = presenter.canvas.transform().m11()
                words = [
                    shape for shape in drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word")
                ]
                assert words or stage is EstimatesStage, stage.title
                assert all(STYLES[shape.style].size * scale >= least - 1e-6 for shape in words)
                # What the matrix writes of words is in smaller type; that, too, does not shrink below its share.
                assert min(style.size for style in STYLES.values()) * scale >= least * 0.8 - 1e-6
                assert presenter.caption.text.font().pixelSize() >= least and presenter.caption.isVisible()
                # From left to right everything is in sight: a long sentence is folded or wrapped.
                bar = presenter.canvas.horizontalScrollBar()
                scrolls = bar.maximum() > 0 and stage is EstimatesStage
                assert drawing.view_bounds.width * scale <= size[0] or scrolls, stage.title


def test_pictures_stand_in_the_middle(driver: Driver, presenter: PresenterWindow) -> None:
    for stage in [GAPS, PARSE, SENTENCE, ESTIMATES, CHART]:
        presenter.resize(1600, 900)
        presenter.presentation.go(number_of(stage))
        settle(driver, presenter)
        canvas = presenter.canvas
        assert canvas.drawing is not None
        drawn = canvas.mapFromScene(QRectF(*canvas.drawing.view_bounds)).boundingRect()
        assert drawn.width() < canvas.width()
        assert abs(drawn.center().x() - canvas.viewport().rect().center().x()) <= 2


ASKING = (("head", "with"), ("relation", "with"), ("head", "saw"))


@pytest.mark.parametrize(("kind", "word"), ASKING)
def test_the_answer_shows_in_the_picture_that_was_covered(
    driver: Driver, presenter: PresenterWindow, kind: str, word: str
) -> None:
    # There is no room for tree and arrows together.
    presenter.enlarge(1.4)
    open_lesson(driver, presenter, Lesson("", preset=3, steps=(LessonStep("", SAW, question=Question(kind, word)),)))
    covered = presenter.canvas.drawing
    press(driver, presenter, K.Key_Return)
    shown = presenter.canvas.drawing
    assert presenter.presentation.revealed and covered is not None and shown is not None
    assert shown.title in (covered.title, "Parse"), "what was covered is still there"
    assert ArrowId(SAW.split().index(f"{word}/{'IN' if word == 'with' else 'VBD'}")) in shown.regions


def test_tree_and_arrows_stand_beside_one_another_where_there_is_no_height_for_both(
    driver: Driver, presenter: PresenterWindow
) -> None:
    presenter.resize(1900, 460)
    presenter.enlarge(1.6)
    show(driver, presenter, "Mary/NNP saw/VBD the/DT man/NN ./.")
    presenter.presentation.go(number_of(PARSE))
    settle(driver, presenter)
    drawing = presenter.canvas.drawing
    assert drawing is not None and {NodeId, ArrowId} <= {type(id) for id in drawing.regions}


def test_nothing_but_picture_and_caption_is_shown(driver: Driver, presenter: PresenterWindow) -> None:
    shown = {child for child in presenter.children() if isinstance(child, QWidget) and child.isVisible()}
    assert shown == {presenter.canvas, presenter.caption}
    assert presenter.canvas.viewport().height() > 0.6 * presenter.height()


def test_it_begins_with_what_is_on_the_screen_and_leaves_it_alone(driver: Driver) -> None:
    driver.go("gaps")
    driver.session.view.select(GapId(3))
    driver.session.editor.add_what_if(Attachment(4, 1))
    driver.settle()
    before = driver.session.editor.document
    driver.do("present-window")
    window = driver.window.features.classroom.presenter.window
    assert window is not None
    settle(driver, window)
    view = window.presentation.session.view
    assert (view.stage, view.selection) == (GAPS, GapId(3))
    assert window.what_if.isVisible() and "‘with’" in window.what_if.text()
    press(driver, window, K.Key_End, K.Key_Left)
    assert driver.session.view.stage == GAPS and driver.session.view.selection == GapId(3)
    assert driver.session.editor.document == before
    QTest.keyClick(window, K.Key_Escape)
    assert driver.window.features.classroom.presenter.window is None


def test_keys_of_clickers_go_on(driver: Driver, presenter: PresenterWindow) -> None:
    for key in PRESENTER_KEYS[0].keys:
        view = presenter.presentation.session.view
        press(driver, presenter, K.Key_Home, key)
        assert (view.stage, view.selection) == (SENTENCE, WordId(0))


def test_keys_of_clickers_go_back(driver: Driver, presenter: PresenterWindow) -> None:
    for key in PRESENTER_KEYS[1].keys:
        view = presenter.presentation.session.view
        press(driver, presenter, K.Key_2, K.Key_Return, key)
        assert view.stage == SENTENCE and view.selection == WordId(6)


def test_a_real_keyboard_presents_from_f11_to_escape(driver: Driver, keyboard: XKeyboard) -> None:
    controller = driver.window.features.classroom.presenter
    driver.go("sentence")
    driver.settle()
    driver.canvas.setFocus()
    keyboard.press("F11")
    driver.until(lambda: controller.window is not None)
    window = controller.window
    assert window is not None
    assert QTest.qWaitForWindowActive(window, 5000)
    settle(driver, window)
    assert window.size() == window.screen().size()
    view = window.presentation.session.view
    for keys, position in (("Right", 0), ("PgDown", 1), (" ", 2), ("PgUp", 1), ("Enter", 2), ("Backspace", 1)):
        keyboard.press(keys)
        driver.until(lambda position=position: view.selection == WordId(position))  # type: ignore[misc]
    keyboard.press("?")
    driver.until(window.help.isVisible)
    keyboard.press("?")
    driver.until(lambda: not window.help.isVisible())
    for keys, colour in ((".", "black"), (",", "white")):
        keyboard.press(keys)
        driver.until(lambda colour=colour: window.blank.colour == colour)  # type: ignore[misc]
        keyboard.press(keys)
        driver.until(lambda: not window.blank.colour)
    before = window.type_height
    keyboard.press("+")
    driver.until(lambda: window.type_height > before)
    for keys in ("4", "Enter"):
        keyboard.press(keys)
    driver.until(lambda: view.stage == ESTIMATES)
    keyboard.press("Esc")
    driver.until(lambda: controller.window is None)
    assert driver.session.view.stage == SENTENCE and driver.session.view.selection is None


def test_steps_lead_through_all_stages_to_the_end(driver: Driver, presenter: PresenterWindow) -> None:
    view = presenter.presentation.session.view
    presenter.presentation.session.navigator.choose_edges(PARSE_EDGES)
    press(driver, presenter, K.Key_Home)
    stages = [number_of(view.stage)]
    for _ in range(200):
        if not presenter.presentation.next():
            break
        stages.append(number_of(view.stage))
    assert stages == sorted(stages) and set(stages) == set(range(1, 7))
    press(driver, presenter, K.Key_Right)
    assert presenter.said.isVisible() and "end" in presenter.said.text()
    press(driver, presenter, K.Key_Home, K.Key_Left)
    assert "first" in presenter.said.text()


def test_the_caption_tells_of_the_stage_and_of_what_is_selected(driver: Driver, presenter: PresenterWindow) -> None:
    presentation = presenter.presentation
    for number, stage in enumerate(STAGES, 1):
        presentation.go(number)
        settle(driver, presenter)
        assert presenter.caption.text.text().startswith(stage.caption)
    presentation.session.view.select(ArrowId(4))
    settle(driver, presenter)
    assert presenter.caption.text.text().startswith("‘with’ modifies ‘man’")


def test_the_caption_of_an_edge_has_its_formula(driver: Driver, presenter: PresenterWindow) -> None:
    presentation = presenter.presentation
    presentation.go(number_of(CHART))
    settle(driver, presenter)
    press(driver, presenter, K.Key_E)
    assert presentation.session.view.replay.edges == SURVIVING_EDGES
    press(driver, presenter, K.Key_E)
    result = presentation.session.parses.result
    assert result is not None
    chosen = replay_of(result.parse, presentation.session.view.replay)
    assert chosen is not None
    for stop in chosen.stops:
        press(driver, presenter, K.Key_Right)
        assert presentation.session.view.focus == EdgeId(stop - 1)
        assert "P(" in presenter.caption.text.text() and " = " in presenter.caption.text.text()
    press(driver, presenter, K.Key_E, K.Key_C)
    assert presentation.session.view.replay.edges == ALL_EDGES and presentation.session.view.replay.by_cell


def test_the_chart_of_a_lesson_plays_to_its_end_and_no_further(
    driver: Driver, presenter: PresenterWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.stages.player.SPEEDS_MS", (1, 1, 1, 1, 1))
    presentation = open_lesson(driver, presenter)
    press(driver, presenter, K.Key_P)
    assert "only the chart" in presenter.said.text() and not presenter.player.playing
    press(driver, presenter, K.Key_End, K.Key_BracketLeft)
    view = presentation.session.view
    assert view.stage == CHART and view.replay.speed == 3
    QTest.keyClick(presenter, K.Key_P)
    assert presenter.player.playing
    driver.until(lambda: not presenter.player.playing)
    assert presentation.session.navigator.replay is not None
    assert view.stage == CHART and view.chart_step == presentation.session.navigator.replay.stops[-1]
    assert presentation.player.index == 4


def test_black_and_white_cover_everything_and_next_uncovers(driver: Driver, presenter: PresenterWindow) -> None:
    view = presenter.presentation.session.view
    for key, colour in ((K.Key_B, "black"), (K.Key_Period, "black"), (K.Key_W, "white"), (K.Key_Comma, "white")):
        press(driver, presenter, key)
        assert presenter.blank.isVisible() and presenter.blank.geometry() == presenter.rect()
        assert presenter.grab().toImage().pixelColor(300, 300) == QColor(colour)
        press(driver, presenter, key)
        assert not presenter.blank.isVisible()
    stage = view.stage
    press(driver, presenter, K.Key_B, K.Key_Space)
    assert not presenter.blank.isVisible() and view.stage == stage and view.selection is None


def test_a_click_goes_on_and_a_drag_only_points(driver: Driver, presenter: PresenterWindow) -> None:
    press(driver, presenter, K.Key_Home)
    view, port = presenter.presentation.session.view, presenter.canvas.viewport()
    left, no_key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(port, left, no_key, QPoint(100, 100))
    assert presenter.dot.isVisible()
    QTest.mouseMove(port, QPoint(300, 200))
    QTest.mouseRelease(port, left, no_key, QPoint(300, 200))
    assert not presenter.dot.isVisible() and view.selection is None
    QTest.mouseClick(port, left, no_key, QPoint(100, 100))
    assert view.selection == WordId(0)
    press(driver, presenter, K.Key_L)
    assert presenter.dot.isVisible()
    press(driver, presenter, K.Key_L)
    assert not presenter.dot.isVisible()


def test_zoom_goes_to_what_is_selected_and_back(driver: Driver, presenter: PresenterWindow) -> None:
    press(driver, presenter, K.Key_Home, K.Key_Right, K.Key_Right)
    before = presenter.canvas.type_height()
    press(driver, presenter, K.Key_Z)
    assert presenter.canvas.type_height() > 1.5 * before
    drawing = presenter.canvas.drawing
    assert drawing is not None
    middle = presenter.canvas.mapFromScene(*drawing.regions[WordId(1)].bounds.centre)
    assert presenter.canvas.viewport().rect().contains(middle)
    press(driver, presenter, K.Key_Z)
    assert presenter.canvas.type_height() == pytest.approx(before)
    press(driver, presenter, K.Key_Z, K.Key_Right)
    assert presenter.canvas.type_height() == pytest.approx(before)


def test_what_is_selected_in_a_long_sentence_is_in_sight_with_its_word(
    driver: Driver, presenter: PresenterWindow
) -> None:
    show(driver, presenter, LONG)
    presentation = presenter.presentation
    canvas, view = presenter.canvas, presentation.session.view
    for stage in (SENTENCE, GAPS, PARSE):
        presentation.go(number_of(stage))
        seen = 0
        while view.stage == stage and seen < 30:
            settle(driver, presenter)
            drawing = canvas.drawing
            assert drawing is not None
            word = {WordId: "position", GapId: "position", ArrowId: "modifier"}.get(type(view.selection))
            if word is not None:
                region = drawing.regions[WordId(getattr(view.selection, word) - (type(view.selection) is GapId))]
                spot = canvas.mapFromScene(*region.bounds.centre)
                assert canvas.viewport().rect().contains(spot), (stage, view.selection)
                seen += 1
            if not presentation.next():
                break
        assert seen > 10


def test_type_grows_and_never_shrinks_below_its_share(driver: Driver, presenter: PresenterWindow) -> None:
    before = presenter.type_height
    press(driver, presenter, K.Key_Minus)
    assert presenter.type_height == before
    press(driver, presenter, K.Key_Plus)
    assert presenter.type_height > before and presenter.caption.text.font().pixelSize() == presenter.type_height
    press(driver, presenter, K.Key_Minus)
    assert presenter.type_height == before


def test_a_lesson_is_played_with_its_questions_what_ifs_and_problems(
    driver: Driver, presenter: PresenterWindow
) -> None:
    presentation = open_lesson(driver, presenter)
    view = presentation.session.view
    assert (view.stage, view.selection) == (SENTENCE, WordId(1)) and presentation.place == "1 of 5"
    assert presenter.caption.text.text() == "Here is **saw**." and presentation.next_title == "A guess"
    press(driver, presenter, K.Key_Right)
    assert presenter.question is not None and presenter.question.isVisible()
    assert "Which tag" in presenter.question.accessibleName()
    assert not presenter.caption.isVisible()
    press(driver, presenter, K.Key_Right)
    assert presentation.player.index == 1 and presenter.caption.text.text() == "It is **S**."
    press(driver, presenter, K.Key_Right)
    assert presenter.what_if.isVisible() and view.selection == ArrowId(4) and view.stage == PARSE
    press(driver, presenter, K.Key_Right)
    assert "zebra" in presenter.caption.text.text() and "step 4" in presenter.caption.text.text()
    press(driver, presenter, K.Key_Right)
    shown = presentation.session.parses.shown
    assert shown is not None and view.stage == CHART and view.replay.edges == PARSE_EDGES
    chosen = replay_of(shown, view.replay)
    assert chosen is not None and chosen.count(view.chart_step) == 3 and view.chart_step == chosen.stops[2]
    press(driver, presenter, K.Key_Right)
    assert "end" in presenter.said.text()
    press(driver, presenter, K.Key_3, K.Key_Return)
    assert presentation.player.index == 2
    press(driver, presenter, K.Key_9, K.Key_Return)
    assert presentation.player.index == 2 and "no step 9" in presenter.said.text()


def test_a_question_stands_below_the_picture_and_next_reveals(driver: Driver) -> None:
    controller = driver.window.features.classroom.presenter
    driver.window.features.classroom.player.open(LESSON)
    controller.present_in_window()
    window = controller.window
    assert window is not None
    settle(driver, window)
    assert window.presentation.has_lesson
    press(driver, window, K.Key_2, K.Key_Return)
    asked = window.question
    assert asked is not None and asked.isVisible() and not asked.is_revealed
    assert asked.title.font().pixelSize() >= window.type_height
    assert window.canvas.drawing is not None and "The answer is covered." in window.canvas.drawing.text_twin
    press(driver, window, K.Key_1, K.Key_1)
    assert asked.hands[0] == 2 and window.presentation.player.index == 1
    # S is an answer here.
    controller.toggle_speaker()
    assert controller.speaker is not None and asked.answer in controller.speaker.answer.text.text().replace("\\", "")
    press(driver, window, K.Key_Space)
    assert asked.is_revealed and window.presentation.player.index == 1
    assert "covered" not in window.canvas.drawing.text_twin
    press(driver, window, K.Key_Space)
    assert window.presentation.player.index == 2 and window.question is None
    controller.leave()


def test_placeholders_are_filled_and_an_unknown_one_is_told(driver: Driver, presenter: PresenterWindow) -> None:
    steps = (LessonStep("One", SAW, caption="It has {words} words."), LessonStep("Two", caption="{nonsense}"))
    open_lesson(driver, presenter, Lesson("Filled", preset=3, steps=steps))
    parse = presenter.presentation.session.parses.shown
    assert parse is not None
    assert presenter.caption.text.text() == f"It has {len(parse.sentence.positions)} words."
    press(driver, presenter, K.Key_Right)
    assert "no placeholder" in presenter.caption.text.text()


def test_the_speaker_sees_notes_the_next_step_and_the_time(driver: Driver, presenter: PresenterWindow) -> None:
    open_lesson(driver, presenter)
    press(driver, presenter, K.Key_S)
    speaker = driver.window.features.classroom.presenter.speaker
    assert speaker is not None and speaker.isVisible()
    assert speaker.notes.text.text() == "Say hello." and speaker.next_title.text() == "A guess"
    assert speaker.title.text() == "The words" and speaker.place.text() == "1 of 5"
    assert speaker.since.text() == "0:00" and ":" in speaker.clock.text()
    QTest.keyClick(speaker, K.Key_Right)
    settle(driver, presenter)
    assert presenter.presentation.player.index == 1 and "covered" in speaker.answer.text.text()
    QTest.mouseClick(speaker.buttons["next"], Qt.MouseButton.LeftButton)
    settle(driver, presenter)
    assert presenter.presentation.revealed and not speaker.answer.isVisible()
    QTest.mouseClick(speaker.buttons["previous"], Qt.MouseButton.LeftButton)
    settle(driver, presenter)
    assert presenter.presentation.player.index == 0
    press(driver, presenter, K.Key_S)
    assert driver.window.features.classroom.presenter.speaker is None


def test_help_lists_every_key_and_all_keys_do_something(driver: Driver, presenter: PresenterWindow) -> None:
    press(driver, presenter, K.Key_Question)
    assert presenter.help.isVisible() and presenter.rect().contains(presenter.help.geometry())
    for entry in PRESENTER_KEYS:
        assert entry.does in presenter.help.text()
    press(driver, presenter, K.Key_Escape)
    assert not presenter.help.isVisible() and presenter.isVisible()


def test_full_screen_is_left_by_the_keys_that_one_tries(driver: Driver) -> None:
    for key in [K.Key_Escape, K.Key_F5, K.Key_F11]:
        driver.do("present")
        window = driver.window.features.classroom.presenter.window
        assert window is not None
        assert QTest.qWaitForWindowExposed(window, 5000)
        settle(driver, window)
        assert window.isFullScreen() and window.size() == window.screen().size()
        QTest.keyClick(window, key)
        assert driver.window.features.classroom.presenter.window is None and driver.window.isVisible()


def test_it_has_the_colours_of_the_theme(driver: Driver, presenter: PresenterWindow) -> None:
    for theme in ["light", "dark", "contrast", "contrast-dark"]:
        driver.window.appearance.set_theme(theme)
        settle(driver, presenter)
        ground = THEMES[theme].colour("background")
        image = presenter.grab().toImage()
        assert image.pixelColor(3, 3).name() == ground
        assert image.pixelColor(3, presenter.height() - 3).name() == ground


def test_motion_is_reduced_where_it_is_so_in_the_window(driver: Driver, presenter: PresenterWindow) -> None:
    QTest.keyClick(presenter, K.Key_1)
    QTest.keyClick(presenter, K.Key_Return)
    driver.process_events()
    assert not presenter.canvas.is_moving


def test_closing_the_window_closes_the_presenter(driver: Driver) -> None:
    driver.do("present-window")
    controller = driver.window.features.classroom.presenter
    assert controller.window is not None
    driver.window.close()
    assert controller.window is None


def test_the_replay_is_chosen_in_the_window(driver: Driver, tmp_path: Path) -> None:
    driver.go("chart")
    driver.settle()
    view, controls = driver.session.view, driver.window.stages.chart_stage.controls
    driver.do("replay-parse")
    assert controls.edges.currentText() == "this parse only"
    driver.do("replay-first")
    chosen = driver.session.navigator.replay
    assert chosen is not None and view.chart_step == chosen.stops[0]
    for stop in chosen.stops[1:]:
        driver.do("step-forward")
        assert view.chart_step == stop and view.focus == EdgeId(stop - 1)
    assert driver.window.stage_strip.place.text() == f"{len(chosen.stops)} of {len(chosen.stops)}"
    driver.settle()
    headline = driver.window.inspector.explanation.headline
    assert headline is not None and any(reason.startswith("P(") for reason in headline.reasons)
    driver.do("replay-cells")
    assert controls.steps.currentText() == "cell by cell"
    driver.do("replay-slower")
    assert controls.speed.value() == 3
    controls.speed.setValue(0)
    assert view.replay.speed == 0
    driver.do("replay-all")
    driver.do("replay-last")
    result = driver.session.parses.result
    assert result is not None and result.parse.chart is not None and view.chart_step == len(result.parse.chart)
    driver.settle()


class Screen:
    """A screen, as far as its name goes."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        """Its name."""
        return self._name


def test_the_class_gets_the_screen_that_the_teacher_does_not_look_at() -> None:
    first, second = (cast(QScreen, Screen(name)) for name in ("own", "beamer"))
    assert other_screen(first, [first, second]) is second and other_screen(second, [first, second]) is first
    assert other_screen(first, [first]) is None


def test_a_number_that_is_not_completed_goes_away_with_the_next_key(driver: Driver, presenter: PresenterWindow) -> None:
    press(driver, presenter, K.Key_1, K.Key_1)
    assert presenter.said.isVisible() and "11" in presenter.said.text()
    press(driver, presenter, K.Key_Right)
    assert not presenter.said.isVisible()


def test_what_was_asked_is_marked_once_it_is_revealed(driver: Driver, presenter: PresenterWindow) -> None:
    presentation = presenter.presentation
    steps = (
        LessonStep("A *gap*", SAW, stage=GAPS, question=Question("gap", "man")),
        LessonStep("An arrow", question=Question("head", "with")),
        LessonStep("Its own choice", select="word saw", question=Question("head", "with")),
        LessonStep("Two trees", question=Question("better tree", "2")),
    )
    presentation.open(Lesson("L", preset=3, steps=steps), None, 0)
    marked: tuple[Subject | None, ...] = (GapId(3), ArrowId(4), WordId(1), None)
    for place, (step, wanted) in enumerate(zip(steps, marked, strict=True)):
        driver.until(partial(lambda at: presentation.player.index == at and presentation.player.ready, place))
        settle(driver, presenter)
        assert presenter.windowTitle().startswith(plain_title(step.title)) and "*" not in presentation.title
        press(driver, presenter, K.Key_Right)
        assert presentation.revealed and presentation.session.view.selection == wanted
        if place == 3:
            assert presenter.question is not None
            rows = presenter.question.findChildren(OptionRow)
            assert len([row for row in rows if row.isVisible()]) == 2, "the other tree stays to be compared"
        press(driver, presenter, K.Key_Right)
