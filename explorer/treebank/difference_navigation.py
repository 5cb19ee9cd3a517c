"""Going from one sentence that differs from its gold tree to the next; what was not parsed yet is parsed on the way."""

from __future__ import annotations

from engine.text.input_recognition import is_tree
from explorer.document.document import Line
from explorer.document.parse_service import Parsers, Question
from explorer.document.sentence_findings import DIFFERS, FAILED, FRAGMENTS, Finding
from explorer.document.session import Session
from explorer.document.session_tasks import find, in_a_sentence
from explorer.tasks.worker import Job
from explorer.treebank.line_list_model import LinesModel

_TOLD_EVERY = 20
_DIFFERENT = (DIFFERS, FRAGMENTS, FAILED)


class Differences:
    """Finds the next or previous difference in the order in which the list shows its sentences."""

    def __init__(self, session: Session, model: LinesModel) -> None:
        self._session = session
        self._model = model
        self._parsers = Parsers()

    def go(self, forward: bool) -> Job | None:
        """Show the next (or previous) sentence whose parse differs from its gold tree."""
        session, shown = self._session, self._model.shown
        document, model = session.document, session.model
        if model is None or not document.lines:
            return None
        at = self._model.place(document.current)
        rows = range(at + 1, len(shown)) if forward else range((at if at >= 0 else len(shown)) - 1, -1, -1)
        order = [shown[row] for row in rows]
        known = session.findings

        def work(job: Job) -> int | None:
            found: dict[Line, Finding] = {}
            try:
                for count, number in enumerate(order):
                    line = document.lines[number]
                    if not is_tree(line.text):
                        continue
                    finding = known.get(line)
                    if finding is None or finding.settings != document.settings:
                        job.report(count / len(order), f"Looking for a difference: sentence {number + 1:,}")
                        question = Question(model, document.settings, line, gold_tags=document.gold_tags)
                        found[line] = finding = find(question, self._parsers, job.control)
                        if len(found) >= _TOLD_EVERY:
                            job.deliver(dict(found))
                            found.clear()
                    if finding.mark in _DIFFERENT:
                        return number
                return None
            finally:
                job.deliver(found)

        def then(number: int | None) -> None:
            if number is None:
                where = "after" if forward else "before"
                here = known.get(session.line)
                also = "; this one does" if here is not None and here.mark in _DIFFERENT else ""
                session.message.emit(f"No sentence {where} this one differs from its gold tree{also}", False)
            else:
                session.choose(number)

        def failed(error: Exception) -> None:
            session.message.emit(in_a_sentence(error), True)

        return session.loading.request(work, then, failed, partly=session.add_findings)
