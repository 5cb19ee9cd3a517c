"""Going from one sentence that differs from its gold tree to the next; what was not parsed yet is parsed on the way."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.text.input_recognition import is_tree
from explorer.document.document import TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.list_parsing import find_status
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.sentence_parsing import ParseRequest, ParserPool
from explorer.document.sentence_status import DIFFERS, FAILED, FRAGMENTS, SentenceStatus, SentenceStatuses
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker
from explorer.treebank.line_list_model import LineListModel

_DELIVERED_TOGETHER = 20
_CANCELLED = "Looking for a difference was cancelled."
_DIFFERENT = (DIFFERS, FRAGMENTS, FAILED)


class DifferenceNavigation(QObject):
    """Finds the next or previous difference in the order in which the list shows its sentences."""

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        messages: Messages,
        tasks: TaskMonitor,
        model: LineListModel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._messages = messages
        self._model = model
        self._worker = tasks.watch(Worker("find difference", newest_only=True, parent=self), _CANCELLED)
        self._parsers = ParserPool()

    def go(self, forward: bool) -> Job | None:
        """Show the next (or previous) sentence whose parse differs from its gold tree."""
        shown = self._model.shown
        document, model = self._editor.document, self._parses.model
        if model is None or not document.lines:
            return None
        at = self._model.place(document.current)
        rows = range(at + 1, len(shown)) if forward else range((at if at >= 0 else len(shown)) - 1, -1, -1)
        order = [shown[row] for row in rows]
        known, now = self._statuses.by_line, document.provenance(model)

        def work(job: Job) -> int | None:
            found: dict[TextLine, SentenceStatus] = {}
            try:
                for count, number in enumerate(order):
                    line = document.lines[number]
                    if not is_tree(line.text):
                        continue
                    status = known.get(line)
                    if status is None or not status.is_up_to_date(line, now):
                        job.report(count / len(order), f"Looking for a difference: sentence {number + 1:,}")
                        request = ParseRequest.of(document, model, line)
                        found[line] = status = find_status(request, self._parsers, job.control)
                        if len(found) >= _DELIVERED_TOGETHER:
                            job.deliver(dict(found))
                            found.clear()
                    if status.mark in _DIFFERENT:
                        return number
                return None
            finally:
                job.deliver(found)

        def on_result(number: int | None) -> None:
            if number is None:
                where = "after" if forward else "before"
                here = known.get(self._editor.line)
                also = "; this one does" if here is not None and here.mark in _DIFFERENT else ""
                self._messages.show(f"No sentence {where} this one differs from its gold tree{also}")
            else:
                self._editor.choose(number)

        return self._worker.request(work, on_result, self._messages.show_error, on_progress=self._statuses.add)
