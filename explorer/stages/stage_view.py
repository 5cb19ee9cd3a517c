"""The middle of the window: stage strip, the picture, and under it the same numbers as tables."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.chart.parse import Parse
from explorer.appearance.shared_metrics import SharedMetrics
from explorer.canvas.canvas import Canvas
from explorer.document.session import Session
from explorer.document.stage_navigation import CHART, ESTIMATES
from explorer.graphics.drawing import Drawing
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.number_text import curly_quotes
from explorer.graphics.pictures import columns_of, message_picture
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import Id, modifier_of
from explorer.graphics.theme import Theme
from explorer.panels.alternatives import Alternatives
from explorer.panels.what_if_list import WhatIfs
from explorer.stages.chart_stage import ChartStage
from explorer.stages.estimates_stage import EstimatesStage
from explorer.stages.gaps_stage import GapsStage
from explorer.stages.parse_stage import ParseStage
from explorer.stages.reduced_stage import ReducedStage
from explorer.stages.sentence_stage import SentenceStage
from explorer.stages.stage import Choice, Stage, TableStage

WORDS_DRAWN_AT_ONCE = 16
"""Sentences up to so many words are drawn at once; longer ones in a worker, so that the window stays alive."""
TABLE_AFTER_MS = 12
TABLE, ALTERNATIVES, WHAT_IFS, TWIN = range(4)


class StageCanvas(Canvas):
    """The canvas, with a context menu of what can be done with a thing."""

    def __init__(self, view: StageView) -> None:
        super().__init__()
        self._view = view

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the thing under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self._view.session.selection if keyboard else self.at(event.pos())
        if found is not None:
            self._view.session.select(found)
            self._view.open_menu(found, event.globalPos())


class Banner(QFrame):
    """One sentence over the picture when something failed, with what can be done about it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._session = session
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        self.text = QLabel()
        self.text.setObjectName("banner-text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text, 1)
        self.lift = QToolButton()
        self.lift.setText("Lift the last what-if")
        self.lift.clicked.connect(lambda: session.lift(session.line.what_ifs[-1:]))
        layout.addWidget(self.lift)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Hide the message")
        close.setAccessibleName("Hide the message")
        close.clicked.connect(self.hide)
        layout.addWidget(close)
        self.hide()

    def say(self, message: str) -> None:
        """Show a message; an empty one hides the banner."""
        message = curly_quotes(message)
        self.text.setText(message[:1].upper() + message[1:] + ("" if message.endswith((".", "…")) else "."))
        self.lift.setVisible(bool(self._session.problem and self._session.line.what_ifs))
        self.setVisible(bool(message))


class StageView(QWidget):
    """Shows the current stage of the session.

    Parameters
    ----------
    session
        What is shown.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.stages: tuple[Stage, ...] = (
            SentenceStage(session),
            GapsStage(session),
            ReducedStage(session),
            EstimatesStage(session),
            ChartStage(session),
            ParseStage(session),
        )
        self.canvas = StageCanvas(self)
        self.metrics = SharedMetrics(self.canvas.metrics.family)
        self.banner = Banner(session)
        self.alternatives = Alternatives(session)
        self.what_ifs = WhatIfs(session)
        self.twin = QPlainTextEdit(readOnly=True)
        self.twin.setFrameShape(QFrame.Shape.NoFrame)
        self.twin.setAccessibleName("The picture as text")
        self.twin.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details = QStackedWidget()
        for stage in self.stages:
            self.details.addWidget(stage.detail)
            if isinstance(stage, TableStage):
                stage.table.menu_wanted.connect(self.open_menu)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for widget, title in (
            (self.details, ""),
            (self.alternatives, "n best"),
            (self.what_ifs, "What-ifs"),
            (self.twin, "As text"),
        ):
            self.tabs.addTab(widget, title)
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.banner)
        above.addWidget(self.canvas, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([500, 190])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.splitter, 1)

        # What else a context menu offers, whatever the stage.
        self.more_choices: list[Callable[[Id], list[Choice]]] = []
        self._columns: tuple[object, WordColumns] | None = None
        self._drawn: tuple[object, ...] = ()
        self._filled: tuple[object, ...] = ()
        self._stage = -1
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        # The picture is painted before its table is filled, so that no moment is longer than it must be.
        self._after = QTimer(self, singleShot=True, interval=TABLE_AFTER_MS)
        self._after.timeout.connect(self._fill)
        self.canvas.selected.connect(session.select)
        self.canvas.hovered.connect(session.point_at)
        self.canvas.activated.connect(lambda id: self.stage.activate(id))
        self.canvas.dragged.connect(lambda what, target: self.stage.drop(what, target))
        self.tabs.currentChanged.connect(lambda _: self._fill())
        for signal in (
            session.answer_changed,
            session.stage_changed,
            session.rank_changed,
            session.problem_changed,
            session.model_changed,
            session.document_changed,
        ):
            signal.connect(self._later.start)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self._mark)
        session.problem_changed.connect(self._problem_changed)
        self.refresh()

    @property
    def stage(self) -> Stage:
        """The stage that is shown."""
        return self.stages[self.session.stage]

    @property
    def parse_stage(self) -> ParseStage:
        """The last stage, whose picture has options."""
        stage = self.stages[-1]
        assert isinstance(stage, ParseStage)
        return stage

    @property
    def chart_stage(self) -> ChartStage:
        """The stage of the chart."""
        stage = self.stages[CHART]
        assert isinstance(stage, ChartStage)
        return stage

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.canvas.set_theme(theme)

    def columns(self, parse: Parse) -> WordColumns:
        """The ruler of a parse, made once for all parses that differ only in their numbers."""
        facts = facts_of(parse)
        key = (facts.tokens, facts.tags, facts.tree.brackets(), facts.basenps, facts.attachments)
        known = self._columns
        if known is None or known[0] != key:
            known = self._columns = (key, columns_of(parse, self.metrics))
        return known[1]

    def drawing(self, stage: int) -> Drawing:
        """The picture of a stage, or a message where there is none."""
        answer, parse = self.session.answer, self.session.parse
        if answer is None or parse is None:
            return message_picture(*self._state(), self.metrics)
        if not parse.sentence.positions:
            return message_picture("No words", "There is only punctuation; the model is about words.", self.metrics)
        if stage == CHART:
            if answer.parse.chart is None:
                if answer.full:
                    said = "There are too many constituents to keep every one of them; a smaller β makes fewer."
                    return message_picture("No chart", said, self.metrics)
                said = "Every constituent ever proposed is being recorded."
                return message_picture("Tracing …", said, self.metrics)
            parse = answer.parse
        return self.stages[stage].draw(parse, self.metrics, self.columns(parse))

    def _state(self) -> tuple[str, str]:
        """Title and text of the message while there is no parse."""
        session = self.session
        if session.model is None:
            if session.loading.busy:
                return "Opening the model …", "The first sentence follows in a moment."
            return "No model", "Open one with Ctrl+M, or drop its file here."
        if session.problem:
            return "No parse", session.problem[:1].upper() + session.problem[1:] + "."
        if session.parsing.busy:
            return "Parsing …", ""
        return "No sentence", "Type one above, paste many, or drop a file here."

    def refresh(self) -> None:
        """Draw the stage anew if anything that it shows has changed."""
        session = self.session
        answer, parse = session.answer, session.parse
        waiting = session.stage == CHART and answer is not None and answer.parse.chart is None
        if waiting and session.parsing.busy and self._stage == CHART:
            # The old chart stays until the new one is traced, a moment later.
            return
        state = self._state() if answer is None else ()
        what_ifs = session.line.what_ifs if session.current else ()
        matrix = modifier_of(session.selection) if session.stage == ESTIMATES else None
        options = self.parse_stage.options
        key = (session.stage, _same(parse), waiting or (session.stage == CHART and answer and id(answer.parse.chart)),
               session.chart_step if session.stage == CHART else None, state, what_ifs, matrix, options)  # fmt: skip
        if key != self._drawn:
            self._drawn = key
            stage = session.stage
            if parse is None or len(parse.sentence.positions) <= WORDS_DRAWN_AT_ONCE:
                session.drawing.cancel()
                self._show(key, stage, self.drawing(stage))
            else:
                session.drawing.request(
                    lambda job: self.drawing(stage),
                    lambda drawing: self._show(key, stage, drawing),
                    lambda error: session.message.emit(f"the picture could not be drawn ({error})", True),
                )
        self._mark()
        self._after.start()

    def _show(self, key: tuple[object, ...], stage: int, drawing: Drawing) -> None:
        if key != self._drawn:
            return
        animate = self._stage not in (-1, stage)
        self._stage = stage
        self.canvas.show(drawing, animate=animate)
        self.canvas.select(self.session.selection)
        self._mark()
        if self.tabs.currentIndex() == TWIN:
            self._fill()

    @property
    def settled(self) -> bool:
        """Whether picture and table are those of the session as it is now."""
        return not self._later.isActive() and not self._after.isActive() and not self.session.drawing.busy

    def _fill(self) -> None:
        """Fill the table that is in sight."""
        session = self.session
        self.details.setCurrentIndex(session.stage)
        self.tabs.setTabText(TABLE, self.stage.table_title)
        count = len(session.line.what_ifs)
        self.tabs.setTabText(WHAT_IFS, f"What-ifs ({count})" if count else "What-ifs")
        if self.tabs.currentIndex() == TWIN and self.canvas.drawing is not None:
            if self.twin.toPlainText() != self.canvas.text_twin:
                self.twin.setPlainText(self.canvas.text_twin)
        elif self.tabs.currentIndex() == TABLE:
            key = (session.stage, session.parse, session.answer and session.answer.parse.chart)
            if key != self._filled:
                self._filled = key
                self.stage.refresh()
            else:
                self.stage.follow()

    def _selection_changed(self) -> None:
        self.canvas.select(self.session.selection)
        self._mark()
        if self.session.stage == ESTIMATES:
            self._later.start()
        elif self.tabs.currentIndex() == TABLE:
            self.stage.follow()

    def _mark(self) -> None:
        session = self.session
        lit: dict[str, set[Id]] = {"match": set(), "extra": set()}
        for id in (session.focus, session.hover):
            if id is not None:
                for role, ids in self.stage.highlights(id).items():
                    lit[role] = lit.get(role, set()) | ids
        for role, ids in lit.items():
            self.canvas.highlight(ids, role)

    def _problem_changed(self) -> None:
        self.banner.say(self.session.problem if self.session.problem and self.session.answer is not None else "")

    def open_menu(self, id: Id, place: QPoint) -> None:
        """Open the menu of what can be done with a thing."""
        menu = self.menu_of(id)
        if not menu.isEmpty():
            menu.popup(place)

    def menu_of(self, id: Id) -> QMenu:
        """What can be done with a thing: in this stage, and in any."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for title, call in self.stage.choices(id):
            menu.addAction(title, call)
        more = [choice for choices in self.more_choices for choice in choices(id)]
        if more and not menu.isEmpty():
            menu.addSeparator()
        for title, call in more:
            menu.addAction(title, call)
        return menu


def _same(parse: Parse | None) -> object:
    """What makes two parses draw the same picture."""
    if parse is None:
        return None
    return (parse.tree.brackets(), parse.log_probability, parse.gap_tags, parse.settings, id(parse.model))
