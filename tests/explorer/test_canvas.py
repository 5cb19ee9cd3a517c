"""The canvas: what a person points at, clicks, drags, types and turns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import ArrowId, ChartCellId, MatrixCellId, Subject, WordId
from explorer.canvas.canvas import Canvas
from explorer.canvas.zoom import MOST_AUTOMATIC, READABLE, LegendStrip, automatic_scale
from explorer.kit.appearance import appearance
from explorer.kit.fonts import QtMetrics
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing, Text
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.options import TriangleOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.sentence import gaps_picture, reduced_picture, sentence_picture
from explorer.pictures.sheet import message_picture
from explorer.pictures.theme import DARK, LIGHT, STYLES
from explorer.pictures.tree import parse_picture
from explorer.pictures.triangle import triangle_picture

ALL_STAGES = (
    sentence_picture,
    gaps_picture,
    reduced_picture,
    matrix_picture,
    triangle_picture,
    parse_picture,
)
LEFT = Qt.MouseButton.LeftButton


def bare(qtbot: QtBot, metrics: QtMetrics, width: int, height: int) -> Canvas:
    """A canvas of this size, without a picture."""
    made = Canvas(metrics)
    qtbot.addWidget(made)
    made.resize(width, height)
    made.show()
    return made


@pytest.fixture
def canvas(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> Iterator[Canvas]:
    made = bare(qtbot, metrics, 1000, 600)
    made.show(arrows_picture(telescope, metrics))
    qtbot.waitExposed(made)
    yield made


def long_parse(model: engine.Model, words: int) -> Parse:
    """A parse of a sentence of so many words."""
    tagged = ("the/DT old/JJ man/NN in/IN the/DT park/NN with/IN the/DT telescope/NN saw/VBD",) * (words // 10 + 1)
    return Parser.preset(model, 3).parse(" ".join(" ".join(tagged).split()[:words]), trace=True)


def spot(canvas: Canvas, wanted: Subject) -> QPoint:
    """A place of the viewport where something is."""
    assert canvas.drawing is not None
    region = canvas.drawing.regions[wanted]
    if region.line:
        (x1, y1), (x2, y2) = region.line[:2]
        return canvas.mapFromScene(QPointF((x1 + x2) / 2, (y1 + 2 * y2) / 3))
    return canvas.mapFromScene(QPointF(*region.bounds.centre))


def picture(canvas: Canvas) -> QImage:
    QApplication.processEvents()
    return canvas.viewport().grab().toImage()


def _ends_with(seen: list[object], wanted: object) -> bool:
    return seen[-1:] == [wanted]


def test_hover_selects_and_activates_by_mouse(canvas: Canvas, qtbot: QtBot) -> None:
    seen: list[object] = []
    canvas.hovered.connect(seen.append)
    for wanted in (WordId(1), ArrowId(0)):
        QTest.mouseMove(canvas.viewport(), spot(canvas, wanted))
        # A real screen tells of the mouse in its own time.
        qtbot.waitUntil(partial(_ends_with, seen, wanted))
        with qtbot.waitSignal(canvas.selected) as chosen:
            QTest.mouseClick(canvas.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, spot(canvas, wanted))
        assert chosen.args == [wanted]
        with qtbot.waitSignal(canvas.activated) as opened:
            QTest.mouseDClick(canvas.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, spot(canvas, wanted))
        assert opened.args == [wanted]
    with qtbot.waitSignal(canvas.selected) as nothing:
        QTest.mouseClick(canvas.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, QPoint(3, 3))
    assert nothing.args == [None]


def test_marks_from_outside_are_shown_and_not_signalled_back(canvas: Canvas) -> None:
    seen: list[object] = []
    canvas.selected.connect(seen.append)
    canvas.hovered.connect(seen.append)
    plain = picture(canvas)
    canvas.highlight([ArrowId(0), WordId(0)])
    lit = picture(canvas)
    assert lit != plain
    canvas.highlight([])
    assert picture(canvas) == plain
    canvas.select(ArrowId(0))
    assert picture(canvas) != plain
    canvas.select(None)
    assert picture(canvas) == plain and seen == []


def test_an_arrow_is_dragged_to_another_word(canvas: Canvas, qtbot: QtBot, telescope: Parse) -> None:
    modifier = 4
    other = 1 if telescope.heads()[modifier] == 3 else 3
    start, end = spot(canvas, ArrowId(modifier)), spot(canvas, WordId(other))
    view = canvas.viewport()
    with qtbot.waitSignal(canvas.dragged) as dropped:
        QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
        for share in (0.3, 0.6, 1.0):
            QTest.mouseMove(view, start + (end - start) * share)
            QApplication.processEvents()
        QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, end)
    assert dropped.args == [ArrowId(modifier), WordId(other)]


def test_a_drag_that_ends_nowhere_or_on_its_own_word_does_nothing(canvas: Canvas) -> None:
    seen: list[object] = []
    canvas.dragged.connect(lambda *pair: seen.append(pair))
    view = canvas.viewport()
    start = spot(canvas, ArrowId(4))
    for end in (QPoint(2, 2), spot(canvas, WordId(4))):
        QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
        QTest.mouseMove(view, (start + end) / 2)
        QTest.mouseMove(view, end)
        QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, end)
    assert seen == []
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view, spot(canvas, WordId(3)))
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, spot(canvas, WordId(3)))
    assert seen == []


def test_tab_walks_through_everything_and_then_leaves(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    made, field = Canvas(metrics), QLineEdit()
    layout.addWidget(made)
    layout.addWidget(field)
    made.show(arrows_picture(telescope, metrics))
    window.resize(900, 500)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    made.setFocus()
    seen: list[object] = []
    made.hovered.connect(seen.append)
    assert made.drawing is not None
    for _ in range(len(made.drawing.regions)):
        QTest.keyClick(made, Qt.Key.Key_Tab)
    assert seen == list(made.drawing.regions)
    assert made.accessibleName().startswith("Dependencies: ")
    QTest.keyClick(made, Qt.Key.Key_Tab)
    assert field.hasFocus()


def test_arrow_keys_walk_and_enter_opens(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.setFocus()
    canvas.select(WordId(1))
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    with qtbot.waitSignal(canvas.activated) as opened:
        QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert opened.args == [WordId(2)]
    with qtbot.waitSignal(canvas.selected) as chosen:
        QTest.keyClick(canvas, Qt.Key.Key_Space)
    assert chosen.args == [WordId(2)]
    with qtbot.waitSignal(canvas.selected) as nothing:
        QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert nothing.args == [None]


def test_arrow_keys_belong_to_the_window_while_nothing_is_marked(
    qtbot: QtBot, telescope: Parse, metrics: QtMetrics
) -> None:
    class Window(QWidget):
        def __init__(self) -> None:
            super().__init__()
            self.keys: list[int] = []

        def keyPressEvent(self, event: object) -> None:
            self.keys.append(event.key())  # type: ignore[attr-defined]

    window = Window()
    qtbot.addWidget(window)
    made = Canvas(metrics, parent=window)
    made.show(gaps_picture(telescope, metrics))
    window.show()
    QTest.keyClick(made, Qt.Key.Key_Right)
    assert window.keys == [Qt.Key.Key_Right]
    made.select(WordId(0))
    QTest.keyClick(made, Qt.Key.Key_Right)
    assert window.keys == [Qt.Key.Key_Right]


def test_words_keep_their_place_on_the_screen(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    columns = columns_of(telescope, metrics)
    stages: list[Callable[..., Drawing]] = [
        sentence_picture,
        gaps_picture,
        reduced_picture,
        matrix_picture,
    ]
    stages += [triangle_picture, arrows_picture, parse_picture]
    for width, zoom in itertools.product((1200, 420), (1.0, 1.6)):
        made = bare(qtbot, metrics, width, 500)
        made.show(stages[0](telescope, metrics, columns=columns))
        if zoom != 1.0:
            made.zoom(zoom)
        places = []
        for stage in stages:
            made.show(stage(telescope, metrics, columns=columns))
            QApplication.processEvents()
            places.append(made.mapFromScene(QPointF(columns.x(2), 0)).x())
        assert max(places) - min(places) <= 1, (width, zoom, places)


@pytest.mark.parametrize("size", [(872, 560), (1577, 694), (2400, 1300)])
def test_the_first_view_shows_each_picture_as_a_whole(
    size: tuple[int, int], qtbot: QtBot, telescope: Parse, metrics: QtMetrics
) -> None:
    made = bare(qtbot, metrics, *size)
    columns = columns_of(telescope, metrics)
    scales = set()
    for stage in ALL_STAGES:
        drawing = stage(telescope, metrics, columns=columns)
        made.show(drawing)
        QApplication.processEvents()
        shown = made.mapFromScene(QRectF(*drawing.view_bounds)).boundingRect()
        assert made.viewport().rect().adjusted(-1, -1, 1, 1).contains(shown), drawing.title
        scales.add(made.scale_factor)
    assert len(scales) == 1 and READABLE <= scales.pop() <= MOST_AUTOMATIC


@pytest.mark.parametrize("words", [25, 60])
def test_a_long_sentence_can_be_read_and_begins_with_its_first_words(
    words: int, qtbot: QtBot, classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = long_parse(classroom, words)
    made = bare(qtbot, metrics, 872, 415)
    columns = columns_of(parse, metrics)
    assert not made.room.holds(columns)
    for stage in ALL_STAGES:
        drawing = stage(parse, metrics, columns=columns, room=made.room)
        made.show(drawing)
        QApplication.processEvents()
        assert made.scale_factor >= READABLE
        if words == 25:
            assert made.horizontalScrollBar().maximum() == made.horizontalScrollBar().minimum(), drawing.title
        places = {
            shape.id: made.mapFromScene(QPointF(shape.x, shape.y))
            for shape in drawing.shapes
            if isinstance(shape, Text) and shape.style.startswith("word") and shape.id is not None
        }
        first = min(place.y() for place in places.values()) if places else 1
        assert 0 < first <= made.viewport().height(), drawing.title


def test_the_place_that_was_scrolled_to_stays_while_a_picture_changes(
    qtbot: QtBot, classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = long_parse(classroom, 25)
    made = bare(qtbot, metrics, 872, 415)
    columns = columns_of(parse, metrics)
    made.show(matrix_picture(parse, metrics, columns=columns))
    assert made.verticalScrollBar().value() == made.verticalScrollBar().minimum()
    made.verticalScrollBar().setValue(60)
    made.horizontalScrollBar().setValue(200)
    made.show(matrix_picture(parse, metrics, columns=columns).with_row(WordId(parse.reduced[3])))
    assert (made.verticalScrollBar().value(), made.horizontalScrollBar().value()) == (60, 200)


def test_what_is_selected_is_in_sight_in_the_next_picture(
    qtbot: QtBot, classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = long_parse(classroom, 60)
    made = bare(qtbot, metrics, 872, 415)
    columns = columns_of(parse, metrics)
    made.show(parse_picture(parse, metrics, columns=columns))
    # The arrow to the root has a cell in the matrix, far down.
    chosen = ArrowId(max(modifier for modifier, head in parse.heads().items() if head < 0))
    made.select(chosen)
    place = made.mapFromScene(QPointF(columns.x(chosen.modifier), 0)).x()
    matrix = matrix_picture(parse, metrics, columns=columns)
    made.show(matrix)
    bounds = matrix.regions[chosen].bounds
    assert bounds.y * made.scale_factor > 415
    assert made.mapFromScene(QPointF(0, bounds.y)).y() >= 0
    assert made.mapFromScene(QPointF(0, bounds.bottom)).y() <= made.viewport().height()
    assert abs(made.mapFromScene(QPointF(columns.x(chosen.modifier), 0)).x() - place) <= 2


def test_a_legend_has_a_place_of_its_own_under_the_picture(
    qtbot: QtBot, classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = long_parse(classroom, 60)
    made = bare(qtbot, metrics, 872, 415)
    strip = made.findChild(LegendStrip)
    assert strip is not None
    for stage in ALL_STAGES:
        made.show(stage(parse, metrics, room=made.room))
        QApplication.processEvents()
        drawing = made.drawing
        assert drawing is not None
        if drawing.legend is None:
            # Without punctuation the sentence has no sign to be explained.
            assert stage is sentence_picture and not strip.isVisible()
            continue
        assert strip.isVisible() and not strip.geometry().intersects(made.viewport().geometry()), drawing.title
        assert strip.height() >= drawing.legend.bounds.height
        assert drawing.view_bounds.bottom <= drawing.legend.bounds.y
        # All of it is in sight, at the size of the window's type, wherever one has zoomed or scrolled to.
        assert drawing.legend.bounds.width < made.width()
        made.zoom(3.0)
        made.verticalScrollBar().setValue(made.verticalScrollBar().maximum())
        image = strip.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(4, image.height())}
        assert len(colours) > 8, drawing.title
        made.fit()


def test_a_picture_without_legend_has_the_whole_view(qtbot: QtBot, metrics: QtMetrics) -> None:
    made = bare(qtbot, metrics, 872, 415)
    made.show(message_picture("No sentence", "Type one above.", metrics))
    assert made.viewport().height() == 415


def test_the_overview_goes_where_it_is_clicked(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    made = bare(qtbot, metrics, 900, 400)
    made.show(gaps_picture(telescope, metrics))
    strip = made.findChild(LegendStrip)
    assert strip is not None and strip.map_rect() is None
    made.zoom(4.0)
    rect = strip.map_rect()
    assert rect is not None and QRectF(strip.rect()).contains(rect)
    bar = made.horizontalScrollBar()
    for share in (0.1, 0.9):
        place = QPoint(round(rect.x() + share * rect.width()), round(rect.center().y()))
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=place)
        went = (bar.value() - bar.minimum()) / (bar.maximum() - bar.minimum())
        assert (went < 0.3) == (share < 0.5)


def test_the_map_of_a_folded_sentence_names_its_words(
    qtbot: QtBot, classroom: engine.Model, metrics: QtMetrics
) -> None:
    parse = long_parse(classroom, 60)
    made = bare(qtbot, metrics, 872, 415)
    made.show(parse_picture(parse, metrics, room=made.room))
    assert made.drawing is not None and made.drawing.folded and made.drawing.overview is not None
    strip = made.findChild(LegendStrip)
    assert strip is not None
    rect = strip.map_rect()
    assert rect is not None
    with qtbot.waitSignal(made.overview_clicked) as caught:
        place = QPoint(round(rect.right() - 4), round(rect.center().y()))
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=place)
    assert caught.args == [WordId(len(parse.sentence.positions) - 1)]


def test_fitting_follows_the_view_until_a_person_zooms_and_again_after_fit(canvas: Canvas) -> None:
    canvas.resize(700, 700)
    small = canvas.scale_factor
    canvas.resize(1400, 1000)
    assert canvas.scale_factor > small and canvas.fits_automatically
    canvas.zoom_in()
    zoomed = canvas.scale_factor
    canvas.resize(700, 700)
    assert canvas.scale_factor == zoomed and not canvas.fits_automatically
    canvas.fit()
    assert canvas.scale_factor == pytest.approx(small)
    canvas.resize(1400, 1000)
    assert canvas.scale_factor > small


def test_wheel_zooms_about_the_mouse_and_scrolls(canvas: Canvas) -> None:
    # Once there is something to scroll, the place under the mouse stays.
    canvas.zoom(2)
    canvas.select(WordId(3))
    place = spot(canvas, WordId(3))
    before = canvas.mapToScene(place)

    def turn(clicks: int, control: bool) -> None:
        held = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
        event = QWheelEvent(
            QPointF(place), QPointF(canvas.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 120 * clicks),
            Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas.viewport(), event)

    scale = canvas.scale_factor
    for _ in range(4):
        turn(1, True)
    assert canvas.scale_factor == pytest.approx(1.2**4 * scale)
    after = canvas.mapToScene(place)
    assert abs(after.x() - before.x()) < 2
    value = canvas.horizontalScrollBar().value()
    turn(-1, False)
    moved = (canvas.horizontalScrollBar().value(), canvas.verticalScrollBar().value())
    assert moved != (value, 0)
    canvas.fit()
    rect = canvas.mapFromScene(canvas.sceneRect()).boundingRect()
    assert rect.width() <= canvas.viewport().width() + 2
    canvas.actual_size()
    assert canvas.scale_factor == pytest.approx(1)
    for _ in range(60):
        turn(-1, True)
    assert canvas.scale_factor == pytest.approx(0.1)


def test_text_scaling_scales_the_picture(canvas: Canvas) -> None:
    canvas.actual_size()
    appearance().text_scale = 1.5
    assert canvas.transform().m11() == pytest.approx(1.5)
    assert canvas.scale_factor == pytest.approx(1)


def test_colours_follow_the_theme(canvas: Canvas) -> None:
    for theme in (DARK, LIGHT):
        appearance().theme = theme
        assert picture(canvas).pixelColor(2, 2) == QColor(theme.colour("background"))


def test_tool_tips_teach(canvas: Canvas, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QToolTip

    place = spot(canvas, ArrowId(0))
    event = QHelpEvent(QEvent.Type.ToolTip, place, canvas.viewport().mapToGlobal(place))
    QApplication.sendEvent(canvas.viewport(), event)
    assert "Mary → saw" in QToolTip.text() and "F̂" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    for widget in QApplication.topLevelWidgets():
        if widget.inherits("QTipLabel"):
            widget.deleteLater()


def test_the_twin_is_there_for_screen_readers(canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    assert canvas.drawing is not None
    assert canvas.accessibleName() == "Dependencies"
    # Focus comes to a window only once it is active; without a window manager that takes a moment.
    canvas.activateWindow()
    assert QTest.qWaitForWindowActive(canvas, 5000)
    canvas.clearFocus()
    canvas.setFocus()
    assert canvas.accessibleDescription() == canvas.text_twin == canvas.drawing.text_twin


def test_words_travel_and_arrive(canvas: Canvas, qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    columns = columns_of(telescope, metrics)
    canvas.show(gaps_picture(telescope, metrics, columns=columns))
    target = parse_picture(telescope, metrics, columns=columns)
    canvas.show(target, animate=True)
    under_way = picture(canvas)
    qtbot.waitUntil(lambda: not canvas.is_moving, timeout=3000)
    arrived = picture(canvas)
    assert arrived != under_way
    canvas.show(gaps_picture(telescope, metrics, columns=columns))
    canvas.show(target)
    assert picture(canvas) == arrived
    # Another drawing on the way takes over at once.
    canvas.show(gaps_picture(telescope, metrics, columns=columns), animate=True)
    canvas.show(target)
    assert not canvas.is_moving and picture(canvas) == arrived


def test_nothing_travels_where_motion_is_reduced(canvas: Canvas, telescope: Parse, metrics: QtMetrics) -> None:
    appearance().reduce_motion = True
    canvas.show(gaps_picture(telescope, metrics), animate=True)
    assert not canvas.is_moving


def test_a_replay_repaints_to_the_same_pixels_as_the_whole(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    assert telescope.chart is not None
    columns = columns_of(telescope, metrics)
    made = bare(qtbot, metrics, 1000, 700)
    steps = range(0, len(telescope.chart) + 1, 7)
    for step in steps:
        made.show(triangle_picture(telescope, metrics, TriangleOptions(until=step), columns))
        QApplication.processEvents()
    made.show(triangle_picture(telescope, metrics, columns=columns))
    QApplication.processEvents()
    fresh = bare(qtbot, metrics, 1000, 700)
    fresh.show(triangle_picture(telescope, metrics, columns=columns))
    assert picture(made) == picture(fresh)


def test_the_lens_shows_the_cell_under_the_mouse(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    made = bare(qtbot, metrics, 1000, 700)
    made.show(triangle_picture(telescope, metrics, TriangleOptions(density="colour")))
    plain = picture(made)
    QTest.mouseMove(made.viewport(), spot(made, ChartCellId(0, 1)))
    qtbot.waitUntil(lambda: picture(made) != plain)
    QApplication.sendEvent(made.viewport(), QEvent(QEvent.Type.Leave))
    assert picture(made) == plain


def test_a_selection_that_the_next_picture_lacks_is_dropped(
    canvas: Canvas, telescope: Parse, metrics: QtMetrics
) -> None:
    canvas.select(ArrowId(0))
    canvas.show(sentence_picture(telescope, metrics))
    assert canvas.selection is None
    canvas.select(WordId(0))
    canvas.show(gaps_picture(telescope, metrics))
    assert canvas.selection == WordId(0)


def test_texts_are_painted(canvas: Canvas) -> None:
    assert canvas.drawing is not None
    [word] = [one for one in canvas.drawing.of([WordId(0)]) if isinstance(one, Text) and one.text == "Mary"]
    at = canvas.mapFromScene(QPointF(word.x, word.y - 4))
    image = picture(canvas)
    assert any(image.pixelColor(at.x() + dx, at.y()).lightness() < 128 for dx in range(-12, 12))


def test_names_of_rows_stay_in_sight(qtbot: QtBot, telescope: Parse, metrics: QtMetrics) -> None:
    made = bare(qtbot, metrics, 640, 420)
    made.show(matrix_picture(telescope, metrics))
    made.zoom(2)
    made.horizontalScrollBar().setValue(made.horizontalScrollBar().maximum())
    made.verticalScrollBar().setValue(made.verticalScrollBar().maximum() // 2)
    assert made.drawing is not None and dict(made.drawing.pins).keys() == {"top", "left"}
    # At the left edge one still points at the modifier of the row.
    rows = {one: made.drawing.regions[MatrixCellId(one, 0)].bounds.centre[1] for one in telescope.reduced if one > 0}
    places = {one: made.mapFromScene(QPointF(0, y)).y() for one, y in rows.items()}
    seen = {one: y for one, y in places.items() if 160 < y < made.viewport().height()}
    assert seen
    for one, y in seen.items():
        assert WordId(one) in {made.at(QPoint(x, y)) for x in range(0, made.viewport().width(), 4)}
    image = picture(made)
    ink = QColor(LIGHT.colour("ink"))
    strip = [image.pixelColor(x, y) for x in range(110) for y in range(80, 200)]
    assert min(abs(colour.lightness() - ink.lightness()) for colour in strip) < 40


def test_a_lighted_arrow_leaves_its_label_readable(canvas: Canvas) -> None:
    assert canvas.drawing is not None
    pill = canvas.drawing.areas[-1].bounds
    for area in canvas.drawing.areas:
        if area.id == ArrowId(0) and not area.line:
            pill = area.bounds
    canvas.actual_size()
    canvas.highlight([ArrowId(0)])
    image = picture(canvas)
    left = canvas.mapFromScene(QPointF(pill.x + 3, pill.y + pill.height / 2))
    # The line that runs to the pill on both sides does not run through it: its end is the colour of the ground.
    assert image.pixelColor(left) == QColor(LIGHT.colour("background")) or image.pixelColor(left).lightness() > 200


def test_the_automatic_size_shows_all_where_that_can_be_read() -> None:
    assert automatic_scale(2.0, 3.0) == MOST_AUTOMATIC
    assert automatic_scale(1.4, 1.2) == 1.2
    # What is too high or too long scrolls: type is never too small to be read.
    assert automatic_scale(1.4, 0.3) == automatic_scale(0.5, 1.2) == automatic_scale(0.5, 0.3) == READABLE
    assert READABLE * min(style.size for style in STYLES.values()) * 72 / 96 >= 9


def test_words_stay_in_sight_where_the_view_becomes_lower(qtbot: QtBot, paper: Parse) -> None:
    made = Canvas()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    made.show(parse_picture(paper, made.metrics))
    assert made.drawing is not None
    row = next(shape.y for shape in made.drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word"))
    scrolled = 0
    for height in (260, 200, 700, 180):
        made.resize(900, height)
        scrolled += made.verticalScrollBar().maximum() > made.verticalScrollBar().minimum()
        assert 0 < made.mapFromScene(0, row).y() <= made.viewport().height(), height
    assert scrolled > 1
    # Whoever has scrolled away is left there.
    bar = made.verticalScrollBar()
    bar.setValue(bar.minimum())
    made.resize(900, 240)
    assert bar.value() == bar.minimum() < bar.maximum()
