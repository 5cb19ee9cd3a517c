"""The middle of the window: the picture of the stage, and under it the same numbers as tables."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.chart.parse import Parse
from explorer.appearance.shared_metrics import SharedMetrics
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages, as_sentence
from explorer.document.parse_service import ParseService
from explorer.document.stage_navigation import CHART, ESTIMATES
from explorer.document.view_state import ViewState
from explorer.explanations.glosses import Gloss
from explorer.explanations.picture_glosses import glosses_of, with_glossary
from explorer.graphics.drawing import Drawing
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.pictures import columns_of, message_picture
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import Id, modifier_of
from explorer.graphics.theme import Theme
from explorer.panels.alternatives import Alternatives
from explorer.panels.problem_banner import ProblemBanner
from explorer.panels.what_if_banner import WhatIfBanner
from explorer.panels.what_if_list import WhatIfs
from explorer.stages.chart_stage import ChartStage
from explorer.stages.estimates_stage import EstimatesStage
from explorer.stages.gaps_stage import GapsStage
from explorer.stages.parse_stage import ParseStage
from explorer.stages.reduced_stage import ReducedStage
from explorer.stages.sentence_focus import SentenceFocus
from explorer.stages.sentence_stage import SentenceStage
from explorer.stages.stage import Stage, TableStage
from explorer.stages.stage_canvas import StageCanvas
from explorer.tasks.worker import Worker
from explorer.widgets.context_menu import Choice
from explorer.widgets.folding_tabs import FoldingTabs

WORDS_DRAWN_AT_ONCE = 16
"""Sentences up to so many words are drawn on the GUI thread, longer ones in a worker, so that the window goes on."""
TABLE_AFTER_MS = 12
TABLES_HEIGHT = 190
"""Height of the tables under the picture, until a person makes them higher or lower."""
TABLE, _ALTERNATIVES, WHAT_IFS, TWIN = range(4)


class StageView(QWidget):
    """Shows the current stage.

    Parameters
    ----------
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.
    """

    def __init__(self, editor: DocumentEditor, view: ViewState, parses: ParseService, messages: Messages) -> None:
        super().__init__()
        self.setObjectName("stages")
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._painter = Worker("draw", newest_only=True, parent=self)
        self.sentence_stage = SentenceStage(editor, view, parses, messages, self)
        self.gaps_stage = GapsStage(editor, view, parses, messages, self)
        self.reduced_stage = ReducedStage(editor, view, parses, messages, self)
        self.estimates_stage = EstimatesStage(editor, view, parses, messages, self)
        self.chart_stage = ChartStage(editor, view, parses, messages, self)
        self.parse_stage = ParseStage(editor, view, parses, messages, self)
        self.stages: tuple[Stage, ...] = (
            self.sentence_stage,
            self.gaps_stage,
            self.reduced_stage,
            self.estimates_stage,
            self.chart_stage,
            self.parse_stage,
        )
        self.canvas = StageCanvas(view, self.open_menu)
        self.canvas.glosses_of = self._glosses
        self.metrics = SharedMetrics(self.canvas.metrics.family)
        self.banner = ProblemBanner(editor, parses)
        self.what_if_banner = WhatIfBanner(editor, parses, view)
        self.alternatives = Alternatives(parses, view)
        self.what_ifs = WhatIfs(editor, parses, view)
        self.twin = QPlainTextEdit(readOnly=True)
        self.twin.setFrameShape(QFrame.Shape.NoFrame)
        self.twin.setAccessibleName("The picture as text")
        self.twin.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details = QStackedWidget()
        for stage in self.stages:
            self.details.addWidget(stage.detail)
            stage.picture_changed.connect(self.refresh)
            stage.highlights_changed.connect(self._mark)
            if isinstance(stage, TableStage):
                stage.table.menu_wanted.connect(self.open_menu)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.tabs = FoldingTabs(self.splitter, TABLES_HEIGHT)
        self.tabs.setAccessibleName("Tables under the picture")
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
        above.addWidget(self.what_if_banner)
        above.addWidget(self.canvas, 1)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([500, TABLES_HEIGHT])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.splitter, 1)

        # What else a context menu offers, whatever the stage.
        self.more_choices: list[Callable[[Id], list[Choice]]] = []
        self._columns: tuple[object, WordColumns] | None = None
        # What a click has just opened: if it was the first of a double click, the second does not fold it again.
        self._opened: Id | None = None
        self._focus = SentenceFocus(self.stages)
        self._drawn: tuple[object, ...] = ()
        self._filled: tuple[object, ...] = ()
        self._stage = -1
        self._headline = ""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        # The picture is painted before its table is filled, so that no moment is longer than it must be.
        self._after = QTimer(self, singleShot=True, interval=TABLE_AFTER_MS)
        self._after.timeout.connect(self._fill)
        self.canvas.selected.connect(self._clicked)
        self.canvas.overview_clicked.connect(self._clicked)
        self.canvas.room_changed.connect(self._later.start)
        self.canvas.hovered.connect(self._view.point_at)
        self.canvas.activated.connect(self._activated)
        self.canvas.dragged.connect(lambda what, target: self.stage.drop(what, target))
        self.tabs.currentChanged.connect(lambda _: self._fill())
        for signal in (
            self._parses.result_changed,
            self._view.stage_changed,
            self._view.chart_step_changed,
            self._view.rank_changed,
            self._view.earlier_changed,
            self._parses.problem_changed,
            self._parses.model_changed,
            self._editor.document_changed,
        ):
            signal.connect(self._later.start)
        self._view.selection_changed.connect(self._selection_changed)
        self._view.chart_step_changed.connect(self._step_changed)
        self._view.hover_changed.connect(self._mark)
        self._parses.problem_changed.connect(self._problem_changed)
        self.refresh()

    @property
    def stage(self) -> Stage:
        """The stage that is shown."""
        return self.stages[self._view.stage]

    def reset_layout(self) -> None:
        """Give picture and tables the room that they had at first, and fit the picture."""
        self.tabs.set_folded(False)
        self.splitter.setSizes([self.splitter.height() - TABLES_HEIGHT, TABLES_HEIGHT])
        self.canvas.fit()

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
        result, parse = self._parses.result, self._parses.shown
        if result is None or parse is None:
            return message_picture(*self._state(), self.metrics)
        if not parse.sentence.positions:
            return message_picture("No words", "There is only punctuation; the model is about words.", self.metrics)
        if stage == CHART and result.parse.chart is None:
            if result.full:
                reason = "The chart has too many edges to keep every one of them; a smaller β makes fewer."
                return message_picture("No chart", reason, self.metrics)
            reason = "Every edge of the chart is being recorded."
            return message_picture("Tracing …", reason, self.metrics)
        drawn = self.stages[stage].draw(parse, self.metrics, self.columns(parse), self.canvas.room)
        return with_glossary(drawn, parse)

    def _state(self) -> tuple[str, str]:
        """Title and text of the message while there is no parse."""
        if self._parses.model is None:
            if self._parses.problem:
                return "Nothing to parse with yet", as_sentence(self._parses.problem)
            if self._parses.models.loading:
                return "Opening the model …", "The first sentence follows in a moment."
            return "No model", "Open one with Ctrl+M, or drop its file here."
        if self._parses.problem:
            return "No parse", as_sentence(self._parses.problem)
        if self._parses.busy:
            return "Parsing …", ""
        return "No sentence", "Type one above, paste many, or drop a file here."

    def refresh(self) -> None:
        """Draw the stage anew if anything that it shows has changed."""
        result, parse = self._parses.result, self._parses.shown
        self._focus.follow(parse, self._view.selection, self._stage not in (-1, self._view.stage))
        waiting = self._view.stage == CHART and result is not None and result.parse.chart is None
        if waiting and self._parses.busy and self._stage == CHART:
            # The old chart stays until the new one is traced, a moment later.
            return
        state = self._state() if result is None else ()
        what_ifs = self._editor.line.what_ifs if self._parses.is_current else ()
        matrix = modifier_of(self._view.selection) if self._view.stage == ESTIMATES else None
        options = self.parse_stage.options
        stage = self._view.stage
        chart = waiting or (stage == CHART and result and id(result.parse.chart))
        step = self._view.chart_step if stage == CHART else None
        room, focus = self.canvas.room.width, self.stage.focus
        key = (stage, _same(parse), chart, step, state, what_ifs, matrix, options, room, focus, self._view.earlier)
        if key != self._drawn:
            self._drawn = key
            if parse is None or len(parse.sentence.positions) <= WORDS_DRAWN_AT_ONCE:
                self._painter.cancel()
                self._show(key, stage, self.drawing(stage))
            else:
                self._painter.request(
                    lambda job: self.drawing(stage),
                    lambda drawing: self._show(key, stage, drawing),
                    lambda error: self._messages.show(f"the picture could not be drawn ({error})", True),
                )
        self._mark()
        self._after.start()

    def redraw(self) -> None:
        """Draw and write everything anew, also what is the same: numbers are written in another way now."""
        self._drawn = self._filled = ()
        self._later.start()

    def _show(self, key: tuple[object, ...], stage: int, drawing: Drawing) -> None:
        if key != self._drawn:
            return
        animate = self._stage not in (-1, stage)
        self._stage = stage
        self.canvas.show(drawing, animate=animate)
        self.canvas.select(self._view.selection)
        self._mark()
        if self.tabs.currentIndex() == TWIN:
            self._fill()

    def _glosses(self, id: Id) -> list[Gloss]:
        """What the signs at a thing of the picture mean."""
        parse = self._parses.shown
        return glosses_of(parse, id) if parse is not None else []

    @property
    def settled(self) -> bool:
        """Whether picture and table are those of the document as it is now."""
        return not self._later.isActive() and not self._after.isActive() and not self._painter.busy

    def _fill(self) -> None:
        """Fill the table that is in sight."""
        self.details.setCurrentIndex(self._view.stage)
        self.tabs.setTabText(TABLE, self.stage.table_title)
        count = len(self._editor.line.what_ifs)
        self.tabs.setTabText(WHAT_IFS, f"What-ifs ({count})" if count else "What-ifs")
        if self.tabs.currentIndex() == TWIN and self.canvas.drawing is not None:
            # The answer first, then the picture.
            text = f"{self._headline}\n\n{self.canvas.text_twin}".strip()
            if self.twin.toPlainText() != text:
                self.twin.setPlainText(text)
        elif self.tabs.currentIndex() == TABLE:
            key = self._table_key
            if key != self._filled:
                self._filled = key
                self.stage.refresh()
            else:
                self.stage.follow()

    @property
    def _table_key(self) -> tuple[object, ...]:
        """What makes two tables the same, but for what is marked in them."""
        result = self._parses.result
        return (self._view.stage, self._parses.shown, result and result.parse.chart, self._view.earlier)

    def _step_changed(self) -> None:
        """Mark in the table how far the replay is, at once as the inspector does: the next step may come soon."""
        if self.tabs.currentIndex() == TABLE and self._filled == self._table_key:
            self.stage.follow()

    def set_headline(self, text: str) -> None:
        """Begin the picture as text with what is said first about the selection."""
        self._headline = text
        if self.tabs.currentIndex() == TWIN:
            self._fill()

    def _look_at(self, id: Id | None) -> bool:
        """Open a folded sentence around a thing that is not in sight, or is itself folded; whether that was so."""
        found = self._focus.look_at(self._parses.shown, self.canvas.drawing, id)
        if found:
            self._later.start()
        return found

    def _clicked(self, id: Id | None) -> None:
        opened = id is not None and self.stage.open_folded(id)
        opened = self._look_at(id) or opened
        self._opened = id if opened else None
        self._view.select(id)

    def _activated(self, id: Id) -> None:
        if id != self._opened:
            self.stage.activate(id)

    def _selection_changed(self) -> None:
        self._look_at(self._view.selection)
        self.canvas.select(self._view.selection)
        self._mark()
        if self._view.stage == ESTIMATES:
            self._later.start()
        elif self.tabs.currentIndex() == TABLE:
            self.stage.follow()

    def _mark(self) -> None:
        lit: dict[str, set[Id]] = {"match": set(), "extra": set()}
        for id in (self._view.focus, self._view.hover):
            if id is not None:
                for role, ids in self.stage.highlights(id).items():
                    lit[role] = lit.get(role, set()) | ids
        for role, ids in lit.items():
            self.canvas.highlight(ids, role)

    def _problem_changed(self) -> None:
        self.banner.show_message(self._parses.problem if self._parses.result is not None else "")

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
