"""The session: the one owner of the document and of everything that follows from it.

Views take the session in their constructor, listen to its signals and own nothing.  What a person changes is in
:mod:`explorer.document.editing`, what is looked at in :mod:`explorer.document.view_state`; here is what follows from
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.model.model import Model
from engine.structure.constraints import Constraint, describe_constraint
from engine.trees.tree import Tree
from explorer.document.document import Document, Line, load_document, save_document
from explorer.document.editing import Editing
from explorer.document.open_models import Models
from explorer.document.parse_service import Answer, Parsers, Question, answer
from explorer.document.sentence_findings import FAILED, Finding, judge
from explorer.document.session_tasks import find_all, find_lines, in_a_sentence, read_lines
from explorer.document.stage_navigation import CHART, PARSE, Place, following, steps_of
from explorer.document.treebank_reading import Found
from explorer.graphics.number_text import curly_quotes, size
from explorer.graphics.selection import Id
from explorer.tasks.worker import Job, Worker

PICTURE_SECONDS = 0.06
"""How long a part of an answer has the machine for itself, to be drawn, before the rest is found."""


class Session(Editing):
    """The document, the model, and what the engine says about the sentence that is shown.

    Signals
    -------
    model_changed, answer_changed, problem_changed, findings_changed, path_changed
        Something of that name is another one now.
    ledgers_changed
        The ledgers of all the n best of the answer are at hand.
    """

    model_changed = Signal()
    answer_changed = Signal()
    ledgers_changed = Signal()
    problem_changed = Signal()
    findings_changed = Signal()
    path_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.answer: Answer | None = None
        self.problem = ""
        self.findings: dict[Line, Finding] = {}
        self.parsing = Worker("parse", newest_only=True, parent=self)
        self.loading = Worker("load", parent=self)
        self.filing = Worker("file", parent=self)
        self.looking = Worker("look", newest_only=True, parent=self)
        self.drawing = Worker("draw", newest_only=True, parent=self)
        self.listing = Worker("list", newest_only=True, parent=self)
        self.comparing = Worker("compare", newest_only=True, parent=self)
        self.pricing = Worker("price", newest_only=True, parent=self)
        self.judging = Worker("judge", newest_only=True, parent=self)
        self.editing = Worker("gold", newest_only=True, parent=self)
        self.sketching = Worker("sketch", newest_only=True, parent=self)
        self._models = Models(self.loading, self._say_error)
        self._parsers = Parsers()
        self._asked: Question | None = None
        # Counts the documents that were started with: what is written of one says nothing about the next.
        self._sitting = 0
        self._save_failed = False

    # What there is to look at.

    @property
    def model(self) -> Model | None:
        """The model in use."""
        return self._models.current

    def other_model(self, name: str, then: Callable[[], None]) -> Model | None:
        """A model beside the one in use; if it is not in memory it is loaded, and `then` is called when it is."""
        found = self._models.kept(name)
        if found is None:
            self._models.load(name, then)
        return found

    @property
    def parse(self) -> Parse | None:
        """The parse that is shown: the best, or the alternative that was chosen."""
        if self.answer is None:
            return None
        alternatives = self.answer.parse.alternatives
        return alternatives[self.rank] if self.rank < len(alternatives) else self.answer.parse

    @property
    def gold(self) -> Tree | None:
        """The tree that was typed or opened with the sentence."""
        return self.answer.reading.gold if self.answer is not None else None

    @property
    def current(self) -> bool:
        """Whether the answer is that of the document as it is now."""
        return self.answer is not None and self.answer.question == self._question()

    def steps(self) -> Sequence[Id]:
        """The steps within the stage, each something that can be selected; the chart has its time line instead."""
        return steps_of(self.parse, self.stage)

    def step(self, forward: bool) -> bool:
        """Go one step on or back: to the next thing within the stage, then to the next stage."""
        trace = self.answer.parse.chart if self.answer is not None else None
        here = Place(self.stage, self.selection, self.chart_step)
        there = following(here, self.parse, len(trace) if trace is not None else None, forward)
        if there is None:
            return False
        if there.stage != here.stage:
            self.chart_step = there.chart_step
            self.set_stage(there.stage)
        self.set_chart_step(there.chart_step)
        self.select(there.selection)
        return True

    def describe(self, constraint: Constraint) -> str:
        """A what-if in words."""
        return (
            curly_quotes(describe_constraint(constraint, self.answer.reading.tagged))
            if self.answer is not None
            else str(constraint)
        )

    # Models, files, sessions.

    def open_model(self, path: str | Path, undoable: bool = True) -> Job:
        """Load a model in the background; the old one stays until it is there, and if it cannot be used."""
        name = str(path)

        def loaded() -> None:
            after = replace(self.document, model=name)
            if undoable and self.model is not None:
                self.change(f"model {Path(name).name}", after)
            else:
                self.set_document(after)
            self.message.emit(f"Model {Path(name).name}", False)

        return self._models.load(name, loaded)

    def open_text(self, path: str | Path) -> Job:
        """Read a file of sentences or trees, or a folder of trees, in the background, and add them to the list."""
        file = Path(path)

        def work(job: Job) -> Found:
            return read_lines(job, file, self._models.at_hand)

        return self._add_found(work, f"opening {file.name}", f"from {file.name}")

    def add_text(self, text: str, title: str) -> Job:
        """Add the sentences of a text that was pasted or dropped to the list, in the background."""

        def work(job: Job) -> Found:
            job.report(None, "Reading the text")
            return find_lines(job, text, self._models.at_hand, "", "the text holds no sentence")

        return self._add_found(work, title, "added")

    def _add_found(self, work: Callable[[Job], Found], title: str, where: str) -> Job:
        def then(found: Found) -> None:
            self.add_lines(found.lines, title)
            said = f"{size(len(found.lines), 'sentence')} {where}"
            if found.refused:
                more = f", and {len(found.refused) - 1:,} more" if len(found.refused) > 1 else ""
                said += f"; left out: {found.refused[0]}{more}"
            self.message.emit(said, bool(found.refused))

        return self.loading.request(work, then, self._say_error)

    def parse_all(self) -> None:
        """Parse every sentence of the list in the background, under the settings as they are, and mark each."""
        model, document = self.model, self.document
        if model is None or not document.lines:
            return

        def then(counts: dict[str, int]) -> None:
            said = ", ".join(f"{count:,} {mark}" for mark, count in counts.items())
            self.message.emit(f"All sentences parsed: {said}", False)

        def work(job: Job) -> dict[str, int]:
            return find_all(job, model, document)

        self.loading.request(work, then, self._say_error, partly=self.add_findings)

    def add_findings(self, found: Mapping[Line, Finding]) -> None:
        """Something is known of sentences; what is known of their errors under the same settings stays."""
        for line, finding in found.items():
            before = self.findings.get(line)
            if before is not None and not finding.verdict and before.settings == finding.settings:
                finding = replace(finding, verdict=before.verdict, classes=before.classes)
            self.findings[line] = finding
        self.findings_changed.emit()

    def save(self, path: Path, saved: Callable[[], None] = lambda: None) -> Job:
        """Write the session file in the background, as the document is now, and call `saved` when it is written.

        It counts as saved at once, and as changed again if it cannot be written, which is said.
        """
        document, stage, sitting = self.document, self.stage, self._sitting
        self.undo_stack.setClean()

        def then(_: None) -> None:
            if sitting == self._sitting:
                self.path = path
                self.path_changed.emit()
            saved()

        def failed(error: Exception) -> None:
            self._save_failed = True
            if sitting == self._sitting:
                self.undo_stack.resetClean()
            self._say_error(error)

        return self.filing.request(lambda job: save_document(document, path, {"stage": stage}), then, failed)

    def open(self, path: Path, opened: Callable[[], None] = lambda: None) -> Job:
        """Open a session file in the background; if that cannot be done it is said, and everything stays as it is."""

        def then(found: tuple[Document, dict[str, Any]]) -> None:
            document, stored = found
            self.restore(document, int(stored.get("stage", PARSE)))
            self.path = path
            self.path_changed.emit()
            opened()

        def work(job: Job) -> tuple[Document, dict[str, Any]]:
            job.report(None, f"Opening {path.name}")
            return load_document(path)

        # In the order in which files of all kinds were asked for.
        return self.loading.request(work, then, self._say_error)

    def finish_filing(self) -> bool:
        """Wait until everything that was to be saved is written; false if some of it could not be."""
        self._save_failed = False
        self.filing.finish()
        return not self._save_failed

    def leave_file(self) -> None:
        """What comes now is no longer that of the file."""
        self._sitting += 1
        self.path = None

    def restore(self, document: Document, stage: int = PARSE) -> None:
        """Start with this document; there is nothing to undo."""
        self.undo_stack.clear()
        self.findings.clear()
        self.leave_file()
        if self.model is not None and not Path(document.model).exists():
            document = replace(document, model=self.document.model)
        self.set_document(document)
        self.set_stage(stage)
        self.path_changed.emit()

    # What follows from the document.

    def set_document(self, document: Document) -> None:
        """Make this the document; called by commands, and by what cannot be undone."""
        if document == self.document:
            return
        other_line = document.line.text != self.document.line.text
        self.document = document
        if other_line:
            self.selection = None
            self.chart_step = None
            self.selection_changed.emit()
        self.document_changed.emit()
        self._follow_model()
        self.refresh()

    def _follow_model(self) -> None:
        if self._models.use(self.document.model, self._model_found):
            self.model_changed.emit()

    def _model_found(self) -> None:
        self._follow_model()
        self.refresh()

    def _question(self) -> Question | None:
        if self.model is None or not self.line.text.strip():
            return None
        return Question(self.model, self.document.settings, self.line, gold_tags=self.document.gold_tags)

    def refresh(self) -> None:
        """Ask the engine, if there is something new to ask."""
        question = self._question()
        if question == self._asked:
            return
        self._asked = question
        if question is None or (self.answer is not None and self.answer.full and self.answer.question == question):
            self.parsing.cancel()
            self._set_problem("")
            if question is None and self.answer is not None:
                self.answer = None
                self.answer_changed.emit()
            return

        chart_first = self.stage == CHART

        def work(job: Job) -> Answer:
            def tell(found: Answer) -> None:
                job.deliver(found)
                job.rest(PICTURE_SECONDS)

            return answer(question, self._parsers, job.control, tell, chart_first, job.let_window_go_first)

        self.parsing.request(work, self._answered, self._failed, partly=self._answered)

    def _answered(self, found: Answer) -> None:
        before = self.answer
        if found is before:
            self.ledgers_changed.emit()
            return
        self.answer = found
        if before is None or before.question.line != found.question.line or found.parse.chart is None:
            self.rank = 0
        self._set_problem("")
        self.add_findings({found.question.line: judge(found.parse, found.reading.gold)})
        self.answer_changed.emit()

    def _failed(self, error: Exception) -> None:
        if self._asked is not None:
            self.add_findings({self._asked.line: Finding(FAILED, self._asked.settings)})
        self._set_problem(in_a_sentence(error))

    def _set_problem(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self.problem_changed.emit()

    def cancel(self) -> None:
        """Stop parsing and loading; what is shown stays."""
        if self.parsing.busy:
            self._asked = None
            self.parsing.cancel()
            self.message.emit("Parsing was cancelled; what is shown is the answer before.", False)
        if self.loading.busy:
            self.loading.cancel()
            self._models.cancelled()
            self.message.emit("Loading was cancelled; nothing was changed.", False)

    def close(self) -> None:
        """End the threads; a stack of commands that is being destroyed has nothing more to say."""
        self.undo_stack.blockSignals(True)
        for worker in self.findChildren(Worker):
            worker.stop()
