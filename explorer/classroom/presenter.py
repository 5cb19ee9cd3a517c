"""The presenter: one stage on the whole screen, in type that is read from the last row; and the speaker's view beside
it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QDateTime, QEvent, QLocale, QObject, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from engine.common.characters import curly_quotes, no_markup
from engine.explain.parses import what_if_headline
from engine.explain.registry import words_of
from engine.explain.subjects import ChartCellId, EdgeId, Subject, WordId
from explorer.canvas.canvas import Canvas
from explorer.canvas.stage_picture import StagePicture
from explorer.classroom.answers import Tally
from explorer.classroom.presentation import Presentation, ask, escaped
from explorer.classroom.question_view import QuestionView
from explorer.kit.appearance import appearance
from explorer.kit.controls import NONE, in_column, in_row, named, push_button, sized, told
from explorer.kit.tasks import Worker
from explorer.pictures.drawing import Rect
from explorer.pictures.options import REPLAYS
from explorer.pictures.theme import STYLES
from explorer.session.replay import REPLAY_TITLES
from explorer.stages.parse import ParseStage
from explorer.stages.player import Player

# Where the teacher points: a dot that follows the mouse, and a mouse that is hidden while nobody moves it.

IDLE_MS = 2500
"""After so long without a move the mouse is hidden."""


class PointerDot(QWidget):
    """A dot that shows where the teacher points; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Pointer")
        self.hide()

    def set_size(self, pixels: int) -> None:
        """Make it so wide."""
        self.resize(pixels, pixels)

    def go_to(self, place: QPoint) -> None:
        """Stand around a place of the window."""
        self.move(place.x() - self.width() // 2, place.y() - self.height() // 2)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot, with a ring that parts it from whatever is below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = max(2.0, self.width() / 12)
        painter.setPen(QPen(QColor("#ffffff"), ring))
        painter.setBrush(QColor(appearance().theme.colour("accent")))
        radius = self.width() / 2 - ring
        painter.drawEllipse(QPointF(self.width() / 2, self.height() / 2), radius, radius)
        painter.end()


class Pointer(QObject):
    """Shows the dot while it is wanted, and the mouse while it is moved.

    Parameters
    ----------
    window
        Over which the dot stands.
    watched
        The parts of the window that the mouse can be over.
    """

    def __init__(self, window: QWidget, watched: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._watched = (window, *watched)
        self._stays = False
        self.dot = PointerDot(window)
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(lambda: self._set_cursor(Qt.CursorShape.BlankCursor))
        for widget in self._watched:
            widget.setMouseTracking(True)
            widget.installEventFilter(self)

    def toggle(self) -> None:
        """Show the dot where the mouse is, until it is asked for again."""
        self._stays = not self._stays
        self.dot.go_to(self._window.mapFromGlobal(self._window.cursor().pos()))
        self.dot.setVisible(self._stays)
        self._show_mouse()

    def point(self, place: QPoint | None) -> None:
        """Show the dot at a place of the window while the mouse is pressed there; ``None`` for no longer."""
        if place is not None:
            self.dot.go_to(place)
        self.dot.setVisible(self._stays or place is not None)

    def stop(self) -> None:
        """Wait for nothing any more."""
        self._idle.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the mouse with the dot, and show the mouse when it moves."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            if self._stays:
                self.dot.go_to(self._window.mapFromGlobal(event.globalPosition().toPoint()))
            self._show_mouse()
        return super().eventFilter(watched, event)

    def _show_mouse(self) -> None:
        self._set_cursor(Qt.CursorShape.BlankCursor if self._stays else Qt.CursorShape.ArrowCursor)
        self._idle.start()

    def _set_cursor(self, shape: Qt.CursorShape) -> None:
        for widget in self._watched:
            if widget.cursor().shape() != shape:
                widget.setCursor(shape)


# What the presenter's window is made of: the picture, the caption, the pointer's dot, and what covers everything.

LEAST_SHARE = 1 / 30
"""How high type is at least, of the window's height: from the last row it can be read."""
CAPTION_SHARE = 0.4
"""The caption takes at most so much of the window's height; a longer one is scrolled."""
LEGEND_ROOM = 56


class PresenterCanvas(Canvas):
    """The picture without anything around it; a click goes on, a press shows where the teacher points.

    Signals
    -------
    clicked
        The mouse was clicked, not dragged.
    pointed
        The mouse is pressed at this place of the viewport, or (``None``) no longer.
    """

    clicked = Signal()
    pointed = Signal(object)
    follows_type = False
    keeps_words = False

    def __init__(self) -> None:
        super().__init__()
        self._start: QPoint | None = None
        self.legend_room = 0
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_type_height(self, pixels: float) -> None:
        """Set words so high."""
        self.set_text_scale(pixels / STYLES["word"].size)

    def toggle_legend(self) -> None:
        """Say under the picture what its signs mean, or no longer."""
        self.legend_room = 0 if self.legend_room else LEGEND_ROOM
        self.set_text_scale(self.text_scale)

    def type_height(self, style: str = "word") -> float:
        """How high type of a style is set on the screen, in pixels."""
        return STYLES[style].size * self._total_scale

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to point."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position().toPoint()
            self.pointed.emit(self._start)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point; nothing is selected by the mouse here."""
        if self._start is not None:
            self.pointed.emit(event.position().toPoint())
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go on, if the mouse stayed where it was pressed."""
        start, self._start = self._start, None
        if start is not None and event.button() == Qt.MouseButton.LeftButton:
            self.pointed.emit(None)
            if (event.position().toPoint() - start).manhattanLength() < QApplication.startDragDistance():
                self.clicked.emit()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the second press of a double click for one more."""
        self.mousePressEvent(event)

    def _tool_tip(self, place: QPoint) -> None:
        """Show no tips before the class."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open no menu before the class."""
        event.accept()


class Caption(QScrollArea):
    """A text in Markdown, as high as it needs to be, and scrolled where it would be too high."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.text = named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.MarkdownText), name)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setWidget(self.text)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._most = 1 << 20

    def set_text(self, markdown: str) -> None:
        """Show a text; without one, nothing."""
        markdown = no_markup(markdown)
        if markdown != self.text.text():
            self.text.setText(markdown)
            self.verticalScrollBar().setValue(0)
        self.setVisible(bool(markdown))
        self._adjust()

    def set_type(self, pixels: int, most: int, margin: int) -> None:
        """Set type so high, the whole at most so high, with so much room on both sides."""
        sized(self.text, pixels)
        self.text.setContentsMargins(margin, pixels // 3, margin, pixels // 2)
        self._most = most
        self._adjust()

    def turn(self, forward: bool) -> None:
        """Scroll by two lines."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (1 if forward else -1) * 2 * self.text.font().pixelSize())

    def _adjust(self) -> None:
        width = self.viewport().width()
        # A text that is empty has no height; a line stands over one that is not.
        self.setFixedHeight(max(0, min(self.text.heightForWidth(max(width, 1)) + 1, self._most)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take another height where lines break elsewhere."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._adjust()

    def minimumSizeHint(self) -> QSize:
        """Nothing at least: a long text is scrolled."""
        return QSize(0, 0)


class Blank(QWidget):
    """One colour over everything, so that the class looks at the teacher."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colour = ""
        self.setAccessibleName("The picture is covered")
        self.hide()

    @property
    def colour(self) -> str:
        """The colour that covers everything; empty if nothing is covered."""
        return self._colour

    def toggle(self, colour: str) -> None:
        """Cover everything in a colour; in the same one once more, nothing."""
        self._colour = "" if colour == self._colour else colour
        self.setVisible(bool(self._colour))
        self.raise_()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show the picture again."""
        self.toggle(self._colour)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the colour."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._colour or "black"))
        painter.end()


# The presenter: one stage on the whole screen, in type that is read from the last row, with a caption.

SAID_MS = 1800
LARGER = 1.15
MOST_ENLARGED = 3.0


class PresenterWindow(QWidget):
    """Shows a presentation to a class.

    Parameters
    ----------
    presentation
        What is shown; its session goes with the window.
    tally
        What the class answers.

    Signals
    -------
    left
        The window was closed.
    speaker_wanted
        The speaker's view is to be shown, or hidden.
    """

    left = Signal()
    speaker_wanted = Signal()

    def __init__(self, presentation: Presentation, tally: Tally, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Presenter – Parse Explorer")
        self.setObjectName("presenter")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.presentation = presentation
        presentation.setParent(self)
        session = self._session = presentation.session
        session.setParent(self)
        self._tally = tally
        self.question: QuestionView | None = None
        self._enlarged = 1.0
        self._zoomed = False
        self._digits = ""
        self.canvas = PresenterCanvas()
        self.picture = StagePicture(session.editor, session.view, session.parses, session.messages, self.canvas, self)
        for stage in self.picture.stages.values():
            stage.fit()
        self.player = Player(session.view, self.presentation.navigator, self)
        self.what_if = named(told(name="presenter-what-if"), "What-if")
        self.asked, self.caption = Caption("Question"), Caption("Caption")
        self.asked.setObjectName("presenter-question")
        self.caption.setObjectName("presenter-caption")
        self._layout = in_column(self.what_if, (self.canvas, 1), self.asked, self.caption, margins=NONE, spacing=0)
        self.setLayout(self._layout)
        self.said = named(QLabel(self, textFormat=Qt.TextFormat.PlainText), "Message")
        keys = QLabel(keys_as_table(), self, textFormat=Qt.TextFormat.RichText)
        self.help = named(keys, "Keys of the presenter")
        seen = (self.canvas, self.canvas.viewport(), self.caption.viewport(), self.caption.text)
        self.pointer = Pointer(self, seen)
        self.dot = self.pointer.dot
        self.blank = Blank(self)
        for label in (self.said, self.help):
            label.setObjectName("presenter-note")
            label.hide()
        self._silence = QTimer(self, singleShot=True, interval=SAID_MS)
        self._silence.timeout.connect(self.said.hide)
        presentation.changed.connect(self.refresh)
        presentation.step_changed.connect(self._step_changed)
        presentation.player.step_ready.connect(self._step_ready)
        presentation.player.problem_changed.connect(lambda: self.picture.pause(False))
        self.picture.shown.connect(self._bring_into_sight)
        session.view.selection_changed.connect(self._bring_into_sight)
        # A long sentence opens where the replay is.
        session.view.chart_step_changed.connect(lambda: self.picture.look_at(session.view.focus))
        self.canvas.clicked.connect(self.next)
        self.canvas.pointed.connect(self._pointed)
        self._step_changed()
        self.picture.refresh()

    # Looks

    @property
    def type_height(self) -> int:
        """How high the words of picture and caption are, in pixels: at least a thirtieth of the window."""
        return math.ceil(self.height() * LEAST_SHARE * self._enlarged)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep type at its share of the height."""
        super().resizeEvent(event)
        self._set_type()

    def enlarge(self, factor: float) -> None:
        """Make type larger or smaller; never smaller than can be read from the last row."""
        self._enlarged = max(1.0, min(self._enlarged * factor, MOST_ENLARGED))
        self._set_type()

    def _set_type(self) -> None:
        pixels = self.type_height
        for caption in (self.caption, self.asked):
            caption.set_type(pixels, int(self.height() * CAPTION_SHARE), pixels)
        for label, size in ((self.what_if, pixels), (self.said, pixels), (self.help, max(12, round(pixels * 0.62)))):
            sized(label, size)
        self.what_if.setContentsMargins(pixels, 2, pixels, 2)
        if self.question is not None:
            self.question.set_text_size(self.type_height)
        self.dot.set_size(pixels)
        self.blank.setGeometry(self.rect())
        self.canvas.set_type_height(pixels)
        self._place(self.help, centred=True)
        self._place(self.said)

    def _place(self, label: QLabel, centred: bool = False) -> None:
        label.adjustSize()
        gap = self.type_height
        if centred:
            label.move((self.width() - label.width()) // 2, max(0, (self.height() - label.height()) // 2))
        else:
            label.move(self.width() - label.width() - gap, gap)
        label.raise_()

    # What is shown

    def refresh(self) -> None:
        """Show what is said about the step, and what is forced in it."""
        presentation = self.presentation
        problem = presentation.problem
        asks = presentation.question if not problem else None
        covered = asks is not None and not presentation.revealed
        text = asks.text if asks is not None else ""
        self.asked.set_text(escaped(text or "What do you think?") if asks is not None and self.question is None else "")
        caption = f"{escaped(problem)}  *Next goes on.*" if problem else presentation.caption
        self.caption.set_text("" if covered else caption)
        line = self._session.editor.line
        result = self._session.parses.result
        forced = bool(line.what_ifs) and result is not None and result.request.line.what_ifs == line.what_ifs
        self.what_if.setVisible(forced)
        if forced and result is not None:
            self.what_if.setText(curly_quotes(what_if_headline(line.what_ifs, result.parse, result.free).sentence))
        self.setAccessibleDescription(f"{presentation.title}. {caption}")
        self.setWindowTitle(f"{presentation.title} – Presenter")

    def _step_changed(self) -> None:
        """Begin a step as it was meant to be looked at; until it is parsed, the last picture stays."""
        self._zoom_out()
        if self.question is not None:
            self.question.hide()
            self.question.deleteLater()
            self.question = None
            self.canvas.setVisible(True)
            self.picture.of(ParseStage).asked = None
            self.picture.cover(None)
        self.picture.pause(self.presentation.has_lesson and not self.presentation.player.ready)
        self.refresh()

    def _step_ready(self) -> None:
        """Show the step as a whole, with its question."""
        asks = self.presentation.question is not None and not self.presentation.revealed
        if asks and self.question is None:
            self.question = ask(self.presentation, self._tally)
        if self.question is not None:
            self.question.set_text_size(self.type_height)
            has_trees = self.question.options.shows_trees
            self._layout.insertWidget(self._layout.indexOf(self.asked), self.question)
            self._layout.setStretchFactor(self.question, int(has_trees))
            self.canvas.setVisible(not has_trees)
            posed = self.question.posed
            self.picture.of(ParseStage).asked = posed.kind.explained(posed)
            self.picture.cover(self.question.posed.cover)
        self.picture.pause(False)
        self.refresh()

    def _focus_bounds(self) -> Rect | None:
        """Where in the picture what is selected, or the edge that was reached, is."""
        drawing, focus = self.canvas.drawing, self._session.view.focus
        if self.question is not None and not self.presentation.revealed:
            focus = self.question.posed.subject
        if drawing is None or focus is None:
            return None
        place: Subject = focus
        result = self._session.parses.result
        if isinstance(focus, EdgeId) and result is not None and result.parse.chart is not None:
            edge = result.parse.chart.edge(focus.number)
            place = ChartCellId(edge.start, edge.end)
        region = drawing.regions.get(place)
        return region.bounds if region is not None else None

    def _bring_into_sight(self) -> None:
        """Scroll to what is selected and to its words, last to the one that it is about."""
        drawing, parse, view = self.canvas.drawing, self._session.parses.shown, self._session.view
        places = [self._focus_bounds()]
        if drawing is not None and parse is not None and not isinstance(view.focus, EdgeId):
            words = [
                drawing.regions.get(WordId(start)) for start, end in words_of(parse, view.focus) if end == start + 1
            ]
            places += [word.bounds for word in reversed(words) if word is not None]
        for place in places:
            if place is not None:
                self.canvas.ensureVisible(place.x, place.y, place.width, place.height, 24, 24)

    # What a person does

    def next(self) -> None:
        """Go on: uncover the picture, reveal the answer, or show the next step."""
        if self.help.isVisible():
            self.help.hide()
        elif self.blank.colour:
            self.blank.toggle(self.blank.colour)
        elif not self.presentation.revealed and self.question is not None:
            self.question.reveal()
            self.picture.cover(None)
            self.presentation.reveal()
        elif not self.presentation.next():
            self.say("This is the end. Esc leaves.")

    def previous(self) -> None:
        """Go one step back."""
        if not self.presentation.previous():
            self.say("This is the first step.")

    def toggle_zoom(self) -> None:
        """Look at what is selected from near, and back."""
        if self._zoomed:
            self._zoom_out()
            return
        bounds = self._focus_bounds()
        self._zoomed = True
        if bounds is None:
            self.canvas.zoom(1.6)
            return
        view = self.canvas.viewport().rect()
        scale = self.canvas.scale_factor * self.canvas.text_scale
        across, down = view.width() / (bounds.width * scale), view.height() / (bounds.height * scale)
        self.canvas.zoom(max(1.6, min(0.6 * min(across, down), 4.0)))
        self.canvas.centerOn(*bounds.centre)

    def _zoom_out(self) -> None:
        if self._zoomed:
            self._zoomed = False
            self.canvas.fit()
            self._bring_into_sight()

    def _pointed(self, place: QPoint | None) -> None:
        self.pointer.point(self.canvas.viewport().mapTo(self, place) if place is not None else None)

    def toggle_help(self) -> None:
        """Show what each key does, or hide it."""
        self.help.setVisible(not self.help.isVisible())
        self._place(self.help, centred=True)

    def say(self, message: str) -> None:
        """Say something in a corner for a moment."""
        self.said.setText(message)
        self.said.show()
        self._place(self.said)
        self._silence.start()

    def play(self) -> None:
        """Play by itself, or stop; a lesson goes on by hand, but its charts play."""
        self.player.within_stage = self.presentation.has_lesson
        if self.presentation.has_lesson and not self.presentation.navigator.stage.replays:
            self.say("In a lesson only the chart plays by itself.")
        else:
            self.player.play(not self.player.playing)

    def next_edges(self) -> None:
        """Replay other edges of the chart."""
        at = REPLAYS.index(self._session.view.replay.edges)
        chosen = REPLAYS[(at + 1) % len(REPLAYS)]
        self._session.navigator.choose_edges(chosen)
        self.say(f"Chart: {REPLAY_TITLES[chosen]}")

    def toggle_cells(self) -> None:
        """Replay the chart cell by cell, or edge by edge."""
        by_cell = not self._session.view.replay.by_cell
        self._session.navigator.choose_by_cell(by_cell)
        self.say(f"Chart: {'cell by cell' if by_cell else 'edge by edge'}")

    def change_speed(self, by: int) -> None:
        """Replay the chart faster, or slower."""
        self._session.navigator.choose_speed(self._session.view.replay.speed + by)
        self.say(f"Speed {self._session.view.replay.speed + 1} of 5")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what a key means; a number is completed by Enter."""
        event.accept()
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return
        if self.question is not None and not self.presentation.revealed and self.question.handle_key(event):
            return
        key, text = Qt.Key(event.key()), event.text()
        enters = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        digits, self._digits = self._digits, ""
        if digits:
            self.said.hide()
        if text.isdecimal() and text.isascii() and len(digits) < 4:
            self._digits = digits + text
            self.say(f"Go to {self._digits} …")
        elif digits and enters:
            if not self.presentation.go(int(digits)):
                self.say(f"There is no step {digits}.")
        elif digits and key == Qt.Key.Key_Escape:
            self.said.hide()
        elif key == Qt.Key.Key_Escape and self.help.isVisible():
            self.help.hide()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.caption.turn(key == Qt.Key.Key_Down)
        elif key in _DO:
            _DO[key](self)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what still works for it."""
        self.player.play(False)
        self.pointer.stop()
        self._silence.stop()
        for worker in self.findChildren(Worker):
            worker.stop()
        self._session.close()
        self.left.emit()
        super().closeEvent(event)


# The keys of the presenter: those of clickers, of other programs that present, and its own; one table for all.

K = Qt.Key


class PresenterKey(NamedTuple):
    """What some keys do.

    Attributes
    ----------
    keys
        The keys; those that type a letter do so with Shift and without.
    shown, does
        How the sheet of keys writes them, and what they do.
    do
        Does it in the window of the presenter.
    """

    keys: tuple[Qt.Key, ...]
    shown: str
    does: str
    do: Callable[[PresenterWindow], object]


PRESENTER_KEYS = (
    PresenterKey(
        (K.Key_Right, K.Key_Down, K.Key_PageDown, K.Key_Space, K.Key_Return, K.Key_Enter),
        "→ ↓ PageDown Space Enter, click",
        "next step, or the answer",
        lambda window: window.next(),
    ),
    PresenterKey(
        (K.Key_Left, K.Key_Up, K.Key_PageUp, K.Key_Backspace),
        "← ↑ PageUp Backspace",
        "back",
        lambda window: window.previous(),
    ),
    PresenterKey((K.Key_Home,), "Home", "first step", lambda window: window.presentation.first()),
    PresenterKey((K.Key_End,), "End", "last step", lambda window: window.presentation.last()),
    PresenterKey((), "digits, then Enter", "go to that step", lambda window: None),
    PresenterKey(
        (K.Key_B, K.Key_Period), "B  .", "black screen, and back", lambda window: window.blank.toggle("black")
    ),
    PresenterKey((K.Key_W, K.Key_Comma), "W  ,", "white screen, and back", lambda window: window.blank.toggle("white")),
    PresenterKey((K.Key_L,), "L, or hold the mouse", "a dot follows the mouse", lambda window: window.pointer.toggle()),
    PresenterKey((K.Key_Z,), "Z", "zoom to what is selected, and back", lambda window: window.toggle_zoom()),
    PresenterKey((K.Key_Plus, K.Key_Equal), "+", "larger type", lambda window: window.enlarge(LARGER)),
    PresenterKey((K.Key_Minus,), "−", "smaller type", lambda window: window.enlarge(1 / LARGER)),
    PresenterKey((K.Key_G,), "G", "what the signs mean", lambda window: window.canvas.toggle_legend()),
    PresenterKey((K.Key_P,), "P", "play by itself, and stop", lambda window: window.play()),
    PresenterKey((K.Key_E,), "E", "chart: all edges, survivors, this parse", lambda window: window.next_edges()),
    PresenterKey((K.Key_C,), "C", "chart: cell by cell, edge by edge", lambda window: window.toggle_cells()),
    PresenterKey((K.Key_BracketLeft,), "[", "chart: slower", lambda window: window.change_speed(-1)),
    PresenterKey((K.Key_BracketRight,), "]", "chart: faster", lambda window: window.change_speed(1)),
    PresenterKey((K.Key_S,), "S", "speaker's view: notes, next step, clock", lambda w: w.speaker_wanted.emit()),
    PresenterKey((K.Key_Question, K.Key_F1), "?", "these keys", lambda window: window.toggle_help()),
    PresenterKey((K.Key_Escape, K.Key_F5, K.Key_F11), "Esc F5 F11", "leave", lambda window: window.close()),
)
_DO = {key: entry.do for entry in PRESENTER_KEYS for key in entry.keys}


def keys_as_table() -> str:
    """The sheet of keys, as a table that Qt shows."""
    rows = "".join(
        f"<tr><td><b>{entry.shown}</b>&nbsp;&nbsp;&nbsp;</td><td>{entry.does}</td></tr>" for entry in PRESENTER_KEYS
    )
    return f"<table cellpadding=2>{rows}</table>"


# The speaker's view: notes, this step and the next, the answer, the clock, and large buttons.

CLOCK_MS = 500
PICTURE_MS = 40
LARGE, USUAL, SMALL = 30, 20, 16
"""Heights of its type in pixels: it is read at an arm's length, standing."""
_NO_NOTES = "*There are no notes to this step.*"


class SpeakerView(QWidget):
    """Shows the teacher what the class does not see; the presenter's keys work here, too.

    Parameters
    ----------
    presenter
        The window that the class sees.

    Signals
    -------
    left
        The window was closed.
    """

    left = Signal()

    def __init__(self, presenter: PresenterWindow, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Speaker's view – Parse Explorer")
        self.setObjectName("speaker")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(1000, 640)
        self._presenter = presenter
        self._presentation = presenter.presentation
        self._began = self._step_began = time.monotonic()
        self.clock, self.since, self.on_step = _label(LARGE), _label(LARGE), _label(LARGE)
        self.place, self.title = _label(USUAL, "quiet"), _label(LARGE)
        self.small = named(QLabel(), "What the class sees")
        self.small.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.small.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.next_title, self.next_text = _label(USUAL), Caption("What the class reads next")
        self.notes, self.answer = Caption("Notes"), Caption("Answer")
        times = in_row()
        for label, name in ((self.clock, "Clock"), (self.since, "Since the start"), (self.on_step, "On this step")):
            times.addLayout(in_column(_label(SMALL, "quiet", name), named(label, name)), 1)
        left = in_column(
            *(self.place, self.title, (self.small, 8)),
            *(_label(SMALL, "quiet", "Next"), self.next_title, self.next_text, None),
        )
        right = in_column(times, _label(SMALL, "quiet", "Notes"), self.notes, self.answer, None)
        self.buttons: dict[str, QPushButton] = {}
        for name, title, call in (
            ("previous", "← Back", presenter.previous),
            ("next", "Next →", presenter.next),
            ("black", "Black", lambda: presenter.blank.toggle("black")),
            ("dot", "Pointer", presenter.pointer.toggle),
            ("leave", "Leave", presenter.close),
        ):
            self.buttons[name] = _button(title, call)
        buttons = in_row(*((one, 2 if name in ("previous", "next") else 1) for name, one in self.buttons.items()))
        columns = in_row((left, 1), (right, 1), spacing=24)
        self.setLayout(in_column((columns, 1), buttons, margins=(24, 16, 24, 16), spacing=12))
        # What the class sees is copied when it rests, not at every step of a replay.
        self._later = QTimer(self, singleShot=True, interval=PICTURE_MS)
        self._later.timeout.connect(self._show_picture)
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._ticks.timeout.connect(self.tick)
        self._ticks.start()
        self._presentation.changed.connect(self.refresh)
        self._presentation.step_changed.connect(self._step_changed)
        presenter.picture.shown.connect(self._later.start)
        self.tick()
        self.refresh()

    def refresh(self) -> None:
        """Show this step and the next."""
        presentation = self._presentation
        self.place.setText(presentation.place)
        self.title.setText(presentation.title)
        self.notes.set_text((presentation.problem and escaped(presentation.problem)) or presentation.notes or _NO_NOTES)
        covered = presentation.question is not None and not presentation.revealed
        asked = self._presenter.question
        answer = escaped(asked.answer) if asked is not None else presentation.caption
        self.answer.set_text(f"**Answer, still covered:** {answer}" if covered else "")
        self.next_title.setText(presentation.next_title or "The end")
        self.next_text.set_text(presentation.next_text)
        self._later.start()

    def _step_changed(self) -> None:
        self._step_began = time.monotonic()
        self.tick()

    def tick(self) -> None:
        """Show what time it is."""
        now = time.monotonic()
        self.clock.setText(QLocale().toString(QDateTime.currentDateTime().time(), QLocale.FormatType.ShortFormat))
        self.since.setText(_minutes(now - self._began))
        self.on_step.setText(_minutes(now - self._step_began))

    def _show_picture(self) -> None:
        """Show small what the class sees."""
        if not self._presenter.isVisible() or self.small.width() < 40 or self.small.height() < 40:
            self.small.setPixmap(QPixmap())
            return
        question, shown = self._presenter.question, self._presenter.canvas.viewport()
        if question is not None and question.options.shows_trees:
            shown = question
        picture = shown.grab()
        self.small.setPixmap(
            picture.scaled(
                self.small.size(),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the small picture as large as there is room."""
        super().resizeEvent(event)
        for caption, size in ((self.notes, USUAL), (self.answer, USUAL), (self.next_text, SMALL)):
            caption.set_type(size, self.height() // 3, 0)
        self._later.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key does in the presenter."""
        self._presenter.keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the clock."""
        self._ticks.stop()
        self._later.stop()
        self.left.emit()
        super().closeEvent(event)


def _label(size: int, name: str = "", text: str = "") -> QLabel:
    return sized(told(text, name), size)


def _button(title: str, call: Callable[[], object]) -> QPushButton:
    button = sized(push_button(title, "", call), USUAL)
    button.setMinimumHeight(56)
    # Keys go to the presentation, whichever button was pressed last.
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
