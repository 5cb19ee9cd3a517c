"""The item model of the sentence list: which sentences pass the filter, in which order.

A long list is filtered in a worker, while the window goes on; a newer filter makes an older one outdated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from engine.evaluation.provenance import Provenance
from engine.structure.constituents import Lexicaliser
from explorer.document.document import TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.line_text import length_of, plain
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.sentence_status import (
    FURTHER_BACKOFF_SIGN,
    OUT_OF_DATE,
    SIGNS,
    UNSEEN,
    SentenceStatus,
    SentenceStatuses,
)
from explorer.tasks.worker import Job, Worker
from explorer.treebank.list_filter import ListFilter, Test

SIGN, NUMBER, LAST_NUMBER, WORDS, SCORE, OUTDATED = (Qt.ItemDataRole.UserRole + place for place in range(6))
"""Roles of the parts of a row, for the delegate; the last tells whether its mark is out of date."""
IN_ORDER, SHORTEST, LONGEST = "in order", "shortest first", "longest first"
WORST, BEST = "lowest F1 first", "highest F1 first"
ORDERS = (IN_ORDER, SHORTEST, LONGEST, WORST, BEST)
LINES_FILTERED_DIRECTLY = 400
"""Lists up to so many sentences are filtered on the GUI thread; longer ones in a worker."""
SHOWN = 160
_CHUNK = 256
_AGAIN_MS = 300
_LONG = 1_000


def passing(
    job: Job | None,
    lines: Sequence[TextLine],
    statuses: Mapping[TextLine, SentenceStatus],
    test: Test | None,
    order: str,
    deliver: Callable[[list[int]], None] | None = None,
) -> list[int]:
    """Find the numbers of the sentences that pass, in an order; `deliver` is called now and then with those so far."""
    if test is None:
        found = list(range(len(lines)))
    else:
        found = []
        delivered = 0
        for number, line in enumerate(lines):
            if job is not None and number % _CHUNK == 0:
                job.report(number / len(lines), "Filtering the list")
                if deliver is not None and len(found) > delivered and number % (_CHUNK * 16) == 0:
                    delivered = len(found)
                    deliver(list(found))
            if job is not None:
                job.take_turns()
            if test(line, statuses.get(line)):
                found.append(number)
    if order in (SHORTEST, LONGEST):
        lengths = {number: length_of(lines[number].text) for number in found}
        found.sort(key=lengths.__getitem__, reverse=order == LONGEST)
    elif order in (WORST, BEST):
        last = math.inf if order == WORST else -math.inf

        def score(number: int) -> float:
            status = statuses.get(lines[number])
            return last if status is None or status.f1 is None else status.f1

        found.sort(key=score, reverse=order == BEST)
    return found


class LineListModel(QAbstractListModel):
    """The document's sentences that pass the filter.

    Signals
    -------
    filtered
        Other sentences are shown now.
    """

    filtered = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._messages = messages
        self._worker = Worker("filter list", newest_only=True, parent=self)
        self._lines: Sequence[TextLine] = ()
        # Under what gold trees are judged now; asked for once, for a view asks of every row again and again.
        self._now: Provenance | None = None
        self.query = ListFilter()
        self.order = IN_ORDER
        self.shown: Sequence[int] = []
        self.busy = False
        self._places: dict[int, int] | None = None
        self._plain: dict[str, str] = {}
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self.select)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        """How many sentences are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sentence with its mark and number."""
        if not index.isValid():
            return None
        number = self.shown[index.row()]
        line = self._lines[number]
        if role == NUMBER:
            return f"{number + 1:,}"
        if role == LAST_NUMBER:
            return f"{len(self._lines):,}"
        if role == WORDS:
            known = self._statuses.get(line)
            further = f"  {FURTHER_BACKOFF_SIGN}" if known is not None and known.further_backoff else ""
            return plain(line.text, SHOWN)[:SHOWN] + further + ("  ⑂" if line.what_ifs else "")
        if role not in (
            SIGN,
            SCORE,
            OUTDATED,
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return None
        status = self._statuses.get(line)
        sign = SIGNS.get(status.mark, " ") if status is not None else " "
        if role == SIGN:
            return sign
        if role == OUTDATED:
            return status is not None and not status.is_up_to_date(line, self._now)
        if role == SCORE:
            return f"{status.f1:.0f}" if status is not None and status.f1 is not None else ""
        if role == Qt.ItemDataRole.DisplayRole:
            old = f"  ({OUT_OF_DATE})" if self.data(index, OUTDATED) else ""
            return f"{sign}  {number + 1}  {self.data(index, WORDS)}{old}"
        return f"{plain(line.text, _LONG)[:_LONG]}\n{self._tip(line, status)}"

    def _tip(self, line: TextLine, status: SentenceStatus | None) -> str:
        if status is None:
            return ", ".join(filter(None, [line.place, UNSEEN]))
        parts = [line.place, status.mark]
        if status.f1 is not None:
            parts.append(f"F1 {status.f1:.1f} %")
        parts += [status.verdict, *status.classes, "found with further back-off" if status.further_backoff else ""]
        told = ", ".join(filter(None, parts))
        if status.is_up_to_date(line, self._now):
            return f"{told}\n{status.provenance}"
        return f"{told}\n{OUT_OF_DATE}: found under {status.provenance}; press ‘Judge again’"

    def place(self, number: int) -> int:
        """In which row a sentence is shown; −1 if it is not."""
        if len(self.shown) == len(self._lines) and self.order == IN_ORDER:
            return number if number < len(self.shown) else -1
        if self._places is None:
            self._places = {shown: row for row, shown in enumerate(self.shown)}
        return self._places.get(number, -1)

    def refresh(self) -> None:
        """Look at the document again."""
        now = self._parses.provenance
        if now != self._now:
            self._now = now
            # What is out of date now, or no longer, a filter for marks lets pass, or no longer.
            if self.query.follows_statuses:
                self.statuses_changed()
            elif self.shown:
                self.dataChanged.emit(self.index(0), self.index(len(self.shown) - 1))
        lines = self._editor.document.lines
        if lines is not self._lines:
            same = len(lines) == len(self._lines) and not self.query
            if same and self.order == IN_ORDER:
                # One sentence was changed where all are shown: the rows stay.
                self._lines = lines
                if lines:
                    self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            else:
                self.select()

    def filter(self, query: ListFilter, order: str = IN_ORDER) -> None:
        """Show only sentences that pass, in an order."""
        self.query, self.order = query, order
        self.select()

    def select(self) -> None:
        """Find the sentences that pass, at once or in the background."""
        lines, statuses, order, query = self._editor.document.lines, self._statuses.by_line, self.order, self.query
        self._again.stop()
        self._worker.cancel()
        if not query and order == IN_ORDER:
            self._show(lines, range(len(lines)))
            return
        model = self._parses.model
        lexicaliser: Lexicaliser | None = model.lexicaliser if model is not None else None
        test = query.test(lexicaliser, self._plain, self._parses.provenance) if query else None
        if len(lines) <= LINES_FILTERED_DIRECTLY and not query.slow:
            self._show(lines, passing(None, lines, statuses, test, order))
            return

        def work(job: Job) -> list[int]:
            on_some = job.deliver if order == IN_ORDER else None
            return passing(job, lines, statuses, test, order, on_some)

        def on_error(error: Exception) -> None:
            self._messages.show(f"the list could not be filtered ({error})", True)

        def on_finished() -> None:
            self.busy = self._worker.busy
            self.filtered.emit()

        def show(found: Sequence[int]) -> None:
            self._show(lines, found)

        self.busy = True
        self._worker.request(work, show, on_error, on_progress=show, on_finished=on_finished)
        self.filtered.emit()

    def _show(self, lines: Sequence[TextLine], found: Sequence[int]) -> None:
        before = len(self.shown)
        if lines is self._lines and 0 < before < len(found) and list(found[:before]) == list(self.shown):
            # More of what is shown already: what was scrolled to stays in sight.
            self.beginInsertRows(QModelIndex(), before, len(found) - 1)
            self.shown, self._places = found, None
            self.endInsertRows()
            self.filtered.emit()
            return
        self.beginResetModel()
        self._lines, self.shown, self._places = lines, found, None
        self.endResetModel()
        self.filtered.emit()

    def statuses_changed(self) -> None:
        """Show what is newly known of sentences, and filter again where the filter asks for it."""
        if self.query.follows_statuses or self.order in (WORST, BEST):
            if len(self._lines) <= LINES_FILTERED_DIRECTLY:
                self.select()
            elif not self._again.isActive() and not self.busy:
                self._again.start()
        elif self.shown:
            self.dataChanged.emit(self.index(0), self.index(len(self.shown) - 1))
