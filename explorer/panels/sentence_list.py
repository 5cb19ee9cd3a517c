"""The sentence list: pasted, opened or from a treebank, with a mark for what became of each, filter and order."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import curly_quotes
from engine.common.numbers import size
from engine.structure.constituents import Lexicaliser
from engine.study.provenance import Provenance
from engine.text.input import is_tree
from engine.trees.tree import plain_word
from explorer.kit.actions import EDIT, action
from explorer.kit.controls import Field, text_button
from explorer.kit.fonts import font_for
from explorer.kit.messages import Messages, as_sentence
from explorer.kit.tables import HintTable, set_up_rows
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.panels.list_filter import OLD, FilterError, ListFilter, Test, with_term
from explorer.session.document import TextLine, length_of, plain
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService, find_status, outdated_lines
from explorer.session.parsing import ParseRequest, ParserPool
from explorer.session.statuses import (
    DIFFERS,
    FAILED,
    FRAGMENTS,
    FURTHER_BACKOFF_SIGN,
    OUT_OF_DATE,
    SIGNS,
    UNSEEN,
    SentenceStatus,
    SentenceStatuses,
)

# The item model of the sentence list: which sentences pass the filter, in which order.
#
# A long list is filtered in a worker, while the window goes on; a newer filter makes an older one outdated.

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
        """Return how many sentences are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the sentence with its mark and number."""
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
            same = len(lines) == len(self._lines) and not self.query.terms
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
        if not query.terms and order == IN_ORDER:
            self._show(lines, range(len(lines)))
            return
        model = self._parses.model
        lexicaliser: Lexicaliser | None = model.lexicaliser if model is not None else None
        test = query.test(lexicaliser, self._plain, self._parses.provenance) if query.terms else None
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


# Paints a row of the sentence list: its mark, number, words and F1, and a word where the mark is out of date.

_OLD = "old"
"""The word by which a mark that is out of date is known without colours."""


class SentenceDelegate(QStyledItemDelegate):
    """A row: sign, number, words, and F1 at the right edge."""

    def words_at(self, view: QTableView, index: QModelIndex) -> QRect:
        """Return where the words of a row stand."""
        metrics, area = view.fontMetrics(), view.visualRect(index).adjusted(6, 0, -8, 0)
        before = metrics.horizontalAdvance("≠") + 8 + _number_width(metrics, index) + 8
        remark = _remark(index)
        after = metrics.horizontalAdvance(max(remark, "100", key=len)) + 8 if remark else 0
        return area.adjusted(before, 0, -after, 0)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        shown.text = ""
        widget = shown.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, widget)
        metrics = shown.fontMetrics
        area: QRect = shown.rect.adjusted(6, 0, -8, 0)
        palette = shown.palette
        ink, faint = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.PlaceholderText)
        middle, left, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        painter.save()
        bold = QFont(shown.font)
        bold.setBold(True)
        outdated = bool(index.data(OUTDATED))
        painter.setPen(faint if outdated else ink)
        painter.setFont(bold)
        sign = metrics.horizontalAdvance("≠") + 8
        painter.drawText(area, int(left | middle), str(index.data(SIGN)))
        painter.setFont(shown.font)
        painter.setPen(faint)
        number = _number_width(metrics, index)
        painter.drawText(QRect(area.left() + sign, area.top(), number, area.height()), int(right | middle),
                         str(index.data(NUMBER)))  # fmt: skip
        score = _remark(index)
        end = area.right()
        if score:
            painter.drawText(area, int(right | middle), score)
            end -= metrics.horizontalAdvance(max(score, "100", key=len)) + 8
        start = area.left() + sign + number + 8
        text = str(index.data(WORDS))
        painter.setFont(font_for(text, shown.font))
        words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, end - start))
        painter.setPen(ink)
        painter.drawText(QRect(start, area.top(), max(0, end - start), area.height()), int(left | middle), words)
        painter.restore()


def _remark(index: QModelIndex | QPersistentModelIndex) -> str:
    """Return what stands at the right of a row: F1, and a word where the mark is out of date."""
    score = str(index.data(SCORE))
    return f"{score} {_OLD}".strip() if index.data(OUTDATED) else score


def _number_width(metrics: QFontMetrics, index: QModelIndex | QPersistentModelIndex) -> int:
    """Room for the last number of the whole list: a filter shows few sentences, but any of their numbers."""
    return metrics.horizontalAdvance(str(index.data(LAST_NUMBER)).rjust(2, "0"))


# The sentence list: pasted, opened or from a treebank, with a mark for what became of each, filter and order.

_ALL = "All"
_PAUSE_MS = 120
_MOST_WORDS = 40
_COUNT_AGAIN_MS = 300
_EXAMPLES = (
    ("Words: telescope", "telescope"),
    ("Tag: tag:VBD", "tag:VBD"),
    ("Label of a constituent: label:SBAR", "label:SBAR"),
    ("Triple: triple:PP,VP,*", "triple:PP,VP,*"),
    ('Structure: tree:"PP > VP"', 'tree:"PP > VP"'),
    ('In gold, not in the parse: missing:"PP > VP"', 'missing:"PP > VP"'),
    ('In the parse, not in gold: extra:"PP > VP"', 'extra:"PP > VP"'),
    ("Length: length>20", "length>20"),
    ("F1: f1<80", "f1<80"),
    ("Has a gold tree: is:gold", "is:gold"),
    ("Without a tag: -tag:CC", "-tag:CC"),
)
_NOTHING_PASSES = "No sentence passes the filter."
_AGAIN_TIP = "Parse and judge again the sentences whose marks come from another model, other settings or other tags"
_HELP = (
    'Words, or tag:VBD  label:NP  triple:PP,VP,VBD  tree:"PP > VP"  missing:"PP > VP"  extra:"PP > VP"  '
    "is:differs  class:PP  verdict:search  length>20  f1<80; "
    "a minus in front of a term means “not”"
)


class SentenceList(QWidget):
    """Shows the list; choosing a sentence shows its parse.

    Signals
    -------
    looked_up
        The model browser is asked for a word.
    compare_wanted
        The sentence that was just chosen is to be compared with its gold tree.
    judging_wanted
        What is out of date is to be judged again.
    """

    looked_up = Signal(str)
    compare_wanted = Signal()
    judging_wanted = Signal()

    def __init__(
        self, editor: DocumentEditor, parses: ParseService, statuses: SentenceStatuses, messages: Messages
    ) -> None:
        super().__init__()
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._messages = messages
        self.model = LineListModel(editor, parses, statuses, messages, self)
        self._known_terms: Mapping[str, Sequence[str]] = {}
        self._lines: Sequence[TextLine] = editor.document.lines
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.search = Field(placeholderText="Filter: words, tag:VBD …", clearButtonEnabled=True)
        self.search.setAccessibleName("Filter sentences")
        self.search.setToolTip(_HELP)
        self.more = QToolButton()
        self.more.setText("▾")
        self.more.setToolTip("What the filter understands")
        self.more.setAccessibleName("What the filter understands")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.more.setMenu(self.menu)
        row.addWidget(self.search, 1)
        row.addWidget(self.more)
        layout.addLayout(row)
        second = QHBoxLayout()
        second.setSpacing(4)
        self.marks = QComboBox()
        self.marks.addItem(_ALL, _ALL)
        for mark, sign in SIGNS.items():
            self.marks.addItem(f"{sign}  {mark}", mark)
        self.marks.addItem(UNSEEN, UNSEEN)
        self.marks.addItem(OUT_OF_DATE, OLD)
        self.marks.setToolTip(
            "✓ parsed   = right   ≠ differs from the gold tree   … fragments only   ✕ failed\n"
            f"{FURTHER_BACKOFF_SIGN} after the words: found with further back-off"
        )
        self.marks.setAccessibleName("Marks")
        self.orders = QComboBox()
        self.orders.addItems(ORDERS)
        self.orders.setToolTip("The order of the sentences")
        self.orders.setAccessibleName("Order")
        for box in (self.marks, self.orders):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
            second.addWidget(box, 1)
        layout.addLayout(second)
        self.problem = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        layout.addWidget(self.problem)
        # A list view lays out every row; a table's rows are all alike, so that fifty thousand take no time.
        self.view = HintTable()
        self.view.setObjectName("sentence-list")
        self._delegate = SentenceDelegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.setModel(self.model)
        set_up_rows(self.view)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.horizontalHeader().setVisible(False)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.setAccessibleName("Sentences")
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self._fit_rows()
        layout.addWidget(self.view, 1)
        foot = QHBoxLayout()
        self.count = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.count.setObjectName("quiet")
        self.count.setWordWrap(True)
        self.again = text_button("Judge again", _AGAIN_TIP, self.judging_wanted.emit)
        self.again.hide()
        foot.addWidget(self.count, 1)
        foot.addWidget(self.again)
        layout.addLayout(foot)
        self._outdated = 0
        self._counting = Worker("count out of date", newest_only=True, parent=self)
        self._count_later = QTimer(self, singleShot=True, interval=_COUNT_AGAIN_MS)
        self._count_later.timeout.connect(self._count_outdated)
        self._showing = False
        self._first_wanted = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.apply)
        self.search.textChanged.connect(self._typed)
        self.search.returnPressed.connect(self.apply)
        self.marks.currentIndexChanged.connect(self._mark_chosen)
        self.orders.currentIndexChanged.connect(self.apply)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self.model.filtered.connect(self._mark_current)
        self._editor.document_changed.connect(self.refresh)
        statuses.changed.connect(self.model.statuses_changed)
        statuses.changed.connect(self._count_soon)
        parses.model_changed.connect(self.refresh)
        self.refresh()

    # The actions, in the order of the menu

    @action("next-sentence", "Next sentence", EDIT, "Ctrl+Down")
    def next_sentence(self) -> None:
        """Show the next sentence of the list."""
        self._editor.choose(self._editor.document.current + 1)

    @action("previous-sentence", "Previous sentence", EDIT, "Ctrl+Up")
    def previous_sentence(self) -> None:
        """Show the sentence before."""
        self._editor.choose(self._editor.document.current - 1)

    @action("remove-sentence", "Remove sentence", EDIT, "Ctrl+Delete")
    def remove_sentence(self) -> None:
        """Take the sentence that is shown out of the list."""
        self._editor.remove_lines([self._editor.document.current])

    def _fit_rows(self) -> None:
        # The panel hears of another type before its table has it; they have the same.
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the rows to another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "view"):
            self._fit_rows()

    def refresh(self) -> None:
        """Show the document's sentences, and which of them is shown."""
        self._leave_filter_behind()
        self.model.refresh()
        self._mark_current()
        self._count_soon()

    def _leave_filter_behind(self) -> None:
        """Clear the filter if another list was opened: it was meant for the sentences before."""
        before, self._lines = self._lines, self._editor.document.lines
        if before is self._lines or not self.search.text() or len(before) == len(self._lines) == 1:
            return
        if set(before).isdisjoint(self._lines):
            self.set_filter("")

    def _count_soon(self) -> None:
        """Count what is out of date; of a long list now and then, in a worker, while its sentences are parsed."""
        if len(self._editor.document.lines) > LINES_FILTERED_DIRECTLY:
            if not self._count_later.isActive():
                self._count_later.start()
            return
        self._counting.cancel()
        self._show_outdated(outdated_lines(*self._judged()))

    def _judged(self) -> tuple[Sequence[TextLine], Mapping[TextLine, SentenceStatus], Provenance | None]:
        return self._editor.document.lines, self._statuses.by_line, self._parses.provenance

    def _count_outdated(self) -> None:
        judged = self._judged()
        self._counting.request(lambda job: outdated_lines(*judged), self._show_outdated, self._messages.show_error)

    def _show_outdated(self, lines: Sequence[TextLine]) -> None:
        self._outdated = len(lines)
        self.again.setVisible(bool(lines))
        self._mark_current()

    def word_at(self, place: QPoint) -> str:
        """Return the word of the list under a point of the view; empty if there is none."""
        index = self.view.indexAt(place)
        if not index.isValid():
            return ""
        area = self._delegate.words_at(self.view, index)
        metrics, at = self.view.fontMetrics(), area.left()
        for word in str(index.data(WORDS)).split(" "):
            width = metrics.horizontalAdvance(word)
            if at <= place.x() <= min(at + width, area.right()):
                return word
            at += width + metrics.horizontalAdvance(" ")
        return ""

    def menu_at(self, place: QPoint) -> QMenu | None:
        """Return what can be done with a sentence of the list, and asked of its words;
        ``None`` beside the sentences.
        """
        index = self.view.indexAt(place)
        if not index.isValid():
            return None
        number = self.model.shown[index.row()]
        line, model = self._editor.document.lines[number], self._parses.model
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if is_tree(line.text):
            menu.addAction("Compare with its gold tree", partial(self._compare, number))
        words = dict.fromkeys(str(index.data(WORDS)).split())
        known = [word for word in words if model is not None and plain_word(word) in model.word_numbers]
        word = self.word_at(place)
        if word in known:
            menu.addAction(f"What does the model know of ‘{word}’?", partial(self.looked_up.emit, word))
        if known:
            inner = menu.addMenu("What does the model know of …")
            for one in known[:_MOST_WORDS]:
                inner.addAction(one, partial(self.looked_up.emit, one))
        menu.addAction("Copy", partial(QGuiApplication.clipboard().setText, line.text))
        return menu

    def _open_menu(self, place: QPoint) -> None:
        menu = self.menu_at(place)
        if menu is not None:
            menu.popup(self.view.viewport().mapToGlobal(place))

    def _compare(self, number: int) -> None:
        self._editor.choose(number)
        self.compare_wanted.emit()

    def set_filter(self, text: str) -> None:
        """Set the filter, as if it were typed."""
        self.search.setText(text)
        self.apply()

    def show_first(self, text: str) -> None:
        """Set the filter, and show the first sentence that it lets through, once that is known."""
        self._first_wanted = True
        self.set_filter(text)
        self._mark_current()

    def fill_menu(self) -> None:
        """Fill the menu of what the filter understands, with examples; classes and verdicts once they are known."""
        self.menu.clear()
        for title, term in _EXAMPLES:
            self.menu.addAction(title, partial(self._add, term))
        for kind, values in self._known_terms.items():
            inner = self.menu.addMenu(f"{kind.capitalize()} …")
            for value in values:
                inner.addAction(value, partial(self._replace, kind, value))
        self.menu.addSeparator()
        self.menu.addAction("Clear", partial(self.set_filter, ""))

    def set_known_terms(self, terms: Mapping[str, Sequence[str]]) -> None:
        """Offer these classes and verdicts in the menu of the filter."""
        self._known_terms = terms

    def _add(self, term: str) -> None:
        self.set_filter(f"{self.search.text().strip()} {term}".strip())
        self.search.setFocus()

    def _replace(self, kind: str, value: str) -> None:
        self.set_filter(with_term(self.search.text(), kind, value))

    def _mark_current(self) -> None:
        total, shown = len(self._editor.document.lines), len(self.model.shown)
        count = size(total, "sentence") if shown == total else f"{shown:,} of {size(total, 'sentence')}"
        old = f", {self._outdated:,} {OUT_OF_DATE}" if self._outdated else ""
        self.view.set_hint("" if self.model.busy or not total else _NOTHING_PASSES)
        self.count.setText(count + (" so far …" if self.model.busy else "") + old)
        if self._first_wanted and not self.model.busy:
            self._first_wanted = False
            if self.model.shown:
                self._editor.choose(self.model.shown[0])
        place = self.model.place(self._editor.document.current)
        if 0 <= place < shown and self.view.currentIndex().row() != place:
            self._showing = True
            self.view.setCurrentIndex(self.model.index(place))
            self._showing = False

    def _typed(self) -> None:
        self._follow_marks()
        if len(self._editor.document.lines) <= LINES_FILTERED_DIRECTLY:
            self.apply()
        else:
            self._pause.start()

    def _follow_marks(self) -> None:
        """Show in the box of marks what the filter says."""
        try:
            query = ListFilter(self.search.text())
        except FilterError:
            return
        wanted = next((term.value for term in query.terms if term.kind == "is" and not term.negated), "")
        place = next(
            (at for at in range(1, self.marks.count()) if wanted and self.marks.itemData(at).startswith(wanted)), 0
        )
        self.marks.blockSignals(True)
        self.marks.setCurrentIndex(place)
        self.marks.blockSignals(False)

    def _mark_chosen(self) -> None:
        mark = self.marks.currentData()
        self.set_filter(with_term(self.search.text(), "is", "" if mark == _ALL else mark))

    def apply(self) -> None:
        """Filter by what is typed and chosen."""
        self._pause.stop()
        try:
            query = ListFilter(self.search.text())
        except FilterError as error:
            self.problem.setText(as_sentence(curly_quotes(str(error))))
            self.problem.show()
            return
        self.problem.hide()
        self.model.filter(query, self.orders.currentText())

    def _chosen(self, index: QModelIndex) -> None:
        if not self._showing and index.isValid() and index.row() < len(self.model.shown):
            self._editor.choose(self.model.shown[index.row()])


# Going from one sentence that differs from its gold tree to the next; what was not parsed yet is parsed on the way.

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
