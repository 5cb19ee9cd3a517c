"""The session: the document, the view state and the parse service of one window, wired together once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.kit.messages import Messages
from explorer.kit.tasks import TaskMonitor, Worker
from explorer.session.document import Document, TextLine
from explorer.session.editor import DocumentEditor
from explorer.session.files import FileLoader, SessionFile, is_file
from explorer.session.parse_service import ListParsing, OpenModels, ParseService
from explorer.session.replay import FASTEST, ChartReplay, replay_of
from explorer.session.statuses import SentenceStatuses
from explorer.session.view_state import CHART, PARSE, ViewState

# The replay of the chart of the parse that is shown: what is chosen about it, and its ends.


class ReplayNavigator:
    """Leads a view state through the replay of the parse that is shown."""

    def __init__(self, view: ViewState, parses: ParseService) -> None:
        self._view = view
        self._parses = parses

    @property
    def replay(self) -> ChartReplay | None:
        """The replay of the chart that was chosen; ``None`` while there is no chart."""
        parse = self._parses.shown
        return replay_of(parse, self._view.replay) if parse is not None else None

    def choose_edges(self, edges: str) -> None:
        """Replay every edge of the chart, those that were kept, or those of the parse that is shown."""
        self._view.set_replay(replace(self._view.replay, edges=edges))
        self._to_stop()

    def choose_by_cell(self, by_cell: bool) -> None:
        """Replay the chart cell by cell, or edge by edge."""
        self._view.set_replay(replace(self._view.replay, by_cell=by_cell))
        self._to_stop()

    def choose_speed(self, speed: int) -> None:
        """Replay faster or slower; beyond the ends of the scale nothing changes."""
        self._view.set_replay(replace(self._view.replay, speed=max(0, min(speed, FASTEST))))

    def to_first(self) -> None:
        """Go to the first edge of the replay."""
        replay = self.replay
        if replay is not None and replay.stops:
            self._view.select(None)
            self._view.go_to(CHART, replay.stops[0])

    def to_last(self) -> None:
        """Go to the last edge of the replay."""
        replay = self.replay
        if replay is not None and replay.stops:
            self._view.select(None)
            self._view.go_to(CHART, replay.stops[-1])

    def _to_stop(self) -> None:
        """Stay within the replay: where it does not stop, go back to where it does."""
        replay, step = self.replay, self._view.chart_step
        if replay is not None and step is not None:
            self._view.set_chart_step(replay.at_or_before(step))


# The session: the document, the view state and the parse service of one window, wired together once.
#
# Panels and stages that use one or two parts of a session get these, and not the whole.

_LOADING_CANCELLED = "Loading was cancelled; nothing was changed."


class Session(QObject):
    """Makes the parts of a session, and has each follow the others.

    Attributes
    ----------
    editor
        The document and its changes.
    view
        The view state: the stage, the selection, and which of the n best parses is shown.
    parses
        The model, and what it makes of the sentence that is shown.
    statuses
        What became of the sentences of the list.
    navigator
        What is chosen about the replay of the chart.
    file, loader
        Where the session is saved, and what loads models, sessions, sentences and trees.
    list_parsing
        Parses the whole list.
    messages, tasks
        Where messages are shown, and the tasks that can be waited for.

    Signals
    -------
    lesson_wanted
        A lesson is to be opened, by its path.
    """

    lesson_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages = Messages(self)
        self.tasks = TaskMonitor(self)
        self.tasks.cancelled.connect(self.messages.show)
        self.view = ViewState(self)
        self.statuses = SentenceStatuses(self)
        loading = Worker("load", parent=self)
        models = OpenModels(loading, self.messages)
        self.parses = ParseService(models, self.statuses, self.tasks, self.view, self)
        self.tasks.watch(loading, _LOADING_CANCELLED, models.cancel_loading)
        self.editor = DocumentEditor(self.messages, self.parses.describe, self)
        self.navigator = ReplayNavigator(self.view, self.parses)
        self.file = SessionFile(self.editor, self.view, self.messages, self)
        self.loader = FileLoader(loading, models, self.editor, self.messages, self.restore, self.lesson_wanted.emit)
        self.list_parsing = ListParsing(self.editor, self.parses, self.statuses, self.messages, self.tasks, self)
        self._shown_line: TextLine | None = None
        # Before anything that is shown listens: it finds view and parses as the document wants them.
        self.editor.text_changed.connect(self.view.leave_sentence)
        self.editor.document_changed.connect(lambda: self.parses.follow(self.editor.document))
        self.parses.result_changed.connect(self._result_changed)

    def restore(self, document: Document, stage: str = PARSE, path: Path | None = None, saved: bool = True) -> None:
        """Start with this document, of this file if it is that of one; there is nothing to undo.

        If not all of it is `saved` in the file it counts as changed.
        """
        self.file.leave()
        self.editor.undo_stack.clear()
        self.statuses.clear()
        if self.parses.model is not None and not is_file(Path(document.model)):
            document = replace(document, model=self.editor.document.model)
        self.editor.set_document(document)
        self.view.set_stage(stage)
        if path is not None:
            self.file.set_path(path)
            if not saved:
                self.editor.undo_stack.resetClean()

    def close(self) -> None:
        """End the threads; a stack of commands that is being destroyed has nothing more to say."""
        self.editor.undo_stack.blockSignals(True)
        for worker in self.findChildren(Worker):
            worker.close()

    def _result_changed(self) -> None:
        """Show the best parse of another sentence; an alternative that was chosen stays so where it comes again."""
        result = self.parses.result
        line = result.request.line if result is not None else None
        if line != self._shown_line or result is None or result.parse.chart is None:
            self.view.show_best()
        self._shown_line = line
