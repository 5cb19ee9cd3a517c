"""Parsing every sentence of the list in the background, to see what becomes of each."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.model.model import Model
from explorer.document.document import Document, TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.sentence_parsing import ParseRequest, ParserPool, best_parse
from explorer.document.sentence_status import FAILED, SentenceStatus, SentenceStatuses, status_of
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker

_DELIVERED_TOGETHER = 20
_CANCELLED = "Parsing the list was cancelled; what was found until then is marked."


class ListParsing(QObject):
    """Parses the whole list and marks each sentence."""

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        messages: Messages,
        tasks: TaskMonitor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._messages = messages
        self._worker = tasks.watch(Worker("parse list", newest_only=True, parent=self), _CANCELLED)

    def start(self) -> None:
        """Parse every sentence of the list, under the settings as they are now."""
        model, document = self._parses.model, self._editor.document
        if model is None or not document.lines:
            return

        def on_result(counts: dict[str, int]) -> None:
            found = ", ".join(f"{count:,} {mark}" for mark, count in counts.items())
            self._messages.show(f"All sentences parsed: {found}")

        self._worker.request(
            lambda job: parse_lines(job, model, document),
            on_result,
            self._messages.show_error,
            on_progress=self._statuses.add,
        )


def parse_lines(job: Job, model: Model, document: Document) -> dict[str, int]:
    """Parse every sentence; statuses are delivered some at a time, the result is how many have which mark."""
    parsers = ParserPool()
    counts: dict[str, int] = {}
    found: dict[TextLine, SentenceStatus] = {}
    lines = document.lines
    for number, line in enumerate(lines):
        job.report(number / len(lines), f"Parsing {number + 1:,} of {len(lines):,}")
        request = ParseRequest(model, document.settings, line, gold_tags=document.gold_tags)
        found[line] = status = find_status(request, parsers, job.control)
        counts[status.mark] = counts.get(status.mark, 0) + 1
        if len(found) >= _DELIVERED_TOGETHER:
            job.deliver(found)
            found = {}
    job.deliver(found)
    return counts


def find_status(request: ParseRequest, parsers: ParserPool, control: Control) -> SentenceStatus:
    """Parse a sentence only to see what becomes of it."""
    try:
        reading, parse = best_parse(request, parsers, control)
    except Cancelled:
        raise
    except EngineError:
        return SentenceStatus(FAILED, request.settings)
    return status_of(parse, reading.gold)
