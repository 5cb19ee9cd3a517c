"""The panel of search by structure: a pattern, where to look for it, the matches, counts of them, and help."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QMenu,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QWidget,
)

from engine.common.characters import curly_quotes, no_markup
from engine.common.errors import PatternError
from engine.common.files import replaced
from engine.common.numbers import size
from engine.common.tables import CSV_DELIMITER, TSV_DELIMITER, Block, Column, Table
from engine.patterns.operators import OPERATORS
from engine.patterns.pattern import Pattern
from engine.patterns.search import BY_BOTH, BY_LABEL, BY_WORDS, WHOLE_MATCH
from engine.trees.head_rules import HeadRules
from engine.trees.tree import PUNCTUATION_TAGS, Tree
from explorer.kit.controls import (
    NONE,
    Field,
    filled,
    in_column,
    in_row,
    menu_button,
    named,
    quiet_label,
    squeezed,
    text_button,
    told,
)
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import CSV, TREES, TSV
from explorer.kit.messages import Messages, as_sentence, error_text, written
from explorer.kit.tables import LazyRows, Row, RowsModel, RowsView
from explorer.kit.task_window import WorkBar
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.laboratory.search import (
    GOLD,
    PLACE_TIPS,
    PLACES,
    ListMatch,
    SearchPart,
    SearchRequest,
    counted,
    matches_text,
    search_list,
    trees_text,
)
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.statuses import SentenceStatuses

# What can be written in a pattern, with examples, and patterns made of a node of a tree; no Qt.

EXAMPLES = (
    ("PP > VP", "a PP right under a VP"),
    ("PP > (VP < /^VB/=verb)", "the same, with the verb named: verbs can then be counted"),
    ("NP < (PP <<# with)", "an NP with a PP right under it that ‘with’ heads"),
    ("VP < NP=object !< PP", "a VP with an NP and without a PP"),
    ("S !< NP", "a clause with no NP right under it, such as one without a subject"),
    ("/^VB/ . (__ << /ly$/)", "a verb right before a phrase or word that contains a word in -ly"),
    ("NP $+ PP", "an NP with a PP as its next sister"),
    ("NP|PP < CC", "a co-ordination of NPs or PPs"),
)
"""Patterns to begin with, and what each finds."""
NOTATION = (
    ("NP", "a label, or a word, as it is"),
    ("/^VB/", "a regular expression: any label or word that begins with VB"),
    ("__", "any node"),
    ("NP|PP", "one or the other"),
    ("!NP", "anything but an NP"),
    ("@NP", "an NP with or without function tags, such as NP-SBJ"),
    ("NP=x", "an NP that is called x: it is marked, listed and counted by this name"),
    ("A < B < C", "A has both under it: every relation is about A"),
    ("A < (B < C)", "A has B under it, and B has C: what is in brackets is about B"),
    ("A !< B", "A has no such B"),
    ("A [< B | < C]", "A has one or the other"),
    ("A ?< B=x", "B is named if it is there, and need not be"),
)
"""What the parts of a pattern look like."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9'-]*")
_SHOWN_PARTS = 3


def operator_rows() -> Iterator[tuple[str, str]]:
    """Every relation as it is written between A and B, and what it says."""
    for sign, operator in OPERATORS.items():
        written = f"{sign}(C)" if sign in ("<+", ">+") else sign
        yield f"A {written} B", operator.meaning


def patterns_like(tree: Tree, path: tuple[int, ...], rules: HeadRules | None = None) -> list[str]:
    """Patterns that a node of a tree matches, to begin with: by what is above it, what is in it, and its head."""
    above, node = None, tree
    for number in path:
        above, node = node, node.children[number]
    made = []
    if node.word is not None:
        made.append(f"{_form(node.label)} < {_form(node.word)}")
    if above is not None:
        made.append(f"{_form(node.label)} > {_form(above.label)}")
    if node.word is None:
        head = _head_word(node, rules)
        parts = " ".join(f"< {_part(child, rules)}" for child in node.children[:_SHOWN_PARTS])
        made.append(f"{_form(node.label)} {parts}")
        if head:
            made.append(f"{_form(node.label)} <<# {_form(head)}")
    return made or [_form(node.label)]


def _part(node: Tree, rules: HeadRules | None) -> str:
    """A child as a part of a pattern; of a PP its preposition, too, which tells more than the label."""
    head = _head_word(node, rules) if node.label.startswith("PP") else ""
    return f"({_form(node.label)} <<# {_form(head)})" if head else _form(node.label)


def _head_word(node: Tree, rules: HeadRules | None) -> str:
    while rules is not None and node.word is None:
        proper = [child for child in node.children if child.label not in PUNCTUATION_TAGS]
        if not proper:
            return ""
        node = proper[rules.head_index(node.label, [child.label for child in proper])]
    return node.word or ""


def _form(form: str) -> str:
    """A label or word as a pattern has it."""
    if _PLAIN.fullmatch(form):
        return form
    return '"' + form.replace("\\", "\\\\").replace('"', '\\"') + '"'


# The field for a pattern: what was searched for before, examples, and where a pattern goes wrong.

MOST_REMEMBERED = 20
_KEY = "search/patterns"
_LEAST_WIDTH = 200
"""Pixels of the field, however narrow its panel: a short pattern can be read."""
_PLACEHOLDER = "A pattern, such as  PP > (VP < /^VB/=verb)"


class PatternField(QWidget):
    """Takes a pattern; says at once what is wrong with one, and keeps what was typed.

    Parameters
    ----------
    preferences
        Where earlier patterns are remembered.

    Signals
    -------
    entered
        A pattern is to be searched for.
    """

    entered = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.edit = Field(placeholderText=_PLACEHOLDER, clearButtonEnabled=True)
        self.edit.setAccessibleName("Pattern")
        self.edit.setMinimumWidth(_LEAST_WIDTH)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.more = menu_button("▾", "Earlier patterns, and examples", self.menu)
        self.problem = named(told(name="problem"), "What is wrong with the pattern")
        self.problem.hide()
        row = in_row((self.edit, 1), self.more, spacing=4)
        self.setLayout(in_column(row, self.problem, margins=NONE, spacing=2))
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(self._check)
        self.edit.returnPressed.connect(self.entered)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.edit.text().strip()

    def set_text(self, text: str) -> None:
        """Put a pattern into the field."""
        self.edit.setText(text)

    def pattern(self) -> Pattern | None:
        """The pattern; ``None`` if it is none, which is said under the field."""
        try:
            made = Pattern(self.edit.text())
        except PatternError as error:
            self.show_problem(error)
            return None
        self.problem.hide()
        return made

    def show_problem(self, error: PatternError) -> None:
        """Say what is wrong, and underline it from its column on."""
        where = f"column {error.column}: " if error.column else ""
        self.problem.setText(as_sentence(where + curly_quotes(error.problem)))
        self.problem.show()
        self._underline(error.column)

    def remember(self, text: str) -> None:
        """Keep a pattern that was searched for, the latest first."""
        others = [one for one in self.remembered if one != text]
        self._preferences.keep_names(_KEY, [text, *others][:MOST_REMEMBERED])

    @property
    def remembered(self) -> list[str]:
        """What was searched for before, the latest first."""
        return self._preferences.names(_KEY)

    def fill_menu(self) -> None:
        """Fill the menu with earlier patterns and examples."""
        self.menu.clear()
        for text in self.remembered:
            self.menu.addAction(text.replace("&", "&&"), partial(self._take, text))
        self.menu.addSection("Examples")
        for text, meaning in EXAMPLES:
            self.menu.addAction(f"{text}\t{meaning}", partial(self._take, text))

    def _take(self, text: str) -> None:
        self.set_text(text)
        self.edit.setFocus()
        self.entered.emit()

    def _check(self, text: str) -> None:
        """Look at a pattern while it is typed: one that is not finished yet is no mistake."""
        self._underline(0)
        try:
            Pattern(text)
        except PatternError as error:
            if text.strip() and error.column and error.column <= len(text.rstrip()):
                self.show_problem(error)
                return
        self.problem.hide()

    def _underline(self, column: int) -> None:
        """Underline what is typed from a column on; nothing for column 0."""
        marks = []
        if 0 < column <= len(self.edit.text()):
            wavy = QTextCharFormat()
            wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wavy.setUnderlineColor(self.problem.palette().color(self.problem.foregroundRole()))
            start = column - 1 - self.edit.cursorPosition()
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start, len(self.edit.text()) - column + 1, wavy)]
        blocked = self.edit.blockSignals(True)
        QCoreApplication.sendEvent(self.edit, QInputMethodEvent("", marks))
        self.edit.blockSignals(blocked)


# The table of matches as a concordance: the match in the middle, its context on either side.

Index = QModelIndex | QPersistentModelIndex
NUMBER, BEFORE, MATCH, AFTER, NAMED = range(5)
_COLUMNS = tuple(Column(title, title) for title in ("sentence", "before", "match", "after", "named in the pattern"))
_SHARES = {BEFORE: 0.28, MATCH: 0.24, AFTER: 0.24, NAMED: 0.24}
"""What each column has of the width beside the numbers."""


class MatchModel(RowsModel):
    """The matches; a screen reader tells each of them as a sentence, whatever its cell."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid():
            return self.rows[index.row()].tip
        return super().data(index, role)


class _Context(QStyledItemDelegate):
    """Cuts what is before a match off at its left, and has the match stand out."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.column() == BEFORE:
            option.textElideMode = Qt.TextElideMode.ElideLeft
        option.font.setBold(index.column() == MATCH)


class MatchTable(RowsView):
    """Shows the matches; more of them can be added while a search goes on."""

    def __init__(self, hint: str = "") -> None:
        super().__init__(name="Matches", hint=hint, model=MatchModel())
        self.matches: list[ListMatch] = []
        self.setItemDelegate(_Context(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # One goes to a match again by a click on it, or Enter.
        self.activated_row.connect(self.chosen)
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        # Another list: whoever counts or writes the old one goes on with that.
        self.matches = []
        rows = LazyRows(
            self.matches, lambda match, at: Row(match.cells, at, tip=no_markup(match.spoken), made_of=match)
        )
        self.rows_model.set_columns(_COLUMNS, frozenset((NUMBER, BEFORE)), rows)

    def add(self, matches: Sequence[ListMatch]) -> None:
        """Show more matches below those that are there."""
        first = not self.matches
        self.matches += matches
        self.rows_model.grow()
        if first and matches:
            self._fit_widths()

    def _fit_widths(self) -> None:
        """Share the width among the columns; names have none where the pattern has none."""
        widest = f"{self.matches[-1].found.line:,}" if self.matches else ""
        texts = map(self.fontMetrics().horizontalAdvance, (widest, _COLUMNS[NUMBER].title))
        self.setColumnWidth(NUMBER, max(texts) + 28)
        named = any(match.found.named for match in self.matches[:1])
        self.setColumnHidden(NAMED, not named)
        rest = self.viewport().width() - self.columnWidth(NUMBER)
        shares = {column: share for column, share in _SHARES.items() if named or column != NAMED}
        for column, share in shares.items():
            self.setColumnWidth(column, int(rest * share / sum(shares.values())))


# Counts of matches, in the background.

MOST_ROWS = 2_000
"""Values that are listed; files have all of them."""
_AGAIN_MS = 400
"""How often it is counted anew while a search goes on."""


class CountPage(QWidget):
    """Counts matches by what a node of theirs is, in the background.

    Parameters
    ----------
    messages
        Where messages are shown.
    """

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self._messages = messages
        self._matches: Sequence[ListMatch] = ()
        self._worker = Worker("count matches", newest_only=True, parent=self)
        self._later = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._later.timeout.connect(self._count)
        self.table = RowsView(stretch=0, name="Counts", key=0)
        self.counted, self.way = QComboBox(), QComboBox()
        self.counted.addItem(WHOLE_MATCH)
        self.way.addItems((BY_LABEL, BY_WORDS, BY_BOTH))
        self.counted.setAccessibleName("What is counted")
        self.way.setAccessibleName("By what it is counted")
        self.note = quiet_label()
        parts = (QLabel("Count"), self.counted, QLabel("by"), self.way, None, self.note)
        row = in_row(*parts, margins=(12, 4, 12, 2), spacing=8)
        self.setLayout(in_column(row, (self.table, 1), margins=NONE, spacing=0))
        for box in (self.counted, self.way):
            box.activated.connect(lambda _: self._count())

    @property
    def busy(self) -> bool:
        """Whether something is being counted."""
        return self._worker.busy or self._later.isActive()

    @property
    def choice(self) -> tuple[str, str]:
        """What is counted, and by what."""
        return self.counted.currentText(), self.way.currentText()

    def set_names(self, names: Sequence[str]) -> None:
        """Offer the nodes that the pattern names; the first of them is what one wants to know."""
        offered = [WHOLE_MATCH, *names]
        if offered != [self.counted.itemText(at) for at in range(self.counted.count())]:
            self.counted.clear()
            self.counted.addItems(offered)
            self.counted.setCurrentIndex(min(1, len(names)))

    def count(self, matches: Sequence[ListMatch], at_once: bool = True) -> None:
        """Count some matches; of a list that still grows now and then."""
        self._matches = matches
        if at_once:
            self._count()
        elif not self._later.isActive():
            self._later.start()

    def _count(self) -> None:
        if not self.isVisible():
            return
        matches, until = self._matches, len(self._matches)
        name, way = self.choice

        def work(job: Job) -> Table:
            return counted((matches[at] for at in job.in_turns(range(until))), name, way).table([f"{way} of {name}"])

        self._worker.request(work, self._show, self._messages.show_error)

    def _show(self, found: Table) -> None:
        rows = found.rows
        self.table.show_table(replace(found, blocks=(Block("", rows[:MOST_ROWS]),)))
        more = f", the first {MOST_ROWS:,} listed" if len(rows) > MOST_ROWS else ""
        counted_in_all = f"{sum(row[1] for row in rows):,} counted"
        self.note.setText(f"{counted_in_all}, {size(len(rows), 'different value')}{more}" if rows else "")


# The panel of search by structure: a pattern, where to look for it, the matches, counts of them, and help.

MATCHES, COUNTS, HELP = range(3)
"""The tabs."""
_CANCELLED = "The search was cancelled; what was found until then is listed."
_START = "Write a pattern above and press Enter, or choose an example from the menu beside it."
_NO_MODEL = "There is no model to parse with; open one with Ctrl+M, or search the gold trees."
_EXPORTS = ("Matches as CSV", "Matches as TSV", "Counts as CSV", "Counts as TSV", "Matching trees in brackets")


class SearchPanel(QWidget):
    """Searches the list by structure and shows what is found.

    Parameters
    ----------
    editor, parses, statuses
        The sentences, the model, and what is known of the sentences.
    preferences, messages, tasks
        What is remembered, where messages are shown, and the tasks that can be waited for.

    Signals
    -------
    match_chosen
        A :class:`ListMatch` is to be shown.
    compare_wanted
        The sentence that is shown is to be compared with its gold tree.
    """

    match_chosen = Signal(object)
    compare_wanted = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        preferences: Preferences,
        messages: Messages,
        tasks: TaskMonitor,
    ) -> None:
        super().__init__()
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._preferences = preferences
        self._messages = messages
        self._worker = tasks.watch(Worker("search", newest_only=True, parent=self), _CANCELLED, self.stop)
        self._writer = Worker("write matches", parent=self)
        self._request: SearchRequest | None = None
        self._sentences: set[int] = set()
        self._searched = 0
        self._note = ""
        self.place = named(filled(QComboBox(), PLACES), "Where to search")
        for at, name in enumerate(PLACES):
            self.place.setItemData(at, PLACE_TIPS[name], Qt.ItemDataRole.ToolTipRole)
        self.field = PatternField(preferences)
        self.start = text_button("Search", "Search the list for the pattern (Enter)", self.search_or_stop)
        self.progress = WorkBar(self._worker, "Progress of the search")
        self.table = MatchTable(_START)
        self.counts = CountPage(messages)
        self.help = RowsView(("pattern", "meaning"), (), 1, "How to write a pattern", 0)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.table, "Matches")
        self.tabs.addTab(self.counts, "Counts")
        self.tabs.addTab(self.help, "How to write a pattern")
        self._lay_out()
        self._fill_help()
        self.field.entered.connect(self.search)
        self.place.activated.connect(lambda _: self.search() if self._request is not None else None)
        self.table.chosen.connect(self.go_to)
        self.tabs.currentChanged.connect(lambda _: self.counts.count(self.matches))
        self.help.activated_row.connect(self._take_help)
        self.help.clicked.connect(lambda index: self._take_help(self.help.rows_model.rows[index.row()].id))
        editor.document_changed.connect(self._show_state)
        parses.model_changed.connect(self._show_state)
        self.setFocusProxy(self.field)
        self._show_state()

    # Building

    def _lay_out(self) -> None:
        for widget in (self.place, self.start):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = in_row(self.place, (self.field, 1), self.start, margins=(12, 6, 8, 2), spacing=6)
        for part in (self.place, self.field, self.start):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)
        self.summary = named(squeezed(told("", "quiet")), "Summary of the search")
        self.compare = text_button("Compare", "Show the gold tree beside the parse", self.compare_wanted.emit)
        self.previous = text_button("‹", "Go to the previous match (Ctrl+J, P)", lambda: self.step(-1))
        self.next = text_button("›", "Go to the next match (Ctrl+J, N)", lambda: self.step(1))
        self.export_menu = QMenu(self)
        for title in _EXPORTS:
            self.export_menu.addAction(f"{title} …", partial(self.ask_file, title))
        self.export = menu_button("Export ▾", "Write matches, counts or trees to a file", self.export_menu)
        buttons = (self.compare, self.previous, self.next, self.export)
        foot = in_row((self.summary, 1), *buttons, margins=(12, 2, 8, 4))
        self.setLayout(in_column(row, self.progress, (self.tabs, 1), foot, margins=NONE, spacing=0))
        self.compare.hide()

    def _fill_help(self) -> None:
        rows = [Row((text, meaning), text, chosen=True) for text, meaning in EXAMPLES]
        rows += [Row(cells) for cells in (*NOTATION, *operator_rows())]
        self.help.set_rows(rows)

    # Searching

    @property
    def busy(self) -> bool:
        """Whether something is being searched, counted or written."""
        return self._worker.busy or self._writer.busy or self.counts.busy

    @property
    def matches(self) -> list[ListMatch]:
        """What was found so far."""
        return self.table.matches

    def look_for(self, text: str, place: str = "") -> None:
        """Search for a pattern as if it were typed; where it was last searched for, if no place is named."""
        self.field.set_text(text)
        if place:
            self.place.setCurrentIndex(self.place.findData(place))
        self.search()

    def search_or_stop(self) -> None:
        """Search for what is typed, or stop searching."""
        if self._worker.busy:
            self.stop()
        else:
            self.search()

    def search(self) -> None:
        """Search the list for the pattern that is typed; one that is none leaves everything as it is."""
        pattern = self.field.pattern()
        if pattern is None:
            return
        place = str(self.place.currentData())
        if place != GOLD and self._parses.model is None:
            self._note = _NO_MODEL
            self._show_state()
            return
        self.field.remember(self.field.text)
        document, model = self._editor.document, self._parses.model
        request = SearchRequest(pattern, place, document, model, self._statuses.by_line)
        self._request, self._note = request, ""
        self._sentences, self._searched = set(), 0
        self.table.clear()
        self.compare.hide()
        self.counts.set_names(pattern.names)
        if self.tabs.currentIndex() == HELP:
            self.tabs.setCurrentIndex(MATCHES)
        self._worker.request(
            lambda job: search_list(job, request), self._finish, self._fail, self._take, self._show_state
        )
        self._show_state()

    def stop(self) -> None:
        """Stop searching; what was found stays."""
        self._worker.cancel()
        self._note = "stopped"
        self._show_state()

    def _take(self, part: SearchPart) -> None:
        self.table.add(part.matches)
        self._sentences.update(match.found.line for match in part.matches)
        if part.statuses:
            self._statuses.add(part.statuses)
        self._searched = part.searched
        self._show_state()
        self.counts.count(self.matches, at_once=False)

    def _finish(self, part: SearchPart) -> None:
        self._take(part)
        if part.stopped:
            self._note = "stopped here, but there are more; make the pattern narrower"
        elif not part.searched and self._request is not None:
            what = "gold tree" if self._request.place == GOLD else "tree to search"
            self._note = f"no sentence of the list has a {what}"

    def _fail(self, error: Exception) -> None:
        if isinstance(error, PatternError):
            self.field.show_problem(error)
        self._note = error_text(error)

    def _show_state(self) -> None:
        searching, request = self._worker.busy, self._request
        self.start.setText("Stop" if searching else "Search")
        self.start.setToolTip("Stop the search" if searching else "Search the list for the pattern (Enter)")
        some = bool(self.matches)
        for button in (self.previous, self.next, self.export):
            button.setEnabled(some)
        parts = []
        if request is not None:
            parts.append(
                f"{size(len(self.matches), 'match', 'matches')} in {len(self._sentences):,} of {self._searched:,} trees"
            )
            if searching:
                parts.append("searching …")
            elif self.is_outdated:
                parts.append("out of date: the list or the settings have changed since")
        parts += [self._note] if self._note else []
        self.summary.setText(as_sentence("   ·   ".join(parts)) if parts else "")
        self.summary.setToolTip(no_markup(self.summary.text()))
        waiting = "Searching …" if searching else "No match."
        self.table.set_hint(waiting if request is not None else _START)

    @property
    def is_outdated(self) -> bool:
        """Whether the list, or for parses the model or the settings, are others than those that were searched."""
        request = self._request
        if request is None:
            return False
        now, then = self._editor.document, request.document
        if now.lines is not then.lines:
            return True
        if request.place == GOLD or request.model is None or self._parses.model is None:
            return False
        return now.provenance(self._parses.model) != then.provenance(request.model)

    # Going from match to match

    def step(self, by: int) -> None:
        """Go to the next match, or to the one before; after the last comes the first."""
        if not self.matches:
            return
        current = self.table.currentIndex().row()
        self.go_to((current + by) % len(self.matches) if current >= 0 else (0 if by > 0 else len(self.matches) - 1))

    def go_to(self, row: int) -> None:
        """Show a match: its sentence, and where in its tree it is."""
        self.table.mark(row)
        self.match_chosen.emit(self.matches[row])

    def show_place(self, elsewhere: bool) -> None:
        """Offer to compare, if the match is in a tree that the picture does not show."""
        self.compare.setVisible(elsewhere)

    # Help and files

    def _take_help(self, example: object) -> None:
        if isinstance(example, str):
            self.look_for(example)

    def ask_file(self, title: str) -> None:
        """Choose a file to write to."""
        kind = TREES if title == _EXPORTS[-1] else TSV if title.endswith("TSV") else CSV
        if path := ask_save(self, self._preferences, title, f"matches{kind.new_suffix}", kind):
            self.write(title, path)

    def write(self, title: str, path: Path) -> None:
        """Write matches, counts or trees to a file, in the background."""
        matches, names = list(self.matches), self._request.pattern.names if self._request is not None else ()
        name, way = self.counts.choice
        delimiter = TSV_DELIMITER if title.endswith("TSV") else CSV_DELIMITER

        def text(some: Iterable[ListMatch]) -> str:
            if title.startswith("Counts"):
                return counted(some, name, way).table([f"{way} of {name}"]).csv(delimiter) + "\n"
            return trees_text(some) if title == _EXPORTS[-1] else matches_text(some, names, delimiter)

        def work(job: Job) -> None:
            with replaced(path) as beside:
                beside.write_text(text(job.in_turns(matches)), encoding="utf-8")

        self._writer.request(work, lambda _: self._messages.show(written(path)), self._messages.show_error)
