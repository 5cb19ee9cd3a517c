"""The session: the document, the view state and the parse service of one window, wired together once.

Only the controllers of whole rooms take a session: panels and stages get the parts that they use.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.document.document import Document, TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.file_loading import FileLoader
from explorer.document.list_parsing import ListParsing
from explorer.document.messages import Messages
from explorer.document.open_models import OpenModels
from explorer.document.parse_service import ParseService
from explorer.document.sentence_status import SentenceStatuses
from explorer.document.session_file import SessionFile
from explorer.document.session_reading import is_file
from explorer.document.stage_navigation import PARSE
from explorer.document.stage_navigator import StageNavigator
from explorer.document.view_state import ViewState
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Worker

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
        Steps through the stages.
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
        self.navigator = StageNavigator(self.view, self.parses)
        self.file = SessionFile(self.editor, self.view, self.messages, self)
        self.loader = FileLoader(loading, models, self.editor, self.messages, self.restore, self.lesson_wanted.emit)
        self.list_parsing = ListParsing(self.editor, self.parses, self.statuses, self.messages, self.tasks, self)
        self._shown_line: TextLine | None = None
        # Before anything that is shown listens: it finds view and parses as the document wants them.
        self.editor.text_changed.connect(self.view.leave_sentence)
        self.editor.document_changed.connect(lambda: self.parses.follow(self.editor.document))
        self.parses.result_changed.connect(self._result_changed)

    def restore(self, document: Document, stage: int = PARSE, path: Path | None = None, saved: bool = True) -> None:
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
