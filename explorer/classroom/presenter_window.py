"""The presenter: one stage on the whole screen, in type that is read from the last row, with a caption."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.analysis.headlines import what_if_headline
from explorer.classroom.presentation import Presentation, escaped
from explorer.classroom.presenter_keys import BY_KEY, keys_as_table
from explorer.classroom.presenter_parts import CAPTION_SHARE, LEAST_SHARE, Blank, Caption, PresenterCanvas
from explorer.classroom.presenter_pointer import Pointer
from explorer.classroom.question_panel import QuestionFactory, QuestionPanel
from explorer.document.chart_replay import REPLAY_TITLES
from explorer.document.stage_navigation import CHART
from explorer.graphics.geometry import Rect
from explorer.graphics.number_text import curly_quotes
from explorer.graphics.pictures.picture_options import REPLAYS
from explorer.graphics.selection import ChartCellId, EdgeId, Id, WordId
from explorer.graphics.theme import LIGHT, Theme
from explorer.stages.player import Player
from explorer.stages.stage import words_of
from explorer.stages.stage_picture import StagePicture
from explorer.tasks.worker import Worker

SAID_MS = 1800
LARGER = 1.15
MOST_ENLARGED = 3.0


class PresenterWindow(QWidget):
    """Shows a presentation to a class.

    Parameters
    ----------
    presentation
        What is shown; its session goes with the window.
    ask
        Makes what asks the questions of a lesson.

    Signals
    -------
    left
        The window was closed.
    speaker_wanted
        The speaker's view is to be shown, or hidden.
    """

    left = Signal()
    speaker_wanted = Signal()

    def __init__(
        self, presentation: Presentation, ask: QuestionFactory | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Presenter – Parse Explorer")
        self.setObjectName("presenter")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.presentation = presentation
        presentation.setParent(self)
        session = self._session = presentation.session
        session.setParent(self)
        self._ask = ask
        self.question: QuestionPanel | None = None
        self._enlarged = 1.0
        self._zoomed = False
        self._digits = ""
        self.canvas = PresenterCanvas()
        self.picture = StagePicture(session.editor, session.view, session.parses, session.messages, self.canvas, self)
        self.picture.parse_stage.set_fitting()
        self.picture.chart_stage.fits_height = True
        self.player = Player(session.view, session.navigator, self.picture.chart_stage, self)
        self.what_if = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.what_if.setObjectName("presenter-what-if")
        self.what_if.setAccessibleName("What-if")
        self.what_if.setWordWrap(True)
        self.asked = Caption("Question")
        self.caption = Caption("Caption")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        for widget, stretch in ((self.what_if, 0), (self.canvas, 1), (self.asked, 0), (self.caption, 0)):
            self._layout.addWidget(widget, stretch)
        self.said = QLabel(self, textFormat=Qt.TextFormat.PlainText)
        self.said.setAccessibleName("Message")
        self.help = QLabel(self)
        self.help.setAccessibleName("Keys of the presenter")
        self.help.setTextFormat(Qt.TextFormat.RichText)
        self.help.setText(keys_as_table())
        seen = (self.canvas, self.canvas.viewport(), self.caption.viewport(), self.caption.text)
        self.pointer = Pointer(self, seen)
        self.dot = self.pointer.dot
        self.blank = Blank(self)
        for label in (self.said, self.help):
            label.setAutoFillBackground(True)
            label.hide()
        self._silence = QTimer(self, singleShot=True, interval=SAID_MS)
        self._silence.timeout.connect(self.said.hide)
        self._calls: dict[str, Callable[[], object]] = {
            "next": self.next,
            "previous": self.previous,
            "first": presentation.first,
            "last": presentation.last,
            "black": lambda: self.blank.toggle("black"),
            "white": lambda: self.blank.toggle("white"),
            "dot": self.pointer.toggle,
            "zoom": self.toggle_zoom,
            "larger": lambda: self.enlarge(LARGER),
            "smaller": lambda: self.enlarge(1 / LARGER),
            "legend": lambda: self.canvas.show_legend(not self.canvas.legend_room),
            "play": self._play,
            "edges": self._next_edges,
            "cells": self._toggle_cells,
            "slower": lambda: self._change_speed(-1),
            "faster": lambda: self._change_speed(1),
            "speaker": self.speaker_wanted.emit,
            "help": self.toggle_help,
            "leave": self.close,
        }
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
        self.set_theme(LIGHT)
        self._step_changed()
        self.picture.refresh()

    # Looks

    @property
    def type_height(self) -> int:
        """How high the words of picture and caption are, in pixels: at least a thirtieth of the window."""
        return math.ceil(self.height() * LEAST_SHARE * self._enlarged)

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        self.canvas.set_theme(theme)
        self.dot.set_theme(theme)
        if self.question is not None:
            self.question.set_look(self.type_height, theme)
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.colour("background")))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.colour("ink")))
        self.setPalette(palette)
        ink, muted, ground = theme.colour("ink"), theme.colour("muted"), theme.colour("background")
        line = f"QScrollArea {{ border: none; border-top: 1px solid {theme.colour('hairline')}; }}"
        self.caption.setStyleSheet(f"QScrollArea, QLabel {{ background: {ground}; color: {ink}; }} {line}")
        self.asked.setStyleSheet(f"QScrollArea, QLabel {{ background: {theme.colour('surface')}; color: {ink}; }}")
        self.what_if.setStyleSheet(f"background: {theme.colour('tint:accent')}; color: {ink};")
        for label in (self.said, self.help):
            label.setStyleSheet(
                f"background: {theme.colour('surface')}; color: {ink}; border: 1px solid {muted}; padding: 12px;"
            )

    def set_reduce_motion(self, on: bool) -> None:
        """Show another picture without animation, or with it."""
        self.canvas.set_reduce_motion(on)

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
            font = label.font()
            font.setPixelSize(size)
            label.setFont(font)
        self.what_if.setContentsMargins(pixels, 2, pixels, 2)
        if self.question is not None:
            self.question.set_look(pixels, self._theme)
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
            self.question.widget.hide()
            self.question.widget.deleteLater()
            self.question = None
            self.canvas.setVisible(True)
            self.picture.cover(None)
        self.picture.pause(self.presentation.has_lesson and not self.presentation.player.ready)
        self.refresh()

    def _step_ready(self) -> None:
        """Show the step as a whole, with its question."""
        asks = self.presentation.question is not None and not self.presentation.revealed
        if asks and self._ask is not None and self.question is None:
            self.question = self._ask(self.presentation)
        if self.question is not None:
            self.question.set_look(self.type_height, self._theme)
            self._layout.insertWidget(self._layout.indexOf(self.asked), self.question.widget)
            self._layout.setStretchFactor(self.question.widget, int(self.question.has_pictures))
            self.canvas.setVisible(not self.question.has_pictures)
            self.picture.cover(self.question.cover)
        self.picture.pause(False)
        self.refresh()

    def _focus_bounds(self) -> Rect | None:
        """Where in the picture what is selected, or the edge that was reached, is."""
        drawing, focus = self.canvas.drawing, self._session.view.focus
        if self.question is not None and not self.presentation.revealed:
            focus = self.question.subject
        if drawing is None or focus is None:
            return None
        place: Id = focus
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

    def _play(self) -> None:
        """Play by itself, or stop; a lesson goes on by hand, but its charts play."""
        self.player.within_stage = self.presentation.has_lesson
        if self.presentation.has_lesson and self._session.view.stage != CHART:
            self.say("In a lesson only the chart plays by itself.")
        else:
            self.player.play(not self.player.playing)

    def _next_edges(self) -> None:
        at = REPLAYS.index(self._session.view.replay.edges)
        chosen = REPLAYS[(at + 1) % len(REPLAYS)]
        self._session.navigator.choose_edges(chosen)
        self.say(f"Chart: {REPLAY_TITLES[chosen]}")

    def _toggle_cells(self) -> None:
        by_cell = not self._session.view.replay.by_cell
        self._session.navigator.choose_by_cell(by_cell)
        self.say(f"Chart: {'cell by cell' if by_cell else 'edge by edge'}")

    def _change_speed(self, by: int) -> None:
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
        elif key in BY_KEY:
            self._calls[BY_KEY[key]]()

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
