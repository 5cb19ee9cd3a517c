"""The parse service: asks the engine about the sentence that is shown, off the GUI thread, and keeps the result."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.common.errors import ConstraintError
from engine.evaluation.provenance import Provenance
from engine.model.model import Model
from engine.structure.constraints import Constraint, check_constraints, describe_constraint
from engine.trees.tree import Tree
from explorer.document.document import Document
from explorer.document.messages import error_text
from explorer.document.open_models import OpenModels
from explorer.document.sentence_parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from explorer.document.sentence_status import FAILED, SentenceStatus, SentenceStatuses, status_of
from explorer.document.stage_navigation import CHART
from explorer.document.view_state import ViewState
from explorer.graphics.number_text import curly_quotes
from explorer.tasks.task_monitor import TaskMonitor
from explorer.tasks.worker import Job, Worker

PICTURE_SECONDS = 0.06
"""How long a part of a result has the machine for itself, to be drawn, before the rest is found."""
_CANCELLED = "Parsing was cancelled; what is shown is the parse before."


class ParseService(QObject):
    """The model in use, and what it makes of the sentence that is shown.

    Parameters
    ----------
    models
        The models that are open.
    statuses
        Where it is noted what became of a sentence.
    tasks
        Where parsing can be watched and cancelled.
    view
        Which of the n best is shown, and whether the chart is, which is then wanted before the rest of a result.

    Signals
    -------
    model_changed, result_changed, problem_changed
        Something of that name is another one now.
    ledgers_changed
        The ledgers of all the n best of the result are at hand.
    busy_changed
        Parsing began or ended.
    """

    model_changed = Signal()
    result_changed = Signal()
    ledgers_changed = Signal()
    problem_changed = Signal()
    busy_changed = Signal(bool)

    def __init__(
        self,
        models: OpenModels,
        statuses: SentenceStatuses,
        tasks: TaskMonitor,
        view: ViewState,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.models = models
        self._statuses = statuses
        self._view = view
        self._document = Document()
        self._result: ParseResult | None = None
        self._problem = ""
        self._asked: ParseRequest | None = None
        self._parsers = ParserPool()
        self._worker = Worker("parse", newest_only=True, parent=self)
        self._worker.busy_changed.connect(self.busy_changed)
        tasks.watch(self._worker, _CANCELLED, self.cancel)

    @property
    def model(self) -> Model | None:
        """The model in use."""
        return self.models.current

    @property
    def result(self) -> ParseResult | None:
        """The newest result; while another sentence is being parsed, that of the one before."""
        return self._result

    @property
    def problem(self) -> str:
        """Why the sentence has no parse, in one sentence; empty if it has one."""
        return self._problem

    @property
    def busy(self) -> bool:
        """Whether a result is still to come."""
        return self._worker.busy

    @property
    def is_current(self) -> bool:
        """Whether the result is that of the document as it is now, and of its model."""
        waits = self._document.model and self.models.wanted == self._document.model
        return not waits and self._result is not None and self._result.request == self._request()

    @property
    def is_complete(self) -> bool:
        """Whether the result is that of the document as it is now, and all there is to come."""
        return self._result is not None and self._result.full and self.is_current

    @property
    def gold(self) -> Tree | None:
        """The tree that was typed or opened with the sentence."""
        return self._result.reading.gold if self._result is not None else None

    @property
    def shown(self) -> Parse | None:
        """The parse that is shown: the alternative that was chosen, or the best where there are not so many."""
        if self._result is None:
            return None
        alternatives, rank = self._result.parse.alternatives, self._view.rank
        return alternatives[rank] if rank < len(alternatives) else self._result.parse

    @property
    def provenance(self) -> Provenance | None:
        """Under what gold trees are judged now; ``None`` without a model."""
        return self._document.provenance(self.model) if self.model is not None else None

    def describe(self, constraint: Constraint) -> str:
        """Put a what-if into words; by numbers alone while there is no sentence at hand that has such words."""
        if self._result is None:
            return str(constraint)
        sentence = self._result.reading.tagged
        try:
            check_constraints((constraint,), sentence)
        except ConstraintError:
            # That of another sentence, or of a file that somebody else wrote: why it cannot be obeyed the parser says.
            return str(constraint)
        return curly_quotes(describe_constraint(constraint, sentence))

    def share(self, other: ParseService) -> None:
        """Have at hand what another service has: its models and its result, for a document that is the same."""
        self.models.share(other.models)
        self._result = other.result

    def follow(self, document: Document) -> None:
        """Use the document's model, and parse the sentence that it shows."""
        self._document = document
        self._follow()

    def _follow(self) -> None:
        # Another session's document may be live where nothing was trained: then its file is used.
        if self._document.live and self.models.has_live:
            other = self.models.use_live()
        else:
            other = self.models.use(
                self._document.model, self._follow, lambda error: self._set_problem(error_text(error))
            )
        if other:
            self.model_changed.emit()
        self._refresh()

    def _request(self) -> ParseRequest | None:
        document, model = self._document, self.model
        if model is None or not document.line.text.strip():
            return None
        return ParseRequest.of(document, model, document.line)

    def _refresh(self) -> None:
        """Ask the engine, if there is something new to ask."""
        request = self._request()
        if request == self._asked:
            if request is None:
                self._set_problem(self.models.problem)
            return
        self._asked = request
        result = self._result
        if request is None or (result is not None and result.full and result.request == request):
            self._worker.cancel()
            if request is None and result is not None:
                self._result = None
                self.result_changed.emit()
            self._set_problem(self.models.problem)
            return

        chart_first = self._view.stage == CHART

        def work(job: Job) -> ParseResult:
            def show(found: ParseResult) -> None:
                job.deliver(found)
                job.rest(PICTURE_SECONDS)

            return parse_for_window(request, self._parsers, job.control, show, chart_first, job.let_window_go_first)

        def on_error(error: Exception) -> None:
            self._statuses.add({request.line: SentenceStatus(FAILED, request.provenance())})
            self._set_problem(error_text(error))

        self._worker.request(work, self._show, on_error, on_progress=self._show)

    def _show(self, found: ParseResult) -> None:
        if found is self._result:
            self.ledgers_changed.emit()
            return
        self._result = found
        self._set_problem("")
        status = status_of(found.parse, found.reading.gold, found.request.provenance(found.reading))
        self._statuses.add({found.request.line: status})
        self.result_changed.emit()

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit()

    def parse_again(self) -> None:
        """Parse what the document shows, where parsing was cancelled or failed."""
        if not self.is_current:
            self._asked = None
            self._refresh()

    def cancel(self) -> None:
        """Stop parsing; what is shown stays, and the same may be asked again."""
        self._asked = None
        self._worker.cancel()
