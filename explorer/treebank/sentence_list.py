"""The sentence list: pasted, opened or from a treebank, with a mark for what became of each, filter and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.evaluation.provenance import Provenance
from engine.text.input_recognition import is_tree
from engine.trees.penn_forms import plain_word
from explorer.document.document import TextLine
from explorer.document.document_editor import DocumentEditor
from explorer.document.list_parsing import outdated_lines
from explorer.document.messages import Messages, as_sentence
from explorer.document.parse_service import ParseService
from explorer.document.sentence_status import (
    FURTHER_BACKOFF_SIGN,
    OUT_OF_DATE,
    SIGNS,
    UNSEEN,
    SentenceStatus,
    SentenceStatuses,
)
from explorer.graphics.number_text import curly_quotes, size
from explorer.tasks.worker import Worker
from explorer.treebank.line_list_model import (
    LINES_FILTERED_DIRECTLY,
    ORDERS,
    WORDS,
    LineListModel,
)
from explorer.treebank.list_filter import OLD, FilterError, ListFilter, with_term
from explorer.treebank.sentence_delegate import SentenceDelegate
from explorer.widgets.buttons import text_button
from explorer.widgets.fields import Field
from explorer.widgets.hint_table import HintTable

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
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.horizontalHeader().setVisible(False)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.view.verticalHeader().setVisible(False)
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

    def _fit_rows(self) -> None:
        self.view.verticalHeader().setDefaultSectionSize(self.view.fontMetrics().height() + 8)

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
        """The word of the list under a point of the view; empty if there is none."""
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
        """What can be done with a sentence of the list, and asked of its words; ``None`` beside the sentences."""
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
