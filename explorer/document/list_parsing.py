"""Parsing every sentence of the list in the background, to see what becomes of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.evaluation.provenance import Provenance
from engine.evaluation.tag_sources import GOLD
from engine.model.model import Model
from engine.text.input_recognition import is_tree
from engine.trees.tree_reading import read_tree
from explorer.document.document import Document, TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.sentence_parsing import ParseRequest, ParserPool, best_parse
from explorer.document.sentence_status import FAILED, SentenceStatus, SentenceStatuses, status_of, status_of_judgement
from explorer.graphics.number_text import size
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
        self._start(self._editor.document.lines)

    def outdated(self) -> list[TextLine]:
        """The sentences whose marks were found under another model, other settings or other tags."""
        return outdated_lines(self._editor.document.lines, self._statuses.by_line, self._parses.provenance)

    def judge_again(self, lines: Sequence[TextLine]) -> None:
        """Find anew what became of some sentences; those that had a verdict get another one."""
        known = self._statuses.by_line
        self._start(lines, frozenset(line for line in lines if line in known and known[line].verdict))

    def _start(self, lines: Sequence[TextLine], judged: frozenset[TextLine] = frozenset()) -> None:
        model, document = self._parses.model, self._editor.document
        if model is None or not lines:
            return

        def on_result(counts: dict[str, int]) -> None:
            found = ", ".join(f"{count:,} {mark}" for mark, count in counts.items())
            which = "All sentences" if len(lines) == len(document.lines) else size(len(lines), "sentence")
            self._messages.show(f"{which} parsed: {found}")

        self._worker.request(
            lambda job: parse_lines(job, model, document, lines, judged),
            on_result,
            self._messages.show_error,
            on_progress=self._statuses.add,
        )


def outdated_lines(
    lines: Sequence[TextLine], statuses: Mapping[TextLine, SentenceStatus], now: Provenance | None
) -> list[TextLine]:
    """Of some sentences those whose status is no longer what one would find `now`."""
    # Thousands were judged under the same: whether that is out of date is asked once.
    known: dict[tuple[int, bool], bool] = {}
    found = []
    for line in lines:
        status = statuses.get(line)
        if status is not None:
            key = id(status.provenance), is_tree(line.text)
            if key not in known:
                known[key] = status.is_up_to_date(line, now)
            if not known[key]:
                found.append(line)
    return found


def parse_lines(
    job: Job, model: Model, document: Document, lines: Sequence[TextLine], judged: frozenset[TextLine] = frozenset()
) -> dict[str, int]:
    """Parse sentences; statuses are delivered some at a time, the result is how many have which mark.

    Those that are to be `judged` get a verdict, too.
    """
    parsers = ParserPool()
    counts: dict[str, int] = {}
    found: dict[TextLine, SentenceStatus] = {}
    for number, line in enumerate(lines):
        job.report(number / len(lines), f"Parsing {number + 1:,} of {len(lines):,}")
        request = ParseRequest.of(document, model, line)
        find = find_judged_status if line in judged else find_status
        found[line] = status = find(request, parsers, job.control)
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
        return SentenceStatus(FAILED, request.provenance())
    return status_of(parse, reading.gold, request.provenance(reading))


def find_judged_status(request: ParseRequest, parsers: ParserPool, control: Control) -> SentenceStatus:
    """Judge a sentence against its gold tree: what becomes of it, why, and which errors it has."""
    # Loaded when it is needed: a start does not wait for it.
    from engine.analysis.comparison.treebank_report import judge

    provenance = request.provenance()
    parser = parsers.parser(request.model, request.settings)
    try:
        found = judge(
            parser,
            read_tree(request.line.text),
            gold_tags=provenance.tags == GOLD,
            repair=False,
            control=control,
        )
    except Cancelled:
        raise
    except EngineError:
        return SentenceStatus(FAILED, provenance)
    return status_of_judgement(found, provenance) if found is not None else SentenceStatus(FAILED, provenance)
