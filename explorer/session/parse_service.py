"""Parsing off the GUI thread: the models that are open, the sentence that is shown, and all sentences of the list."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.characters import curly_quotes
from engine.common.errors import Cancelled, ConstraintError, EngineError
from engine.common.numbers import size
from engine.model.model import Model
from engine.structure.constraints import Constraint, check_constraints, describe_constraint
from engine.study.provenance import GOLD, Provenance
from engine.text.input import is_tree
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from explorer.kit.actions import EDIT, action
from explorer.kit.messages import Messages, error_text
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.pictures.facts import look_up
from explorer.session.document import Document, TextLine
from explorer.session.editor import DocumentEditor
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, best_parse, parse_for_window
from explorer.session.statuses import FAILED, SentenceStatus, SentenceStatuses, status_of, status_of_judgement
from explorer.session.view_state import CHART, ViewState

# The models that are open: the one in use, those used before it, and the loading of others.

KEPT_MODELS = 3
_WARM_UP_SENTENCE = "a/DT man/NN saw/VBD a/DT dog/NN"


class OpenModels:
    """Keeps the models used last in memory, so that undoing a change of model is at once.

    Parameters
    ----------
    loading
        The thread that loads.
    messages
        Where a message says why a model cannot be used.
    """

    def __init__(self, loading: Worker, messages: Messages) -> None:
        self._current: Model | None = None
        self._loaded: Model | None = None
        self._kept: OrderedDict[str, Model] = OrderedDict()
        self._loading = loading
        self._messages = messages
        self._wanted = ""
        self._live: Model | None = None
        self._live_problem = ""
        self._has_live = False

    @property
    def current(self) -> Model | None:
        """The model in use."""
        return self._current

    @property
    def latest(self) -> Model | None:
        """The model in use, or the one that was just loaded: what is read right after it is read with it."""
        return self._current or self._loaded

    @property
    def loading(self) -> bool:
        """Whether a model, or another file before it, is being loaded."""
        return self._loading.busy

    @property
    def wanted(self) -> str:
        """The file of the model that is to be used as soon as it is loaded; empty if that is the one in use."""
        return self._wanted

    def load(
        self, name: str, on_loaded: Callable[[], None], on_failed: Callable[[Exception], None] = lambda error: None
    ) -> Job:
        """Load a model and keep it; the one in use stays so, whether this succeeds or not."""

        def on_result(model: Model) -> None:
            self._keep(name, model)
            on_loaded()

        def work(job: Job) -> Model:
            self._loaded = load_model(job, name)
            return self._loaded

        def on_error(error: Exception) -> None:
            self._messages.show_error(error)
            on_failed(error)

        return self._loading.request(work, on_result, on_error)

    def find(self, name: str, on_loaded: Callable[[], None]) -> Model | None:
        """Get a model beside the one in use; if it is not in memory load it, and call `on_loaded` when it is."""
        found = self._kept.get(name)
        if found is None:
            self.load(name, on_loaded)
        return found

    def kept(self, name: str) -> Model | None:
        """Return the model of a file, if it is in memory."""
        return self._kept.get(name)

    def use(self, name: str, on_found: Callable[[], None], on_failed: Callable[[Exception], None]) -> bool:
        """Use the model of this name.

        Parameters
        ----------
        name
            Its file; empty for none.
        on_found
            Called when it is in memory, if it first has to be loaded: undone or restored to one that is no longer kept.
        on_failed
            Called if it cannot be loaded.

        Returns
        -------
        bool
            Whether another model is in use now.
        """
        model = self._kept.get(name)
        if model is not None:
            other = model is not self._current
            self._keep(name, model)
            self._current = model
            return other
        if name and name != self._wanted:
            self._wanted = name

            def on_loaded() -> None:
                self._wanted = ""
                on_found()

            def on_error(error: Exception) -> None:
                self._wanted = ""
                on_failed(error)

            self.load(name, on_loaded, on_error)
        return False

    def share(self, other: OpenModels) -> None:
        """Keep what another window has in memory: its models need not be loaded again."""
        for name, model in other._kept.items():
            self._keep(name, model)

    @property
    def has_live(self) -> bool:
        """Whether a model was trained in the window, even on no tree at all."""
        return self._has_live

    @property
    def problem(self) -> str:
        """Why there is no model to parse with although one was trained, in one sentence; empty if there is one."""
        return self._live_problem if self._current is None else ""

    def set_live(self, model: Model | None, problem: str = "") -> None:
        """Keep the model that was trained in the window; ``None`` where its trees are too few, with the `problem`."""
        self._live, self._live_problem, self._has_live = model, problem, True

    def use_live(self) -> bool:
        """Use the model that was trained in the window; whether another one was in use."""
        other = self._live is not self._current
        self._current = self._live
        return other

    def cancel_loading(self) -> None:
        """Stop loading; the same model may be asked for again."""
        self._loading.cancel()
        self._wanted = ""

    def _keep(self, name: str, model: Model) -> None:
        self._kept[name] = model
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT_MODELS:
            self._kept.popitem(last=False)


def load_model(job: Job, name: str) -> Model:
    """Load a model and parse a first sentence with it."""
    job.report(None, f"Opening {Path(name).name}")
    model = Model.load(name)
    # A first parse loads the compiled kernels and fills the model's tables, here and not when somebody waits.
    look_up(Parser.preset(model).parse(_WARM_UP_SENTENCE, n_best=2, trace=True))
    return model


# The parse service: asks the engine about the sentence that is shown, off the GUI thread, and keeps the result.

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
        The statuses, where the outcome of each sentence is noted.
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


# Parsing every sentence of the list in the background, to see what becomes of each.

_DELIVERED_TOGETHER = 20
_LIST_CANCELLED = "Parsing the list was cancelled; what was found until then is marked."


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
        self._worker = tasks.watch(Worker("parse list", newest_only=True, parent=self), _LIST_CANCELLED)

    @action("parse-all", "Parse all sentences", EDIT, "Ctrl+Shift+P")
    def start(self) -> None:
        """Parse every sentence of the list in the background and mark what became of it."""
        self._start(self._editor.document.lines)

    def outdated(self) -> list[TextLine]:
        """Return the sentences whose marks were found under another model, other settings or other tags."""
        return outdated_lines(self._editor.document.lines, self._statuses.by_line, self._parses.provenance)

    def judge_again(self, lines: Sequence[TextLine]) -> None:
        """Parse some sentences again; those that had a verdict are judged again."""
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
    from engine.study.treebank_report import judge

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
