"""The picture of the stage: what draws it, in the GUI thread or beside it, and marks in it what is selected.

The window shows it over tables (:mod:`explorer.panels.stage_view`), the presenter shows it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from engine.chart.parse import Parse
from engine.explain.glosses import Gloss, glossary
from engine.explain.registry import glosses_of
from engine.explain.subjects import EdgeId, Subject
from explorer.canvas.canvas import Canvas
from explorer.kit.fonts import SharedMetrics
from explorer.kit.messages import Messages, as_sentence
from explorer.kit.tasks import Worker
from explorer.pictures.drawing import Drawing
from explorer.pictures.facts import facts_of
from explorer.pictures.layout import WordColumns
from explorer.pictures.ruler import columns_of
from explorer.pictures.sheet import message_picture
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.view_state import ViewState
from explorer.stages.stage import SentenceFocus, Stage
from explorer.stages.stages import STAGES, stage_named

_GLOSSARY = "What the signs mean"
LEFT_AFTER_MS = 250
"""How long the picture of the sentence before may stand while another one is parsed."""
WORDS_DRAWN_AT_ONCE = 16
"""Sentences up to so many words are drawn on the GUI thread, longer ones in a worker, so that the window goes on."""


AnyStage = TypeVar("AnyStage", bound=Stage)


class StagePicture(QObject):
    """Draws the current stage on a canvas.

    Parameters
    ----------
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.
    canvas
        Where it is drawn.

    Attributes
    ----------
    stages
        The stages by their names, in the order of a sentence's walk.

    Signals
    -------
    refreshed
        The picture was looked through, and drawn anew if anything that it shows has changed.
    shown
        Another drawing is on the canvas.
    """

    refreshed = Signal()
    shown = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
        canvas: Canvas,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._painter = Worker("draw", newest_only=True, parent=self)
        self.stages: Mapping[str, Stage] = {kind.name: kind(editor, view, parses, messages, self) for kind in STAGES}
        for stage in self.stages.values():
            stage.picture_changed.connect(self.refresh)
            stage.highlights_changed.connect(self._mark)
        self.canvas = canvas
        self.canvas.glosses_of = self._glosses
        self.metrics = SharedMetrics(self.canvas.metrics.family)
        self._columns: tuple[object, WordColumns] | None = None
        self._focus = SentenceFocus(tuple(self.stages.values()))
        self._drawn: tuple[object, ...] = ()
        self._stage = ""
        self._sentence: tuple[str, ...] = ()
        self._paused = False
        # What is drawn, without a row that is marked in it.
        self._picture: Drawing | None = None
        self._cover: Callable[[Drawing], Drawing] | None = None
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self.canvas.room_changed.connect(self._later.start)
        for signal in (
            self._parses.result_changed,
            self._view.stage_changed,
            self._view.chart_step_changed,
            self._view.replay_changed,
            self._view.rank_changed,
            self._view.earlier_changed,
            self._view.found_changed,
            self._parses.problem_changed,
            self._parses.model_changed,
            self._editor.document_changed,
        ):
            signal.connect(self._later.start)
        # A sentence that takes long is not shown the tree of the one before.
        self._leaving = QTimer(self, singleShot=True, interval=LEFT_AFTER_MS)
        self._leaving.timeout.connect(self._leave_sentence)
        self._editor.text_changed.connect(self._leaving.start)
        self._view.selection_changed.connect(self._selection_changed)
        self._view.hover_changed.connect(self._mark)

    def _leave_sentence(self) -> None:
        """Say that the sentence is still being parsed; under other settings it keeps its picture meanwhile."""
        result = self._parses.result
        shown = result is None or result.request.line.text == self._editor.line.text
        if shown or self._paused or not self._parses.busy:
            return
        self._drawn = ()
        self._picture = message_picture("Parsing …", "", self.metrics)
        self.canvas.show(self._picture)
        self.shown.emit()

    @property
    def stage(self) -> Stage:
        """The stage that is shown."""
        return self.stages[stage_named(self._view.stage).name]

    def of(self, kind: type[AnyStage]) -> AnyStage:
        """One of the stages, by its class."""
        found = self.stages[kind.name]
        assert isinstance(found, kind)
        return found

    def columns(self, parse: Parse) -> WordColumns:
        """Return the ruler of a parse, made once for all parses that differ only in their numbers."""
        facts = facts_of(parse)
        key = (facts.tokens, facts.tags, facts.tree.brackets(), facts.basenps, facts.attachments)
        known = self._columns
        if known is None or known[0] != key:
            known = self._columns = (key, columns_of(parse, self.metrics))
        return known[1]

    def drawing(self, stage: Stage) -> Drawing:
        """Return the picture of a stage, or a message where there is none."""
        result, parse = self._parses.result, self._parses.shown
        if result is None or parse is None:
            return message_picture(*self._state(), self.metrics)
        if not parse.sentence.positions:
            return message_picture("No words", "There is only punctuation; the model is about words.", self.metrics)
        if stage.replays and result.parse.chart is None:
            if result.full:
                reason = "The chart has too many edges to keep every one of them; a smaller β makes fewer."
                return message_picture("No chart", reason, self.metrics)
            reason = "Every edge of the chart is being recorded."
            return message_picture("Recording the chart …", reason, self.metrics)
        drawn = stage.draw(parse, self.metrics, self.columns(parse), self.canvas.room)
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

    def pause(self, paused: bool) -> None:
        """Keep what is shown until something else is there as a whole."""
        self._paused = paused
        if not paused:
            self._later.start()

    def cover(self, cover: Callable[[Drawing], Drawing] | None) -> None:
        """Take something out of every picture, such as an answer; nothing is marked in it then, for a mark tells."""
        self._cover = cover
        self.redraw()

    def refresh(self) -> None:
        """Draw the stage anew if anything that it shows has changed."""
        if self._paused:
            return
        result, parse, stage = self._parses.result, self._parses.shown, self.stage
        self._focus.follow(parse, self._view.selection, self._stage not in ("", stage.name))
        waiting = stage.replays and result is not None and result.parse.chart is None
        if waiting and self._parses.busy and self._stage == stage.name:
            # The old chart stays until the new one is traced, a moment later.
            return
        state = self._state() if result is None else ()
        what_ifs = self._editor.line.what_ifs if self._parses.is_current else ()
        if stage.replays and self._view.selection is None and isinstance(self._view.focus, EdgeId):
            # The replay is looked at where it is.
            self._focus.look_at(parse, self.canvas.drawing, self._view.focus)
        room = self.canvas.room if stage.uses_height else self.canvas.room.width
        key = (stage.name, _same(parse), state, what_ifs, stage.shows, room, stage.focus, self._view.earlier)
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
        self.refreshed.emit()

    def redraw(self) -> None:
        """Draw everything anew, also what is the same: numbers are written in another way now."""
        self._drawn = ()
        self._later.start()

    def _show(self, key: tuple[object, ...], stage: Stage, drawing: Drawing) -> None:
        if key != self._drawn:
            return
        animate = self._stage not in ("", stage.name)
        sentence = tuple(self._parses.shown.sentence.words) if self._parses.shown is not None else ()
        stay = (self._stage, self._sentence) == (stage.name, sentence)
        self._stage, self._sentence = stage.name, sentence
        self._picture = self._cover(drawing) if self._cover is not None else drawing
        self.canvas.show(self._picture.with_row(self._row), animate=animate, stay=stay)
        self._select()
        self._mark()
        self.shown.emit()

    def _glosses(self, id: Subject) -> list[Gloss]:
        """Return what the signs at a thing of the picture mean; nothing while an answer is covered,
        for a gloss tells, too.
        """
        parse = self._parses.shown
        return glosses_of(parse, id) if parse is not None and self._cover is None else []

    @property
    def settled(self) -> bool:
        """Whether the picture is that of the document as it is now."""
        return not self._later.isActive() and not self._painter.busy

    def look_at(self, id: Subject | None) -> bool:
        """Open a folded sentence around a thing that is not in sight, or is itself folded; whether that was so."""
        found = self._focus.look_at(self._parses.shown, self.canvas.drawing, id)
        if found:
            self._later.start()
        return found

    def _selection_changed(self) -> None:
        self.look_at(self._view.selection)
        if self._picture is not None:
            self.canvas.show(self._picture.with_row(self._row), stay=True)
        self._select()
        self._mark()
        if self.stage.follows_selection:
            self._later.start()

    @property
    def _row(self) -> Subject | None:
        """What the row is about that is marked."""
        return self.stage.row_of(self._view.selection) if self._cover is None else None

    def _select(self) -> None:
        self.canvas.select(self._view.selection if self._cover is None else None)

    def _mark(self) -> None:
        lit: dict[str, set[Subject]] = {"match": set(), "extra": set()}
        for id in (self._view.focus, self._view.hover) if self._cover is None else ():
            if id is not None:
                for role, ids in self.stage.highlights(id).items():
                    lit[role] = lit.get(role, set()) | ids
        for role, ids in lit.items():
            self.canvas.highlight(ids, role)


def _same(parse: Parse | None) -> object:
    """Return what makes two parses draw the same picture."""
    if parse is None:
        return None
    return (parse.tree.brackets(), parse.log_probability, parse.gap_tags, parse.settings, id(parse.model))


def with_glossary(drawing: Drawing, parse: Parse) -> Drawing:
    """Return the same picture; its text twin ends with what the signs in it mean."""

    def twin() -> str:
        lines = [f"  {gloss}" for gloss in glossary(parse)]
        return "\n".join([drawing.text_twin, "", _GLOSSARY, *lines])

    return replace(drawing, twin=twin)
